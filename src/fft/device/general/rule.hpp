#pragma once
#include <cstddef>
#include <vector>

#include "phpc/core/types.hpp"

namespace phpc::fft {

/// How the general kernel does rows of one length.
struct GeneralShape {
  std::vector<int> radices{};  ///< of its stages, the first one first; none for a length of 1
  int width = 1;               ///< transforms of a team
  int team_size = 0;           ///< 0: the length has no such radices
  bool is_in_order = false;    ///< memory is read and written in order, without butterflies
};

/// The rule, found by trying shapes of 77 lengths on an H200: the fewest stages with
/// composite radices, the largest first, a thread for each of its butterflies, and tiles of about 11 KiB cut for full warps.
/// `most_width`: transforms of a team at most.
template <class Real>
GeneralShape general_shape(index_t length, index_t most_width);

}  // namespace phpc::fft
