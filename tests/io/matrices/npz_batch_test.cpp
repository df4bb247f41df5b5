#include "phpc/io/npz_batch.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <random>

#include "phpc/core/error.hpp"
#include "support/npz_files.hpp"
#include "support/temporary_directory.hpp"

namespace phpc::io {
namespace {

using test::bytes_of;
using test::NpzMember;
using test::Packing;

constexpr Packing packings[] = {Packing::stored, Packing::deflated};

/// Three systems of two rows: [[1, 2], [0, 3]] times (system + 1), right-hand sides (10 s, 10 s + 1).
std::vector<NpzMember> three_systems() {
  return {{"indices", "<i4", {3}, bytes_of<std::int32_t>({0, 1, 1})},
          {"indptr", "<i4", {3}, bytes_of<std::int32_t>({0, 2, 3})},
          {"format", "|S3", {}, "csr"},
          {"shape", "<i8", {2}, bytes_of<std::int64_t>({2, 2})},
          {"data", "<f8", {3}, bytes_of<double>({1, 2, 3})},
          {"values", "<f8", {3, 3}, bytes_of<double>({1, 2, 3, 2, 4, 6, 3, 6, 9})},
          {"rhs", "<f8", {3, 2}, bytes_of<double>({0, 1, 10, 11, 20, 21})}};
}

NpzMember& member(std::vector<NpzMember>& members, const std::string& name) {
  return *std::find_if(members.begin(), members.end(), [&](const NpzMember& one) { return one.name == name; });
}

class NpzBatchTest : public testing::Test {
 protected:
  void write(const std::vector<NpzMember>& members, Packing packing = Packing::deflated) {
    test::write_npz(path_, members, packing);
  }
  static std::vector<double> values(NpzBatch& batch, index_t first, index_t count) {
    std::vector<double> all(static_cast<std::size_t>(count * batch.entries() * (batch.has_complex_values() ? 2 : 1)));
    batch.read_values(first, all);
    return all;
  }
  static std::vector<double> rhs(NpzBatch& batch, index_t first, index_t count) {
    std::vector<double> all(static_cast<std::size_t>(count * batch.rows() * (batch.has_complex_rhs() ? 2 : 1)));
    batch.read_rhs(first, all);
    return all;
  }
  /// Reads all that an archive says it holds.
  void read_everything() {
    NpzBatch batch(path_);
    values(batch, 0, batch.value_sets());
    if (batch.has_rhs()) {
      rhs(batch, 0, batch.rhs_sets());
    }
  }
  void expect_refusal(const std::string& part) {
    try {
      read_everything();
      ADD_FAILURE() << "accepted; expected: " << part;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
    }
  }

  test::TemporaryDirectory directory_;
  std::string path_ = directory_ / "batch.npz";
};

TEST_F(NpzBatchTest, ComplexNumbersAreTwoValuesEach) {
  std::vector<NpzMember> members = three_systems();
  member(members, "values") = {"values", "<c16", {1, 3}, bytes_of<double>({1, 2, 3, 4, 5, 6})};
  member(members, "rhs") = {"rhs", "<c8", {2}, bytes_of<float>({7, 8, 9, 10})};
  write(members);
  NpzBatch batch(path_);
  EXPECT_TRUE(batch.has_complex_values() && batch.has_complex_rhs());
  EXPECT_EQ(values(batch, 0, 1), (std::vector<double>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(rhs(batch, 0, 1), (std::vector<double>{7, 8, 9, 10}));
  member(members, "indices") = {"indices", "<i4", {3}, bytes_of<std::int32_t>({1, 0, 1})};
  member(members, "indptr") = {"indptr", "<i4", {3}, bytes_of<std::int32_t>({0, 2, 3})};
  write(members);
  NpzBatch turned(path_);
  EXPECT_EQ(values(turned, 0, 1), (std::vector<double>{3, 4, 1, 2, 5, 6})) << "columns ascend";
}

TEST_F(NpzBatchTest, SetsAreReadInAnyOrder) {
  for (const Packing packing : packings) {
    write(three_systems(), packing);
    NpzBatch batch(path_);
    EXPECT_EQ(batch.rows(), 2);
    EXPECT_EQ(batch.entries(), 3);
    EXPECT_EQ(batch.row_offsets(), (std::vector<std::int32_t>{0, 2, 3}));
    EXPECT_EQ(batch.column_indices(), (std::vector<std::int32_t>{0, 1, 1}));
    EXPECT_EQ(batch.value_sets(), 3);
    EXPECT_EQ(batch.rhs_sets(), 3);
    EXPECT_EQ(values(batch, 1, 2), (std::vector<double>{2, 4, 6, 3, 6, 9}));
    EXPECT_EQ(values(batch, 0, 1), (std::vector<double>{1, 2, 3}));
    EXPECT_EQ(values(batch, 2, 1), (std::vector<double>{3, 6, 9}));
    EXPECT_EQ(rhs(batch, 2, 1), (std::vector<double>{20, 21}));
    EXPECT_EQ(rhs(batch, 0, 2), (std::vector<double>{0, 1, 10, 11}));
  }
}

TEST_F(NpzBatchTest, OtherTypesOfNumbers) {
  auto members = three_systems();
  member(members, "indices") = {"indices", ">i8", {3}, bytes_of<std::int64_t>({0, 1, 1}, std::endian::big)};
  member(members, "indptr") = {"indptr", "<u2", {3}, bytes_of<std::uint16_t>({0, 2, 3})};
  member(members, "values") = {"values", ">f4", {2, 3}, bytes_of<float>({1.5F, 2, 3, 4, 5, -6}, std::endian::big)};
  member(members, "rhs") = {"rhs", "<i4", {2}, bytes_of<std::int32_t>({7, -8})};
  member(members, "format") = {"format", "<U3", {}, std::string("c\0\0\0s\0\0\0r\0\0\0", 12)};
  for (const Packing packing : packings) {
    write(members, packing);
    NpzBatch batch(path_);
    EXPECT_EQ(batch.column_indices(), (std::vector<std::int32_t>{0, 1, 1}));
    EXPECT_EQ(batch.value_sets(), 2);
    EXPECT_EQ(values(batch, 0, 2), (std::vector<double>{1.5, 2, 3, 4, 5, -6}));
    EXPECT_EQ(batch.rhs_sets(), 1);
    EXPECT_EQ(rhs(batch, 0, 1), (std::vector<double>{7, -8}));
  }
}

TEST_F(NpzBatchTest, SeveralRightHandSidesOfASystem) {
  auto members = three_systems();
  member(members, "rhs") = {"rhs", "<f8", {2, 2, 3}, bytes_of<double>({0, 1, 2, 3, 4, 5, 10, 11, 12, 13, 14, 15})};
  for (const Packing packing : packings) {
    write(members, packing);
    NpzBatch batch(path_);
    EXPECT_EQ(batch.rhs_sets(), 2);
    EXPECT_EQ(batch.rhs_columns(), 3);
    std::vector<double> second(6);
    batch.read_rhs(1, second);
    EXPECT_EQ(second, (std::vector<double>{10, 11, 12, 13, 14, 15}));
  }
  member(members, "rhs") = {"rhs", "<f8", {1, 2, 0}, {}};
  write(members);
  expect_refusal("is of shape (1, 2, 0); give (systems, 2), the rows of the matrix");
  member(members, "rhs") = {"rhs", "<f8", {1, 3, 2}, bytes_of<double>({0, 1, 2, 3, 4, 5})};
  write(members);
  expect_refusal("is of shape (1, 3, 2); give (systems, 2, 2), the rows of the matrix");
}

TEST_F(NpzBatchTest, WhatSciPySavesIsOneSet) {
  auto members = three_systems();
  members.resize(5);
  write(members);
  NpzBatch batch(path_);
  EXPECT_EQ(batch.value_sets(), 1);
  EXPECT_FALSE(batch.has_rhs());
  EXPECT_EQ(batch.rhs_sets(), 0);
  EXPECT_EQ(values(batch, 0, 1), (std::vector<double>{1, 2, 3}));
}

/// The matrix [[1, 2], [0, 3]] of three_systems() by columns, and as coordinates in some order.
TEST_F(NpzBatchTest, OtherSparseFormatsAreTheSameMatrix) {
  auto by_columns = three_systems();
  member(by_columns, "format").bytes = "csc";
  member(by_columns, "indices").bytes = bytes_of<std::int32_t>({0, 0, 1});
  member(by_columns, "indptr").bytes = bytes_of<std::int32_t>({0, 1, 3});
  auto coordinates = three_systems();
  member(coordinates, "format").bytes = "coo";
  member(coordinates, "indices") = {"row", "<i4", {3}, bytes_of<std::int32_t>({1, 0, 0})};
  member(coordinates, "indptr") = {"col", "<i4", {3}, bytes_of<std::int32_t>({1, 1, 0})};
  member(coordinates, "values").bytes = bytes_of<double>({3, 2, 1, 6, 4, 2, 9, 6, 3});
  for (const auto& members : {by_columns, coordinates}) {
    write(members);
    NpzBatch batch(path_);
    EXPECT_EQ(batch.rows(), 2);
    EXPECT_EQ(batch.row_offsets(), (std::vector<std::int32_t>{0, 2, 3}));
    EXPECT_EQ(batch.column_indices(), (std::vector<std::int32_t>{0, 1, 1}));
    EXPECT_EQ(values(batch, 0, 3), (std::vector<double>{1, 2, 3, 2, 4, 6, 3, 6, 9}));
    EXPECT_EQ(rhs(batch, 2, 1), (std::vector<double>{20, 21}));
  }
  const auto refuse = [&](std::vector<NpzMember> members, const std::string& name, const NpzMember& other,
                          const std::string& part) {
    SCOPED_TRACE(part);
    member(members, name) = other;
    write(members);
    expect_refusal(part);
  };
  refuse(by_columns, "indices", {"indices", "<i4", {3}, bytes_of<std::int32_t>({0, 2, 1})}, "row 2 of a matrix of 2");
  refuse(by_columns, "indices", {"indices", "<i4", {3}, bytes_of<std::int32_t>({0, 1, 1})}, "row 1 lists column 1 twice");
  refuse(by_columns, "indptr", {"indptr", "<i4", {3}, bytes_of<std::int32_t>({0, 2, 1})}, "does not ascend");
  refuse(coordinates, "row", {"row", "<i4", {3}, bytes_of<std::int32_t>({1, 0, 2})}, "row 2 of a matrix of 2");
  refuse(coordinates, "row", {"row", "<i4", {2}, bytes_of<std::int32_t>({1, 0})}, "2 rows and 3 columns");
  refuse(coordinates, "col", {"col", "<i4", {3}, bytes_of<std::int32_t>({2, 1, 0})}, "column 2 in row 1");
  refuse(coordinates, "col", {"col", "<i4", {3}, bytes_of<std::int32_t>({1, 1, 1})}, "row 0 lists column 1 twice");
  refuse(coordinates, "row", {"coords", "<i4", {3}, bytes_of<std::int32_t>({1, 0, 0})}, "lacks one of row, col and shape");
  refuse(coordinates, "shape", {"shape", "<i8", {2}, bytes_of<std::int64_t>({2147483647, 2147483647})}, "rows without any");
  for (const std::string format : {"bsr", "dia"}) {
    refuse(by_columns, "format", {"format", "|S3", {}, format}, "in format " + format + "; save its .tocsr()");
  }
}

/// [[1, 2, 0], [0, 3, 0], [4, 0, 5]] times (system + 1): two places a row, the second of row 1 left out, rows 0 and 2 in
/// disorder.
TEST_F(NpzBatchTest, EllIsTheSameMatrix) {
  const std::vector<NpzMember> members = {
      {"columns", "<i4", {2, 3}, bytes_of<std::int32_t>({1, -1, 2, 0, 1, 0})},
      {"values", "<f8", {2, 2, 3}, bytes_of<double>({2, NAN, 5, 1, 3, 4, 4, NAN, 10, 2, 6, 8})},
      {"rhs", "<f8", {2, 3}, bytes_of<double>({1, 2, 3, 4, 5, 6})}};
  for (const Packing packing : packings) {
    write(members, packing);
    NpzBatch batch(path_);
    EXPECT_EQ(batch.rows(), 3);
    EXPECT_EQ(batch.row_offsets(), (std::vector<std::int32_t>{0, 2, 3, 5}));
    EXPECT_EQ(batch.column_indices(), (std::vector<std::int32_t>{0, 1, 1, 0, 2}));
    EXPECT_EQ(batch.value_sets(), 2);
    EXPECT_EQ(values(batch, 0, 2), (std::vector<double>{1, 2, 3, 4, 5, 2, 4, 6, 8, 10}));
    EXPECT_EQ(values(batch, 1, 1), (std::vector<double>{2, 4, 6, 8, 10}));
    EXPECT_EQ(rhs(batch, 1, 1), (std::vector<double>{4, 5, 6}));
  }
  auto one = members;  // of one matrix
  member(one, "values") = {"values", "<f4", {2, 3}, bytes_of<float>({2, 0, 5, 1, 3, 4})};
  one.push_back({"format", "<U3", {}, std::string("e\0\0\0l\0\0\0l\0\0\0", 12)});
  write(one);
  NpzBatch batch(path_);
  EXPECT_EQ(batch.value_sets(), 1);
  EXPECT_EQ(values(batch, 0, 1), (std::vector<double>{1, 2, 3, 4, 5}));
  const auto refuse = [&](const std::string& name, const NpzMember& other, const std::string& part) {
    SCOPED_TRACE(part);
    auto wrong = members;
    wrong.push_back({"format", "|S3", {}, "ell"});
    member(wrong, name) = other;
    write(wrong);
    expect_refusal(part);
  };
  refuse("columns", {"columns", "<i4", {2, 3}, bytes_of<std::int32_t>({1, -1, 3, 0, 1, 0})}, "column 3 in row 2");
  refuse("columns", {"columns", "<i4", {2, 3}, bytes_of<std::int32_t>({1, 1, 2, 0, 1, 0})}, "row 1 lists column 1 twice");
  refuse("columns", {"columns", "<i4", {2, 3}, bytes_of<std::int32_t>({1, -2, 2, 0, 1, 0})}, "an integer of -1 ...");
  refuse("columns", {"columns", "<i4", {2, 3}, bytes_of<std::int32_t>({-1, -1, -1, -1, -1, -1})}, "without entries");
  refuse("columns", {"columns", "<i4", {6}, bytes_of<std::int32_t>({1, 1, 2, 0, 1, 0})}, "give (width, rows)");
  refuse("columns", {"cols", "<i4", {2, 3}, bytes_of<std::int32_t>({1, 1, 2, 0, 1, 0})}, "lacks one of columns");
  refuse("values", {"values", "<f8", {2, 5}, bytes_of<double>({1, 2, 3, 4, 5, 6, 7, 8, 9, 10})}, "give (systems, 2, 3)");
  refuse("rhs", {"shape", "<i8", {2}, bytes_of<std::int64_t>({4, 4})}, "a matrix of 4 rows whose columns are of 3");
}

TEST_F(NpzBatchTest, ColumnsAreSortedWithTheirValues) {
  auto members = three_systems();
  member(members, "indices").bytes = bytes_of<std::int32_t>({1, 0, 1});
  write(members);
  NpzBatch batch(path_);
  EXPECT_EQ(batch.column_indices(), (std::vector<std::int32_t>{0, 1, 1}));
  EXPECT_EQ(values(batch, 1, 2), (std::vector<double>{4, 2, 6, 6, 3, 9}));
}

TEST_F(NpzBatchTest, LongArraysInPieces) {
  constexpr index_t sets = 3000;
  constexpr index_t rows = 61;
  const unsigned seed = std::random_device()();
  SCOPED_TRACE(seed);
  std::mt19937_64 engine(seed);
  std::vector<std::int32_t> indices(rows);
  std::vector<std::int32_t> indptr(rows + 1);
  std::iota(indices.begin(), indices.end(), 0);
  std::iota(indptr.begin(), indptr.end(), 0);
  std::vector<double> all(sets * rows);
  for (double& value : all) {
    value = static_cast<double>(engine() % 1000);
  }
  for (const Packing packing : packings) {
    write({{"indices", "<i4", {rows}, bytes_of(indices)},
           {"indptr", "<i4", {rows + 1}, bytes_of(indptr)},
           {"values", "<f8", {sets, rows}, bytes_of(all)}},
          packing);
    NpzBatch batch(path_);
    for (int trial = 0; trial < 20; ++trial) {
      const auto first = static_cast<index_t>(engine() % sets);
      const auto count = static_cast<index_t>(engine() % static_cast<std::uint64_t>(sets - first)) + 1;
      EXPECT_EQ(values(batch, first, count),
                std::vector<double>(all.begin() + first * rows, all.begin() + (first + count) * rows));
    }
  }
}

TEST_F(NpzBatchTest, MatricesThatMakeNoSense) {
  const auto expect = [&](const std::string& name, const NpzMember& other, const std::string& part) {
    SCOPED_TRACE(part);
    auto members = three_systems();
    member(members, name) = other;
    write(members);
    expect_refusal(part);
  };
  expect("format", {"format", "|S3", {}, "bsr"}, "format bsr");
  expect("format", {"format", "<f8", {}, bytes_of<double>({1})}, "no single text");
  expect("shape", {"shape", "<i8", {2}, bytes_of<std::int64_t>({2, 3})}, "square");
  expect("shape", {"shape", "<i8", {2}, bytes_of<std::int64_t>({3, 3})}, "a matrix of 3 rows whose indptr is of 2");
  expect("indptr", {"indptr", "<i4", {3}, bytes_of<std::int32_t>({0, 4, 3})}, "does not ascend");
  expect("indptr", {"indptr", "<i4", {3}, bytes_of<std::int32_t>({0, 2, 2})}, "does not ascend");
  expect("indptr", {"indptr", "<i4", {1}, bytes_of<std::int32_t>({0})}, "without rows");
  expect("indptr", {"indptr", "<f8", {3}, bytes_of<double>({0, 1.5, 3})}, "1.5");
  expect("indices", {"indices", "<i4", {3}, bytes_of<std::int32_t>({0, 2, 1})}, "column 2 in row 0");
  expect("indices", {"indices", "<i4", {3}, bytes_of<std::int32_t>({0, 0, 1})}, "lists column 0 twice");
  expect("indices", {"indices", "<i4", {3}, bytes_of<std::int32_t>({0, -1, 1})}, "-1");
  expect("values", {"values", "<f8", {3, 2}, bytes_of<double>({1, 2, 3, 4, 5, 6})}, "(3, 2)");
  expect("values", {"values", "<f8", {9}, bytes_of<double>({1, 2, 3, 2, 4, 6, 3, 6, 9})}, "(9)");
  expect("indices", {"indices", "<c16", {3}, bytes_of<double>({0, 0, 1, 0, 1, 0})}, "complex");
  expect("values", {"values", "|O", {3, 3}, std::string(72, 'x')}, "elements of type");
  expect("values", {"values", "|S8", {3, 3}, std::string(72, 'x')}, "text");
  expect("values", {"values", "<f8", {3, 3}, std::string(72, 'x'), "True"}, "Fortran order");
  expect("values", {"values", "<f8", {3, 3}, std::string(71, 'x')}, "holds 71 bytes");
  expect("values", {"values", "<f8", {index_t{1} << 40, 3}, std::string(72, 'x')}, "holds 72 bytes");
  expect("values", {"values", "<f8", {index_t{1} << 60, 3}, std::string(72, 'x')}, "too large");
  expect("indices", {"indices", "<i4", {0}, ""}, "2 rows and 0 entries");
  expect("indptr", {"indptr", "|i1", {5000}, std::string(5000, '\0')}, "4999 rows and 3 entries");
  expect("rhs", {"rhs", "<f8", {3}, bytes_of<double>({1, 2, 3})}, "the rows of the matrix");
  expect("indices", {"other", "<i4", {3}, bytes_of<std::int32_t>({0, 1, 1})}, "holds no indices.npy");
}

/// Any number of matrices without entries takes no byte.
TEST_F(NpzBatchTest, SystemsOfNoBytesAreRefused) {
  write({{"indices", "<i4", {0}, ""},
         {"indptr", "<i4", {2}, bytes_of<std::int32_t>({0, 0})},
         {"values", "<f8", {1000000000000000, 0}, ""},
         {"rhs", "<f8", {1}, bytes_of<double>({1})}});
  expect_refusal("1 rows and 0 entries");
}

TEST_F(NpzBatchTest, WhatIsNoArchive) {
  test::write_file(path_, "");
  expect_refusal("no .npz file");
  test::write_file(path_, "\x93NUMPY but not really");
  expect_refusal("no .npz file");
  EXPECT_THROW(NpzBatch(directory_ / "absent.npz"), Error);
  EXPECT_THROW(NpzBatch(directory_.path().string()), Error);
  EXPECT_THROW(NpzBatch("/dev/null"), Error);
}

/// Whatever is cut off or changed, it is an error or the same numbers; nothing is read that is not there.
TEST_F(NpzBatchTest, DamagedArchives) {
  const unsigned seed = std::random_device()();
  SCOPED_TRACE(seed);
  std::mt19937_64 engine(seed);
  for (const Packing packing : packings) {
    write(three_systems(), packing);
    const std::string whole = test::read_file(path_);
    constexpr std::size_t end_bytes = 22;  // of the directory's end, which may be cut short itself
    for (std::size_t size = 0; size < whole.size() - end_bytes; size += 7) {
      test::write_file(path_, whole.substr(0, size));
      EXPECT_THROW(read_everything(), Error) << size;
    }
    for (int trial = 0; trial < 2000; ++trial) {
      std::string other = whole;
      const std::size_t at = engine() % whole.size();
      other[at] = static_cast<char>(engine());
      test::write_file(path_, other);
      try {
        read_everything();
      } catch (const Error& error) {
        EXPECT_NE(error.kind(), ErrorKind::memory) << at << ": " << error.what();
      }
    }
  }
}

TEST_F(NpzBatchTest, AFlippedBitOfTheValuesIsFound) {
  for (const Packing packing : packings) {
    auto members = three_systems();
    write(members, packing);
    std::string bytes = test::read_file(path_);
    const std::size_t name = bytes.find("values.npy");
    ASSERT_NE(name, std::string::npos);
    // Within the stored bytes, or within the deflated ones.
    bytes[name + 10 + (packing == Packing::stored ? 128 + 20 : 60)] ^= 1;
    test::write_file(path_, bytes);
    if (packing == Packing::stored) {
      expect_refusal("damaged");
    } else {
      EXPECT_THROW(read_everything(), Error);
    }
  }
}

}  // namespace
}  // namespace phpc::io
