#pragma once
#include "batch/slices/slice_layout.hpp"

namespace phpc::batch {

/// Registers a thread of most slice kernels, of which 512 threads fit on a multiprocessor, and of those for short rows.
inline constexpr int capped_slice_registers = 128;
inline constexpr int all_registers = 255;

/// What a slice kernel is used for.
enum class SliceUse {
  any,      ///< systems of any type
  doubles,  ///< systems of double without cycles of float
  last,     ///< the same, only where other kernels would leave part of the matrix in memory: it spills registers
};

/// A slice kernel: rows of a thread, entries of each row in registers beside the diagonal's, and registers that a thread may
/// have.
template <int Rows, int Slots, int Registers, SliceUse Use>
struct SliceRow {
  static constexpr int rows = Rows;
  static constexpr int slots = Slots;
  static constexpr int registers = Registers;
  static constexpr SliceUse use = Use;
  static constexpr int most_threads = registers == capped_slice_registers ? 512 : 256;
};

/// Calls action(SliceRow) for all slice kernels. With more rows a thread, what all threads repeat for a product is done less
/// often, but a thread's rows follow one another; entries in registers cost no loads, and beside the vectors there is room for
/// about 12. One row a thread, with 14 entries, was a third slower for random rows of 3 to 30 entries, and as fast for 144 rows
/// of 37.
template <class Action>
void for_each_slice_row(Action action) {
  action(SliceRow<2, 6, capped_slice_registers, SliceUse::any>{});
  action(SliceRow<4, 2, capped_slice_registers, SliceUse::any>{});
  action(SliceRow<8, 2, all_registers, SliceUse::doubles>{});
  action(SliceRow<4, 4, capped_slice_registers, SliceUse::last>{});
}

}  // namespace phpc::batch
