// Preconditioners by themselves: M^-1 r in teams of odd sizes and in lanes of packs, against dense oracles.
#include <gtest/gtest.h>

#include <limits>

#include "batch/direct/tridiagonal_systems.hpp"
#include "batch/precond/any_preconditioner.hpp"
#include "batch/precond/preconditioner_oracle.hpp"
#include "batch/system/memory_context.hpp"
#include "batch/system/solve_job.hpp"
#include "support/devices.hpp"
#include "support/launch_in_team.hpp"

namespace phpc::batch {
namespace {

using test::DenseMatrix;
using test::DenseVector;
using test::equal_systems;
using test::random_systems;
using test::Structure;
using test::SystemBatch;

constexpr unsigned seed = 20261124;

/// x = M^-1 b, by two applications, the first of which leaves something to be overwritten.
template <int TeamSize>
struct ApplyKernel {
  static constexpr int team_size = TeamSize;
  using Scratch = exec::DynamicScratch;
  using Context = MemoryContext<double, TeamSize>;
  SolveJob<double> job;  ///< of whose placement preconditioner_stride is used

  [[gnu::always_inline]] void operator()(const exec::Team& team, Scratch& scratch) const {
    const index_t number = team.league_rank();
    const std::int32_t n = job.matrix.rows;
    auto& reductions = *reinterpret_cast<typename Context::Reductions*>(scratch.data);
    double* const vectors = reinterpret_cast<double*>(job.workspace) + number * (job.placement.preconditioner_stride + n);
    Context context(
        team, reductions,
        {n, job.matrix.entries, job.matrix.row_offsets, job.matrix.columns, job.matrix.values + number * job.matrix.entries},
        {nullptr, vectors, n, 0}, vectors + n, nullptr, job.rhs + number * n, job.x + number * n, job.table);
    typename Context::Vector r = context.vector(0);
    for (const int i : context.my_rows()) {
      r[i] = -3 * context.rhs(i);
    }
    AnyPreconditioner<Context> preconditioner(context);
    static_cast<void>(preconditioner.team_apply(context, r));
    for (const int i : context.my_rows()) {
      r[i] = context.rhs(i);
    }
    const typename Context::Vector& z = preconditioner.team_apply(context, r);
    for (const int i : context.my_rows()) {
      context.update_solution(i, z[i], true);
    }
  }
};

template <int TestedTeamSize>
std::vector<double> apply_in_teams(exec::Device device, const SystemBatch& batch, const PatternTable& table) {
  constexpr int TeamSize = test::kernel_team_size(TestedTeamSize);
  using Kernel = ApplyKernel<TeamSize>;
  const index_t systems = batch.systems();
  const index_t preparation_values =
      AnyPreconditioner<typename Kernel::Context>::workspace_size(batch.rows(), batch.pattern.entries(), table.data());
  const exec::Buffer<std::int32_t> row_offsets(device, std::span(batch.pattern.row_offsets));
  const exec::Buffer<std::int32_t> columns(device, std::span(batch.pattern.columns));
  const exec::Buffer<std::int32_t> device_table(device, std::span(table));
  const exec::Buffer<double> values(device, std::span(batch.values));
  const exec::Buffer<double> rhs(device, std::span(batch.rhs));
  exec::Buffer<double> x(device, std::span<const double>(std::vector<double>(batch.rhs.size(), 0.0)));
  exec::Buffer<std::byte> workspace(device, systems * (preparation_values + batch.rows()) * 8);
  Kernel kernel{};
  kernel.job.matrix = {systems,
                       systems,
                       0,
                       static_cast<std::int32_t>(batch.rows()),
                       static_cast<std::int32_t>(batch.pattern.entries()),
                       row_offsets.data(),
                       columns.data(),
                       values.data()};
  kernel.job.rhs = rhs.data();
  kernel.job.x = x.data();
  kernel.job.workspace = workspace.data();
  kernel.job.placement.preconditioner_stride = preparation_values;
  kernel.job.table = device_table.data();
  const exec::LaunchShape shape{.groups = systems,
                                .scratch_bytes = collective_bytes(device.kind(), TeamSize, sizeof(double)) + 16};
  test::launch_in_team(device, shape, TestedTeamSize, kernel);
  std::vector<double> result(batch.rhs.size());
  x.copy_to(result);
  return result;
}

/// The first systems of the batch, one in each lane.
std::vector<double> apply_in_lanes(const SystemBatch& batch, const PatternTable& table) {
  using Value = Pack<double>;
  using Context = MemoryContext<Value, 1>;
  const auto n = static_cast<std::size_t>(batch.rows());
  const auto entries = static_cast<std::size_t>(batch.pattern.entries());
  const std::size_t systems = std::min<std::size_t>(static_cast<std::size_t>(batch.systems()), lanes<Value>);
  std::vector<Value> values(entries);
  std::vector<Value> rhs(n);
  for (std::size_t lane = 0; lane < lanes<Value>; ++lane) {
    for (std::size_t i = 0; i < entries; ++i) {
      values[i][lane] = batch.values[lane % systems * entries + i];
    }
    for (std::size_t i = 0; i < n; ++i) {
      rhs[i][lane] = batch.rhs[lane % systems * n + i];
    }
  }
  std::vector<Value> preparation(
      static_cast<std::size_t>(AnyPreconditioner<Context>::workspace_size(batch.rows(), batch.pattern.entries(), table.data())));
  typename Context::Reductions unused;
  const exec::Team team(0, 1, 0, 1);
  Context context(team, unused,
                  {static_cast<std::int32_t>(n), static_cast<std::int32_t>(entries), batch.pattern.row_offsets.data(),
                   batch.pattern.columns.data(), values.data()},
                  {rhs.data(), nullptr, static_cast<std::int64_t>(n), 1}, preparation.data(), nullptr, rhs.data(), rhs.data(),
                  table.data());
  AnyPreconditioner<Context> preconditioner(context);
  const Context::Vector given = rhs.data();
  const Context::Vector& z = preconditioner.team_apply(context, given);
  std::vector<double> result(systems * n);
  for (std::size_t lane = 0; lane < systems; ++lane) {
    for (std::size_t i = 0; i < n; ++i) {
      result[lane * n + i] = z[i][lane];
    }
  }
  return result;
}

class PreconditionerTest : public testing::TestWithParam<exec::Device> {
 protected:
  /// `oracle(system)` is M^-1 b.
  template <class Oracle>
  void check(const SystemBatch& batch, const PatternTable& table, Oracle oracle) {
    SCOPED_TRACE(testing::Message() << "seed " << seed << ", " << batch.rows() << " rows");
    compare(batch, apply_in_teams<1>(GetParam(), batch, table), oracle, "a team of 1");
    compare(batch, apply_in_teams<3>(GetParam(), batch, table), oracle, "a team of 3");
    if (GetParam().is_gpu()) {  // where threads of a team have processors; elsewhere 32 of them show no more than three, slowly
      compare(batch, apply_in_teams<32>(GetParam(), batch, table), oracle, "a team of 32");
    }
    compare(batch, apply_in_lanes(batch, table), oracle, "lanes");
  }

  /// Blocks, ILU, ISAI and ILU-ISAI of the batch.
  void check_all(const SystemBatch& batch) {
    for (const int size : {1, 2, 5, 8, 32}) {
      SCOPED_TRACE(testing::Message() << "blocks of " << size);
      check(batch, block_jacobi_table(batch.pattern, {.block_size = size}), [&](index_t system) {
        return test::apply_blocks(batch.dense(system), batch.dense_rhs(system), static_cast<std::size_t>(size));
      });
    }
    {
      SCOPED_TRACE("ilu");
      check(batch, ilu_table(batch.pattern, {}), [&](index_t system) {
        return test::apply_factors(test::incomplete_factors(batch, system), batch.dense_rhs(system));
      });
    }
    {
      SCOPED_TRACE("isai");
      check(batch, isai_table(batch.pattern, {}), [&](index_t system) {
        return test::product(test::approximate_inverse(batch, batch.dense(system)), batch.dense_rhs(system));
      });
    }
    {
      SCOPED_TRACE("ilu-isai");
      check(batch, ilu_isai_table(batch.pattern, {}), [&](index_t system) {
        return test::apply_inverse_factors(batch, test::incomplete_factors(batch, system), batch.dense_rhs(system));
      });
    }
  }

 private:
  template <class Oracle>
  static void compare(const SystemBatch& batch, const std::vector<double>& got, Oracle oracle, const char* where) {
    const auto n = static_cast<std::size_t>(batch.rows());
    for (std::size_t system = 0; system < got.size() / n; ++system) {
      const DenseVector expected = oracle(static_cast<index_t>(system));
      DenseVector error = expected;
      for (std::size_t i = 0; i < n; ++i) {
        error[i] -= got[system * n + i];
      }
      // The matrices of these tests have conditions, and their eliminations growths, that come to less than 500 together.
      EXPECT_LE(test::norm(error), 500 * std::numeric_limits<double>::epsilon() * test::norm(expected))
          << where << ", system " << system;
    }
  }
};

TEST_P(PreconditionerTest, RandomPatterns) {
  for (const index_t rows : {1, 2, 3, 17, 40}) {
    check_all(random_systems(Structure::general, rows, 9, seed));
    check_all(random_systems(Structure::symmetric, rows, 3, seed + 1));
  }
}

TEST_P(PreconditionerTest, ChainsAndFullPatterns) {
  check_all(test::tridiagonal(33, 3));
  SystemBatch full = random_systems(Structure::general, 14, 3, seed);
  std::vector<double> matrix;
  for (std::size_t i = 0; i < 14 * 14; ++i) {
    matrix.push_back(i % 15 == 0 ? 20.0 : 1.0 + 0.1 * static_cast<double>(i * 7 % 11));
  }
  check_all(equal_systems(matrix, {full.rhs.begin(), full.rhs.begin() + 14}, 2));
}

TEST_P(PreconditionerTest, RowsThatNeedExchanges) {
  // Within each block the rows are turned round, by another number in each system.
  const SystemBatch source = random_systems(Structure::general, 5, 11, seed);
  SystemBatch batch = equal_systems(std::vector<double>(25, 1.0), {1, 2, 3, 4, 5}, 11);
  for (index_t system = 0; system < 11; ++system) {
    const DenseMatrix dense = source.dense(system);
    for (index_t row = 0; row < 5; ++row) {
      for (index_t column = 0; column < 5; ++column) {
        batch.values[batch.place(system, row, column)] =
            static_cast<double>(dense[static_cast<std::size_t>((row * 2 + system) % 5 * 5 + column)]);
      }
    }
  }
  check(batch, block_jacobi_table(batch.pattern, {.block_size = 5}),
        [&](index_t system) { return test::apply_blocks(batch.dense(system), batch.dense_rhs(system), 5); });
  check(batch, isai_table(batch.pattern, {}), [&](index_t system) {
    return test::product(test::approximate_inverse(batch, batch.dense(system)), batch.dense_rhs(system));
  });
}

TEST_P(PreconditionerTest, SingularBlocksAndPivotsThatAreZeroOrMissing) {
  // Rows 0 and 1 are a singular block, of two rows and with row 2 of three; the diagonal lacks rows 2 and 4.
  SystemBatch batch =
      equal_systems({1, 2, 0, 0, 1, 2, 4, 0, 0, 0, 0, 0, 0, 3, 0, 1, 0, 2, 5, 0, 0, 1, 0, 2, 0}, {1, 2, 3, 4, 5}, 2);
  batch.values[batch.place(1, 1, 1)] = 7;
  for (const int size : {2, 3}) {
    check(batch, block_jacobi_table(batch.pattern, {.block_size = size}), [&](index_t system) {
      return test::apply_blocks(batch.dense(system), batch.dense_rhs(system), static_cast<std::size_t>(size));
    });
  }
  check(batch, ilu_table(batch.pattern, {}),
        [&](index_t system) { return test::apply_factors(test::incomplete_factors(batch, system), batch.dense_rhs(system)); });
  check(batch, ilu_isai_table(batch.pattern, {}), [&](index_t system) {
    return test::apply_inverse_factors(batch, test::incomplete_factors(batch, system), batch.dense_rhs(system));
  });
  check(batch, isai_table(batch.pattern, {}), [&](index_t system) {
    return test::product(test::approximate_inverse(batch, batch.dense(system)), batch.dense_rhs(system));
  });
}

INSTANTIATE_TEST_SUITE_P(Devices, PreconditionerTest, testing::ValuesIn(test::devices()), test::DeviceName());

}  // namespace
}  // namespace phpc::batch
