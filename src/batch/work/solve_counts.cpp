#include "batch/work/solve_counts.hpp"

#include <algorithm>

namespace phpc::batch {

namespace {

/// ||vector||_2, with the test of its range.
void count_norm(SolveCounter& counter, int vector) {
  counter.loop({vector}, {}, 2);
  counter.flops(2);
}

/// The true residual of d, and its norm.
void count_true_residual(SolveCounter& counter) {
  counter.residual(vector_d, vector_r);
  counter.loop({vector_d, vector_r}, {vector_r}, 2);
  count_norm(counter, vector_r);
  counter.flops(3);
}

}  // namespace

void count_solve(SolveCounter& outer, SolveCounter& inner, const MethodWork& method, index_t iterations, index_t least_cycles) {
  inner.prepare();
  outer.loop({vector_b, vector_x}, {vector_r, vector_d}, 1);
  count_norm(outer, vector_r);
  outer.loop({vector_x}, {vector_x}, 0);
  outer.flops(1);
  const bool is_split = &outer != &inner;
  index_t number = 0;
  for (index_t left = iterations; left > 0; ++number) {
    index_t own = ceil_div(left, std::max<index_t>(least_cycles - number, 1));
    own = method.longest_cycle > 0 ? std::min(own, method.longest_cycle) : own;
    left -= own;
    outer.loop({vector_r}, {vector_r, vector_d}, 1);
    outer.flops(2);
    if (is_split) {
      outer.loop({vector_r}, {}, 0);
      inner.loop({}, {vector_r, vector_d}, 0);
    }
    method.count_cycle(inner, own, number);
    if (is_split) {
      inner.loop({vector_d}, {}, 0);
      outer.loop({}, {vector_d}, 0);
    }
    outer.loop({vector_x, vector_d}, {vector_d}, 2);
    count_true_residual(outer);
    outer.loop({vector_x, vector_d}, {vector_x}, 0);
    outer.flops(1);
  }
}

}  // namespace phpc::batch
