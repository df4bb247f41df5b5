#include "fft/host/memory/tile_io.hpp"

#include <algorithm>

#include "fft/host/packs/pieces.hpp"

namespace phpc::fft {

namespace {

/// What consecutive real numbers of a line are: the real and the imaginary part of each element (pairs), or the same part of one
/// element after the other (singles).
enum class Order { pairs, singles };

/// The place of number i of a line within the packs of a tile: parts[0][2 * element] real, parts[1][2 * element] imaginary.
template <Order O, class P>
[[gnu::always_inline]] inline P& place(P* const (&parts)[2], index_t i) {
  return O == Order::pairs ? parts[i % 2][i - i % 2] : parts[0][2 * i];
}

/// Loads `count` consecutive numbers of each line.
template <Order O, class Real>
void load_dense(const Real* array, const TileLines<Real>& lines, index_t scale, index_t count, Pack<Real>* const (&parts)[2],
                Prefetcher& prefetcher) {
  constexpr int width = lanes<Real>;
  const Real* line[width];
  for (int lane = 0; lane < width; ++lane) {
    line[lane] = array + scale * lines.at[lane];
  }
  if (count < piece_numbers<Real>) {
    for (index_t i = 0; i < count; ++i) {
      Pack<Real>& pack = place<O>(parts, i);
      for (int lane = 0; lane < width; ++lane) {
        pack[lane] = line[lane][i];
      }
    }
    return;
  }
  index_t next = 0;
  for (; next < count; next += width) {
    prefetcher.step();
    if (next + width > count && goes_in_pieces<Real>(count, count - next)) {
      break;
    }
    const index_t i = std::min(next, count - width);  // an even number in pairs
    Pack<Real> rows[width];
#pragma GCC unroll 16
    for (int lane = 0; lane < width; ++lane) {
      rows[lane] = load_pack(line[lane] + i);
    }
    transpose<Real>(rows);
#pragma GCC unroll 16
    for (int k = 0; k < width; ++k) {
      if constexpr (O == Order::pairs) {
        parts[k % 2][i + k - k % 2] = rows[k];
      } else {
        parts[0][2 * (i + k)] = rows[k];
      }
    }
  }
  for (; next < count; next += piece_numbers<Real>) {
    const index_t i = std::min(next, count - piece_numbers<Real>);
    Pack<Real> rows[piece_numbers<Real>];
    load_pieces<Real>([&](int lane) { return line[lane] + i; }, rows);
#pragma GCC unroll 4
    for (int k = 0; k < piece_numbers<Real>; ++k) {
      place<O>(parts, i + k) = rows[k];
    }
  }
}

template <Order O, class Real>
void store_dense(const Pack<Real>* const (&parts)[2], Real scale, Real* array, const TileLines<Real>& lines, index_t line_scale,
                 index_t count, Stores stores, Prefetcher& prefetcher) {
  constexpr int width = lanes<Real>;
  Real* line[width];
  for (int lane = 0; lane < width; ++lane) {
    line[lane] = array + line_scale * lines.at[lane];
  }
  if (count < piece_numbers<Real>) {
    for (index_t i = 0; i < count; ++i) {
      const Pack<Real> pack = place<O>(parts, i) * scale;
      for (int lane = 0; lane < lines.count; ++lane) {
        line[lane][i] = pack[lane];
      }
    }
    return;
  }
  index_t next = 0;
  for (; next < count; next += width) {
    prefetcher.step();
    if (next + width > count && goes_in_pieces<Real>(count, count - next)) {
      break;
    }
    const index_t i = std::min(next, count - width);
    Pack<Real> rows[width];
#pragma GCC unroll 16
    for (int k = 0; k < width; ++k) {
      if constexpr (O == Order::pairs) {
        rows[k] = parts[k % 2][i + k - k % 2];
      } else {
        rows[k] = parts[0][2 * (i + k)];
      }
    }
    if (scale != 1) {
#pragma GCC unroll 16
      for (int k = 0; k < width; ++k) {
        rows[k] = rows[k] * scale;
      }
    }
    transpose<Real>(rows);
    if (lines.count == width) {
#pragma GCC unroll 16
      for (int lane = 0; lane < width; ++lane) {
        store_pack(line[lane] + i, rows[lane], stores);
      }
    } else {
      for (int lane = 0; lane < lines.count; ++lane) {
        store_pack(line[lane] + i, rows[lane], stores);
      }
    }
  }
  for (; next < count; next += piece_numbers<Real>) {
    const index_t i = std::min(next, count - piece_numbers<Real>);
    Pack<Real> rows[piece_numbers<Real>];
#pragma GCC unroll 4
    for (int k = 0; k < piece_numbers<Real>; ++k) {
      rows[k] = place<O>(parts, i + k) * scale;
    }
    store_pieces<Real>(rows, [&](int lane) { return line[lane] + i; }, lines.count);
  }
}

template <class Real>
bool are_neighbours(const TileLines<Real>& lines) {
  for (int lane = 1; lane < lanes<Real>; ++lane) {
    if (lines.at[lane] != lines.at[0] + lane) {
      return false;
    }
  }
  return true;
}

/// Whether lines that do not fill a tile are neighbours in memory, one element apart.
template <class Real>
bool are_few_neighbours(const TileLines<Real>& lines) {
  for (int lane = 1; lane < lines.count; ++lane) {
    if (lines.at[lane] != lines.at[0] + lane) {
      return false;
    }
  }
  return true;
}

/// Numbers `stride` apart, one part of each element.
template <class Real>
void load_strided(const Real* array, const TileLines<Real>& lines, index_t scale, index_t stride, index_t count, Pack<Real>* to) {
  if (scale == 1 && are_neighbours(lines)) {
    for (index_t i = 0; i < count; ++i) {
      to[2 * i] = load_pack(array + lines.at[0] + i * stride);
    }
    return;
  }
  for (index_t i = 0; i < count; ++i) {
    for (int lane = 0; lane < lanes<Real>; ++lane) {
      to[2 * i][lane] = array[scale * lines.at[lane] + i * stride];
    }
  }
}

template <class Real>
void store_strided(const Pack<Real>* from, Real scale, Real* array, const TileLines<Real>& lines, index_t line_scale,
                   index_t stride, index_t count) {
  if (line_scale == 1 && are_neighbours(lines)) {
    for (index_t i = 0; i < count; ++i) {
      store_pack<Real>(array + lines.at[0] + i * stride, from[2 * i] * scale);
    }
    return;
  }
  for (index_t i = 0; i < count; ++i) {
    const Pack<Real> pack = from[2 * i] * scale;
    for (int lane = 0; lane < lines.count; ++lane) {
      array[line_scale * lines.at[lane] + i * stride] = pack[lane];
    }
  }
}

/// The packs of real and imaginary parts of a tile (const where it is read), every second one.
template <class P>
struct Parts {
  template <class Value>
  Parts(Value* values, bool swapped) : at{&values->re, &values->im} {
    if (swapped) {
      std::swap(at[0], at[1]);
    }
  }
  P* at[2];
};

}  // namespace

template <class Real>
void load_tile(Array<const Real> array, const TileLines<Real>& lines, index_t stride, index_t count, bool swapped,
               PackValue<Real>* to, Prefetcher& prefetcher) {
  const Parts<Pack<Real>> parts(to, swapped);
  const Real* const first = array.first();
  if (array.elements() == Elements::planar) {
    const Real* const planes[] = {first, array.second()};
    for (int part = 0; part < 2; ++part) {
      if (stride == 1 && !are_neighbours(lines)) {
        load_dense<Order::singles>(planes[part], lines, 1, count, {parts.at[part], nullptr}, prefetcher);
      } else {
        load_strided(planes[part], lines, 1, stride, count, parts.at[part]);
      }
    }
    return;
  }
  const bool is_complex = array.elements() == Elements::complex;
  const index_t scale = is_complex ? 2 : 1;
  if (stride == 1) {
    load_dense<Order::pairs>(first, lines, scale, 2 * count, parts.at, prefetcher);
  } else if (is_complex && are_neighbours(lines)) {
    for (index_t i = 0; i < count; ++i) {
      const PackValue<Real> value = load_interleaved(first + 2 * (lines.at[0] + i * stride));
      to[i] = swapped ? PackValue<Real>{value.im, value.re} : value;
    }
  } else if (is_complex && are_few_neighbours(lines)) {
    for (index_t i = 0; i < count; ++i) {
      const PackValue<Real> value = load_interleaved_part(first + 2 * (lines.at[0] + i * stride), lines.count);
      to[i] = swapped ? PackValue<Real>{value.im, value.re} : value;
    }
  } else {
    load_strided(first, lines, scale, 2 * stride, count, parts.at[0]);
    load_strided(first + (is_complex ? 1 : stride), lines, scale, 2 * stride, count, parts.at[1]);
  }
}

template <class Real>
void load_real_tile(const Real* array, const TileLines<Real>& lines, index_t stride, index_t count, PackValue<Real>* to) {
  const Parts<Pack<Real>> parts(to, false);
  if (stride == 1) {
    Prefetcher none;
    load_dense<Order::singles>(array, lines, 1, count, {parts.at[0], nullptr}, none);
  } else {
    load_strided(array, lines, 1, stride, count, parts.at[0]);
  }
  for (index_t i = 0; i < count; ++i) {
    to[i].im = Pack<Real>{};
  }
}

template <class Real>
void store_tile(const PackValue<Real>* from, bool swapped, Real scale, Array<Real> array, const TileLines<Real>& lines,
                index_t stride, index_t count, Stores stores, Prefetcher& prefetcher) {
  const Parts<const Pack<Real>> parts(from, swapped);
  Real* const first = array.first();
  if (array.elements() == Elements::planar) {
    Real* const planes[] = {first, array.second()};
    for (int part = 0; part < 2; ++part) {
      if (stride == 1 && !are_neighbours(lines)) {
        store_dense<Order::singles>({parts.at[part], nullptr}, scale, planes[part], lines, 1, count, stores, prefetcher);
      } else {
        store_strided(parts.at[part], scale, planes[part], lines, 1, stride, count);
      }
    }
    return;
  }
  const bool is_complex = array.elements() == Elements::complex;
  const index_t line_scale = is_complex ? 2 : 1;
  if (stride == 1) {
    store_dense<Order::pairs>(parts.at, scale, first, lines, line_scale, 2 * count, stores, prefetcher);
  } else if (is_complex && are_neighbours(lines)) {
    for (index_t i = 0; i < count; ++i) {
      const PackValue<Real> value = scaled(from[i], scale);
      store_interleaved(first + 2 * (lines.at[0] + i * stride), swapped ? PackValue<Real>{value.im, value.re} : value);
    }
  } else if (is_complex && are_few_neighbours(lines)) {
    for (index_t i = 0; i < count; ++i) {
      const PackValue<Real> value = scaled(from[i], scale);
      store_interleaved_part(first + 2 * (lines.at[0] + i * stride), swapped ? PackValue<Real>{value.im, value.re} : value,
                             lines.count);
    }
  } else {
    store_strided(parts.at[0], scale, first, lines, line_scale, 2 * stride, count);
    store_strided(parts.at[1], scale, first + (is_complex ? 1 : stride), lines, line_scale, 2 * stride, count);
  }
}

template <class Real>
void store_real_tile(const PackValue<Real>* from, bool swapped, Real scale, Real* array, const TileLines<Real>& lines,
                     index_t stride, index_t count) {
  const Parts<const Pack<Real>> parts(from, swapped);
  if (stride == 1) {
    Prefetcher none;
    store_dense<Order::singles>({parts.at[0], nullptr}, scale, array, lines, 1, count, Stores::cached, none);
  } else {
    store_strided(parts.at[0], scale, array, lines, 1, stride, count);
  }
}

template void load_tile(Array<const float>, const TileLines<float>&, index_t, index_t, bool, PackValue<float>*, Prefetcher&);
template void load_tile(Array<const double>, const TileLines<double>&, index_t, index_t, bool, PackValue<double>*, Prefetcher&);
template void load_real_tile(const float*, const TileLines<float>&, index_t, index_t, PackValue<float>*);
template void load_real_tile(const double*, const TileLines<double>&, index_t, index_t, PackValue<double>*);
template void store_tile(const PackValue<float>*, bool, float, Array<float>, const TileLines<float>&, index_t, index_t, Stores,
                         Prefetcher&);
template void store_tile(const PackValue<double>*, bool, double, Array<double>, const TileLines<double>&, index_t, index_t,
                         Stores, Prefetcher&);
template void store_real_tile(const PackValue<float>*, bool, float, float*, const TileLines<float>&, index_t, index_t);
template void store_real_tile(const PackValue<double>*, bool, double, double*, const TileLines<double>&, index_t, index_t);

}  // namespace phpc::fft
