// Values in ELL and dense storage: against solves of the same matrices in CSR.
#include "phpc/batch/storage.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "batch/direct/tridiagonal_systems.hpp"
#include "batch/solver_fixture.hpp"
#include "phpc/batch/formats.hpp"
#include "phpc/batch/plan.hpp"
#include "phpc/batch/problems.hpp"
#include "phpc/core/error.hpp"

namespace phpc::batch {
namespace {

Options stored_as(Storage storage, Options options) {
  options.storage = storage;
  return options;
}

class StorageTest : public SolverTest {
 protected:
  /// Solves from arrays that are on the device in the options' storage, garbage where ELL has no entry, by a plan that is used
  /// twice.
  Solved by_plan(const SystemBatch& batch, const Options& options) {
    const StoredPattern stored = stored_pattern(batch.pattern, options.storage);
    std::vector<double> values = stored_values<double>(stored, batch.systems(), batch.values);
    for (std::size_t place = 0; place < values.size() && options.storage == Storage::ell; ++place) {
      if (stored.columns[place % static_cast<std::size_t>(stored.values)] < 0) {
        values[place] = std::nan("");
      }
    }
    Plan<double> plan(GetParam(), batch.pattern, batch.systems(), options);
    const exec::Buffer<double> own_values(GetParam(), std::span<const double>(values));
    const exec::Buffer<double> rhs(GetParam(), std::span<const double>(batch.rhs));
    Solved solved;
    solved.x.resize(batch.rhs.size());
    solved.reports.resize(static_cast<std::size_t>(batch.systems()));
    for (int turn = 0; turn < 2; ++turn) {
      exec::Buffer<double> x(GetParam(), std::span<const double>(std::vector<double>(batch.rhs.size(), 0)));
      exec::Buffer<Report> reports(GetParam(), batch.systems());
      plan.execute(batch.systems(), batch.systems(), 0, own_values.data(), rhs.data(), x.data(), reports.data());
      x.copy_to(solved.x);
      reports.copy_to(solved.reports);
    }
    return solved;
  }

  [[nodiscard]] SystemBatch full_systems(index_t rows, index_t systems) const {
    SystemBatch batch{{{0}, {}}, {}, {}};
    std::mt19937 random(random_seed_);
    std::uniform_real_distribution<double> number(-1, 1);
    for (index_t place = 0; place < rows * rows; ++place) {
      batch.pattern.columns.push_back(static_cast<std::int32_t>(place % rows));
    }
    for (index_t row = 1; row <= rows; ++row) {
      batch.pattern.row_offsets.push_back(static_cast<std::int32_t>(row * rows));
    }
    for (index_t place = 0; place < systems * rows * rows; ++place) {
      const bool is_diagonal = place / rows % rows == place % rows;
      batch.values.push_back(number(random) + (is_diagonal ? 1.1 * static_cast<double>(rows) : 0));
    }
    for (index_t place = 0; place < systems * rows; ++place) {
      batch.rhs.push_back(number(random));
    }
    return batch;
  }

  /// All converged, with residuals, evaluated here, that meet the tolerance.
  void expect_solved(const SystemBatch& batch, const Solved& solved, double tolerance) {
    const auto rows = static_cast<std::size_t>(batch.rows());
    for (std::size_t system = 0; system < solved.reports.size(); ++system) {
      const Report& report = solved.reports[system];
      EXPECT_EQ(report.status, Status::converged) << "system " << system << ": " << to_string(report.status);
      long double squared = 0;
      for (std::size_t row = 0; row < rows; ++row) {
        long double r = batch.rhs[system * rows + row];
        for (auto entry = static_cast<std::size_t>(batch.pattern.row_offsets[row]);
             entry < static_cast<std::size_t>(batch.pattern.row_offsets[row + 1]); ++entry) {
          r -= static_cast<long double>(batch.values[system * batch.pattern.columns.size() + entry]) *
               solved.x[system * rows + static_cast<std::size_t>(batch.pattern.columns[entry])];
        }
        squared += r * r;
      }
      EXPECT_LE(std::sqrt(squared), 1.001L * tolerance * report.rhs_norm) << "system " << system;
    }
  }

  unsigned random_seed_ = std::random_device{}();
};

/// The bytes of CSR, but on a GPU, whose sub-groups share rows of CSR and not those of ELL, and where zeros of dense matrices
/// change which lane adds which products.
TEST_P(StorageTest, SolvesAreThoseOfCsr) {
  SCOPED_TRACE("seed " + std::to_string(random_seed_));
  for (const auto& [rows, entries] : std::vector<std::pair<index_t, test::EntriesOfARow>>{
           {1, {1, 1}}, {5, {1, 4}}, {16, {2, 6}}, {33, {20, 33}}, {70, {3, 12}}, {150, {1, 60}}}) {
    const SystemBatch batch = random_systems(Structure::general, rows, 21, random_seed_, 1, entries);
    for (const Storage storage : {Storage::ell, Storage::dense}) {
      for (const std::string& solver : dependable) {
        if (solver == "cg") {
          continue;
        }
        for (const std::string& preconditioner : preconditioner_names()) {
          if (preconditioner != "jacobi" && entries.most > 6) {
            continue;  // isai's work grows with the cube of a row's entries
          }
          for (const int team_size : GetParam().is_gpu() ? std::vector{0, 64} : std::vector{0}) {
            SCOPED_TRACE(testing::Message() << rows << " rows, " << solver << " with " << preconditioner << ", "
                                            << to_string(storage) << ", team size " << team_size);
            const Options options{.solver = solver, .preconditioner = preconditioner, .tolerance = 1e-9, .team_size = team_size};
            const Solved expected = solve_here(batch, options);
            const Solved solved = by_plan(batch, stored_as(storage, options));
            expect_solved(batch, solved, 1e-9);
            if (!GetParam().is_gpu()) {
              EXPECT_EQ(solved.x, expected.x);
            }
            expect_same_bytes(solved, solve_here(batch, stored_as(GetParam().is_host() ? Storage::csr : storage, options)));
          }
          if (!takes_preconditioner(solver)) {
            break;
          }
        }
      }
    }
  }
}

TEST_P(StorageTest, SymmetricAndTriangularOnes) {
  SCOPED_TRACE("seed " + std::to_string(random_seed_));
  const SystemBatch symmetric = random_systems(Structure::symmetric, 64, 30, random_seed_);
  const SystemBatch tridiagonal = test::tridiagonal(60, 30);
  for (const Storage storage : {Storage::ell, Storage::dense}) {
    for (const char* const preconditioner : {"jacobi", "none", "ilu"}) {
      expect_solved(symmetric, by_plan(symmetric, stored_as(storage, {.solver = "cg", .preconditioner = preconditioner})), 1e-6);
    }
    expect_solved(symmetric, by_plan(symmetric, stored_as(storage, {.solver = "gmres", .scaling = Scaling::automatic})), 1e-6);
    expect_solved(symmetric, by_plan(symmetric, stored_as(storage, {.tolerance = 1e-11, .inner_precision = Precision::f32})),
                  1e-11);
    expect_solved(tridiagonal, by_plan(tridiagonal, stored_as(storage, {.solver = "tridiagonal"})), 1e-6);
    expect_same_bytes(by_plan(symmetric, stored_as(storage, {.solver = "lu", .operation = Operation::transpose})),
                      solve_here(symmetric, {.solver = "lu", .operation = Operation::transpose}));
  }
}

/// Full patterns lie as CSR has them, and are summed in its order.
TEST_P(StorageTest, FullOnesAreTheSameBytes) {
  SCOPED_TRACE("seed " + std::to_string(random_seed_));
  for (const index_t rows : {3, 22, 40, 100}) {
    const SystemBatch batch = full_systems(rows, 9);
    ASSERT_EQ(choose_storage(batch.pattern), Storage::dense);
    for (const std::string solver : {"bicgstab", "gmres", "idr", "lu"}) {
      const Options options{.solver = solver, .tolerance = 1e-10, .team_size = scratch_team_size()};
      SCOPED_TRACE(testing::Message() << rows << " rows, " << solver);
      expect_solved(batch, by_plan(batch, stored_as(Storage::dense, options)), 1e-10);
      if (!GetParam().is_gpu() || solver != "bicgstab") {  // whose CSR has a kernel of its own there
        expect_same_bytes(by_plan(batch, stored_as(Storage::dense, options)), solve_here(batch, options));
      }
    }
  }
}

TEST_P(StorageTest, HistoriesRepeatedMatricesAndPieces) {
  SCOPED_TRACE("seed " + std::to_string(random_seed_));
  const SystemBatch batch = random_systems(Structure::general, 20, 7, random_seed_);
  constexpr std::size_t many = 3000;
  std::vector<double> rhs(many * 20);
  std::mt19937 random(random_seed_);
  std::generate(rhs.begin(), rhs.end(), [&] { return std::uniform_real_distribution<double>(-1, 1)(random); });
  const CsrBatch<double> matrices(batch.pattern, batch.values, static_cast<index_t>(many) / 2);
  for (const Storage storage : {Storage::ell, Storage::dense}) {
    const Options options = stored_as(storage, {.tolerance = 1e-8, .rhs_per_system = 2});
    std::vector<double> x(rhs.size(), 0);
    std::vector<double> history(many * 41);
    const std::vector<Report> reports =
        solve<double>(matrices, rhs, x, options, std::vector{GetParam()}, no_progress(), {.history = history});
    for (std::size_t i = 0; i < many; ++i) {
      ASSERT_EQ(reports[i].status, Status::converged) << i;
      const SystemBatch one{
          batch.pattern,
          {batch.values.begin() + static_cast<std::ptrdiff_t>(i / 2 % 7) * batch.pattern.entries(),
           batch.values.begin() + static_cast<std::ptrdiff_t>(i / 2 % 7 + 1) * batch.pattern.entries()},
          {rhs.begin() + static_cast<std::ptrdiff_t>(20 * i), rhs.begin() + static_cast<std::ptrdiff_t>(20 * i + 20)}};
      if (i % 100 == 0) {
        test::check_solution(one, 0, std::span(x).subspan(20 * i, 20), reports[i], 1e-8);
      }
      EXPECT_LE(history[i * 41 + static_cast<std::size_t>(reports[i].iterations)], 1e-8 * reports[i].rhs_norm);
    }
  }
}

TEST_P(StorageTest, IsTold) {
  const CsrPattern pattern = random_systems(Structure::general, 50, 1, 5, 1, {2, 9}).pattern;
  const auto told = [&](const Options& options) { return Plan<double>::describe(GetParam(), pattern, options); };
  EXPECT_EQ(told({}).find("storage"), std::string::npos);
  EXPECT_NE(told({.storage = Storage::ell}).find("values in ell storage; at least"), std::string::npos)
      << told({.storage = Storage::ell});
  const std::string direct = told({.solver = "sparse-lu", .storage = Storage::dense});
  EXPECT_EQ(direct.find("dense storage, put into the order of CSR;") != std::string::npos, !GetParam().is_host()) << direct;
  // 2500 values, 3 * 50 numbers and a report, where they are read as they lie.
  EXPECT_EQ(direct.find("at least 20.7 KiB") != std::string::npos, GetParam().is_host()) << direct;
}

INSTANTIATE_TEST_SUITE_P(Devices, StorageTest, testing::ValuesIn(test::devices()),
                         [](const auto& instance) { return test::test_name(instance.param); });

TEST(Storages, PlacesOfAPattern) {
  const CsrPattern pattern{{0, 2, 3, 3}, {0, 2, 1}};  // [[a, 0, b], [0, c, 0], [0, 0, 0]]
  const StoredPattern ell = stored_pattern(pattern, Storage::ell);
  EXPECT_EQ(ell.values, 6);
  EXPECT_EQ(ell.places, (std::vector<std::int32_t>{0, 3, 1}));
  EXPECT_EQ(ell.columns, (std::vector<std::int32_t>{0, 1, -1, 2, -1, -1}));
  const StoredPattern dense = stored_pattern(pattern, Storage::dense);
  EXPECT_EQ(dense.values, 9);
  EXPECT_EQ(dense.places, (std::vector<std::int32_t>{0, 2, 4}));
  EXPECT_TRUE(stored_pattern(pattern, Storage::csr).places.empty());
  const std::vector<double> values{1, 2, 3, 4, 5, 6};
  EXPECT_EQ(stored_values<double>(ell, 2, values), (std::vector<double>{1, 3, 0, 2, 0, 0, 4, 6, 0, 5, 0, 0}));
  EXPECT_EQ(stored_values<double>(stored_pattern(pattern, Storage::csr), 2, values), values);
  const CsrPattern empty{{0, 0, 0}, {}};
  EXPECT_EQ(stored_values<float>(stored_pattern(empty, Storage::ell), 2, {}), std::vector<float>(4, 0));
}

/// As EllBatch and DenseBatch have them.
TEST(Storages, LieAsFormatsSay) {
  const SystemBatch batch = random_systems(Structure::general, 17, 3, 11, 1, {1, 7});
  const CsrBatch<double> matrices = batch.matrix();
  const StoredPattern ell = stored_pattern(batch.pattern, Storage::ell);
  EXPECT_EQ(ell.columns, to_ell(matrices).columns);
  EXPECT_EQ(stored_values<double>(ell, 3, batch.values), to_ell(matrices).values);
  EXPECT_EQ(stored_values<double>(stored_pattern(batch.pattern, Storage::dense), 3, batch.values), to_dense(matrices).values);
}

/// The published formulas: dense n n, CSR nnz and its indices, ELL as many of each as padded rows have.
TEST(Storages, BytesOfABatch) {
  const CsrPattern pattern = Problem("stencil3:64", 1).pattern();
  EXPECT_EQ(stored_bytes(pattern, Storage::dense, 10, 8), 64U * 64 * 8 * 10);
  EXPECT_EQ(stored_bytes(pattern, Storage::csr, 10, 8), 190U * 8 * 10 + 190 * 4 + 65 * 4);
  EXPECT_EQ(stored_bytes(pattern, Storage::ell, 10, 8), 3U * 64 * 8 * 10 + 3 * 64 * 4);
  EXPECT_EQ(choose_storage(pattern), Storage::csr);
}

TEST(Storages, NamesAndLimits) {
  for (const std::string& name : storage_names()) {
    EXPECT_EQ(to_string(parse_storage(name)), name);
  }
  EXPECT_THROW(parse_storage("coo"), Error);
  CsrPattern wide;
  wide.row_offsets.assign(50001, 0);
  EXPECT_THROW(stored_pattern(wide, Storage::dense), Error);
  EXPECT_EQ(stored_pattern(wide, Storage::ell).values, 50000);
}

}  // namespace
}  // namespace phpc::batch
