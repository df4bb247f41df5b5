#pragma once
#include "batch/math/value.hpp"
#include "batch/system/solve_job.hpp"

/// Systems scaled by powers of two within a solve: A' = S_r A S_c, b' = S_r b, x = S_c y.
namespace phpc::batch {

/// The power of two in (size / 2, size], limited such that neither it, its inverse nor a product of two such powers leaves the
/// range of numbers; 1 where size is no positive finite number.
template <class Value>
[[nodiscard, gnu::always_inline]] inline Value safe_power_of_two(Value size) {
  using Scalar = ScalarOf<Value>;
  constexpr Scalar largest = sizeof(Scalar) == 8 ? static_cast<Scalar>(0x1p400) : static_cast<Scalar>(0x1p60);
  constexpr Scalar smallest = Scalar{1} / largest;
  Value power = power_of_two(size);
  power = select<MaskOf<Value>, Value>(power > largest, broadcast<Value>(largest), power);
  power = select<MaskOf<Value>, Value>(power < smallest, broadcast<Value>(smallest), power);
  return select<MaskOf<Value>, Value>(mask_and(size > Value{}, finite(size)), power, broadcast<Value>(1));
}

/// The arrays that one system (one a lane) is scaled with, in memory of its team.
template <class Value>
struct ScaledSystem {
  using Real = RealOf<Value>;
  Value* values;         ///< of the context's matrix: A in, A' out
  Real* row_factors;     ///< S_r out; for ScalingRule::Kind::given, the given factors in
  Real* column_factors;  ///< S_c, likewise

  /// Makes S_r and S_c by the rule. It ends on a barrier.
  template <class Context>
  [[gnu::always_inline]] void team_choose_factors(const Context& context, const ScalingRule& rule) const {
    using Kind = ScalingRule::Kind;
    const auto& matrix = context.matrix();
    context.barrier();
    if (rule.kind == Kind::given) {
      for (const int i : context.my_rows()) {
        row_factors[i] = safe_power_of_two(row_factors[i]);
        column_factors[i] = safe_power_of_two(column_factors[i]);
      }
    } else if (rule.kind == Kind::symmetric) {
      for (const int i : context.my_rows()) {
        row_factors[i] = ScalarOf<Value>{1} / safe_power_of_two(square_root(magnitude(context.diagonal(i))));
        column_factors[i] = row_factors[i];
      }
    } else {
      team_balance(context, rule);
      for (const int i : context.my_rows()) {
        row_factors[i] = ScalarOf<Value>{1} / safe_power_of_two(row_maximum(matrix, i, -1));
      }
      context.barrier();
      for (const int j : context.my_rows()) {
        Real largest{};
        for (std::int32_t place = rule.column_offsets[j]; place < rule.column_offsets[j + 1]; ++place) {
          largest = larger(largest, magnitude(values[rule.column_entries[place]]) * row_factors[rule.entry_rows[place]]);
        }
        column_factors[j] = ScalarOf<Value>{1} / safe_power_of_two(largest);
      }
    }
    context.barrier();
  }

  /// Turns A into A' and the context into one of the scaled system. It ends on a barrier.
  template <class Context>
  [[gnu::always_inline]] void team_apply(Context& context) const {
    const auto& matrix = context.matrix();
    for (const int i : context.my_rows()) {
      for (std::int32_t entry = matrix.row_offsets[i]; entry < matrix.row_offsets[i + 1]; ++entry) {
        values[entry] = values[entry] * row_factors[i] * column_factors[matrix.columns[entry]];
      }
    }
    context.scale_by(row_factors, column_factors);
    context.barrier();
  }

 private:
  /// Balances the matrix (Osborne 1960; Parlett and Reinsch 1969), all rows at once: finds column factors S such that in S^-1 A S
  /// the largest elements of row i and of column i, the diagonal left out, are about equal. A matrix that is S^-1 B S for some
  /// diagonal S comes back to about B, whereas factors of rows alone would follow the largest ratios of S. Overwrites
  /// row_factors.
  template <class Context>
  [[gnu::always_inline]] void team_balance(const Context& context, const ScalingRule& rule) const {
    const auto& matrix = context.matrix();
    for (const int i : context.my_rows()) {
      column_factors[i] = broadcast<Real>(1);
    }
    constexpr int sweeps = 4;
    for (int sweep = 0; sweep < sweeps; ++sweep) {
      context.barrier();
      for (const int i : context.my_rows()) {
        const Real row = row_maximum(matrix, i, i);
        Real column{};
        for (std::int32_t place = rule.column_offsets[i]; place < rule.column_offsets[i + 1]; ++place) {
          const std::int32_t j = rule.entry_rows[place];
          if (j != i) {
            column = larger(column, magnitude(values[rule.column_entries[place]]) / column_factors[j]);
          }
        }
        // Later sweeps go half the way: two rows that have elements in each other's columns alone would otherwise alternate for
        // ever.
        const Real whole = square_root(row / column);
        const Real wanted = sweep == 0 ? whole : square_root(whole * column_factors[i]);
        row_factors[i] =
            select<MaskOf<Value>, Real>(mask_and(wanted > Real{}, finite(wanted)), safe_power_of_two(wanted), column_factors[i]);
      }
      context.barrier();
      for (const int i : context.my_rows()) {
        column_factors[i] = row_factors[i];
      }
    }
    context.barrier();
  }

  /// The largest magnitude in row i, times the column factors so far, column `without` left out.
  template <class Matrix>
  [[nodiscard, gnu::always_inline]] Real row_maximum(const Matrix& matrix, int i, int without) const {
    Real largest{};
    for (std::int32_t entry = matrix.row_offsets[i]; entry < matrix.row_offsets[i + 1]; ++entry) {
      if (const std::int32_t j = matrix.columns[entry]; j != without) {
        largest = larger(largest, magnitude(values[entry]) * column_factors[j]);
      }
    }
    return largest;
  }

  [[nodiscard, gnu::always_inline]] static Real larger(Real a, Real b) { return select<MaskOf<Value>, Real>(a < b, b, a); }
};

/// Bytes of a system's workspace that scaling needs, a multiple of 16: the factors, and A' where the matrix is not in scratch.
template <class T>
[[nodiscard, gnu::always_inline]] constexpr std::size_t scaling_bytes(index_t rows, index_t entries, Memory matrix) {
  const std::size_t values = static_cast<std::size_t>(matrix == Memory::global ? entries : 0) * sizeof(T);
  return (values + static_cast<std::size_t>(2 * rows) * sizeof(RealOf<T>) + 15) / 16 * 16;
}

/// Scales the context's system by the rule, in the scaling_bytes() at `at`. `values` are the matrix's values where they lie in
/// scratch, or null. `set` is the system's set of values.
template <class Context>
[[gnu::always_inline]] inline void team_scale(Context& context, const ScalingRule& rule, index_t set, std::byte* at,
                                              typename Context::Value* values) {
  using Value = typename Context::Value;
  const auto& matrix = context.matrix();
  const index_t n = matrix.rows;
  using Real = RealOf<Value>;
  ScaledSystem<Value> system{values, nullptr, nullptr};
  std::byte* factors = at;
  if (values == nullptr) {
    system.values = reinterpret_cast<Value*>(at);
    factors += static_cast<std::size_t>(matrix.entries) * sizeof(Value);
    for (std::int32_t entry = context.team().rank(); entry < matrix.entries; entry += context.team().size()) {
      system.values[entry] = matrix.values[entry];
    }
    context.barrier();
    context.set_values(system.values);
  }
  system.row_factors = reinterpret_cast<Real*>(factors);
  system.column_factors = system.row_factors + n;
  if (rule.kind == ScalingRule::Kind::given) {
    const index_t first = set % rule.factor_sets * n;
    for (const int i : context.my_rows()) {
      system.row_factors[i] = static_cast<Real>(rule.row_factors[first + i]);
      system.column_factors[i] = static_cast<Real>(rule.column_factors[first + i]);
    }
  }
  system.team_choose_factors(context, rule);
  system.team_apply(context);
}

/// Scales the systems in the lanes of a host context by the rule; the values of lane l are of set set_of[l].
template <class Context>
inline void scale_lanes(Context& context, const ScalingRule& rule, const index_t (&set_of)[lanes<typename Context::Value>],
                        const ScaledSystem<typename Context::Value>& system) {
  using Scalar = ScalarOf<typename Context::Value>;
  if (rule.kind == ScalingRule::Kind::given) {
    for (const int i : context.my_rows()) {
      for (int lane = 0; lane < lanes<typename Context::Value>; ++lane) {
        const index_t from = set_of[lane] % rule.factor_sets * context.matrix().rows + i;
        system.row_factors[i][lane] = static_cast<Scalar>(rule.row_factors[from]);
        system.column_factors[i][lane] = static_cast<Scalar>(rule.column_factors[from]);
      }
    }
  }
  system.team_choose_factors(context, rule);
  system.team_apply(context);
}

}  // namespace phpc::batch
