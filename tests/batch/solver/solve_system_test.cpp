// What is around the cycles of a method, in a context whose lanes are not all valid.
#include "batch/solver/solve_system.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "batch/precond/identity.hpp"
#include "batch/solver/cg.hpp"
#include "batch/system/memory_context.hpp"

namespace phpc::batch {
namespace {

using Value = Pack<double>;
using Context = MemoryContext<Value, 1>;

/// Solves 2 x = b, a row in each lane, of which the even lanes are valid, and returns x.
Value solve_even_lanes(double b, double guess) {
  const std::int32_t row_offsets[] = {0, 1};
  const std::int32_t column = 0;
  const Value two = broadcast<Value>(2.0);
  const Value rhs = broadcast<Value>(b);
  Value x = broadcast<Value>(guess);
  std::vector<Value> vectors(static_cast<std::size_t>(first_vector + ConjugateGradients::vectors));
  typename Context::Reductions unused;
  const exec::Team team(0, 1, 0, 1);
  Context context(team, unused, {1, 1, row_offsets, &column, &two},
                  {vectors.data(), nullptr, 1, static_cast<int>(vectors.size())}, nullptr, nullptr, &rhs, &x);
  IdentityPreconditioner<Context> preconditioner(context);
  MaskOf<Value> valid{};
  for (int lane = 0; lane < lanes<Value>; lane += 2) {
    valid[lane] = -1;
  }
  const StopRule stop{1e-10, ToleranceKind::relative_to_rhs, 10};
  static_cast<void>(team_solve_system<ConjugateGradients>(context, preconditioner, stop, broadcast<Value>(1e-10), valid));
  return x;
}

TEST(SolveSystem, LeavesLanesAloneThatAreNotValid) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Value solved = solve_even_lanes(6, 1);
  const Value trivial = solve_even_lanes(0, 1);
  const Value not_finite = solve_even_lanes(6, nan);
  for (int lane = 0; lane < lanes<Value>; ++lane) {
    const bool is_valid = lane % 2 == 0;
    EXPECT_EQ(solved[lane], is_valid ? 3 : 1) << lane;
    EXPECT_EQ(trivial[lane], is_valid ? 0 : 1) << lane;
    EXPECT_EQ(std::isnan(not_finite[lane]), !is_valid) << lane;
  }
}

}  // namespace
}  // namespace phpc::batch
