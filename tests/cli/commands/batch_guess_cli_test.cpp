// portable-hpc batch --guess: where iterations start.
#include <algorithm>
#include <cstdlib>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>

#include "cli/commands/batch_cli_fixture.hpp"

namespace phpc::test {
namespace {

class BatchGuess : public BatchCommand {
 protected:
  static constexpr index_t systems = 60;
  static constexpr index_t rows = 30;

  /// Solves of these systems as far as they go leave up to 5.4e-11 of ||b||. From a guess one of them once ended just above 1e-9.
  static std::vector<std::string> job(std::vector<std::string> more) {
    more.insert(more.begin(), {"--problem", "chemistry:30", "--systems", "60", "--tol", "1e-7", "--device", "host"});
    return more;
  }

  /// Runs the job, its report in JSON.
  nlohmann::json report_of(std::vector<std::string> more) {
    more.insert(more.end(), {"-o", x_, "--format", "json", "--report", directory_ / "report.json"});
    const ProgramResult result = run(job(std::move(more)));
    EXPECT_EQ(result.exit_code, 0) << result.err;
    said_ = result.err;
    return nlohmann::json::parse(read_file(directory_ / "report.json"));
  }

  static index_t iterations_in(const nlohmann::json& report) {
    index_t sum = 0;
    for (const auto& row : report["rows"]) {
      sum += row["iterations"].get<index_t>();
    }
    return sum;
  }

  /// The solutions, each number changed by up to `share` of itself.
  std::vector<double> near(const std::vector<double>& x, double share) const {
    std::mt19937_64 random(seed_);
    std::uniform_real_distribution<double> change(-share, share);
    std::vector<double> guesses;
    for (const double value : x) {
      guesses.push_back(value * (1 + change(random)));
    }
    return guesses;
  }

  std::uint64_t seed_ = std::random_device{}();
  std::string said_;
};

TEST_F(BatchGuess, ThatIsASolutionTakesNoIteration) {
  for (const char* const solver : {"bicgstab", "gmres", "idr", "lu", "sparse-lu"}) {
    SCOPED_TRACE(solver);
    const auto first = report_of({"--solver", solver});
    EXPECT_GT(iterations_in(first), systems - 1);
    const std::string x = read_file(x_);
    std::filesystem::rename(x_, directory_ / "guess.npy");
    const auto again = report_of({"--solver", solver, "--guess", directory_ / "guess.npy"});
    EXPECT_EQ(iterations_in(again), 0);
    EXPECT_EQ(again["meta"]["batch"]["converged"], systems);
    EXPECT_EQ(read_file(x_), x) << "what needs no step is returned as it came";
  }
}

TEST_F(BatchGuess, ThatIsNearASolutionSavesIterations) {
  SCOPED_TRACE("seed " + std::to_string(seed_));
  const index_t cold = iterations_in(report_of({}));
  const std::vector<double> x = solutions(x_);
  const std::string guess = array("guess.npy", {systems, rows}, near(x, 1e-6));
  const index_t warm = iterations_in(report_of({"--guess", guess}));
  EXPECT_LT(warm, cold * 3 / 4) << "of " << cold << " from zero";
  EXPECT_GT(warm, 0);
  const std::vector<double> again = solutions(x_);
  const std::string f32 = array("f32.npy", {systems, rows}, std::vector<float>(x.begin(), x.end()));
  EXPECT_LT(iterations_in(report_of({"--guess", f32})), cold) << "of float32";
  // Direct methods solve for the correction.
  for (const char* const solver : {"lu", "sparse-lu"}) {
    EXPECT_EQ(report_of({"--solver", solver, "--guess", guess})["meta"]["batch"]["converged"], systems);
  }
}

TEST_F(BatchGuess, GoesWithItsSystemThroughPiecesSharesAndDevices) {
  SCOPED_TRACE("seed " + std::to_string(seed_));
  report_of({});
  const std::string guess = array("guess.npy", {systems, rows}, near(solutions(x_), 1e-3));
  report_of({"--guess", guess});
  const std::string whole = read_file(x_);
  for (const std::vector<std::string>& options :
       std::vector<std::vector<std::string>>{{"--memory", "1B"}, {"--memory", "300KB"}, {"--threads", "1"}, {"--threads", "3"}}) {
    std::vector<std::string> more = options;
    more.insert(more.end(), {"--guess", guess});
    report_of(more);
    EXPECT_EQ(read_file(x_), whole) << options.back();
  }
  std::vector<std::string> merge{"merge", "-o", x_};
  for (int i = 0; i < 4; ++i) {
    const std::string share = std::to_string(i) + "/4";
    ASSERT_EQ(run(job({"--guess", guess, "-o", x_, "--shard", share, "--memory", "50KB"})).exit_code, 0);
    merge.push_back(x_ + ".part-0000" + std::to_string(i) + "-of-00004");
  }
  const ProgramResult merged = run_program(merge);
  ASSERT_EQ(merged.exit_code, 0) << merged.err;
  EXPECT_EQ(read_file(x_), whole);
  // Shares that start elsewhere are of another job.
  ASSERT_EQ(run(job({"-o", x_, "--shard", "3/4"})).exit_code, 0);
  EXPECT_EQ(run_program(merge).exit_code, 1);
}

TEST_F(BatchGuess, OneForAllAndRepeatedWithTheSystems) {
  write_systems(3);
  const std::string right = array("right.npy", {3, 2}, {-0.5, 2, 0, 2, 0.25, 2});
  const auto mean = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments{in_, "--tol", "1e-12", "--format", "json", "--device", "host"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const ProgramResult result = run(arguments);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return nlohmann::json::parse(result.out)["meta"]["batch"]["iterations_mean"].get<double>();
  };
  EXPECT_EQ(mean({"--guess", right}), 0);
  EXPECT_EQ(mean({"--guess", right, "--systems", "50"}), 0);
  EXPECT_EQ(mean({"--guess", right, "--systems", "2"}), 0);
  const double cold = mean({});
  const double one = mean({"--guess", array("one.npy", {2}, {0, 2})});
  EXPECT_LT(one, cold) << "right for one of the three";
  EXPECT_GT(one, 0);
}

TEST_F(BatchGuess, ThatIsNotFiniteIsZeroAndThatIsSaid) {
  report_of({});
  const std::vector<double> cold = solutions(x_);
  std::vector<double> guesses = cold;
  guesses[3 * rows + 5] = std::numeric_limits<double>::quiet_NaN();
  guesses[7 * rows] = std::numeric_limits<double>::infinity();
  guesses[59 * rows + 29] = -std::numeric_limits<double>::infinity();
  const std::string guess = array("guess.npy", {systems, rows}, guesses);
  for (const char* const memory : {"1GB", "20KB"}) {
    const auto report = report_of({"--guess", guess, "--memory", memory});
    EXPECT_NE(said_.find("'" + guess + "': 3 guesses are not finite; zero was taken instead"), std::string::npos) << said_;
    EXPECT_EQ(solutions(x_), cold);
    for (index_t system = 0; system < systems; ++system) {
      const bool from_zero = system == 3 || system == 7 || system == 59;
      EXPECT_EQ(report["rows"][static_cast<std::size_t>(system)]["iterations"] == 0, !from_zero) << system;
    }
  }
  // What is too large for the numbers solved in counts as infinite.
  guesses = cold;
  guesses[0] = 1e300;
  report_of({"--guess", array("large.npy", {systems, rows}, guesses), "--precision", "f32", "--allow-unconverged"});
  EXPECT_NE(said_.find(": 1 guess is not finite; zero was taken instead"), std::string::npos) << said_;
}

/// The systems of data/newton, as the README tells of them.
TEST_F(BatchGuess, FromTheLastStepOfNewtonsMethod) {
  const char* const data = std::getenv("PHPC_DATA");
  ASSERT_NE(data, nullptr) << "PHPC_DATA is not set: it names the data folder; ctest sets it";
  const auto iterations_of = [&](const std::string& step, std::vector<std::string> more) {
    more.insert(more.begin(),
                {std::string(data) + "/newton/" + step, "--rhs", "file", "--precond", "block-jacobi", "--block-size", "3",
                 "--tol", "1e-8", "--device", "host", "--format", "json", "--report", report_});
    const ProgramResult result = run(more);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return iterations_in(nlohmann::json::parse(read_file(report_)));
  };
  iterations_of("step1.npz", {"-o", x_});
  const index_t cold = iterations_of("step2.npz", {});
  const index_t warm = iterations_of("step2.npz", {"--guess", x_});
  EXPECT_NEAR(static_cast<double>(cold), 88, 4);
  EXPECT_NEAR(static_cast<double>(warm), 56, 4);
}

TEST_F(BatchGuess, ThatDoesNotFitIsOneLine) {
  write_systems(3);
  const std::string two = array("two.npy", {2, 2}, {1, 2, 3, 4});
  const std::string wide = array("wide.npy", {3, 3}, std::vector<double>(9, 1));
  const std::string cube = array("cube.npy", {3, 2, 2}, std::vector<double>(12, 1));
  const std::string empty = array("empty.npy", {0, 2}, std::vector<double>{});
  const std::string complex = array("complex.npy", {3, 3}, std::vector<Complex<double>>(9));
  write_file(directory_ / "text.npy", "1 2 3\n");
  const std::vector<std::string> entries = directory_.entries();
  const auto expect = [&](const std::string& guess, int exit_code, const std::string& part) {
    expect_failure({in_, "--guess", guess, "-o", x_, "--report", report_, "--device", "host"}, exit_code, part, entries);
  };
  expect(two, 1, "holds guesses of 2 systems, and there are 3");
  expect(wide, 1, "guesses are of shape (systems, 2)");
  expect(cube, 1, "columns of guesses, 2, and of right-hand sides, 1, differ");
  expect(empty, 1, "empty.npy");
  expect(complex, 1, "holds complex128");
  expect(directory_ / "text.npy", 1, "text.npy");
  expect(directory_ / "absent.npy", 1, "absent.npy");
  expect("-", 2, "--guess - is no .npy or .mtx file");
  expect_failure({in_, "--guess", two, "--systems", "2", "-o", two, "--device", "host"}, 2, "two.npy", entries);
  EXPECT_EQ(run({"--bench", "--guess", two}).exit_code, 2);
}

}  // namespace
}  // namespace phpc::test
