// What the program tells of a solve's operations and accesses, against methods and preconditioners that run with numbers which
// count them.
#include "batch/work/solve_counts.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "batch/direct/tridiagonal_systems.hpp"
#include "batch/plan/method_rows.hpp"
#include "batch/solver/solve_system.hpp"
#include "batch/work/counting_context.hpp"
#include "support/linear_systems.hpp"

namespace phpc::batch {
namespace {

using test::Counted;
using test::CountingContext;
using test::Ledger;
using test::random_systems;
using test::Structure;
using test::SystemBatch;

constexpr unsigned counts_seed = 20261126;

/// What a solve did.
struct Observed {
  SolveCounts counts;
  index_t iterations = 0;
  int lone_sums = 0;
  int compensations = 0;
  int maxima = 0;
};

/// Solves the batch's first system from a guess of zero by `iterations` iterations, whatever residual they reach.
template <class Method, template <class> class Preconditioner, bool OneThread>
Observed observe(const SystemBatch& batch, const PatternTable& table, index_t iterations, Ledger::Again again) {
  using Context = CountingContext<OneThread>;
  const auto rows = static_cast<std::int32_t>(batch.rows());
  const auto entries = static_cast<std::int32_t>(batch.pattern.entries());
  constexpr int vectors = first_vector + Method::vectors;
  const index_t size = Preconditioner<Context>::workspace_size(rows, entries, table.data());
  const index_t work = Method::workspace_size(rows, table.data());
  std::vector<Counted> memory(static_cast<std::size_t>(vectors * rows + size + work));
  const std::vector<Counted> values(batch.values.begin(), batch.values.begin() + entries);
  const std::vector<Counted> b(batch.rhs.begin(), batch.rhs.begin() + rows);
  std::vector<Counted> x(static_cast<std::size_t>(rows));

  Ledger ledger;
  Observed observed;
  observed.counts.vectors.resize(vectors);
  for (int k = 0; k < vectors; ++k) {
    ledger.watch(memory.data() + k * rows, static_cast<std::size_t>(rows) * sizeof(Counted),
                 observed.counts.vectors[static_cast<std::size_t>(k)]);
  }
  Counted* const preparation = memory.data() + vectors * rows;
  ledger.watch(preparation, static_cast<std::size_t>(size) * sizeof(Counted), observed.counts.preparation, again);
  ledger.watch(preparation + size, static_cast<std::size_t>(work) * sizeof(Counted), observed.counts.work, Ledger::Again::yes);
  ledger.watch(values.data(), values.size() * sizeof(Counted), observed.counts.matrix);
  ledger.watch(b.data(), b.size() * sizeof(Counted), observed.counts.rhs);
  ledger.watch(x.data(), x.size() * sizeof(Counted), observed.counts.solution);

  const exec::Team team(0, 1, 0, 1);
  typename Context::Reductions reductions;
  Context context(team, reductions,
                  {rows, entries, batch.pattern.row_offsets.data(), batch.pattern.columns.data(), values.data()},
                  {nullptr, memory.data(), rows, 0}, preparation, preparation + size, b.data(), x.data(), table.data());
  Ledger::present = &ledger;
  Preconditioner<Context> preconditioner(context);
  const StopRule stop{0, ToleranceKind::relative_to_rhs, static_cast<std::int32_t>(iterations)};
  const Outcome<Counted> outcome = team_solve_system<Method>(context, preconditioner, stop, Counted(0.0), true);
  Ledger::present = nullptr;
  observed.counts.flops = ledger.flops;
  observed.iterations = outcome.iterations;
  observed.lone_sums = context.lone_sums;
  observed.compensations = context.compensations;
  observed.maxima = context.maxima;
  return observed;
}

/// What the program tells of the same solve.
SolveCounts told(const SystemBatch& batch, const Options& options, const PatternTable& table, index_t iterations,
                 bool one_thread) {
  const auto& method = method_named<double>(options.solver);
  SolveCounter counter(batch.pattern, table.data(), method.preconditioned, one_thread, method.vectors);
  count_solve(counter, counter, method.work, iterations);
  return counter.counts();
}

/// Compares the counts of a method with what it does. How often a method's own memory is touched is an estimate, and so is how
/// often a preconditioner's is while it is made.
template <class Method, bool OneThread = false>
void check(const SystemBatch& batch, const std::string& solver, index_t iterations) {
  const auto check_with = [&]<template <class> class P>(PreconditionerRow<P> row, bool is_estimated) {
    Options options{.solver = solver, .preconditioner = std::string(row.name), .block_size = 5};
    SCOPED_TRACE(solver + " with " + options.preconditioner + ", " + std::to_string(batch.rows()) + " rows, " +
                 std::to_string(batch.pattern.entries()) + " entries, " + std::to_string(iterations) + " iterations" +
                 (OneThread ? ", on one thread" : ""));
    const PatternTable table = pattern_table(options, batch.pattern);
    const Observed observed =
        observe<Method, P, OneThread>(batch, table, iterations, is_estimated ? Ledger::Again::yes : Ledger::Again::no);
    ASSERT_EQ(observed.iterations, iterations);
    SolveCounts counts = told(batch, options, table, iterations, OneThread);
    const auto rows = static_cast<double>(batch.rows());
    if (solver == "bicgstab") {  // which sums ||r||^2 where its recursion cancels
      const double again = observed.lone_sums - static_cast<double>(iterations) - 3;
      counts.flops += again * 2 * rows;
      counts.vectors[0] += again * rows;
    }
    // Where rounding asks for it, the residual's norm is computed again; where its square is too small, of scaled elements.
    counts.flops += observed.compensations * (4 * rows + 2) + observed.maxima * (3 * rows + 1);
    counts.vectors[0] += observed.compensations * 3 * rows + observed.maxima * 2 * rows;
    counts.vectors[1] += observed.compensations * rows;
    EXPECT_EQ(observed.counts.flops, counts.flops);
    if (solver == "lu") {  // which exchanges elements of r as pivots ask for it
      EXPECT_NEAR(observed.counts.vectors[0], counts.vectors[0], 4 * rows);
    } else if (!(OneThread && solver == "tridiagonal")) {  // whose loops do not tell where a row begins
      EXPECT_EQ(observed.counts.vectors, counts.vectors);
    }
    EXPECT_EQ(observed.counts.rhs, counts.rhs);
    EXPECT_EQ(observed.counts.solution, counts.solution);
    if (!is_estimated) {
      EXPECT_EQ(observed.counts.matrix, counts.matrix);
      EXPECT_EQ(observed.counts.preparation, counts.preparation);
    } else {
      EXPECT_NEAR(observed.counts.preparation, counts.preparation, 0.2 * observed.counts.preparation);
    }
    EXPECT_NEAR(observed.counts.work, counts.work, 0.1 * observed.counts.work + 4 * rows);
  };
  if constexpr (Method::preconditioned) {
    for_each_plain_preconditioner([&](auto row) { check_with(row, false); });
    for_each_general_preconditioner([&](auto row) { check_with(row, true); });
  } else {
    check_with(PreconditionerRow<IdentityPreconditioner>{"none"}, false);
  }
}

/// Random systems, and how many iterations a method is to do of them.
struct Draws {
  std::mt19937 random;
  index_t draw(index_t least, index_t most) { return std::uniform_int_distribution<index_t>(least, most)(random); }
  SystemBatch general() { return random_systems(Structure::general, draw(8, 60), 1, static_cast<unsigned>(random())); }
  SystemBatch symmetric() { return random_systems(Structure::symmetric, draw(8, 60), 1, static_cast<unsigned>(random())); }
};

struct CheckedMethod {
  std::string name;
  void (*check)(Draws& draws, const std::string& name);
};

/// Each method, in a team and on one thread. Iterations are few, so that residuals are far from rounding errors.
template <class Method>
CheckedMethod iterative(const std::string& name) {
  return {name, [](Draws& draws, const std::string& own_name) {
            const bool is_symmetric = own_name == "cg" || own_name == "steepest-descent";
            const SystemBatch batch = is_symmetric ? draws.symmetric() : draws.general();
            check<Method>(batch, own_name, draws.draw(1, 5));
            check<Method, true>(batch, own_name, draws.draw(1, 5));
          }};
}
const std::vector<CheckedMethod> checked_methods{
    iterative<BiCgStab>("bicgstab"),
    iterative<ConjugateGradients>("cg"),
    iterative<Gmres>("gmres"),
    iterative<Idr>("idr"),
    iterative<Richardson>("richardson"),
    {"lu",  // in a team it looks for pivots among the bits of numbers, which Counted does not show
     [](Draws& draws, const std::string& name) { check<DenseLu, true>(draws.general(), name, draws.draw(1, 2)); }},
    {"sparse-lu",
     [](Draws& draws, const std::string& name) {
       check<SparseLu>(draws.general(), name, draws.draw(1, 2));
       check<SparseLu, true>(draws.general(), name, draws.draw(1, 2));
     }},
    {"tridiagonal",
     [](Draws& draws, const std::string& name) {
       check<Tridiagonal>(test::tridiagonal(draws.draw(8, 70), 1), name, draws.draw(1, 2));
       check<Tridiagonal, true>(test::tridiagonal(draws.draw(8, 70), 1), name, draws.draw(1, 2));
     }},
    {"lower",
     [](Draws& draws, const std::string& name) {
       check<LowerTriangularSolve>(test::triangle_of(draws.general(), test::Half::lower), name, draws.draw(1, 2));
     }},
    {"upper",
     [](Draws& draws, const std::string& name) {
       check<UpperTriangularSolve>(test::triangle_of(draws.general(), test::Half::upper), name, draws.draw(1, 2));
     }},
};

TEST(SolveCounts, MethodsDoWhatIsTold) {
  RecordProperty("seed", std::to_string(counts_seed));
  Draws draws{std::mt19937(counts_seed)};
  for (const std::string& name : solver_names()) {
    const auto found = std::find_if(checked_methods.begin(), checked_methods.end(),
                                    [&](const CheckedMethod& method) { return method.name == name; });
    ASSERT_NE(found, checked_methods.end()) << name << " is not checked here";
    for (int round = 0; round < 4; ++round) {
      found->check(draws, name);
    }
  }
}

TEST(SolveCounts, EachRestartIsACycle) {
  // GMRES begins anew after 20 iterations, which leave something to do where the condition is 81.
  Draws draws{std::mt19937(counts_seed)};
  SystemBatch batch = test::tridiagonal(200, 1);
  for (index_t row = 0; row < 200; ++row) {
    batch.values[batch.place(0, row, row)] = 2.05;
  }
  const index_t iterations = 20 + draws.draw(1, 20);
  const Options options{.solver = "gmres", .preconditioner = "none"};
  const PatternTable table = pattern_table(options, batch.pattern);
  const Observed observed = observe<Gmres, IdentityPreconditioner, false>(batch, table, iterations, Ledger::Again::no);
  ASSERT_EQ(observed.iterations, iterations);
  const SolveCounts counts = told(batch, options, table, iterations, false);
  EXPECT_EQ(observed.counts.flops, counts.flops);
  EXPECT_EQ(observed.counts.vectors, counts.vectors);
}

}  // namespace
}  // namespace phpc::batch
