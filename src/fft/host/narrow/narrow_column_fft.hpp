#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "fft/lines/line.hpp"

namespace phpc::fft {

/// One stage of a transform of neighbouring lines.
template <class Real>
struct ColumnStage {
  /// Takes elements `from_step` real numbers apart to places `to_step` apart.
  using Run = void (*)(const ColumnStage& stage, const Real* from, index_t from_step, Real* to, index_t to_step);

  std::array<Run, 3> run{};               ///< for packs of 1, 2 and 4 lines
  index_t span = 1;                       ///< from one input of a butterfly to the next, in elements
  index_t groups = 1;                     ///< transforms that the stage splits up; butterflies of the last one
  bool exchanges = false;                 ///< real and imaginary parts change places: on the way in, of the last stage out
  Real scale = 1;                         ///< of the last stage
  std::size_t table = 0;                  ///< where `twiddles` begin in the table of all
  const Real* twiddles = nullptr;         ///< of each butterfly of a group and each output but the first, two packs of one
  const std::int32_t* outputs = nullptr;  ///< of the last stage: where the first output of a butterfly goes
};

/// Transforms of lines that are neighbours in memory, such as the columns of an array, fewer than a pack has lanes: narrow packs
/// hold an element of two or four of them, so that nothing is gathered. What is computed is what BatchedLineFft computes with
/// these lines in its lanes, number by number in the same order.
template <class Real>
class NarrowColumnFft {
 public:
  /// Whether it does such lines: interleaved complex numbers, of a smooth length.
  static bool fits(const LineProblem& problem);

  explicit NarrowColumnFft(const LineProblem& problem);
  NarrowColumnFft(NarrowColumnFft&&) noexcept = default;
  NarrowColumnFft& operator=(NarrowColumnFft&&) noexcept = default;
  NarrowColumnFft(const NarrowColumnFft&) = delete;
  NarrowColumnFft& operator=(const NarrowColumnFft&) = delete;
  ~NarrowColumnFft() = default;

  [[nodiscard]] std::size_t table_bytes() const;
  [[nodiscard]] std::string describe() const;  ///< see HostLines
  [[nodiscard]] std::size_t scratch_bytes() const;
  /// `count` neighbours; the arrays may be the same, scratch is neither.
  void run(const Real* from, Real* to, index_t count, Real* scratch) const;

 private:
  index_t length_;
  index_t from_step_;  ///< in real numbers
  index_t to_step_;
  std::vector<int> radices_;
  std::vector<ColumnStage<Real>> stages_;  ///< their pointers into the tables survive a move of all
  std::vector<Real> twiddles_;
  std::vector<std::int32_t> outputs_;
};

}  // namespace phpc::fft
