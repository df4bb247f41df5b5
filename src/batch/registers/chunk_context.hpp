#pragma once
#include "batch/registers/chunk_threads.hpp"
#include "batch/registers/register_shapes.hpp"

namespace phpc::batch {

/// A SystemContext of one tridiagonal system in chunks of rows: the matrix, b and x lie in scratch, between which and memory they
/// are copied in the order of memory. The pattern has all entries of a tridiagonal one.
template <class T, RegisterShape Shape>
class ChunkContext : public ChunkThreads<T, Shape> {
  static_assert(Shape.storage == RowStorage::chunks && Shape.rows_of_a_thread % 2 == 0);
  using Base = ChunkThreads<T, Shape>;

 public:
  using Base::count;
  using Base::size;
  using Base::threads;
  using typename Base::Threads;
  using typename Base::Vector;
  /// Values from one thread's chunk in scratch to the next: odd numbers, so that chunks begin in different banks.
  static constexpr int matrix_pitch = (3 * count) | 1;
  static constexpr int vector_pitch = count | 1;
  static constexpr int chunks_values = size * (matrix_pitch + 2 * vector_pitch);  ///< of scratch: the matrix, b and x

  /// Values of scratch, the same on the host as on a GPU: the matrix, b, x, what threads of several sub-groups show to one
  /// another, and their partial sums.
  static constexpr int scratch_values =
      Shape.threads * (5 * Shape.rows_of_a_thread + 3) + Base::shown_values + Threads::exchange_values;

  static_assert(Shape.threads <= 32 || scratch_values == chunk_values(Shape));

  [[gnu::always_inline]] ChunkContext(const exec::Team& team, T* scratch, std::int32_t rows)
      : Base(team, scratch + chunks_values, scratch + chunks_values + (size > 32 ? Base::shown_values : 0)),
        matrix_(scratch),
        b_(matrix_ + size * matrix_pitch),
        x_(b_ + size * vector_pitch),
        rows_(rows) {}

  /// Copies a system to scratch, several loads in flight.
  [[gnu::always_inline]] void load(const T* values, const T* rhs, const T* x) {
    const int rank = threads().rank();
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
    threads().barrier();
  }
  /// Copies x back.
  [[gnu::always_inline]] void store(T* x, bool valid) {
    threads().barrier();
#pragma unroll
    for (int k = 0; k < count; ++k) {
      const int row = k * size + threads().rank();
      if (valid && row < rows_) {
        x[row] = x_[row / count * vector_pitch + row % count];
      }
    }
  }

  [[nodiscard, gnu::always_inline]] std::int32_t rows() const { return rows_; }
  [[nodiscard, gnu::always_inline]] T rhs(int i) const { return b_[threads().rank() * vector_pitch + i]; }
  [[nodiscard, gnu::always_inline]] T guess(int i) const { return x_[threads().rank() * vector_pitch + i]; }
  [[gnu::always_inline]] void update_solution(int i, T value, bool mask) const {
    if (mask) {
      x_[threads().rank() * vector_pitch + i] = value;
    }
  }

  /// The elements left of, on and right of the diagonal in the thread's row i; 0 in rows beyond the system.
  [[nodiscard, gnu::always_inline]] T lower(int i) const { return own_matrix()[3 * i]; }
  [[nodiscard, gnu::always_inline]] T middle(int i) const { return own_matrix()[3 * i + 1]; }
  [[nodiscard, gnu::always_inline]] T upper(int i) const { return own_matrix()[3 * i + 2]; }

  template <class Each>
  [[gnu::always_inline]] void team_multiply(const Vector& p, Vector& y, Each each) {
    if constexpr (size <= 32) {
      // Without barriers, the compiler would load the matrix once and keep it in registers, which are too few for both.
      asm volatile("" ::: "memory");
    }
    this->template team_for_rows<PlainSum<T>>(*this, p, [&](int i, const PlainSum<T>& sum) {
      y.element[i] = sum.sum();
      each(i, y.element[i]);
    });
  }
  [[nodiscard, gnu::always_inline]] T team_residual(const Vector& p, Vector& r, T unit) {
    const T inverse = T{1} / unit;
    T squared{};
    this->template team_for_rows<MeasuredSum<T>>(*this, p, [&](int i, const MeasuredSum<T>& sum) {
      r.element[i] = rhs(i) - sum.sum();
      const T magnitude = sum.magnitude() * inverse;
      squared += magnitude * magnitude;
    });
    return squared;
  }
  [[gnu::always_inline]] void team_compensated_residual(const Vector& p, Vector& r, bool mask) {
    this->template team_for_rows<CompensatedSum<T>>(
        *this, p, [&](int i, const CompensatedSum<T>& sum) { r.element[i] = mask ? sum.subtracted_from(rhs(i)) : r.element[i]; });
  }

  [[nodiscard, gnu::always_inline]] T diagonal(int i) const { return middle(i); }

 private:
  [[nodiscard, gnu::always_inline]] const T* own_matrix() const { return matrix_ + threads().rank() * matrix_pitch; }

  [[gnu::always_inline]] void load_vector(const T* from, T* to) const {
    T value[count];
#pragma unroll
    for (int k = 0; k < count; ++k) {
      const int row = k * size + threads().rank();
      value[k] = row < rows_ ? from[row] : T{0};
    }
#pragma unroll
    for (int k = 0; k < count; ++k) {
      const int row = k * size + threads().rank();
      to[row / count * vector_pitch + row % count] = value[k];
    }
  }

  T* matrix_;
  T* b_;
  T* x_;
  std::int32_t rows_;
};

}  // namespace phpc::batch
