#pragma once
#include "batch/solver/cycle.hpp"
#include "phpc/core/types.hpp"

namespace phpc::batch {

enum class Triangle { lower, upper };

/// Substitution in a triangular matrix: one row after the other, whose products the team shares.
template <Triangle Side>
struct TriangularSolve {
  static constexpr int vectors = 0;
  static constexpr bool preconditioned = false;
  static constexpr KernelSizes plain_kernels = KernelSizes::none;
  static index_t workspace_size(index_t /*rows*/, const std::int32_t* /*table*/) { return 0; }
  static bool accepts(std::int32_t row, std::int32_t column) { return Side == Triangle::lower ? column <= row : column >= row; }

  template <class Context, class Preconditioner>
  [[nodiscard, gnu::always_inline]] static CycleResult<typename Context::Value> team_cycle(
      Context& context, Preconditioner& /*preconditioner*/, typename Context::Vector& r, typename Context::Vector& d,
      const CycleTask<typename Context::Value>& task) {
    using Value = typename Context::Value;
    const auto& matrix = context.matrix();
    const int rank = context.team().rank();
    const int size = context.team().size();
    MaskOf<Value> whole = mask_of<Value>(true);
    context.barrier();
    for (int step = 0; step < matrix.rows; ++step) {
      const int i = Side == Triangle::lower ? step : matrix.rows - 1 - step;
      Value known{};
      Value diagonal{};
      for (std::int32_t entry = matrix.row_offsets[i] + rank; entry < matrix.row_offsets[i + 1]; entry += size) {
        const std::int32_t column = matrix.columns[entry];
        if (column == i) {
          diagonal = matrix.values[entry];
        } else {
          known += matrix.values[entry] * d[column];
        }
      }
      context.team_sum(known, diagonal);
      const Value x = (r[i] - known) / diagonal;
      whole = mask_and(whole, finite(x));
      if (i % size == rank) {
        d[i] = x;
      }
      context.barrier();
    }
    return direct_result<Value>(task.active, whole);
  }
};

using LowerTriangularSolve = TriangularSolve<Triangle::lower>;
using UpperTriangularSolve = TriangularSolve<Triangle::upper>;

}  // namespace phpc::batch
