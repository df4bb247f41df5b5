#pragma once
#include "batch/math/value.hpp"
#include "batch/solver/cycle.hpp"
#include "batch/system/solve_job.hpp"
#include "batch/system/system_context.hpp"

namespace phpc::batch {

/// What is reported of a system, lane by lane; Value is real.
template <class Value>
struct Outcome {
  Value residual_norm;
  Value rhs_norm;
  CountOf<Value> iterations;
  CountOf<Value> status;  ///< a Status
};

/// The system in whose units a residual's elements are meant: the given one, or the scaled one that is solved.
enum class Units { original, as_solved };

template <Units In, class Context>
[[nodiscard, gnu::always_inline]] inline typename Context::Value element_of(const Context& context,
                                                                            const typename Context::Vector& vector, int i) {
  if constexpr (In == Units::original) {
    return context.unscaled(i, vector[i]);
  } else {
    return vector[i];
  }
}

/// The Euclidean norm of a vector; NaN if any element is NaN or infinite. Where the sum of squares leaves the range that is safe
/// from overflow and underflow, elements are first scaled by a power of two, which changes no bit of other results. `others` are
/// summed over the team with it.
template <Units In = Units::original, class Context, class... Others>
[[nodiscard, gnu::always_inline]] inline RealOf<typename Context::Value> team_norm(Context& context,
                                                                                   const typename Context::Vector& vector,
                                                                                   Others&... others) {
  using Value = RealOf<typename Context::Value>;
  using Limits = std::numeric_limits<ScalarOf<Value>>;
  constexpr ScalarOf<Value> low = Limits::min() / Limits::epsilon();
  constexpr ScalarOf<Value> high = Limits::max() * Limits::epsilon();
  Value squared{};
  for (const int i : context.my_rows()) {
    squared += squared_magnitude(element_of<In>(context, vector, i));
  }
  context.team_sum(squared, others...);
  const MaskOf<Value> safe = mask_and(squared > low, squared < high);
  Value unit = broadcast<Value>(1);
  if (context.any(mask_not(safe))) {
    Value largest{};
    for (const int i : context.my_rows()) {
      const Value size = magnitude(element_of<In>(context, vector, i));
      largest = largest < size ? size : largest;  // a NaN is left to the sum
    }
    context.team_maximum(largest);
    const Value power = power_of_two(largest);
    const Value inverse = ScalarOf<Value>{1} / power;
    Value scaled{};
    for (const int i : context.my_rows()) {
      scaled += squared_magnitude(element_of<In>(context, vector, i) * inverse);
    }
    context.team_sum(scaled);
    squared = select(safe, squared, scaled);
    unit = select(safe, unit, power);
  }
  return unit * square_root(squared);
}

/// Adds 0 * p to r, so that an infinite element of p makes r not finite even where its column of A is empty.
template <class Context>
[[gnu::always_inline]] inline void propagate_not_finite(const Context& context, const typename Context::Vector& p,
                                                        typename Context::Vector& r) {
  for (const int i : context.my_rows()) {
    r[i] += ScalarOf<typename Context::Value>{0} * p[i];
  }
}

/// r = b - A p; returns its norm. Where rounding may have changed the norm by more than a 16th of itself or of `accepted`, r is
/// evaluated again by compensated sums. Systems that are not ill-conditioned need one evaluation, with two operations an entry in
/// place of nine.
template <class Context>
[[nodiscard, gnu::always_inline]] inline RealOf<typename Context::Value> team_true_residual(
    Context& context, const typename Context::Vector& p, typename Context::Vector& r, RealOf<typename Context::Value> accepted) {
  using Value = RealOf<typename Context::Value>;
  constexpr ScalarOf<Value> share = 8 * std::numeric_limits<ScalarOf<Value>>::epsilon();
  const Value unit = select(accepted > Value{}, accepted, broadcast<Value>(1));
  Value squared = context.team_residual(p, r, unit);
  context.team_sum(squared);
  propagate_not_finite(context, p, r);
  Value norm = team_norm(context, r);
  const MaskOf<Value> doubtful = mask_not(share * square_root(squared) * unit <= select(norm > accepted, norm, accepted));
  if (context.any(doubtful)) {
    context.team_compensated_residual(p, r, doubtful);
    propagate_not_finite(context, p, r);
    norm = select(doubtful, team_norm(context, r), norm);
  }
  return norm;
}

/// The status of a system whose last cycle ended with `end` and made too little progress.
template <class Count>
[[nodiscard, gnu::always_inline]] inline Count status_after(Count end) {
  Count status = Count{} + static_cast<int>(Status::not_finite);
  assign(status, end == static_cast<int>(CycleEnd::converged), static_cast<int>(Status::stagnated));
  assign(status, end == static_cast<int>(CycleEnd::iteration_cap), static_cast<int>(Status::max_iterations));
  assign(status, end == static_cast<int>(CycleEnd::breakdown), static_cast<int>(Status::breakdown));
  return status;
}

/// The norm that a cycle of a scaled system is to reach, where in the given system's units the residual is to come down from
/// `best` to `accepted`: the residual as solved is reduced by the same factor, or by 8, so that the cycle counts as progress.
template <class Value>
[[nodiscard, gnu::always_inline]] inline Value scaled_target(Value accepted, Value best, Value best_as_solved) {
  constexpr auto progress = static_cast<ScalarOf<Value>>(0.125);
  const Value part = accepted / best;
  return best_as_solved * select<MaskOf<Value>, Value>(part < progress, part, broadcast<Value>(progress));
}

/// Whether a cycle's target means something to the method: not to direct ones.
template <class Method>
concept HasTarget = requires { requires Method::preconditioned; };

/// One attempt of team_solve_system(). Without `evaluate_residual`, the first residual is taken to be b where all guesses are
/// zero; if the first cycle then ends in numbers that are not finite, the attempt returns false, since only an evaluated residual
/// tells whether A's numbers are.
template <class Method, class Context, class Preconditioner>
[[nodiscard, gnu::always_inline]] inline bool team_attempt(Context& context, Preconditioner& preconditioner, const StopRule& stop,
                                                           RealOf<typename Context::Value> tolerance,
                                                           MaskOf<typename Context::Value> valid, bool evaluate_residual,
                                                           Outcome<RealOf<typename Context::Value>>& outcome) {
  using Element = typename Context::Value;
  using Value = RealOf<Element>;
  using Scalar = ScalarOf<Value>;
  using Mask = MaskOf<Value>;
  using Count = CountOf<Value>;
  typename Context::Vector r = context.vector(0);
  typename Context::Vector d = context.vector(1);

  Value guessed{};
  for (const int i : context.my_rows()) {
    r[i] = context.rhs(i);
    d[i] = context.guess(i);
    guessed += select(is_zero(d[i]), Value{}, broadcast<Value>(1));
  }
  const Value rhs_norm = team_norm(context, r, guessed);
  const bool from_zero = !evaluate_residual && stop.max_iterations > 0 && !context.any(mask_not(guessed == Value{}));
  const Mask trivial = stop.kind == ToleranceKind::relative_to_rhs ? rhs_norm == Value{} : mask_of<Value>(false);
  const Value known = stop.kind == ToleranceKind::relative_to_rhs ? tolerance * rhs_norm
                      : stop.kind == ToleranceKind::absolute      ? tolerance
                                                                  : Value{};
  const Value initial = from_zero ? rhs_norm : team_true_residual(context, d, r, known);
  const Mask not_finite = mask_and(mask_not(finite(initial)), mask_not(trivial));
  // Lanes that are not valid may repeat a system whose x another lane is writing, and so have seen a mixture of two iterates.
  const Mask cleared = mask_and(valid, mask_or(not_finite, trivial));
  for (const int i : context.my_rows()) {
    context.update_solution(i, Element{}, cleared);
  }

  Value best = select(trivial, Value{}, select(not_finite, broadcast<Value>(std::numeric_limits<Scalar>::quiet_NaN()), initial));
  const Value accepted = stop.kind == ToleranceKind::relative_to_initial ? tolerance * initial : known;
  Count iterations{};
  int number = 0;
  Count status = Count{} + static_cast<int>(Status::converged);
  assign(status, not_finite, static_cast<int>(Status::not_finite));
  Mask active = mask_and(mask_and(valid, mask_not(mask_or(not_finite, trivial))), best > accepted);
  context.record_true(iterations, valid, best);
  Value best_as_solved = context.scaled() ? team_norm<Units::as_solved>(context, r) : best;
  for (;;) {
    const Mask capped = mask_and(active, iterations >= stop.max_iterations);
    assign(status, capped, static_cast<int>(Status::max_iterations));
    active = mask_and(active, mask_not(capped));
    if (!context.any(active)) {
      break;
    }
    Value target = context.scaled() ? scaled_target(accepted, best, best_as_solved) : accepted;
    if constexpr (HasTarget<Method>) {
      const Mask missed = mask_and(active, status == static_cast<int>(Status::stagnated));
      if (context.any(missed)) {
        target = select(missed, Scalar{0.875F} * target, target);
      }
    }
    const Value scale = power_of_two(select(active, best_as_solved, broadcast<Value>(1)));
    const Value inverse = Scalar{1} / scale;
    for (const int i : context.my_rows()) {
      r[i] *= inverse;
      d[i] = Element{};
    }
    context.begin_cycle(context.scaled() ? scale * (best / best_as_solved) : scale, iterations);
    const CycleResult<Element> cycle = Method::team_cycle(
        context, preconditioner, r, d,
        CycleTask<Element>{target * inverse, static_cast<Count>(stop.max_iterations - iterations), active, number++});
    iterations += cycle.iterations;

    // The candidate x + scale d, and its true residual.
    for (const int i : context.my_rows()) {
      d[i] = context.guess(i) + scale * d[i];
    }
    const Value norm = team_true_residual(context, d, r, accepted);
    if (from_zero && number == 1 && context.any(mask_and(active, mask_not(finite(norm))))) {
      return false;
    }
    context.record_true(iterations, active, norm);
    const Value norm_as_solved = context.scaled() ? team_norm<Units::as_solved>(context, r) : norm;
    const Mask better = mask_and(active, norm_as_solved < best_as_solved);
    for (const int i : context.my_rows()) {
      context.update_solution(i, d[i], better);
    }
    const Mask stuck = mask_and(active, mask_not(norm_as_solved < best_as_solved * Scalar{0.5F}));
    best = select(better, norm, best);
    best_as_solved = select(better, norm_as_solved, best_as_solved);
    const Mask done = mask_and(active, best <= accepted);
    Mask ended = mask_or(stuck, done);
    if constexpr (HasTarget<Method>) {
      // The true residual of a cycle that ended as converged may lie a rounding error above what is accepted, and that of the
      // next one too, which has nothing left to do. A first such cycle, if it made r smaller, is followed by one that aims lower.
      const Mask by_recursion = mask_and(mask_and(stuck, better), cycle.end == static_cast<int>(CycleEnd::converged));
      ended = mask_and(ended, mask_or(done, mask_or(mask_not(by_recursion), status == static_cast<int>(Status::stagnated))));
      status = select(done, Count{} + static_cast<int>(Status::converged), status);
    }
    status = select(mask_and(stuck, mask_not(done)), status_after(cycle.end), status);
    active = mask_and(active, mask_not(ended));
  }
  outcome = {best, rhs_norm, iterations, status};
  return true;
}

/// Solves the systems of the lanes in `valid`, each to its tolerance, from the guess in the context to the solution there.
///
/// Around the method's cycles stands iterative refinement: after each cycle the correction is added to x and the residual
/// recomputed from A, b and x. Only that true residual decides on `converged`. A cycle that ends while the true residual is too
/// large is followed by another one on that residual, as long as cycles at least halve it; x is the best iterate so far. The
/// first cycle that reduces it by less, and that an iterative method took for converged, is followed by one more, which aims an
/// eighth lower. With one cycle, which is the rule, this is the method as in textbooks. Where the system is scaled, the residual
/// as solved decides about progress and the best iterate, and the residual in the given system's units about convergence.
template <class Method, class Context, class Preconditioner>
[[nodiscard, gnu::always_inline]] inline Outcome<RealOf<typename Context::Value>> team_solve_system(
    Context& context, Preconditioner& preconditioner, const StopRule& stop, RealOf<typename Context::Value> tolerance,
    MaskOf<typename Context::Value> valid) {
  static_assert(SystemContext<Context>);
  Outcome<RealOf<typename Context::Value>> outcome{};
  for (bool evaluate_residual = false;
       !team_attempt<Method>(context, preconditioner, stop, tolerance, valid, evaluate_residual, outcome);
       evaluate_residual = true) {
  }
  return outcome;
}

}  // namespace phpc::batch
