// portable-hpc batch of complex systems: what is read, promoted and written.
#include <nlohmann/json.hpp>
#include <numeric>
#include <random>

#include "cli/commands/batch_cli_fixture.hpp"
#include "phpc/io/matrix_market.hpp"
#include "support/npz_files.hpp"

namespace phpc::test {
namespace {

using Number = Complex<double>;

class BatchComplex : public BatchCommand {
 protected:
  std::vector<Number> complex_solutions(const std::string& path) {
    const io::NpyArray x = io::read_npy(path);
    EXPECT_EQ(x.type(), io::NpyType::complex128);
    shape_ = x.shape();
    return x.type() == io::NpyType::complex128 ? std::vector<Number>(x.values<Number>().begin(), x.values<Number>().end())
                                               : std::vector<Number>();
  }
  static void expect_near(Number value, Number expected, double error = 1e-9) {
    EXPECT_NEAR(value.re, expected.re, error);
    EXPECT_NEAR(value.im, expected.im, error);
  }

  /// Dense systems with known solutions: A in a.npy, b = A x (or A^H x) in b.npy.
  struct Dense {
    std::vector<Number> a;
    std::vector<Number> x;
    std::vector<Number> b;
  };
  Dense dense(index_t systems, index_t rows, index_t columns, bool adjoint) const {
    std::mt19937_64 random(random_seed_);
    const auto number = [&] {
      const auto part = [&] { return static_cast<double>(random() >> 11) * 0x1p-52 - 1; };
      return Number{part(), part()};
    };
    Dense made;
    made.a.resize(static_cast<std::size_t>(systems * rows * rows));
    made.x.resize(static_cast<std::size_t>(systems * rows * columns));
    made.b.resize(made.x.size());
    std::generate(made.a.begin(), made.a.end(), number);
    std::generate(made.x.begin(), made.x.end(), number);
    for (index_t system = 0; system < systems; ++system) {
      for (index_t row = 0; row < rows; ++row) {
        made.a[static_cast<std::size_t>((system * rows + row) * rows + row)].re += 5;
      }
      for (index_t row = 0; row < rows; ++row) {
        for (index_t column = 0; column < columns; ++column) {
          Number sum{};
          for (index_t k = 0; k < rows; ++k) {
            const Number element = adjoint ? conj(made.a[static_cast<std::size_t>((system * rows + k) * rows + row)])
                                           : made.a[static_cast<std::size_t>((system * rows + row) * rows + k)];
            sum = sum + element * made.x[static_cast<std::size_t>((system * rows + k) * columns + column)];
          }
          made.b[static_cast<std::size_t>((system * rows + row) * columns + column)] = sum;
        }
      }
    }
    return made;
  }

  std::vector<index_t> shape_;
  unsigned random_seed_ = std::random_device{}();
};

TEST_F(BatchComplex, DenseArraysWithSeveralRightHandSides) {
  SCOPED_TRACE("seed " + std::to_string(random_seed_));
  for (const bool adjoint : {false, true}) {
    for (const index_t columns : {1, 3, 6}) {
      const Dense made = dense(10, 7, columns, adjoint);
      const std::string a = array("a.npy", {10, 7, 7}, made.a);
      const std::vector<index_t> shape = columns == 1 ? std::vector<index_t>{10, 7} : std::vector<index_t>{10, 7, columns};
      const std::string b = array("b.npy", shape, made.b);
      for (const char* const solver : {"lu", "gmres", "bicgstab", "auto"}) {
        for (const char* const memory : {"1GB", "1B"}) {
          SCOPED_TRACE(solver);
          std::vector<std::string> arguments{a,     "--rhs", b,  "--solver", solver, "--tol",    "1e-12", "--max-iterations",
                                             "200", "-o",    x_, "--memory", memory, "--device", "host"};
          if (adjoint) {
            arguments.emplace_back("--adjoint");
          }
          const ProgramResult result = run(arguments);
          ASSERT_EQ(result.exit_code, 0) << result.err;
          const std::vector<Number> x = complex_solutions(x_);
          EXPECT_EQ(shape_, shape);
          ASSERT_EQ(x.size(), made.x.size());
          for (std::size_t i = 0; i < x.size(); ++i) {
            expect_near(x[i], made.x[i]);
          }
        }
      }
    }
  }
}

TEST_F(BatchComplex, SinglePrecision) {
  const Dense made = dense(3, 5, 1, false);
  ASSERT_EQ(run({array("a.npy", {3, 5, 5}, made.a), "--rhs", array("b.npy", {3, 5}, made.b), "--solver", "lu", "--precision",
                 "f32", "-o", x_, "--device", "host"})
                .exit_code,
            0);
  const std::vector<Number> x = complex_solutions(x_);
  for (std::size_t i = 0; i < x.size(); ++i) {
    expect_near(x[i], made.x[i], 1e-4);
    EXPECT_EQ(static_cast<double>(static_cast<float>(x[i].re)), x[i].re);
  }
}

/// (2 + i) x0 + x1 = 4 + 2 i and 3 i x1 = 6 i: x = (2 / (2 + i)) (1 + i), 2.
TEST_F(BatchComplex, MatrixMarketFiles) {
  const std::string head = "%%MatrixMarket matrix coordinate complex general\n";
  for (int i = 0; i < 2; ++i) {
    const std::string folder = directory_ / ("in/" + std::to_string(i));
    write_file(folder + "/A.mtx",
               i == 1 ? head + "2 2 3\n1 1 2 1\n1 2 1 0\n2 2 0 3\n" : coordinate_head + "2 2 3\n1 1 2\n1 2 1\n2 2 4\n");
    write_file(folder + "/b.mtx", "%%MatrixMarket matrix array complex general\n2 1\n4 2\n0 6\n");
  }
  const ProgramResult mixed = run({in_, "--solver", "lu", "-o", x_, "--device", "host"});
  EXPECT_EQ(mixed.exit_code, 1);
  EXPECT_NE(mixed.err.find("in/1/A.mtx: complex numbers where system 0 has real ones"), std::string::npos) << mixed.err;

  const std::string a = in_ + "/1/A.mtx";
  const std::string market = directory_ / "x.mtx";
  ASSERT_EQ(run({a, "--solver", "lu", "--tol", "1e-14", "-o", market, "--device", "host"}).exit_code, 0);
  const io::CsrMatrix x = io::read_matrix_market(market);
  ASSERT_TRUE(x.is_complex);
  expect_near({x.values[0], x.values[1]}, {1.2, 0.4});
  expect_near({x.values[2], x.values[3]}, {2, 0});
  // The adjoint: (2 - i) y0 = 4 + 2 i, y0 - 3 i y1 = 6 i.
  ASSERT_EQ(run({a, "--adjoint", "--solver", "lower", "--tol", "1e-14", "-o", x_, "--device", "host"}).exit_code, 0);
  const std::vector<Number> y = complex_solutions(x_);
  expect_near(y[0], {1.2, 1.6});
  expect_near(y[1], {1.2 * 0 - 4.4 / 3, -0.4});
}

/// Real matrices with complex right-hand sides, and the other way round.
TEST_F(BatchComplex, RealNumbersArePromoted) {
  const std::string real = array("real.npy", {1, 2, 2}, std::vector<double>{2, 0, 0, 4});
  const std::string imaginary = array("imaginary.npy", {2}, std::vector<Number>{{2, 4}, {0, 8}});
  ASSERT_EQ(run({real, "--rhs", imaginary, "--solver", "lu", "-o", x_, "--device", "host"}).exit_code, 0);
  std::vector<Number> x = complex_solutions(x_);
  expect_near(x[0], {1, 2});
  expect_near(x[1], {0, 2});
  const std::string matrix = array("matrix.npy", {1, 2, 2}, std::vector<Number>{{0, 1}, {}, {}, {0, 2}});
  const std::string report = directory_ / "report.json";
  ASSERT_EQ(
      run({matrix, "--rhs", "ones", "--solver", "cg", "--allow-unconverged", "--report", report, "--device", "host"}).exit_code,
      0);
  ASSERT_EQ(run({matrix, "--rhs", "ones", "--solver", "lu", "--report", report, "-o", x_, "--device", "host"}).exit_code, 0);
  x = complex_solutions(x_);
  expect_near(x[0], {0, -1});
  expect_near(x[1], {0, -0.5});
  EXPECT_EQ(nlohmann::json::parse(read_file(report))["meta"]["batch"]["complex"], true);
}

TEST_F(BatchComplex, ArchivesInShares) {
  write_npz(directory_ / "a.npz",
            {{"indptr", "<i4", {3}, bytes_of<std::int32_t>({0, 2, 3})},
             {"indices", "<i4", {3}, bytes_of<std::int32_t>({1, 0, 1})},
             {"data", "<c16", {3}, bytes_of<double>({1, 0, 2, 1, 0, 3})},
             {"rhs", "<c8", {3, 2}, bytes_of<float>({4, 2, 0, 6, 8, 4, 0, 12, 4, 2, 0, 6})}},
            Packing::deflated);
  const std::vector<std::string> job{directory_ / "a.npz", "--solver", "sparse-lu", "--tol", "1e-12", "-o", x_,
                                     "--device",           "host"};
  ASSERT_EQ(run(job).exit_code, 0);
  const std::vector<Number> x = complex_solutions(x_);
  expect_near(x[0], {1.2, 0.4});
  expect_near(x[3], {4, 0});
  const std::string whole = read_file(x_);
  std::vector<std::string> merge{"merge", "-o", x_};
  for (int i = 0; i < 2; ++i) {
    std::vector<std::string> share = job;
    share.insert(share.end(), {"--shard", std::to_string(i) + "/2"});
    ASSERT_EQ(run(share).exit_code, 0);
    merge.push_back(x_ + ".part-0000" + std::to_string(i) + "-of-00002");
  }
  std::filesystem::remove(x_);
  ASSERT_EQ(run_program(merge).exit_code, 0);
  EXPECT_EQ(read_file(x_), whole);
}

/// Systems of 2 rows with solution (i + 1i, 2): diagonal, upper triangular and full ones in turn, the full ones real. As they
/// are, and as real matrices with complex right-hand sides.
TEST_F(BatchComplex, FoldersOfDifferentPatterns) {
  constexpr int systems = 14;
  for (const bool real_matrices : {false, true}) {
    std::vector<Number> rhs;
    for (int i = 0; i < systems; ++i) {
      const bool is_real = real_matrices || i % 3 == 2;
      const double imaginary = is_real ? 0 : 1;
      const Number d{5.0 + i, imaginary};
      const Number upper{i % 3 == 0 ? 0.0 : 1.0, i % 3 == 0 ? 0 : -imaginary};
      const Number lower{i % 3 == 2 ? 2.0 : 0.0, 0};
      const Number x[] = {{static_cast<double>(i), 1}, {2, 0}};
      rhs.insert(rhs.end(), {d * x[0] + upper * x[1], lower * x[0] + d * x[1]});
      const auto entry = [&](const std::string& place, Number value) {
        return place + " " + std::to_string(value.re) + (is_real ? "\n" : " " + std::to_string(value.im) + "\n");
      };
      write_file(in_ + "/" + std::to_string(i) + "/A.mtx",
                 std::string("%%MatrixMarket matrix coordinate ") + (is_real ? "real" : "complex") + " general\n2 2 " +
                     std::to_string(2 + i % 3) + "\n" + entry("1 1", d) + entry("2 2", d) +
                     (i % 3 > 0 ? entry("1 2", upper) : "") + (i % 3 == 2 ? entry("2 1", lower) : ""));
    }
    const std::string b = array("rhs.npy", {systems, 2}, rhs);
    for (const std::string solver : {"lu", "bicgstab", "auto"}) {
      for (const std::string device : {"host", "auto"}) {
        SCOPED_TRACE(solver + " on " + device);
        const ProgramResult result =
            run({in_, "--rhs", b, "--solver", solver, "--tol", "1e-12", "--max-iterations", "30", "-o", x_, "--device", device});
        ASSERT_EQ(result.exit_code, 0) << result.err;
        EXPECT_NE(result.err.find("14 complex systems of 2 rows in 3 patterns of 2 to 4 entries"), std::string::npos)
            << result.err;
        const std::vector<Number> x = complex_solutions(x_);
        ASSERT_EQ(x.size(), 2U * systems);
        for (std::size_t i = 0; i < systems; ++i) {
          expect_near(x[2 * i], {static_cast<double>(i), 1});
          expect_near(x[2 * i + 1], {2, 0});
        }
      }
    }
    // Pieces, and systems that repeat, change nothing.
    ASSERT_EQ(run({in_, "--rhs", b, "--solver", "lu", "-o", x_, "--device", "host"}).exit_code, 0);
    const std::vector<Number> all = complex_solutions(x_);
    ASSERT_EQ(
        run({in_, "--rhs", b, "--solver", "lu", "--systems", "31", "--memory", "1KB", "-o", x_, "--device", "host"}).exit_code,
        0);
    const std::vector<Number> repeated = complex_solutions(x_);
    ASSERT_EQ(repeated.size(), 62U);
    for (std::size_t k = 0; k < repeated.size(); ++k) {
      EXPECT_EQ(repeated[k], all[k % all.size()]) << k;
    }
  }
}

/// A system has twice the bytes of a real one, f32 half of them, and a larger batch repeats those of the file.
TEST_F(BatchComplex, AreTimed) {
  const Dense made = dense(7, 12, 1, false);
  const std::string a = array("a.npy", {7, 12, 12}, made.a);
  const std::string b = array("b.npy", {7, 12}, made.b);
  const auto bench = [&](std::vector<std::string> more) {
    more.insert(more.begin(),
                {a, "--rhs", b, "--bench", "--systems", "50", "--repeats", "1", "--device", "host", "--format", "json"});
    const ProgramResult result = run(more);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    const auto json = nlohmann::json::parse(result.out);
    EXPECT_EQ(json["meta"]["bench"]["complex"], true);
    EXPECT_EQ(json["rows"][0]["systems"], 50);
    EXPECT_EQ(json["rows"][0]["unconverged"], 0) << json["rows"][0];
    return json["rows"][0];
  };
  const auto bytes = [](const auto& row) {
    return row["gb_per_s"].template get<double>() * row["median_ms"].template get<double>();
  };
  const auto wide = bench({"--solver", "bicgstab"});
  // 1e6 bytes: a matrix, b, guess and x of 16 bytes a number.
  EXPECT_NEAR(bytes(wide), 50 * (144 + 3 * 12) * 16 * 1e-6, 0.02 * bytes(wide));
  const auto narrow = bench({"--solver", "bicgstab", "--precision", "f32", "--tol", "1e-4"});
  EXPECT_NEAR(bytes(narrow), 50 * (144 + 3 * 12) * 8 * 1e-6, 0.02 * bytes(narrow));
  bench({"--solver", "lu", "--adjoint"});
  bench({"--solver", "auto"});
}

TEST_F(BatchComplex, WhatIsNotDoneIsOneLine) {
  const std::string a = array("a.npy", {1, 1, 1}, std::vector<Number>{{1, 1}});
  expect_failure({a, "--rhs", "ones", "--precision", "mixed", "-o", x_, "--device", "host"}, 2,
                 "complex systems are solved in one precision", {"a.npy"});
  expect_failure({a, "--rhs", "ones", "--precision", "mixed", "--bench", "--device", "host", "--repeats", "1"}, 2,
                 "complex systems are solved in one precision", {"a.npy"});
}

}  // namespace
}  // namespace phpc::test
