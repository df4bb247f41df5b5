#pragma once
#include <cstdint>
#include <vector>

#include "phpc/batch/matrix.hpp"

namespace phpc::batch {

/// Most pivots that are eliminated together.
inline constexpr int most_block_pivots = 4;

/// The symbolic factorisation that SparseLu works by, made of a pattern on the host once for a plan: the pivots in an order with
/// little fill, and the places of all elements, as SparseLuTable reads them. Throws Error(usage) where the elimination takes more
/// products than a table may list.
///
/// Each row of A has its pivot in a column of its own: in its own column where the pattern has that diagonal element, elsewhere
/// in one that a transversal gives it (Duff, On algorithms for obtaining a maximum transversal, ACM TOMS 7, 1981). Pivots are
/// ordered by Markowitz (The elimination form of the inverse, Management Science 3, 1957): next comes the one with the least
/// product of the numbers of other elements in its row and in its column. Pivots whose rows and columns have nearly the same
/// elements join it in one block, as in supernodes (Ashcraft and Grimes, The influence of relaxed supernode partitions, ACM TOMS
/// 15, 1989): isooctane's 144 pivots come in 50 blocks, and a third as many elements are read and written.
std::vector<std::int32_t> sparse_lu_table(const CsrPattern& pattern);

/// A block of up to most_block_pivots pivots with consecutive numbers, whose rows, and whose columns, have the same elements.
struct PivotBlock {
  std::int32_t first;
  std::int32_t pivots;
  std::int32_t below;    ///< rows below
  std::int32_t right;    ///< columns right
  std::int32_t lower;    ///< where its list of rows below begins in lower_rows
  std::int32_t upper;    ///< where its list of columns right begins in upper_columns
  std::int32_t targets;  ///< where its list of (below x (right + 1)) places begins
  /// Where each pivot's row of the block begins; what is right of the block follows it.
  std::int32_t rows[most_block_pivots];
};

/// A row below a block: its pivot, and the place of its first element below the block's pivots; the others follow.
struct LowerRow {
  std::int32_t pivot;
  std::int32_t place;
};

/// A view of sparse_lu_table().
struct SparseLuTable {
  std::int32_t places;  ///< elements of both factors, blocks on the diagonal once
  std::int32_t blocks;
  const std::int32_t* pivot_rows;     ///< rows of A by pivot
  const std::int32_t* pivot_columns;  ///< columns of A by pivot
  const std::int32_t* entry_places;   ///< of each entry of A
  const PivotBlock* block;
  /// The blocks again, by level: those whose columns right of them belong to blocks of lower levels.
  std::int32_t levels;
  const std::int32_t* level_offsets;  ///< levels + 1
  const PivotBlock* level_block;
  const LowerRow* lower_rows;
  const std::int32_t* upper_columns;  ///< pivots
  /// Of a block: for each row below, for each column right and for the unknowns, the place where both meet; the unknowns have
  /// theirs behind the elements, by pivot.
  const std::int32_t* targets;

  [[gnu::always_inline]] SparseLuTable(const std::int32_t* table, std::int32_t rows, std::int32_t entries)
      : places(table[0]),
        blocks(table[1]),
        pivot_rows(table + header),
        pivot_columns(pivot_rows + rows),
        entry_places(pivot_columns + rows),
        block(reinterpret_cast<const PivotBlock*>(entry_places + entries)),
        levels(table[4]),
        level_offsets(reinterpret_cast<const std::int32_t*>(block + blocks)),
        level_block(reinterpret_cast<const PivotBlock*>(level_offsets + levels + 1)),
        lower_rows(reinterpret_cast<const LowerRow*>(level_block + blocks)),
        upper_columns(reinterpret_cast<const std::int32_t*>(lower_rows + table[2])),
        targets(upper_columns + table[3]) {}

  /// Places, blocks, rows below blocks, columns right of them, levels.
  static constexpr int header = 5;
};

}  // namespace phpc::batch
