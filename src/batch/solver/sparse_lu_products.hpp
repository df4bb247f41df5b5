#pragma once
#include "batch/solver/sparse_lu_table.hpp"

/// Which of a block's products a thread of a team takes, see SparseLuFactors.
namespace phpc::batch {

/// How threads share the elements below and right of a block, and the unknowns as their last column: neighbouring threads take
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
  int groups;  ///< of as many threads: rows i, i + groups, ...
  int group;
  int column;  ///< the first; none for threads beyond the last whole group
};

/// The places of `Count` elements of a column that products are subtracted from, and of what is below the block in their rows.
/// Rows follow one another by share.groups; where there is no other, the first stands again.
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
