#pragma once
#include "batch/math/value.hpp"
#include "batch/system/solve_job.hpp"

/// Systems scaled by powers of two within a solve: A' = S_r A S_c, b' = S_r b, x = S_c y.
namespace phpc::batch {

/// The power of two in (size / 2, size], kept so far from the ends of the range that neither it, its inverse nor a product of two
/// of them leaves it; 1 for what is no positive finite number.
template <class Value>
[[nodiscard, gnu::always_inline]] inline Value safe_power_of_two(Value size) {
  using Scalar = ScalarOf<Value>;
  constexpr Scalar largest = sizeof(Scalar) == 8 ? static_cast<Scalar>(0x1p400) : static_cast<Scalar>(0x1p60);
  constexpr Scalar smallest = Scalar{1} / largest;
  Value power = power_of_two(size);
  power = select<MaskOf<Value>, Value>(power > largest, broadcast<Value>(largest), power);
  power = select<MaskOf<Value>, Value>(power < smallest, broadcast<Value>(smallest), power);
  return select<MaskOf<Value>, Value>(both(size > Value{}, finite(size)), power, broadcast<Value>(1));
}

/// What scales one system (one a lane), in memory of its team.
template <class Value>
struct ScaledSystem {
  using Real = RealOf<Value>;
  Value* values;         ///< of the space's matrix: A in, A' out
  Real* row_factors;     ///< S_r out; for ScalingRule::Kind::given, what it is to be made of in
  Real* column_factors;  ///< the same of S_c

  /// Makes the factors as the rule says. All threads of the team call it; it ends on a barrier.
  template <class Space>
  [[gnu::always_inline]] void choose_factors(const Space& space, const ScalingRule& rule) const {
    using Kind = ScalingRule::Kind;
    const auto& matrix = space.matrix();
    space.barrier();
    if (rule.kind == Kind::given) {
      for (const int i : space.own()) {
        row_factors[i] = safe_power_of_two(row_factors[i]);
        column_factors[i] = safe_power_of_two(column_factors[i]);
      }
    } else if (rule.kind == Kind::symmetric) {
      for (const int i : space.own()) {
        row_factors[i] = ScalarOf<Value>{1} / safe_power_of_two(square_root(magnitude(space.diagonal(i))));
        column_factors[i] = row_factors[i];
      }
    } else {
      balance(space, rule);
      for (const int i : space.own()) {
        row_factors[i] = ScalarOf<Value>{1} / safe_power_of_two(row_maximum(matrix, i, -1));
      }
      space.barrier();
      for (const int j : space.own()) {
        Real largest{};
        for (std::int32_t place = rule.column_offsets[j]; place < rule.column_offsets[j + 1]; ++place) {
          largest = larger(largest, magnitude(values[rule.column_entries[place]]) * row_factors[rule.entry_rows[place]]);
        }
        column_factors[j] = ScalarOf<Value>{1} / safe_power_of_two(largest);
      }
    }
    space.barrier();
  }

  /// A to A', and from here on the space is of the scaled system. All threads of the team call it; it ends on a barrier.
  template <class Space>
  [[gnu::always_inline]] void apply(Space& space) const {
    const auto& matrix = space.matrix();
    for (const int i : space.own()) {
      for (std::int32_t entry = matrix.row_offsets[i]; entry < matrix.row_offsets[i + 1]; ++entry) {
        values[entry] = values[entry] * row_factors[i] * column_factors[matrix.columns[entry]];
      }
    }
    space.scale_by(row_factors, column_factors);
    space.barrier();
  }

 private:
  /// Column factors whose inverses as row factors make the largest elements beside the diagonal in row i and in column i alike
  /// (Osborne 1960; Parlett and Reinsch 1969), all rows at once: matrices S^-1 B S come back to about B, where rows alone would
  /// be led astray by the largest ratios of S. Row factors are used up.
  template <class Space>
  [[gnu::always_inline]] void balance(const Space& space, const ScalingRule& rule) const {
    const auto& matrix = space.matrix();
    for (const int i : space.own()) {
      column_factors[i] = broadcast<Real>(1);
    }
    constexpr int sweeps = 4;
    for (int sweep = 0; sweep < sweeps; ++sweep) {
      space.barrier();
      for (const int i : space.own()) {
        const Real row = row_maximum(matrix, i, i);
        Real column{};
        for (std::int32_t place = rule.column_offsets[i]; place < rule.column_offsets[i + 1]; ++place) {
          const std::int32_t j = rule.entry_rows[place];
          if (j != i) {
            column = larger(column, magnitude(values[rule.column_entries[place]]) / column_factors[j]);
          }
        }
        // Later sweeps go half the way: two rows that meet each other alone would otherwise change places for ever.
        const Real whole = square_root(row / column);
        const Real wanted = sweep == 0 ? whole : square_root(whole * column_factors[i]);
        row_factors[i] =
            select<MaskOf<Value>, Real>(both(wanted > Real{}, finite(wanted)), safe_power_of_two(wanted), column_factors[i]);
      }
      space.barrier();
      for (const int i : space.own()) {
        column_factors[i] = row_factors[i];
      }
    }
    space.barrier();
  }

  /// Largest element of row i with the column factors so far, but for column `without`.
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

/// Bytes that scaling takes of a system's team, a multiple of 16: the factors, and A' where the matrix is not in scratch.
template <class T>
[[nodiscard, gnu::always_inline]] constexpr std::size_t scaling_bytes(index_t rows, index_t entries, Memory matrix) {
  const std::size_t values = static_cast<std::size_t>(matrix == Memory::global ? entries : 0) * sizeof(T);
  return (values + static_cast<std::size_t>(2 * rows) * sizeof(RealOf<T>) + 15) / 16 * 16;
}

/// Scales the space's system in memory of its team: `at` has scaling_bytes(). `values` are the matrix's where they lie in
/// scratch, or null.
template <class Space>
[[gnu::always_inline]] inline void scale_in_team(Space& space, const ScalingRule& rule, index_t set, std::byte* at,
                                                 typename Space::Value* values) {
  using Value = typename Space::Value;
  const auto& matrix = space.matrix();
  const index_t n = matrix.rows;
  using Real = RealOf<Value>;
  ScaledSystem<Value> system{values, nullptr, nullptr};
  std::byte* factors = at;
  if (values == nullptr) {
    system.values = reinterpret_cast<Value*>(at);
    factors += static_cast<std::size_t>(matrix.entries) * sizeof(Value);
    for (std::int32_t entry = space.team().rank(); entry < matrix.entries; entry += space.team().size()) {
      system.values[entry] = matrix.values[entry];
    }
    space.barrier();
    space.set_values(system.values);
  }
  system.row_factors = reinterpret_cast<Real*>(factors);
  system.column_factors = system.row_factors + n;
  if (rule.kind == ScalingRule::Kind::given) {
    const index_t first = set % rule.factor_sets * n;
    for (const int i : space.own()) {
      system.row_factors[i] = static_cast<Real>(rule.row_factors[first + i]);
      system.column_factors[i] = static_cast<Real>(rule.column_factors[first + i]);
    }
  }
  system.choose_factors(space, rule);
  system.apply(space);
}

/// Scales the systems in the lanes of a space on the host; lane l's values are of set set_of[l].
template <class Space>
inline void scale_lanes(Space& space, const ScalingRule& rule, const index_t (&set_of)[lanes<typename Space::Value>],
                        const ScaledSystem<typename Space::Value>& system) {
  using Scalar = ScalarOf<typename Space::Value>;
  if (rule.kind == ScalingRule::Kind::given) {
    for (const int i : space.own()) {
      for (int lane = 0; lane < lanes<typename Space::Value>; ++lane) {
        const index_t from = set_of[lane] % rule.factor_sets * space.matrix().rows + i;
        system.row_factors[i][lane] = static_cast<Scalar>(rule.row_factors[from]);
        system.column_factors[i][lane] = static_cast<Scalar>(rule.column_factors[from]);
      }
    }
  }
  system.choose_factors(space, rule);
  system.apply(space);
}

}  // namespace phpc::batch
