#pragma once
#include <string>
#include <vector>

#include "jobs/fft/options.hpp"
#include "phpc/fft/descriptor.hpp"
#include "phpc/io/npy.hpp"

namespace phpc::jobs {

/// The transform of one array, worked out from its type and shape. The axes before the first transformed one number *blocks*,
/// which are transformed independently of one another and therefore part by part.
struct FftProblem {
  io::NpyType file_type = io::NpyType::float32;
  io::NpyType in_type = io::NpyType::float32;  ///< what the transform takes: of the same precision
  io::NpyType out_type = io::NpyType::float32;
  index_t blocks = 1;
  std::vector<index_t> leading;     ///< lengths of the axes that number the blocks
  std::vector<index_t> file_block;  ///< of a block in the file
  std::vector<index_t> in_block;    ///< padded with zeros or cropped to what the transform takes
  std::vector<index_t> real_block;  ///< of the real array, where there is one; else as in_block
  std::vector<index_t> out_block;
  std::vector<index_t> axes;  ///< of a block, in the order named
  fft::Kind kind = fft::Kind::complex_to_complex;
  fft::Direction direction = fft::Direction::forward;
  double scale = 1;

  [[nodiscard]] fft::Precision precision() const;
  [[nodiscard]] index_t in_elements() const;
  [[nodiscard]] index_t out_elements() const;
  [[nodiscard]] std::vector<index_t> out_shape() const;
  /// Lengths of one transform, in the order of `axes`.
  [[nodiscard]] std::vector<index_t> lengths() const;
  /// Returns " (the first 512 of 4000 elements)" where --shape-out crops, " (4000 elements, padded with zeros to 8192)" where it
  /// pads, for each axis; else nothing. Of a half spectrum the elements are those of the half.
  [[nodiscard]] std::string resized_text() const;
  /// Transforms in one block.
  [[nodiscard]] index_t transforms() const;
  /// The transforms of `count` blocks.
  [[nodiscard]] fft::Descriptor descriptor(index_t count) const;
};

/// What the problem is made from beside the array.
struct ProblemRequest {
  std::string axes = "-1";  ///< list or "all"
  bool axes_given = false;
  std::string shape_out;
  fft::Kind kind = fft::Kind::complex_to_complex;
  fft::Direction direction = fft::Direction::forward;
  fft::Norm norm = fft::Norm::backward;
  double scale = 1;
};

/// The request that the options make. Throws Error(usage).
ProblemRequest problem_request(const FftOptions& options);

/// Throws Error(usage) for axes and lengths that make no sense for the shape, and Error(input) for an array of the wrong type, of
/// no axis, or of a length 0 to be transformed; `name` is the array's file.
FftProblem make_problem(const ProblemRequest& request, io::NpyType type, const std::vector<index_t>& shape,
                        const std::string& name);

}  // namespace phpc::jobs
