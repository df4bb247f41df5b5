#pragma once
#include <cstdint>

#include "batch/direct/block_layout.hpp"
#include "phpc/exec/subgroup.hpp"
#include "phpc/exec/team.hpp"

namespace phpc::batch {

/// Where BlockPanel's threads leave what others read of a panel, and the order of all rows. Pointers are to scratch, the first
/// two aligned to 16 bytes.
template <class T>
struct PanelLists {
  T* candidates;            ///< (2 sets by turns, sub-groups, candidate_values)
  std::uint32_t* keys;      ///< (2 sets by turns, sub-groups)
  std::int32_t* came_from;  ///< of each row of the panel, the place from which its pivot's row came
  std::int32_t* moved_to;   ///< of each row of the panel, the place below it to which the row went that stood there, or -1
  std::int32_t* order;      ///< of each place, the row of A that stands there
  T* inverse;               ///< of U's diagonal
};

/// Factorises a panel of up to Shape.slots columns in the registers of a team, a thread having a row (on the host, one thread all
/// of them). A step takes one barrier, before which each sub-group leaves the row of its best pivot; the next one's is searched
/// before other columns are updated. Sub-groups without a row only take part in barriers. Pivots are compared to 11 bits of
/// mantissa.
template <class T, RegisterShape Shape>
class BlockPanel {
 public:
  static constexpr int width = Shape.slots;
  static constexpr int team_size = PHPC_GPU_PASS ? Shape.threads : 1;
  static constexpr int count = Shape.threads / team_size;  ///< rows of a thread

  /// Of columns [first, last) in the rows from `first` on; `a` is column `first` in row 0, aligned to 16 bytes as `pitch` values
  /// are.
  [[gnu::always_inline]] BlockPanel(const exec::Team& team, int rank, const PanelLists<T>& lists, T* a, int pitch, int rows,
                                    int first, int last)
      : team_(team), rank_(rank), lists_(lists), a_(a), pitch_(pitch), rows_(rows), first_(first), last_(last) {}

  /// Factorises the panel and exchanges its rows, and lists what has to be exchanged in other columns.
  [[gnu::always_inline]] void team_factorise() {
    if (PHPC_GPU_PASS && first_ + rank_ / lanes * lanes >= rows_) {
      if (rank_ % lanes == 0) {
        lists_.keys[rank_ / lanes] = 0;
        lists_.keys[sub_groups + rank_ / lanes] = 0;
      }
#pragma clang loop unroll(disable)
      for (int step = first_; step < last_; ++step) {
        team_.barrier();
      }
      return;
    }
    load();
    find_pivot(0);
#pragma unroll
    for (int c = 0; c < width; ++c) {
      if (first_ + c < last_) {
        team_eliminate_column(c);
      }
    }
    store();
  }

 private:
  static constexpr int lanes = 32;
  static constexpr int sub_groups = BlockLayout::sub_groups(Shape);
  static constexpr int candidate_values = BlockLayout::candidate_values(Shape);
  static constexpr int pack = 16 / sizeof(T);  ///< values that are loaded and stored together
  static constexpr std::uint32_t row_mask = 511;

  [[nodiscard, gnu::always_inline]] int row(int q) const { return first_ + rank_ + q * team_size; }

  [[gnu::always_inline]] static void load_pack(const T* from, T* values) {
    __builtin_memcpy(values, __builtin_assume_aligned(from, 16), 16);
  }
  [[gnu::always_inline]] static void store_pack(T* to, const T* values) {
    __builtin_memcpy(__builtin_assume_aligned(to, 16), values, 16);
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

  [[gnu::always_inline]] void load() {
    for (int q = 0; q < count; ++q) {
      is_free_[q] = row(q) < rows_;
      const int own = is_free_[q] ? row(q) : rows_ - 1;
      place_[q] = is_free_[q] ? own : -1;
      origin_[q] = lists_.order[own];
      // Columns beyond the last are read, but their elements are not used.
#pragma unroll
      for (int c = 0; c < width; c += pack) {
        load_pack(a_ + own * pitch_ + c, element_[q] + c);
      }
    }
  }

  /// Stores the rows where they belong.
  [[gnu::always_inline]] void store() {
    for (int q = 0; q < count; ++q) {
      if (place_[q] < 0) {
        continue;
      }
      T* const to = a_ + place_[q] * pitch_;
#pragma unroll
      for (int c = 0; c < width; c += pack) {
        if (first_ + c + pack <= last_) {
          store_pack(to + c, element_[q] + c);
        } else {
#pragma unroll
          for (int t = 0; t < pack; ++t) {
            if (first_ + c + t < last_) {
              to[c + t] = element_[q][c + t];
            }
          }
        }
      }
      lists_.order[place_[q]] = origin_[q];
      if (row(q) < last_) {
        lists_.moved_to[row(q) - first_] = place_[q] >= last_ ? place_[q] : -1;
      }
      if (place_[q] < last_) {
        lists_.came_from[place_[q] - first_] = row(q);
      }
    }
  }

  /// Finds the best pivot of the sub-group in column c of the panel.
  [[gnu::always_inline]] void find_pivot(int c) {
    key_ = 0;
    for (int q = 0; q < count; ++q) {
      const std::uint32_t own = is_free_[q] ? key_of(element_[q][c], row(q)) : 0;
      key_ = own > key_ ? own : key_;
    }
    best_ = largest(key_);
    for (int q = 0; q < count; ++q) {
      inverse_[q] = T{1} / (is_free_[q] ? element_[q][c] : T{1});
      keep_here(inverse_[q]);  // while keys are exchanged
    }
  }

  [[gnu::always_inline]] void team_eliminate_column(int c) {
    const int turn = (first_ + c) % 2 * sub_groups;
    if (key_ == best_ && (key_ != 0 || rank_ % lanes == 0)) {
      lists_.keys[turn + rank_ / lanes] = key_;
      for (int q = 0; q < count; ++q) {
        if (count == 1 || (is_free_[q] && key_ == key_of(element_[q][c], row(q)))) {
          T* const candidate = lists_.candidates + (turn + rank_ / lanes) * candidate_values;
#pragma unroll
          for (int j = 0; j < width; j += pack) {
            if (j + pack - 1 > c) {
              store_pack(candidate + j, element_[q] + j);
            }
          }
          candidate[width] = inverse_[q];
          *reinterpret_cast<std::int32_t*>(candidate + width + 1) = place_[q];
        }
      }
    }
    team_.barrier();
    constexpr int groups = team_size > lanes ? team_size / lanes : 1;
    std::uint32_t keys[groups];
    __builtin_memcpy(keys, __builtin_assume_aligned(lists_.keys + turn, groups % 4 == 0 ? 16 : 4), sizeof(keys));
    std::uint32_t all = 0;
#pragma unroll
    for (const std::uint32_t other : keys) {
      all = other > all ? other : all;
    }
    const int pivot = static_cast<int>(row_mask - (all & row_mask));
    const int group = static_cast<int>(static_cast<unsigned>(pivot - first_) / lanes) % groups;
    const T* const candidate = lists_.candidates + (turn + group) * candidate_values;
    const T scale = candidate[width];
    const std::int32_t pivot_place = *reinterpret_cast<const std::int32_t*>(candidate + width + 1);
    T pivot_row[width];
#pragma unroll
    for (int j = 0; j < width; j += pack) {
      if (j + pack - 1 > c) {
        load_pack(candidate + j, pivot_row + j);
      }
    }
    const int step = first_ + c;
    if (rank_ == 0) {
      lists_.inverse[step] = scale;
    }
    T factor[count];
    for (int q = 0; q < count; ++q) {
      const bool is_pivot = row(q) == pivot;
      is_free_[q] = is_free_[q] && !is_pivot;
      place_[q] = is_pivot ? step : place_[q] == step ? pivot_place : place_[q];
      factor[q] = is_free_[q] ? element_[q][c] * scale : T{0};
      element_[q][c] = is_free_[q] ? factor[q] : element_[q][c];
      if (c + 1 < width) {
        element_[q][c + 1] -= factor[q] * pivot_row[c + 1];
      }
    }
    if (c + 1 < width) {
      find_pivot(c + 1);
    }
    for (int q = 0; q < count; ++q) {
#pragma unroll
      for (int j = 0; j < width; ++j) {
        if (j > c + 1) {
          element_[q][j] -= factor[q] * pivot_row[j];
        }
      }
    }
  }

  const exec::Team& team_;
  int rank_;
  PanelLists<T> lists_;
  T* a_;
  int pitch_;
  int rows_;
  int first_;
  int last_;
  T element_[count][width];
  T inverse_[count];  ///< of the elements in the column to be eliminated
  bool is_free_[count];
  std::int32_t place_[count];  ///< of the row, after the exchanges so far; -1 = no row
  std::int32_t origin_[count];
  std::uint32_t key_ = 0;
  std::uint32_t best_ = 0;  ///< of the sub-group
};

}  // namespace phpc::batch
