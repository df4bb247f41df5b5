#pragma once
#include <cstdint>
#include <limits>

#include "batch/math/value.hpp"
#include "phpc/core/types.hpp"

namespace phpc::batch {

/// Why a cycle of a method ended.
enum class CycleEnd : std::int32_t { converged, iteration_cap, breakdown, not_finite };

/// For how many team sizes a method has plain kernels (teams/team_sizes.hpp).
enum class KernelSizes { none, few, all };

/// What one cycle of a method is asked for. A cycle solves A d = r from d = 0, where 1 <= ||r|| < 2, until the method's own
/// (recursive) residual is at most `target`, `cap` iterations are done, or the method cannot go on. Its caller scales r, adds d
/// to x, recomputes the true residual and decides about another cycle; so no method has thresholds that depend on the size of b.
///
/// A method is a class with
///   vectors                      how many vectors it needs beside r and d, which it takes as context.vector(first_vector + k)
///   preconditioned               whether it takes a preconditioner; the identity is passed otherwise
///   plain_kernels                the team sizes of its plain kernels (teams/team_sizes.hpp)
///   workspace_size(rows, table)  how many values of context.work() it needs
///   accepts(row, column)         whether a matrix may have an entry there
///   team_cycle(context, preconditioner, r, d, task)
/// and, where it has factors that may be kept from one solve to the next (KeepsFactors),
///   team_factorise(context)                   makes the factors in context.work()
///   workspace_size_with_factors(rows, table)  how many values of context.work() a solve with kept factors needs
template <class Value>
struct CycleTask {
  RealOf<Value> target;
  CountOf<Value> cap;
  MaskOf<Value> active;  ///< the lanes that are solved; d of all others is ignored
  int number;            ///< 0 for a system's first cycle
};

/// What a cycle did, lane by lane.
template <class Value>
struct CycleResult {
  CountOf<Value> iterations{};
  CountOf<Value> end{};  ///< a CycleEnd

  /// Ends the active lanes where the mask holds, and takes them out of `active`.
  [[gnu::always_inline]] void finish(MaskOf<Value>& active, MaskOf<Value> mask, CycleEnd why) {
    mask = mask_and(active, mask);
    assign(end, mask, static_cast<int>(why));
    active = mask_and(active, mask_not(mask));
  }
};

template <class Method>
concept KeepsFactors = requires(index_t rows, const std::int32_t* table) { Method::workspace_size_with_factors(rows, table); };

/// The result of a direct method's cycle: one iteration, after which the active lanes of `solved` have converged and the others
/// have broken down.
template <class Value>
[[nodiscard, gnu::always_inline]] inline CycleResult<Value> direct_result(MaskOf<Value> active, MaskOf<Value> solved) {
  CycleResult<Value> result;
  add_one(result.iterations, active);
  result.finish(active, mask_not(solved), CycleEnd::breakdown);
  result.finish(active, solved, CycleEnd::converged);
  return result;
}

/// Whether value_of(i) is finite for all elements i of a vector, in whichever thread.
template <class Context, class ValueOf>
[[nodiscard, gnu::always_inline]] inline MaskOf<typename Context::Value> team_all_finite(Context& context, ValueOf value_of) {
  using Value = RealOf<typename Context::Value>;
  Value failed{};
  for (const int i : context.my_rows()) {
    failed += select(finite(value_of(i)), Value{}, broadcast<Value>(1));
  }
  context.team_sum(failed);
  return failed == Value{};
}

/// Number of the first vector of a context that is the method's own: vectors 0 and 1 are r and d.
inline constexpr int first_vector = 2;

/// The norm of a residual, about 1 at the start of a cycle, beyond which the cycle counts as broken down: rounding errors of
/// residuals larger than 1 / epsilon exceed the one that the cycle began with.
template <class T>
inline constexpr T growth_limit = T{1} / std::numeric_limits<T>::epsilon();

/// The magnitude below which a dot product of two unit vectors is rounding error.
template <class T>
inline constexpr T orthogonality_limit = std::numeric_limits<T>::epsilon();

}  // namespace phpc::batch
