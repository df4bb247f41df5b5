#include "fft/lines/line_loops.hpp"

#include <algorithm>

namespace phpc::fft {

LineLoops::LineLoops(const LineProblem& problem) {
  struct Candidate {
    LineLoop loop;
    std::size_t index;
    bool is_batch;
  };
  std::vector<Candidate> sorted;
  for (std::size_t index = 0; index < problem.loops.size(); ++index) {
    LineLoop loop = problem.loops[index];
    if (index == 0) {
      loop.count = std::max<index_t>(loop.count, 1);  // a plan for no transforms is one that is never run
    }
    if (index == 0 || loop.count != 1) {
      sorted.push_back({loop, index, index == 0});
    }
  }
  std::sort(sorted.begin(), sorted.end(), [](const Candidate& a, const Candidate& b) {
    const index_t first = a.loop.from + a.loop.to;
    const index_t second = b.loop.from + b.loop.to;
    return first != second ? first > second : a.index < b.index;
  });
  std::size_t batch_at = 0;
  for (const Candidate& next : sorted) {
    LineLoop* const outer = loops.empty() ? nullptr : &loops.back();
    const bool goes_on = outer != nullptr && !next.is_batch && outer->from == next.loop.count * next.loop.from &&
                         outer->to == next.loop.count * next.loop.to;
    if (goes_on) {
      *outer = {outer->count * next.loop.count, next.loop.from, next.loop.to};
      if (batch_at == loops.size()) {
        per_batch *= next.loop.count;
      }
      continue;
    }
    loops.push_back(next.loop);
    if (next.is_batch) {
      batch = loops.size() - 1;
      batch_at = loops.size();
    }
  }
}

index_t LineLoops::lines() const {
  index_t product = 1;
  for (const LineLoop& loop : loops) {
    product *= loop.count;
  }
  return product;
}

namespace {

LineSide side_of(index_t length, Elements elements, index_t stride, std::vector<index_t> distances) {
  if (elements == Elements::complex) {
    return {stride, std::move(distances), 1, 2};
  }
  if (elements == Elements::planar || length % 2 == 1) {
    return {stride, std::move(distances), 0, 1};
  }
  // In pairs: as interleaved complex numbers where they lie like these.
  const bool are_pairs = stride == 1 && std::all_of(distances.begin(), distances.end(), [](index_t d) { return d % 2 == 0; });
  if (!are_pairs) {
    return {2 * stride, std::move(distances), stride, 1};
  }
  for (index_t& distance : distances) {
    distance /= 2;
  }
  return {1, std::move(distances), 1, 2};
}

}  // namespace

LineSide from_side(const LineProblem& problem, const LineLoops& loops) {
  std::vector<index_t> distances;
  distances.reserve(loops.loops.size());
  for (const LineLoop& loop : loops.loops) {
    distances.push_back(loop.from);
  }
  return side_of(problem.length, problem.from, problem.from_stride, std::move(distances));
}

LineSide to_side(const LineProblem& problem, const LineLoops& loops) {
  std::vector<index_t> distances;
  distances.reserve(loops.loops.size());
  for (const LineLoop& loop : loops.loops) {
    distances.push_back(loop.to);
  }
  return side_of(problem.length, problem.to, problem.to_stride, std::move(distances));
}

}  // namespace phpc::fft
