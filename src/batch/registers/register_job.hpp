#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "batch/system/solve_job.hpp"

namespace phpc::batch {

/// What a thread holds of each of its rows of the matrix, and where.
enum class RowStorage : int {
  dense,            ///< a slot for every column, in registers
  packed,           ///< a slot for every entry of the row, in registers
  chunks,           ///< the three entries of a tridiagonal row, in scratch
  blocks,           ///< a slot for every column of a panel, in registers; the matrix is in scratch
  blocks_in_global  ///< the same of a part of the columns at a time; the factors of all parts go to global memory
};

/// How systems are laid out in the registers of a GPU: `threads` threads a system, thread t with rows t, t + threads, ... or, in
/// chunks, with the rows_of_a_thread rows from t * rows_of_a_thread on.
struct RegisterShape {
  RowStorage storage;
  int slots;             ///< values that a thread holds of each of its rows
  int threads;           ///< of a system: 4, 8, 16, ..., 256
  int rows_of_a_thread;  ///< at most
  int registers = 0;     ///< most that a thread may have, the cap of a source of its own; 0 = as many as the compiler takes

  [[nodiscard]] constexpr int rows() const { return threads * rows_of_a_thread; }
  friend constexpr bool operator==(const RegisterShape&, const RegisterShape&) = default;
};

/// What one slot of a row holds: an entry's column, and the entry's number in a set of values plus one; 0 where the slot is
/// empty.
struct SlotSource {
  std::uint16_t column;
  std::uint16_t entry_plus_one;
};

/// Everything that a register kernel reads and writes. Pointers are to memory of its device.
template <class T>
struct RegisterJob : SystemsJob<T> {
  const SlotSource* sources = nullptr;  ///< of slot_sources(): (slots, shape.rows()); (entries) for blocks; none for chunks
  int columns = 0;                      ///< for blocks: columns that are in scratch at a time (BlockLayout)
  std::byte* workspace = nullptr;       ///< for blocks: memory for the factors of `teams` teams
  index_t teams = 0;
};

/// The sources of every slot for a pattern that fits the shape. For blocks, those of every entry: its column and, in place of the
/// entry's number, its row plus one. For chunks none.
std::vector<SlotSource> slot_sources(const CsrPattern& pattern, const RegisterShape& shape);

}  // namespace phpc::batch
