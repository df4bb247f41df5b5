// portable-hpc batch --transpose.
#include <nlohmann/json.hpp>

#include "cli/commands/batch_cli_fixture.hpp"

namespace phpc::test {
namespace {

class BatchTranspose : public BatchCommand {
 protected:
  static constexpr int systems = 9;
};

TEST_F(BatchTranspose, SolvesWithTheTransposedMatrix) {
  write_systems(systems);
  for (const char* const solver : {"bicgstab", "gmres", "idr", "lu", "sparse-lu", "lower", "auto"}) {
    SCOPED_TRACE(solver);
    const ProgramResult result =
        run({in_, "--transpose", "--solver", solver, "--tol", "1e-12", "-o", x_, "--report", report_, "--device", "host"});
    ASSERT_EQ(result.exit_code, 0) << result.err;
    const std::vector<double> x = solutions(x_);
    for (int i = 0; i < systems; ++i) {
      const double first = (1.0 + i) / (2.0 + i);
      EXPECT_NEAR(x[static_cast<std::size_t>(2 * i)], first, 1e-11);
      EXPECT_NEAR(x[static_cast<std::size_t>(2 * i + 1)], (8 - first) / 4, 1e-11);
    }
    if (std::string(solver) == "auto") {
      EXPECT_NE(result.err.find("solver lower: "), std::string::npos) << result.err;
    }
  }
  std::filesystem::remove(x_);
  std::filesystem::remove(report_);
  expect_failure({in_, "--transpose", "--solver", "upper", "-o", x_, "--device", "host"}, 2, "solver 'upper' takes no matrix",
                 {"in"});
}

TEST_F(BatchTranspose, TheAdjointOfARealMatrixIsItsTranspose) {
  write_systems(systems);
  ASSERT_EQ(run({in_, "--transpose", "--solver", "lu", "-o", x_, "--device", "host"}).exit_code, 0);
  const std::string adjoint = directory_ / "adjoint.npy";
  ASSERT_EQ(run({in_, "--adjoint", "--solver", "lu", "-o", adjoint, "--device", "host"}).exit_code, 0);
  EXPECT_EQ(read_file(adjoint), read_file(x_));
  EXPECT_EQ(run({in_, "--adjoint", "--transpose", "-o", adjoint, "--device", "host"}).exit_code, 2);
}

TEST_F(BatchTranspose, InPiecesSharesAndReports) {
  const std::vector<std::string> job{"--problem", "chemistry:20", "--systems", "40",       "--transpose", "--scaling",
                                     "auto",      "-o",           x_,          "--device", "host"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), job.begin(), job.end());
    const ProgramResult result = run(more);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return read_file(x_);
  };
  const std::string report = directory_ / "report.json";
  const std::string whole = with({"--report", report});
  EXPECT_EQ(nlohmann::json::parse(read_file(report))["meta"]["batch"]["transpose"], true);
  EXPECT_EQ(with({"--memory", "1B"}), whole);
  EXPECT_EQ(with({"--memory", "40KB"}), whole);
  std::vector<std::string> merge{"merge", "-o", x_};
  for (int i = 0; i < 3; ++i) {
    std::vector<std::string> share = job;
    share.insert(share.end(), {"--shard", std::to_string(i) + "/3"});
    ASSERT_EQ(run(share).exit_code, 0);
    merge.push_back(x_ + ".part-0000" + std::to_string(i) + "-of-00003");
  }
  ASSERT_EQ(run_program(merge).exit_code, 0);
  EXPECT_EQ(read_file(x_), whole);
  EXPECT_EQ(run({"--bench", "--problem", "chemistry:20", "--transpose", "--systems", "100", "--repeats", "1", "--device", "host",
                 "--solver", "auto"})
                .exit_code,
            0);
}

}  // namespace
}  // namespace phpc::test
