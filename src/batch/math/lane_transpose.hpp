#pragma once
#include <cstdint>

#include "batch/math/value.hpp"
#include "phpc/core/types.hpp"
#include "phpc/exec/pack.hpp"

/// Between arrays of systems, one after the other, and arrays of packs, a lane for each system.
namespace phpc::batch {

/// packs[Stride * place(i)] lane l = from[l][i], i < count; nothing where place(i) is negative.
template <class T, int Stride = 1, class Place>
[[gnu::always_inline]] inline void place_in_lanes(const T* const* from, index_t count, Pack<T>* packs, const Place& place) {
  constexpr int n = lanes<Pack<T>>;
  index_t i = 0;
  for (; i + n <= count; i += n) {
    Pack<T> square[n];
    for (int lane = 0; lane < n; ++lane) {
      __builtin_memcpy(&square[lane], from[lane] + i, sizeof(Pack<T>));
    }
    exec::transpose<T>(square);
    for (int k = 0; k < n; ++k) {
      if (const index_t to = place(i + k); to >= 0) {
        packs[Stride * to] = square[k];
      }
    }
  }
  for (; i < count; ++i) {
    for (int lane = 0; lane < n && place(i) >= 0; ++lane) {
      packs[Stride * place(i)][lane] = from[lane][i];
    }
  }
}

/// packs[Stride * i] lane l = from[l][i], i < count.
template <class T, int Stride = 1>
inline void to_lanes(const T* const* from, index_t count, Pack<T>* packs) {
  place_in_lanes<T, Stride>(from, count, packs, [](index_t i) { return i; });
}

/// packs[Stride * places[i]] lane l = from[l][i], i < count, but where places[i] is negative; without places as to_lanes().
template <class T, int Stride = 1>
inline void to_lanes_at(const std::int32_t* places, const T* const* from, index_t count, Pack<T>* packs) {
  if (places == nullptr) {
    to_lanes<T, Stride>(from, count, packs);
  } else {
    place_in_lanes<T, Stride>(from, count, packs, [places](index_t i) { return index_t{places[i]}; });
  }
}

/// to[l][i] = packs[Stride * i] lane l for the first `used` lanes.
template <class T, int Stride = 1>
inline void from_lanes(const Pack<T>* packs, index_t count, int used, T* const* to) {
  constexpr int n = lanes<Pack<T>>;
  index_t i = 0;
  for (; i + n <= count; i += n) {
    Pack<T> square[n];
    for (int k = 0; k < n; ++k) {
      square[k] = packs[Stride * (i + k)];
    }
    exec::transpose<T>(square);
    for (int lane = 0; lane < used; ++lane) {
      __builtin_memcpy(to[lane] + i, &square[lane], sizeof(Pack<T>));
    }
  }
  for (; i < count; ++i) {
    for (int lane = 0; lane < used; ++lane) {
      to[lane][i] = packs[Stride * i][lane];
    }
  }
}

/// The same of real or complex numbers, whose parts are two numbers each.
template <class T>
inline void systems_to_lanes(const std::int32_t* places, const T* const* from, index_t count, Pack<T>* packs) {
  if constexpr (is_complex<T>) {
    using Part = RealOf<T>;
    const Part* parts[lanes<Pack<T>>];
    for (int lane = 0; lane < lanes<Pack<T>>; ++lane) {
      parts[lane] = reinterpret_cast<const Part*>(from[lane]);
    }
    auto* const to = reinterpret_cast<Pack<Part>*>(packs);
    if (places == nullptr) {
      to_lanes<Part>(parts, 2 * count, to);
    } else {
      place_in_lanes<Part>(parts, 2 * count, to, [places](index_t i) { return 2 * index_t{places[i / 2]} + i % 2; });
    }
  } else {
    to_lanes_at<T>(places, from, count, packs);
  }
}
/// The values of matrices of so many entries, or their conjugates, from sets of `count` values.
template <class T>
inline void values_to_lanes(const std::int32_t* places, bool conjugates, const T* const* from, index_t count, index_t entries,
                            Pack<T>* packs) {
  systems_to_lanes<T>(places, from, count, packs);
  if constexpr (is_complex<T>) {
    for (index_t i = 0; conjugates && i < entries; ++i) {
      packs[i].im = -packs[i].im;
    }
  }
}
template <class T>
inline void systems_from_lanes(const Pack<T>* packs, index_t count, int used, T* const* to) {
  if constexpr (is_complex<T>) {
    using Part = RealOf<T>;
    Part* parts[lanes<Pack<T>>] = {};
    for (int lane = 0; lane < used; ++lane) {
      parts[lane] = reinterpret_cast<Part*>(to[lane]);
    }
    from_lanes<Part>(reinterpret_cast<const Pack<Part>*>(packs), 2 * count, used, parts);
  } else {
    from_lanes<T>(packs, count, used, to);
  }
}

/// The same for packs twice as wide, whose halves are packs.
template <class T>
inline void to_wide_lanes(const T* const* from, index_t count, WidePack<T>* packs) {
  to_lanes<T, 2>(from, count, reinterpret_cast<Pack<T>*>(packs));
  to_lanes<T, 2>(from + lanes<Pack<T>>, count, reinterpret_cast<Pack<T>*>(packs) + 1);
}
template <class T>
inline void to_wide_lanes_at(const std::int32_t* places, const T* const* from, index_t count, WidePack<T>* packs) {
  to_lanes_at<T, 2>(places, from, count, reinterpret_cast<Pack<T>*>(packs));
  to_lanes_at<T, 2>(places, from + lanes<Pack<T>>, count, reinterpret_cast<Pack<T>*>(packs) + 1);
}
template <class T>
inline void from_wide_lanes(const WidePack<T>* packs, index_t count, int used, T* const* to) {
  constexpr int n = lanes<Pack<T>>;
  const auto* const halves = reinterpret_cast<const Pack<T>*>(packs);
  from_lanes<T, 2>(halves, count, used < n ? used : n, to);
  from_lanes<T, 2>(halves + 1, count, used < n ? 0 : used - n, to + n);
}

}  // namespace phpc::batch
