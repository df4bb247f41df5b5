#pragma once
#include "batch/solver/cycle.hpp"
#include "phpc/core/types.hpp"

namespace phpc::batch {

/// IDR(s) with bi-orthogonalisation, right-preconditioned (van Gijzen and Sonneveld 2011, ACM TOMS algorithm 913), s = 4, for any
/// matrix: one product an iteration, and every s + 1 products take the residual to the next, smaller Sonneveld space. The shadow
/// space has an orthonormal basis of r, as in BiCGSTAB, and of pseudo-random vectors, the same for all systems. (With random
/// vectors alone the residual first grew so far that a third of gri12's unscaled systems, of condition 1e15, stagnated; with r
/// none.)
struct Idr {
  static constexpr int most_dimensions = 4;  ///< s, or the number of rows where that is less
  /// The basis P of the shadow space, G and U with A U = G, and one vector w.
  static constexpr int vectors = 3 * most_dimensions + 1;
  static constexpr bool preconditioned = true;
  static constexpr KernelSizes plain_kernels = KernelSizes::none;
  /// Values for M = P^H G, f = P^H r and the coefficients c.
  static index_t workspace_size(index_t /*rows*/, const std::int32_t* /*table*/) {
    return most_dimensions * (most_dimensions + 2);
  }
  static bool accepts(std::int32_t /*row*/, std::int32_t /*column*/) { return true; }

  template <class Context, class Preconditioner>
  [[nodiscard, gnu::always_inline]] static CycleResult<typename Context::Value> team_cycle(
      Context& context, Preconditioner& preconditioner, typename Context::Vector& r, typename Context::Vector& d,
      const CycleTask<typename Context::Value>& task) {
    using Value = typename Context::Value;
    using Vector = typename Context::Vector;
    using Mask = MaskOf<Value>;
    const int s = context.matrix().rows < most_dimensions ? context.matrix().rows : most_dimensions;
    const Small<Value> small{context.work()};
    Vector w = context.vector(last_vector);
    CycleResult<Value> result;
    Mask active = task.active;
    team_make_shadow(context, r, s);
    team_start(context, small, s);
    Value omega = broadcast<Value>(1);

    for (;;) {
      team_shadow_products(context, r, s, [&](int i, Value product) { small.f(i) = product; });
      for (int k = 0; k < s; ++k) {
        result.finish(active, result.iterations >= task.cap, CycleEnd::iteration_cap);
        if (!context.any(active)) {
          return result;
        }
        // c = M[k:, k:]^-1 f[k:];  w = r - G[:, k:] c
        team_solve_small(context, small, k, s);
        for (const int i : context.my_rows()) {
          w[i] = r[i];
        }
        for (int j = k; j < s; ++j) {
          Vector g_j = context.vector(first_g + j);
          const Value c_j = small.c(j);
          for (const int i : context.my_rows()) {
            w[i] -= c_j * g_j[i];
          }
        }
        // u_k = omega M^-1 w + U[:, k:] c;  g_k = A u_k
        Vector g = context.vector(first_g + k);
        Vector u = context.vector(first_u + k);
        const Vector& w_hat = preconditioner.team_apply(context, w);
        for (const int i : context.my_rows()) {
          u[i] = omega * w_hat[i] + small.c(k) * u[i];
        }
        for (int j = k + 1; j < s; ++j) {
          Vector u_j = context.vector(first_u + j);
          const Value c_j = small.c(j);
          for (const int i : context.my_rows()) {
            u[i] += c_j * u_j[i];
          }
        }
        context.team_multiply(u, g, [](int, Value) {});
        team_orthogonalise(context, small, k, s);
        // M[k:, k] = P[:, k:]^H g_k;  beta = f_k / M[k, k]
        team_shadow_products(context, g, s, [&](int i, Value product) {
          if (i >= k) {
            small.m(i, k) = product;
          }
        });
        const Value beta = small.f(k) / small.m(k, k);
        result.finish(active, mask_not(finite(beta)), CycleEnd::breakdown);
        // r -= beta g_k;  d += beta u_k;  f[k + 1:] -= beta M[k + 1:, k]
        RealOf<Value> squared{};
        for (const int i : context.my_rows()) {
          d[i] = select<Mask, Value>(active, d[i] + beta * u[i], d[i]);
          r[i] -= beta * g[i];
          squared += squared_magnitude(r[i]);
        }
        context.team_sum(squared);
        if (context.team().rank() == 0) {
          for (int i = k + 1; i < s; ++i) {
            small.f(i) -= beta * small.m(i, k);
          }
        }
        context.barrier();
        add_one(result.iterations, active);
        context.record(result.iterations, active, squared);
        check_convergence(result, active, squared, task.target);
      }
      result.finish(active, result.iterations >= task.cap, CycleEnd::iteration_cap);
      if (!context.any(active)) {
        return result;
      }
      // w = A M^-1 r;  r -= omega w, into the next space
      const Vector& r_hat = preconditioner.team_apply(context, r);
      Value w_r{};
      RealOf<Value> w_w{};
      RealOf<Value> r_r{};
      context.team_multiply(r_hat, w, [&](int i, Value w_i) {
        w_r += inner(w_i, r[i]);
        w_w += squared_magnitude(w_i);
        r_r += squared_magnitude(r[i]);
      });
      context.team_sum(w_r, w_w, r_r);
      omega = step_length(w_r, w_w, r_r);
      result.finish(active, mask_or(mask_not(finite(omega)), is_zero(omega)), CycleEnd::breakdown);
      RealOf<Value> squared{};
      for (const int i : context.my_rows()) {
        d[i] = select<Mask, Value>(active, d[i] + omega * r_hat[i], d[i]);
        r[i] -= omega * w[i];
        squared += squared_magnitude(r[i]);
      }
      context.team_sum(squared);
      add_one(result.iterations, active);
      context.record(result.iterations, active, squared);
      check_convergence(result, active, squared, task.target);
    }
  }

 private:
  static constexpr int first_shadow = first_vector;
  static constexpr int first_g = first_shadow + most_dimensions;
  static constexpr int first_u = first_g + most_dimensions;
  static constexpr int last_vector = first_u + most_dimensions;

  /// The small system M c = f, in the team's memory.
  template <class Value>
  struct Small {
    Value* memory;
    [[nodiscard, gnu::always_inline]] Value& m(int row, int column) const { return memory[row * most_dimensions + column]; }
    [[nodiscard, gnu::always_inline]] Value& f(int row) const { return memory[most_dimensions * most_dimensions + row]; }
    [[nodiscard, gnu::always_inline]] Value& c(int row) const { return memory[most_dimensions * (most_dimensions + 1) + row]; }
  };

  /// Element `row` of a pseudo-random vector, in [-1, 1): a counter, hashed by the finaliser of MurmurHash3 (Appleby 2008).
  template <class Value>
  [[nodiscard, gnu::always_inline]] static Value pseudo_random(int row, int vector) {
    std::uint32_t bits = static_cast<std::uint32_t>(row) * most_dimensions + static_cast<std::uint32_t>(vector) + 1;
    bits *= 0x9e3779b9U;
    bits ^= bits >> 16;
    bits *= 0x85ebca6bU;
    bits ^= bits >> 13;
    bits *= 0xc2b2ae35U;
    bits ^= bits >> 16;
    return broadcast<Value>(static_cast<ScalarOf<Value>>(static_cast<std::int32_t>(bits)) *
                            static_cast<ScalarOf<Value>>(0x1p-31));
  }

  /// Makes P by Gram-Schmidt, done twice, since done once it leaves vectors that are not orthogonal to rounding.
  template <class Context>
  [[gnu::always_inline]] static void team_make_shadow(Context& context, const typename Context::Vector& r, int s) {
    using Value = typename Context::Value;
    for (int k = 0; k < s; ++k) {
      typename Context::Vector p = context.vector(first_shadow + k);
      for (const int i : context.my_rows()) {
        p[i] = k == 0 ? r[i] : pseudo_random<Value>(i, k);
      }
      for (int pass = 0; pass < 2 * k; ++pass) {
        const typename Context::Vector before = context.vector(first_shadow + pass % k);
        Value product{};
        for (const int i : context.my_rows()) {
          product += inner(before[i], p[i]);
        }
        context.team_sum(product);
        for (const int i : context.my_rows()) {
          p[i] -= product * before[i];
        }
      }
      RealOf<Value> squared{};
      for (const int i : context.my_rows()) {
        squared += squared_magnitude(p[i]);
      }
      context.team_sum(squared);
      const RealOf<Value> inverse = ScalarOf<Value>{1} / square_root(squared);
      for (const int i : context.my_rows()) {
        p[i] *= inverse;
      }
    }
  }

  /// G = U = 0, M = I.
  template <class Context, class Value>
  [[gnu::always_inline]] static void team_start(Context& context, const Small<Value>& small, int s) {
    for (int number = first_g; number < last_vector; ++number) {
      typename Context::Vector g_or_u = context.vector(number);
      for (const int i : context.my_rows()) {
        g_or_u[i] = Value{};
      }
    }
    if (context.team().rank() == 0) {
      for (int row = 0; row < s; ++row) {
        for (int column = 0; column < s; ++column) {
          small.m(row, column) = broadcast<Value>(row == column ? 1 : 0);
        }
      }
    }
    context.barrier();
  }

  /// Calls store(k, p_k^H vector) for all k < s on the team's first thread; what it stores, all threads may read afterwards.
  template <class Context, class Store>
  [[gnu::always_inline]] static void team_shadow_products(Context& context, const typename Context::Vector& vector, int s,
                                                          Store store) {
    using Value = typename Context::Value;
    for (int k = 0; k < s; k += 2) {
      const int other = k + 1 < s ? k + 1 : k;
      const typename Context::Vector p = context.vector(first_shadow + k);
      const typename Context::Vector q = context.vector(first_shadow + other);
      Value with_p{};
      Value with_q{};
      for (const int i : context.my_rows()) {
        with_p += inner(p[i], vector[i]);
        with_q += inner(q[i], vector[i]);
      }
      context.team_sum(with_p, with_q);
      if (context.team().rank() == 0) {
        store(k, with_p);
        if (other != k) {
          store(other, with_q);
        }
      }
    }
    context.barrier();
  }

  /// Solves M[k:, k:] c = f[k:] for c, where M is lower triangular.
  template <class Context, class Value>
  [[gnu::always_inline]] static void team_solve_small(Context& context, const Small<Value>& small, int k, int s) {
    if (context.team().rank() == 0) {
      for (int row = k; row < s; ++row) {
        Value sum = small.f(row);
        for (int column = k; column < row; ++column) {
          sum -= small.m(row, column) * small.c(column);
        }
        small.c(row) = sum / small.m(row, row);
      }
    }
    context.barrier();
  }

  /// Makes g_k orthogonal to p_0 ... p_(k-1), and u_k such that A u_k = g_k again.
  template <class Context, class Value>
  [[gnu::always_inline]] static void team_orthogonalise(Context& context, const Small<Value>& small, int k, int s) {
    typename Context::Vector g = context.vector(first_g + k);
    typename Context::Vector u = context.vector(first_u + k);
    for (int j = 0; j < k && j < s; ++j) {
      const typename Context::Vector p = context.vector(first_shadow + j);
      const typename Context::Vector g_j = context.vector(first_g + j);
      const typename Context::Vector u_j = context.vector(first_u + j);
      Value alpha{};
      for (const int i : context.my_rows()) {
        alpha += inner(p[i], g[i]);
      }
      context.team_sum(alpha);
      alpha /= small.m(j, j);
      for (const int i : context.my_rows()) {
        g[i] -= alpha * g_j[i];
        u[i] -= alpha * u_j[i];
      }
    }
  }

  /// The omega that minimises ||r - omega w||, or a somewhat larger one where r and w are nearly orthogonal (Sleijpen and van der
  /// Vorst 1995, with the constant of algorithm 913).
  template <class Value>
  [[nodiscard, gnu::always_inline]] static Value step_length(Value w_r, RealOf<Value> w_w, RealOf<Value> r_r) {
    constexpr auto least_cosine = static_cast<ScalarOf<Value>>(0.7);
    const Value omega = w_r / w_w;
    const RealOf<Value> cosine = absolute(w_r) / (square_root(w_w) * square_root(r_r));
    return select<MaskOf<Value>, Value>(cosine < least_cosine, omega * (least_cosine / cosine), omega);
  }

  /// Ends the active lanes that have converged, or whose residual is not finite or has grown too far.
  template <class Value>
  [[gnu::always_inline]] static void check_convergence(CycleResult<Value>& result, MaskOf<Value>& active, RealOf<Value> squared,
                                                       RealOf<Value> target) {
    using Scalar = ScalarOf<Value>;
    constexpr Scalar limit = growth_limit<Scalar>;
    result.finish(active, squared <= target * target, CycleEnd::converged);
    result.finish(active, mask_not(finite(squared)), CycleEnd::not_finite);
    result.finish(active, squared > limit * limit, CycleEnd::breakdown);
  }
};

}  // namespace phpc::batch
