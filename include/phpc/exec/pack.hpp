#pragma once
#include <type_traits>
#include <utility>

#include "phpc/core/types.hpp"

/// SIMD packs: the compiler's vector types, as wide as the registers of the processor that the including source is compiled for.
/// What a lane is about (a line to transform, a linear system, 64 slots of a genome) is a matter of the rooms, which add what
/// they alone need. Every function is inlined, so that sources which are compiled for different processors can be linked
/// together.
namespace phpc::exec {

/// Bytes of a vector register: of floating-point numbers, and of integers, for which AVX alone has no instructions of 32 bytes.
#if defined(__AVX512F__)
inline constexpr int pack_bytes = 64;
inline constexpr int integer_pack_bytes = 64;
#elif defined(__AVX2__)
inline constexpr int pack_bytes = 32;
inline constexpr int integer_pack_bytes = 32;
#elif defined(__AVX__)
inline constexpr int pack_bytes = 32;
inline constexpr int integer_pack_bytes = 16;
#else
inline constexpr int pack_bytes = 16;
inline constexpr int integer_pack_bytes = 16;
#endif

template <class T, int Lanes>
struct VectorOf {
  using type [[gnu::vector_size(Lanes * sizeof(T))]] = T;
};
template <class T>
struct VectorOf<T, 1> {
  using type = T;
};
/// `Lanes` numbers, a power of two, on which operators work lane by lane; one lane is the number itself.
template <class T, int Lanes>
using Vector = typename VectorOf<T, Lanes>::type;

/// Numbers of a floating-point type in a pack; of complex numbers as many as of their parts.
template <class T>
inline constexpr int pack_lanes = pack_bytes / static_cast<int>(sizeof(T));
template <class Part>
inline constexpr int pack_lanes<Complex<Part>> = pack_lanes<Part>;

template <class T>
struct PackOf {
  using type = Vector<T, pack_lanes<T>>;
};
template <class Part>
struct PackOf<Complex<Part>> {
  using type = Complex<typename PackOf<Part>::type>;
};
/// A register full of floating-point numbers. Complex numbers have one of real parts and one of imaginary parts.
template <class T>
using Pack = typename PackOf<T>::type;

/// The number in every lane, a negative zero too, which a sum with zeros would make positive.
template <int Lanes, class T>
[[nodiscard, gnu::always_inline]] inline Vector<T, Lanes> broadcast(T number) {
  return number - Vector<T, Lanes>{};
}

/// Lane `lane` of a vector; a number is its own only lane.
template <class Any>
[[nodiscard, gnu::always_inline]] inline auto lane_of(const Any& any, int lane) {
  if constexpr (std::is_arithmetic_v<Any>) {
    static_cast<void>(lane);
    return any;
  } else {
    return any[lane];
  }
}

/// Reads numbers that follow one another in memory; the first need not be aligned.
template <int Lanes, class T>
[[nodiscard, gnu::always_inline]] inline Vector<T, Lanes> load_lanes(const T* from) {
  Vector<T, Lanes> vector;
  __builtin_memcpy(&vector, from, sizeof(vector));
  return vector;
}
/// The reverse of load_lanes.
template <int Lanes, class T>
[[gnu::always_inline]] inline void store_lanes(T* to, const Vector<T, Lanes>& vector) {
  __builtin_memcpy(to, &vector, sizeof(vector));
}

/// load_lanes and store_lanes of a pack.
template <class Real>
[[nodiscard, gnu::always_inline]] inline Pack<Real> load_pack(const Real* from) {
  return load_lanes<pack_lanes<Real>>(from);
}
template <class Real>
[[gnu::always_inline]] inline void store_pack(Real* to, Pack<Real> pack) {
  store_lanes<pack_lanes<Real>>(to, pack);
}

namespace detail {

template <class Real, class Where, int... I>
[[gnu::always_inline]] inline Pack<Real> shuffled(Pack<Real> a, Pack<Real> b, std::integer_sequence<int, I...> /*lanes*/) {
  return __builtin_shufflevector(a, b, Where{}(I)...);
}

}  // namespace detail

/// Takes lanes of two packs: lane i of the result is lane Where{}(i) of a and b, whose lanes are counted one after the other.
template <class Real, class Where>
[[nodiscard, gnu::always_inline]] inline Pack<Real> shuffled(Pack<Real> a, Pack<Real> b) {
  return detail::shuffled<Real, Where>(a, b, std::make_integer_sequence<int, pack_lanes<Real>>{});
}

/// For shuffled(): runs of `Run` lanes of a and b in turn within each `Block` lanes, from the lower (Half 0) or upper (1) half of
/// the block.
template <int Lanes, int Block, int Run, int Half>
struct RunsInTurn {
  constexpr int operator()(int i) const {
    const int within = i % Block;
    const int run = within / Run;
    return i / Block * Block + Half * (Block / 2) + run / 2 * Run + within % Run + run % 2 * Lanes;
  }
};

namespace detail {

/// Exchanges runs of `Run` lanes between rows `Run` apart, and then longer ones below `End`, in rows first, first + step, ...
template <class Real, int Run, int End>
[[gnu::always_inline]] inline void transpose_runs(Pack<Real>* rows, int first, int step) {
  constexpr int count = pack_lanes<Real>;
  if constexpr (Run < End) {
#pragma GCC unroll 16
    for (int i = first; i < count; i += step) {
      if ((i & Run) == 0) {
        const Pack<Real> a = rows[i];
        const Pack<Real> b = rows[i + Run];
        rows[i] = exec::shuffled<Real, RunsInTurn<count, 2 * Run, Run, 0>>(a, b);
        rows[i + Run] = exec::shuffled<Real, RunsInTurn<count, 2 * Run, Run, 1>>(a, b);
      }
    }
    transpose_runs<Real, 2 * Run, End>(rows, first, step);
  }
}

}  // namespace detail

/// Does the first of the two parts of transpose(), which may come in either order: exchanges runs of fewer than four lanes, those
/// of single precision within 16 bytes. Every step is one instruction a row.
template <class Real>
[[gnu::always_inline]] inline void transpose_short_runs(Pack<Real>* rows) {
  constexpr int count = pack_lanes<Real>;
  if constexpr (sizeof(Real) == 4) {
#pragma GCC unroll 16
    for (int i = 0; i < count; i += 4) {
      const Pack<Real> low01 = shuffled<Real, RunsInTurn<count, 4, 1, 0>>(rows[i], rows[i + 1]);
      const Pack<Real> high01 = shuffled<Real, RunsInTurn<count, 4, 1, 1>>(rows[i], rows[i + 1]);
      const Pack<Real> low23 = shuffled<Real, RunsInTurn<count, 4, 1, 0>>(rows[i + 2], rows[i + 3]);
      const Pack<Real> high23 = shuffled<Real, RunsInTurn<count, 4, 1, 1>>(rows[i + 2], rows[i + 3]);
      rows[i] = shuffled<Real, RunsInTurn<count, 4, 2, 0>>(low01, low23);
      rows[i + 1] = shuffled<Real, RunsInTurn<count, 4, 2, 1>>(low01, low23);
      rows[i + 2] = shuffled<Real, RunsInTurn<count, 4, 2, 0>>(high01, high23);
      rows[i + 3] = shuffled<Real, RunsInTurn<count, 4, 2, 1>>(high01, high23);
    }
  } else {
    detail::transpose_runs<Real, 1, (count < 4 ? count : 4)>(rows, 0, 1);
  }
}

/// Does the second part, of rows first, first + 4, ..., which needs no other rows: exchanges runs of four lanes and more.
template <class Real>
[[gnu::always_inline]] inline void transpose_long_runs(Pack<Real>* rows, int first) {
  detail::transpose_runs<Real, 4, pack_lanes<Real>>(rows, first, 4);
}

/// Transposes a square of numbers in place: lane j of row i becomes lane i of row j.
template <class Real>
[[gnu::always_inline]] inline void transpose(Pack<Real> (&rows)[pack_lanes<Real>]) {
  transpose_short_runs<Real>(rows);
  detail::transpose_runs<Real, 4, pack_lanes<Real>>(rows, 0, 1);
}

}  // namespace phpc::exec
