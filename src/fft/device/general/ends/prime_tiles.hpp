#pragma once
#include <bit>
#include <cstddef>

#include "fft/device/general/ends/ends.hpp"
#include "fft/device/general/ends/ends_traits.hpp"
#include "fft/device/general/stages/memory.hpp"
#include "fft/device/general/stages/prime_class.hpp"
#include "fft/device/general/stages/stage.hpp"
#include "fft/device/general/stages/tile.hpp"
#include "phpc/exec/team.hpp"

namespace phpc::fft {

/// Reads N neighbours of a table, N even: of f32 two at a time.
template <int N, class Real>
[[gnu::always_inline]] inline void read_table(Complex<Real> (&values)[N], const Complex<Real>* from) {
#if defined(__NVPTX__)
  if constexpr (sizeof(Real) == sizeof(float)) {
#pragma GCC unroll 8
    for (int q = 0; q < N; q += 2) {
      asm("ld.global.nc.v4.f32 {%0, %1, %2, %3}, [%4];"
          : "=f"(values[q].re), "=f"(values[q].im), "=f"(values[q + 1].re), "=f"(values[q + 1].im)
          : "l"(from + q));
    }
    return;
  }
#endif
#pragma GCC unroll 8
  for (int q = 0; q < N; ++q) {
    values[q] = table_entry(from + q);
  }
}

/// Elements of a pass in memory that lie `step` places apart: interleaved, or planar with real and imaginary parts, or with these
/// the other way round. Several threads of a team read each of them, so that they stay in the nearest cache.
template <class Real>
struct InterleavedElements {
  const Complex<Real>* first;
  unsigned step;
  bool swaps;

  [[nodiscard, gnu::always_inline]] Complex<Real> get(unsigned q) const {
    const Complex<Real>* const from = first + std::size_t{q} * step;
    Complex<Real> value;
#if defined(__NVPTX__)
    if constexpr (sizeof(Real) == sizeof(float)) {
      asm volatile("ld.global.v2.f32 {%0, %1}, [%2];" : "=f"(value.re), "=f"(value.im) : "l"(from) : "memory");
    } else {
      asm volatile("ld.global.v2.f64 {%0, %1}, [%2];" : "=d"(value.re), "=d"(value.im) : "l"(from) : "memory");
    }
#else
    value = *from;
#endif
    return {swaps ? value.im : value.re, swaps ? value.re : value.im};
  }
};
template <class Real>
struct PlanarElements {
  const Real* re;
  const Real* im;
  unsigned step;

  [[nodiscard, gnu::always_inline]] Complex<Real> get(unsigned q) const {
    return {re[std::size_t{q} * step], im[std::size_t{q} * step]};
  }
};

/// Ends for tiles of a pass whose last stage, and maybe the first one too, has a large prime radix p, which is known at run time
/// only: transforms by their definition, the last ones from scratch to memory, the first ones from memory to scratch. With the
/// sums s_j = x_j + x_(p-j) and the differences d_j = x_j - x_(p-j), results k and p - k are x_0 + sum_j s_j cos(2 pi j k / p) -+
/// i sum_j d_j sin(2 pi j k / p), j = 1 ... (p - 1) / 2. A thread makes a few such pairs of one transform, a part of it, so
/// that an element that it reads serves all of them; threads of a warp make the same ones of neighbouring transforms, so that a
/// cosine and a sine are read once for all.
template <class Real>
struct PrimeTiles : PassTiles<Real> {
  using Value = Complex<Real>;
  using Tile = GeneralTile<Real>;
  static constexpr EndsTraits traits{.has_tiles = true, .has_halves = true};

  static constexpr PrimeClass its = prime_class<Real>;

  GeneralStage last;   ///< whose `twiddles` are the cosines and sines of each part, by j
  GeneralStage first;  ///< the same, with its twiddles behind them, by results k and then by transforms. Or no items.

  [[gnu::always_inline]] bool loads_in_order() const { return first.items() > 0; }
  [[gnu::always_inline]] static bool stores_in_order() { return true; }

  template <int Flight>
  [[gnu::always_inline]] void team_load(const exec::Team& team, const GeneralWork<Real>& work, const Tile& tile,
                                        Value* data) const {
    const Parts parts = parts_of(first, work, tile);
    const unsigned step = work.read_step * scratch_now(tile.from_step);
    const bool swaps = (scratch_now(tile.swaps) & swap_read) != 0;
    const Value* const twiddles =
        work.twiddles + (first.twiddles() + parts_of_transform(first) * (its.pairs * (first.radix() / 2)));
    for (unsigned i = static_cast<unsigned>(team.rank()); i < parts.all; i += static_cast<unsigned>(team.size())) {
      const unsigned part = i / parts.transforms;
      const GeneralItem item = table_entry(work.items + (first.table() + (i - part * parts.transforms)));
      if (item.place >= parts.end) {
        continue;
      }
      const Value* const source = this->source_of(team, work.width, &tile) + item.offset;
      Value sums[its.pairs];
      Value differences[its.pairs];
      if (this->in_imaginary != nullptr) {
        const Real* const re = reinterpret_cast<const Real*>(this->in) + (source - this->in);
        const Real* const im = this->in_imaginary + (source - this->in);
        transform(sums, differences, PlanarElements<Real>{swaps ? im : re, swaps ? re : im, step}, first, part, work);
      } else {
        transform(sums, differences, InterleavedElements<Real>{source, step, swaps}, first, part, work);
      }
      const ScratchElements<Real> elements(data, item.place, first.step());
      const unsigned stride = first.stride();
#pragma GCC unroll 8
      for (unsigned q = 0; q < its.pairs; ++q) {
        const auto radix = static_cast<unsigned>(first.radix());
        const unsigned k = part * its.pairs + q;
        if (k <= radix / 2) {
          elements.set(k, (sums[q] + differences[q]) * table_entry(twiddles + (k * stride + item.twiddle)));
        }
        if (k > 0 && k <= radix / 2) {
          elements.set(radix - k, (sums[q] - differences[q]) * table_entry(twiddles + ((radix - k) * stride + item.twiddle)));
        }
      }
    }
  }

  template <int Flight>
  [[gnu::always_inline]] void team_store(const exec::Team& team, const GeneralWork<Real>& work, const Tile& tile,
                                         Value* data) const {
    const Parts parts = parts_of(last, work, tile);
    for (unsigned i = static_cast<unsigned>(team.rank()); i < parts.all; i += static_cast<unsigned>(team.size())) {
      const unsigned part = i / parts.transforms;
      const GeneralItem item = table_entry(work.items + (last.table() + (i - part * parts.transforms)));
      if (item.place >= parts.end) {
        continue;
      }
      Value sums[its.pairs];
      Value differences[its.pairs];
      transform(sums, differences, ScratchElements<Real>(data, item.place, last.step()), last, part, work);
#pragma GCC unroll 8
      for (unsigned q = 0; q < its.pairs; ++q) {
        const auto radix = static_cast<unsigned>(last.radix());
        const unsigned k = part * its.pairs + q;
        if (k == 0) {
          Value sum[1] = {sums[q]};
          write_results(sum, team, work, item, tile, 0, 0);
        } else if (k <= radix / 2) {
          Value pair[2] = {sums[q] + differences[q], sums[q] - differences[q]};
          write_results(pair, team, work, item, tile, k, radix - 2 * k);
        }
      }
    }
  }

 private:
  /// The transforms of a stage in a tile, all of their parts, and where the tile's places end.
  struct Parts {
    unsigned transforms;
    unsigned all;
    unsigned end;
  };
  [[gnu::always_inline]] static unsigned parts_of_transform(const GeneralStage& stage) {
    return static_cast<unsigned>(stage.radix()) / 2 / its.pairs + 1;
  }
  [[gnu::always_inline]] static Parts parts_of(const GeneralStage& stage, const GeneralWork<Real>& work, const Tile& tile) {
    const unsigned transforms = work.width * stage.items();
    return {transforms, parts_of_transform(stage) * transforms, scratch_now(tile.live) * work.pitch};
  }

  /// Sets the two sums of each result k of a part, of which result p - k is the difference.
  template <class Elements>
  [[gnu::always_inline]] static void transform(Value (&sums)[its.pairs], Value (&differences)[its.pairs],
                                               const Elements& elements, const GeneralStage& stage, unsigned part,
                                               const GeneralWork<Real>& work) {
    const auto radix = static_cast<unsigned>(stage.radix());
    const unsigned half = radix / 2;
    const Value* roots = work.twiddles + (stage.twiddles() + part * (its.pairs * half));
    const Value zeroth = elements.get(0);
#pragma GCC unroll 8
    for (unsigned q = 0; q < its.pairs; ++q) {
      sums[q] = zeroth;
      differences[q] = {};
    }
    unsigned j = 1;
    for (; j + its.terms <= half + 1; j += its.terms) {
#pragma GCC unroll 2
      for (unsigned next = 0; next < its.terms; ++next) {
        add_terms(sums, differences, elements, radix, j + next, roots + next * its.pairs);
      }
      roots += its.terms * its.pairs;
    }
    if (its.terms > 1 && j == half) {
      add_terms(sums, differences, elements, radix, j, roots);
    }
  }

  /// Adds the terms of s_j and d_j.
  template <class Elements>
  [[gnu::always_inline]] static void add_terms(Value (&sums)[its.pairs], Value (&differences)[its.pairs],
                                               const Elements& elements, unsigned radix, unsigned j, const Value* roots) {
    Value now[its.pairs];
    read_table(now, roots);
    const Value low = elements.get(j);
    const Value high = elements.get(radix - j);
    const Value sum = low + high;
    const Value difference = low - high;
#pragma GCC unroll 8
    for (unsigned q = 0; q < its.pairs; ++q) {
      sums[q] = {sums[q].re + sum.re * now[q].re, sums[q].im + sum.im * now[q].re};
      differences[q] = {differences[q].re + difference.im * now[q].im, differences[q].im - difference.re * now[q].im};
    }
  }

  /// Writes result k of a transform of the last stage, and that `apart` results behind it.
  template <int R>
  [[gnu::always_inline]] void write_results(Value (&v)[R], const exec::Team& team, const GeneralWork<Real>& work,
                                            const GeneralItem& item, const Tile& tile, unsigned k, unsigned apart) const {
    const auto bits = static_cast<unsigned>(std::bit_width(unsigned{work.width} - 1));
    this->apply_four_step_twiddles(v, item.twiddle + ((k * last.items()) << bits), work.width, apart * last.items(), &tile);
    Value* const target = this->target_of(team, work.width, &tile) + item.offset;
    this->write(v, target + std::size_t{k * work.write_step} * scratch_now(tile.to_step), apart * work.write_step, &tile);
  }
};

}  // namespace phpc::fft
