#pragma once
#include "phpc/core/types.hpp"
#include "phpc/exec/team.hpp"

namespace phpc::fft {

/// Copies a tile of Rows transforms of Row elements each between memory and scratch, neighbouring threads with neighbouring
/// elements. Elements are numbered through: i = transform * Row + element.
///
/// A thread has up to Batch loads in flight. One after another, as a loop with a condition compiles to, a prime of 17 took a
/// fifth longer on an H200; where registers limit the teams of a multiprocessor, fewer are better.
template <class Real, int Row, int Rows, int TeamSize, int Batch>
struct FixedTile {
  using Value = Complex<Real>;
  static constexpr int elements = Row * Rows;
  static constexpr int each = (elements + TeamSize - 1) / TeamSize;
  static constexpr int batch = each < Batch ? each : Batch;

  /// Calls sink.put(i, value) for the elements of the first `live` rows, which lie `step` apart in memory. No barrier.
  template <class Sink>
  [[gnu::always_inline]] static void team_load(const exec::Team& team, const Value* from, index_t step, int live,
                                               const Sink& sink) {
    if (step == Row) {
      team_load_from(team, Dense{}, from, live, sink);
    } else {
      team_load_from(team, Strided{step - Row}, from, live, sink);
    }
  }

  /// Writes source.get(i) to the first `live` rows, which lie `step` apart in memory. No barrier.
  template <class Source>
  [[gnu::always_inline]] static void team_store(const exec::Team& team, Value* to, index_t step, int live, const Source& source) {
    if (step == Row) {
      team_store_to(team, Dense{}, to, live, source);
    } else {
      team_store_to(team, Strided{step - Row}, to, live, source);
    }
  }

 private:
  struct Dense {
    [[gnu::always_inline]] int place(int i) const { return i; }
  };
  struct Strided {
    index_t gap;
    [[gnu::always_inline]] index_t place(int i) const { return i + i / Row * gap; }
  };

  template <class Layout, class Sink>
  [[gnu::always_inline]] static void team_load_from(const exec::Team& team, const Layout& layout, const Value* from, int live,
                                                    const Sink& sink) {
    const int limit = live * Row;
    for (int begin = team.rank(); begin < elements; begin += batch * team.size()) {
      Value v[batch];
#pragma unroll
      for (int k = 0; k < batch; ++k) {
        const int i = begin + k * team.size();
        v[k] = from[layout.place(i < limit ? i : limit - 1)];
      }
#pragma unroll
      for (int k = 0; k < batch; ++k) {
        const int i = begin + k * team.size();
        if (i < limit) {
          sink.put(i, v[k]);
        }
      }
    }
  }

  template <class Layout, class Source>
  [[gnu::always_inline]] static void team_store_to(const exec::Team& team, const Layout& layout, Value* to, int live,
                                                   const Source& source) {
    const int limit = live * Row;
    for (int begin = team.rank(); begin < elements; begin += batch * team.size()) {
      Value v[batch];
#pragma unroll
      for (int k = 0; k < batch; ++k) {
        const int i = begin + k * team.size();
        v[k] = source.get(i < limit ? i : limit - 1);
      }
#pragma unroll
      for (int k = 0; k < batch; ++k) {
        const int i = begin + k * team.size();
        if (i < limit) {
          to[layout.place(i)] = v[k];
        }
      }
    }
  }
};

}  // namespace phpc::fft
