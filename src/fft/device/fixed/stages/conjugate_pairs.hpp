#pragma once
#include "fft/device/pass/pass_ends.hpp"
#include "fft/math/butterflies.hpp"

/// Conjugate pairs: elements k and m - k, opposite each other, of the transform of m complex numbers x[2j] + i x[2j + 1], of
/// which two elements of the transform of the 2m real numbers are made (pass_ends.hpp). The m elements are Count lines side by
/// side: line c holds elements c + Count * e. The elements opposite those of line c lie in line Count - c, backwards, and those
/// of lines 0 and Count / 2 in these lines themselves.
namespace phpc::fft {

/// Neighbouring lines of a team: what stands in for ConjugateLines where lines have nothing to do with one another.
template <int Width, int Count>
struct NeighbourLines {
  int first;

  [[gnu::always_inline]] static constexpr NeighbourLines of_tile(int tile) { return {tile * Width}; }
  /// Which line the team's line `i` is.
  [[gnu::always_inline]] constexpr int operator()(int i) const { return first + i; }
  /// How many of the team's Width lines there are.
  [[gnu::always_inline]] constexpr int live() const { return Count - first < Width ? Count - first : Width; }
};

/// Two butterflies whose elements lie opposite each other: of the team's lines `low_line` and `high_line`, from elements `low`
/// and `high` on. Element r of the one is opposite element radix - 1 - r of the other, but for `is_end`: then each is its own
/// opposite, and the low one holds element 0 of line 0.
struct ConjugateButterflies {
  int low_line;
  int low;
  int high_line;
  int high;
  bool is_end;
};

/// Lines first ... first + half - 1 of a team and then, in the same order, those opposite them. Line Count / 2 comes with line 0.
template <int Width, int Count>
struct ConjugateLines {
  static constexpr int half = Width / 2;
  static constexpr int count = Count;
  static_assert(Width % 2 == 0 && Count % Width == 0, "whole tiles of pairs of lines");

  int first;

  [[gnu::always_inline]] static constexpr ConjugateLines of_tile(int tile) { return {tile * half}; }
  [[gnu::always_inline]] constexpr int operator()(int i) const {
    const int low = first + (i < half ? i : i - half);
    return i < half ? low : low == 0 ? Count / 2 : Count - low;
  }
  [[gnu::always_inline]] static constexpr int live() { return Width; }

  /// How many pairs of butterflies, of elements `Stride` apart, the team's lines have.
  template <int Stride>
  static constexpr int pairs = half * Stride;
  /// Pair `index`; those of neighbouring lines follow one another.
  template <int Stride>
  [[gnu::always_inline]] constexpr ConjugateButterflies butterflies(int index) const {
    const int i = index % half;
    const int item = index / half;
    constexpr int within_first = (Stride - 1) / 2;  // pairs that lie in line 0
    if (first + i > 0) {
      return {i, item, half + i, Stride - 1 - item, false};
    }
    if (item == 0) {
      return {0, 0, Stride % 2 == 0 ? 0 : half, Stride / 2, true};
    }
    if (item <= within_first) {
      return {0, item, 0, Stride - item, false};
    }
    return {half, item - within_first - 1, half, Stride + within_first - item, false};
  }
};

/// Lines of which each is all of a transform (Count = 1), of a team of Width: an element and the one opposite lie in the same
/// line.
template <int Width>
struct WholeLines {
  /// How many pairs of butterflies, of elements `Stride` apart, the team's lines have.
  template <int Stride>
  static constexpr int pairs = Width * (Stride / 2);
  /// Pair `index`; those of one line follow one another.
  template <int Stride>
  [[gnu::always_inline]] static constexpr ConjugateButterflies butterflies(int index) {
    static_assert(Stride % 2 == 0, "butterfly Stride / 2 is its own opposite, as that of element 0 is");
    const int line = index / (Stride / 2);
    const int item = index % (Stride / 2);
    return {line, item, line, item == 0 ? Stride / 2 : Stride - item, item == 0};
  }
};

/// combine(here, opposite, root) for all elements of two butterflies that lie opposite each other, `root` being exp(-2 pi i k /
/// 2m) for the k of `here`. The roots given are those of both butterflies' first elements; the next ones are exp(-pi i / R) times
/// that. `last` lies opposite element 0, and takes part at an end alone.
template <int R, class Value, class Combine>
[[gnu::always_inline]] constexpr void thread_combine(Value (&low)[R], Value (&high)[R], Value& last, Value low_root,
                                                     Value high_root, bool is_end, const Combine& combine) {
  if (!is_end) {
#pragma unroll
    for (int r = 0; r < R; ++r) {
      combine(low[r], high[R - 1 - r], detail::times_root<2 * R>(low_root, r));
    }
    return;
  }
  combine(low[0], last, low_root);
#pragma unroll
  for (int r = 1; r < (R + 1) / 2; ++r) {
    combine(low[r], low[R - r], detail::times_root<2 * R>(low_root, r));
  }
#pragma unroll
  for (int r = 0; r < R / 2; ++r) {
    combine(high[r], high[R - 1 - r], detail::times_root<2 * R>(high_root, r));
  }
  // Element m / 2 is its own opposite.
  Value& middle = R % 2 == 0 ? low[R / 2] : high[R / 2];
  Value copy = middle;
  combine(middle, copy, detail::times_root<2 * R>(R % 2 == 0 ? low_root : high_root, R / 2));
}

/// Replaces both elements of a pair by r2c_postprocessed() of them, times 2.
struct R2cPostprocess {
  template <class Value>
  [[gnu::always_inline]] constexpr void operator()(Value& here, Value& opposite, Value root) const {
    const Value even = here + conj(opposite);
    const Value odd = (here - conj(opposite)) * root;
    here = {even.re + odd.im, even.im - odd.re};
    opposite = {even.re - odd.im, 0 - (even.im + odd.re)};
  }
};

/// Replaces both elements of a pair by c2r_preprocessed() of them.
struct C2rPreprocess {
  template <class Value>
  [[gnu::always_inline]] constexpr void operator()(Value& here, Value& opposite, Value root) const {
    const Value sum = here + conj(opposite);
    const Value difference = (here - conj(opposite)) * conj(root);
    here = {sum.re - difference.im, sum.im + difference.re};
    opposite = {sum.re + difference.im, difference.re - sum.im};
  }
};

}  // namespace phpc::fft
