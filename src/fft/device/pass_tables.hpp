#pragma once
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "fft/device/general/launch.hpp"
#include "fft/device/general/rule/tables.hpp"
#include "fft/device/general/stages/stage.hpp"
#include "fft/device/pass/pass.hpp"
#include "phpc/exec/buffer.hpp"

namespace phpc::fft {

/// What both arrays of a pass hold: interleaved complex numbers aligned as a whole, these or planar ones, or numbers in any form.
enum class PassNumbers : std::uint8_t { whole, complex, any };

/// The tables of passes, in the memory of one device; each is made once.
template <class Real>
class PassTables {
 public:
  explicit PassTables(exec::Device device) : PassTables(device, device.is_gpu() ? device.properties().scratch_bytes : 0) {}
  /// The same for a scratch of that size; for tests.
  PassTables(exec::Device device, std::size_t fixed_scratch) : device_(device), fixed_scratch_(fixed_scratch) {}

  /// Scratch of a team that kernels of a fixed length may take; 0 where there are none, which is on all devices but GPUs.
  [[nodiscard]] std::size_t fixed_scratch() const { return fixed_scratch_; }

  /// The part of a pass that its form and length decide: length, radices, twiddles, order of the last stage. The length is
  /// smooth or has a kernel of its own on this device.
  void set_transform(Pass<Real>& pass, PassForm form, index_t length);
  /// Sets the twiddles between passes for transforms of `n` elements.
  void set_four_step_twiddles(Pass<Real>& pass, index_t n);
  /// Sets the tables of FixedFourStepKernel of that form, with room for `slots` transforms in a ring at `ring`.
  void set_fused_four_step(Pass<Real>& pass, PassForm form, index_t length, int slots, Complex<Real>* ring);
  /// Sets the tables of FixedFourStepConvolutionKernel of the length of the filter's spectrum, given in natural order.
  void set_fused_four_step_convolution(Pass<Real>& pass, const std::vector<Complex<double>>& spectrum, int slots,
                                       Complex<Real>* ring);
  /// The general kernel for rows of a smooth length that fits into a team's scratch, `most_width` transforms a team at most.
  GeneralRows<Real> general_rows(index_t length, index_t most_width, const RowDistances& rows);
  /// The same of another shape than the rule's, for measurements.
  GeneralRows<Real> general_rows(index_t length, const GeneralShape& shape, const RowDistances& rows);
  /// The same for boxes of these lengths, the last axis contiguous.
  GeneralRows<Real> general_box(const std::vector<index_t>& box, index_t most_width, const RowDistances& boxes);
  /// The same for rows of which one side is of real numbers; see RealEnd and GeneralRows.
  GeneralRows<Real> general_reals(index_t length, index_t most_width, const RowDistances& rows, RealEnd load, RealEnd store);
  GeneralRows<Real> general_reals(index_t length, GeneralShape shape, const RowDistances& rows, RealEnd load, RealEnd store);
  /// The same for a pass, with any hooks; with `largest` 0 where the kernel cannot do it. `most_width`: of rows.
  GeneralRows<Real> general_pass(const Pass<Real>& pass, PassNumbers numbers, index_t most_width);
  /// The same of a pass whose length has large prime factors, by convolutions or with a stage by definition.
  GeneralRows<Real> general_convolution(const Pass<Real>& pass, PassNumbers numbers, index_t most_width);
  /// The same of the pass of a long convolution that does both transforms of rows (LongConvolution), with the spectrum of each
  /// (spectrum_by_rows).
  GeneralRows<Real> general_convolution(const Pass<Real>& pass, const std::vector<Complex<double>>& by_rows);
  /// The general kernel as RealColumns (real_columns.hpp) for a pass from or to real numbers: `columns` of the innermost loop,
  /// rows of real numbers `apart`.
  GeneralRows<Real> general_real_columns(const Pass<Real>& pass, index_t columns, index_t apart, bool is_from_reals);
  /// The same as ConjugatePairTiles (conjugate_pair_tiles.hpp) for the pass on the side of the spectrum of lines of n real
  /// numbers in `rows` rows, which it reads or writes.
  GeneralRows<Real> general_conjugate_pairs(const Pass<Real>& pass, index_t n, index_t rows, bool is_read);
  /// The same as RealFactorTiles (real_factor_tiles.hpp), whose ends are `whole`, `reals` or `odd_half`, for a pass with factors.
  GeneralRows<Real> general_real_factors(const Pass<Real>& pass, RealEnd load, RealEnd store);
  /// The same for a pass that is a convolution of this shape, with the filter's spectrum.
  GeneralRows<Real> general_real_convolution(const Pass<Real>& pass, const ConvolutionShape& shape,
                                             const std::vector<Complex<double>>& spectrum, RealEnd load, RealEnd store);
  /// Whether kernels find all elements of a tile of so many of a pass's transforms by numbers of 32 bits.
  [[nodiscard]] static bool fits_32_bits(const Pass<Real>& pass, index_t width);
  /// A copy of `values` on the device, rounded to Real.
  const Complex<Real>* keep(const std::vector<Complex<double>>& values);
  /// exp(-2 pi i k / n) for 0 <= k < count.
  const Complex<Real>* keep_roots(index_t n, index_t count);
  [[nodiscard]] std::uint64_t bytes() const;

 private:
  template <class Shape>
  void set_four_step_shape(Pass<Real>& pass, int slots, Complex<Real>* ring);
  GeneralRows<Real> keep_tiled(GeneralForm form, index_t length, const GeneralShape& shape, const RowDistances& distances,
                               const std::vector<Complex<double>>& chirp_values = {});
  GeneralRows<Real> keep_general(index_t length, const GeneralShape& shape, const RowDistances& rows,
                                 const std::vector<Complex<double>>& chirp_values = {});
  void keep_words(Pass<Real>& pass, int count);

  exec::Device device_;
  std::size_t fixed_scratch_;
  std::map<std::pair<PassForm, index_t>, Pass<Real>> transforms_;  ///< by form and length; only what set_transform sets counts
  std::vector<exec::Buffer<Complex<Real>>> complex_tables_;
  std::vector<exec::Buffer<int>> order_tables_;
  std::vector<exec::Buffer<std::uint32_t>> words_;
  std::vector<exec::Buffer<GeneralItem>> item_tables_;
  std::vector<exec::Buffer<GeneralElement>> number_tables_;
  std::vector<exec::Buffer<std::uint16_t>> place_tables_;
};

}  // namespace phpc::fft
