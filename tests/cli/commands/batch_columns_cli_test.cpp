// portable-hpc batch with several right-hand sides of each system.
#include <cmath>
#include <nlohmann/json.hpp>
#include <random>

#include "cli/commands/batch_cli_fixture.hpp"
#include "phpc/io/matrix_market.hpp"
#include "support/npz_files.hpp"

namespace phpc::test {
namespace {

class BatchColumns : public BatchCommand {
 protected:
  static constexpr std::size_t systems = 17;
  static constexpr std::size_t rows = 6;
  static constexpr std::size_t columns = 3;

  void SetUp() override {
    std::mt19937_64 random(seed_);
    std::uniform_real_distribution<double> uniform(-1, 1);
    matrices_.resize(systems * rows * rows);
    for (std::size_t i = 0; i < matrices_.size(); ++i) {
      matrices_[i] = uniform(random) + (i / rows % rows == i % rows ? 9 : 0);
    }
    rhs_.resize(systems * rows * columns);
    std::generate(rhs_.begin(), rhs_.end(), [&] { return uniform(random); });
    a_ = array("a.npy", {systems, rows, rows}, matrices_);
    b_ = array("b.npy", {systems, rows, columns}, rhs_);
  }

  ProgramResult solve(std::vector<std::string> more) {
    more.insert(more.begin(), {a_, "--rhs", b_, "--tol", "1e-10", "--device", "host"});
    ProgramResult result = run(more);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result;
  }

  /// x of each column, solved by itself; what its table of reports says after the system.
  std::pair<std::vector<double>, std::vector<std::vector<std::string>>> alone(std::size_t column) {
    std::vector<double> own;
    for (std::size_t i = column; i < rhs_.size(); i += columns) {
      own.push_back(rhs_[i]);
    }
    const std::string b = array("one.npy", {systems, rows}, own);
    const std::string x = directory_ / "alone.npy";
    const ProgramResult result =
        run({a_, "--rhs", b, "--tol", "1e-10", "--device", "host", "-o", x, "--report", directory_ / "alone.tsv"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return {solutions(x), cells_of(read_file(directory_ / "alone.tsv"))};
  }

  std::uint64_t seed_ = std::random_device{}();
  std::vector<double> matrices_;
  std::vector<double> rhs_;
  std::string a_;
  std::string b_;
};

TEST_F(BatchColumns, AreSolvedAsEachWouldBeAlone) {
  SCOPED_TRACE("seed " + std::to_string(seed_));
  const ProgramResult result = solve({"-o", x_, "--report", report_});
  EXPECT_NE(result.err.find("17 systems of 6 rows and 36 entries, with 3 right-hand sides each; "), std::string::npos)
      << result.err;
  EXPECT_NE(result.err.find("51 of 51 converged"), std::string::npos) << result.err;
  EXPECT_EQ(io::read_npy(x_).shape(), (std::vector<index_t>{systems, rows, columns}));
  const std::vector<double> x = solutions(x_);
  const auto report = cells_of(read_file(report_));
  ASSERT_EQ(report.size(), 1 + systems * columns);
  EXPECT_EQ(report[0], (std::vector<std::string>{"system", "rhs", "iterations", "residual", "relative_residual", "status"}));
  for (std::size_t column = 0; column < columns; ++column) {
    const auto [own, own_report] = alone(column);
    for (std::size_t i = 0; i < own.size(); ++i) {
      EXPECT_EQ(x[i * columns + column], own[i]) << i << ", column " << column;
    }
    for (std::size_t system = 0; system < systems; ++system) {
      std::vector<std::string> line = own_report[1 + system];
      line.insert(line.begin() + 1, std::to_string(column));
      EXPECT_EQ(report[1 + system * columns + column], line);
    }
  }
}

TEST_F(BatchColumns, OfAnArchive) {
  SCOPED_TRACE("seed " + std::to_string(seed_));
  solve({"-o", x_});
  const std::string of_arrays = read_file(x_);
  std::vector<std::int32_t> offsets{0};
  std::vector<std::int32_t> indices;
  for (std::size_t place = 0; place < rows * rows; ++place) {
    indices.push_back(static_cast<std::int32_t>(place % rows));
    if (place % rows == rows - 1) {
      offsets.push_back(static_cast<std::int32_t>(place + 1));
    }
  }
  const std::string archive = directory_ / "a.npz";
  write_npz(archive,
            {{"indptr", "<i4", {rows + 1}, bytes_of<std::int32_t>(offsets)},
             {"indices", "<i4", {rows * rows}, bytes_of<std::int32_t>(indices)},
             {"values", "<f8", {systems, rows * rows}, bytes_of<double>(matrices_)},
             {"rhs", "<f8", {systems, rows, columns}, bytes_of<double>(rhs_)}},
            Packing::deflated);
  const ProgramResult result = run({archive, "--tol", "1e-10", "--device", "host", "--memory", "3KB", "-o", x_});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(read_file(x_), of_arrays);
}

TEST_F(BatchColumns, InPiecesSharesAndOtherFormats) {
  SCOPED_TRACE("seed " + std::to_string(seed_));
  solve({"-o", x_, "--report", report_});
  const std::string whole = read_file(x_);
  const std::string table = read_file(report_);
  for (const char* const memory : {"1B", "3KB"}) {
    solve({"-o", x_, "--report", report_, "--memory", memory});
    EXPECT_EQ(read_file(x_), whole);
    EXPECT_EQ(read_file(report_), table);
  }
  std::vector<std::string> merge_x{"merge", "-o", x_};
  std::vector<std::string> merge_report{"merge", "-o", report_};
  for (int i = 0; i < 3; ++i) {
    solve({"-o", x_, "--report", report_, "--shard", std::to_string(i) + "/3"});
    merge_x.push_back(x_ + ".part-0000" + std::to_string(i) + "-of-00003");
    merge_report.push_back(report_ + ".part-0000" + std::to_string(i) + "-of-00003");
  }
  const ProgramResult merged = run_program(merge_x);
  ASSERT_EQ(merged.exit_code, 0) << merged.err;
  EXPECT_NE(merged.err.find("51 records in 17 systems"), std::string::npos) << merged.err;
  EXPECT_EQ(read_file(x_), whole);
  ASSERT_EQ(run_program(merge_report).exit_code, 0);
  EXPECT_EQ(read_file(report_), table);
  solve({"-o", directory_ / "x.mtx"});
  const io::CsrMatrix matrix = io::read_matrix_market(directory_ / "x.mtx");
  EXPECT_EQ(matrix.rows, 6);
  EXPECT_EQ(matrix.columns, 51);
  const auto json = nlohmann::json::parse(solve({"--format", "json", "--plot", directory_ / "x.svg"}).out);
  EXPECT_EQ(json["meta"]["batch"]["systems"], 17);
  EXPECT_EQ(json["meta"]["batch"]["rhs_per_system"], 3);
  EXPECT_EQ(json["rows"].size(), 51U);
  EXPECT_EQ(json["rows"][50]["system"], 16);
  EXPECT_EQ(json["rows"][50]["rhs"], 2);
}

TEST_F(BatchColumns, WithGuessesAndTolerances) {
  SCOPED_TRACE("seed " + std::to_string(seed_));
  solve({"-o", x_});
  const std::string guess = directory_ / "guess.npy";
  std::filesystem::rename(x_, guess);
  const ProgramResult again = solve({"-o", x_, "--guess", guess});
  EXPECT_NE(again.err.find("iterations min 0, median 0, max 0"), std::string::npos) << again.err;
  EXPECT_EQ(read_file(x_), read_file(guess));
  std::vector<double> tolerances(systems, 1e-2);
  tolerances[5] = 1e-12;
  const std::string file = array("tolerances.npy", {systems}, tolerances);
  const ProgramResult result = run({a_, "--rhs", b_, "--tolerances", file, "--report", report_, "--device", "host"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto report = cells_of(read_file(report_));
  for (std::size_t solve = 0; solve < systems * columns; ++solve) {
    const double residual = std::stod(report[1 + solve][4]);
    EXPECT_LE(residual, tolerances[solve / columns]);
    EXPECT_EQ(residual < 1e-11, solve / columns == 5) << solve;
  }
}

TEST_F(BatchColumns, OfMatrixMarketFiles) {
  SCOPED_TRACE("seed " + std::to_string(seed_));
  solve({"-o", x_});
  const std::string of_arrays = read_file(x_);
  // Column after column, system after system.
  std::vector<double> turned;
  for (std::size_t i = 0; i < rhs_.size(); ++i) {
    const std::size_t system = i / (rows * columns);
    const std::size_t place = i % (rows * columns);
    turned.push_back(rhs_[(system * rows + place % rows) * columns + place / rows]);
  }
  const auto write_array = [](const std::string& path, std::size_t number, std::span<const double> values) {
    write_file(path, io::matrix_market_array_header(rows, static_cast<index_t>(number)) + io::matrix_market_lines(values));
  };
  const std::string all = directory_ / "all.mtx";
  write_array(all, systems * columns, turned);
  ASSERT_EQ(run({a_, "--rhs", all, "--tol", "1e-10", "--device", "host", "-o", x_}).exit_code, 0);
  EXPECT_EQ(read_file(x_), of_arrays);
  // A file of each system; the matrix's rows are columns of what is written here, so its transpose is solved with.
  for (std::size_t i = 0; i < systems; ++i) {
    const std::string folder = in_ + "/" + std::to_string(i);
    std::filesystem::create_directories(folder);
    write_array(folder + "/A.mtx", rows, std::span(matrices_).subspan(i * rows * rows, rows * rows));
    write_array(folder + "/b.mtx", columns, std::span(turned).subspan(i * rows * columns, rows * columns));
  }
  const std::string market = directory_ / "x.mtx";
  const std::vector<std::string> job{in_, "--transpose", "--tol", "1e-10", "--device", "host"};
  const auto in_folder = [&](std::vector<std::string> more) {
    more.insert(more.begin(), job.begin(), job.end());
    return run(more);
  };
  ASSERT_EQ(in_folder({"-o", x_, "--memory", "3KB"}).exit_code, 0);
  const std::vector<double> x = solutions(x_);
  ASSERT_EQ(run({a_, "--rhs", b_, "--tol", "1e-10", "--device", "host", "-o", directory_ / "plain.npy"}).exit_code, 0);
  const std::vector<double> plain = solutions(directory_ / "plain.npy");
  ASSERT_EQ(x.size(), plain.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    EXPECT_NEAR(x[i], plain[i], 1e-9);
  }
  // One matrix with a file of columns beside it.
  const std::string one = in_ + "/3/A.mtx";
  ASSERT_EQ(run({one, "--transpose", "--tol", "1e-10", "--device", "host", "-o", x_}).exit_code, 0);
  EXPECT_EQ(io::read_npy(x_).shape(), (std::vector<index_t>{1, rows, columns}));
  EXPECT_NEAR(solutions(x_)[5], plain[3 * rows * columns + 5], 1e-9);
  // Solutions as guesses.
  ASSERT_EQ(in_folder({"-o", market}).exit_code, 0);
  const std::string guess = directory_ / "guess.mtx";
  std::filesystem::rename(market, guess);
  const ProgramResult again = in_folder({"--guess", guess, "-o", market});
  EXPECT_NE(again.err.find("iterations min 0, median 0, max 0"), std::string::npos) << again.err;
  EXPECT_EQ(read_file(market), read_file(guess));
  const std::vector<std::string> entries = directory_.entries();
  const auto expect = [&](std::vector<std::string> arguments, int exit_code, const std::string& part) {
    arguments.insert(arguments.end(), {"-o", directory_ / "absent.npy", "--device", "host"});
    expect_failure(arguments, exit_code, part, entries);
  };
  write_array(directory_ / "guess.mtx", 4, std::span(turned).first(rows * 4));
  expect({in_, "--guess", guess}, 1, "4 columns of guesses, and a system has 3 right-hand sides");
  write_array(directory_ / "guess.mtx", 6, std::span(turned).first(rows * 6));
  expect({in_, "--guess", guess}, 1, "holds guesses of 2 systems, and there are 17");
  write_array(directory_ / "all.mtx", 5, std::span(turned).first(rows * 5));
  expect({in_, "--rhs", all}, 1, "17 matrices and 5 right-hand sides");
  write_array(in_ + "/1/b.mtx", 2, std::span(turned).first(rows * 2));
  expect({in_}, 1, "columns of system 1, 2, and of system 0, 3, differ");
}

TEST_F(BatchColumns, OfOneMatrixAndRepeated) {
  const std::string one = array("one.npy", {2, 2}, {2, 0, 0, 4});
  const std::string b = array("two.npy", {1, 2, 2}, {2, 4, 4, 8});
  ASSERT_EQ(run({one, "--rhs", b, "--systems", "3", "--tol", "1e-14", "-o", x_}).exit_code, 0);
  EXPECT_EQ(io::read_npy(x_).shape(), (std::vector<index_t>{3, 2, 2}));
  EXPECT_EQ(solutions(x_), (std::vector<double>{1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2}));
}

TEST_F(BatchColumns, ThatDoNotFitAreOneLine) {
  const std::string flat = array("flat.npy", {systems, rows}, std::vector<double>(systems * rows));
  const std::string none = array("none.npy", {systems, rows, 0}, std::vector<double>{});
  const std::string turned = array("turned.npy", {systems, columns, rows}, rhs_);
  const std::vector<std::string> entries = directory_.entries();
  expect_failure({a_, "--rhs", none, "-o", x_, "--device", "host"}, 1, "of shape (17, 6, 0)", entries);
  const std::string huge = array("huge.npy", {0, rows, index_t{1} << 62}, std::vector<double>{});
  expect_failure({a_, "--rhs", huge, "-o", x_, "--device", "host"}, 1, "(0, 6, 4611686018427387904)", directory_.entries());
  std::filesystem::remove(huge);
  expect_failure({a_, "--rhs", turned, "-o", x_, "--device", "host"}, 1, "(systems, 6, columns)", entries);
  expect_failure({a_, "--rhs", b_, "--guess", flat, "-o", x_, "--device", "host"}, 1,
                 "columns of guesses, 1, and of right-hand sides, 3, differ", entries);
  EXPECT_EQ(run({a_, "--rhs", b_, "--bench", "--device", "host"}).exit_code, 2);
}

}  // namespace
}  // namespace phpc::test
