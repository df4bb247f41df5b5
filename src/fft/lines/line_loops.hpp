#pragma once
#include <vector>

#include "fft/lines/line.hpp"

namespace phpc::fft {

/// The loops over a problem's lines, sorted by distance, the largest outermost. Two neighbouring loops are joined into one where
/// the outer one's distance is the inner one's extent.
struct LineLoops {
  explicit LineLoops(const LineProblem& problem);

  std::vector<LineLoop> loops;
  std::size_t batch = 0;  ///< index of the loop over the batch, whose count is batch * per_batch
  index_t per_batch = 1;

  [[nodiscard]] index_t lines() const;
};

/// One array of a problem as passes see it: distances in steps of `pitch` real numbers (see Parts), along a line (`stride`) and
/// for every loop from one line to the next (`distances`). Of a real transform of even length n = 2m this is the real line as m
/// complex numbers x[2j] + i x[2j + 1].
struct LineSide {
  index_t stride = 1;
  std::vector<index_t> distances;
  index_t second = 0;  ///< real numbers from the first part to the second; 0 = planar, or real without a second part
  index_t pitch = 1;
};

/// Whether a side's numbers are complex ones, both parts side by side.
constexpr bool is_interleaved(const LineSide& side) {
  return side.second == 1 && side.pitch == 2;
}

LineSide from_side(const LineProblem& problem, const LineLoops& loops);
LineSide to_side(const LineProblem& problem, const LineLoops& loops);

}  // namespace phpc::fft
