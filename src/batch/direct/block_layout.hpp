#pragma once
#include <cstddef>

#include "batch/registers/register_job.hpp"

namespace phpc::batch {

/// How a team lays out one system in scratch for BlockLu, in values: what its context needs (reductions, r and d), then
/// candidates for pivots, lists, the inverse pivots, the order of rows, and the matrix or, where that is in global memory, L and
/// U of a panel.
struct BlockLayout {
  RegisterShape shape;
  std::size_t value_bytes;

  /// Values behind the matrix, and behind U of a panel, that are read although they are not used.
  static constexpr index_t read_beyond = 64;

  [[nodiscard, gnu::always_inline]] static constexpr int sub_groups(const RegisterShape& shape) { return shape.threads / 32; }
  /// Values of a candidate: a row's elements in the panel, the inverse of the pivot, and the row's place.
  [[nodiscard, gnu::always_inline]] static constexpr int candidate_values(const RegisterShape& shape) { return shape.slots + 2; }
  [[nodiscard, gnu::always_inline]] constexpr bool is_global() const { return shape.storage == RowStorage::blocks_in_global; }

  /// Values from a row of the matrix to the next; in scratch an odd number, so that neighbours in a column lie in different
  /// banks.
  [[nodiscard, gnu::always_inline]] constexpr index_t pitch(index_t rows) const {
    return is_global() ? (rows + 7) / 8 * 8 : rows | 1;
  }
  [[nodiscard, gnu::always_inline]] constexpr index_t vector_pitch(index_t rows) const { return (rows + 3) / 4 * 4; }
  /// Values for reductions; enough on the host, too.
  [[nodiscard, gnu::always_inline]] constexpr index_t reductions() const { return shape.threads; }
  /// Values for candidates: two sets by turns, one candidate a sub-group.
  [[nodiscard, gnu::always_inline]] constexpr index_t candidates() const {
    return 2 * sub_groups(shape) * candidate_values(shape);
  }
  /// Values for lists of 32-bit words: where rows came from and went, and two sets of keys by turns.
  [[nodiscard, gnu::always_inline]] constexpr index_t lists() const {
    return (2 * shape.slots + 2 * sub_groups(shape)) * 4 / static_cast<index_t>(value_bytes);
  }
  [[nodiscard, gnu::always_inline]] constexpr std::size_t scratch_bytes(index_t rows) const {
    const index_t own = reductions() + 2 * vector_pitch(rows) + candidates() + lists() + 2 * rows;
    const index_t matrix = is_global() ? 2 * rows * shape.slots : rows * pitch(rows);
    return (static_cast<std::size_t>(own + matrix + read_beyond) * value_bytes + 15) / 16 * 16;
  }
  /// Teams for which a multiprocessor of NVIDIA's has registers.
  [[nodiscard]] constexpr int teams() const {
    constexpr int registers_of_all = 65536;
    constexpr int most = 255;
    return registers_of_all / (shape.threads * (shape.registers > 0 ? shape.registers : most));
  }
  /// Bytes of scratch for as many teams, with what the hardware keeps of each but the first for itself.
  [[nodiscard]] constexpr std::size_t scratch_of_all_teams(index_t rows) const {
    constexpr std::size_t kept = 1024;
    return static_cast<std::size_t>(teams()) * (scratch_bytes(rows) + kept) - kept;
  }
  /// Bytes of global memory that a team needs.
  [[nodiscard, gnu::always_inline]] constexpr std::size_t workspace_bytes(index_t rows) const {
    return is_global() ? static_cast<std::size_t>(rows * pitch(rows) + read_beyond) * value_bytes : 0;
  }
};

}  // namespace phpc::batch
