// portable-hpc batch on folders whose systems have different patterns.
#include <nlohmann/json.hpp>

#include "cli/commands/batch_cli_fixture.hpp"

namespace phpc::test {
namespace {

class BatchPatterns : public BatchCommand {
 protected:
  /// 3 x 3 systems i with solution (i, 1, 2): diagonal, upper triangular and full ones in turn.
  void write_mixed(int systems) {
    for (int i = 0; i < systems; ++i) {
      const std::string folder = directory_ / ("in/" + std::to_string(i));
      const double d = 5 + i;
      const double upper = i % 3 == 0 ? 0 : 1;
      const double lower = i % 3 == 2 ? 2 : 0;
      std::string entries;
      int count = 0;
      for (int row = 1; row <= 3; ++row) {
        for (int column = 1; column <= 3; ++column) {
          const double value = row == column ? d : row < column ? upper : lower;
          if (value != 0) {
            entries += std::to_string(row) + " " + std::to_string(column) + " " + std::to_string(value) + "\n";
            ++count;
          }
        }
      }
      write_file(folder + "/A.mtx", coordinate_head + "3 3 " + std::to_string(count) + "\n" + entries);
      write_file(folder + "/b.mtx", array_head + "3 1\n" + std::to_string(d * i + upper + 2 * upper) + "\n" +
                                        std::to_string(lower * i + d + 2 * upper) + "\n" +
                                        std::to_string(lower * i + lower + 2 * d) + "\n");
    }
  }
  void expect_solutions(int systems, double error) {
    const std::vector<double> x = solutions(x_);
    ASSERT_EQ(x.size(), 3U * static_cast<std::size_t>(systems));
    for (std::size_t i = 0; i < static_cast<std::size_t>(systems); ++i) {
      EXPECT_NEAR(x[3 * i], static_cast<double>(i), error) << i;
      EXPECT_NEAR(x[3 * i + 1], 1, error) << i;
      EXPECT_NEAR(x[3 * i + 2], 2, error) << i;
    }
  }
};

TEST_F(BatchPatterns, AreSolvedTogetherAndComeOutInOrder) {
  write_mixed(20);
  for (const std::string device : {"host", "auto"}) {
    for (const std::string solver : {"bicgstab", "lu", "gmres"}) {
      const ProgramResult result =
          run({in_, "--solver", solver, "--tol", "1e-12", "-o", x_, "--report", report_, "--device", device});
      ASSERT_EQ(result.exit_code, 0) << result.err;
      EXPECT_NE(result.err.find("20 systems of 3 rows in 3 patterns of 3 to 9 entries"), std::string::npos) << result.err;
      expect_solutions(20, 1e-10);
      const auto rows = cells_of(read_file(report_));
      ASSERT_EQ(rows.size(), 21U);
      EXPECT_EQ(rows[20][0], "19");
    }
  }
}

/// Each system's solution is that of a folder of it alone, and pieces, shares and repeated systems change nothing.
TEST_F(BatchPatterns, DoNotAffectOneAnother) {
  write_mixed(12);
  const auto solved = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"--device", "host", "-o", x_});
    const ProgramResult result = run(arguments);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result.exit_code == 0 ? solutions(x_) : std::vector<double>();
  };
  const std::vector<double> all = solved({in_});
  ASSERT_EQ(all.size(), 36U);
  EXPECT_EQ(solved({in_, "--memory", "1KB"}), all);
  for (std::size_t i : {0U, 4U, 11U}) {
    const std::vector<double> one = solved({in_ + "/" + std::to_string(i) + "/A.mtx"});
    EXPECT_EQ(one, std::vector<double>(all.begin() + static_cast<std::ptrdiff_t>(3 * i),
                                       all.begin() + static_cast<std::ptrdiff_t>(3 * i + 3)));
  }
  const std::vector<double> repeated = solved({in_, "--systems", "31", "--memory", "1KB"});
  ASSERT_EQ(repeated.size(), 93U);
  for (std::size_t k = 0; k < repeated.size(); ++k) {
    EXPECT_EQ(repeated[k], all[k % 36]) << k;
  }
  const std::string whole = directory_ / "whole.npy";
  std::vector<std::string> merge{"merge", "-o", whole};
  for (const std::string shard : {"0", "1", "2"}) {
    ASSERT_EQ(run({in_, "--shard", shard + "/3", "-o", whole, "--device", "host"}).exit_code, 0);
    merge.push_back(whole + ".part-0000" + shard + "-of-00003");
  }
  ASSERT_EQ(run_program(merge).exit_code, 0);
  EXPECT_EQ(solutions(whole), all);
}

TEST_F(BatchPatterns, SeveralRightHandSidesGuessesAndTolerances) {
  write_mixed(9);
  std::vector<double> rhs;
  std::vector<double> tolerances;
  for (int i = 0; i < 9; ++i) {
    rhs.insert(rhs.end(), {1.0, 2.0, 3.0 + i, 4.0, 5.0, 6.0 + i});
    tolerances.push_back(i == 4 ? 1e-13 : 1e-3);
  }
  const std::string sides = array("rhs.npy", {9, 3, 2}, rhs);
  ASSERT_EQ(run({in_, "--rhs", sides, "--solver", "lu", "-o", x_, "--device", "host"}).exit_code, 0);
  const std::vector<double> x = solutions(x_);
  ASSERT_EQ(x.size(), 54U);
  for (std::size_t i = 0; i < 9; i += 3) {  // the diagonal ones
    for (std::size_t k = 0; k < 6; ++k) {
      EXPECT_NEAR(x[6 * i + k], rhs[6 * i + k] / (5 + static_cast<double>(i)), 1e-12);
    }
  }
  const std::string limits = array("tolerances.npy", {9}, tolerances);
  const ProgramResult exact =
      run({in_, "--rhs", sides, "--guess", x_, "--tolerances", limits, "--device", "host", "--format", "json"});
  ASSERT_EQ(exact.exit_code, 0) << exact.err;
  const auto json = nlohmann::json::parse(exact.out);
  EXPECT_EQ(json["meta"]["batch"]["patterns"], 3);
  for (const auto& row : json["rows"]) {
    EXPECT_EQ(row["iterations"], 0) << "the guesses are other systems'";
  }
}

TEST_F(BatchPatterns, AutoChoosesForEach) {
  write_mixed(7);
  const ProgramResult result = run({in_, "--solver", "auto", "-o", x_, "--device", "host"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.err.find("for pattern 1: "), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("for pattern 2: "), std::string::npos) << result.err;
  EXPECT_EQ(result.err.find("for pattern 3: "), std::string::npos) << result.err;
  EXPECT_NE(result.err.find(" in 3 patterns of 3 to 9 entries; a solver for each pattern\n"), std::string::npos) << result.err;
  expect_solutions(7, 1e-4);
  const std::vector<double> once = solutions(x_);
  const ProgramResult repeated = run({in_, "--solver", "auto", "--systems", "10", "-o", x_, "--device", "host"});
  ASSERT_EQ(repeated.exit_code, 0) << repeated.err;
  const std::vector<double> x = solutions(x_);
  ASSERT_EQ(x.size(), 30U);
  for (std::size_t k = 0; k < x.size(); ++k) {
    EXPECT_EQ(x[k], once[k % once.size()]) << k;
  }
}

/// System 0 is diagonal and solved directly, without the preconditioner that the other one takes.
TEST_F(BatchPatterns, AutoTakesTheGivenPreconditionerForEach) {
  constexpr int rows = 20;
  for (int i = 0; i < 2; ++i) {
    const std::string folder = in_ + "/" + std::to_string(i);
    std::string entries = i == 0 ? "" : "1 6 1\n9 2 1\n";
    std::string rhs;
    for (int row = 1; row <= rows; ++row) {
      entries += std::to_string(row) + " " + std::to_string(row) + " " + std::to_string(row + 3) + "\n";
      rhs += "1\n";
    }
    write_file(folder + "/A.mtx", coordinate_head + "20 20 " + std::to_string(rows + 2 * i) + "\n" + entries);
    write_file(folder + "/b.mtx", array_head + "20 1\n" + rhs);
  }
  const std::string plot = directory_ / "residuals.svg";
  const ProgramResult result =
      run({in_, "--solver", "auto", "--precond", "ilu", "-v", "--format", "json", "--device", "host", "--plot", plot});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.err.find("bicgstab with ilu in f64"), std::string::npos) << result.err;
  const auto json = nlohmann::json::parse(result.out)["meta"]["batch"];
  EXPECT_EQ(json["solver"], "auto");
  EXPECT_EQ(json["preconditioner"], "auto");
  EXPECT_NE(read_file(plot).find(", a solver for each pattern"), std::string::npos);
}

/// A share chooses for a pattern by the first system of the whole batch that has it, as one run does: here one that tells against
/// the tridiagonal solver, for which all others of its pattern are.
TEST_F(BatchPatterns, AutoChoosesAlikeInShares) {
  constexpr int systems = 9;
  for (int i = 0; i < systems; ++i) {
    const std::string folder = in_ + "/" + std::to_string(i);
    const std::string d = std::to_string(i == 2 ? 0.5 : 5.5 + i);
    write_file(folder + "/A.mtx",
               coordinate_head + (i < 2 ? "3 3 3\n" : "3 3 5\n1 2 1\n2 1 2\n") + "1 1 " + d + "\n2 2 " + d + "\n3 3 " + d + "\n");
    write_file(folder + "/b.mtx", array_head + "3 1\n1\n2\n3\n");
  }
  const ProgramResult result = run({in_, "--solver", "auto", "-o", x_, "--device", "host"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.err.find("solver lu for pattern 1: "), std::string::npos) << result.err;
  const std::string whole = directory_ / "whole.npy";
  std::vector<std::string> merge{"merge", "-o", whole};
  for (const std::string shard : {"0", "1", "2"}) {
    const ProgramResult share = run({in_, "--solver", "auto", "--shard", shard + "/3", "-o", whole, "--device", "host"});
    ASSERT_EQ(share.exit_code, 0) << share.err;
    EXPECT_NE(share.err.find("solver lu for pattern 1: "), std::string::npos) << share.err;
    EXPECT_NE(share.err.find(shard == "0" ? " in 2 patterns of 3 to 5 entries; " : "3 systems of 3 rows and 5 entries; "),
              std::string::npos)
        << share.err;
    merge.push_back(whole + ".part-0000" + shard + "-of-00003");
  }
  ASSERT_EQ(run_program(merge).exit_code, 0);
  EXPECT_EQ(solutions(whole), solutions(x_));
}

TEST_F(BatchPatterns, WhatNeedsOnePatternOrSizeSaysSo) {
  write_mixed(5);
  expect_failure({in_, "--bench", "--systems", "5", "--device", "host"}, 2, "--bench times systems of one pattern", {"in"});
  expect_failure({in_, "--solver", "tridiagonal", "-o", x_, "--device", "host"}, 2, "takes no matrix with an entry in row 0",
                 {"in"});
  write_file(in_ + "/3/A.mtx", coordinate_head + "2 2 2\n1 1 1\n2 2 1\n");
  expect_failure({in_, "-o", x_, "--device", "host"}, 1, "a batch holds systems of one size", {"in"});
}

}  // namespace
}  // namespace phpc::test
