#pragma once
#include <vector>

#include "phpc/core/types.hpp"
#include "phpc/exec/device.hpp"

namespace phpc::fft {

/// How a GPU does rows of a short odd number of real numbers; of length 0: not.
template <class Real>
struct ShortReals {
  unsigned length = 0;
  unsigned lines = 0;   ///< of a team
  unsigned padded = 0;  ///< see ShortRealsKernel
  const Complex<Real>* factors = nullptr;
  bool is_from_reals = false;

  [[nodiscard]] int team_size() const;
  [[nodiscard]] std::size_t scratch_bytes() const;
};

/// Whether lines of so many real numbers go so: those with a prime factor over 13, which took as long or up to five times as
/// long on an H100 by other ways; those without take up to twice as long by this one.
bool takes_short_reals(index_t length);

/// That for such a length, without factors.
template <class Real>
ShortReals<Real> short_reals(index_t length, bool is_from_reals);

/// The factors that ShortRealsKernel reads.
std::vector<Complex<double>> short_reals_factors(index_t length);

/// Rows in memory: their number, and real numbers between neighbours on both sides.
template <class Real>
struct ShortRealRows {
  const Real* in;
  Real* out;
  index_t count;
  index_t from;
  index_t to;
  Real scale;
};

/// Transforms rows on a GPU and waits for it.
template <class Real>
void launch_short_reals(exec::Device device, const ShortReals<Real>& plan, const ShortRealRows<Real>& rows);

}  // namespace phpc::fft
