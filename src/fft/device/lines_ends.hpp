#pragma once
#include <numeric>

#include "fft/device/general/rule/rule.hpp"
#include "fft/device/lines.hpp"

/// What the sources of DeviceLines share that put passes together.
namespace phpc::fft {

/// What the first pass of a smooth transform reads and the last one writes.
template <class Real>
struct DeviceLines<Real>::Ends {
  Place from;
  Place to;
  LineSide from_side;
  LineSide to_side;
  LoadHook<Real> load{};
  StoreHook<Real> store{};
  /// See StoreHook: for the pass that holds whole lines, or else a step behind the last pass. nullptr: no r2c postprocessing.
  const Complex<Real>* r2c_roots = nullptr;
  /// Both sides are interleaved complex numbers, which are aligned so that kernels of a length can read them as a whole; real
  /// numbers need not be.
  bool is_plain = false;
  bool is_real = false;  ///< one side is of real numbers, the other of half spectra, without factors or counts
  bool takes_general_reals = false;
};

/// Returns the form of a pass over whole lines from or to real numbers.
inline PassForm real_rows_form(const LineProblem& problem) {
  return problem.from == Elements::real ? PassForm::rows_from_real : PassForm::rows_to_real;
}

/// Whether lines lie side by side: neighbours in memory are elements of different lines.
inline bool lie_side_by_side(const LineSide& side) {
  return side.distances.back() < side.stride;
}

/// Returns how lines lie side by side on either side; no neighbours where they do not.
inline ColumnPlaces column_places(const LineSide& from, const LineSide& to, index_t neighbours) {
  const index_t step = std::gcd(lie_side_by_side(from) ? from.stride : 0, lie_side_by_side(to) ? to.stride : 0);
  return step > 0 ? ColumnPlaces{neighbours, step} : ColumnPlaces{};
}

}  // namespace phpc::fft
