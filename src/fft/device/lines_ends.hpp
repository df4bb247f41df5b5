#pragma once
#include <numeric>

#include "fft/device/general/rule/rule.hpp"
#include "fft/device/lines.hpp"

/// What the sources that put the passes of DeviceLines together share.
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
  /// Of interleaved complex numbers, which alone lie where kernels of a length can read whole ones: real numbers may begin
  /// between.
  bool is_plain = false;
  bool is_real = false;  ///< on one side, with nothing but the transform in between
  bool takes_general_reals = false;
};

/// That of whole lines from or to real numbers.
inline PassForm real_rows_form(const LineProblem& problem) {
  return problem.from == Elements::real ? PassForm::rows_from_real : PassForm::rows_to_real;
}

/// Lines are neighbours and their elements are not.
inline bool lie_side_by_side(const LineSide& side) {
  return side.distances.back() < side.stride;
}

/// How transforms lie side by side: nothing where they do not.
inline ColumnPlaces column_places(const LineSide& from, const LineSide& to, index_t neighbours) {
  const index_t step = std::gcd(lie_side_by_side(from) ? from.stride : 0, lie_side_by_side(to) ? to.stride : 0);
  return step > 0 ? ColumnPlaces{neighbours, step} : ColumnPlaces{};
}

}  // namespace phpc::fft
