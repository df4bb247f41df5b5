#pragma once
#include <random>

#include "support/linear_systems.hpp"

namespace phpc::test {

/// Systems of normally distributed numbers, whose matrices have all elements, and which no order of rows makes dominant.
inline SystemBatch random_dense(index_t rows, index_t systems, unsigned number) {
  std::mt19937 generator(number);
  std::normal_distribution<double> normal;
  SystemBatch batch{.pattern = {{0}, {}}, .values = {}, .rhs = {}};
  for (index_t row = 0; row < rows; ++row) {
    for (std::int32_t column = 0; column < rows; ++column) {
      batch.pattern.columns.push_back(column);
    }
    batch.pattern.row_offsets.push_back(static_cast<std::int32_t>(batch.pattern.columns.size()));
  }
  batch.values.resize(static_cast<std::size_t>(systems * rows * rows));
  batch.rhs.resize(static_cast<std::size_t>(systems * rows));
  for (double& value : batch.values) {
    value = normal(generator);
  }
  for (double& value : batch.rhs) {
    value = normal(generator);
  }
  return batch;
}

}  // namespace phpc::test
