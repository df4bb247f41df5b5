#include <algorithm>

#include "batch/solver/gmres.hpp"
#include "batch/solver/idr.hpp"
#include "batch/work/method_counts.hpp"

namespace phpc::batch {

void count_cg(SolveCounter& counter, index_t iterations, index_t /*number*/) {
  constexpr int p = first_vector;
  constexpr int q = first_vector + 1;
  const int first_z = counter.apply(vector_r);
  counter.has_identity() ? counter.loop({vector_r}, {p}, 2) : counter.loop({vector_r, first_z}, {p}, 2);
  counter.flops(2);
  counter.repeat(static_cast<double>(iterations), [&] {
    counter.multiply(p, q, {p}, 2);
    counter.loop({vector_d, p, vector_r, q}, {vector_d, vector_r}, 6);
    const int z = counter.apply(vector_r);
    if (!counter.has_identity()) {
      counter.loop({vector_r, z}, {}, 2);
    }
    if (!counter.is_symmetric()) {
      counter.loop({q, z}, {}, 2);
    }
    counter.loop({z, p}, {p}, 2);
    counter.flops(counter.is_symmetric() ? 3 : 4);
  });
}

void count_bicgstab(SolveCounter& counter, index_t iterations, index_t /*number*/) {
  constexpr int p = first_vector;
  constexpr int v = first_vector + 1;
  constexpr int t = first_vector + 2;
  constexpr int shadow = first_vector + 3;
  counter.loop({vector_r}, {p, shadow}, 2);
  counter.flops(1);
  counter.repeat(static_cast<double>(iterations), [&] {
    const int p_hat = counter.apply(p);
    counter.multiply(p_hat, v, {shadow}, 2);
    counter.loop({vector_d, p_hat, vector_r, v}, {vector_d, vector_r}, 4);
    const int s_hat = counter.apply(vector_r);
    counter.multiply(s_hat, t, {vector_r, shadow}, 10);
    counter.has_identity() ? counter.loop({vector_d, vector_r, t}, {vector_d, vector_r}, 4)
                           : counter.loop({vector_d, s_hat, vector_r, t}, {vector_d, vector_r}, 4);
    counter.loop({vector_r, p, v}, {p}, 4);
    counter.flops(17);
  });
}

void count_richardson(SolveCounter& counter, index_t iterations, index_t /*number*/) {
  constexpr int a_z = first_vector;
  counter.repeat(static_cast<double>(iterations), [&] {
    const int z = counter.apply(vector_r);
    counter.multiply(z, a_z, {}, 0);
    counter.has_identity() ? counter.loop({vector_d, vector_r, a_z}, {vector_d, vector_r}, 4)
                           : counter.loop({vector_d, z, vector_r, a_z}, {vector_d, vector_r}, 4);
    counter.flops(1);
  });
}

namespace {

/// w -= V (V^H w), twice, two vectors of the basis at a time.
void count_orthogonalisation(SolveCounter& counter, int column, int w) {
  counter.repeat(2, [&] {
    for (int k = 0; k <= column; k += 2) {
      const int a = first_vector + k;
      if (k < column) {
        counter.loop({a, a + 1, w}, {}, 4);
        counter.loop({a, a + 1, w}, {w}, 4);
      } else {
        counter.loop({a, w}, {}, 4);
        counter.loop({a, w}, {w}, 2);
      }
    }
  });
  counter.flops(column + 1);
  counter.work(3 * (column + 1));
}

}  // namespace

void count_gmres(SolveCounter& counter, index_t iterations, index_t /*number*/) {
  constexpr int w = first_vector + Gmres::restart + 1;
  const int columns = static_cast<int>(std::min<index_t>(iterations, Gmres::restart));
  counter.loop({vector_r}, {}, 2);
  counter.loop({vector_r}, {first_vector}, 1);
  counter.flops(2);
  counter.work(1);
  for (int column = 0; column < columns; ++column) {
    const int z = counter.apply(first_vector + column);
    counter.multiply(z, w, {}, 0);
    count_orthogonalisation(counter, column, w);
    counter.loop({w}, {}, 2);
    counter.loop({w}, {first_vector + column + 1}, 1);
    counter.flops(2 + 6 * column + 9 + 2);
    counter.work(9 * column + 14);
  }
  counter.loop({}, {w}, 0);
  for (int k = columns - 1; k >= 0; --k) {
    counter.loop({first_vector + k, w}, {w}, 2);
    counter.flops(2 * (columns - 1 - k) + 1);
    counter.work(2 * (columns - 1 - k) + 3);
  }
  const int correction = counter.apply(w);
  counter.loop({correction}, {vector_d}, 0);
}

namespace {

/// The vectors of IDR(s) as Idr numbers them.
struct IdrVectors {
  static constexpr int most = Idr::most_dimensions;
  static constexpr int shadow = first_vector;
  static constexpr int g = shadow + most;
  static constexpr int u = g + most;
  static constexpr int w = u + most;
};

/// P^H times a vector, two vectors of P at a time, of which so many products are kept.
void count_shadow_products(SolveCounter& counter, int vector, int s, int kept) {
  for (int k = 0; k < s; k += 2) {
    const int p = IdrVectors::shadow + k;
    k + 1 < s ? counter.loop({p, p + 1, vector}, {}, 4) : counter.loop({p, vector}, {}, 4);
  }
  counter.work(kept);
}

void count_shadow(SolveCounter& counter, int s) {
  for (int k = 0; k < s; ++k) {
    const int p = IdrVectors::shadow + k;
    k == 0 ? counter.loop({vector_r}, {p}, 0) : counter.loop({}, {p}, 0);
    for (int pass = 0; pass < 2 * k; ++pass) {
      const int before = IdrVectors::shadow + pass % k;
      counter.loop({before, p}, {}, 2);
      counter.loop({before, p}, {p}, 2);
    }
    counter.loop({p}, {}, 2);
    counter.loop({p}, {p}, 1);
    counter.flops(2);
  }
  for (int number = IdrVectors::g; number < IdrVectors::w; ++number) {
    counter.loop({}, {number}, 0);
  }
  counter.work(s * s);
}

/// The step that makes the k-th vectors of G and U.
void count_idr_step(SolveCounter& counter, int k, int s) {
  constexpr int w = IdrVectors::w;
  const int g = IdrVectors::g + k;
  const int u = IdrVectors::u + k;
  const int left = s - k;
  counter.flops(left * (left - 1) + left);  // the triangular system
  counter.work(left * (left - 1) + 3 * left);
  counter.loop({vector_r}, {w}, 0);
  for (int j = k; j < s; ++j) {
    counter.loop({w, IdrVectors::g + j}, {w}, 2);
    counter.work(1);
  }
  const int w_hat = counter.apply(w);
  counter.loop({w_hat, u}, {u}, 3);
  counter.work(static_cast<double>(counter.rows()));  // the coefficient, which each row reads
  for (int j = k + 1; j < s; ++j) {
    counter.loop({u, IdrVectors::u + j}, {u}, 2);
    counter.work(1);
  }
  counter.multiply(u, g, {}, 0);
  for (int j = 0; j < k; ++j) {
    counter.loop({IdrVectors::shadow + j, g}, {}, 2);
    counter.loop({g, IdrVectors::g + j, u, IdrVectors::u + j}, {g, u}, 4);
    counter.flops(1);
    counter.work(1);
  }
  count_shadow_products(counter, g, s, left);
  counter.loop({vector_d, u, vector_r, g}, {vector_d, vector_r}, 6);
  counter.flops(1 + 2 * (left - 1) + 1);
  counter.work(2 + 3 * (left - 1));
}

/// The step into the next Sonneveld space.
void count_idr_descent(SolveCounter& counter) {
  constexpr int w = IdrVectors::w;
  const int r_hat = counter.apply(vector_r);
  counter.multiply(r_hat, w, {vector_r}, 6);
  counter.has_identity() ? counter.loop({vector_d, vector_r, w}, {vector_d, vector_r}, 6)
                         : counter.loop({vector_d, r_hat, vector_r, w}, {vector_d, vector_r}, 6);
  counter.flops(8);
}

}  // namespace

void count_idr(SolveCounter& counter, index_t iterations, index_t /*number*/) {
  const int s = static_cast<int>(std::min<index_t>(counter.rows(), Idr::most_dimensions));
  const index_t rounds = iterations / (s + 1);
  count_shadow(counter, s);
  counter.repeat(static_cast<double>(rounds + 1), [&] { count_shadow_products(counter, vector_r, s, s); });
  for (int k = 0; k < s; ++k) {
    counter.repeat(static_cast<double>(rounds + (iterations % (s + 1) > k ? 1 : 0)), [&] { count_idr_step(counter, k, s); });
  }
  counter.repeat(static_cast<double>(rounds), [&] { count_idr_descent(counter); });
}

}  // namespace phpc::batch
