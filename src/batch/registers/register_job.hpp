#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "batch/system/solve_job.hpp"

namespace phpc::batch {

/// How systems are laid out in the registers of a GPU: `threads` threads a system, the rows of thread t being t, t + threads, ...
/// or, in chunks, the rows_of_a_thread rows from t * rows_of_a_thread on.
enum class RowStorage : int {
  dense,            ///< a slot for every column
  packed,           ///< a slot for every entry of a row
  chunks,           ///< three neighbouring entries, in scratch
  blocks,           ///< a slot for every column of a panel, the matrix in scratch
  blocks_in_global  ///< the same, with the matrix in global memory
};

struct RegisterShape {
  RowStorage storage;
  int slots;             ///< values that a thread holds of each of its rows
  int threads;           ///< of a system: 4, 8, 16, ..., 256
  int rows_of_a_thread;  ///< at most
  int registers = 0;     ///< most that a thread may have (a source of its own is compiled so); 0 = what the compiler likes

  [[nodiscard]] constexpr int rows() const { return threads * rows_of_a_thread; }
  friend constexpr bool operator==(const RegisterShape&, const RegisterShape&) = default;
};

/// One slot of a row: its column, and its entry within a system's values plus one; 0 where the slot is empty.
struct SlotSource {
  std::uint16_t column;
  std::uint16_t entry_plus_one;
};

/// Everything that a register kernel reads and writes: pointers to memory of its device.
template <class T>
struct RegisterJob {
  index_t systems;
  index_t value_sets;
  index_t first_set;
  std::int32_t rows;
  std::int32_t entries;
  const SlotSource* sources;  ///< (slots, shape.rows()); of blocks (entries); of chunks none
  const T* values;            ///< (value_sets, entries)
  const T* rhs;               ///< (systems, rows)
  T* x;                       ///< (systems, rows)
  Report* reports;            ///< (systems)
  StopRule stop;
  std::int32_t repeat = 1;  ///< systems in a row that share values, as CsrView has it
  std::int32_t first_repeat = 0;
  const double* tolerances = nullptr;  ///< (systems), or null: the rule's
  /// For blocks: the pattern, and memory for the matrices of as many teams.
  const std::int32_t* row_offsets = nullptr;
  const std::int32_t* columns = nullptr;
  std::byte* workspace = nullptr;
  index_t teams = 0;

  [[nodiscard, gnu::always_inline]] index_t set_of(index_t system) const {
    return (first_set + (repeat == 1 ? system : (first_repeat + system) / repeat)) % value_sets;
  }
  [[nodiscard, gnu::always_inline]] T tolerance_of(index_t number) const {
    return static_cast<T>(tolerances != nullptr ? tolerances[number] : stop.tolerance);
  }
};

/// The sources of every slot for a pattern that fits the shape; of blocks, the column of every entry, and its row where others
/// have the entry; of chunks none.
std::vector<SlotSource> slot_sources(const CsrPattern& pattern, const RegisterShape& shape);

}  // namespace phpc::batch
