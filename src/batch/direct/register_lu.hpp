#pragma once
#include "batch/registers/register_context.hpp"
#include "batch/solver/cycle.hpp"

namespace phpc::batch {

/// Where the values of a system stand in scratch, as PlacesInOrder has them, but rows of a multiple of 8 values, which would
/// begin in few banks, permuted within groups of as many values as there are banks: a load of an element of each of 32 rows of 32
/// doubles takes 2 cycles in place of 32, of 48 rows 4.5 in place of 24.5 (counted; other lengths of rows would gain little or
/// lose).
template <class T>
class SpreadPlaces {
 public:
  static constexpr int bits = sizeof(T) == 8 ? 4 : 5;
  static constexpr int group = 1 << bits;

  [[gnu::always_inline]] explicit SpreadPlaces(int rows) : mask_(rows % 8 == 0 ? group - 1 : 0) {}
  [[nodiscard, gnu::always_inline]] int place(int entry_plus_one) const {
    return entry_plus_one ^ ((entry_plus_one >> bits ^ entry_plus_one >> 2 * bits) & mask_);
  }
  /// Values of scratch.
  [[nodiscard, gnu::always_inline]] static constexpr index_t values(index_t entries) { return (entries + group) / group * group; }

 private:
  int mask_;
};

/// The rows of A that a thread has, left in scratch as they were staged: a direct method reads them for residuals only.
template <class T, RegisterShape Shape>
class StagedRows {
 public:
  static constexpr int threads = SystemThreads<T, Shape.threads>::size;
  static constexpr int count = Shape.rows() / threads;
  using Places = SpreadPlaces<T>;

  [[gnu::always_inline]] void load(int rank, const SlotSource* sources, const T* staged, const Places& places) {
    sources_ = sources + rank;
    staged_ = staged;
    places_ = places;
  }
  [[nodiscard, gnu::always_inline]] T value(int i, int slot) const {
    return staged_[places_.place(sources_[slot * Shape.rows() + i * threads].entry_plus_one)];
  }
  template <class Sum, class Store>
  [[gnu::always_inline]] void for_rows(const T* operand, Store store) const {
#pragma unroll
    for (int i = 0; i < count; ++i) {
      Sum sum;
#pragma unroll 8
      for (int slot = 0; slot < Shape.slots; ++slot) {
        sum.add_product(value(i, slot), operand[slot]);
      }
      store(i, sum);
    }
  }
  [[nodiscard, gnu::always_inline]] T diagonal(int i, int row) const { return value(i, row); }

 private:
  const SlotSource* sources_ = nullptr;
  const T* staged_ = nullptr;
  Places places_{0};
};

/// LU factorisation with partial pivoting of a dense matrix whose rows are in the registers of the system's threads, together
/// with the right-hand side. After each step all rows move by one column, so that registers have constant indices although the
/// steps are a loop; each row of U stays in scratch, where the other threads have read it as the pivot's. (Gauss-Jordan
/// elimination, which needs no back substitution, brought no system of four Pele sets, of condition 5e14 to 5e18, down to 1e-6 of
/// ||b||.)
template <class T, RegisterShape Shape>
class RegisterLu {
  static_assert(Shape.storage == RowStorage::dense && (Shape.threads <= 32 || Shape.rows_of_a_thread == 1));

 public:
  using Context = RegisterContext<T, Shape, StagedRows>;
  static constexpr int count = Context::count;
  static constexpr int slots = Shape.slots;
  static constexpr int step_width = 8;
  static_assert(slots % step_width == 0);
  /// The place of row `row` of U, which begins with its diagonal element and is as long as the rows that a step moves, a multiple
  /// of step_width.
  [[nodiscard, gnu::always_inline]] static constexpr int upper_row(int row) {
    const int turn = row / step_width;  // before it are step_width rows of each length slots, slots - step_width, ...
    return step_width * turn * (2 * slots - step_width * (turn - 1)) / 2 + row % step_width * (slots - step_width * turn);
  }
  /// Values that the keys of the sub-groups take, two sets by turns.
  static constexpr int key_values = 4 * sizeof(std::uint64_t) / sizeof(T);
  /// Values of scratch: U, the right-hand side after elimination, keys of the sub-groups, the solution.
  static constexpr int scratch_values = upper_row(slots) + slots + key_values + Shape.rows();

  [[gnu::always_inline]] RegisterLu(Context& context, T* scratch, int rank)
      : upper_(scratch),
        known_(upper_ + upper_row(slots)),
        keys_(reinterpret_cast<std::uint64_t*>(known_ + slots)),
        solution_(known_ + slots + key_values),
        rank_(rank) {
#pragma unroll
    for (int slot = 0; slot < slots; ++slot) {
#pragma unroll
      for (int i = 0; i < count; ++i) {
        row_[i][slot] = context.rows().value(i, slot);
      }
    }
  }

  /// d = A^-1 r; false where a column has no pivot.
  [[nodiscard, gnu::always_inline]] bool solve(Context& context, const typename Context::Vector& r, typename Context::Vector& d,
                                               int rows) {
#pragma unroll
    for (int i = 0; i < count; ++i) {
      rhs_[i] = r[i];
      is_free_[i] = context.row(i) < rows;
    }
    find_pivot(context, 0);
    eliminate<slots>(context, rows);
    if (!Context::any(regular_)) {
      return false;
    }
#pragma unroll
    for (int i = 0; i < count; ++i) {
      const int row = context.row(i);
      rhs_[i] = row < rows ? known_[row] : T{0};
      inverse_[i] = row < rows ? T{1} / upper_[upper_row(row)] : T{0};
    }
    if constexpr (Context::Threads::size > 32) {
      // The unknowns of the second sub-group, then their products with the rows of the first, then the first's unknowns.
      if (rank_ >= 32) {
        substitute(context, 0, 32, rows);
        solution_[rank_] = rhs_[0];
      }
      context.threads().barrier();
      if (rank_ < 32) {
        for (int known = 32; known < rows; ++known) {
          rhs_[0] -= upper_[upper_row(rank_) + known - rank_] * solution_[known];
        }
        substitute(context, 0, 0, rows < 32 ? rows : 32);
      }
    } else {
#pragma unroll
      for (int i = count - 1; i >= 0; --i) {
        constexpr int size = Context::Threads::size;
        substitute(context, i, i * size, rows < (i + 1) * size ? rows : (i + 1) * size);
      }
    }
#pragma unroll
    for (int i = 0; i < count; ++i) {
      d[i] = regular_ ? rhs_[i] : T{0};
    }
    return regular_;
  }

 private:
  /// Back substitution for the unknowns last - 1 down to first, the i-th of each thread: rhs_ becomes the solution.
  [[gnu::always_inline]] void substitute(Context& context, int i, int first, int last) {
    for (int known = last - 1; known >= first; --known) {
      const T x = context.threads().value_of(rhs_[i] * inverse_[i], known);
#pragma unroll
      for (int k = 0; k < i; ++k) {
        const int row = context.row(k);
        rhs_[k] -= upper_[upper_row(row) + known - row] * x;
      }
      // Without branches, at which lanes would diverge: gri30's systems take 8.75 ms on an H200 instead of 9.13.
      const int row = context.row(i);
      const T updated = rhs_[i] - upper_[upper_row(row) + (row < known ? known - row : 0)] * x;
      rhs_[i] = row == known ? x : row < known ? updated : rhs_[i];
    }
  }

  /// Does the next step_width steps, in which rows of Width columns are moved, then the steps with fewer columns.
  template <int Width>
  [[gnu::always_inline]] void eliminate(Context& context, int rows) {
    if constexpr (Width > 0) {
      constexpr int first = slots - Width;
#pragma clang loop unroll(disable)
      for (int step = first; step < first + step_width && step < rows; ++step) {
        regular_ = regular_ && best_ != 0;
        if (!Context::any(regular_)) {
          return;
        }
        eliminate_column<Width>(context, step);
      }
      eliminate<Width - step_width>(context, rows);
    }
  }

  /// Finds the key of the next step's pivot row, the one with the largest element in the first of the columns left.
  [[gnu::always_inline]] void find_pivot(Context& context, int step) {
    std::uint32_t best = 0;
#pragma unroll
    for (int i = 0; i < count; ++i) {
      const std::uint32_t key = key_of(row_[i][0], context.row(i), is_free_[i]);
      best = key > best ? key : best;
    }
    best_ = largest(context, best, step);
  }

  /// A key that orders rows by the magnitude of their pivot candidates, of equal ones the first row first. The last 6 bits of its
  /// 32 are the row's. 0 for rows that are no candidates, or whose candidate is so small that its inverse is infinite.
  [[nodiscard, gnu::always_inline]] std::uint32_t key_of(T candidate, int row, bool free) const {
    constexpr std::uint32_t least = sizeof(T) == 8 ? 0x00040000U : 0x00200000U;  // 2^-1024 and 2^-128
    std::uint32_t size;
    if constexpr (sizeof(T) == 8) {
      size = static_cast<std::uint32_t>(__builtin_bit_cast(std::uint64_t, candidate) >> 32) & 0x7fffffffU;
    } else {
      size = __builtin_bit_cast(std::uint32_t, candidate) & 0x7fffffffU;
    }
    return free && size >= least ? (size & ~63U) | static_cast<std::uint32_t>(63 - row) : 0;
  }

  template <int Width>
  [[gnu::always_inline]] void eliminate_column(Context& context, int step) {
    const int pivot = regular_ ? 63 - static_cast<int>(best_ & 63U) : -1;
    T* const pivot_row = upper_ + upper_row(step);
#pragma unroll
    for (int i = 0; i < count; ++i) {
      if (context.row(i) == pivot) {
#pragma unroll
        for (int slot = 0; slot < Width; slot += 2) {
          store_pair(pivot_row + slot, row_[i][slot], row_[i][slot + 1]);
        }
        known_[step] = rhs_[i];
        is_free_[i] = false;
      }
    }
    context.threads().barrier();
    T factor[count];
    T value[2];
    load_pair(pivot_row, value);
    const T inverse = T{1} / value[0];
#pragma unroll
    for (int i = 0; i < count; ++i) {
      factor[i] = is_free_[i] && regular_ ? row_[i][0] * inverse : T{0};
      rhs_[i] -= factor[i] * known_[step];
      row_[i][0] = row_[i][1] - factor[i] * value[1];
    }
    // Before the other columns, so that the exchange of keys overlaps with their elimination.
    find_pivot(context, step + 1);
#pragma unroll
    for (int slot = 2; slot < Width; slot += 2) {
      load_pair(pivot_row + slot, value);
#pragma unroll
      for (int i = 0; i < count; ++i) {
        row_[i][slot - 1] = row_[i][slot] - factor[i] * value[0];
        row_[i][slot] = row_[i][slot + 1] - factor[i] * value[1];
      }
    }
#pragma unroll
    for (int i = 0; i < count; ++i) {
      row_[i][Width - 1] = T{0};
    }
  }

  [[gnu::always_inline]] static void load_pair(const T* from, T (&pair)[2]) {
    __builtin_memcpy(pair, __builtin_assume_aligned(from, 2 * sizeof(T)), sizeof(pair));
  }
  [[gnu::always_inline]] static void store_pair(T* to, T first, T second) {
    const T pair[2] = {first, second};
    __builtin_memcpy(__builtin_assume_aligned(to, 2 * sizeof(T)), pair, sizeof(pair));
  }

  /// The largest key of the system's threads.
  [[nodiscard, gnu::always_inline]] std::uint32_t largest(Context& context, std::uint32_t key, int step) {
#if defined(__NVPTX__)
    if constexpr (Shape.threads < 32) {
#pragma unroll
      for (int mask = Shape.threads / 2; mask > 0; mask /= 2) {
        const auto other = static_cast<std::uint32_t>(__nvvm_shfl_sync_bfly_i32(-1, static_cast<int>(key), mask, 31));
        key = other > key ? other : key;
      }
    } else {
      key = static_cast<std::uint32_t>(__nvvm_redux_sync_umax(static_cast<int>(key), -1));
    }
    if constexpr (Shape.threads > 32) {
      std::uint64_t* const keys = keys_ + (step & 1) * 2;
      if (rank_ % 32 == 0) {
        keys[rank_ / 32] = key;
      }
      context.threads().barrier();
      const auto other = static_cast<std::uint32_t>(keys[rank_ / 32 ^ 1]);
      key = other > key ? other : key;
    }
#else
    static_cast<void>(context), static_cast<void>(step), static_cast<void>(rank_), static_cast<void>(keys_);
#endif
    return key;
  }

  T row_[count][slots];
  T rhs_[count];
  T inverse_[count];        ///< of U's diagonal
  bool is_free_[count];     ///< no pivot row yet
  bool regular_ = true;     ///< each column had a pivot
  std::uint32_t best_ = 0;  ///< key of the next step's pivot row
  T* upper_;
  T* known_;
  std::uint64_t* keys_;
  T* solution_;
  int rank_;
};

}  // namespace phpc::batch
