#pragma once
#include "phpc/exec/subgroup.hpp"
#include "phpc/exec/team.hpp"

namespace phpc::batch {

/// Substitution by a team (on the host, one thread) with the factors that BlockLu makes: the first sub-group solves for a block
/// of unknowns, and all threads subtract its contribution from the other rows.
template <class T, int TeamSize>
struct BlockSubstitution {
  const exec::Team& team;
  int rank;
  int rows;
  int pitch;
  const T* a;        ///< (rows, pitch): L left of the diagonal, U on it and right of it
  const T* inverse;  ///< of U's diagonal

  /// d = (L U)^-1 r; r is overwritten. It ends on a barrier.
  [[gnu::always_inline]] void team_solve(T* r, T* d) const {
#pragma clang loop unroll(disable)
    for (int first = 0; first < rows; first += block) {
      const int last = first + block < rows ? first + block : rows;
      substitute<true>(r, r, first, last);
      team.barrier();
      team_subtract(r, r, first, last, last, rows);
      team.barrier();
    }
#pragma clang loop unroll(disable)
    for (int first = (rows - 1) / block * block; first >= 0; first -= block) {
      const int last = first + block < rows ? first + block : rows;
      substitute<false>(r, d, first, last);
      team.barrier();
      team_subtract(r, d, first, last, 0, first);
      team.barrier();
    }
  }

 private:
  static constexpr int block = 32;  ///< unknowns that a sub-group solves for by itself

  /// Solves L y = from, or U x = from, for the unknowns [first, last), which the first sub-group stores in `to`.
  template <bool Lower>
  [[gnu::always_inline]] void substitute(const T* from, T* to, int first, int last) const {
    if (PHPC_GPU_PASS && rank >= 32) {
      return;
    }
    constexpr int lanes_here = PHPC_GPU_PASS ? 1 : block;  // unknowns of a thread
    T left[lanes_here];
    T scale[lanes_here];
    int own[lanes_here];
    for (int q = 0; q < lanes_here; ++q) {
      own[q] = first + rank + q < last ? first + rank + q : last - 1;
      left[q] = from[own[q]];
      scale[q] = Lower ? T{1} : inverse[own[q]];
    }
#pragma unroll 4
    for (int step = 0; step < last - first; ++step) {
      const int k = Lower ? step : last - first - 1 - step;
      const T known =
          PHPC_GPU_PASS ? exec::subgroup_shuffle(team, left[0] * scale[0], k) : left[k % lanes_here] * scale[k % lanes_here];
      for (int q = 0; q < lanes_here; ++q) {
        const int at = own[q] - first;
        const T factor = a[own[q] * pitch + first + k];
        left[q] = (Lower ? at > k : at < k) ? left[q] - factor * known : left[q];
      }
    }
    for (int q = 0; q < lanes_here; ++q) {
      if (first + rank + q < last) {
        to[own[q]] = left[q] * scale[q];
      }
    }
  }

  /// Subtracts what the unknowns [first, last) contribute to rows [begin, end) of r.
  [[gnu::always_inline]] void team_subtract(T* r, const T* known, int first, int last, int begin, int end) const {
    for (int i = begin + rank; i < end; i += TeamSize) {
      const T* const elements = a + i * pitch;
      T even = r[i];
      T odd{};
      int k = first;
#pragma unroll 4
      for (; k + 1 < last; k += 2) {
        even -= elements[k] * known[k];
        odd -= elements[k + 1] * known[k + 1];
      }
      if (k < last) {
        even -= elements[k] * known[k];
      }
      r[i] = even + odd;
    }
  }
};

}  // namespace phpc::batch
