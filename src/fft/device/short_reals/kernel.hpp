#pragma once
#include <cstddef>
#include <type_traits>

#include "fft/device/general/stages/memory.hpp"
#include "phpc/core/types.hpp"
#include "phpc/exec/launch.hpp"
#include "phpc/exec/team.hpp"

namespace phpc::fft {

/// The longest odd lines that the kernel is for.
inline constexpr index_t longest_short_reals = 63;

/// Results of a thread: as many sums at a time as registers hold.
inline constexpr unsigned short_reals_block = 8;

/// Rows of n real numbers to elements 0 ... n/2 of their spectra, or back, for odd n: by the definition, of which the symmetry of
/// either side leaves n/2 products for each number. With h = n/2, from real numbers
///   X[k] = x[0] + sum over 1 <= i <= h of (x[i] + x[n - i]) cos(2 pi i k / n) - i (x[i] - x[n - i]) sin(2 pi i k / n),
/// and to real numbers, with a[i] = 2 re X[i] and b[i] = 2 im X[i],
///   x[j], x[n - j] = X[0] + sum of a[i] cos(2 pi i j / n) -+ b[i] sin(2 pi i j / n).
/// An H100 took 300 to 360 us for 256 MiB of n = 17 to 31 in f32, where cuFFT took 190 to 230, and 330 to 420 for primes of 37 to
/// 61 (cuFFT 670 to 1120).
/// A team has `lines` rows, a multiple of 32, and a thread for each and every block of 8 results, so that the
/// threads of a warp read the same factors. GPUs only but for tests.
template <class Real>
struct ShortRealsKernel {
  static constexpr int team_size = exec::sized_by_launch;
  using Scratch = exec::DynamicScratch;
  using Value = Complex<Real>;

  const Real* in;
  Real* out;
  const Value* factors;  ///< exp(-2 pi i e k / n) of e = 1 ... h at (e - 1) * padded + k, k < padded: whole blocks
  index_t from;          ///< real numbers between the first ones of neighbours
  index_t to;
  index_t count;  ///< rows
  unsigned length;
  unsigned lines;
  unsigned padded;
  Real scale;
  bool is_from_reals;

  /// Real numbers between rows in scratch: an odd number, so that neighbours are in different banks.
  static constexpr unsigned pitch_of(unsigned length, bool are_reals) { return are_reals ? length : length + 2; }
  static std::size_t scratch_bytes(unsigned length, unsigned lines) {
    return sizeof(Real) * lines * (pitch_of(length, true) + pitch_of(length, false));
  }

  [[gnu::always_inline]] void operator()(const exec::Team& team, Scratch& scratch) const {
    auto* const loaded = reinterpret_cast<Value*>(scratch.data);
    const unsigned in_pitch = pitch_of(length, is_from_reals);
    const unsigned out_pitch = pitch_of(length, !is_from_reals);
    const unsigned made = lines * in_pitch;  // the place where results begin
    PHPC_EXPECT(scratch.reaches(scratch.data + scratch_bytes(length, lines)));
    const index_t first = team.league_rank() * lines;
    const auto live = static_cast<unsigned>(count - first < lines ? count - first : lines);
    team_copy<true>(team, loaded, 0, in_pitch, live, length + (is_from_reals ? 0 : 1), const_cast<Real*>(in + first * from),
                    from);
    team.barrier();
    const auto size = static_cast<unsigned>(team.size());
    for (unsigned i = static_cast<unsigned>(team.rank()); i < lines * (padded / short_reals_block); i += size) {
      const unsigned line = i % lines;
      if (line < live) {
        const unsigned block = i / lines * short_reals_block;
        is_from_reals ? make_block<true>(loaded, line * in_pitch, made + line * out_pitch, block)
                      : make_block<false>(loaded, line * in_pitch, made + line * out_pitch, block);
      }
    }
    team.barrier();
    team_copy<false>(team, loaded, made, out_pitch, live, length + (is_from_reals ? 1 : 0), out + first * to, to);
  }

 private:
  /// Rows between memory and scratch, in the order of memory.
  template <bool IsLoad>
  [[gnu::always_inline]] void team_copy(const exec::Team& team, Value* data, unsigned begin, unsigned pitch, unsigned live,
                                        unsigned numbers, Real* memory, index_t apart) const {
    const auto size = static_cast<unsigned>(team.size());
    const unsigned all = live * numbers;
    const unsigned lines_on = size / numbers;
    const unsigned numbers_on = size % numbers;
    unsigned line = static_cast<unsigned>(team.rank()) / numbers;
    unsigned number = static_cast<unsigned>(team.rank()) % numbers;
    constexpr unsigned flight = 4;
    for (unsigned i = static_cast<unsigned>(team.rank()); i < all; i += flight * size) {
      Real values[flight];
      unsigned places[flight];
      Real* at[flight];
#pragma GCC unroll 4
      for (unsigned f = 0; f < flight; ++f) {
        places[f] = begin + line * pitch + number;
        at[f] = memory + (static_cast<index_t>(line) * apart + number);
        line += lines_on;
        number += numbers_on;
        if (number >= numbers) {
          number -= numbers;
          ++line;
        }
      }
#pragma GCC unroll 4
      for (unsigned f = 0; f < flight; ++f) {
        if (i + f * size < all) {
          values[f] = IsLoad ? *at[f] : ScratchReal<Real>(data, places[f]).get() * scale;
        }
      }
#pragma GCC unroll 4
      for (unsigned f = 0; f < flight; ++f) {
        if (i + f * size < all) {
          if constexpr (IsLoad) {
            ScratchReal<Real>(data, places[f]).set(values[f]);
          } else {
            *at[f] = values[f];
          }
        }
      }
    }
  }

  /// Results from `first` on of the row whose numbers begin at place `begin`, to place `target`.
  template <bool IsFromReals>
  [[gnu::always_inline]] void make_block(Value* data, unsigned begin, unsigned target, unsigned first) const {
    const unsigned h = length / 2;
    const auto number = [&](unsigned place) { return ScratchReal<Real>(data, begin + place).get(); };
    Real cosines[short_reals_block]{};
    Real sines[short_reals_block]{};
    const Value* row = factors + first;
    for (unsigned e = 1; e <= h; ++e, row += padded) {
      Real a = number(IsFromReals ? e : 2 * e);
      Real b = number(IsFromReals ? length - e : 2 * e + 1);
      const Real sum = IsFromReals ? a + b : 2 * a;
      const Real difference = IsFromReals ? a - b : 2 * b;
#pragma GCC unroll 8
      for (unsigned k = 0; k < short_reals_block; ++k) {
        const Value factor = table_entry(row + k);
        cosines[k] += sum * factor.re;
        sines[k] += difference * factor.im;
      }
    }
    const Real constant = number(0);
    const auto set = [&](unsigned place, Real value) { ScratchReal<Real>(data, target + place).set(value); };
#pragma GCC unroll 8
    for (unsigned k = 0; k < short_reals_block; ++k) {
      const unsigned result = first + k;
      if (result > h) {
        continue;
      }
      const Real real = constant + cosines[k];
      if constexpr (IsFromReals) {
        set(2 * result, real);
        set(2 * result + 1, result == 0 ? Real{0} : sines[k]);
      } else {
        set(result, real + sines[k]);
        if (result > 0) {
          set(length - result, real - sines[k]);
        }
      }
    }
  }
};

}  // namespace phpc::fft
