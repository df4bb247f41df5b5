#pragma once
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "fft/lines/line.hpp"

namespace phpc::fft {

/// A stage of NarrowLineFft: the butterflies of one radix, or what comes before or after those of a real line or of a
/// convolution.
template <class Real>
struct NarrowStage {
  /// Does the stage from one array of interleaved numbers to another, which is not the same.
  using Run = void (*)(const NarrowStage& stage, const Real* from, Real* to);

  Run run = nullptr;
  index_t span = 1;            ///< from one input of a butterfly to the next, in elements; of other stages the elements there are
  index_t groups = 1;          ///< butterflies of the last stage; transforms that the others split up
  bool exchanges_in = false;   ///< real and imaginary parts change places on the way in
  bool exchanges_out = false;  ///< and on the way out
  Real scale = 1;              ///< of what comes out without a twiddle
  std::size_t table = 0;       ///< where `twiddles` begin in the table of all
  const Real* twiddles = nullptr;           ///< for each pack of butterflies and each output with one, two packs (see product())
  const std::int32_t* positions = nullptr;  ///< of the last stage: where a butterfly's first input is, in real numbers
};

/// Transforms single dense lines in narrow packs, which are filled from within the line: for few lines of the lengths that
/// BatchedLineFft does, and with the same bytes. Stages by radix, decimation in frequency, through scratch to the result; in the
/// last one a pack's butterflies have neighbouring outputs, and their inputs are gathered. Real lines and convolutions
/// (chirp.hpp) have stages before and after. What is computed is what BatchedLineFft computes with a line in each lane, number by
/// number in the same order.
template <class Real>
class NarrowLineFft {
 public:
  /// Whether it does such lines.
  static bool fits(const LineProblem& problem);

  explicit NarrowLineFft(const LineProblem& problem);
  NarrowLineFft(NarrowLineFft&&) noexcept = default;
  NarrowLineFft& operator=(NarrowLineFft&&) noexcept = default;
  NarrowLineFft(const NarrowLineFft&) = delete;
  NarrowLineFft& operator=(const NarrowLineFft&) = delete;
  ~NarrowLineFft() = default;

  [[nodiscard]] std::size_t table_bytes() const;
  [[nodiscard]] std::string describe() const;  ///< see HostLines
  /// What does all of it, where that is one stage; else nullptr.
  [[nodiscard]] const NarrowStage<Real>* only_stage() const { return stages_.size() == 1 ? last_ : nullptr; }
  /// Scratch that run() works in.
  [[nodiscard]] std::size_t scratch_bytes() const;
  /// Both lines may be the same; scratch is neither.
  void run(const Real* from, Real* to, Real* scratch) const {
    // Between two halves of scratch in turn: stages whose packs overlap may not write over what they read.
    Real* other = scratch + half_;
    for (const NarrowStage<Real>* stage = stages_.data(); stage != last_; ++stage) {
      stage->run(*stage, from, scratch);
      from = scratch;
      std::swap(scratch, other);
    }
    last_->run(*last_, from, to);
  }

 private:
  /// A transform of a smooth length, of which a line's transform has one, or as a convolution two.
  struct SmoothTransform {
    index_t length;
    std::vector<int> radices;
    bool exchanges = false;
    double scale = 1;
    bool scales_twiddles = false;  ///< the first twiddles hold the scale, where there are any; else it comes last
  };
  struct Products;

  void add(const SmoothTransform& transform);
  void add(const Products& products);
  void add_convolution(index_t length, bool exchanges, double scale);
  void add_halves(index_t h, Direction direction, double scale);
  void add_only(const LineProblem& problem, const std::vector<int>& radices);
  void finish();

  std::vector<NarrowStage<Real>> stages_;  ///< their pointers into the tables survive a move of all
  const NarrowStage<Real>* last_ = nullptr;
  index_t half_ = 0;  ///< of scratch, in real numbers
  std::vector<Real> table_;
  std::vector<std::vector<std::int32_t>> positions_;
  std::string method_;  ///< for people
};

}  // namespace phpc::fft
