#pragma once
#include <cstddef>
#include <vector>

#include "fft/device/general/rule/rule.hpp"
#include "phpc/core/types.hpp"

namespace phpc::fft {

/// Transforms side by side in a pass with strides: 64 bytes of f32, 128 of f64 in a row, whole lines of a cache.
inline constexpr index_t columns_of_line = 8;

/// The lengths of the passes that do a transform of n elements on a device. `capacity`: elements of a team's largest tile;
/// `fixed_scratch`: bytes of scratch for the kernels of GPUs, 0 where these are not taken; `columns`: how transforms lie side by
/// side, none where they do not or go by another kernel; `has_fixed`: kernels for a length can read and write both ends, which
/// those for planar numbers cannot. Throws Error(usage) where three passes do not reach.
template <class Real>
std::vector<index_t> chosen_passes(index_t n, index_t capacity, std::size_t fixed_scratch, const ColumnPlaces& columns,
                                   bool has_fixed = true);

/// The last two of three passes over a line in one launch (PassForm::fused_last_passes).
struct LastPasses {
  index_t length = 0;  ///< of both; 0: other passes take less
  index_t width = 0;   ///< transforms of that length whose results are written together
};

/// Returns the last passes of contiguous lines of n elements.
template <class Real>
LastPasses last_passes(index_t n, index_t capacity, std::size_t fixed_scratch);

}  // namespace phpc::fft
