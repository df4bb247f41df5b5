#pragma once
#include "batch/math/product_sums.hpp"
#include "batch/math/value.hpp"
#include "batch/slices/slice_rows.hpp"
#include "batch/system/context_in_registers.hpp"
#include "batch/system/team_sums.hpp"

namespace phpc::batch {

/// A SystemContext of a team whose size is known at the launch, with vectors in registers, Rows elements a thread, and
/// the matrix in a slice layout (SliceRows). Operands of products pass through scratch. Between two products there must be a sum
/// over the team, as there is in all methods: its barrier separates the last reading of an operand from the next writing.
template <class T, int RowsOfAThread, int Slots, bool Tails, class Stored = T>
class SliceContext : public ContextInRegisters<T, RowsOfAThread> {
 public:
  using typename ContextInRegisters<T, RowsOfAThread>::Vector;
  using Rows = SliceRows<T, RowsOfAThread, Slots, Tails, Stored>;

  /// `sums` is scratch for TeamSums, `operand` for an element of each position; b and x are the system's, null where the context
  /// serves for cycles alone.
  [[gnu::always_inline]] SliceContext(const exec::Team& team, const SliceTables& tables, const Stored* values, T* sums,
                                      T* operand, const T* b, T* x)
      : team_(team), sums_(team, sums), matrix_(team, tables, values), operand_(operand), b_(b), x_(x) {}

  [[nodiscard, gnu::always_inline]] Rows& rows() { return matrix_; }
  [[nodiscard, gnu::always_inline]] T rhs(int i) const {
    const int row = matrix_.row(i);
    return row >= 0 ? b_[row] : T{0};
  }
  [[nodiscard, gnu::always_inline]] T guess(int i) const {
    const int row = matrix_.row(i);
    return row >= 0 ? x_[row] : T{0};
  }
  [[gnu::always_inline]] void update_solution(int i, T value, bool mask) const {
    const int row = matrix_.row(i);
    if (mask && row >= 0) {
      x_[row] = value;
    }
  }

  template <class Each>
  [[gnu::always_inline]] void team_multiply(const Vector& p, Vector& y, Each each) {
    matrix_.template for_rows<PlainSum<T>>(shared(p), p.element, [&](int i, const PlainSum<T>& sum) {
      y.element[i] = sum.sum();
      each(i, y.element[i]);
    });
  }
  [[nodiscard, gnu::always_inline]] T team_residual(const Vector& p, Vector& r, T unit) {
    const T inverse = T{1} / unit;
    T squared{};
    matrix_.template for_rows<MeasuredSum<T>>(shared(p), p.element, [&](int i, const MeasuredSum<T>& sum) {
      r.element[i] = rhs(i) - sum.sum();
      const T magnitude = sum.magnitude() * inverse;
      squared += magnitude * magnitude;
    });
    return squared;
  }
  [[gnu::always_inline]] void team_compensated_residual(const Vector& p, Vector& r, bool mask) {
    matrix_.template for_rows<CompensatedSum<T>>(shared(p), p.element, [&](int i, const CompensatedSum<T>& sum) {
      r.element[i] = mask ? sum.subtracted_from(rhs(i)) : r.element[i];
    });
  }

  template <class... Values>
  [[gnu::always_inline]] void team_sum(Values&... values) {
    sums_.team_reduce(exec::Plus{}, values...);
  }
  [[gnu::always_inline]] void team_maximum(T& value) { sums_.team_reduce(exec::Maximum{}, value); }
  /// All threads of the team hold the same.
  [[nodiscard, gnu::always_inline]] static bool any(bool mask) { return mask; }
  [[nodiscard, gnu::always_inline]] T diagonal(int i) const { return matrix_.diagonal(i); }
  [[gnu::always_inline]] void barrier() const { team_.barrier(); }

 private:
  /// Writes p to scratch, where all threads of the team can read it.
  [[nodiscard, gnu::always_inline]] const T* shared(const Vector& p) const {
#pragma unroll
    for (int i = 0; i < RowsOfAThread; ++i) {
      operand_[matrix_.position(i)] = p.element[i];
    }
    team_.barrier();
    return operand_;
  }

  const exec::Team& team_;
  TeamSums<T> sums_;
  Rows matrix_;
  T* operand_;
  const T* b_;
  T* x_;
};

}  // namespace phpc::batch
