// portable-hpc batch on dense matrices in a .npy file.
#include <cmath>
#include <random>

#include "cli/commands/batch_cli_fixture.hpp"

namespace phpc::test {
namespace {

class BatchDense : public BatchCommand {
 protected:
  static constexpr index_t systems = 40;
  static constexpr index_t rows = 11;

  void SetUp() override {
    std::mt19937_64 random(seed_);
    std::uniform_real_distribution<double> uniform(-1, 1);
    for (index_t system = 0; system < systems; ++system) {
      for (index_t row = 0; row < rows; ++row) {
        for (index_t column = 0; column < rows; ++column) {
          const bool is_entry = (row * 7 + column * 3) % 5 == 0 && row != column;
          matrices_.push_back(row == column ? 8 + uniform(random) : is_entry ? uniform(random) : 0);
        }
        rhs_.push_back(uniform(random));
      }
    }
    a_ = array("a.npy", {systems, rows, rows}, matrices_);
    b_ = array("b.npy", {systems, rows}, rhs_);
  }

  /// Runs the job and checks x against the dense matrices; what standard error said.
  std::string solve(std::vector<std::string> more, double tolerance) {
    more.insert(more.begin(), {a_, "--rhs", b_, "--device", "host", "-o", x_, "--tol", "1e-12"});
    const ProgramResult result = run(more);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    const std::vector<double> x = solutions(x_);
    EXPECT_EQ(x.size(), rhs_.size());
    for (std::size_t i = 0; i < rhs_.size(); ++i) {
      double sum = rhs_[i];
      for (std::size_t column = 0; column < rows; ++column) {
        sum -= matrices_[i * rows + column] * x[i / rows * rows + column];
      }
      EXPECT_NEAR(sum, 0, tolerance) << "equation " << i;
    }
    return result.err;
  }

  std::uint64_t seed_ = std::random_device{}();
  std::vector<double> matrices_;
  std::vector<double> rhs_;
  std::string a_;
  std::string b_;
};

TEST_F(BatchDense, IsSolvedWithAndWithoutItsZeros) {
  SCOPED_TRACE("seed " + std::to_string(seed_));
  index_t entries = 0;
  for (std::size_t place = 0; place < rows * rows; ++place) {
    entries += matrices_[place] != 0 ? 1 : 0;
  }
  const std::string all = std::to_string(rows * rows);
  ASSERT_NE(std::to_string(entries), all);
  for (const char* const solver : {"bicgstab", "gmres", "lu", "sparse-lu"}) {
    SCOPED_TRACE(solver);
    EXPECT_NE(solve({"--solver", solver}, 1e-10).find("and " + std::to_string(entries) + " entries"), std::string::npos);
    EXPECT_NE(solve({"--solver", solver, "--zeros", "kept"}, 1e-10).find("and " + all + " entries"), std::string::npos);
  }
}

TEST_F(BatchDense, TheSameInPiecesSharesAndWithGuesses) {
  SCOPED_TRACE("seed " + std::to_string(seed_));
  solve({}, 1e-10);
  const std::string whole = read_file(x_);
  for (const char* const memory : {"1B", "20KB"}) {
    solve({"--memory", memory}, 1e-10);
    EXPECT_EQ(read_file(x_), whole) << memory;
  }
  std::vector<std::string> merge{"merge", "-o", x_};
  for (int i = 0; i < 3; ++i) {
    ASSERT_EQ(
        run({a_, "--rhs", b_, "--device", "host", "--tol", "1e-12", "-o", x_, "--shard", std::to_string(i) + "/3"}).exit_code, 0);
    merge.push_back(x_ + ".part-0000" + std::to_string(i) + "-of-00003");
  }
  ASSERT_EQ(run_program(merge).exit_code, 0);
  EXPECT_EQ(read_file(x_), whole);
  std::filesystem::rename(x_, directory_ / "guess.npy");
  EXPECT_NE(solve({"--guess", directory_ / "guess.npy"}, 1e-10).find("iterations min 0, median 0, max 0"), std::string::npos);
}

TEST_F(BatchDense, OneMatrixOfManyRightHandSidesAndOnes) {
  SCOPED_TRACE("seed " + std::to_string(seed_));
  a_ = array("one.npy", {rows, rows}, std::vector<double>(matrices_.begin(), matrices_.begin() + rows * rows));
  for (std::size_t i = rows * rows; i < matrices_.size(); ++i) {
    matrices_[i] = matrices_[i - rows * rows];
  }
  EXPECT_NE(solve({}, 1e-10).find("40 systems of 11 rows"), std::string::npos);
  rhs_.assign(rows, 1);
  const ProgramResult result = run({a_, "--rhs", "ones", "--solver", "auto", "-o", x_});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(solutions(x_).size(), 11U);
}

TEST_F(BatchDense, WrongArraysAreOneLine) {
  write_systems(1);
  const std::string flat = array("flat.npy", {2, 3}, std::vector<double>(6, 1));
  const std::string complex = array("complex.npy", {1, 2}, std::vector<Complex<double>>(2));
  const std::vector<std::string> entries = directory_.entries();
  const auto expect = [&](std::vector<std::string> arguments, int exit_code, const std::string& part) {
    arguments.insert(arguments.end(), {"-o", x_, "--report", report_, "--device", "host"});
    expect_failure(arguments, exit_code, part, entries);
  };
  expect({a_}, 2, "holds matrices alone; give --rhs ones, random or a file");
  expect({flat, "--rhs", "ones"}, 1, "of shape (2, 3)");
  expect({complex, "--rhs", "ones"}, 1, "complex128");
  expect({directory_ / "absent.npy", "--rhs", "ones"}, 1, "absent.npy");
  expect({in_, "--zeros", "kept"}, 2, "--zeros kept is for dense matrices");
  expect({a_, "--rhs", flat}, 1, "right-hand sides are of shape (systems, 11), or (systems, 11, columns)");
  std::filesystem::resize_file(a_, std::filesystem::file_size(a_) - 8);
  expect({a_, "--rhs", b_}, 1, "a.npy");
}

}  // namespace
}  // namespace phpc::test
