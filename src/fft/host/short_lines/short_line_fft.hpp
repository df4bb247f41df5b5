#pragma once
#include <algorithm>
#include <vector>

#include "fft/host/packs/pack.hpp"
#include "fft/host/transforms/one_butterfly.hpp"

namespace phpc::fft {

/// Lines of interleaved elements, those of a line one after the other, `step` real numbers from one line to the next.
template <class Real>
struct LineRun {
  const Real* from;
  index_t from_step;
  Real* to;
  index_t to_step;
  index_t groups;  ///< of ShortLineFft::group() lines each
  Stores stores;   ///< streamed where all packs of all lines are aligned
};

/// Transforms short lines, a few at a time, mostly in registers. Lines of few elements are one butterfly, with a line in
/// each lane. A longer power of two is taken in four steps (FourStepSplit): of n = n1 * lanes elements, butterflies of n1 with
/// the lanes filled from within the line, then those of `lanes` for as many lines together as fill a pack with their n1 rows
/// each; beyond lanes^2 elements n1 and n2 are nearly equal, and each line goes alone.
template <class Real>
class ShortLineFft {
 public:
  /// Whether it does that length.
  static bool fits(index_t length);
  /// The longest power of two that is one butterfly: without as many registers as AVX-512 has one of 16 takes longer than steps.
  static constexpr index_t longest_butterfly = pack_bytes == 64 ? 16 : lanes<Real>;
  static constexpr bool is_one_butterfly(index_t length) {
    return (length & (length - 1)) == 0 ? length >= 2 && length <= longest_butterfly : has(length, OneButterflyLengths{});
  }
  /// Lines of that length that are done together.
  static constexpr index_t group_of(index_t length) {
    return is_one_butterfly(length) ? lanes<Real> : std::clamp<index_t>(lanes<Real> * lanes<Real> / length, 1, lanes<Real>);
  }
  /// The lengths of the butterflies that a line of such a length goes through.
  static std::vector<int> radices(index_t length);

  ShortLineFft(index_t length, bool swapped, double scale);

  [[nodiscard]] index_t group() const { return group_of(length_); }
  [[nodiscard]] std::size_t table_bytes() const { return twiddles_.size() * sizeof(PackValue<Real>); }
  void run(const LineRun<Real>& lines) const;

 private:
  template <int... Lengths>
  static constexpr bool has(index_t length, std::integer_sequence<int, Lengths...> /*list*/) {
    return ((length == Lengths) || ...);
  }

  index_t length_;
  bool swapped_;
  Real scale_;
  std::vector<PackValue<Real>> twiddles_;  ///< scale * exp(-2 pi i k1 j2 / n): pack k1 and lane j2, by blocks of lanes
};

}  // namespace phpc::fft
