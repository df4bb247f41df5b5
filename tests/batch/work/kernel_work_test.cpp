// What models of kernels tell of scratch, against contexts that run with numbers which count their accesses; and where placements
// send what methods do.
#include "batch/work/kernel_work.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "batch/direct/tridiagonal_systems.hpp"
#include "batch/mixed/chunk_cycle.hpp"
#include "batch/plan/method_rows.hpp"
#include "batch/registers/chunk_context.hpp"
#include "batch/registers/register_context.hpp"
#include "batch/slices/slice_context.hpp"
#include "batch/solver/solve_system.hpp"
#include "batch/work/counted_number.hpp"
#include "support/linear_systems.hpp"

namespace phpc::batch {
namespace {

using test::Counted;
using test::Ledger;
using test::SystemBatch;

constexpr unsigned system_seed = 20261126;
constexpr index_t iterations_done = 4;

SolveCounts counts_of(const SystemBatch& batch, const Options& options) {
  const auto& method = method_named<double>(options.solver);
  const PatternTable table = pattern_table(options, batch.pattern);
  SolveCounter counter(batch.pattern, table.data(), method.preconditioned, false, method.vectors);
  count_solve(counter, counter, method.work, iterations_done);
  return counter.counts();
}
KernelSystem system_of(const SystemBatch& batch) {
  return {batch.rows(), batch.pattern.entries(), batch.pattern.entries(), sizeof(double)};
}
/// A method whose cycles end after one iteration.
template <class Method>
struct CycleOfOne : Method {
  template <class Context, class Preconditioner>
  static CycleResult<typename Context::Value> team_cycle(Context& context, Preconditioner& preconditioner,
                                                         typename Context::Vector& r, typename Context::Vector& d,
                                                         CycleTask<typename Context::Value> task) {
    task.cap = 1;
    return Method::team_cycle(context, preconditioner, r, d, task);
  }
};
std::vector<Counted> counted(const std::vector<double>& numbers) {
  return {numbers.begin(), numbers.end()};
}

/// Solves by that many iterations; `load` gives the context its matrix. What the context's scratch is touched is counted.
template <class Method, template <class> class Preconditioner, class Context, class Load>
double scratch_bytes_of(Context& context, Ledger& ledger, const double& touched, Load load,
                        index_t iterations = iterations_done) {
  Ledger::present = &ledger;
  load();
  Preconditioner<Context> preconditioner(context);
  const StopRule stop{0, ToleranceKind::relative_to_rhs, static_cast<std::int32_t>(iterations)};
  const Outcome<Counted> outcome = team_solve_system<Method>(context, preconditioner, stop, Counted(0.0), true);
  Ledger::present = nullptr;
  EXPECT_EQ(outcome.iterations, iterations);
  return sizeof(double) * touched;
}

/// A 3-point stencil in registers, all of whose rows one thread has.
template <class Method, template <class> class Preconditioner>
void check_registers(const Options& options) {
  constexpr RegisterShape shape{RowStorage::packed, 3, 8, 2};
  using Context = RegisterContext<Counted, shape>;
  const SystemBatch batch = test::tridiagonal(shape.rows(), 1);
  const std::vector<SlotSource> sources = slot_sources(batch.pattern, shape);
  const std::vector<Counted> values = counted(batch.values);
  const std::vector<Counted> b = counted(batch.rhs);
  std::vector<Counted> x(b.size());
  const index_t staged_values = Context::Places::values(static_cast<index_t>(values.size()));
  std::vector<Counted> scratch(static_cast<std::size_t>(Context::fixed_values + staged_values));
  Ledger ledger;
  double touched = 0;
  ledger.watch(scratch.data(), scratch.size() * sizeof(Counted), touched, Ledger::Again::yes);
  const exec::Team team(0, 1, 0, 1);
  Context context(team, scratch.data(), static_cast<std::int32_t>(batch.rows()), b.data(), x.data());
  const double bytes = scratch_bytes_of<Method, Preconditioner>(context, ledger, touched, [&] {
    Counted* const staged = scratch.data() + Context::fixed_values;
    std::copy(values.begin(), values.end(), staged + context.places().place(1));
    context.load(sources.data(), staged);
  });
  const Work work = registers_work(system_of(batch), counts_of(batch, options), shape);
  EXPECT_NEAR(work.scratch_bytes, bytes, 0.05 * bytes) << options.solver << " with " << options.preconditioner;
}

TEST(KernelWork, RegistersMoveOperandsThroughScratchAndNoVectors) {
  check_registers<ConjugateGradients, IdentityPreconditioner>({.solver = "cg", .preconditioner = "none"});
  check_registers<BiCgStab, JacobiPreconditioner>({.solver = "bicgstab", .preconditioner = "jacobi"});
}

/// What a solve in the chunk of one thread touches of scratch.
template <class Method, template <class> class Preconditioner, RegisterShape Shape>
double chunks_scratch_bytes(const SystemBatch& batch, index_t iterations) {
  using Context = ChunkContext<Counted, Shape>;
  const std::vector<Counted> values = counted(batch.values);
  const std::vector<Counted> b = counted(batch.rhs);
  std::vector<Counted> x(b.size());
  std::vector<Counted> scratch(static_cast<std::size_t>(Context::scratch_values));
  Ledger ledger;
  double touched = 0;
  ledger.watch(scratch.data(), scratch.size() * sizeof(Counted), touched, Ledger::Again::yes);
  const exec::Team team(0, 1, 0, 1);
  Context context(team, scratch.data(), static_cast<std::int32_t>(batch.rows()));
  const double bytes = scratch_bytes_of<Method, Preconditioner>(
      context, ledger, touched, [&] { context.load(values.data(), b.data(), x.data()); }, iterations);
  return bytes + sizeof(double) * static_cast<double>(batch.rows());  // x, on its way out
}

/// A 3-point stencil in the chunk of one thread.
template <class Method, template <class> class Preconditioner>
void check_chunks(const Options& options) {
  constexpr RegisterShape shape{RowStorage::chunks, 3, 4, 16};
  const SystemBatch batch = test::tridiagonal(shape.rows(), 1);
  const double bytes = chunks_scratch_bytes<Method, Preconditioner, shape>(batch, iterations_done);
  const Work work = chunks_work(system_of(batch), counts_of(batch, options), shape, 0);
  EXPECT_NEAR(work.scratch_bytes, bytes, 0.03 * bytes) << options.solver << " with " << options.preconditioner;
}

/// The same with cycles that have the matrix in registers, in numbers of the same kind.
template <class Method, template <class> class Preconditioner>
void check_chunk_cycles(const Options& options) {
  constexpr RegisterShape shape{RowStorage::chunks, 3, 4, 16};
  const SystemBatch batch = test::tridiagonal(shape.rows(), 1);
  const auto& method = method_named<double>(options.solver);
  const PatternTable table = pattern_table(options, batch.pattern);
  SolveCounter outer(batch.pattern, table.data(), true, false, first_vector);
  SolveCounter inner(batch.pattern, table.data(), true, false, method.vectors);
  constexpr index_t cycles = 2;
  count_solve(outer, inner, method.work, cycles, cycles);
  Work work = chunk_cycles_work(system_of(batch), inner.counts(), shape, cycles, sizeof(double));
  work += chunks_work(system_of(batch), outer.counts(), shape, 0);
  using Cycle = ChunkCycle<CycleOfOne<Method>, Preconditioner, Counted>;
  const double bytes = chunks_scratch_bytes<Cycle, IdentityPreconditioner, shape>(batch, cycles);
  EXPECT_NEAR(work.scratch_bytes, bytes, 0.03 * bytes) << options.solver << " with " << options.preconditioner;
}

TEST(KernelWork, CyclesInChunksReadTheMatrixOnce) {
  check_chunk_cycles<ConjugateGradients, IdentityPreconditioner>({.solver = "cg", .preconditioner = "none"});
  check_chunk_cycles<BiCgStab, JacobiPreconditioner>({.solver = "bicgstab", .preconditioner = "jacobi"});
}

TEST(KernelWork, ChunksReadTheMatrixInScratch) {
  check_chunks<ConjugateGradients, IdentityPreconditioner>({.solver = "cg", .preconditioner = "none"});
  check_chunks<ConjugateGradients, JacobiPreconditioner>({.solver = "cg", .preconditioner = "jacobi"});
  check_chunks<BiCgStab, IdentityPreconditioner>({.solver = "bicgstab", .preconditioner = "none"});
  check_chunks<BiCgStab, JacobiPreconditioner>({.solver = "bicgstab", .preconditioner = "jacobi"});
}

/// Random rows in slices, with so much room for values in scratch.
template <class Method, template <class> class Preconditioner>
void check_slices(const Options& options, std::int32_t room) {
  constexpr int rows = 12;
  constexpr int slots = 3;
  using Context = SliceContext<Counted, rows, slots, true>;
  const SystemBatch batch = test::random_systems(test::Structure::general, rows, 1, system_seed, 1, {3, 12});
  const SliceLayout layout = slice_layout(batch.pattern, {rows, slots, 1, true}, 1, sizeof(double), room);
  const SliceTables tables{layout.positions.data(), layout.register_columns.data(),
                           layout.slices.data(),    layout.scratch_columns.data(),
                           layout.places.data(),    layout.columns.data(),
                           layout.pads.data(),      static_cast<std::int32_t>(layout.pads.size()),
                           layout.slices.back(),    layout.staged_slots,
                           layout.tail_shift,       layout.row_shift};
  const std::vector<Counted> values = counted(batch.values);
  const std::vector<Counted> b = counted(batch.rhs);
  std::vector<Counted> x(b.size());
  std::vector<Counted> sums(static_cast<std::size_t>(TeamSums<Counted>::scratch_values(1)));
  std::vector<Counted> scratch(static_cast<std::size_t>(rows + layout.register_values() + layout.scratch_values()));
  Ledger ledger;
  double touched = 0;
  ledger.watch(scratch.data(), scratch.size() * sizeof(Counted), touched, Ledger::Again::yes);
  const exec::Team team(0, 1, 0, 1);
  Context context(team, tables, values.data(), sums.data(), scratch.data(), b.data(), x.data());
  const double bytes = scratch_bytes_of<Method, Preconditioner>(context, ledger, touched, [&] {
    context.rows().team_load(static_cast<std::int32_t>(values.size()), scratch.data(), scratch.data() + rows);
  });
  const Work work = slices_work(system_of(batch), counts_of(batch, options), layout, sizeof(double));
  // A lane loads four or eight operands at a time, although fewer may be left of a row; those are not counted.
  EXPECT_NEAR(work.scratch_bytes, bytes, 0.2 * bytes) << options.solver << ", room for " << room;
  EXPECT_EQ(room == 0, layout.tail_shift >= 0);
}

TEST(KernelWork, SlicesMoveOperandsAndPartOfTheMatrixThroughScratch) {
  for (const std::int32_t room : {0, 100000}) {
    check_slices<BiCgStab, JacobiPreconditioner>({.solver = "bicgstab", .preconditioner = "jacobi"}, room);
  }
}

TEST(KernelWork, WhatIsNotInScratchGoesThroughCaches) {
  const SystemBatch batch = test::random_systems(test::Structure::general, 50, 1, system_seed);
  const Options options{.solver = "bicgstab", .preconditioner = "ilu"};
  const SolveCounts counts = counts_of(batch, options);
  const KernelSystem system = system_of(batch);
  Placement placement;
  Work before = teams_work(system, counts, placement, true);
  EXPECT_EQ(before.scratch_bytes, 0);
  for (const double vector : counts.vectors) {
    ++placement.vectors_in_scratch;
    const Work work = teams_work(system, counts, placement, true);
    EXPECT_EQ(work.scratch_bytes - before.scratch_bytes, 8 * vector);
    EXPECT_EQ(before.cache_bytes - work.cache_bytes, 8 * vector);
    before = work;
  }
  placement.preconditioner = Memory::scratch;
  placement.matrix = Memory::scratch;
  const Work all = teams_work(system, counts, placement, true);
  const double entries = static_cast<double>(batch.pattern.entries());
  EXPECT_EQ(before.cache_bytes - all.cache_bytes, 8 * (counts.preparation + counts.matrix - entries)) << "staged once";
  EXPECT_EQ(all.scratch_bytes - before.scratch_bytes, 8 * (counts.preparation + counts.matrix + entries));
  const Work on_host = teams_work(system, counts, placement, false);
  EXPECT_EQ(on_host.scratch_bytes, 0) << "scratch is ordinary memory";
  EXPECT_EQ(on_host.cache_bytes, all.cache_bytes + all.scratch_bytes);
}

}  // namespace
}  // namespace phpc::batch
