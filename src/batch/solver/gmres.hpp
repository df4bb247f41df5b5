#pragma once
#include "batch/solver/cycle.hpp"
#include "phpc/core/types.hpp"

namespace phpc::batch {

/// Right-preconditioned GMRES(m) with restart (Saad and Schultz 1986; Saad, Iterative Methods, algorithm 9.5), for any matrix:
/// one product an iteration, m + 1 vectors. A cycle is one run of at most m iterations; the restart is team_solve_system's next
/// cycle, on the true residual. The basis is orthogonalised by classical Gram-Schmidt done twice, whose dot products are summed
/// two at a time.
struct Gmres {
  /// m: iterations until the restart.
  static constexpr int restart = 20;
  /// The basis, and the product of A with its last vector.
  static constexpr int vectors = restart + 2;
  static constexpr bool preconditioned = true;
  static constexpr KernelSizes plain_kernels = KernelSizes::none;
  /// Values for the Hessenberg matrix by columns, the rotations and the right-hand side of the least-squares problem.
  static index_t workspace_size(index_t /*rows*/, const std::int32_t* /*table*/) {
    return index_t{restart} * (restart + 1) + 3 * (restart + 1);
  }
  static bool accepts(std::int32_t /*row*/, std::int32_t /*column*/) { return true; }

  template <class Context, class Preconditioner>
  [[nodiscard, gnu::always_inline]] static CycleResult<typename Context::Value> team_cycle(
      Context& context, Preconditioner& preconditioner, typename Context::Vector& r, typename Context::Vector& d,
      const CycleTask<typename Context::Value>& task) {
    using Value = typename Context::Value;
    using Real = RealOf<Value>;
    using Vector = typename Context::Vector;
    using Mask = MaskOf<Value>;
    Value* const hessenberg = context.work();                     // (column, row)
    Value* const cosines = hessenberg + restart * (restart + 1);  // of the rotations
    Value* const sines = cosines + restart + 1;
    Value* const rhs = sines + restart + 1;
    const auto basis = [&](int number) { return context.vector(first_vector + number); };
    Vector w = basis(restart + 1);
    Mask active = task.active;
    CycleResult<Value> result;

    // v_0 = r / ||r||
    Real squared{};
    for (const int i : context.my_rows()) {
      squared += squared_magnitude(r[i]);
    }
    context.team_sum(squared);
    const Real norm = square_root(squared);
    const Real inverse = ScalarOf<Value>{1} / norm;
    {
      Vector v = basis(0);
      for (const int i : context.my_rows()) {
        v[i] = r[i] * inverse;
      }
    }
    context.barrier();
    team_store(context, rhs, from_real<Value>(norm));

    CountOf<Value> used{};  // columns that a lane's solution takes
    int column = 0;
    for (; column < restart; ++column) {
      result.finish(active, result.iterations >= task.cap, CycleEnd::iteration_cap);
      if (!context.any(active)) {
        break;
      }
      // w = A M^-1 v
      Vector v = basis(column);
      const Vector& z = preconditioner.team_apply(context, v);
      context.team_multiply(z, w, [](int, Value) {});
      Value* const h = hessenberg + column * (restart + 1);
      team_orthogonalise(context, w, h, column);
      Real length{};
      for (const int i : context.my_rows()) {
        length += squared_magnitude(w[i]);
      }
      context.team_sum(length);
      length = square_root(length);
      const Real scale = ScalarOf<Value>{1} / length;
      Vector next = basis(column + 1);
      for (const int i : context.my_rows()) {
        next[i] = select<Mask, Value>(length > Real{}, w[i] * scale, Value{});
      }
      const Real reached = team_rotate(context, h, cosines, sines, rhs, column, length);
      add_one(result.iterations, active);
      add_one(used, active);
      context.record(result.iterations, active, reached * reached);
      result.finish(active, is_zero(h[column]), CycleEnd::breakdown);
      result.finish(active, mask_not(finite(reached)), CycleEnd::not_finite);
      result.finish(active, reached <= task.target, CycleEnd::converged);
      result.finish(active, length <= orthogonality_limit<ScalarOf<Value>> * absolute(h[column]), CycleEnd::breakdown);
    }
    // Lanes still active have done m iterations: they end as converged, and the caller decides by the true residual about another
    // run.
    result.finish(active, mask_of<Value>(true), CycleEnd::converged);

    // y = R^-1 rhs;  d = M^-1 sum y_k v_k
    for (const int i : context.my_rows()) {
      w[i] = Value{};
    }
    for (int k = column - 1; k >= 0; --k) {
      Value sum = rhs[k];
      for (int later = k + 1; later < column; ++later) {
        sum -= select<Mask, Value>(used > later, hessenberg[later * (restart + 1) + k] * rhs[later], Value{});
      }
      Value y = sum / hessenberg[k * (restart + 1) + k];
      y = select<Mask, Value>(mask_and(used > k, finite(y)), y, Value{});
      context.barrier();
      team_store(context, rhs + k, y);
      Vector v = basis(k);
      for (const int i : context.my_rows()) {
        w[i] += y * v[i];
      }
    }
    const Vector& correction = preconditioner.team_apply(context, w);
    for (const int i : context.my_rows()) {
      d[i] = correction[i];
    }
    context.barrier();
    return result;
  }

 private:
  /// Stores one value for the whole team, which may read it afterwards.
  template <class Context>
  [[gnu::always_inline]] static void team_store(const Context& context, typename Context::Value* place,
                                                typename Context::Value value) {
    if (context.team().rank() == 0) {
      *place = value;
    }
    context.barrier();
  }

  /// w -= V (V^H w), done twice; h is the sum of both V^H w.
  template <class Context>
  [[gnu::always_inline]] static void team_orthogonalise(Context& context, typename Context::Vector& w, typename Context::Value* h,
                                                        int column) {
    using Value = typename Context::Value;
    for (int pass = 0; pass < 2; ++pass) {
      for (int k = 0; k <= column; k += 2) {
        const int other = k < column ? k + 1 : k;
        const typename Context::Vector a = context.vector(first_vector + k);
        const typename Context::Vector b = context.vector(first_vector + other);
        Value with_a{};
        Value with_b{};
        for (const int i : context.my_rows()) {
          with_a += inner(a[i], w[i]);
          with_b += inner(b[i], w[i]);
        }
        context.team_sum(with_a, with_b);
        for (const int i : context.my_rows()) {
          w[i] -= with_a * a[i];
          if (other != k) {
            w[i] -= with_b * b[i];
          }
        }
        context.barrier();
        if (context.team().rank() == 0) {
          h[k] = pass == 0 ? with_a : h[k] + with_a;
          if (other != k) {
            h[other] = pass == 0 ? with_b : h[other] + with_b;
          }
        }
      }
    }
    context.barrier();
  }

  /// Applies the Givens rotations so far to the new column h of the Hessenberg matrix, and adds one that eliminates `length`
  /// below the diagonal; returns the new residual norm. Rotations are (c^*, s; -s, c) with a real s.
  template <class Context>
  [[nodiscard, gnu::always_inline]] static RealOf<typename Context::Value> team_rotate(
      const Context& context, typename Context::Value* h, typename Context::Value* cosines, typename Context::Value* sines,
      typename Context::Value* rhs, int column, RealOf<typename Context::Value> length) {
    using Value = typename Context::Value;
    if (context.team().rank() == 0) {
      for (int k = 0; k < column; ++k) {
        const Value upper = h[k];
        h[k] = conjugate(cosines[k]) * upper + sines[k] * h[k + 1];
        h[k + 1] = cosines[k] * h[k + 1] - sines[k] * upper;
      }
      const RealOf<Value> hypotenuse = square_root(squared_magnitude(h[column]) + length * length);
      const RealOf<Value> inverse = ScalarOf<Value>{1} / hypotenuse;
      cosines[column] = h[column] * inverse;
      sines[column] = from_real<Value>(length * inverse);
      h[column] = from_real<Value>(hypotenuse);
      rhs[column + 1] = -sines[column] * rhs[column];
      rhs[column] = conjugate(cosines[column]) * rhs[column];
    }
    context.barrier();
    return absolute(rhs[column + 1]);
  }
};

}  // namespace phpc::batch
