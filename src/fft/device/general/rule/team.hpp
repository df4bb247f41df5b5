#pragma once
#include <vector>

#include "phpc/core/types.hpp"

namespace phpc::fft {

/// A team of the general kernel: how many transforms it does at a time, and how many threads do them.
struct TeamOfRows {
  index_t width = 1;
  index_t threads = 0;
};

/// Returns the team for transforms whose tiles lie together in memory, rows or boxes, by a model of what it costs beside the
/// bytes that it moves (team.cpp). A transform has `elements` in scratch, of which a butterfly of each stage has as many as
/// `held` says, the first stage first. `registers`: of a thread; `most_width`: transforms at most.
template <class Real>
TeamOfRows team_of_rows(index_t elements, const std::vector<int>& held, index_t registers, index_t most_width);

}  // namespace phpc::fft
