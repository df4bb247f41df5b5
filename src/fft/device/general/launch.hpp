#pragma once
#include <cstddef>
#include <cstdint>

#include "fft/device/general/ends/convolved_tiles.hpp"
#include "fft/device/general/ends/factor_tiles.hpp"
#include "fft/device/general/ends/real_rows.hpp"
#include "fft/device/general/stages/stage.hpp"
#include "fft/device/general/stages/tile.hpp"
#include "fft/device/pass/pass.hpp"
#include "phpc/exec/device.hpp"

namespace phpc::fft {

/// How the general kernel comes to its elements: by RowEnds, RealRowEnds, PassTiles, FactorTiles, HookedTiles, ConvolvedTiles,
/// RealColumns, ConjugatePairTiles or RealFactorTiles.
enum class GeneralForm : std::uint8_t {
  rows,
  reals,
  tiles,
  factors,
  hooks,
  convolutions,
  real_columns,
  conjugate_pairs,
  real_factors
};

/// How a GPU runs the general kernel for transforms of one length: its work, the class of the kernel, threads of a team and bytes
/// of its scratch.
template <class Real>
struct GeneralRows {
  GeneralForm form = GeneralForm::rows;
  GeneralWork<Real> work{};
  int largest = 0;  ///< that of the class; 0: not at all
  int team_size = 0;
  std::size_t scratch_bytes = 0;
  RealEnd load = RealEnd::direct;  ///< of the forms `reals`, `real_columns`, `conjugate_pairs` and `real_factors`
  RealEnd store = RealEnd::direct;
  bool reads_reals = false;  ///< of the form `reals`: see RealRowEnds
  bool writes_reals = false;
  const Complex<Real>* roots = nullptr;
  std::uint32_t elements = 0;  ///< see GeneralTables
  const GeneralElement* numbers = nullptr;
  ConvolutionTables<Real> convolution{};
  unsigned columns = 0;  ///< of the form `real_columns`: of the innermost loop
  unsigned line = 0;     ///< of the form `conjugate_pairs`: real numbers
  unsigned rows = 0;     ///< the same: of a line

  /// Whether no kernel of another form does the same.
  [[nodiscard]] bool is_alone() const {
    return is_convolution() || form == GeneralForm::real_columns || form == GeneralForm::conjugate_pairs ||
           form == GeneralForm::real_factors;
  }
  [[nodiscard]] bool is_convolution() const { return convolution.spectrum != nullptr; }
  /// Whether its kernel is of ConvolutionClasses.
  [[nodiscard]] bool is_of_convolutions() const {
    return form == GeneralForm::factors || form == GeneralForm::convolutions || form == GeneralForm::real_columns ||
           form == GeneralForm::conjugate_pairs || form == GeneralForm::real_factors;
  }
};

/// Rows of complex numbers in memory, for RowEnds.
template <class Real>
struct RowsInMemory {
  const Complex<Real>* in;
  Complex<Real>* out;
  index_t count;
  index_t from;  ///< between neighbours
  index_t to;
  bool is_inverse;
  Real scale;
};

/// Rows from or to real numbers: an array of real numbers or of complex ones on each side.
template <class Real>
struct RealRowsInMemory {
  const void* in;
  void* out;
  index_t count;
  index_t from;
  index_t to;
  Real scale;
  bool is_inverse;
};

/// The part of a pass that a launch does, of whole complex numbers, for PassTiles or FactorTiles, or, for PassTiles alone, of
/// planar ones; the pass lies in the device's memory.
template <class Real>
struct PassInMemory {
  const Complex<Real>* in;
  Complex<Real>* out;
  const Pass<Real>* pass;
  TileLoops loops;
  index_t groups;
  const Real* in_imaginary;  ///< of planar numbers, whose real parts `in` is; nullptr: interleaved
  Real* out_imaginary;
};

/// The same of a pass with any hooks, of numbers in any form.
template <class Real>
struct PassOfParts {
  HookedArray<const Real> in;
  HookedArray<Real> out;
  const Pass<Real>* pass;
  PassWindow window;
  index_t groups;
};

/// The same of a pass of lines of real numbers, for RealColumns, ConjugatePairTiles or RealFactorTiles.
template <class Real>
struct RealPassInMemory {
  const void* in;
  void* out;
  const Pass<Real>* pass;
  TileLoops loops;
  index_t groups;
};

/// Transforms rows, or a pass, on a GPU and waits for it; Work is one of the structs above.
template <class Real, class Work>
void launch_general(exec::Device device, const GeneralRows<Real>& plan, const Work& work);

/// The same with a kernel of the classes of convolutions (ConvolvedTiles, FactorTiles, RealColumns, ConjugatePairTiles or
/// RealFactorTiles), and with that of one class.
template <class Real, class Work>
void launch_convolution(exec::Device device, const GeneralRows<Real>& plan, const Work& work);
template <class Real, int Largest>
void launch_convolution_class(exec::Device device, const GeneralRows<Real>& plan, const PassOfParts<Real>& pass);
template <class Real, int Largest>
void launch_convolution_class(exec::Device device, const GeneralRows<Real>& plan, const PassInMemory<Real>& pass);
template <class Real, int Largest>
void launch_convolution_class(exec::Device device, const GeneralRows<Real>& plan, const RealPassInMemory<Real>& pass);

/// The same with the kernel of one class; each is defined in a source of its registers.
template <class Real, int Largest>
void launch_general_class(exec::Device device, const GeneralRows<Real>& plan, const RowsInMemory<Real>& rows);
template <class Real, int Largest>
void launch_general_class(exec::Device device, const GeneralRows<Real>& plan, const RealRowsInMemory<Real>& rows);
template <class Real, int Largest>
void launch_general_class(exec::Device device, const GeneralRows<Real>& plan, const PassInMemory<Real>& pass);
template <class Real, int Largest>
void launch_general_class(exec::Device device, const GeneralRows<Real>& plan, const PassOfParts<Real>& pass);

}  // namespace phpc::fft
