#include "phpc/io/batch_folder.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "phpc/core/error.hpp"
#include "support/temporary_directory.hpp"

namespace phpc::io {
namespace {

const std::string head = "%%MatrixMarket matrix coordinate real general\n";

std::string diagonal(double a, double b) {
  return head + "2 2 2\n1 1 " + std::to_string(a) + "\n2 2 " + std::to_string(b) + "\n";
}

std::string vector(double a, double b) {
  return "%%MatrixMarket matrix array real general\n2 1\n" + std::to_string(a) + "\n" + std::to_string(b) + "\n";
}

class BatchFolderTest : public testing::Test {
 protected:
  void write(const std::string& name, const std::string& text) { test::write_file(directory_ / name, text); }
  void expect_refusal(const BatchFolderNames& names, const std::string& part) {
    try {
      read_batch_folder(directory_.path().string(), names);
      ADD_FAILURE() << "accepted; expected: " << part;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
    }
  }
  test::TemporaryDirectory directory_;
};

TEST_F(BatchFolderTest, SystemsInNumericOrder) {
  for (int system = 0; system < 12; ++system) {
    write(std::to_string(system) + "/A.mtx", diagonal(system, -system));
    write(std::to_string(system) + "/b.mtx", vector(10 * system, 1));
  }
  write("README", "not looked at");
  write("007/A.mtx", "not looked at either");
  const BatchFolder batch = read_batch_folder(directory_.path().string(), {.rhs = "b.mtx"});
  EXPECT_EQ(batch.systems, 12);
  EXPECT_EQ(batch.rows, 2);
  EXPECT_EQ(batch.row_offsets, (std::vector<std::int32_t>{0, 1, 2}));
  EXPECT_EQ(batch.column_indices, (std::vector<std::int32_t>{0, 1}));
  for (std::size_t system = 0; system < 12; ++system) {
    EXPECT_EQ(batch.values[2 * system], static_cast<double>(system));
    EXPECT_EQ(batch.rhs[2 * system], 10.0 * static_cast<double>(system));
  }
}

TEST_F(BatchFolderTest, OtherNamesAndNoRightHandSide) {
  write("0/scaled.mtx", diagonal(1, 2));
  const BatchFolder batch = read_batch_folder(directory_.path().string(), {.matrix = "scaled.mtx"});
  EXPECT_EQ(batch.values, (std::vector<double>{1, 2}));
  EXPECT_TRUE(batch.rhs.empty());
}

TEST_F(BatchFolderTest, ThePatternIsThatOfTheEntriesNotOfTheirOrderOrValue) {
  write("0/A.mtx", head + "2 2 3\n1 1 1\n1 2 2\n2 2 3\n");
  write("1/A.mtx", head + "2 2 3\n2 2 6\n1 2 0\n1 1 4\n");
  EXPECT_EQ(read_batch_folder(directory_.path().string(), {}).values, (std::vector<double>{1, 2, 3, 4, 0, 6}));
}

TEST_F(BatchFolderTest, AnotherPatternNamesTheSystem) {
  write("0/A.mtx", diagonal(1, 2));
  write("1/A.mtx", diagonal(1, 2));
  write("2/A.mtx", head + "2 2 2\n1 1 1\n2 1 1\n");
  expect_refusal({}, "2/A.mtx: the pattern of system 2");
  write("2/A.mtx", head + "3 3 1\n1 1 1\n");
  expect_refusal({}, "system 2 is 3 x 3, system 0 is 2 x 2");
}

TEST_F(BatchFolderTest, SystemsOfAPatternShareIt) {
  const std::string lower = head + "2 2 3\n1 1 5\n2 1 6\n2 2 7\n";
  for (int system = 0; system < 30; ++system) {
    write(std::to_string(system) + "/A.mtx", system % 3 == 1 ? lower : diagonal(system, 1));
  }
  const BatchFolderReader reader(directory_.path().string(), {});
  for (const int threads : {1, 5}) {
    const std::vector<FolderMatrix> matrices = reader.read_matrices(2, 28, threads);
    ASSERT_EQ(matrices.size(), 28U);
    for (std::size_t i = 0; i < matrices.size(); ++i) {
      const std::size_t system = i + 2;
      EXPECT_EQ(matrices[i].pattern, matrices[system % 3 == 1 ? 2 : 1].pattern) << system;
      EXPECT_EQ(matrices[i].values,
                system % 3 == 1 ? std::vector<double>({5, 6, 7}) : std::vector<double>({1.0 * static_cast<double>(system), 1}));
    }
    EXPECT_EQ(matrices[2].pattern->row_offsets, (std::vector<std::int32_t>{0, 1, 3}));
    EXPECT_EQ(matrices[2].pattern->column_indices, (std::vector<std::int32_t>{0, 0, 1}));
    EXPECT_EQ(matrices[1].pattern->column_indices, reader.column_indices());
  }
  write("7/A.mtx", head + "3 3 3\n1 1 5\n2 2 6\n3 3 7\n");
  EXPECT_THROW(static_cast<void>(reader.read_matrices(0, 30, 4)), Error);
}

TEST_F(BatchFolderTest, GapsInTheNumbers) {
  write("0/A.mtx", diagonal(1, 2));
  write("1/A.mtx", diagonal(1, 2));
  write("3/A.mtx", diagonal(1, 2));
  expect_refusal({}, "has no system 2 (it has 3)");
  std::filesystem::remove_all(directory_.path() / "0");
  expect_refusal({}, "has no system 0");
}

TEST_F(BatchFolderTest, MissingFilesAndFolders) {
  expect_refusal({}, "holds no systems");
  write("0/A.mtx", diagonal(1, 2));
  expect_refusal({.rhs = "b.mtx"}, "cannot open '" + (directory_ / "0/b.mtx") + "'");
  EXPECT_THROW(read_batch_folder(directory_ / "absent", {}), Error);
  EXPECT_THROW(read_batch_folder(directory_ / "0/A.mtx", {}), Error);
}

TEST_F(BatchFolderTest, WhatIsNoLinearSystem) {
  write("0/A.mtx", head + "2 3 1\n1 1 1\n");
  expect_refusal({}, "0/A.mtx: a 2 x 3 matrix");
  write("0/A.mtx", head + "0 0 0\n");
  expect_refusal({}, "0/A.mtx: a matrix without rows");
  write("0/A.mtx", diagonal(1, 2));
  write("0/b.mtx", "%%MatrixMarket matrix array real general\n3 1\n1\n2\n3\n");
  expect_refusal({.rhs = "b.mtx"}, "0/b.mtx:2: a vector of 3 values for a matrix of 2 rows");
  write("0/b.mtx", "%%MatrixMarket matrix array real general\n2 0\n");
  expect_refusal({.rhs = "b.mtx"}, "0/b.mtx:2: no column");
  write("0/b.mtx", "%%MatrixMarket matrix array real general\n2 2\n1\n2\n3\n4\n");
  write("1/A.mtx", diagonal(1, 2));
  write("1/b.mtx", "%%MatrixMarket matrix array real general\n2 1\n5\n6\n");
  expect_refusal({.rhs = "b.mtx"}, "1/b.mtx: columns of system 1, 1, and of system 0, 2, differ");
  write("1/b.mtx", "%%MatrixMarket matrix array real general\n2 2\n5\n6\n7\n8\n");
  EXPECT_EQ(read_batch_folder(directory_.path().string(), {.rhs = "b.mtx"}).rhs, (std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8}));
  write("0/A.mtx", head + "2 2 2\n1 1 nan\n2 2 1\n");
  expect_refusal({}, "0/A.mtx:3: 'nan' is not finite");
}

TEST_F(BatchFolderTest, RangesOnAnyNumberOfThreads) {
  constexpr index_t systems = 40;
  for (int system = 0; system < systems; ++system) {
    write(std::to_string(system) + "/A.mtx", diagonal(system, -system));
    write(std::to_string(system) + "/b.mtx", vector(10 * system, 1));
  }
  const BatchFolderReader reader(directory_.path().string(), {.rhs = "b.mtx"});
  EXPECT_EQ(reader.systems(), systems);
  EXPECT_EQ(reader.rows(), 2);
  EXPECT_EQ(reader.entries(), 2);
  for (const int threads : {1, 3, 64}) {
    for (const auto& [first, count] : {std::pair<index_t, index_t>{0, systems}, {7, 20}, {39, 1}, {5, 0}}) {
      std::vector<double> values(static_cast<std::size_t>(2 * count));
      std::vector<double> rhs(static_cast<std::size_t>(2 * count));
      reader.read_values(first, values, threads);
      reader.read_rhs(first, rhs, threads);
      for (index_t i = 0; i < count; ++i) {
        EXPECT_EQ(values[static_cast<std::size_t>(2 * i)], static_cast<double>(first + i));
        EXPECT_EQ(values[static_cast<std::size_t>(2 * i + 1)], -static_cast<double>(first + i));
        EXPECT_EQ(rhs[static_cast<std::size_t>(2 * i)], 10.0 * static_cast<double>(first + i));
      }
    }
  }
}

TEST_F(BatchFolderTest, OnlyTheSystemsAskedForAreRead) {
  for (int system = 0; system < 12; ++system) {
    write(std::to_string(system) + "/A.mtx", diagonal(system, 1));
  }
  write("5/A.mtx", "not read");
  write("6/A.mtx", "not read either");
  const BatchFolderReader reader(directory_.path().string(), {});
  std::vector<double> values(10);
  EXPECT_NO_THROW(reader.read_values(0, values, 2));
  EXPECT_NO_THROW(reader.read_values(7, values, 2));
  for (const int threads : {1, 2, 8}) {
    try {
      reader.read_values(3, values, threads);
      ADD_FAILURE() << "accepted";
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("/5/A.mtx:1"), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace phpc::io
