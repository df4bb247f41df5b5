#pragma once
#include <gtest/gtest.h>

#include <filesystem>

#include "phpc/io/npy.hpp"
#include "support/process.hpp"
#include "support/tsv.hpp"

namespace phpc::test {

inline const std::string coordinate_head = "%%MatrixMarket matrix coordinate real general\n";
inline const std::string array_head = "%%MatrixMarket matrix array real general\n";

/// Runs `portable-hpc batch` on systems in a directory of the test.
class BatchCommand : public testing::Test {
 protected:
  /// `systems` systems [[2 + i, 1], [0, 4]] with right-hand side (1 + i, 8): x = ((i - 1) / (2 + i), 2).
  void write_systems(int systems) {
    for (int i = 0; i < systems; ++i) {
      const std::string folder = directory_ / ("in/" + std::to_string(i));
      write_file(folder + "/A.mtx", coordinate_head + "2 2 3\n1 1 " + std::to_string(2 + i) + "\n1 2 1\n2 2 4\n");
      write_file(folder + "/b.mtx", array_head + "2 1\n" + std::to_string(1 + i) + "\n8\n");
    }
  }

  /// Writes an array into the directory and gives its path.
  template <class T = double>
  std::string array(const std::string& name, const std::vector<index_t>& shape, const std::vector<T>& values) {
    const std::string path = directory_ / name;
    io::OutputFile out(path);
    io::write_npy(out, io::npy_type_of<T>, shape, std::as_bytes(std::span(values)));
    out.commit();
    return path;
  }

  static ProgramResult run(std::vector<std::string> arguments, const ProgramSetting& setting = {}) {
    arguments.insert(arguments.begin(), "batch");
    return run_program(arguments, setting);
  }

  /// One line on standard error that holds `part`, nothing on standard output, and nothing but `entries` in the directory.
  void expect_failure(const std::vector<std::string>& arguments, int exit_code, const std::string& part,
                      const std::vector<std::string>& entries) {
    SCOPED_TRACE(part);
    const ProgramResult result = run(arguments);
    EXPECT_EQ(result.exit_code, exit_code) << result.err;
    EXPECT_EQ(result.out, "");
    EXPECT_NE(result.err.find(part), std::string::npos) << result.err;
    EXPECT_EQ(result.err.find("portable-hpc batch: "), 0U) << result.err;
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
    EXPECT_EQ(directory_.entries(), entries) << "something was left behind";
  }

  static std::vector<double> solutions(const std::string& path) {
    const io::NpyArray x = io::read_npy(path);
    return {x.values<double>().begin(), x.values<double>().end()};
  }

  TemporaryDirectory directory_;
  std::string in_ = directory_ / "in";
  std::string x_ = directory_ / "x.npy";
  std::string report_ = directory_ / "report.tsv";
};

}  // namespace phpc::test
