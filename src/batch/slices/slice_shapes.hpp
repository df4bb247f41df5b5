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
};

/// A slice kernel: rows of a thread, entries of each row in registers beside the diagonal's, whether rows may have tails in
/// memory, and registers that a thread may have.
template <int Rows, int Slots, bool Tails, int Registers, SliceUse Use>
struct SliceRow {
  static constexpr int rows = Rows;
  static constexpr int slots = Slots;
  static constexpr bool tails = Tails;
  static constexpr int registers = Registers;
  static constexpr SliceUse use = Use;
  static constexpr int most_threads = registers == capped_slice_registers ? 512 : 256;
};

/// Calls action(SliceRow) for all slice kernels. With more rows a thread, what all threads repeat for a product is done less
/// often, but a thread's rows follow one another; entries in registers cost no loads, and beside the vectors there is room for
/// about 12. One row a thread, with 14 entries, was a third slower for random rows of 3 to 30 entries, and as fast for 144 rows
/// of 37. The loops over tails take registers from all that stands around them: kernels without these loops come first, and are
/// taken where no row has a tail. There, four entries a row fit beside four rows: bands of 5 entries in 512 to 2048 rows take
/// 0.49 to 0.6 times as long as before by CG, 0.58 to 0.66 by BiCGSTAB (H100).
template <class Action>
void for_each_slice_row(Action action) {
  action(SliceRow<2, 6, false, capped_slice_registers, SliceUse::any>{});
  action(SliceRow<4, 2, false, capped_slice_registers, SliceUse::any>{});
  action(SliceRow<8, 2, false, all_registers, SliceUse::doubles>{});
  action(SliceRow<4, 4, false, capped_slice_registers, SliceUse::doubles>{});
  action(SliceRow<2, 6, true, capped_slice_registers, SliceUse::any>{});
  action(SliceRow<4, 4, true, capped_slice_registers, SliceUse::doubles>{});
  action(SliceRow<4, 2, true, capped_slice_registers, SliceUse::any>{});
}

}  // namespace phpc::batch
