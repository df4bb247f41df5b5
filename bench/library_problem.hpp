#pragma once
#include "measure/fft_library.hpp"
#include "phpc/exec/device.hpp"
#include "phpc/fft/descriptor.hpp"

namespace phpc::bench {

/// The same transforms for another library; interleaved numbers, whatever the storage of ours.
inline FftProblem library_problem(const fft::Descriptor& problem, bool are_columns = false) {
  using Kind = FftProblem::Kind;
  return {.lengths = problem.lengths,
          .batch = problem.batch,
          .kind = problem.kind == fft::Kind::real_to_complex   ? Kind::real_to_complex
                  : problem.kind == fft::Kind::complex_to_real ? Kind::complex_to_real
                                                               : Kind::complex_to_complex,
          .is_double = problem.precision == fft::Precision::f64,
          .is_inverse = problem.direction == fft::Direction::inverse,
          .are_columns = are_columns};
}

/// The library of a GPU's vendor, or why there is none.
inline FftLibrarySearch find_vendor_library(exec::Device device) {
  if (!device.is_gpu()) {
    return {nullptr, "the device is no GPU"};
  }
  return find_fft_library(exec::to_string(device.properties().kind), false);
}

}  // namespace phpc::bench
