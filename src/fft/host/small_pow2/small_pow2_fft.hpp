#pragma once
#include <algorithm>
#include <vector>

#include "fft/host/packs/pack.hpp"

namespace phpc::fft {

/// Lines of interleaved elements, those of a line one after the other, `step` real numbers from one line to the next.
template <class Real>
struct LineRun {
  const Real* from;
  index_t from_step;
  Real* to;
  index_t to_step;
  index_t groups;  ///< of SmallPow2Fft::group() lines each
  Stores stores;   ///< streamed where all packs of all lines are aligned
};

/// Transforms lines of small powers of two, a few lines at a time, mostly in registers. A line as long as a pack has lanes, or
/// half as long, is one butterfly, with a line in each lane. A longer one is taken in four steps (FourStepSplit): of n = n1 *
/// lanes elements, butterflies of n1 with the lanes filled from within the line, then those of `lanes` for as many lines together
/// as fill a pack with their n1 rows each; beyond lanes^2 elements n1 and n2 are nearly equal, and each line goes alone.
template <class Real>
class SmallPow2Fft {
 public:
  /// Whether it does that length.
  static bool fits(index_t length);
  /// The lengths of the butterflies that a line of such a length goes through.
  static std::vector<int> radices(index_t length);

  SmallPow2Fft(index_t length, bool swapped, double scale);

  /// Lines that are done together.
  [[nodiscard]] index_t group() const { return std::clamp<index_t>(lanes<Real> * lanes<Real> / length_, 1, lanes<Real>); }
  [[nodiscard]] std::size_t table_bytes() const { return twiddles_.size() * sizeof(PackValue<Real>); }
  void run(const LineRun<Real>& lines) const;

 private:
  index_t length_;
  bool swapped_;
  Real scale_;
  std::vector<PackValue<Real>> twiddles_;  ///< scale * exp(-2 pi i k1 j2 / n): pack k1 and lane j2, by blocks of lanes
};

}  // namespace phpc::fft
