#include "phpc/io/npy_batch.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "phpc/core/error.hpp"
#include "support/array_files.hpp"
#include "support/temporary_directory.hpp"

namespace phpc::io {
namespace {

class NpyBatchTest : public testing::Test {
 protected:
  template <class T>
  std::string write(const std::string& descr, const std::string& shape, const std::vector<T>& elements,
                    const std::string& fortran = "False") {
    const std::string path = directory_ / "a.npy";
    test::write_file(path, test::npy_bytes("{'descr': '" + descr + "', 'fortran_order': " + fortran + ", 'shape': " + shape + "}",
                                           test::bytes_of(elements)));
    return path;
  }

  std::string refusal(const std::string& path, DenseZeros zeros = DenseZeros::dropped) {
    try {
      const NpyBatch batch(path, zeros);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::input);
      return error.what();
    }
    return "";
  }

  test::TemporaryDirectory directory_;
};

std::vector<double> values_of(const NpyBatch& batch, index_t first, index_t count) {
  std::vector<double> values(static_cast<std::size_t>(count * batch.entries() * (batch.is_complex() ? 2 : 1)));
  batch.read_values(first, values);
  return values;
}

/// Every element of every matrix, looked up in the batch; places outside the pattern hold zeros.
void expect_same(const NpyBatch& batch, const std::vector<double>& dense, DenseZeros zeros) {
  const index_t n = batch.rows();
  const std::vector<double> values = values_of(batch, 0, batch.systems());
  for (index_t row = 0; row < n; ++row) {
    for (index_t column = 0; column < n; ++column) {
      index_t place = -1;
      for (index_t entry = batch.row_offsets()[static_cast<std::size_t>(row)];
           entry < batch.row_offsets()[static_cast<std::size_t>(row) + 1]; ++entry) {
        place = batch.column_indices()[static_cast<std::size_t>(entry)] == column ? entry : place;
      }
      bool is_needed = zeros == DenseZeros::kept;
      for (index_t system = 0; system < batch.systems(); ++system) {
        const double element = dense[static_cast<std::size_t>((system * n + row) * n + column)];
        is_needed = is_needed || element != 0;
        ASSERT_EQ(place < 0 ? 0 : values[static_cast<std::size_t>(system * batch.entries() + place)], element)
            << system << ", " << row << ", " << column;
      }
      ASSERT_EQ(place >= 0, is_needed) << row << ", " << column;
    }
  }
}

TEST_F(NpyBatchTest, RandomMatrices) {
  const std::uint64_t seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed);
  for (int round = 0; round < 40; ++round) {
    const index_t n = 1 + static_cast<index_t>(random() % 12);
    const index_t systems = 1 + static_cast<index_t>(random() % (round == 0 ? 30000 : 9));
    const double share = static_cast<double>(random() % 11) / 10;
    std::vector<double> dense(static_cast<std::size_t>(systems * n * n));
    std::vector<bool> is_place(static_cast<std::size_t>(n * n));
    for (std::size_t place = 0; place < is_place.size(); ++place) {
      is_place[place] = std::uniform_real_distribution<double>(0, 1)(random) < share;
    }
    for (std::size_t i = 0; i < dense.size(); ++i) {
      if (is_place[i % is_place.size()] && random() % 3 != 0) {
        dense[i] = static_cast<double>(random() % 100) - 50;
      }
    }
    const std::string shape = systems == 1 && round % 2 == 0
                                  ? "(" + std::to_string(n) + ", " + std::to_string(n) + ")"
                                  : "(" + std::to_string(systems) + ", " + std::to_string(n) + ", " + std::to_string(n) + ")";
    for (const DenseZeros zeros : {DenseZeros::dropped, DenseZeros::kept}) {
      expect_same(NpyBatch(write("<f8", shape, dense), zeros), dense, zeros);
      expect_same(NpyBatch(write("<f4", shape, std::vector<float>(dense.begin(), dense.end())), zeros), dense, zeros);
    }
    const NpyBatch batch(write("<f8", shape, dense), DenseZeros::dropped);
    const index_t first = static_cast<index_t>(random() % static_cast<std::uint64_t>(systems));
    const std::vector<double> all = values_of(batch, 0, systems);
    EXPECT_EQ(values_of(batch, first, systems - first), std::vector<double>(all.begin() + first * batch.entries(), all.end()));
  }
}

TEST_F(NpyBatchTest, FortranOrderAndIntegers) {
  // Element (s, i, j) of shape (2, 2, 2) stands at s + 2 i + 4 j.
  const NpyBatch fortran(write("<f8", "(2, 2, 2)", std::vector<double>{1, 5, 0, 0, 2, 0, 4, 8}, "True"), DenseZeros::dropped);
  EXPECT_EQ(fortran.column_indices(), (std::vector<std::int32_t>{0, 1, 1}));
  EXPECT_EQ(values_of(fortran, 0, 2), (std::vector<double>{1, 2, 4, 5, 0, 8}));
  EXPECT_EQ(values_of(fortran, 1, 1), (std::vector<double>{5, 0, 8}));
  const NpyBatch integers(write("<i4", "(2, 2)", std::vector<std::int32_t>{3, 0, 0, -4}), DenseZeros::dropped);
  EXPECT_EQ(values_of(integers, 0, 1), (std::vector<double>{3, -4}));
}

TEST_F(NpyBatchTest, NanIsAnEntryAndMinusZeroIsNone) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const NpyBatch batch(write("<f8", "(2, 2)", std::vector<double>{nan, -0.0, 0, 1}), DenseZeros::dropped);
  EXPECT_EQ(batch.column_indices(), (std::vector<std::int32_t>{0, 1}));
  EXPECT_TRUE(std::isnan(values_of(batch, 0, 1)[0]));
}

TEST_F(NpyBatchTest, NoMatrices) {
  const NpyBatch batch(write("<f8", "(0, 3, 3)", std::vector<double>{}), DenseZeros::dropped);
  EXPECT_EQ(batch.systems(), 0);
  EXPECT_EQ(batch.rows(), 3);
  EXPECT_EQ(batch.entries(), 0);
}

TEST_F(NpyBatchTest, ComplexNumbersAreTwoValuesEach) {
  // (0, 1) is imaginary in the second matrix, (1, 0) zero in both.
  const std::string path = write("<c16", "(2, 2, 2)", std::vector<double>{1, 2, 0, 0, 0, 0, 3, 4, 5, 6, 0, 7, 0, 0, 8, 9});
  const NpyBatch batch(path, DenseZeros::dropped);
  EXPECT_TRUE(batch.is_complex());
  EXPECT_EQ(batch.row_offsets(), (std::vector<std::int32_t>{0, 2, 3}));
  EXPECT_EQ(batch.column_indices(), (std::vector<std::int32_t>{0, 1, 1}));
  EXPECT_EQ(values_of(batch, 0, 2), (std::vector<double>{1, 2, 0, 0, 3, 4, 5, 6, 0, 7, 8, 9}));
  EXPECT_EQ(values_of(batch, 1, 1), (std::vector<double>{5, 6, 0, 7, 8, 9}));
}

TEST_F(NpyBatchTest, RefusesWhatIsNoBatch) {
  const std::vector<double> six(6, 1);
  EXPECT_NE(refusal(write("<f8", "(6,)", six)).find("of shape (6)"), std::string::npos);
  EXPECT_NE(refusal(write("<f8", "(2, 3)", six)).find("of shape (2, 3)"), std::string::npos);
  EXPECT_NE(refusal(write("<f8", "(1, 2, 3)", six)).find("(systems, rows, rows)"), std::string::npos);
  EXPECT_NE(refusal(write("<f8", "(1, 1, 2, 2)", six)).find("(1, 1, 2, 2)"), std::string::npos);
  EXPECT_NE(refusal(write("<f8", "(3, 0, 0)", std::vector<double>{})).find("(3, 0, 0)"), std::string::npos);
  EXPECT_NE(refusal(write("<c16", "(1, 2)", std::vector<double>{1, 2, 3, 4})).find("complex128"), std::string::npos);
  // Sizes that the file's bytes do not support, before memory is taken for them.
  for (const DenseZeros zeros : {DenseZeros::dropped, DenseZeros::kept}) {
    EXPECT_NE(refusal(write("<f8", "(2, 2, 2)", six), zeros), "");
    EXPECT_NE(refusal(write("<f8", "(1, 46340, 46340)", six), zeros), "");
    EXPECT_NE(refusal(write("<f8", "(0, 50000, 50000)", std::vector<double>{}), zeros).find("more than 2^31"), std::string::npos);
  }
}

}  // namespace
}  // namespace phpc::io
