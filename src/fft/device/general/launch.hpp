#pragma once
#include <cstddef>

#include "fft/device/general/stage.hpp"
#include "phpc/exec/device.hpp"

namespace phpc::fft {

/// How a GPU runs the general kernel for rows of one length: its work, the class of the kernel, threads of a team and bytes of
/// its scratch.
template <class Real>
struct GeneralRows {
  GeneralWork<Real> work{};
  int largest = 0;  ///< that of the class; 0: not at all
  int team_size = 0;
  std::size_t scratch_bytes = 0;
};

/// Rows in memory, and what happens to their elements on the way.
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

/// Transforms rows on a GPU and waits for it.
template <class Real>
void launch_general_rows(exec::Device device, const GeneralRows<Real>& plan, const RowsInMemory<Real>& rows);

/// The same with the kernel of one class; each is defined in a source of its registers.
template <class Real, int Largest>
void launch_general_class(exec::Device device, const GeneralRows<Real>& plan, const RowsInMemory<Real>& rows);

}  // namespace phpc::fft
