#pragma once
#include <cstdint>

#include "batch/direct/block_context.hpp"
#include "batch/direct/block_layout.hpp"
#include "batch/direct/block_panel.hpp"
#include "batch/direct/block_substitution.hpp"
#include "batch/direct/block_update.hpp"

namespace phpc::batch {

/// A matrix in global memory: entry e stands in row sources[e].entry_plus_one - 1. One with all elements lies by rows.
template <class T>
struct DenseSource {
  const SlotSource* sources;
  const T* values;
  int entries;
};

/// LU factorisation with partial pivoting of a dense matrix by a team, in panels of Shape.slots columns (Golub and Van Loan,
/// Matrix Computations, sections 3.2.11 and 3.4). The matrix lies by rows in scratch and is factorised right-looking, or is made
/// in parts of that many columns that have room there, from the left to the right: to each part the panels of those before it are
/// applied, then it is factorised, and goes to global memory, where rows stand as in A. On the host, where kernels are tested,
/// one thread has all rows.
template <class T, RegisterShape Shape>
class BlockLu {
 public:
  static constexpr int width = Shape.slots;
  static constexpr bool is_global = Shape.storage == RowStorage::blocks_in_global;
  static constexpr int team_size = PHPC_GPU_PASS ? Shape.threads : 1;
  using Context = BlockContext<T, Shape.threads>;

  [[nodiscard, gnu::always_inline]] static constexpr BlockLayout layout() { return {Shape, sizeof(T)}; }

  /// Of a matrix of which `columns` columns are in scratch at a time.
  [[gnu::always_inline]] BlockLu(const exec::Team& team, T* scratch, T* global, int rows, int columns)
      : team_(team),
        rows_(rows),
        columns_(columns),
        pitch_(static_cast<int>(layout().pitch(columns))),
        global_pitch_(static_cast<int>(layout().global_pitch(rows))),
        rank_(team.rank()),
        global_(global) {
    lists_.candidates = scratch;
    auto* const words = reinterpret_cast<std::int32_t*>(scratch + layout().candidates());
    lists_.came_from = words;
    lists_.moved_to = words + width;
    lists_.keys = reinterpret_cast<std::uint32_t*>(words + 2 * width);
    lists_.inverse = scratch + layout().candidates() + layout().lists();
    lists_.order = reinterpret_cast<std::int32_t*>(lists_.inverse + layout().vector_pitch(rows));
    place_of_ = lists_.order + layout().vector_pitch(rows);
    lower_ = lists_.inverse + layout().vector_pitch(rows) + layout().orders(rows);
    a_ = lower_ + (is_global ? rows * lower_pitch : 0);
  }

  [[gnu::always_inline]] void team_factorise(const DenseSource<T>& matrix) {
    for (int row = rank_; row < rows_; row += team_size) {
      lists_.order[row] = row;
    }
    team_.barrier();
#pragma clang loop unroll(disable)
    for (int begin = 0; begin < rows_; begin += columns_) {
      const int end = begin + columns_ < rows_ ? begin + columns_ : rows_;
      forget_addresses();
      team_load(matrix, begin, end);
      team_.barrier();
      if constexpr (is_global) {
#pragma clang loop unroll(disable)
        for (int first = 0; first < begin; first += width) {
          forget_addresses();
          team_apply_panel(first, end - begin);
        }
      }
      team_factorise_part(begin, end);
      if constexpr (is_global) {
        forget_addresses();
        team_store(begin, end);
        team_.barrier();
      }
    }
  }

  /// 1 / U(i, i): infinite or NaN where a column had no pivot.
  [[nodiscard, gnu::always_inline]] T inverse(int i) const { return lists_.inverse[i]; }

  /// d = A^-1 r; r is overwritten.
  [[gnu::always_inline]] void team_solve(T* r, T* d) const {
    constexpr int count = Shape.threads / team_size;
    team_.barrier();
    T mine[count];
    for (int q = 0; q < count; ++q) {
      const int row = rank_ + q * team_size;
      mine[q] = row < rows_ ? r[lists_.order[row]] : T{0};
    }
    team_.barrier();
    for (int q = 0; q < count; ++q) {
      const int row = rank_ + q * team_size;
      if (row < rows_) {
        r[row] = mine[q];
      }
    }
    team_.barrier();
    const auto stripe_of = [&](int first, int last, int begin, int end) __attribute__((always_inline)) {
      if constexpr (is_global) {
        return team_copied_stripe(first, last, begin, end);
      } else {
        return FactorStripe<T>{a_ + first, pitch_};
      }
    };
    const BlockSubstitution<T, team_size, decltype(stripe_of)> factors{team_, rank_, rows_, lists_.inverse, stripe_of};
    factors.team_solve(r, d);
  }

 private:
  static constexpr int lanes = PHPC_GPU_PASS ? 32 : 1;
  static constexpr int lower_pitch = static_cast<int>(BlockLayout::pitch(width));

  /// Makes the compiler compute all that depends on the rank anew from here on: addresses held over all phases would fill the
  /// registers.
  [[gnu::always_inline]] void forget_addresses() {
#if defined(__NVPTX__)
    asm volatile("mov.u32 %0, %1;" : "=r"(rank_) : "r"(rank_));
    __builtin_assume(rank_ >= 0 && rank_ < team_size);
#endif
  }

  /// Copies columns [begin, end) of the matrix to scratch, rows in their order of now.
  [[gnu::always_inline]] void team_load(const DenseSource<T>& matrix, int begin, int end) const {
    if (matrix.entries == rows_ * rows_) {
      team_load_all(matrix.values, begin, end - begin);
    } else {
      team_load_entries(matrix, begin, end);
    }
  }

  /// The same of a matrix that has all elements.
  [[gnu::always_inline]] void team_load_all(const T* values, int begin, int columns) const {
    constexpr int flight = 16;
    const int elements = rows_ * columns;
    const int rows_on = team_size / columns;  // from a thread's element to its next
    const int columns_on = team_size % columns;
    int row = rank_ / columns;
    int column = rank_ % columns;
#pragma clang loop unroll(disable)
    for (int first = rank_; first < elements; first += flight * team_size) {
      T value[flight];
      int place[flight];
#pragma unroll
      for (int k = 0; k < flight; ++k) {
        // Beyond the last element it is loaded and stored again: behind a branch, each load would come just before its store.
        const bool exists = row < rows_;
        const int own_row = exists ? row : rows_ - 1;
        const int own_column = exists ? column : columns - 1;
        value[k] = values[(is_global ? lists_.order[own_row] : own_row) * rows_ + begin + own_column];
        place[k] = own_row * pitch_ + own_column;
        column += columns_on;
        row += rows_on + (column >= columns ? 1 : 0);
        column -= column >= columns ? columns : 0;
      }
#pragma unroll
      for (int k = 0; k < flight; ++k) {
        a_[place[k]] = value[k];
      }
    }
  }

  /// The same of one that has not.
  [[gnu::always_inline]] void team_load_entries(const DenseSource<T>& matrix, int begin, int end) const {
    for (int place = rank_; place < rows_ * pitch_; place += team_size) {
      a_[place] = T{0};
    }
    for (int place = rank_; place < rows_; place += team_size) {
      place_of_[lists_.order[place]] = place;
    }
    team_.barrier();
    constexpr int flight = 8;
#pragma clang loop unroll(disable)
    for (int first = rank_; first < matrix.entries; first += flight * team_size) {
      T value[flight];
      SlotSource source[flight];
#pragma unroll
      for (int k = 0; k < flight; ++k) {
        const int entry = first + k * team_size < matrix.entries ? first + k * team_size : matrix.entries - 1;
        value[k] = matrix.values[entry];
        source[k] = matrix.sources[entry];
      }
#pragma unroll
      for (int k = 0; k < flight; ++k) {
        const int column = source[k].column;
        if (column >= begin && column < end) {
          a_[place_of_[source[k].entry_plus_one - 1] * pitch_ + column - begin] = value[k];  // the last again and again
        }
      }
    }
  }

  /// Factorises the part of columns [begin, end), to which all panels before it have been applied.
  [[gnu::always_inline]] void team_factorise_part(int begin, int end) {
#pragma clang loop unroll(disable)
    for (int first = begin; first < end; first += width) {
      const int last = first + width < end ? first + width : end;
      forget_addresses();
      BlockPanel<T, Shape> panel(team_, rank_, lists_, a_ + (first - begin), pitch_, rows_, first, last);
      panel.team_factorise();
      team_.barrier();
      forget_addresses();
      team_exchange(first, last, first - begin, end - begin);
      team_.barrier();
      if (last < end) {
        forget_addresses();
        team_update(last, last - begin, end - begin, a_ + (first - begin), pitch_, a_ + first * pitch_);
        team_.barrier();
      }
    }
  }

  /// Does the panel's row exchanges in the other columns of the part, in which it begins with column `at`, and makes, right of
  /// the panel, its rows of U.
  [[gnu::always_inline]] void team_exchange(int first, int last, int at, int columns) const {
    const int behind = at + last - first;
#pragma clang loop unroll(disable)
    for (int j = rank_; j < columns; j += team_size) {
      if (j >= at && j < behind) {
        continue;
      }
      T* const column = a_ + j;
      // All is loaded before anything is stored, without branches, so that no load waits for another.
      T coming[width];
      T leaving[width];
#pragma unroll
      for (int c = 0; c < width; ++c) {
        const int row = first + c < last ? c : 0;
        coming[c] = column[lists_.came_from[row] * pitch_];
        leaving[c] = column[(first + row) * pitch_];
      }
      // The rows that stood in the panel's rows go to the places that the pivots' rows have left.
#pragma unroll
      for (int c = 0; c < width; ++c) {
        if (first + c < last && lists_.moved_to[c] >= 0) {
          column[lists_.moved_to[c] * pitch_] = leaving[c];
        }
      }
      if (j >= behind) {  // where there are columns right of it, the panel has all of its columns
        eliminate(a_ + first * pitch_ + at, pitch_, coming);
      }
#pragma unroll
      for (int c = 0; c < width; ++c) {
        if (first + c < last) {
          column[(first + c) * pitch_] = coming[c];
        }
      }
    }
  }

  /// Makes of elements of A in a panel's rows those of U.
  [[gnu::always_inline]] static void eliminate(const T* left, int left_pitch, T (&element)[width]) {
#pragma unroll
    for (int i = 1; i < width; ++i) {
      const T* const row = static_cast<const T*>(__builtin_assume_aligned(left + i * left_pitch, 16));
#pragma unroll
      for (int k = 0; k < i; ++k) {
        element[i] -= row[k] * element[k];
      }
    }
  }

  /// Subtracts L times U of a panel from the elements of the part in the rows from `begin` and the columns from first_column on.
  [[gnu::always_inline]] void team_update(int begin, int first_column, int columns, const T* left, int left_pitch,
                                          const T* top) const {
    const BlockUpdate<T, team_size, width> update{rank_, begin, rows_, first_column, columns, a_, pitch_, left, left_pitch, top};
    update.team_update();
  }

  /// Applies the panel that begins with column `first`, of a part before, to the part in scratch.
  [[gnu::always_inline]] void team_apply_panel(int first, int columns) {
    using Pack [[gnu::vector_size(16)]] = T;
    constexpr int pack = 16 / sizeof(T);
    constexpr int packs = width / pack;  // of a row
    constexpr int flight = 4;
#pragma clang loop unroll(disable)
    for (int begin = first * packs + rank_; begin < rows_ * packs; begin += flight * team_size) {
      Pack value[flight];
#pragma unroll
      for (int k = 0; k < flight; ++k) {
        const int number = begin + k * team_size < rows_ * packs ? begin + k * team_size : rows_ * packs - 1;
        const int row = lists_.order[number / packs];
        value[k] = *reinterpret_cast<const Pack*>(global_ + row * global_pitch_ + first + number % packs * pack);
      }
#pragma unroll
      for (int k = 0; k < flight; ++k) {
        const int number = begin + k * team_size < rows_ * packs ? begin + k * team_size : rows_ * packs - 1;
        *reinterpret_cast<Pack*>(lower_ + number / packs * lower_pitch + number % packs * pack) = value[k];
      }
    }
    team_.barrier();
    forget_addresses();
#pragma clang loop unroll(disable)
    for (int j = rank_; j < columns; j += team_size) {
      T* const column = a_ + first * pitch_ + j;
      T element[width];
#pragma unroll
      for (int c = 0; c < width; ++c) {
        element[c] = column[c * pitch_];
      }
      eliminate(lower_ + first * lower_pitch, lower_pitch, element);
#pragma unroll
      for (int c = 0; c < width; ++c) {
        column[c * pitch_] = element[c];
      }
    }
    team_.barrier();
    forget_addresses();
    team_update(first + width, 0, columns, lower_, lower_pitch, a_ + first * pitch_);
    team_.barrier();
  }

  /// Copies columns [begin, end) from scratch to global memory.
  [[gnu::always_inline]] void team_store(int begin, int end) const {
#pragma clang loop unroll(disable)
    for (int row = rank_ / lanes; row < rows_; row += team_size / lanes) {
      const T* const from = a_ + row * pitch_;
      T* const to = global_ + lists_.order[row] * global_pitch_ + begin;
      for (int column = rank_ % lanes; column < end - begin; column += lanes) {
        to[column] = from[column];
      }
    }
  }

  /// Copies columns [first, last) of the factors, at most BlockLayout::stripe of them, from global memory to scratch.
  [[nodiscard, gnu::always_inline]] FactorStripe<T> team_copied_stripe(int first, int last, int begin, int end) const {
    constexpr int flight = PHPC_GPU_PASS ? 8 : 1;
    constexpr int pitch = static_cast<int>(BlockLayout::pitch(BlockLayout::stripe));
    const int columns = last - first;
#pragma clang loop unroll(disable)
    for (int top = begin + rank_ / lanes; top < end; top += flight * (team_size / lanes)) {
#pragma clang loop unroll(disable)
      for (int column = rank_ % lanes; column < columns; column += lanes) {
        T value[flight];
#pragma unroll
        for (int k = 0; k < flight; ++k) {
          const int row = top + k * (team_size / lanes);
          value[k] = global_[lists_.order[row < end ? row : end - 1] * global_pitch_ + first + column];
        }
#pragma unroll
        for (int k = 0; k < flight; ++k) {
          const int row = top + k * (team_size / lanes);
          a_[(row < end ? row : end - 1) * pitch + column] = value[k];
        }
      }
    }
    team_.barrier();
    return {a_, pitch};
  }

  const exec::Team& team_;
  int rows_;
  int columns_;  ///< of a part
  int pitch_;
  int global_pitch_;
  int rank_;
  PanelLists<T> lists_;
  std::int32_t* place_of_;  ///< of each row of A, its place
  T* lower_;                ///< (row, lower_pitch): L of a panel of a part before
  T* a_;                    ///< (row, pitch): the part, then L left of the diagonal, U on it and right of it
  T* global_;               ///< (row of A, global_pitch): L and U of all parts
};

}  // namespace phpc::batch
