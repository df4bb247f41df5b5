#pragma once
#include "batch/direct/block_layout.hpp"
#include "phpc/exec/subgroup.hpp"
#include "phpc/exec/team.hpp"

namespace phpc::batch {

/// Columns of the factors that BlockLu makes, L left of the diagonal, U on it and right of it.
template <class T>
struct FactorStripe {
  const T* first;  ///< the first column's element in row 0
  int pitch;

  /// The row's elements from the first column on.
  [[nodiscard, gnu::always_inline]] const T* row(int i) const { return first + i * pitch; }
};

/// Substitution by a team (on the host, one thread) with the factors that BlockLu makes: the first sub-group solves for a block
/// of unknowns, and all threads subtract its contribution from the other rows. StripeOf(first, last, begin, end) returns columns
/// [first, last) in the rows [begin, end).
template <class T, int TeamSize, class StripeOf>
struct BlockSubstitution {
  const exec::Team& team;
  int rank;
  int rows;
  const T* inverse;  ///< of U's diagonal
  StripeOf stripe_of;

  /// d = (L U)^-1 r; r is overwritten. It ends on a barrier.
  [[gnu::always_inline]] void team_solve(T* r, T* d) const {
#pragma clang loop unroll(disable)
    for (int first = 0; first < rows; first += block) {
      const int last = first + block < rows ? first + block : rows;
      const FactorStripe<T> stripe = stripe_of(first, last, first, rows);
      substitute<true>(stripe, r, r, first, last);
      team.barrier();
      team_subtract(stripe, r, r, first, last, last, rows);
      team.barrier();
    }
#pragma clang loop unroll(disable)
    for (int first = (rows - 1) / block * block; first >= 0; first -= block) {
      const int last = first + block < rows ? first + block : rows;
      const FactorStripe<T> stripe = stripe_of(first, last, 0, last);
      substitute<false>(stripe, r, d, first, last);
      team.barrier();
      team_subtract(stripe, r, d, first, last, 0, first);
      team.barrier();
    }
  }

 private:
  static constexpr int lanes = 32;
  static constexpr int block = static_cast<int>(BlockLayout::stripe);  ///< unknowns that a sub-group solves for by itself
  static constexpr int count = PHPC_GPU_PASS ? 1 : block;              ///< unknowns of a thread
  static constexpr int together = 4;

  /// Solves L y = from, or U x = from, for the unknowns [first, last), which the first sub-group stores in `to`: `together` at a
  /// time, which all lanes compute, so that they wait for one another's numbers that much more seldom.
  template <bool Lower>
  [[gnu::always_inline]] void substitute(const FactorStripe<T>& stripe, const T* from, T* to, int first, int last) const {
    if (PHPC_GPU_PASS && rank >= lanes) {
      return;
    }
    const T* own[count];  // the thread's rows
    T left[count];
    T scale[count];
    for (int q = 0; q < count; ++q) {
      const int row = first + rank + q < last ? first + rank + q : last - 1;
      own[q] = stripe.row(row);
      left[q] = from[row];
      scale[q] = Lower ? T{1} : inverse[row];
      left[q] *= scale[q];
    }
    const int size = last - first;
    int done = 0;
#pragma clang loop unroll(disable)
    for (; done + together <= size; done += together) {
      substitute_for<Lower, together>(stripe, own, scale, left, first, Lower ? done : size - 1 - done);
    }
#pragma clang loop unroll(disable)
    for (; done < size; ++done) {
      substitute_for<Lower, 1>(stripe, own, scale, left, first, Lower ? done : size - 1 - done);
    }
    for (int q = 0; q < count; ++q) {
      if (first + rank + q < last) {
        to[first + rank + q] = left[q];
      }
    }
  }

  /// Solves for Number unknowns of a block, `begin`, begin + 1, ... of L or begin, begin - 1, ... of U.
  template <bool Lower, int Number>
  [[gnu::always_inline]] void substitute_for(const FactorStripe<T>& stripe, const T* const (&own)[count], const T (&scale)[count],
                                             T (&left)[count], int first, int begin) const {
    constexpr int step = Lower ? 1 : -1;
    T known[Number];
#pragma unroll
    for (int k = 0; k < Number; ++k) {
      const int at = begin + k * step;
      known[k] = PHPC_GPU_PASS ? exec::subgroup_shuffle(team, left[0], at) : left[at % count];
    }
#pragma unroll
    for (int k = 1; k < Number; ++k) {
      const int row = first + begin + k * step;
      const T* const elements = stripe.row(row) + begin;
#pragma unroll
      for (int j = 0; j < k; ++j) {
        known[k] -= (Lower ? elements[j * step] : elements[j * step] * inverse[row]) * known[j];
      }
    }
    for (int q = 0; q < count; ++q) {
#pragma unroll
      for (int k = 0; k < Number; ++k) {
        const int at = begin + k * step;
        const T factor = Lower ? own[q][at] : own[q][at] * scale[q];
        const bool is_open = Lower ? rank + q > at : rank + q < at;
        left[q] = is_open ? left[q] - factor * known[k] : left[q];
      }
    }
  }

  /// Subtracts what the unknowns [first, last) contribute to rows [begin, end) of r.
  [[gnu::always_inline]] void team_subtract(const FactorStripe<T>& stripe, T* r, const T* unknowns, int first, int last,
                                            int begin, int end) const {
    constexpr int together_loaded = 16 / sizeof(T);
    const T* const known = static_cast<const T*>(__builtin_assume_aligned(unknowns + first, 16));
    const int size = last - first;
    for (int i = begin + rank; i < end; i += TeamSize) {
      const T* const elements = static_cast<const T*>(__builtin_assume_aligned(stripe.row(i), 16));
      T sum[together_loaded] = {r[i]};
      int k = 0;
#pragma unroll 4
      for (; k + together_loaded <= size; k += together_loaded) {
#pragma unroll
        for (int t = 0; t < together_loaded; ++t) {
          sum[t] -= elements[k + t] * known[k + t];
        }
      }
      for (; k < size; ++k) {
        sum[0] -= elements[k] * known[k];
      }
#pragma unroll
      for (int t = 1; t < together_loaded; ++t) {
        sum[0] += sum[t];
      }
      r[i] = sum[0];
    }
  }
};

}  // namespace phpc::batch
