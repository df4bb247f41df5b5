#pragma once
#include "batch/system/memory_context.hpp"

namespace phpc::batch {

/// The context of a system that a team factorises in blocks. Residuals of matrices that have all elements need no indices: a
/// sub-group takes several rows at a time, so that many elements are under way.
template <class T, int TeamSize>
class BlockContext : public MemoryContext<T, TeamSize, false> {
  using Base = MemoryContext<T, TeamSize, false>;

 public:
  using Base::Base;
  using Vector = typename Base::Vector;

  /// As MemoryContext has it.
  [[nodiscard, gnu::always_inline]] T team_residual(const Vector& p, Vector& r, T unit) const {
    const CsrSystem<T>& matrix = this->matrix();
    const int rows = matrix.rows;
    if (matrix.entries != rows * rows) {
      return Base::team_residual(p, r, unit);
    }
    const int rank = this->team().rank();
    const int lane = rank % lanes;
    const T inverse = T{1} / unit;
    T squared{};
    this->barrier();
#pragma clang loop unroll(disable)
    for (int first = rank / lanes * together; first < rows; first += this->team().size() / lanes * together) {
      T sum[together] = {};
      T magnitude[together] = {};
      add_products(matrix.values, rows, first, lane, p, sum, magnitude);
      const int own = sum_over_lanes<together, lanes / 2>(lane, sum) + first;
      sum_over_lanes<together, lanes / 2>(lane, magnitude);
      if (lane % (lanes / together) == 0 && own < rows) {
        r[own] = this->rhs(own) - sum[0];
        squared += magnitude[0] * inverse * (magnitude[0] * inverse);
      }
    }
    this->barrier();
    return squared;
  }

 private:
  static constexpr int lanes = PHPC_GPU_PASS ? 32 : 1;
  static constexpr int together = PHPC_GPU_PASS ? 4 : 1;  ///< rows of a sub-group

  /// Adds a lane's products in the rows from `first` on, and their magnitudes.
  [[gnu::always_inline]] static void add_products(const T* values, int rows, int first, int lane, const T* p, T (&sum)[together],
                                                  T (&magnitude)[together]) {
    constexpr int ahead = 4;
#pragma clang loop unroll(disable)
    for (int begin = lane; begin < rows; begin += ahead * lanes) {
      T value[ahead][together];
      T operand[ahead];
#pragma unroll
      for (int k = 0; k < ahead; ++k) {
        const int column = begin + k * lanes < rows ? begin + k * lanes : rows - 1;
        operand[k] = begin + k * lanes < rows ? p[column] : T{0};
#pragma unroll
        for (int t = 0; t < together; ++t) {
          value[k][t] = values[(first + t < rows ? first + t : rows - 1) * rows + column];
        }
      }
#pragma unroll
      for (int k = 0; k < ahead; ++k) {
#pragma unroll
        for (int t = 0; t < together; ++t) {
          sum[t] += value[k][t] * operand[k];
          magnitude[t] += batch::magnitude(value[k][t]) * batch::magnitude(operand[k]);
        }
      }
    }
  }

  /// Sums each of the first Count values over the lanes whose numbers differ in Mask and the bits below; a lane has the sum of
  /// one in value[0], whose number it returns.
  template <int Count, int Mask>
  [[gnu::always_inline]] int sum_over_lanes(int lane, T (&value)[together]) const {
    if constexpr (Mask == 0) {
      return 0;
    } else if constexpr (Count == 1) {
      value[0] += exec::subgroup_shuffle_xor(this->team(), value[0], Mask);
      return sum_over_lanes<1, Mask / 2>(lane, value);
    } else {
      constexpr int half = Count / 2;
      const bool is_upper = (lane & Mask) != 0;
#pragma unroll
      for (int t = 0; t < half; ++t) {
        const T lower = value[t];
        const T upper = value[t + half];
        value[t] = (is_upper ? upper : lower) + exec::subgroup_shuffle_xor(this->team(), is_upper ? lower : upper, Mask);
      }
      return (is_upper ? half : 0) + sum_over_lanes<half, Mask / 2>(lane, value);
    }
  }
};

}  // namespace phpc::batch
