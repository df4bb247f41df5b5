#pragma once
#include "batch/registers/register_context.hpp"
#include "batch/registers/register_shapes.hpp"

namespace phpc::batch {

/// A SystemContext of one tridiagonal system, in which each thread has a chunk of neighbouring rows: vectors in
/// registers, the matrix, b and x in scratch, between which and memory they are copied in the order of memory. Of an operand, a
/// product takes the ends of the neighbouring chunks from other threads. The pattern has all entries of a tridiagonal one.
template <class T, RegisterShape Shape>
class ChunkContext {
  static_assert(Shape.storage == RowStorage::chunks && Shape.rows_of_a_thread % 2 == 0);

 public:
  using Value = T;
  using Threads = SystemThreads<T, Shape.threads>;
  static constexpr int size = Threads::size;
  static constexpr int count = Shape.rows() / size;  ///< rows of a thread
  /// Values from one thread's chunk in scratch to the next: odd numbers, so that chunks begin in different banks.
  static constexpr int matrix_pitch = (3 * count) | 1;
  static constexpr int vector_pitch = count | 1;

  struct Vector {
    T element[count];
    [[nodiscard, gnu::always_inline]] T& operator[](int i) { return element[i]; }
    [[nodiscard, gnu::always_inline]] const T& operator[](int i) const { return element[i]; }
  };

  /// Most values that each thread shows to the others at a time.
  static constexpr int most_shown = 3;
  /// Values of scratch, the same on the host as on a GPU: the matrix, b, x, what threads of several sub-groups show to one
  /// another (two sets by turns), and their partial sums.
  static constexpr int scratch_values = Shape.threads * (5 * Shape.rows_of_a_thread + 3) +
                                        (Shape.threads > 32 ? 2 * most_shown * Shape.threads : 0) + Threads::exchange_values;

  static_assert(Shape.threads <= 32 || scratch_values == chunk_values(Shape));

  [[gnu::always_inline]] ChunkContext(const exec::Team& team, T* scratch, std::int32_t rows)
      : matrix_(scratch),
        b_(matrix_ + size * matrix_pitch),
        x_(b_ + size * vector_pitch),
        shown_(x_ + size * vector_pitch),
        threads_(team, shown_ + (size > 32 ? 2 * most_shown * size : 0)),
        rows_(rows) {}

  /// Copies a system to scratch, several loads in flight.
  [[gnu::always_inline]] void load(const T* values, const T* rhs, const T* x) {
    const int rank = threads_.rank();
    const int entries = 3 * rows_ - 2;
    constexpr int flight = 8;
#pragma unroll
    for (int first = 0; first < 3 * count; first += flight) {
      T value[flight];
#pragma unroll
      for (int k = 0; k < flight; ++k) {
        // Row i has places 3 i, 3 i + 1 and 3 i + 2, of which the first of row 0 and the last of the last row are empty.
        const int place = (first + k) * size + rank;
        value[k] = first + k < 3 * count && place >= 1 && place <= entries ? values[place - 1] : T{0};
      }
#pragma unroll
      for (int k = 0; k < flight; ++k) {
        const int place = (first + k) * size + rank;
        if (first + k < 3 * count) {
          matrix_[place / (3 * count) * matrix_pitch + place % (3 * count)] = value[k];
        }
      }
    }
    load_vector(rhs, b_);
    load_vector(x, x_);
    threads_.barrier();
  }
  /// Copies x back.
  [[gnu::always_inline]] void store(T* x, bool valid) {
    threads_.barrier();
#pragma unroll
    for (int k = 0; k < count; ++k) {
      const int row = k * size + threads_.rank();
      if (valid && row < rows_) {
        x[row] = x_[row / count * vector_pitch + row % count];
      }
    }
  }

  [[nodiscard, gnu::always_inline]] Threads& threads() { return threads_; }
  [[nodiscard, gnu::always_inline]] static constexpr StridedRange my_rows() { return {0, count, 1}; }
  [[nodiscard, gnu::always_inline]] static Vector vector(int /*number*/) { return {}; }
  [[nodiscard, gnu::always_inline]] static Vector preparation(int /*number*/) { return {}; }
  [[nodiscard, gnu::always_inline]] std::int32_t rows() const { return rows_; }
  [[nodiscard, gnu::always_inline]] int row(int i) const { return threads_.rank() * count + i; }
  [[nodiscard, gnu::always_inline]] T rhs(int i) const { return b_[threads_.rank() * vector_pitch + i]; }
  [[nodiscard, gnu::always_inline]] T guess(int i) const { return x_[threads_.rank() * vector_pitch + i]; }
  [[gnu::always_inline]] void update_solution(int i, T value, bool mask) const {
    if (mask) {
      x_[threads_.rank() * vector_pitch + i] = value;
    }
  }

  /// The elements left of, on and right of the diagonal in the thread's row i; 0 in rows beyond the system.
  [[nodiscard, gnu::always_inline]] T lower(int i) const { return own_matrix()[3 * i]; }
  [[nodiscard, gnu::always_inline]] T middle(int i) const { return own_matrix()[3 * i + 1]; }
  [[nodiscard, gnu::always_inline]] T upper(int i) const { return own_matrix()[3 * i + 2]; }

  /// Values that each thread shows, for all others of the system to read.
  template <int Count>
  class Shown {
   public:
    /// Value k of the thread `distance` after the caller; 0 where the system has no such thread. All threads must call it.
    [[nodiscard, gnu::always_inline]] T of(const ChunkContext& context, int k, int distance) const {
      const int wanted = context.threads_.rank() + distance;
      const bool exists = wanted >= 0 && wanted < size;
      const int thread = exists ? wanted : context.threads_.rank();
      const T value = size > 32 ? set_[k * size + thread] : context.threads_.value_of(own_[k], thread);
      return exists ? value : T{0};
    }

   private:
    friend class ChunkContext;
    T own_[Count];
    const T* set_;
  };
  /// Shows values to the other threads. Two sets are used by turns, so that a barrier lies between any thread's reading of one
  /// and the next writing of it.
  template <class... Values>
  [[nodiscard, gnu::always_inline]] auto show(Values... values) {
    constexpr int shown = sizeof...(Values);
    static_assert(shown <= most_shown);
    Shown<shown> all{};
    int number = 0;
    ((all.own_[number++] = values), ...);
    if constexpr (size > 32) {
      turn_ ^= 1;
      T* const set = shown_ + turn_ * (most_shown * size);
#pragma unroll
      for (int k = 0; k < shown; ++k) {
        set[k * size + threads_.rank()] = all.own_[k];
      }
      threads_.barrier();
      all.set_ = set;
    }
    return all;
  }

  template <class Each>
  [[gnu::always_inline]] void team_multiply(const Vector& p, Vector& y, Each each) {
    if constexpr (size <= 32) {
      // Without barriers, the compiler would load the matrix once and keep it in registers, which are too few for both.
      asm volatile("" ::: "memory");
    }
    team_for_rows<PlainSum<T>>(p, [&](int i, const PlainSum<T>& sum) {
      y.element[i] = sum.sum();
      each(i, y.element[i]);
    });
  }
  [[nodiscard, gnu::always_inline]] T team_residual(const Vector& p, Vector& r, T unit) {
    const T inverse = T{1} / unit;
    T squared{};
    team_for_rows<MeasuredSum<T>>(p, [&](int i, const MeasuredSum<T>& sum) {
      r.element[i] = rhs(i) - sum.sum();
      const T magnitude = sum.magnitude() * inverse;
      squared += magnitude * magnitude;
    });
    return squared;
  }
  [[gnu::always_inline]] void team_compensated_residual(const Vector& p, Vector& r, bool mask) {
    team_for_rows<CompensatedSum<T>>(
        p, [&](int i, const CompensatedSum<T>& sum) { r.element[i] = mask ? sum.subtracted_from(rhs(i)) : r.element[i]; });
  }

  /// Neither scaled systems nor histories are solved in registers.
  [[nodiscard, gnu::always_inline]] static constexpr bool scaled() { return false; }
  [[nodiscard, gnu::always_inline]] static T unscaled(int /*i*/, T r) { return r; }
  [[gnu::always_inline]] static void begin_cycle(T /*unit*/, std::int32_t /*iterations*/) {}
  [[gnu::always_inline]] static void record(std::int32_t /*iterations*/, bool /*mask*/, T /*squared*/) {}
  [[gnu::always_inline]] static void record_true(std::int32_t /*iterations*/, bool /*mask*/, T /*norm*/) {}

  template <class... Values>
  [[gnu::always_inline]] void team_sum(Values&... values) {
    threads_.team_reduce(exec::Plus{}, values...);
  }
  [[gnu::always_inline]] void team_maximum(T& value) { threads_.team_reduce(exec::Maximum{}, value); }
  [[nodiscard, gnu::always_inline]] static bool any(bool mask) { return Threads::any(mask); }
  [[nodiscard, gnu::always_inline]] T diagonal(int i) const { return middle(i); }
  [[gnu::always_inline]] void barrier() const { threads_.barrier(); }

 private:
  [[nodiscard, gnu::always_inline]] const T* own_matrix() const { return matrix_ + threads_.rank() * matrix_pitch; }

  [[gnu::always_inline]] void load_vector(const T* from, T* to) const {
    T value[count];
#pragma unroll
    for (int k = 0; k < count; ++k) {
      const int row = k * size + threads_.rank();
      value[k] = row < rows_ ? from[row] : T{0};
    }
#pragma unroll
    for (int k = 0; k < count; ++k) {
      const int row = k * size + threads_.rank();
      to[row / count * vector_pitch + row % count] = value[k];
    }
  }

  /// Calls store(i, sum) with the product of each of the thread's rows i and p.
  template <class Sum, class Store>
  [[gnu::always_inline]] void team_for_rows(const Vector& p, Store store) {
    const auto ends = show(p.element[0], p.element[count - 1]);
    const T before = ends.of(*this, 1, -1);
    const T after = ends.of(*this, 0, 1);
#pragma unroll
    for (int i = 0; i < count; ++i) {
      Sum sum;
      sum.add_product(lower(i), i == 0 ? before : p.element[i == 0 ? 0 : i - 1]);
      sum.add_product(middle(i), p.element[i]);
      sum.add_product(upper(i), i + 1 == count ? after : p.element[i + 1 == count ? i : i + 1]);
      store(i, sum);
    }
  }

  T* matrix_;
  T* b_;
  T* x_;
  T* shown_;
  Threads threads_;
  std::int32_t rows_;
  int turn_ = 0;
};

}  // namespace phpc::batch
