#pragma once
#include "batch/math/flush_subnormals.hpp"
#include "batch/solver/cycle.hpp"
#include "batch/system/memory_context.hpp"

namespace phpc::batch {

/// The context and preconditioner of cycles in float, passed to MixedCycle in place of a preconditioner.
template <class InnerContext, class InnerPreconditioner>
struct InnerSystem {
  using Context = InnerContext;
  InnerContext& context;
  InnerPreconditioner& preconditioner;
};

/// A method whose cycles are computed in float, for systems of double: mixed-precision iterative refinement (Wilkinson 1963;
/// Higham, Accuracy and Stability, chapter 12), since team_solve_system() recomputes the residual in double after each cycle.
template <class Method>
struct MixedCycle {
  /// The least and the largest target of a cycle. Below the least, the recursive residual still falls while the true one is held
  /// up by float's rounding, and a new cycle gains more. Above the largest, a cycle might miss its target by its rounding errors.
  static constexpr double least_target = 0x1p-16;
  static constexpr double largest_target = 0.125;

  template <class Context, class Inner>
  [[nodiscard, gnu::always_inline]] static CycleResult<typename Context::Value> team_cycle(
      Context& context, Inner& inner, typename Context::Vector& r, typename Context::Vector& d,
      const CycleTask<typename Context::Value>& task) {
    using Value = typename Context::Value;
    using Low = typename Inner::Context::Value;
    context.barrier();  // both contexts leave their sums in the same scratch
    typename Inner::Context::Vector low_r = inner.context.vector(0);
    typename Inner::Context::Vector low_d = inner.context.vector(1);
    for (const int i : context.my_rows()) {
      low_r[i] = lanes_as<Low>(r[i]);
      low_d[i] = Low{};
    }
    [[maybe_unused]] const FlushSubnormals<float> flush;
    Value target = select<MaskOf<Value>, Value>(task.target < least_target, broadcast<Value>(least_target), task.target);
    target = select<MaskOf<Value>, Value>(target > largest_target, broadcast<Value>(largest_target), target);
    const CycleResult<Low> low = Method::team_cycle(
        inner.context, inner.preconditioner, low_r, low_d,
        CycleTask<Low>{lanes_as<Low>(target), lanes_as<CountOf<Low>>(task.cap), lanes_as<MaskOf<Low>>(task.active), task.number});
    for (const int i : context.my_rows()) {
      d[i] = lanes_as<Value>(low_d[i]);
    }
    return {lanes_as<CountOf<Value>>(low.iterations), lanes_as<CountOf<Value>>(low.end)};
  }
};

/// Bytes of a system's workspace that a team needs beside the placement, whose values are float: for r and d in double, and for
/// the matrix as float where it is not in scratch. A multiple of 16.
[[nodiscard, gnu::always_inline]] constexpr std::size_t mixed_bytes(index_t rows, index_t entries, bool matrix_in_scratch) {
  const index_t bytes =
      2 * rows * static_cast<index_t>(sizeof(double)) + (matrix_in_scratch ? 0 : entries * static_cast<index_t>(sizeof(float)));
  return static_cast<std::size_t>((bytes + 15) / 16 * 16);
}

}  // namespace phpc::batch
