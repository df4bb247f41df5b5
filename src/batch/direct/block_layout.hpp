#pragma once
#include <algorithm>
#include <cstddef>

#include "batch/registers/register_job.hpp"

namespace phpc::batch {

/// How a team lays out one system in scratch for BlockLu, in values: what its context needs (reductions, r and d), then
/// candidates for pivots, lists, the inverse pivots, the order of rows, and the matrix or, where factors go to global memory, a
/// part of its columns and L of a panel.
struct BlockLayout {
  RegisterShape shape;
  std::size_t value_bytes;

  /// Values behind the matrix that are read although they are not used.
  static constexpr index_t read_beyond = 64;
  /// Columns of factors that a substitution copies from global memory to scratch at a time.
  static constexpr index_t stripe = 32;

  [[nodiscard, gnu::always_inline]] static constexpr int sub_groups(const RegisterShape& shape) { return shape.threads / 32; }
  /// Values of a candidate, a multiple of 4: a row's elements in the panel, the inverse of the pivot, and the row's place.
  [[nodiscard, gnu::always_inline]] static constexpr int candidate_values(const RegisterShape& shape) { return shape.slots + 4; }
  [[nodiscard, gnu::always_inline]] constexpr bool is_global() const { return shape.storage == RowStorage::blocks_in_global; }

  /// Values in scratch from a row of so many columns to the next, 4 more than a multiple of 8: rows begin at multiples of 16
  /// bytes, and of what lanes of BlockUpdate load together no two lie in the same bank.
  [[nodiscard, gnu::always_inline]] static constexpr index_t pitch(index_t columns) { return (columns + 3) / 8 * 8 + 4; }
  [[nodiscard, gnu::always_inline]] static constexpr index_t global_pitch(index_t rows) { return (rows + 7) / 8 * 8; }
  [[nodiscard, gnu::always_inline]] static constexpr index_t vector_pitch(index_t rows) { return (rows + 3) / 4 * 4; }
  /// Values for reductions; enough on the host, too.
  [[nodiscard, gnu::always_inline]] constexpr index_t reductions() const { return shape.threads; }
  /// Values for candidates: two sets by turns, one candidate a sub-group.
  [[nodiscard, gnu::always_inline]] constexpr index_t candidates() const {
    return 2 * sub_groups(shape) * candidate_values(shape);
  }
  /// Values for lists of 32-bit words: where rows came from and went, and two sets of keys by turns.
  [[nodiscard, gnu::always_inline]] constexpr index_t lists() const {
    return vector_pitch((2 * shape.slots + 2 * sub_groups(shape)) * 4 / static_cast<index_t>(value_bytes));
  }
  /// Values for the order of rows and its inverse, of 32-bit words.
  [[nodiscard, gnu::always_inline]] constexpr index_t orders(index_t rows) const {
    return 2 * vector_pitch(rows) * 4 / static_cast<index_t>(value_bytes);
  }
  /// Bytes of scratch where that many columns are there at a time.
  [[nodiscard, gnu::always_inline]] constexpr std::size_t scratch_bytes(index_t rows, index_t columns) const {
    const index_t own = reductions() + 3 * vector_pitch(rows) + candidates() + lists() + orders(rows);
    const index_t matrix = rows * (is_global() ? std::max(pitch(columns), pitch(stripe)) + pitch(shape.slots) : pitch(columns));
    return (static_cast<std::size_t>(own + matrix + read_beyond) * value_bytes + 15) / 16 * 16;
  }
  /// Teams for which a multiprocessor of NVIDIA's has registers.
  [[nodiscard]] constexpr int teams() const {
    constexpr int registers_of_all = 65536;
    constexpr int most = 255;
    return registers_of_all / (shape.threads * (shape.registers > 0 ? shape.registers : most));
  }
  /// Columns that are in scratch at a time, where as many teams as have registers share `limit` bytes of it; 0 where it is too
  /// small. All, or parts as equal as whole panels allow.
  [[nodiscard]] constexpr index_t columns(index_t rows, std::size_t limit) const {
    constexpr std::size_t kept = 1024;  // of each team but the first, for the hardware
    const auto fits = [&](index_t columns) {
      return static_cast<std::size_t>(teams()) * (scratch_bytes(rows, columns) + kept) <= limit + kept;
    };
    if (!is_global()) {
      return fits(rows) ? rows : 0;
    }
    const index_t panels = (rows + shape.slots - 1) / shape.slots;
    for (index_t parts = 1; parts <= panels; ++parts) {
      const index_t columns = (panels + parts - 1) / parts * shape.slots;
      if (fits(columns)) {
        return columns;
      }
    }
    return 0;
  }
  /// Bytes of global memory that a team needs.
  [[nodiscard, gnu::always_inline]] constexpr std::size_t workspace_bytes(index_t rows) const {
    return is_global() ? static_cast<std::size_t>(rows * global_pitch(rows)) * value_bytes : 0;
  }
};

}  // namespace phpc::batch
