#pragma once
#include "batch/solve_job.hpp"
#include "batch/solver/cycle.hpp"
#include "batch/value.hpp"

namespace phpc::batch {

/// What is told of a system, lane by lane.
template <class Value>
struct Outcome {
  Value residual_norm;
  Value rhs_norm;
  CountOf<Value> iterations;
  CountOf<Value> status;  ///< a Status
};

/// Euclidean norm. Where the sum of squares leaves the range that is safe from overflow and underflow, elements are scaled by a
/// power of two first, which gives the same bits otherwise. NaN if any element is NaN or infinite.
template <class Space>
[[nodiscard, gnu::always_inline]] inline typename Space::Value norm_of(Space& space, const typename Space::Vector& vector) {
  using Value = typename Space::Value;
  using Limits = std::numeric_limits<ScalarOf<Value>>;
  constexpr ScalarOf<Value> low = Limits::min() / Limits::epsilon();
  constexpr ScalarOf<Value> high = Limits::max() * Limits::epsilon();
  Value squared{};
  for (const int i : space.own()) {
    squared += vector[i] * vector[i];
  }
  space.sum(squared);
  const MaskOf<Value> safe = both(squared > low, squared < high);
  Value unit = broadcast<Value>(1);
  if (space.any(complement(safe))) {
    Value largest{};
    for (const int i : space.own()) {
      const Value size = absolute(vector[i]);
      largest = largest < size ? size : largest;  // a NaN is left to the sum
    }
    space.maximum(largest);
    const Value power = power_of_two(largest);
    const Value inverse = ScalarOf<Value>{1} / power;
    Value scaled{};
    for (const int i : space.own()) {
      scaled += (vector[i] * inverse) * (vector[i] * inverse);
    }
    space.sum(scaled);
    squared = select(safe, squared, scaled);
    unit = select(safe, unit, power);
  }
  return unit * square_root(squared);
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

/// Solves the systems of the lanes in `valid`, from the guess in the space to the x kept there.
///
/// Around the method's cycles stands iterative refinement: after each cycle the correction is added to x and the residual
/// recomputed from A, b and x. Only that true residual decides on `converged`. A cycle that believes itself done while the true
/// residual is too large is followed by another one on that residual, as long as a cycle at least halves it; x keeps the best
/// iterate met. With one cycle, which is the rule, this is the method as in the books.
template <class Method, class Space, class Preconditioner>
[[nodiscard, gnu::always_inline]] inline Outcome<typename Space::Value> solve_system(Space& space, Preconditioner& preconditioner,
                                                                                     const StopRule& stop,
                                                                                     MaskOf<typename Space::Value> valid) {
  using Value = typename Space::Value;
  using Scalar = ScalarOf<Value>;
  using Mask = MaskOf<Value>;
  using Count = CountOf<Value>;
  typename Space::Vector r = space.vector(0);
  typename Space::Vector d = space.vector(1);

  for (const int i : space.own()) {
    r[i] = space.rhs(i);
    d[i] = space.guess(i);
  }
  const Value rhs_norm = norm_of(space, r);
  const Mask trivial = stop.kind == ToleranceKind::relative_to_rhs ? rhs_norm == Value{} : mask_of<Value>(false);
  space.residual(d, r);
  const Value initial = norm_of(space, r);
  const Mask sick = both(complement(finite(initial)), complement(trivial));
  for (const int i : space.own()) {
    space.keep(i, Value{}, either(sick, trivial));
  }

  Value best = select(trivial, Value{}, select(sick, broadcast<Value>(std::numeric_limits<Scalar>::quiet_NaN()), initial));
  const auto tolerance = static_cast<Scalar>(stop.tolerance);
  const Value accepted = stop.kind == ToleranceKind::relative_to_rhs       ? tolerance * rhs_norm
                         : stop.kind == ToleranceKind::relative_to_initial ? tolerance * initial
                                                                           : broadcast<Value>(tolerance);
  Count iterations{};
  int number = 0;
  Count status = Count{} + static_cast<int>(Status::converged);
  assign(status, sick, static_cast<int>(Status::not_finite));
  Mask active = both(both(valid, complement(either(sick, trivial))), best > accepted);
  for (;;) {
    const Mask capped = both(active, iterations >= stop.max_iterations);
    assign(status, capped, static_cast<int>(Status::max_iterations));
    active = both(active, complement(capped));
    if (!space.any(active)) {
      break;
    }
    const Value scale = power_of_two(select(active, best, broadcast<Value>(1)));
    const Value inverse = Scalar{1} / scale;
    for (const int i : space.own()) {
      r[i] *= inverse;
      d[i] = Value{};
    }
    const CycleResult<Value> cycle = Method::cycle(
        space, preconditioner, r, d,
        CycleTask<Value>{accepted * inverse, static_cast<Count>(stop.max_iterations - iterations), active, number++});
    iterations += cycle.iterations;

    // The candidate x + scale d, and what it is really worth. 0 * d finds what the residual cannot see: an infinite element that
    // meets no entry of A.
    for (const int i : space.own()) {
      d[i] = space.guess(i) + scale * d[i];
    }
    space.residual(d, r);
    for (const int i : space.own()) {
      r[i] += Scalar{0} * d[i];
    }
    const Value norm = norm_of(space, r);
    const Mask better = both(active, norm < best);
    for (const int i : space.own()) {
      space.keep(i, d[i], better);
    }
    const Mask stuck = both(active, complement(norm < best * Scalar{0.5F}));
    best = select(better, norm, best);
    const Mask done = both(active, best <= accepted);
    status = select(both(stuck, complement(done)), status_after(cycle.end), status);
    active = both(active, complement(either(stuck, done)));
  }
  return {best, rhs_norm, iterations, status};
}

}  // namespace phpc::batch
