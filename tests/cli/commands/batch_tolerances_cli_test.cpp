// portable-hpc batch --tol, --tol-kind and --tolerances: when a system is done.
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>

#include "cli/commands/batch_cli_fixture.hpp"

namespace phpc::test {
namespace {

class BatchTolerances : public BatchCommand {
 protected:
  static constexpr index_t systems = 50;
  static constexpr index_t rows = 24;

  static std::vector<std::string> job(std::vector<std::string> more) {
    more.insert(more.begin(), {"--problem", "stencil3:24", "--systems", "50", "--device", "host"});
    return more;
  }

  nlohmann::json report_of(std::vector<std::string> more) {
    more.insert(more.end(), {"-o", x_, "--format", "json", "--report", directory_ / "report.json"});
    const ProgramResult result = run(job(std::move(more)));
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return nlohmann::json::parse(read_file(directory_ / "report.json"));
  }

  static double number(const nlohmann::json& report, index_t system, const char* column) {
    return report["rows"][static_cast<std::size_t>(system)][column].get<double>();
  }

  /// Powers of ten from 1e-12 to 1e-1, in any order.
  std::vector<double> random_tolerances() const {
    std::mt19937_64 random(seed_);
    std::uniform_real_distribution<double> exponent(-12, -1);
    std::vector<double> tolerances(systems);
    for (double& tolerance : tolerances) {
      tolerance = std::pow(10, exponent(random));
    }
    return tolerances;
  }

  std::uint64_t seed_ = std::random_device{}();
};

TEST_F(BatchTolerances, OfEachSystemAreWhatTheSystemAloneIsSolvedTo) {
  SCOPED_TRACE("seed " + std::to_string(seed_));
  const std::vector<double> tolerances = random_tolerances();
  const std::string file = array("tolerances.npy", {systems}, tolerances);
  const std::string guess = array("guess.npy", {rows}, std::vector<double>(rows, 0.25));
  for (const std::string kind : {"rhs", "initial", "absolute"}) {
    SCOPED_TRACE(kind);
    const auto report = report_of({"--tolerances", file, "--tol-kind", kind, "--guess", guess});
    EXPECT_EQ(report["meta"]["batch"]["tolerances"], file);
    EXPECT_FALSE(report["meta"]["batch"].contains("tolerance"));
    for (const index_t system : {index_t{0}, index_t{17}, systems - 1}) {
      const std::string tolerance = nlohmann::json(tolerances[static_cast<std::size_t>(system)]).dump();
      const auto alike = report_of({"--tol", tolerance, "--tol-kind", kind, "--guess", guess});
      EXPECT_EQ(alike["rows"][static_cast<std::size_t>(system)], report["rows"][static_cast<std::size_t>(system)]) << system;
    }
  }
}

TEST_F(BatchTolerances, AreMet) {
  SCOPED_TRACE("seed " + std::to_string(seed_));
  const std::vector<double> tolerances = random_tolerances();
  const std::string file = array("tolerances.npy", {systems}, tolerances);
  const std::string guess = array("guess.npy", {rows}, std::vector<double>(rows, 0.25));
  const auto initial = report_of({"--tol", "1e300", "--guess", guess});
  const auto relative = report_of({"--tolerances", file});
  const auto to_initial = report_of({"--tolerances", file, "--tol-kind", "initial", "--guess", guess});
  const auto absolute = report_of({"--tolerances", file, "--tol-kind", "absolute"});
  double fewest = 1e9;
  double most = 0;
  for (index_t system = 0; system < systems; ++system) {
    const double tolerance = tolerances[static_cast<std::size_t>(system)];
    ASSERT_EQ(number(initial, system, "iterations"), 0);
    EXPECT_LE(number(relative, system, "relative_residual"), tolerance);
    EXPECT_LE(number(to_initial, system, "residual"), tolerance * number(initial, system, "residual"));
    EXPECT_LE(number(absolute, system, "residual"), tolerance);
    fewest = std::min(fewest, number(relative, system, "iterations"));
    most = std::max(most, number(relative, system, "iterations"));
  }
  EXPECT_GE(most, fewest + 3) << "tolerances eleven decades apart";
}

TEST_F(BatchTolerances, GoWithTheirSystemsThroughPiecesSharesAndThePlot) {
  SCOPED_TRACE("seed " + std::to_string(seed_));
  const std::string file = array("tolerances.npy", {systems}, random_tolerances());
  report_of({"--tolerances", file});
  const std::string whole = read_file(x_);
  for (const char* const memory : {"1B", "10KB"}) {
    report_of({"--tolerances", file, "--memory", memory});
    EXPECT_EQ(read_file(x_), whole) << memory;
  }
  std::vector<std::string> merge{"merge", "-o", x_};
  for (int i = 0; i < 3; ++i) {
    ASSERT_EQ(run(job({"--tolerances", file, "-o", x_, "--shard", std::to_string(i) + "/3"})).exit_code, 0);
    merge.push_back(x_ + ".part-0000" + std::to_string(i) + "-of-00003");
  }
  ASSERT_EQ(run_program(merge).exit_code, 0);
  EXPECT_EQ(read_file(x_), whole);
  const std::string plot = directory_ / "residuals.svg";
  report_of({"--tolerances", array("two.npy", {2}, {1e-3, 1e-8}), "--plot", plot});
  EXPECT_NE(read_file(plot).find(">loosest tolerance 0.001</text>"), std::string::npos);
  EXPECT_NE(read_file(plot).find(">tightest 1e-08</text>"), std::string::npos);
}

TEST_F(BatchTolerances, ThatAreNoneAreOneLine) {
  write_systems(3);
  const std::string good = array("good.npy", {3}, {1e-6, 1e-7, 1e-8});
  const std::string nan = array("nan.npy", {3}, {1e-6, std::numeric_limits<double>::quiet_NaN(), 1});
  const std::string infinite = array("infinite.npy", {3}, {1e-6, 1, std::numeric_limits<double>::infinity()});
  const std::string negative = array("negative.npy", {3}, {-1e-6, 1, 1});
  const std::string flat = array("flat.npy", {3, 1}, {1, 1, 1});
  const std::string two = array("two.npy", {2}, {1, 1});
  const std::vector<std::string> entries = directory_.entries();
  const auto expect = [&](std::vector<std::string> options, int exit_code, const std::string& part) {
    options.insert(options.end(), {in_, "-o", x_, "--report", report_, "--device", "host"});
    expect_failure(options, exit_code, part, entries);
  };
  expect({"--tolerances", nan}, 1, "the tolerance of system 1 is nan");
  expect({"--tolerances", infinite, "--memory", "1B"}, 1, "the tolerance of system 2 is inf");
  expect({"--tolerances", negative}, 1, "the tolerance of system 0 is -1e-06");
  expect({"--tolerances", flat}, 1, "of shape (3, 1); tolerances are real, of shape (systems)");
  expect({"--tolerances", two}, 1, "holds tolerances of 2 systems, and there are 3");
  expect({"--tolerances", "1e-6"}, 2, "--tolerances 1e-6 is no .npy file");
  expect({"--tolerances", good, "--tol", "1e-6"}, 2, "--tol");
  EXPECT_EQ(run({"--bench", "--tolerances", good}).exit_code, 2);
}

}  // namespace
}  // namespace phpc::test
