// portable-hpc batch, run as a user runs it.
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/commands/batch_cli_fixture.hpp"
#include "phpc/io/matrix_market.hpp"

namespace phpc::test {
namespace {

class BatchCli : public BatchCommand {};

TEST_F(BatchCli, TheCommandOfTheReadme) {
  write_systems(3);
  const auto result = run({in_, "--solver", "bicgstab", "--precond", "jacobi", "--rhs", "file", "--tol", "1e-12", "-o", x_,
                           "--report", report_, "--device", "host"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, "");
  EXPECT_NE(result.err.find("3 systems of 2 rows and 3 entries"), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("3 of 3 converged"), std::string::npos) << result.err;
  const io::NpyArray x = io::read_npy(x_);
  EXPECT_EQ(x.shape(), (std::vector<index_t>{3, 2}));
  ASSERT_EQ(x.type(), io::NpyType::float64);
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(x.values<double>()[2 * i], (i - 1.0) / (2.0 + i), 1e-11);
    EXPECT_NEAR(x.values<double>()[2 * i + 1], 2, 1e-11);
  }
  const auto rows = cells_of(read_file(report_));
  ASSERT_EQ(rows.size(), 4U);
  EXPECT_EQ(rows[0], (std::vector<std::string>{"system", "iterations", "residual", "relative_residual", "status"}));
  for (std::size_t i = 1; i < rows.size(); ++i) {
    EXPECT_EQ(rows[i][0], std::to_string(i - 1));
    EXPECT_EQ(rows[i][4], "converged");
    EXPECT_LE(std::stod(rows[i][3]), 1e-12);
  }
  EXPECT_EQ(directory_.entries(), (std::vector<std::string>{"in", "report.tsv", "x.npy"})) << "something was left behind";
}

TEST_F(BatchCli, APreconditionerThatTheSolverDoesNotTakeIsLeftOutAndSaidToBe) {
  write_systems(2);
  for (const std::string solver : {"lu", "sparse-lu", "auto"}) {
    const auto result = run({in_, "--solver", solver, "--precond", "ilu", "-o", x_, "--device", "host"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_NE(result.err.find("takes no preconditioner; ilu is left out"), std::string::npos) << result.err;
    EXPECT_NE(result.err.find("without preconditioner"), std::string::npos) << result.err;
  }
  const auto taken = run({in_, "--solver", "bicgstab", "--precond", "ilu", "-o", x_, "--device", "host"});
  EXPECT_EQ(taken.err.find("left out"), std::string::npos) << taken.err;
}

TEST_F(BatchCli, OptionsThatChangeNothingAreNamed) {
  write_systems(2);
  const auto said = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"--device", "host", "-o", x_});
    const ProgramResult result = run(arguments);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result.err;
  };
  const auto expect = [&](const std::vector<std::string>& arguments, const std::string& option) {
    EXPECT_NE(said(arguments).find(option + " changes nothing: it is for "), std::string::npos) << option;
  };
  expect({in_, "--block-size", "2"}, "--block-size");
  expect({in_, "--solver", "lu", "--block-size", "2"}, "--block-size");
  expect({in_, "--seed", "2"}, "--seed");
  expect({in_, "--rhs", "ones", "--rhs-name", "b.mtx"}, "--rhs-name");
  expect({in_ + "/0/A.mtx", "--matrix-name", "A.mtx"}, "--matrix-name");
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{in_, "--precond", "block-jacobi", "--block-size", "2"},
                                             {in_, "--solver", "auto", "--block-size", "2"},
                                             {in_, "--rhs", "random", "--seed", "2"},
                                             {"--problem", "chemistry:4", "--systems", "3", "--seed", "2"},
                                             {in_, "--matrix-name", "A.mtx", "--rhs-name", "b.mtx"}}) {
    EXPECT_EQ(said(arguments).find("changes nothing"), std::string::npos) << arguments[1];
  }
}

TEST_F(BatchCli, ReportOnStandardOutputAndAsJson) {
  write_systems(2);
  const auto result = run({in_, "--format", "json", "-q"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.err, "");
  const auto json = nlohmann::json::parse(result.out);
  EXPECT_EQ(json["rows"].size(), 2U);
  EXPECT_EQ(json["rows"][1]["status"], "converged");
  EXPECT_EQ(json["meta"]["batch"]["systems"], 2);
  EXPECT_EQ(json["meta"]["program"], "portable-hpc");
}

TEST_F(BatchCli, SolutionsAsMatrixMarketAndOnStandardOutput) {
  write_systems(3);
  const std::string path = directory_ / "x.mtx";
  EXPECT_EQ(run({in_, "-o", path, "--tol", "1e-12"}).exit_code, 0);
  const io::CsrMatrix x = io::read_matrix_market(path);
  EXPECT_EQ(x.rows, 2);
  EXPECT_EQ(x.columns, 3);
  const auto result = run({in_, "-o", "-", "--tol", "1e-12"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.out.substr(1, 5), "NUMPY");
}

TEST_F(BatchCli, ManySystemsOfAFewAndAllDevices) {
  write_systems(3);
  const auto result = run({in_, "--systems", "100", "-o", x_, "--device", "all", "--threads", "2"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const io::NpyArray x = io::read_npy(x_);
  EXPECT_EQ(x.shape(), (std::vector<index_t>{100, 2}));
  for (int i = 3; i < 100; ++i) {
    EXPECT_EQ(x.values<double>()[2 * i], x.values<double>()[2 * (i % 3)]);
  }
  EXPECT_EQ(run({in_, "--systems", "2", "-o", x_}).exit_code, 0);
  EXPECT_EQ(io::read_npy(x_).shape(), (std::vector<index_t>{2, 2}));
}

TEST_F(BatchCli, RightHandSidesOfOnesNeedNoFile) {
  write_systems(2);
  std::filesystem::remove(in_ + "/0/b.mtx");
  EXPECT_EQ(run({in_, "-o", x_}).exit_code, 1);
  EXPECT_EQ(run({in_, "-o", x_, "--rhs", "ones", "--tol", "1e-12"}).exit_code, 0);
  EXPECT_NEAR(io::read_npy(x_).values<double>()[1], 0.25, 1e-12);
}

TEST_F(BatchCli, OtherFileNames) {
  write_systems(1);
  std::filesystem::rename(in_ + "/0/A.mtx", in_ + "/0/A_scaled.mtx");
  std::filesystem::rename(in_ + "/0/b.mtx", in_ + "/0/b_scaled.mtx");
  EXPECT_EQ(run({in_, "--matrix-name", "A_scaled.mtx", "--rhs-name", "b_scaled.mtx", "--solver", "bicgstab", "--precond", "none"})
                .exit_code,
            0);
}

TEST_F(BatchCli, PrecisionsScalingAndBlocks) {
  write_systems(3);
  const std::vector<double> expected{-0.5, 2, 0, 2, 0.25, 2};
  const auto check = [&](std::vector<std::string> options, double error) {
    options.insert(options.begin(), {in_, "-o", x_});
    const ProgramResult result = run(options);
    ASSERT_EQ(result.exit_code, 0) << result.err;
    const std::vector<double> x = solutions(x_);
    ASSERT_EQ(x.size(), expected.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
      EXPECT_NEAR(x[i], expected[i], error) << options.back();
    }
  };
  check({"--tol", "1e-13", "--precision", "f64", "--scaling", "auto"}, 1e-12);
  check({"--tol", "1e-13", "--precision", "mixed", "--precond", "none"}, 1e-12);
  check({"--tol", "1e-6", "--precision", "f32"}, 1e-5);
  check({"--tol", "1e-13", "--precond", "block-jacobi", "--block-size", "2"}, 1e-12);
  std::filesystem::remove(x_);
  expect_failure({in_, "--device", "host", "--precision", "mixed", "--solver", "richardson"}, 2,
                 "'richardson' has no cycles in f32", {"in"});
  expect_failure({in_, "--device", "host", "--team-size", "64"}, 2,
                 "a team of 64 threads a system: a team has one thread on the host and on the x86_64 device; give 0 or 1",
                 {"in"});
}

TEST_F(BatchCli, UnconvergedSystemsAreToldAndWritten) {
  write_systems(2);
  write_file(in_ + "/1/A.mtx", coordinate_head + "2 2 3\n1 1 0\n1 2 1\n2 2 0\n");  // singular
  const auto result = run({in_, "-o", x_, "--report", report_});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_NE(result.err.find("1 of 2 systems did not converge"), std::string::npos) << result.err;
  EXPECT_EQ(io::read_npy(x_).shape(), (std::vector<index_t>{2, 2}));
  const auto rows = cells_of(read_file(report_));
  EXPECT_EQ(rows[1][4], "converged");
  EXPECT_NE(rows[2][4], "converged");
  EXPECT_EQ(run({in_, "-o", x_, "--allow-unconverged"}).exit_code, 0);
}

TEST_F(BatchCli, BadInputIsOneLineAndLeavesNothing) {
  write_systems(3);
  const auto expect = [&](const std::vector<std::string>& arguments, int exit_code, const std::string& part) {
    expect_failure(arguments, exit_code, part, {"in"});
  };
  const std::vector<std::string> outputs{"-o", x_, "--report", report_, "--device", "host"};
  const auto with_outputs = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), outputs.begin(), outputs.end());
    return arguments;
  };
  expect(with_outputs({directory_ / "absent"}), 1, "cannot open");
  expect(with_outputs({in_ + "/0"}), 1, "holds no systems");
  expect(with_outputs({}), 2, "no INPUT");
  expect(with_outputs({in_, "--problem", "lesp:3"}), 2, "INPUT");
  expect(with_outputs({in_, "--solver", "gauss"}), 2, "gauss");
  expect(with_outputs({in_, "--precond", "magic"}), 2, "magic");
  expect(with_outputs({in_, "--memory", "much"}), 2, "much");
  expect(with_outputs({in_, "--rhs", "twos"}), 2, "twos");
  expect(with_outputs({in_, "--tol", "-1"}), 2, "--tol");
  expect(with_outputs({in_, "--tol", "nan"}), 2, "tol");
  expect(with_outputs({in_, "--tol", "small"}), 2, "--tol");
  expect(with_outputs({in_, "--max-iterations", "-3"}), 2, "--max-iterations");
  expect(with_outputs({in_, "--systems", "-3"}), 2, "--systems");
  expect({in_, "-o", x_, "--report", x_, "--format", "tsv", "--device", "host"}, 2, "both go to");
  expect({in_, "-o", directory_ / "no/such/x.npy", "--device", "host"}, 1, "no/such/x.npy");
  expect({in_, "--report", in_, "--device", "host"}, 1, "cannot write");
  expect(with_outputs({in_, "--device", "99"}), 2, "--device");
  write_file(in_ + "/2/A.mtx", "");
  expect(with_outputs({in_}), 1, "2/A.mtx:1: the file is empty");
  std::filesystem::remove_all(in_ + "/1");
  expect(with_outputs({in_}), 1, "no system 1");
}

TEST_F(BatchCli, AFullDiskIsAnError) {
  write_systems(3);
  for (const std::string flag : {"-o", "--report"}) {
    const auto result = run({in_, flag, "/dev/full"});
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_NE(result.err.find("/dev/full"), std::string::npos) << result.err;
  }
  EXPECT_EQ(run({in_}, {.output_path = "/dev/full"}).exit_code, 1);
  EXPECT_EQ(run({in_}, {.output_closed = true}).exit_code, 141);
}

TEST_F(BatchCli, TheDemonstrationDataSolves) {
  const char* const data = std::getenv("PHPC_DATA");
  ASSERT_NE(data, nullptr) << "PHPC_DATA is not set: it names the data folder; ctest sets it";
  const auto result = run({std::string(data) + "/batch", "--rhs", "file", "--tol", "1e-10"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(cells_of(result.out).size(), 9U);
}

/// The paper's five sets, where they are at hand.
class PeleSets : public BatchCli {};

TEST_F(PeleSets, Solve) {
  const char* const shared = std::getenv("PHPC_SHARED");
  const std::string archive = shared == nullptr ? "" : std::string(shared) + "/data/pele.tar.xz";
  if (!std::filesystem::exists(archive)) {
    return;
  }
  const auto unpacked = run_program({"-xf", archive, "-C", directory_.path().string()}, {.program = "tar"});
  ASSERT_EQ(unpacked.exit_code, 0) << unpacked.err;
  // Mean iterations of the peer with the paper's setting (relative 1e-6, at most 2 n, b = 1); it counts a last half step as none.
  const std::pair<const char*, double> sets[] = {
      {"drm19", 6.85}, {"gri12", 6.16}, {"gri30", 5.93}, {"dodecane_lu", 16.8}, {"isooctane", 40.6}};
  for (const auto& [name, mean] : sets) {
    SCOPED_TRACE(name);
    const std::string set = directory_ / name;
    const auto ones = run({set, "--rhs", "ones", "--tol", "1e-6", "--format", "json"});
    const auto json = nlohmann::json::parse(ones.out);
    EXPECT_NEAR(json["meta"]["batch"]["iterations_mean"], mean + 0.5, 1.5);
    index_t converged = 0;
    for (const auto& row : json["rows"]) {
      EXPECT_EQ(row["status"] == "converged", row["relative_residual"] <= 1e-6);
      EXPECT_LE(row["relative_residual"], 1e-5);
      converged += row["status"] == "converged" ? 1 : 0;
    }
    const auto systems = static_cast<index_t>(json["rows"].size());
    EXPECT_EQ(ones.exit_code, converged == systems ? 0 : 1) << ones.err;
    if (std::string(name) == "isooctane") {
      EXPECT_GE(converged, systems / 2) << "condition numbers to 1e21: the last digits of some are not there to be had";
    } else {
      EXPECT_EQ(converged, systems);
    }
    EXPECT_EQ(run({set, "--rhs", "file", "--tol", "1e-6"}).exit_code, 0);
    EXPECT_EQ(run({set, "--matrix-name", "A_scaled.mtx", "--rhs-name", "b_scaled.mtx", "--tol", "1e-6"}).exit_code, 0);
    EXPECT_EQ(run({set, "--matrix-name", "A_scaled.mtx", "--rhs", "ones", "--tol", "1e-6"}).exit_code, 0);
  }
}

}  // namespace
}  // namespace phpc::test
