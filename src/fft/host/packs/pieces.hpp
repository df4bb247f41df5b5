#pragma once
#include <algorithm>
#include <utility>

#include "fft/host/packs/pack.hpp"

/// Transposed loads and stores of lines' ends that are shorter than a pack: in pieces of 16 bytes.
namespace phpc::fft {

/// Numbers of a piece.
template <class Real>
constexpr int piece_numbers = 16 / static_cast<int>(sizeof(Real));

/// As many packs as a piece has numbers.
template <class Real>
using PieceRows = Pack<Real>[piece_numbers<Real>];

/// Whether the last `left` of `count` numbers go in pieces: where a whole pack that overlaps the one before it takes longer, and
/// where there is none before it.
template <class Real>
constexpr bool goes_in_pieces(index_t count, index_t left) {
  return count >= piece_numbers<Real> && (count < lanes<Real> || left <= 3 * piece_numbers<Real>);
}

namespace detail {

/// Transposes the square of numbers in each 16 bytes of the packs.
template <class Real>
[[gnu::always_inline]] inline void transpose_within_pieces(PieceRows<Real>& rows) {
  constexpr int width = lanes<Real>;
  if constexpr (sizeof(Real) == 4) {
    const Pack<Real> low01 = exec::shuffled<Real, exec::RunsInTurn<width, 4, 1, 0>>(rows[0], rows[1]);
    const Pack<Real> high01 = exec::shuffled<Real, exec::RunsInTurn<width, 4, 1, 1>>(rows[0], rows[1]);
    const Pack<Real> low23 = exec::shuffled<Real, exec::RunsInTurn<width, 4, 1, 0>>(rows[2], rows[3]);
    const Pack<Real> high23 = exec::shuffled<Real, exec::RunsInTurn<width, 4, 1, 1>>(rows[2], rows[3]);
    rows[0] = exec::shuffled<Real, exec::RunsInTurn<width, 4, 2, 0>>(low01, low23);
    rows[1] = exec::shuffled<Real, exec::RunsInTurn<width, 4, 2, 1>>(low01, low23);
    rows[2] = exec::shuffled<Real, exec::RunsInTurn<width, 4, 2, 0>>(high01, high23);
    rows[3] = exec::shuffled<Real, exec::RunsInTurn<width, 4, 2, 1>>(high01, high23);
  } else {
    const Pack<Real> low = exec::shuffled<Real, exec::RunsInTurn<width, 2, 1, 0>>(rows[0], rows[1]);
    rows[1] = exec::shuffled<Real, exec::RunsInTurn<width, 2, 1, 1>>(rows[0], rows[1]);
    rows[0] = low;
  }
}

template <class Vector, class Half, int... I>
[[gnu::always_inline]] inline Vector joined_halves(Half low, Half high, std::integer_sequence<int, I...> /*lanes*/) {
  return __builtin_shufflevector(low, high, I...);
}

/// Loads one piece after the other, from line(first), line(first + piece_numbers), ...: `Numbers` in all.
template <int Numbers, class Real, class Line>
[[gnu::always_inline]] inline exec::Vector<Real, Numbers> joined_pieces(const Line& line, int first) {
  if constexpr (Numbers <= piece_numbers<Real>) {
    return exec::load_lanes<Numbers>(line(first));
  } else {
    constexpr int half = Numbers / 2;
    return joined_halves<exec::Vector<Real, Numbers>>(joined_pieces<half, Real>(line, first),
                                                      joined_pieces<half, Real>(line, first + half),
                                                      std::make_integer_sequence<int, Numbers>{});
  }
}

template <int First, class Real, int... I>
[[gnu::always_inline]] inline void store_piece(Real* to, Pack<Real> row, std::integer_sequence<int, I...> /*lanes*/) {
  const exec::Vector<Real, piece_numbers<Real>> piece = __builtin_shufflevector(row, row, First + I...);
  exec::store_lanes<piece_numbers<Real>>(to, piece);
}

template <class Real, class Line, int... Piece>
[[gnu::always_inline]] inline void store_row(Pack<Real> row, const Line& line, int k, int count,
                                             std::integer_sequence<int, Piece...> /*pieces of a pack*/) {
  constexpr int numbers = piece_numbers<Real>;
  const auto store = [&]<int P>(std::integral_constant<int, P> /*piece*/) {
    if (P * numbers + k < count) {
      store_piece<P * numbers>(line(P * numbers + k), row, std::make_integer_sequence<int, numbers>{});
    }
  };
  (store(std::integral_constant<int, Piece>{}), ...);
}

}  // namespace detail

/// Loads piece_numbers numbers of each of `lanes` lines, at line(0), line(1), ...: number k of all lines becomes rows[k].
template <class Real, class Line>
[[gnu::always_inline]] inline void load_pieces(const Line& line, PieceRows<Real>& rows) {
#pragma GCC unroll 4
  for (int k = 0; k < piece_numbers<Real>; ++k) {
    rows[k] = detail::joined_pieces<lanes<Real>, Real>(line, k);
  }
  detail::transpose_within_pieces<Real>(rows);
}

/// The reverse of load_pieces, for the first `count` lines; `rows` are used up.
template <class Real, class Line>
[[gnu::always_inline]] inline void store_pieces(PieceRows<Real>& rows, const Line& line, int count) {
  detail::transpose_within_pieces<Real>(rows);
#pragma GCC unroll 4
  for (int k = 0; k < piece_numbers<Real>; ++k) {
    detail::store_row<Real>(rows[k], line, k, count, std::make_integer_sequence<int, lanes<Real> / piece_numbers<Real>>{});
  }
}

/// Loads `Numbers` numbers of each of `lanes` lines, `step` from one line to the next: number k of all lines becomes parts[k].
template <int Numbers, class Real>
[[gnu::always_inline]] inline void load_lines(const Real* from, index_t step, Pack<Real> (&parts)[Numbers]) {
  constexpr int width = lanes<Real>;
  constexpr int left = Numbers % width;
  constexpr int whole = goes_in_pieces<Real>(Numbers, left) ? Numbers - left : Numbers;
#pragma GCC unroll 16
  for (int next = 0; next < whole; next += width) {
    const int first = std::min(next, Numbers - width);
    Pack<Real> rows[width];
    load_transposed<Real>(from + first, step, rows);
#pragma GCC unroll 16
    for (int k = 0; k < width; ++k) {
      parts[first + k] = rows[k];
    }
  }
#pragma GCC unroll 16
  for (int next = whole; next < Numbers; next += piece_numbers<Real>) {
    const int first = std::min(next, Numbers - piece_numbers<Real>);
    PieceRows<Real> rows;
    load_pieces<Real>([&](int lane) { return from + first + lane * step; }, rows);
#pragma GCC unroll 4
    for (int k = 0; k < piece_numbers<Real>; ++k) {
      parts[first + k] = rows[k];
    }
  }
}

/// The reverse of load_lines.
template <int Numbers, class Real>
[[gnu::always_inline]] inline void store_lines(const Pack<Real> (&parts)[Numbers], Real* to, index_t step, Stores stores) {
  constexpr int width = lanes<Real>;
  constexpr int left = Numbers % width;
  constexpr int whole = goes_in_pieces<Real>(Numbers, left) ? Numbers - left : Numbers;
#pragma GCC unroll 16
  for (int next = 0; next < whole; next += width) {
    const int first = std::min(next, Numbers - width);
    Pack<Real> rows[width];
#pragma GCC unroll 16
    for (int k = 0; k < width; ++k) {
      rows[k] = parts[first + k];
    }
    store_transposed<Real>(rows, to + first, step, stores);
  }
#pragma GCC unroll 16
  for (int next = whole; next < Numbers; next += piece_numbers<Real>) {
    const int first = std::min(next, Numbers - piece_numbers<Real>);
    PieceRows<Real> rows;
#pragma GCC unroll 4
    for (int k = 0; k < piece_numbers<Real>; ++k) {
      rows[k] = parts[first + k];
    }
    store_pieces<Real>(rows, [&](int lane) { return to + first + lane * step; }, width);
  }
}

}  // namespace phpc::fft
