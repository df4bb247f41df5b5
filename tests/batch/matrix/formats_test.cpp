#include "phpc/batch/formats.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "batch/direct/tridiagonal_systems.hpp"
#include "phpc/core/error.hpp"
#include "support/linear_systems.hpp"

namespace phpc::batch {
namespace {

constexpr unsigned seed = 20261124;

template <class T>
void expect_same(const CsrBatch<T>& a, const CsrBatch<T>& b) {
  EXPECT_EQ(a.pattern().row_offsets, b.pattern().row_offsets);
  EXPECT_EQ(a.pattern().columns, b.pattern().columns);
  ASSERT_EQ(a.values().size(), b.values().size());
  EXPECT_EQ(std::memcmp(a.values().data(), b.values().data(), a.values().size_bytes()), 0);
}

template <class Call>
ErrorKind kind_of(Call call) {
  try {
    call();
  } catch (const Error& error) {
    return error.kind();
  }
  return ErrorKind::device;
}

TEST(Formats, ThereAndBackKeepsEveryBit) {
  for (const index_t rows : {1, 2, 9, 33}) {
    SCOPED_TRACE(testing::Message() << rows << " rows, seed " << seed);
    test::SystemBatch systems = test::random_systems(test::Structure::general, rows, 3, seed);
    systems.values.front() = std::nan("1");
    systems.values.back() = -0.0;
    const CsrBatch<double> batch = systems.matrix();
    expect_same(to_csr(to_ell(batch)), batch);
    const DenseBatch<double> dense = to_dense(batch);
    const DenseBatch<double> again = to_dense(to_csr(dense));
    EXPECT_EQ(std::memcmp(again.values.data(), dense.values.data(), dense.values.size() * sizeof(double)), 0);
    const BandBatch<double> band = to_band(batch);
    EXPECT_EQ(std::memcmp(to_dense(to_csr(band)).values.data(), dense.values.data(), dense.values.size() * sizeof(double)), 0);
    const CsrBatch<float> floats(batch.pattern(), {systems.values.begin(), systems.values.end()});
    expect_same(to_csr(to_ell(floats)), floats);
  }
}

TEST(Formats, ElementsAreWhereTheySay) {
  const test::SystemBatch systems = test::random_systems(test::Structure::general, 14, 2, seed);
  const DenseBatch<double> dense = to_dense(systems.matrix());
  const EllBatch<double> ell = to_ell(systems.matrix());
  const BandBatch<double> band = to_band(systems.matrix());
  ASSERT_EQ(dense.sets(), 2);
  ASSERT_EQ(ell.sets(), 2);
  ASSERT_EQ(band.sets(), 2);
  for (index_t set = 0; set < 2; ++set) {
    const test::DenseMatrix expected = systems.dense(set);
    for (index_t row = 0; row < 14; ++row) {
      for (index_t column = 0; column < 14; ++column) {
        const auto value = static_cast<double>(expected[static_cast<std::size_t>(row * 14 + column)]);
        EXPECT_EQ(dense.values[static_cast<std::size_t>((set * 14 + row) * 14 + column)], value);
        if (row - column <= band.lower && column - row <= band.upper) {
          const index_t diagonal = band.upper + row - column;
          EXPECT_EQ(band.values[static_cast<std::size_t>((set * band.diagonals() + diagonal) * 14 + column)], value);
        } else {
          EXPECT_EQ(value, 0);
        }
        double found = 0;
        for (index_t k = 0; k < ell.width; ++k) {
          if (ell.columns[static_cast<std::size_t>(k * 14 + row)] == column) {
            found = ell.values[static_cast<std::size_t>((set * ell.width + k) * 14 + row)];
          }
        }
        EXPECT_EQ(found, value);
      }
    }
  }
}

TEST(Formats, DenseZerosAreKeptOrDroppedForAllMatricesTogether) {
  const DenseBatch<double> batch{2, {1, 0, 0, 2, 3, 0, 4, 5}};
  EXPECT_EQ(to_csr(batch).entries(), 4);
  const CsrBatch<double> sparse = to_csr(batch, Zeros::dropped);
  EXPECT_EQ(sparse.pattern().columns, (std::vector<std::int32_t>{0, 0, 1})) << "(1, 0) is zero in the first matrix alone";
  EXPECT_EQ(to_dense(sparse).values, batch.values);
  EXPECT_EQ(to_csr(DenseBatch<double>{2, std::vector<double>(8, 0.0)}, Zeros::dropped).systems(), 2) << "matrices of zeros";
}

TEST(Formats, TridiagonalBatchesFromTheirDiagonals) {
  const test::SystemBatch systems = test::tridiagonal(5, 3);
  std::vector<double> lower(15, -1.0);
  std::vector<double> upper(15, -1.0);
  std::vector<double> middle;
  for (index_t system = 0; system < 3; ++system) {
    for (index_t row = 0; row < 5; ++row) {
      middle.push_back(systems.values[systems.place(system, row, row)]);
    }
    lower[static_cast<std::size_t>(system * 5)] = std::nan("");
    upper[static_cast<std::size_t>(system * 5 + 4)] = std::nan("");
  }
  const BandBatch<double> band = tridiagonal_batch<double>(5, lower, middle, upper);
  expect_same(to_csr(band), systems.matrix());
  EXPECT_EQ(to_band(systems.matrix()).values, band.values);
  EXPECT_EQ(to_csr(tridiagonal_batch<double>(1, std::vector{9.0}, std::vector{2.0}, std::vector{9.0})).values()[0], 2.0);
}

TEST(Formats, RepeatedSetsAreConvertedOnce) {
  const CsrBatch<double> batch({{0, 1, 2}, {0, 1}}, {1, 2, 3, 4}, 70);
  EXPECT_EQ(to_dense(batch).sets(), 2);
  EXPECT_EQ(to_ell(batch).sets(), 2);
  EXPECT_EQ(to_band(batch).sets(), 2);
}

TEST(Formats, EmptyRowsAndMatrices) {
  const CsrBatch<double> batch({{0, 1, 1, 2}, {1, 0}}, {5, 6});
  expect_same(to_csr(to_ell(batch)), batch);
  const CsrBatch<double> zeros({{0, 0, 0}, {}}, {}, 4);
  EXPECT_EQ(to_ell(zeros).width, 1);
  EXPECT_EQ(to_csr(to_ell(zeros)).entries(), 0);
  EXPECT_EQ(to_dense(zeros).values, std::vector<double>(4, 0.0));
}

TEST(Formats, WhatDoesNotFitIsAnInputError) {
  EXPECT_EQ(kind_of([] { to_csr(DenseBatch<double>{0, {}}); }), ErrorKind::input);
  EXPECT_EQ(kind_of([] { to_csr(DenseBatch<double>{2, {1, 2, 3}}); }), ErrorKind::input);
  EXPECT_EQ(kind_of([] { to_csr(EllBatch<double>{2, 1, {0}, {1, 2}}); }), ErrorKind::input);
  EXPECT_EQ(kind_of([] { to_csr(EllBatch<double>{2, 1, {0, 2}, {1, 2}}); }), ErrorKind::input) << "a column outside";
  EXPECT_EQ(kind_of([] { to_csr(EllBatch<double>{1, 2, {-1, 0}, {1, 2}}); }), ErrorKind::input) << "an entry after the end";
  EXPECT_EQ(kind_of([] { to_csr(EllBatch<double>{2, 2, {1, 1, 0, -1}, {1, 2, 3, 4}}); }), ErrorKind::input) << "descending";
  EXPECT_EQ(kind_of([] { to_csr(BandBatch<double>{2, -1, 0, {1, 2}}); }), ErrorKind::input);
  EXPECT_EQ(kind_of([] { to_csr(BandBatch<double>{2, 1, 0, {1, 2}}); }), ErrorKind::input);
  EXPECT_EQ(kind_of([] { to_band(CsrBatch<double>({{0, 1, 2}, {1, 0}}, {1, 2}), 0, 1); }), ErrorKind::input);
  EXPECT_EQ(kind_of([] { tridiagonal_batch<double>(2, std::vector{1.0}, std::vector{1.0, 2.0}, std::vector{1.0, 2.0}); }),
            ErrorKind::input);
}

}  // namespace
}  // namespace phpc::batch
