#pragma once
#include "batch/math/value.hpp"
#include "batch/solver/cycle.hpp"
#include "batch/system/solve_job.hpp"

namespace phpc::batch {

/// What is told of a system, lane by lane; Value is real.
template <class Value>
struct Outcome {
  Value residual_norm;
  Value rhs_norm;
  CountOf<Value> iterations;
  CountOf<Value> status;  ///< a Status
};

/// Of which system a residual's elements are meant, where one is scaled.
enum class Units { original, as_solved };

template <Units In, class Space>
[[nodiscard, gnu::always_inline]] inline typename Space::Value element_of(const Space& space,
                                                                          const typename Space::Vector& vector, int i) {
  if constexpr (In == Units::original) {
    return space.unscaled(i, vector[i]);
  } else {
    return vector[i];
  }
}

/// Euclidean norm. Where the sum of squares leaves the range that is safe from overflow and underflow, elements are scaled by a
/// power of two first, which gives the same bits otherwise. NaN if any element is NaN or infinite. `others` are summed as well.
template <Units In = Units::original, class Space, class... Others>
[[nodiscard, gnu::always_inline]] inline RealOf<typename Space::Value> norm_of(Space& space, const typename Space::Vector& vector,
                                                                               Others&... others) {
  using Value = RealOf<typename Space::Value>;
  using Limits = std::numeric_limits<ScalarOf<Value>>;
  constexpr ScalarOf<Value> low = Limits::min() / Limits::epsilon();
  constexpr ScalarOf<Value> high = Limits::max() * Limits::epsilon();
  Value squared{};
  for (const int i : space.own()) {
    squared += squared_magnitude(element_of<In>(space, vector, i));
  }
  space.sum(squared, others...);
  const MaskOf<Value> safe = both(squared > low, squared < high);
  Value unit = broadcast<Value>(1);
  if (space.any(complement(safe))) {
    Value largest{};
    for (const int i : space.own()) {
      const Value size = magnitude(element_of<In>(space, vector, i));
      largest = largest < size ? size : largest;  // a NaN is left to the sum
    }
    space.maximum(largest);
    const Value power = power_of_two(largest);
    const Value inverse = ScalarOf<Value>{1} / power;
    Value scaled{};
    for (const int i : space.own()) {
      scaled += squared_magnitude(element_of<In>(space, vector, i) * inverse);
    }
    space.sum(scaled);
    squared = select(safe, squared, scaled);
    unit = select(safe, unit, power);
  }
  return unit * square_root(squared);
}

/// 0 * p onto r, so that r tells of an infinite element of p that meets no entry of A.
template <class Space>
[[gnu::always_inline]] inline void add_nothing(const Space& space, const typename Space::Vector& p, typename Space::Vector& r) {
  for (const int i : space.own()) {
    r[i] += ScalarOf<typename Space::Value>{0} * p[i];
  }
}

/// r = b - A p, and its norm. Where rounding may have changed that by more than a 16th of itself or of `accepted`, evaluated
/// again, compensated: of systems that are far from ill-conditioned one evaluation does, with two operations an entry in place of
/// nine.
template <class Space>
[[nodiscard, gnu::always_inline]] inline RealOf<typename Space::Value> true_residual(Space& space,
                                                                                     const typename Space::Vector& p,
                                                                                     typename Space::Vector& r,
                                                                                     RealOf<typename Space::Value> accepted) {
  using Value = RealOf<typename Space::Value>;
  constexpr ScalarOf<Value> share = 8 * std::numeric_limits<ScalarOf<Value>>::epsilon();
  const Value unit = select(accepted > Value{}, accepted, broadcast<Value>(1));
  Value squared = space.residual(p, r, unit);
  space.sum(squared);
  add_nothing(space, p, r);
  Value norm = norm_of(space, r);
  const MaskOf<Value> doubtful = complement(share * square_root(squared) * unit <= select(norm > accepted, norm, accepted));
  if (space.any(doubtful)) {
    space.exact_residual(p, r, doubtful);
    add_nothing(space, p, r);
    norm = select(doubtful, norm_of(space, r), norm);
  }
  return norm;
}

/// The status of a system whose last cycle ended so and brought too little.
template <class Count>
[[nodiscard, gnu::always_inline]] inline Count status_after(Count end) {
  Count status = Count{} + static_cast<int>(Status::not_finite);
  assign(status, end == static_cast<int>(CycleEnd::converged), static_cast<int>(Status::stagnated));
  assign(status, end == static_cast<int>(CycleEnd::iteration_cap), static_cast<int>(Status::max_iterations));
  assign(status, end == static_cast<int>(CycleEnd::breakdown), static_cast<int>(Status::breakdown));
  return status;
}

/// What a cycle of a scaled system is to reach, where a residual of norm `best` is to come down to `accepted` in its own units:
/// as much less of its norm as solved, and in any case enough for the cycle to count as progress.
template <class Value>
[[nodiscard, gnu::always_inline]] inline Value scaled_target(Value accepted, Value best, Value best_as_solved) {
  constexpr auto progress = static_cast<ScalarOf<Value>>(0.125);
  const Value part = accepted / best;
  return best_as_solved * select<MaskOf<Value>, Value>(part < progress, part, broadcast<Value>(progress));
}

/// One attempt of solve_system(). With `look`, the first residual is evaluated; else it is b itself where all guesses are zero.
/// False where the first cycle from there ended in numbers that are not finite: only a residual tells whether A's are.
template <class Method, class Space, class Preconditioner>
[[nodiscard, gnu::always_inline]] inline bool attempt(Space& space, Preconditioner& preconditioner, const StopRule& stop,
                                                      RealOf<typename Space::Value> tolerance,
                                                      MaskOf<typename Space::Value> valid, bool look,
                                                      Outcome<RealOf<typename Space::Value>>& outcome) {
  using Element = typename Space::Value;
  using Value = RealOf<Element>;
  using Scalar = ScalarOf<Value>;
  using Mask = MaskOf<Value>;
  using Count = CountOf<Value>;
  typename Space::Vector r = space.vector(0);
  typename Space::Vector d = space.vector(1);

  Value guessed{};
  for (const int i : space.own()) {
    r[i] = space.rhs(i);
    d[i] = space.guess(i);
    guessed += select(is_zero(d[i]), Value{}, broadcast<Value>(1));
  }
  const Value rhs_norm = norm_of(space, r, guessed);
  const bool from_zero = !look && stop.max_iterations > 0 && !space.any(complement(guessed == Value{}));
  const Mask trivial = stop.kind == ToleranceKind::relative_to_rhs ? rhs_norm == Value{} : mask_of<Value>(false);
  const Value known = stop.kind == ToleranceKind::relative_to_rhs ? tolerance * rhs_norm
                      : stop.kind == ToleranceKind::absolute      ? tolerance
                                                                  : Value{};
  const Value initial = from_zero ? rhs_norm : true_residual(space, d, r, known);
  const Mask sick = both(complement(finite(initial)), complement(trivial));
  for (const int i : space.own()) {
    space.keep(i, Element{}, either(sick, trivial));
  }

  Value best = select(trivial, Value{}, select(sick, broadcast<Value>(std::numeric_limits<Scalar>::quiet_NaN()), initial));
  const Value accepted = stop.kind == ToleranceKind::relative_to_initial ? tolerance * initial : known;
  Count iterations{};
  int number = 0;
  Count status = Count{} + static_cast<int>(Status::converged);
  assign(status, sick, static_cast<int>(Status::not_finite));
  Mask active = both(both(valid, complement(either(sick, trivial))), best > accepted);
  space.record_true(iterations, valid, best);
  Value best_as_solved = space.scaled() ? norm_of<Units::as_solved>(space, r) : best;
  for (;;) {
    const Mask capped = both(active, iterations >= stop.max_iterations);
    assign(status, capped, static_cast<int>(Status::max_iterations));
    active = both(active, complement(capped));
    if (!space.any(active)) {
      break;
    }
    const Value target = space.scaled() ? scaled_target(accepted, best, best_as_solved) : accepted;
    const Value scale = power_of_two(select(active, best_as_solved, broadcast<Value>(1)));
    const Value inverse = Scalar{1} / scale;
    for (const int i : space.own()) {
      r[i] *= inverse;
      d[i] = Element{};
    }
    space.begin_cycle(space.scaled() ? scale * (best / best_as_solved) : scale, iterations);
    const CycleResult<Element> cycle = Method::cycle(
        space, preconditioner, r, d,
        CycleTask<Element>{target * inverse, static_cast<Count>(stop.max_iterations - iterations), active, number++});
    iterations += cycle.iterations;

    // The candidate x + scale d, and what it is really worth.
    for (const int i : space.own()) {
      d[i] = space.guess(i) + scale * d[i];
    }
    const Value norm = true_residual(space, d, r, accepted);
    if (from_zero && number == 1 && space.any(both(active, complement(finite(norm))))) {
      return false;
    }
    space.record_true(iterations, active, norm);
    const Value norm_as_solved = space.scaled() ? norm_of<Units::as_solved>(space, r) : norm;
    const Mask better = both(active, norm_as_solved < best_as_solved);
    for (const int i : space.own()) {
      space.keep(i, d[i], better);
    }
    const Mask stuck = both(active, complement(norm_as_solved < best_as_solved * Scalar{0.5F}));
    best = select(better, norm, best);
    best_as_solved = select(better, norm_as_solved, best_as_solved);
    const Mask done = both(active, best <= accepted);
    status = select(both(stuck, complement(done)), status_after(cycle.end), status);
    active = both(active, complement(either(stuck, done)));
  }
  outcome = {best, rhs_norm, iterations, status};
  return true;
}

/// Solves the systems of the lanes in `valid`, from the guess in the space to the x kept there, each to its tolerance.
///
/// Around the method's cycles stands iterative refinement: after each cycle the correction is added to x and the residual
/// recomputed from A, b and x. Only that true residual decides on `converged`. A cycle that believes itself done while the true
/// residual is too large is followed by another one on that residual, as long as a cycle at least halves it; x keeps the best
/// iterate met. With one cycle, which is the rule, this is the method as in the books. Where the system is scaled, the residual
/// as solved says what is progress and the best iterate, and that in its own units when it is done.
template <class Method, class Space, class Preconditioner>
[[nodiscard, gnu::always_inline]] inline Outcome<RealOf<typename Space::Value>> solve_system(
    Space& space, Preconditioner& preconditioner, const StopRule& stop, RealOf<typename Space::Value> tolerance,
    MaskOf<typename Space::Value> valid) {
  Outcome<RealOf<typename Space::Value>> outcome{};
  for (bool look = false; !attempt<Method>(space, preconditioner, stop, tolerance, valid, look, outcome); look = true) {
  }
  return outcome;
}

}  // namespace phpc::batch
