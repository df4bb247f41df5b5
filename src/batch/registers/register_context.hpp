#pragma once
#include "batch/math/product_sums.hpp"
#include "batch/math/value.hpp"
#include "batch/registers/register_job.hpp"
#include "batch/system/context_in_registers.hpp"
#include "phpc/exec/collective.hpp"

namespace phpc::batch {

/// The threads that work on one system: a part of a sub-group, a sub-group, or a team of several. On the host, where kernels are
/// tested, one thread that has all rows.
template <class T, int Threads>
class SystemThreads {
 public:
  static constexpr int size = PHPC_GPU_PASS ? Threads : 1;
  static constexpr int most_sums = 5;
  /// Values of scratch in which sub-groups of a system leave partial sums for one another, two sets by turns.
  static constexpr int exchange_values = Threads > 32 ? 2 * (Threads / 32) * most_sums : 0;

  [[gnu::always_inline]] SystemThreads(const exec::Team& team, T* exchange) : team_(team), exchange_(exchange) {}
  /// The same threads with numbers of T, in the scratch of `wide`, whose numbers are not narrower.
  template <class Wide>
  [[gnu::always_inline]] explicit SystemThreads(const SystemThreads<Wide, Threads>& wide)
      : team_(wide.team_), exchange_(reinterpret_cast<T*>(wide.exchange_)) {}

  [[nodiscard, gnu::always_inline]] int rank() const { return size == 1 ? 0 : team_.rank() % size; }

  /// Orders the scratch accesses of the system's threads.
  [[gnu::always_inline]] void barrier() const {
    if constexpr (size > 32) {
      team_.barrier();
    } else if constexpr (size > 1) {
      exec::subgroup_barrier();
    }
  }

  /// The value that thread `thread` of the system passes, which is in the caller's sub-group; all threads of the sub-group must
  /// call it.
  [[nodiscard, gnu::always_inline]] T value_of(T value, int thread) const {
    return exec::subgroup_shuffle(team_, value, size < 32 ? team_.rank() % 32 - rank() + thread % size : thread % 32);
  }

  /// Whether any of the threads that run in step has the mask.
  [[nodiscard, gnu::always_inline]] static bool any(bool mask) {
#if defined(__NVPTX__)
    if constexpr (size < 32) {
      return __nvvm_vote_any_sync(~0U, mask);
    }
#endif
    return mask;
  }

  /// Combines each value over the system's threads, which all then hold the result.
  template <class Combine, class... Values>
  [[gnu::always_inline]] void team_reduce(Combine combine, Values&... values) {
    if constexpr (size > 1) {
#pragma unroll
      for (int mask = (size < 32 ? size : 32) / 2; mask > 0; mask /= 2) {
        ((values = combine(values, exec::subgroup_shuffle_xor(team_, values, mask))), ...);
      }
    }
    if constexpr (size > 32) {
      static_assert(sizeof...(values) <= most_sums);
      constexpr int groups = size / 32;
      turn_ ^= 1;
      T* const partial = exchange_ + turn_ * (groups * most_sums);
      int number = 0;
      if (rank() % 32 == 0) {
        ((partial[rank() / 32 * most_sums + number++] = values), ...);
      }
      barrier();
      number = 0;
      ((values = over_groups<groups>(combine, partial + number++)), ...);
    }
  }

 private:
  template <class, int>
  friend class SystemThreads;

  template <int Groups, class Combine>
  [[nodiscard, gnu::always_inline]] static T over_groups(Combine combine, const T* partial) {
    T result = partial[0];
#pragma unroll
    for (int group = 1; group < Groups; ++group) {
      result = combine(result, partial[group * most_sums]);
    }
    return result;
  }

  const exec::Team& team_;
  T* exchange_;
  int turn_ = 0;
};

/// Where the values of a system stand in scratch: the value with entry_plus_one e at place(e), and at place(0) a zero, which
/// slots without an entry read.
struct PlacesInOrder {
  [[gnu::always_inline]] explicit PlacesInOrder(int) {}
  [[nodiscard, gnu::always_inline]] static int place(int entry_plus_one) { return entry_plus_one; }
  /// Values of scratch.
  [[nodiscard, gnu::always_inline]] static constexpr index_t values(index_t entries) { return entries + 1; }
};

/// The rows of A that a thread has, in registers in the shape's storage. The system's values are staged in scratch on the way.
template <class T, RegisterShape Shape>
class RegisterRows {
 public:
  static constexpr int threads = SystemThreads<T, Shape.threads>::size;
  static constexpr int count = Shape.rows() / threads;  ///< rows of a thread
  static constexpr int slots = Shape.slots;
  static constexpr bool dense = Shape.storage == RowStorage::dense;
  using Places = PlacesInOrder;

  [[gnu::always_inline]] void load(int rank, const SlotSource* sources, const T* staged, const Places& places) {
#pragma unroll
    for (int i = 0; i < count; ++i) {
      columns_[dense ? 0 : i] = 0;
    }
#pragma unroll
    for (int slot = 0; slot < slots; ++slot) {
#pragma unroll
      for (int i = 0; i < count; ++i) {
        const SlotSource source = sources[slot * Shape.rows() + rank + i * threads];
        value_[i][slot] = staged[places.place(source.entry_plus_one)];
        if constexpr (!dense) {
          columns_[i] |= static_cast<std::uint32_t>(source.column) << (column_bits * slot);
        }
      }
    }
  }

  /// product[i] = row i times the operand.
  [[gnu::always_inline]] void times(const T* operand, T (&product)[count]) const {
    if constexpr (dense) {
      constexpr int chains = count == 1 ? 4 : 2;
      T sum[count][chains] = {};
#pragma unroll
      for (int slot = 0; slot < slots; slot += 2) {
        T x[2];
        __builtin_memcpy(x, __builtin_assume_aligned(operand + slot, sizeof(x)), sizeof(x));
#pragma unroll
        for (int i = 0; i < count; ++i) {
          sum[i][slot % chains] += value_[i][slot] * x[0];
          sum[i][(slot + 1) % chains] += value_[i][slot + 1] * x[1];
        }
      }
#pragma unroll
      for (int i = 0; i < count; ++i) {
        product[i] = sum[i][0] + sum[i][1];
        if constexpr (chains == 4) {
          product[i] += sum[i][2] + sum[i][3];
        }
      }
    } else {
#pragma unroll
      for (int i = 0; i < count; ++i) {
        T sum{};
#pragma unroll
        for (int slot = 0; slot < slots; ++slot) {
          sum += value_[i][slot] * operand[column(i, slot)];
        }
        product[i] = sum;
      }
    }
  }

  /// Calls store(i, sum) with row i times the operand.
  template <class Sum, class Store>
  [[gnu::always_inline]] void for_rows(const T* operand, Store store) const {
#pragma unroll
    for (int i = 0; i < count; ++i) {
      Sum sum;
#pragma unroll
      for (int slot = 0; slot < slots; ++slot) {
        sum.add_product(value_[i][slot], operand[dense ? slot : column(i, slot)]);
      }
      store(i, sum);
    }
  }

 private:
  /// Columns of a packed row go into one word.
  static constexpr int column_bits = 10;
  static_assert(dense || (slots <= 3 && Shape.rows() <= 1 << column_bits));

  [[nodiscard, gnu::always_inline]] int column(int i, int slot) const {
    return static_cast<int>(columns_[i] >> (column_bits * slot) & ((1U << column_bits) - 1));
  }

  T value_[count][slots];
  std::uint32_t columns_[dense ? 1 : count];
};

/// A SystemContext whose vectors and matrix lie in registers; only operands of products pass through scratch. RowsOf holds the
/// matrix.
template <class T, RegisterShape Shape, template <class, RegisterShape> class RowsOf = RegisterRows>
class RegisterContext : public ContextInRegisters<T, RowsOf<T, Shape>::count> {
  using Base = ContextInRegisters<T, RowsOf<T, Shape>::count>;

 public:
  using Base::count;
  using typename Base::Vector;
  using Threads = SystemThreads<T, Shape.threads>;
  using Rows = RowsOf<T, Shape>;
  using Places = typename Rows::Places;

  /// Values of scratch of a system before the staged ones, an even number: two operands used by turns, and what its sub-groups
  /// exchange.
  static constexpr int fixed_values = (2 * Shape.rows() + Threads::exchange_values + 1) / 2 * 2;

  [[gnu::always_inline]] RegisterContext(const exec::Team& team, T* scratch, std::int32_t rows, const T* b, T* x)
      : threads_(team, scratch + 2 * Shape.rows()), places_(rows), operand_(scratch), rows_(rows), b_(b), x_(x) {}

  [[gnu::always_inline]] void load(const SlotSource* sources, const T* staged) {
    sources_ = sources;
    staged_ = staged;
    matrix_.load(threads_.rank(), sources, staged, places_);
  }

  [[nodiscard, gnu::always_inline]] Threads& threads() { return threads_; }
  [[nodiscard, gnu::always_inline]] const Rows& rows() const { return matrix_; }
  [[nodiscard, gnu::always_inline]] const Places& places() const { return places_; }
  [[nodiscard, gnu::always_inline]] int row(int i) const { return threads_.rank() + i * Threads::size; }
  [[nodiscard, gnu::always_inline]] T rhs(int i) const { return row(i) < rows_ ? b_[row(i)] : T{0}; }
  [[nodiscard, gnu::always_inline]] T guess(int i) const { return row(i) < rows_ ? x_[row(i)] : T{0}; }
  [[gnu::always_inline]] void update_solution(int i, T value, bool mask) const {
    if (mask && row(i) < rows_) {
      x_[row(i)] = value;
    }
  }

  template <class Each>
  [[gnu::always_inline]] void team_multiply(const Vector& p, Vector& y, Each each) {
    matrix_.times(shared(p), y.element);
#pragma unroll
    for (int i = 0; i < count; ++i) {
      each(i, y.element[i]);
    }
  }
  [[nodiscard, gnu::always_inline]] T team_residual(const Vector& p, Vector& r, T unit) {
    const T inverse = T{1} / unit;
    T squared{};
    matrix_.template for_rows<MeasuredSum<T>>(shared(p), [&](int i, const MeasuredSum<T>& sum) {
      r.element[i] = rhs(i) - sum.sum();
      const T magnitude = sum.magnitude() * inverse;
      squared += magnitude * magnitude;
    });
    return squared;
  }
  [[gnu::always_inline]] void team_compensated_residual(const Vector& p, Vector& r, bool mask) {
    matrix_.template for_rows<CompensatedSum<T>>(shared(p), [&](int i, const CompensatedSum<T>& sum) {
      r.element[i] = mask ? sum.subtracted_from(rhs(i)) : r.element[i];
    });
  }

  template <class... Values>
  [[gnu::always_inline]] void team_sum(Values&... values) {
    threads_.team_reduce(exec::Plus{}, values...);
  }
  [[gnu::always_inline]] void team_maximum(T& value) { threads_.team_reduce(exec::Maximum{}, value); }
  [[nodiscard, gnu::always_inline]] static bool any(bool mask) { return Threads::any(mask); }
  [[nodiscard, gnu::always_inline]] T diagonal(int i) const {
    constexpr bool dense = Shape.storage == RowStorage::dense;
    T found{};
    for (int slot = 0; slot < (dense ? 1 : Shape.slots); ++slot) {
      if (dense && row(i) >= rows_) {
        break;
      }
      const SlotSource source = sources_[(dense ? row(i) : slot) * Shape.rows() + row(i)];
      if (source.entry_plus_one != 0 && source.column == row(i)) {
        found = staged_[places_.place(source.entry_plus_one)];
      }
    }
    return found;
  }

 private:
  /// Writes p to scratch, where all threads of the system can read it. Two operands are used by turns, so that a barrier lies
  /// between any thread's reading of one and the next writing of it.
  [[nodiscard, gnu::always_inline]] const T* shared(const Vector& p) {
    T* const operand = operand_ + turn_ * Shape.rows();
    turn_ ^= 1;
#pragma unroll
    for (int i = 0; i < count; ++i) {
      operand[row(i)] = p.element[i];
    }
    threads_.barrier();
    return operand;
  }

  Threads threads_;
  Places places_;
  Rows matrix_;
  const SlotSource* sources_ = nullptr;
  const T* staged_ = nullptr;
  T* operand_;
  std::int32_t rows_;
  const T* b_;
  T* x_;
  int turn_ = 0;
};

}  // namespace phpc::batch
