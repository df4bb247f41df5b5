#pragma once
#include "batch/solver/sparse_lu_table.hpp"

/// How the threads of a team share the products of a block (see SparseLuFactors).
namespace phpc::batch {

/// A thread's share of the elements below and right of a block, with the unknowns as one more column: neighbouring threads take
/// neighbouring columns, and each of them several rows.
struct ProductShare {
  [[gnu::always_inline]] ProductShare(const PivotBlock& block, int rank, int threads) {
    const int wanted = block.right >= 32 ? 64 : block.right >= 16 ? 32 : 16;
    lanes = threads < wanted ? threads : wanted;
    groups = threads / lanes;
    group = rank / lanes;
    column = group < groups ? rank % lanes : block.right + 1;
  }

  int lanes;   ///< threads that take a row together: columns j, j + lanes, ...
  int groups;  ///< groups of so many threads, which take rows i, i + groups, ...
  int group;
  int column;  ///< the first; beyond the last column for threads that belong to no whole group
};

/// The places of `Count` elements of a column that products are subtracted from, and of the elements of L in their rows. Rows are
/// share.groups apart; beyond the last row below the block, the first is repeated.
template <int Count>
struct ProductTargets {
  [[gnu::always_inline]] ProductTargets(const SparseLuTable& table, const PivotBlock& block, const ProductShare& share,
                                        int column, int first_row) {
    if (column <= block.right && first_row < block.below) {
#pragma unroll
      for (int m = 0; m < Count; ++m) {
        const int row = first_row + m * share.groups < block.below ? first_row + m * share.groups : first_row;
        lower[m] = table.lower_rows[block.lower + row].place;
        target[m] = table.targets[block.targets + row * (block.right + 1) + column];
      }
    }
  }

  std::int32_t target[Count] = {};
  std::int32_t lower[Count] = {};
};

}  // namespace phpc::batch
