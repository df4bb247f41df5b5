#pragma once
#include "batch/slices/slice_layout.hpp"

namespace phpc::batch {

/// Registers of most slice kernels, of which a multiprocessor then has 512 threads, and of those for short rows.
inline constexpr int capped_slice_registers = 128;
inline constexpr int all_registers = 255;

/// What a kernel is made for.
enum class SliceUse {
  any,      ///< systems of any type
  doubles,  ///< of double throughout
  last,     ///< the same, where otherwise something of the matrix would remain in memory: it spills registers
};

/// Rows of a thread, entries of each in registers beside the diagonal's, and the most registers that a thread may have.
template <int Rows, int Slots, int Registers, SliceUse Use>
struct SliceRow {
  static constexpr int rows = Rows;
  static constexpr int slots = Slots;
  static constexpr int registers = Registers;
  static constexpr SliceUse use = Use;
  static constexpr int most_threads = registers == capped_slice_registers ? 512 : 256;
};

/// The kernels that there are. Rows of a thread share what all threads repeat for a product, but follow one another; entries in
/// registers are read there for nothing, and beside the vectors there is room for about 12. One row a thread, with 14 entries,
/// was a third slower for random rows of 3 to 30 entries, and as fast for 144 rows of 37.
template <class Action>
void for_each_slice_row(Action action) {
  action(SliceRow<2, 6, capped_slice_registers, SliceUse::any>{});
  action(SliceRow<4, 2, capped_slice_registers, SliceUse::any>{});
  action(SliceRow<8, 2, all_registers, SliceUse::doubles>{});
  action(SliceRow<4, 4, capped_slice_registers, SliceUse::last>{});
}

}  // namespace phpc::batch
