#pragma once
#include <cstddef>
#include <cstdint>

#include "fft/device/general/ends/ends_traits.hpp"
#include "fft/device/general/stages/memory.hpp"
#include "fft/device/general/stages/stage.hpp"
#include "fft/device/pass/cache_hints.hpp"
#include "fft/device/pass/pass_ends.hpp"
#include "phpc/exec/team.hpp"

namespace phpc::fft {

/// What lies in memory on one side of a transform of L complex numbers that is a part of one from or to real numbers. All but the
/// first go through scratch by pairs of elements k and L - k, but for real numbers that a stage reads or writes.
enum class RealEnd : std::uint8_t {
  direct,    ///< L complex numbers, which the first stage reads or the last one writes
  whole,     ///< the same, by pairs
  half,      ///< elements 0 ... L of the spectrum of 2 L real numbers
  odd_half,  ///< elements 0 ... (L - 1) / 2 of the spectrum of L real numbers; L is odd
  reals      ///< an odd number of L real numbers
};

/// Ends for rows that lie one after another in one loop, real numbers on one side and half spectra on the other.
template <class Real>
struct RealRowEnds {
  using Value = Complex<Real>;
  struct Tile {};
  static constexpr EndsTraits traits{.has_pairs = true};

  const void* in;
  void* out;
  const Value* roots;  ///< of ends that are `half`: exp(-2 pi i k / 2 L), 0 <= k <= L / 2
  unsigned from;       ///< between the first elements of neighbours
  unsigned to;
  unsigned pairs;  ///< where the pairs of a tile begin among the items: those loaded, then those stored
  unsigned count;  ///< transforms
  Real scale;
  RealEnd load;
  RealEnd store;
  /// The transform is an inverse one: a forward one between two conjugations.
  bool is_inverse;
  bool reads_reals;   ///< the first stage reads real numbers of odd lines
  bool writes_reals;  ///< the last stage writes them

  /// On which side stage `index` of `stages` has conjugate pairs, if on any.
  [[gnu::always_inline]] OddReals odd_reals(unsigned index, unsigned stages) const {
    return index == 0 && load == RealEnd::reals             ? OddReals::from
           : index + 1 == stages && store == RealEnd::reals ? OddReals::to
                                                            : OddReals::none;
  }
  [[gnu::always_inline]] bool loads_in_order() const { return load != RealEnd::direct && !reads_reals; }
  [[gnu::always_inline]] bool stores_in_order() const { return store != RealEnd::direct && !writes_reals; }

  [[gnu::always_inline]] unsigned first_of(const exec::Team& team, unsigned width) const {
    return known_now(static_cast<unsigned>(team.league_rank())) * width;
  }
  [[gnu::always_inline]] unsigned live_of(const exec::Team& team, unsigned width, const Tile* /*tile*/) const {
    const unsigned left = count - first_of(team, width);
    return left < width ? left : width;
  }
  [[gnu::always_inline]] const Value* source_of(const exec::Team& team, unsigned width, const Tile* /*tile*/) const {
    return static_cast<const Value*>(in) + std::size_t{first_of(team, width)} * from;
  }
  [[gnu::always_inline]] Value* target_of(const exec::Team& team, unsigned width, const Tile* /*tile*/) const {
    return static_cast<Value*>(out) + std::size_t{first_of(team, width)} * to;
  }

  template <int R>
  [[gnu::always_inline]] void read(Value (&v)[R], const Value* source, std::size_t step, const Tile* /*tile*/) const {
#pragma GCC unroll 32
    for (int q = 0; q < R; ++q) {
      v[q] = load_streaming(source + static_cast<std::size_t>(q) * step);
    }
  }
  /// Reads a butterfly of real numbers from `source` on.
  template <int R>
  [[gnu::always_inline]] static void read_reals(Value (&v)[R], const Real* source, std::size_t step) {
#pragma GCC unroll 32
    for (int q = 0; q < R; ++q) {
      v[q] = {source[static_cast<std::size_t>(q) * step], 0};
    }
  }
  template <int R>
  [[gnu::always_inline]] void write_reals(const Value (&v)[R], Real* target, std::size_t step) const {
#pragma GCC unroll 32
    for (int q = 0; q < R; ++q) {
      target[static_cast<std::size_t>(q) * step] = v[q].re * scale;
    }
  }
  template <int R>
  [[gnu::always_inline]] void write(const Value (&v)[R], Value* target, std::size_t step, const Tile* /*tile*/) const {
#pragma GCC unroll 32
    for (int q = 0; q < R; ++q) {
      store_streaming(target + static_cast<std::size_t>(q) * step, finished(v[q]));
    }
  }

  /// Pairs that are two numbers rather than four, of which f64 takes twice as many at a time: an H100 took 5 % less time so, but
  /// 7 % more in f32.
  template <int Flight>
  static constexpr int small_flight = sizeof(Real) == sizeof(double) ? 2 * Flight : Flight;

  /// Reads the elements of a team's tile into their places in scratch, so many pairs of a thread at a time.
  template <int Flight>
  [[gnu::always_inline]] void team_load(const exec::Team& team, const GeneralWork<Real>& work, Value* data) const {
    switch (load) {
      case RealEnd::direct:
        break;
      case RealEnd::whole:
        team_load_pairs<RealEnd::whole, Flight>(team, work, data);
        break;
      case RealEnd::half:
        team_load_pairs<RealEnd::half, Flight>(team, work, data);
        break;
      case RealEnd::odd_half:
        team_load_pairs<RealEnd::odd_half, small_flight<Flight>>(team, work, data);
        break;
      case RealEnd::reals:
        team_load_pairs<RealEnd::reals, small_flight<Flight>>(team, work, data);
        break;
    }
  }

  /// Writes the elements in scratch.
  template <int Flight>
  [[gnu::always_inline]] void team_store(const exec::Team& team, const GeneralWork<Real>& work, Value* data) const {
    switch (store) {
      case RealEnd::direct:
        break;
      case RealEnd::whole:
        team_store_pairs<RealEnd::whole, Flight>(team, work, data);
        break;
      case RealEnd::half:
        team_store_pairs<RealEnd::half, Flight>(team, work, data);
        break;
      case RealEnd::odd_half:
        team_store_pairs<RealEnd::odd_half, small_flight<Flight>>(team, work, data);
        break;
      case RealEnd::reals:
        team_store_pairs<RealEnd::reals, small_flight<Flight>>(team, work, data);
        break;
    }
  }

 private:
  struct Pair {
    Value here;
    Value there;
    Value root;
  };

  /// Which pair: the transform within the tile, and k.
  [[gnu::always_inline]] static unsigned transform_of(const GeneralItem& item) { return item.offset >> 16; }
  [[gnu::always_inline]] static unsigned element_of(const GeneralItem& item) { return item.offset & (conjugate_item - 1); }
  [[gnu::always_inline]] static bool is_conjugate(const GeneralItem& item) { return (item.offset & conjugate_item) != 0; }

  [[gnu::always_inline]] Value finished(Value value) const {
    return {value.re * scale, value.im * (is_inverse ? -scale : scale)};
  }
  [[gnu::always_inline]] Value loaded(Value value) const { return {value.re, is_inverse ? -value.im : value.im}; }

  template <RealEnd End, int Flight>
  [[gnu::always_inline]] void team_load_pairs(const exec::Team& team, const GeneralWork<Real>& work, Value* data) const {
    const auto size = static_cast<unsigned>(team.size());
    const unsigned first = first_of(team, work.width);
    const unsigned all = live_of(team, work.width, nullptr) * (work.length / 2U + 1);
    const GeneralItem* const table = work.items + pairs;
    for (unsigned begin = static_cast<unsigned>(team.rank()); begin < all; begin += Flight * size) {
      GeneralItem items[Flight];
      Pair values[Flight];
#pragma GCC unroll 8
      for (int f = 0; f < Flight; ++f) {
        const unsigned i = begin + static_cast<unsigned>(f) * size;
        if (i < all) {
          items[f] = table_entry(table + i);
        }
      }
#pragma GCC unroll 8
      for (int f = 0; f < Flight; ++f) {
        if (begin + static_cast<unsigned>(f) * size < all) {
          values[f] = read_pair<End>(first + transform_of(items[f]), element_of(items[f]), work.length);
        }
      }
#pragma GCC unroll 8
      for (int f = 0; f < Flight; ++f) {
        if (begin + static_cast<unsigned>(f) * size < all) {
          set_pair<End>(items[f], values[f], data);
        }
      }
    }
  }

  template <RealEnd End>
  [[gnu::always_inline]] void set_pair(const GeneralItem& item, const Pair& pair, Value* data) const {
    const bool has_two = item.twiddle != item.place;
    if constexpr (End == RealEnd::reals) {
      ScratchReal<Real>(data, item.place).set(pair.here.re);
      if (has_two) {
        ScratchReal<Real>(data, item.twiddle).set(pair.there.re);
      }
    } else {
      Pair joined = joined_pair<End>(pair, element_of(item));
      if (End == RealEnd::odd_half && is_conjugate(item)) {
        joined.here = joined.there;
      }
      ScratchElements<Real>(data, item.place, 0).set(0, loaded(joined.here));
      if (has_two) {
        ScratchElements<Real>(data, item.twiddle, 0).set(0, loaded(joined.there));
      }
    }
  }

  template <RealEnd End>
  [[gnu::always_inline]] Pair read_pair(unsigned row, unsigned k, unsigned length) const {
    Pair pair{};
    if constexpr (End == RealEnd::reals) {
      const Real* const line = static_cast<const Real*>(in) + std::size_t{row} * from;
      pair.here.re = line[k];
      pair.there.re = k > 0 ? line[length - k] : Real{0};
    } else {
      const Value* const line = static_cast<const Value*>(in) + std::size_t{row} * from;
      pair.here = load_streaming(line + k);
      if (End == RealEnd::half || (End == RealEnd::whole && k > 0)) {
        pair.there = load_streaming(line + (length - k));
      }
      if constexpr (End == RealEnd::half) {
        pair.root = table_entry(roots + k);
      }
    }
    return pair;
  }

  /// Elements k and L - k of what is transformed.
  template <RealEnd End>
  [[gnu::always_inline]] static Pair joined_pair(Pair pair, unsigned k) {
    if (k == 0 && (End == RealEnd::half || End == RealEnd::odd_half)) {  // these are real
      pair.here.im = 0;
      pair.there.im = 0;
    }
    if constexpr (End == RealEnd::odd_half) {
      pair.there = conj(pair.here);
    }
    if constexpr (End == RealEnd::half) {
      return {c2r_preprocessed(pair.here, pair.there, pair.root),
              c2r_preprocessed(pair.there, pair.here, opposite_root(pair.root)),
              {}};
    }
    return pair;
  }

  /// Returns exp(-2 pi i (L - k) / 2 L), given the root of k.
  [[gnu::always_inline]] static Value opposite_root(Value root) { return {-root.re, root.im}; }

  template <RealEnd End, int Flight>
  [[gnu::always_inline]] void team_store_pairs(const exec::Team& team, const GeneralWork<Real>& work, Value* data) const {
    const auto size = static_cast<unsigned>(team.size());
    const unsigned first = first_of(team, work.width);
    const unsigned in_row = work.length / 2U + 1;
    const unsigned all = live_of(team, work.width, nullptr) * in_row;
    const GeneralItem* const table = work.items + (pairs + work.width * in_row);
    for (unsigned begin = static_cast<unsigned>(team.rank()); begin < all; begin += Flight * size) {
      GeneralItem items[Flight];
      Pair values[Flight];
#pragma GCC unroll 8
      for (int f = 0; f < Flight; ++f) {
        const unsigned i = begin + static_cast<unsigned>(f) * size;
        if (i < all) {
          items[f] = table_entry(table + i);
          if constexpr (End == RealEnd::half) {
            values[f].root = table_entry(roots + element_of(items[f]));
          }
        }
      }
#pragma GCC unroll 8
      for (int f = 0; f < Flight; ++f) {
        if (begin + static_cast<unsigned>(f) * size < all) {
          get_pair<End>(values[f], items[f], data);
        }
      }
#pragma GCC unroll 8
      for (int f = 0; f < Flight; ++f) {
        if (begin + static_cast<unsigned>(f) * size < all) {
          write_pair<End>(values[f], first + transform_of(items[f]), element_of(items[f]), work.length);
        }
      }
    }
  }

  template <RealEnd End>
  [[gnu::always_inline]] static void get_pair(Pair& pair, const GeneralItem& item, Value* data) {
    if constexpr (End == RealEnd::reals) {
      pair.here.re = ScratchReal<Real>(data, item.place).get();
      pair.there.re = ScratchReal<Real>(data, item.twiddle).get();
    } else {
      pair.here = ScratchElements<Real>(data, item.place, 0).get(0);
      if constexpr (End == RealEnd::odd_half) {
        pair.here.im = is_conjugate(item) ? -pair.here.im : pair.here.im;
      } else {
        pair.there = ScratchElements<Real>(data, item.twiddle, 0).get(0);
      }
    }
  }

  template <RealEnd End>
  [[gnu::always_inline]] void write_pair(const Pair& pair, unsigned row, unsigned k, unsigned length) const {
    if constexpr (End == RealEnd::reals) {
      Real* const line = static_cast<Real*>(out) + std::size_t{row} * to;
      line[k] = pair.here.re * scale;
      if (k > 0) {
        line[length - k] = pair.there.re * scale;
      }
    } else {
      Value* const line = static_cast<Value*>(out) + std::size_t{row} * to;
      if constexpr (End == RealEnd::half) {
        store_streaming(line + k, finished(r2c_postprocessed(pair.here, pair.there, pair.root)));
        store_streaming(line + (length - k), finished(r2c_postprocessed(pair.there, pair.here, opposite_root(pair.root))));
      } else {
        store_streaming(line + k, finished(pair.here));
        if (End == RealEnd::whole && k > 0) {
          store_streaming(line + (length - k), finished(pair.there));
        }
      }
    }
  }
};

}  // namespace phpc::fft
