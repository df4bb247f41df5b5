#pragma once
#include <map>
#include <utility>
#include <vector>

#include "fft/pass.hpp"
#include "phpc/exec/buffer.hpp"

namespace phpc::fft {

/// Tables of passes on one device, each made once.
template <class Real>
class PassTables {
 public:
  explicit PassTables(exec::Device device)
      : device_(device), fixed_scratch_(device.is_gpu() ? device.properties().scratch_bytes : 0) {}

  /// Scratch of a team that kernels of a fixed length may take; 0 where there are none, which is on all devices but GPUs.
  [[nodiscard]] std::size_t fixed_scratch() const { return fixed_scratch_; }

  /// The part of a pass that its form and length decide: length, radices, twiddles, order of the last stage. The length is
  /// smooth or has a kernel of its own on this device.
  void set_transform(Pass<Real>& pass, PassForm form, index_t length);
  /// The twiddles between passes for transforms of `n` elements.
  void set_four_step(Pass<Real>& pass, index_t n);
  /// The filter of a convolution, given in natural order.
  void set_filter(Pass<Real>& pass, const std::vector<Complex<double>>& spectrum);
  /// A copy of `values` on the device, rounded to Real.
  const Complex<Real>* keep(const std::vector<Complex<double>>& values);
  [[nodiscard]] std::uint64_t bytes() const;

 private:
  exec::Device device_;
  std::size_t fixed_scratch_;
  std::map<std::pair<PassForm, index_t>, Pass<Real>> transforms_;  ///< by form and length; only what set_transform sets counts
  std::vector<exec::Buffer<Complex<Real>>> complex_tables_;
  std::vector<exec::Buffer<int>> order_tables_;
};

}  // namespace phpc::fft
