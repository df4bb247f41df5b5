#pragma once
#include <cstddef>
#include <type_traits>
#include <utility>

#include "fft/device/general/stages/memory.hpp"
#include "fft/device/register_rows/launch.hpp"
#include "fft/device/register_rows/real_butterflies.hpp"
#include "fft/math/prime_factor_butterflies.hpp"
#include "phpc/core/types.hpp"
#include "phpc/exec/launch.hpp"
#include "phpc/exec/team.hpp"

namespace phpc::fft {

/// A complex number of a team's scratch.
template <class Real>
class ScratchNumber {
 public:
  [[gnu::always_inline]] ScratchNumber(Complex<Real>* data, unsigned place) : elements_(data, place, 0) {}
  [[nodiscard, gnu::always_inline]] Complex<Real> get() const { return elements_.get(0); }
  [[gnu::always_inline]] void set(Complex<Real> value) const { elements_.set(0, value); }

 private:
  ScratchElements<Real> elements_;
};

/// Rows of a few elements, each by one thread, in its registers: the length is known at compile time, and so are all twiddles,
/// places and divisions. Rows go between memory and scratch in the order of memory, a thread's own between scratch and registers.
/// Of lengths 14 and 10 from half spectra in f32, the general kernel executes 2.7 and 3.4 times as many instructions as cuFFT.
/// `Class` is an index of RegisterRowClasses.
template <class Real, int Class, RowKind Numbers>
struct RegisterRowsKernel {
  static constexpr int team_size = exec::sized_by_launch;
  using Scratch = exec::DynamicScratch;
  using Value = Complex<Real>;

  const Real* in;
  Real* out;
  index_t from;  ///< real numbers between the first ones of neighbours
  index_t to;
  index_t count;  ///< rows
  unsigned length;
  Real scale;
  bool is_inverse;  ///< of complex numbers

  [[gnu::always_inline]] void operator()(const exec::Team& team, Scratch& scratch) const {
    auto* const data = reinterpret_cast<Value*>(scratch.data);
    PHPC_EXPECT(scratch.reaches(scratch.data + register_row_scratch_bytes<Real>(Numbers, length)));
    team_rows(std::make_integer_sequence<int, longest_register_row(Numbers) + 1>{}, team, data);
  }

 private:
  template <int... N>
  [[gnu::always_inline]] void team_rows(std::integer_sequence<int, N...> /*lengths*/, const exec::Team& team, Value* data) const {
    static_cast<void>(((register_row_class<Real>(Numbers, N) == Class && length == static_cast<unsigned>(N)
                            ? (team_rows_of < register_row_class<Real>(Numbers, N) == Class ? N : 2 > (team, data), true)
                            : false) ||
                       ...));
  }

  template <int N>
  PHPC_TEAM_STAGE void team_rows_of(const exec::Team& team, Value* data) const {
    constexpr unsigned lines = register_rows_of_team(Numbers, N);
    constexpr unsigned pitch = register_row_pitch(Numbers, N);
    constexpr bool are_odd_reals = Numbers != RowKind::complex && N % 2 == 1;
    using From = std::conditional_t<are_odd_reals && Numbers == RowKind::from_reals, Real, Value>;
    using To = std::conditional_t<are_odd_reals && Numbers == RowKind::to_reals, Real, Value>;
    const index_t first = team.league_rank() * lines;
    const auto live = static_cast<unsigned>(count - first < lines ? count - first : lines);
    team_load<From, register_row_units(N, Numbers == RowKind::complex, Numbers == RowKind::from_reals), pitch, lines>(
        team, data, in + first * from, live);
    team.barrier();
    for (unsigned line = static_cast<unsigned>(team.rank()); line < live; line += static_cast<unsigned>(team.size())) {
      transform<N>(data, line * pitch);
    }
    team.barrier();
    team_store<To, register_row_units(N, Numbers == RowKind::complex, Numbers == RowKind::to_reals), pitch, lines>(
        team, data, out + first * to, live);
  }

  template <class Unit>
  using Place = std::conditional_t<std::is_same_v<Unit, Real>, ScratchReal<Real>, ScratchNumber<Real>>;

  /// What a thread copies: unit `number` of row `row` and of every `apart`-th one after it, so that all distances between what it
  /// copies are the same, in memory and, known at compile time, in scratch. Some threads of a team copy nothing.
  template <unsigned Units, unsigned Lines>
  struct Share {
    static constexpr unsigned apart = Lines / Units;
    static constexpr unsigned threads = apart * Units;
    static constexpr unsigned rounds = (Lines + apart - 1) / apart;
    static constexpr unsigned most_in_flight = sizeof(Real) == 4 ? 32 : 16;
    static constexpr unsigned blocks = (rounds + most_in_flight - 1) / most_in_flight;
    static constexpr unsigned flight = (rounds + blocks - 1) / blocks;  ///< that a thread loads before it stores the first

    /// Whether a thread with this first row has a unit to copy in round k of a full team.
    [[gnu::always_inline]] static constexpr bool has(unsigned row, unsigned k) {
      return (k + 1) * apart <= Lines || row + k * apart < Lines;
    }
  };

  /// The rows of a team from memory to scratch, `Units` units each, and back.
  template <class Unit, unsigned Units, unsigned Pitch, unsigned Lines>
  [[gnu::always_inline]] void team_load(const exec::Team& team, Value* data, const Real* source, unsigned live) const {
    using Its = Share<Units, Lines>;
    constexpr unsigned pitch = Pitch * sizeof(Value) / sizeof(Unit);
    const index_t distance = from * static_cast<index_t>(sizeof(Real)) / static_cast<index_t>(sizeof(Unit));
    for (unsigned i = static_cast<unsigned>(team.rank()); i < Its::threads; i += static_cast<unsigned>(team.size())) {
      const unsigned row = i / Units;
      const unsigned number = i % Units;
      const Unit* unit = reinterpret_cast<const Unit*>(source) + (row * distance + number);
      if (live < Lines) {
#pragma GCC unroll 1
        for (unsigned line = row; line < live; line += Its::apart, unit += Its::apart * distance) {
          Place<Unit>(data, line * pitch + number).set(*unit);
        }
        continue;
      }
#pragma GCC unroll 4
      for (unsigned block = 0; block < Its::rounds; block += Its::flight) {
        Unit v[Its::flight];
#pragma GCC unroll 64
        for (unsigned k = 0; k < Its::flight; ++k, unit += Its::apart * distance) {
          if (block + k < Its::rounds && Its::has(row, block + k)) {
            v[k] = *unit;
          }
        }
#pragma GCC unroll 64
        for (unsigned k = 0; k < Its::flight; ++k) {
          if (block + k < Its::rounds && Its::has(row, block + k)) {
            Place<Unit>(data, row * pitch + number + (block + k) * Its::apart * pitch).set(v[k]);
          }
        }
      }
    }
  }
  template <class Unit, unsigned Units, unsigned Pitch, unsigned Lines>
  [[gnu::always_inline]] void team_store(const exec::Team& team, Value* data, Real* target, unsigned live) const {
    using Its = Share<Units, Lines>;
    constexpr unsigned pitch = Pitch * sizeof(Value) / sizeof(Unit);
    const index_t distance = to * static_cast<index_t>(sizeof(Real)) / static_cast<index_t>(sizeof(Unit));
    for (unsigned i = static_cast<unsigned>(team.rank()); i < Its::threads; i += static_cast<unsigned>(team.size())) {
      const unsigned row = i / Units;
      const unsigned number = i % Units;
      Unit* unit = reinterpret_cast<Unit*>(target) + (row * distance + number);
      if (live < Lines) {
#pragma GCC unroll 1
        for (unsigned line = row; line < live; line += Its::apart, unit += Its::apart * distance) {
          *unit = Place<Unit>(data, line * pitch + number).get();
        }
        continue;
      }
#pragma GCC unroll 64
      for (unsigned k = 0; k < Its::rounds; ++k, unit += Its::apart * distance) {
        if (Its::has(row, k)) {
          *unit = Place<Unit>(data, row * pitch + number + k * Its::apart * pitch).get();
        }
      }
    }
  }

  [[nodiscard, gnu::always_inline]] Value get(Value* data, unsigned place) const {
    return scaled(ScratchNumber<Real>(data, place).get(), scale);
  }
  [[gnu::always_inline]] static void set(Value* data, unsigned place, Value value) {
    ScratchNumber<Real>(data, place).set(value);
  }

  // No closures here: see PassBody. With some, and clang 19, rows of 21 and real ones of 10, 24 and 48 were not read.

  /// The row that begins at place `begin` of scratch, in place.
  template <int N>
  [[gnu::always_inline]] void transform(Value* data, unsigned begin) const {
    if constexpr (Numbers == RowKind::complex) {
      transform_complex<N>(data, begin);
    } else if constexpr (Numbers == RowKind::from_reals) {
      transform_from_reals<N>(data, begin);
    } else {
      transform_to_reals<N>(data, begin);
    }
  }

  template <int N>
  [[gnu::always_inline]] void transform_complex(Value* data, unsigned begin) const {
    Value v[N];
    // A forward transform of elements in reverse order is one back. With two loops in two branches registers would hold all
    // elements before the first sum.
    const unsigned origin = is_inverse ? begin + N : begin;
    const unsigned step = is_inverse ? -1U : 1U;
    v[0] = get(data, begin);
#pragma GCC unroll 32
    for (unsigned q = 1; q < N; ++q) {
      v[q] = get(data, origin + q * step);
    }
    if constexpr (is_large_prime(N)) {
      set_prime(v, data, begin);
    } else {
      prime_factor_butterfly<N>(v);
#pragma GCC unroll 32
      for (unsigned k = 0; k < N; ++k) {
        set(data, begin + k, v[k]);
      }
    }
  }

  /// Results of a large prime, each pair as soon as it is there: registers would not hold them all.
  template <int N>
  [[gnu::always_inline]] static void set_prime(const Value (&v)[N], Value* data, unsigned begin) {
    constexpr int half = N / 2;
    Value sums[half];
    Value differences[half];
    Value all = v[0];
#pragma GCC unroll 32
    for (int q = 1; q <= half; ++q) {
      sums[q - 1] = v[q] + v[N - q];
      differences[q - 1] = v[q] - v[N - q];
      all = all + sums[q - 1];
    }
    set(data, begin, all);
#pragma GCC unroll 32
    for (int k = 1; k <= half; ++k) {
      const detail::OppositeElements<Value> pair = detail::odd_elements<N>(k, v[0], sums, differences);
      set(data, begin + static_cast<unsigned>(k), pair.at);
      set(data, begin + static_cast<unsigned>(N - k), pair.opposite);
    }
  }

  template <int N>
  [[gnu::always_inline]] void transform_from_reals(Value* data, unsigned begin) const {
    Real x[N];
#pragma GCC unroll 32
    for (unsigned q = 0; q < (N + 1) / 2; ++q) {
      const Value two = get(data, begin + q);
      x[2 * q] = two.re;
      if (2 * q + 1 < N) {
        x[2 * q + 1] = two.im;
      }
    }
    Value half[N / 2 + 1];
    butterfly_from_reals<N>(x, half);
#pragma GCC unroll 33
    for (unsigned k = 0; k <= N / 2; ++k) {
      set(data, begin + k, half[k]);
    }
  }

  template <int N>
  [[gnu::always_inline]] void transform_to_reals(Value* data, unsigned begin) const {
    Value half[N / 2 + 1];
#pragma GCC unroll 33
    for (unsigned k = 0; k <= N / 2; ++k) {
      half[k] = get(data, begin + k);
    }
    Real x[N];
    butterfly_to_reals<N>(half, x);
#pragma GCC unroll 32
    for (unsigned q = 0; q < (N + 1) / 2; ++q) {
      set(data, begin + q, {x[2 * q], 2 * q + 1 < N ? x[2 * q + 1] : Real{0}});
    }
  }
};

}  // namespace phpc::fft
