#pragma once
#include <cstdint>

#include "batch/direct/block_context.hpp"
#include "batch/direct/block_layout.hpp"
#include "batch/direct/block_substitution.hpp"
#include "batch/direct/block_update.hpp"

namespace phpc::batch {

/// LU factorisation with partial pivoting of a dense matrix by a team, right-looking, in panels of Shape.slots columns (Golub and
/// Van Loan, Matrix Computations, sections 3.2.11 and 3.4). The matrix lies by rows in scratch, or in global memory, where L and
/// U of a panel are copied to scratch. A panel is factorised in registers, a thread having a row; a step of it takes one barrier,
/// before which each sub-group leaves the row of its best pivot. Pivots are compared to 11 bits of mantissa. On the host, where
/// kernels are tested, one thread has all rows.
template <class T, RegisterShape Shape>
class BlockLu {
 public:
  static constexpr int width = Shape.slots;
  static constexpr bool is_global = Shape.storage == RowStorage::blocks_in_global;
  static constexpr int team_size = PHPC_GPU_PASS ? Shape.threads : 1;
  static constexpr int count = Shape.threads / team_size;  ///< rows of a thread
  using Context = BlockContext<T, Shape.threads>;

  [[nodiscard, gnu::always_inline]] static constexpr BlockLayout layout() { return {Shape, sizeof(T)}; }

  [[gnu::always_inline]] BlockLu(const exec::Team& team, T* scratch, T* global, int rows)
      : team_(team),
        rows_(rows),
        pitch_(static_cast<int>(layout().pitch(rows))),
        rank_(team.rank()),
        candidates_(scratch),
        came_from_(reinterpret_cast<std::int32_t*>(candidates_ + layout().candidates())),
        moved_to_(came_from_ + width),
        keys_(reinterpret_cast<std::uint32_t*>(moved_to_ + width)),
        inverse_(candidates_ + layout().candidates() + layout().lists()),
        order_(reinterpret_cast<std::int32_t*>(inverse_ + rows)) {
    T* const rest = inverse_ + 2 * rows;
    a_ = is_global ? global : rest;
    lower_ = rest;
    upper_ = rest + rows * width;
  }

  /// Copies the matrix: entry e stands in row sources[e].entry_plus_one - 1.
  [[gnu::always_inline]] void team_load(const SlotSource* sources, const T* values, int entries) const {
    if (entries == rows_ * rows_) {
      team_load_all(values);
    } else {
      team_load_entries(sources, values, entries);
    }
    for (int row = rank_; row < rows_; row += team_size) {
      order_[row] = row;
    }
    team_.barrier();
  }

  [[gnu::always_inline]] void team_factorise() {
#pragma clang loop unroll(disable)
    for (int first = 0; first < rows_; first += width) {
      const int last = first + width < rows_ ? first + width : rows_;
      forget_addresses();
      team_factorise_panel(first, last);
      team_.barrier();
      forget_addresses();
      team_exchange(first, last);
      team_.barrier();
      if (last < rows_) {
        forget_addresses();
        team_update(first, last);
        team_.barrier();
      }
    }
  }

  /// 1 / U(i, i): infinite or NaN where a column had no pivot.
  [[nodiscard, gnu::always_inline]] T inverse(int i) const { return inverse_[i]; }

  /// d = A^-1 r; r is overwritten.
  [[gnu::always_inline]] void team_solve(T* r, T* d) const {
    team_.barrier();
    T mine[count];
    for (int q = 0; q < count; ++q) {
      mine[q] = row(q) < rows_ ? r[order_[row(q)]] : T{0};
    }
    team_.barrier();
    for (int q = 0; q < count; ++q) {
      if (row(q) < rows_) {
        r[row(q)] = mine[q];
      }
    }
    team_.barrier();
    const BlockSubstitution<T, team_size> factors{team_, rank_, rows_, pitch_, a_, inverse_};
    factors.team_solve(r, d);
  }

 private:
  static constexpr int sub_groups = BlockLayout::sub_groups(Shape);
  static constexpr int candidate_values = BlockLayout::candidate_values(Shape);
  static constexpr std::uint32_t row_mask = 511;

  /// Makes the compiler compute all that depends on the rank anew from here on: addresses held over all phases would fill the
  /// registers.
  [[gnu::always_inline]] void forget_addresses() {
#if defined(__NVPTX__)
    asm volatile("mov.u32 %0, %1;" : "=r"(rank_) : "r"(rank_));
    __builtin_assume(rank_ >= 0 && rank_ < team_size);
#endif
  }

  /// Makes the compiler compute the value here, and not in a branch behind which alone it is used.
  [[gnu::always_inline]] static void keep_here(T& value) {
#if defined(__NVPTX__)
    if constexpr (sizeof(T) == 8) {
      asm volatile("mov.f64 %0, %1;" : "=d"(value) : "d"(value));
    } else {
      asm volatile("mov.f32 %0, %1;" : "=f"(value) : "f"(value));
    }
#else
    static_cast<void>(value);
#endif
  }

  [[nodiscard, gnu::always_inline]] int row(int q) const { return rank_ + q * team_size; }

  /// Copies a matrix that has all elements, by rows.
  [[gnu::always_inline]] void team_load_all(const T* values) const {
    constexpr int flight = 16;
    const int entries = rows_ * rows_;
    const int columns_on = team_size % rows_;  // from a thread's element to its next
    const int places_on = team_size / rows_ * pitch_ + columns_on;
    int column = rank_ % rows_;
    int place = rank_ / rows_ * pitch_ + column;
    const int last_place = (rows_ - 1) * pitch_ + rows_ - 1;
#pragma clang loop unroll(disable)
    for (int first = rank_; first < entries; first += flight * team_size) {
      T value[flight];
#pragma unroll
      for (int k = 0; k < flight; ++k) {
        const int entry = first + k * team_size;
        value[k] = values[entry < entries ? entry : entries - 1];
      }
#pragma unroll
      for (const T element : value) {
        // Beyond the last element it is stored again: behind a branch, each load would come just before its store.
        a_[place < last_place ? place : last_place] = element;
        column += columns_on;
        place += places_on;
        place += column >= rows_ ? pitch_ - rows_ : 0;
        column -= column >= rows_ ? rows_ : 0;
      }
    }
  }
  [[gnu::always_inline]] void team_load_entries(const SlotSource* sources, const T* values, int entries) const {
    for (int place = rank_; place < rows_ * pitch_; place += team_size) {
      a_[place] = T{0};
    }
    team_.barrier();
    constexpr int flight = 8;
#pragma clang loop unroll(disable)
    for (int first = rank_; first < entries; first += flight * team_size) {
      T value[flight];
      SlotSource source[flight];
#pragma unroll
      for (int k = 0; k < flight; ++k) {
        const int entry = first + k * team_size < entries ? first + k * team_size : entries - 1;
        value[k] = values[entry];
        source[k] = sources[entry];
      }
#pragma unroll
      for (int k = 0; k < flight; ++k) {
        a_[(source[k].entry_plus_one - 1) * pitch_ + source[k].column] = value[k];  // the last again and again
      }
    }
  }

  /// A key that orders rows by the magnitude of an element, of equal ones the first row first; never 0.
  [[nodiscard, gnu::always_inline]] static std::uint32_t key_of(T element, int row) {
    std::uint32_t size;
    if constexpr (sizeof(T) == 8) {
      size = static_cast<std::uint32_t>(__builtin_bit_cast(std::uint64_t, element) >> 32) & 0x7fffffffU;
    } else {
      size = __builtin_bit_cast(std::uint32_t, element) & 0x7fffffffU;
    }
    return (size & ~row_mask) | (row_mask - static_cast<std::uint32_t>(row));
  }

  /// The largest key of a sub-group.
  [[nodiscard, gnu::always_inline]] std::uint32_t largest(std::uint32_t key) const {
#if defined(__NVPTX__)
    return static_cast<std::uint32_t>(__nvvm_redux_sync_umax(static_cast<int>(key), -1));
#else
    return exec::subgroup_reduce(team_, key, exec::Maximum{});
#endif
  }

  /// Factorises columns [first, last) in the rows from `first` on.
  [[gnu::always_inline]] void team_factorise_panel(int first, int last) {
    T element[count][width];
    bool is_free[count];
    std::int32_t place[count];  // of the row, after the exchanges so far
    std::int32_t origin[count];
    for (int q = 0; q < count; ++q) {
      const bool exists = row(q) >= first && row(q) < rows_;
      is_free[q] = exists;
      place[q] = exists ? row(q) : -1;
      origin[q] = exists ? order_[row(q)] : 0;
#pragma unroll
      for (int c = 0; c < width; ++c) {
        element[q][c] = exists && first + c < last ? a_[row(q) * pitch_ + first + c] : T{0};
      }
    }
#pragma unroll
    for (int c = 0; c < width; ++c) {
      if (first + c < last) {
        team_eliminate_column(first + c, c, element, is_free, place);
      }
    }
    for (int q = 0; q < count; ++q) {
      if (place[q] >= 0) {
#pragma unroll
        for (int c = 0; c < width; ++c) {
          if (first + c < last) {
            a_[place[q] * pitch_ + first + c] = element[q][c];
            if constexpr (is_global) {
              lower_[place[q] * width + c] = element[q][c];
            }
          }
        }
        order_[place[q]] = origin[q];
        if (row(q) < last) {
          moved_to_[row(q) - first] = place[q] >= last ? place[q] : -1;
        }
        if (place[q] < last) {
          came_from_[place[q] - first] = row(q);
        }
      }
    }
  }

  [[gnu::always_inline]] void team_eliminate_column(int step, int c, T (&element)[count][width], bool (&is_free)[count],
                                                    std::int32_t (&place)[count]) {
    std::uint32_t key = 0;
    T inverse[count];
    for (int q = 0; q < count; ++q) {
      const std::uint32_t own = is_free[q] ? key_of(element[q][c], row(q)) : 0;
      key = own > key ? own : key;
      inverse[q] = T{1} / (is_free[q] ? element[q][c] : T{1});
      keep_here(inverse[q]);  // while keys are exchanged
    }
    const int group = rank_ / 32;
    const std::uint32_t best = largest(key);
    if (key == best && (key != 0 || rank_ % 32 == 0)) {
      T* const candidate = candidates_ + (turn_ * sub_groups + group) * candidate_values;
      keys_[turn_ * sub_groups + group] = key;
      for (int q = 0; q < count; ++q) {
        if (count == 1 || (is_free[q] && key == key_of(element[q][c], row(q)))) {
#pragma unroll
          for (int j = 0; j < width; ++j) {
            if (j > c) {
              candidate[j] = element[q][j];
            }
          }
          candidate[width] = inverse[q];
          *reinterpret_cast<std::int32_t*>(candidate + width + 1) = place[q];
        }
      }
    }
    team_.barrier();
    std::uint32_t all = 0;
#pragma unroll
    for (int g = 0; g < team_size / 32 || g == 0; ++g) {
      const std::uint32_t other = keys_[turn_ * sub_groups + g];
      all = other > all ? other : all;
    }
    const int pivot = static_cast<int>(row_mask - (all & row_mask));
    const T* const candidate = candidates_ + (turn_ * sub_groups + pivot % team_size / 32) * candidate_values;
    T pivot_row[width];
#pragma unroll
    for (int j = 0; j < width; ++j) {
      pivot_row[j] = j > c ? candidate[j] : T{0};
    }
    const T scale = candidate[width];
    const std::int32_t pivot_place = *reinterpret_cast<const std::int32_t*>(candidate + width + 1);
    turn_ ^= 1;
    if (rank_ == 0) {
      inverse_[step] = scale;
    }
    for (int q = 0; q < count; ++q) {
      const bool is_pivot = row(q) == pivot;
      is_free[q] = is_free[q] && !is_pivot;
      place[q] = is_pivot ? step : place[q] == step ? pivot_place : place[q];
      const T factor = is_free[q] ? element[q][c] * scale : T{0};
      element[q][c] = is_free[q] ? factor : element[q][c];
#pragma unroll
      for (int j = 0; j < width; ++j) {
        if (j > c) {
          element[q][j] -= factor * pivot_row[j];
        }
      }
    }
  }

  /// Does the panel's row exchanges in the other columns and makes, right of the panel, its rows of U.
  [[gnu::always_inline]] void team_exchange(int first, int last) const {
    const T* const left = is_global ? lower_ + first * width : a_ + first * pitch_ + first;
    const int left_pitch = is_global ? width : pitch_;
#pragma clang loop unroll(disable)
    for (int j = rank_; j < rows_; j += team_size) {
      if (j >= first && j < last) {
        continue;
      }
      T* const column = a_ + j;
      // All is loaded before anything is stored, without branches, so that no load waits for another.
      T coming[width];
      T leaving[width];
#pragma unroll
      for (int c = 0; c < width; ++c) {
        const int at = first + c < last ? c : 0;
        coming[c] = column[came_from_[at] * pitch_];
        leaving[c] = column[(first + at) * pitch_];
      }
      // The rows that stood in the panel's rows go to the places that the pivots' rows have left.
#pragma unroll
      for (int c = 0; c < width; ++c) {
        if (first + c < last && moved_to_[c] >= 0) {
          column[moved_to_[c] * pitch_] = leaving[c];
        }
      }
      if (j >= last) {  // where there are columns right of it, the panel has all of its columns
#pragma unroll
        for (int k = 0; k + 1 < width; ++k) {
#pragma unroll
          for (int i = k + 1; i < width; ++i) {
            coming[i] -= left[i * left_pitch + k] * coming[k];
          }
        }
      }
#pragma unroll
      for (int c = 0; c < width; ++c) {
        if (first + c < last) {
          column[(first + c) * pitch_] = coming[c];
          if (is_global) {
            upper_[c * rows_ + j] = coming[c];
          }
        }
      }
    }
  }

  /// Subtracts L times U of the panel from the elements below and right of it.
  [[gnu::always_inline]] void team_update(int first, int last) const {
    const BlockUpdate<T, team_size, width> update{rank_,
                                                  rows_,
                                                  last,
                                                  a_,
                                                  pitch_,
                                                  is_global ? lower_ : a_ + first,
                                                  is_global ? width : pitch_,
                                                  is_global ? upper_ : a_ + first * pitch_,
                                                  is_global ? rows_ : pitch_};
    update.team_update();
  }

  const exec::Team& team_;
  int rows_;
  int pitch_;
  int rank_;
  T* candidates_;            ///< (2 sets by turns, sub-groups, candidate_values)
  std::int32_t* came_from_;  ///< of each row of the panel, the place from which its pivot's row came
  std::int32_t* moved_to_;   ///< of each row of the panel, the place below it to which the row went that stood there, or -1
  std::uint32_t* keys_;      ///< (2 sets by turns, sub-groups)
  T* inverse_;               ///< of U's diagonal
  std::int32_t* order_;      ///< of each place, the row of A that stands there
  T* a_;                     ///< (row, column): L left of the diagonal, U on it and right of it
  T* lower_;                 ///< (row, width): L of the panel
  T* upper_;                 ///< (width, rows): U of the panel
  int turn_ = 0;
};

}  // namespace phpc::batch
