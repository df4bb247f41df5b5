#pragma once
#include <optional>
#include <string>
#include <vector>

#include "fft/host/long_lines/blocks.hpp"
#include "fft/host/memory/crew.hpp"
#include "fft/host/transforms/transform.hpp"

namespace phpc::fft {

/// A line to be transformed: interleaved elements, one directly after the other. `from` and `to` may be the same.
template <class Real>
struct HostLine {
  const Real* from;
  Real* to;
  Stores stores = Stores::cached;  ///< streamed only where whole packs of the result are aligned
  Prefetcher* prefetcher = nullptr;
};

/// Scratch of HostLineTransform.
template <class Real>
struct HostWork {
  PackValue<Real>* shared;  ///< the crew's: shared_values()
  PackValue<Real>* own;     ///< each thread's: own_values()
};

/// Transforms single lines of interleaved elements in four steps (FourStepSplit), with the lanes of packs filled from within the
/// line. One thread does a line in its second-level cache, or a crew of threads does it in memory.
template <class Real>
class HostLineTransform {
 public:
  using Value = PackValue<Real>;

  /// For a smooth length, or any (see chirp.hpp) through a convolution of a smooth one. `swapped`: real and imaginary parts
  /// change places before and after, for the inverse transform. nullopt where the length is too short for the lanes.
  static std::optional<HostLineTransform> make(index_t length, double scale, bool swapped);

  [[nodiscard]] index_t shared_values() const { return matrix_.size() + (is_convolution() ? back_matrix_.size() : 0); }
  [[nodiscard]] index_t own_values() const { return 2 * std::max(split_.n1, split_.n2); }
  [[nodiscard]] std::size_t table_bytes() const;
  [[nodiscard]] std::string describe() const;  ///< see HostLines
  /// How often the prefetcher steps in a line, when one thread does it.
  [[nodiscard]] index_t prefetch_steps() const;

  /// Whether all of the result is written in packs that are aligned where the line is.
  [[nodiscard]] bool writes_aligned() const { return !is_convolution() && split_.n1 % lanes<Real> == 0; }

  void run(const Crew& crew, const HostLine<Real>& line, const HostWork<Real>& work) const;

 private:
  HostLineTransform(index_t length, FourStepSplit split, double scale, bool swapped);
  void add_convolution(double scale);
  [[nodiscard]] bool is_convolution() const { return !bluestein_filter_.empty(); }

  void columns(const Crew& crew, const HostLine<Real>& line, const HostWork<Real>& work) const;
  void rows(const Crew& crew, const HostLine<Real>& line, const HostWork<Real>& work) const;

  void chirped_columns(const Crew& crew, const HostLine<Real>& line, const HostWork<Real>& work) const;
  void filtered_rows(const Crew& crew, const HostLine<Real>& line, const HostWork<Real>& work) const;
  void back_columns(const Crew& crew, const HostLine<Real>& line, const HostWork<Real>& work) const;
  [[nodiscard]] Value chirped(const Real* line, index_t element) const;
  void store_chirped(Real* line, index_t element, Value value) const;

  index_t length_;
  FourStepSplit split_;
  bool swapped_;
  HostTransform<Real> column_transform_;  ///< of length n1
  HostTransform<Real> row_transform_;     ///< of length n2
  BlockedMatrix<Real> matrix_;
  BlockTwiddles<Real> twiddles_;
  // Of a convolution:
  BlockedMatrix<Real> back_matrix_;
  std::optional<BlockTwiddles<Real>> back_twiddles_;
  std::vector<Value> bluestein_filter_;  ///< its spectrum, laid out as matrix_
  std::vector<Real> chirp_re_;           ///< zero from length_ on
  std::vector<Real> chirp_im_;
  Real scale_ = 1;
};

}  // namespace phpc::fft
