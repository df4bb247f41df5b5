// What portable-hpc batch reads and makes, --rhs, --solver auto, the summary, and batches that go through in pieces.
#include <nlohmann/json.hpp>

#include "cli/commands/batch_cli_fixture.hpp"
#include "support/address_space.hpp"
#include "support/npz_files.hpp"

namespace phpc::test {
namespace {

class BatchInputs : public BatchCommand {
 protected:
  /// write_systems() as an archive.
  std::string write_archive(int systems, Packing packing) {
    std::vector<double> values;
    std::vector<double> rhs;
    for (int i = 0; i < systems; ++i) {
      values.insert(values.end(), {2.0 + i, 1, 4});
      rhs.insert(rhs.end(), {1.0 + i, 8});
    }
    const std::string path = directory_ / "in.npz";
    write_npz(path,
              {{"indices", "<i4", {3}, bytes_of<std::int32_t>({0, 1, 1})},
               {"indptr", "<i4", {3}, bytes_of<std::int32_t>({0, 2, 3})},
               {"format", "|S3", {}, "csr"},
               {"shape", "<i8", {2}, bytes_of<std::int64_t>({2, 2})},
               {"values", "<f8", {systems, 3}, bytes_of(values)},
               {"rhs", "<f8", {systems, 2}, bytes_of(rhs)}},
              packing);
    return path;
  }

  /// The same in ELL: two places a row, the second of row 1 empty.
  std::string write_ell(int systems) {
    std::vector<double> values;
    std::vector<double> rhs;
    for (int i = 0; i < systems; ++i) {
      values.insert(values.end(), {2.0 + i, 4, 1, -77});
      rhs.insert(rhs.end(), {1.0 + i, 8});
    }
    const std::string path = directory_ / "ell.npz";
    write_npz(path,
              {{"columns", "<i4", {2, 2}, bytes_of<std::int32_t>({0, 1, 1, -1})},
               {"values", "<f8", {systems, 2, 2}, bytes_of(values)},
               {"rhs", "<f8", {systems, 2}, bytes_of(rhs)}},
              Packing::deflated);
    return path;
  }

  std::string solve(std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"-o", x_, "--device", "host", "--allow-unconverged"});
    const ProgramResult result = run(arguments);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result.exit_code == 0 ? read_file(x_) : "";
  }
};

TEST_F(BatchInputs, AnArchiveIsAFolder) {
  write_systems(11);
  const std::string expected = solve({in_});
  const std::string ones = solve({in_, "--rhs", "ones", "--systems", "40"});
  for (const Packing packing : {Packing::stored, Packing::deflated}) {
    const std::string archive = write_archive(11, packing);
    EXPECT_EQ(solve({archive}), expected);
    EXPECT_EQ(solve({archive, "--rhs", "ones", "--systems", "40"}), ones);
    EXPECT_EQ(solve({archive, "--memory", "1KB"}), expected);
  }
  EXPECT_EQ(solve({write_ell(11)}), expected);
  EXPECT_EQ(solve({write_ell(11), "--rhs", "ones", "--systems", "40", "--memory", "1KB"}), ones);
}

TEST_F(BatchInputs, FormatsOnDevicesAreTheSameSystems) {
  write_systems(11);
  const std::string expected = solve({in_, "--tol", "1e-13"});
  for (const std::string format : {"csr", "ell", "dense", "auto"}) {
    EXPECT_EQ(solve({in_, "--tol", "1e-13", "--matrix-format", format}), expected) << "of the host";
    ASSERT_EQ(run({in_, "--tol", "1e-13", "--matrix-format", format, "-o", x_, "--memory", "1KB"}).exit_code, 0);
    const std::vector<double> x = solutions(x_);
    ASSERT_EQ(x.size(), 22U);
    for (std::size_t i = 0; i < 11; ++i) {
      EXPECT_NEAR(x[2 * i], (static_cast<double>(i) - 1) / (static_cast<double>(i) + 2), 1e-12) << format;
      EXPECT_NEAR(x[2 * i + 1], 2, 1e-12) << format;
    }
  }
}

TEST_F(BatchInputs, OneMatrixOfManySystems) {
  write_systems(1);
  const std::string matrix = in_ + "/0/A.mtx";
  solve({matrix, "--systems", "5", "--tol", "1e-12"});
  const std::vector<double> x = solutions(x_);
  ASSERT_EQ(x.size(), 10U);
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_NEAR(x[2 * i], -0.5, 1e-12);
    EXPECT_NEAR(x[2 * i + 1], 2, 1e-12);
  }
  // As many systems as right-hand sides.
  const std::string rhs = array("rhs.npy", {3, 2}, {2, 4, 4, 8, 6, 12});
  solve({matrix, "--rhs", rhs, "--tol", "1e-12"});
  const std::vector<double> multiples = solutions(x_);
  ASSERT_EQ(multiples.size(), 6U);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(multiples[2 * i], 0.5 * static_cast<double>(i + 1), 1e-11);
    EXPECT_NEAR(multiples[2 * i + 1], static_cast<double>(i + 1), 1e-11);
  }
  // One right-hand side of any input, from a file of either kind.
  const std::string one = array("one.npy", {2}, {2, 4});
  write_file(directory_ / "one.mtx", array_head + "2 1\n2\n4\n");
  write_systems(3);
  EXPECT_EQ(solve({in_, "--rhs", one}), solve({in_, "--rhs", directory_ / "one.mtx"}));
  EXPECT_EQ(solutions(x_).size(), 6U);
}

TEST_F(BatchInputs, ProblemsAreMadeTheSameInAnyPieces) {
  for (const char* const problem : {"stencil3:30", "lesp:30", "random-spd:30,94", "chemistry:30"}) {
    SCOPED_TRACE(problem);
    const std::vector<std::string> arguments{"--problem", problem, "--systems", "200", "--seed", "5"};
    const auto with = [&](std::vector<std::string> more) {
      more.insert(more.end(), arguments.begin(), arguments.end());
      return more;
    };
    const std::string whole = solve(arguments);
    EXPECT_EQ(io::read_npy(x_).shape(), (std::vector<index_t>{200, 30}));
    EXPECT_EQ(solve(with({"--memory", "30KB"})), whole);
    EXPECT_EQ(solve(with({"--memory", "1B"})), whole) << "one system at a time";
    EXPECT_EQ(solve(with({"--threads", "1"})), whole);
    EXPECT_EQ(solve({"--problem", problem, "--systems", "0200", "--seed", "05"}), whole) << "decimal, whatever it begins with";
    EXPECT_NE(solve({"--problem", problem, "--systems", "200", "--seed", "6", "--rhs", "random"}), whole);
  }
}

TEST_F(BatchInputs, ReportsAreTheSameInAnyPieces) {
  const std::vector<std::string> arguments{"--problem", "stencil3:20", "--systems", "100", "-q", "--device", "host"};
  const auto reported = [&](std::vector<std::string> more) {
    more.insert(more.end(), arguments.begin(), arguments.end());
    return run(more).out;
  };
  const std::string whole = reported({});
  EXPECT_EQ(cells_of(whole).size(), 101U);
  EXPECT_EQ(reported({"--memory", "5KB"}), whole);
  const auto json = nlohmann::json::parse(reported({"--format", "json", "--memory", "5KB"}));
  ASSERT_EQ(json["rows"].size(), 100U);
  for (std::size_t i = 0; i < 100; ++i) {
    const auto& row = json["rows"][i];
    EXPECT_EQ(row["system"], i);
    EXPECT_EQ(row["residual"], std::stod(cells_of(whole)[i + 1][2]));
  }
  EXPECT_EQ(json["meta"]["batch"]["converged"], 100);
}

TEST_F(BatchInputs, SolutionsAsMatrixMarketInPieces) {
  write_systems(7);
  const std::string path = directory_ / "x.mtx";
  ASSERT_EQ(run({in_, "-o", path}).exit_code, 0);
  const std::string whole = read_file(path);
  ASSERT_EQ(run({in_, "-o", path, "--memory", "1B"}).exit_code, 0);
  EXPECT_EQ(read_file(path), whole);
}

TEST_F(BatchInputs, RepeatedSystemsInPieces) {
  write_systems(3);
  const std::string whole = solve({in_, "--systems", "100"});
  EXPECT_EQ(solve({in_, "--systems", "100", "--memory", "1KB"}), whole);
  EXPECT_EQ(solve({in_, "--systems", "100", "--memory", "1B"}), whole);
}

TEST_F(BatchInputs, AutoSaysWhatItTakesAndWhy) {
  const std::tuple<const char*, const char*, const char*> expected[] = {
      {"stencil3:40", "tridiagonal", "three diagonals"},
      {"lesp:40", "tridiagonal", "three diagonals"},
      {"random-spd:90,400", "cg", "symmetric with a positive diagonal"},
      {"random-spd:12,40", "lu", "small, 12 rows"},
      {"chemistry:30", "lu", "% of all places"}};
  for (const auto& [problem, solver, reason] : expected) {
    SCOPED_TRACE(problem);
    const ProgramResult result = run({"--problem", problem, "--solver", "auto", "--systems", "20", "--format", "json"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_NE(result.err.find(std::string("solver ") + solver + ": "), std::string::npos) << result.err;
    EXPECT_NE(result.err.find(reason), std::string::npos) << result.err;
    EXPECT_EQ(nlohmann::json::parse(result.out)["meta"]["batch"]["solver"], solver);
  }
  // With cycles in f32, methods that have some.
  for (const std::string problem : {"stencil3:40", "random-spd:90,400"}) {
    const ProgramResult mixed = run({"--problem", problem, "--solver", "auto", "--precision", "mixed", "--systems", "20"});
    EXPECT_EQ(mixed.exit_code, 0) << mixed.err;
    EXPECT_EQ(mixed.err.find("solver sparse-lu: ") != std::string::npos, problem == "stencil3:40") << mixed.err;
    EXPECT_EQ(mixed.err.find("; tridiagonal has no cycles in f32 (by system 0)") != std::string::npos, problem == "stencil3:40")
        << mixed.err;
  }
  // What was asked for by name stays.
  const ProgramResult named =
      run({"--problem", "random-spd:90,400", "--solver", "auto", "--precond", "none", "--systems", "20", "--format", "json"});
  EXPECT_EQ(nlohmann::json::parse(named.out)["meta"]["batch"]["preconditioner"], "none");
}

TEST_F(BatchInputs, TheSummarySaysHowTheBatchWent) {
  const ProgramResult result =
      run({"--problem", "chemistry:30", "--systems", "200", "--max-iterations", "15", "--seed", "3", "-o", x_});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_NE(result.err.find("200 systems of 30 rows"), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("systems by iterations\n"), std::string::npos) << result.err;
  EXPECT_NE(result.err.find(" max_iterations)"), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("GB/s"), std::string::npos) << result.err;
}

TEST_F(BatchInputs, ThePlotShowsHowResidualsFell) {
  const std::string plot = directory_ / "history.svg";
  const std::vector<std::string> arguments{"--problem", "chemistry:30", "--systems", "100",      "-o",
                                           x_,          "--plot",       plot,        "--device", "host"};
  ASSERT_EQ(run(arguments).exit_code, 0);
  const std::string picture = read_file(plot);
  EXPECT_NE(picture.find("iteration"), std::string::npos);
  EXPECT_NE(picture.find("median"), std::string::npos);
  EXPECT_NE(picture.find(">tolerance 1e-06</text>"), std::string::npos);
  // The same in pieces.
  std::vector<std::string> in_pieces = arguments;
  in_pieces.insert(in_pieces.end(), {"--memory", "100KB"});
  ASSERT_EQ(run(in_pieces).exit_code, 0);
  EXPECT_EQ(read_file(plot), picture);
}

TEST_F(BatchInputs, NoSystemsAreNoError) {
  const std::string archive = write_archive(0, Packing::stored);
  const ProgramResult result = run({archive, "-o", x_, "--report", report_});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(io::read_npy(x_).shape(), (std::vector<index_t>{0, 2}));
  EXPECT_EQ(cells_of(read_file(report_)).size(), 1U);
}

TEST_F(BatchInputs, BadInputIsOneLineAndLeavesNothing) {
  const std::string archive = write_archive(4, Packing::deflated);
  const std::string three = array("three.npy", {3, 2}, {1, 2, 3, 4, 5, 6});
  const std::string wide = array("wide.npy", {4, 3}, std::vector<double>(12, 1));
  write_file(directory_ / "long.mtx", array_head + "3 1\n1\n2\n3\n");
  write_file(directory_ / "flat.mtx", coordinate_head + "2 3 1\n1 1 1\n");
  const auto expect = [&](std::vector<std::string> arguments, int exit_code, const std::string& part) {
    arguments.insert(arguments.end(), {"-o", x_, "--report", report_, "--device", "host"});
    expect_failure(arguments, exit_code, part, {"flat.mtx", "in.npz", "long.mtx", "three.npy", "wide.npy"});
  };
  expect({"--problem", "poisson:3"}, 2, "stencil3:N");
  expect({"--problem", "stencil3:0"}, 2, "0 rows");
  for (const char* const number : {"-1", "9223372036854775808", "18446744073709551617", "1e3", "0x10", ""}) {
    expect({"--problem", "stencil3:4", "--seed", number}, 2, "--seed");
    expect({"--problem", "stencil3:4", "--systems", number}, 2, "--systems");
  }
  expect({"--problem", "stencil3:4", "--systems", "9223372036854775807"}, 2, "is out of range");
  for (const char* const size : {"-1", "1e23", "16EiB", "0", "5 parsecs"}) {
    expect({"--problem", "stencil3:4", "--memory", size}, 2, "--memory");
  }
  expect({"--problem", "stencil3:4", archive}, 2, "INPUT");
  expect({archive, "--rhs", "none"}, 2, "none of file, ones, random");
  expect({archive, "--rhs", three}, 1, "4 matrices and 3 right-hand sides");
  expect({archive, "--rhs", wide}, 1, "(systems, 2)");
  expect({archive, "--rhs", directory_ / "absent.npy"}, 1, "absent.npy");
  expect({archive, "--rhs", directory_ / "long.mtx"}, 1, "3 values for a matrix of 2 rows");
  expect({directory_ / "flat.mtx", "--rhs", "ones"}, 1, "2 x 3");
  expect({directory_ / "long.mtx"}, 1, "3 x 1");
  expect({directory_ / "absent.npz"}, 1, "absent.npz");
  std::filesystem::resize_file(archive, std::filesystem::file_size(archive) - 40);
  expect({archive}, 1, "no .npz file");
  write_npz(archive,
            {{"indices", "<i4", {1}, bytes_of<std::int32_t>({0})},
             {"indptr", "<i4", {2}, bytes_of<std::int32_t>({0, 1})},
             {"data", "<f8", {1}, bytes_of<double>({1})}},
            Packing::stored);
  expect({archive}, 2, "holds no right-hand sides");
}

/// Files of some bytes that claim terabytes: refused before memory is taken or a disk is filled.
TEST_F(BatchInputs, ClaimsAreBelievedAsFarAsBytesSupportThem) {
  const auto refusal = [&](const std::string& input) {
    const ProgramResult result =
        run_in_address_space(4096, {"batch", input, "--rhs", "ones", "--device", "host", "-o", x_, "--report", report_});
    EXPECT_EQ(result.exit_code, 1) << result.err;
    EXPECT_FALSE(std::filesystem::exists(x_));
    return result.err;
  };
  const std::string matrix = directory_ / "wide.mtx";
  write_file(matrix, coordinate_head + "2147483647 2147483647 0\n");
  EXPECT_NE(refusal(matrix).find("2147483647 rows and 0 entries"), std::string::npos);
  write_file(directory_ / "in/0/A.mtx", coordinate_head + "300000000 300000000 0\n");
  EXPECT_NE(refusal(in_).find("300000000 rows and 0 entries"), std::string::npos);
  const std::string archive = directory_ / "empty.npz";
  write_npz(archive,
            {{"indices", "<i4", {0}, ""},
             {"indptr", "<i4", {2}, bytes_of<std::int32_t>({0, 0})},
             {"values", "<f8", {1000000000000000, 0}, ""}},
            Packing::stored);
  EXPECT_NE(refusal(archive).find("1 rows and 0 entries"), std::string::npos);
}

}  // namespace
}  // namespace phpc::test
