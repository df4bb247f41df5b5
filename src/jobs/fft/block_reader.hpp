#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include "jobs/fft/problem.hpp"
#include "phpc/io/array_reader.hpp"

namespace phpc::jobs {

/// Blocks of an array as the transform takes them: widened from real to complex where it wants that, padded with zeros or
/// cropped, and weighted by a window.
class BlockReader {
 public:
  /// `window`: factors along the first axis of a block, as many as it has elements in the file; empty = none.
  BlockReader(io::ArrayReader& reader, const FftProblem& problem, std::vector<double> window = {});

  /// The next `count` blocks into `in`, which holds count * problem.in_elements() elements.
  void read(std::span<std::byte> in, index_t count);

 private:
  template <class From, class To>
  void read_lines(std::span<To> in, index_t count);
  template <class Real>
  void read_as(std::span<std::byte> in, index_t count);

  io::ArrayReader& reader_;
  const FftProblem& problem_;
  std::vector<double> window_;
};

}  // namespace phpc::jobs
