#include "batch/solver/sparse_lu_table.hpp"

#include <algorithm>
#include <iterator>
#include <ranges>
#include <set>
#include <span>
#include <utility>

#include "phpc/core/error.hpp"

namespace phpc::batch {

namespace {

/// Most products that an elimination may take, each an integer of its table: 256 MiB.
constexpr index_t most_products = index_t{1} << 26;

using Numbers = std::vector<std::int32_t>;

std::size_t at(std::int32_t index) {
  return static_cast<std::size_t>(index);
}

index_t size_of(const Numbers& numbers) {
  return static_cast<index_t>(numbers.size());
}

bool holds(const Numbers& sorted, std::int32_t number) {
  return std::binary_search(sorted.begin(), sorted.end(), number);
}

/// The union of two ascending lists, ascending, without the numbers of a third list, which is in any order.
Numbers united(const Numbers& a, const Numbers& b, const Numbers& without) {
  Numbers all;
  all.reserve(a.size() + b.size());
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(all));
  all.erase(
      std::remove_if(all.begin(), all.end(),
                     [&](std::int32_t number) { return std::find(without.begin(), without.end(), number) != without.end(); }),
      all.end());
  return all;
}

/// Finds a transversal, a column for each row in which the row's pivot is: the row's own where the pattern has its diagonal
/// element, else one found by augmenting paths. Rows for which there is none get any column that is left; their pivots are zero
/// unless elimination fills them in.
class Transversal {
 public:
  explicit Transversal(const CsrPattern& pattern)
      : pattern_(pattern),
        rows_(static_cast<std::int32_t>(pattern.rows())),
        row_of_column_(at(rows_), -1),
        visited_(at(rows_), -1) {}

  [[nodiscard]] Numbers columns() {
    Numbers unmatched;
    for (std::int32_t row = 0; row < rows_; ++row) {
      const std::span<const std::int32_t> columns = columns_of(row);
      if (std::binary_search(columns.begin(), columns.end(), row)) {
        row_of_column_[at(row)] = row;
      } else {
        unmatched.push_back(row);
      }
    }
    Numbers left_over;
    for (const std::int32_t row : unmatched) {
      if (!augment(row)) {
        left_over.push_back(row);
      }
    }
    for (std::int32_t& row : row_of_column_) {
      if (row < 0) {
        row = left_over.back();
        left_over.pop_back();
      }
    }
    Numbers column_of_row(at(rows_));
    for (std::int32_t column = 0; column < rows_; ++column) {
      column_of_row[at(row_of_column_[at(column)])] = column;
    }
    return column_of_row;
  }

 private:
  [[nodiscard]] std::span<const std::int32_t> columns_of(std::int32_t row) const {
    const auto begin = at(pattern_.row_offsets[at(row)]);
    return std::span(pattern_.columns).subspan(begin, at(pattern_.row_offsets[at(row) + 1]) - begin);
  }

  /// Finds a path from the row to a free column, depth first without recursion, and takes it.
  bool augment(std::int32_t start) {
    std::vector<std::pair<std::int32_t, std::size_t>> path{{start, 0}};  // rows, and how many of their columns are tried
    while (!path.empty()) {
      auto& [row, tried] = path.back();
      const std::span<const std::int32_t> columns = columns_of(row);
      if (tried == columns.size()) {
        path.pop_back();
        continue;
      }
      const std::int32_t column = columns[tried++];
      if (visited_[at(column)] == start) {
        continue;
      }
      visited_[at(column)] = start;
      if (row_of_column_[at(column)] >= 0) {
        path.emplace_back(row_of_column_[at(column)], 0);
        continue;
      }
      for (const auto& [taker, number] : path) {
        row_of_column_[at(columns_of(taker)[number - 1])] = taker;
      }
      return true;
    }
    return false;
  }

  const CsrPattern& pattern_;
  std::int32_t rows_;
  Numbers row_of_column_;
  Numbers visited_;  ///< of each column, the row whose search for a path reached it last
};

/// A block of pivots that are eliminated together.
struct Block {
  Numbers nodes;  ///< whose pivots they are
  Numbers right;  ///< nodes left whose columns the block's rows have elements in
  Numbers below;  ///< nodes left whose rows the block's columns have elements in

  [[nodiscard]] index_t products() const { return size_of(nodes) * size_of(right) * size_of(below); }
};

/// Symbolic elimination: the order of pivots, their blocks and the fill. Nodes are rows of A, each with its pivot's column.
class Elimination {
 public:
  Elimination(const CsrPattern& pattern, const Numbers& column_of_row)
      : right_(at(static_cast<std::int32_t>(pattern.rows()))), below_(right_.size()) {
    const auto nodes = static_cast<std::int32_t>(pattern.rows());
    Numbers node_of_column(at(nodes));
    for (std::int32_t node = 0; node < nodes; ++node) {
      node_of_column[at(column_of_row[at(node)])] = node;
    }
    for (std::int32_t node = 0; node < nodes; ++node) {
      for (auto entry = at(pattern.row_offsets[at(node)]); entry < at(pattern.row_offsets[at(node) + 1]); ++entry) {
        const std::int32_t other = node_of_column[at(pattern.columns[entry])];
        if (other != node) {
          right_[at(node)].push_back(other);
          below_[at(other)].push_back(node);
        }
      }
    }
    for (std::int32_t node = 0; node < nodes; ++node) {
      std::sort(right_[at(node)].begin(), right_[at(node)].end());  // by node, where the pattern has them by column
      queue_.emplace(cost(node), node);
    }
    while (!queue_.empty()) {
      eliminate(next_block());
    }
  }

  [[nodiscard]] const std::vector<Block>& blocks() const { return blocks_; }

 private:
  /// Products that a block may take beyond those of its parts one after the other: a fifth of them, and 200, which is about what
  /// a step costs by itself.
  static constexpr index_t allowed_part = 5;
  static constexpr index_t allowed_products = 200;
  /// Nodes next in the queue that are tried for a block, beside those that it has elements in common with.
  static constexpr int tried_others = 32;

  [[nodiscard]] index_t cost(std::int32_t node) const { return size_of(right_[at(node)]) * size_of(below_[at(node)]); }

  /// The next pivot in the order of Markowitz, and those that share its block.
  [[nodiscard]] Block next_block() const {
    const std::int32_t start = queue_.begin()->second;
    Block block{{start}, right_[at(start)], below_[at(start)]};
    while (size_of(block.nodes) < most_block_pivots) {
      Numbers candidates = united(block.right, block.below, {});
      auto other = queue_.begin();
      for (int tried = 0; tried < tried_others && other != queue_.end(); ++tried, ++other) {
        candidates.push_back(other->second);
      }
      Block best;
      for (const std::int32_t node : candidates) {
        if (std::find(block.nodes.begin(), block.nodes.end(), node) == block.nodes.end()) {
          Block larger = extended(block, node);
          if (best.nodes.empty() || larger.products() < best.products()) {
            best = std::move(larger);
          }
        }
      }
      if (best.nodes.empty()) {
        break;
      }
      const index_t apart = block.products() + products_after(block, best.nodes.back());
      if (best.products() > apart + apart / allowed_part + allowed_products) {
        break;
      }
      block = std::move(best);
    }
    return block;
  }

  [[nodiscard]] Block extended(const Block& block, std::int32_t node) const {
    Block larger{block.nodes, {}, {}};
    larger.nodes.push_back(node);
    larger.right = united(block.right, right_[at(node)], larger.nodes);
    larger.below = united(block.below, below_[at(node)], larger.nodes);
    return larger;
  }

  /// The products of a node that is eliminated on its own, after the block.
  [[nodiscard]] index_t products_after(const Block& block, std::int32_t node) const {
    Numbers without = block.nodes;
    without.push_back(node);
    return size_of(united(right_[at(node)], holds(block.below, node) ? block.right : Numbers(), without)) *
           size_of(united(below_[at(node)], holds(block.right, node) ? block.below : Numbers(), without));
  }

  void eliminate(Block block) {
    products_ += block.products();
    PHPC_VALIDATE(products_ <= most_products, ErrorKind::usage,
                  "solver 'sparse-lu' would take more than 2^26 products a system here; try lu, or bicgstab with ilu");
    const Numbers changed = united(block.right, block.below, {});
    for (const Numbers* nodes : {&changed, &std::as_const(block.nodes)}) {
      for (const std::int32_t node : *nodes) {
        queue_.erase({cost(node), node});
      }
    }
    Numbers without = block.nodes;
    without.push_back(0);
    for (const std::int32_t row : block.below) {
      without.back() = row;
      right_[at(row)] = united(right_[at(row)], block.right, without);
    }
    for (const std::int32_t column : block.right) {
      without.back() = column;
      below_[at(column)] = united(below_[at(column)], block.below, without);
    }
    for (const std::int32_t node : changed) {
      queue_.emplace(cost(node), node);
    }
    blocks_.push_back(std::move(block));
  }

  std::vector<Numbers> right_;  ///< of each node left, as Block's, ascending
  std::vector<Numbers> below_;
  std::set<std::pair<index_t, std::int32_t>> queue_;  ///< nodes left, by their products
  std::vector<Block> blocks_;
  index_t products_ = 0;
};

/// Where the factors' elements are: row by row in the order of pivots, a row having the columns of the blocks that it is below,
/// of its own block, and right of that.
class Layout {
 public:
  Layout(const std::vector<Block>& blocks, std::int32_t rows) : pivot_of_node(at(rows)), columns_(at(rows)) {
    std::int32_t pivots = 0;
    for (const Block& block : blocks) {
      for (const std::int32_t node : block.nodes) {
        pivot_of_node[at(node)] = pivots++;
      }
    }
    for (const Block& block : blocks) {
      const Numbers nodes = pivots_of(block.nodes);
      const Numbers right = pivots_of(block.right);
      for (const std::int32_t row : block.below) {
        append(pivot_of_node[at(row)], nodes);
      }
      for (const std::int32_t row : nodes) {
        append(row, nodes);
        append(row, right);
      }
    }
    for (std::int32_t row = 0; row < rows; ++row) {
      begins_.push_back(places);
      places += static_cast<std::int32_t>(columns_[at(row)].size());
    }
  }

  [[nodiscard]] Numbers pivots_of(const Numbers& nodes) const {
    Numbers pivots;
    for (const std::int32_t node : nodes) {
      pivots.push_back(pivot_of_node[at(node)]);
    }
    std::sort(pivots.begin(), pivots.end());
    return pivots;
  }

  [[nodiscard]] std::int32_t place(std::int32_t row, std::int32_t column) const {
    const Numbers& columns = columns_[at(row)];
    return begins_[at(row)] +
           static_cast<std::int32_t>(std::lower_bound(columns.begin(), columns.end(), column) - columns.begin());
  }

  std::int32_t places = 0;
  Numbers pivot_of_node;

 private:
  void append(std::int32_t row, const Numbers& columns) {
    columns_[at(row)].insert(columns_[at(row)].end(), columns.begin(), columns.end());
  }

  std::vector<Numbers> columns_;  ///< of each row, ascending
  Numbers begins_;
};

/// The rows and columns of A that the pivots are in, by pivot, and the pivot of each column.
struct PivotOrder {
  Numbers rows;
  Numbers columns;
  Numbers pivot_of_column;

  PivotOrder(const Layout& layout, const Numbers& column_of_row)
      : rows(column_of_row.size()), columns(column_of_row.size()), pivot_of_column(column_of_row.size()) {
    for (std::size_t row = 0; row < column_of_row.size(); ++row) {
      const std::int32_t pivot = layout.pivot_of_node[row];
      rows[at(pivot)] = static_cast<std::int32_t>(row);
      columns[at(pivot)] = column_of_row[row];
      pivot_of_column[at(column_of_row[row])] = pivot;
    }
  }
};

/// The place of each entry of A among the factors' elements.
Numbers places_of_entries(const CsrPattern& pattern, const Layout& layout, const PivotOrder& order) {
  Numbers places;
  for (std::int32_t row = 0; row < static_cast<std::int32_t>(pattern.rows()); ++row) {
    for (auto entry = at(pattern.row_offsets[at(row)]); entry < at(pattern.row_offsets[at(row) + 1]); ++entry) {
      places.push_back(layout.place(layout.pivot_of_node[at(row)], order.pivot_of_column[at(pattern.columns[entry])]));
    }
  }
  return places;
}

/// The blocks of the table, and the lists that they point into (SparseLuTable).
struct BlockLists {
  std::vector<PivotBlock> blocks;
  Numbers lower_rows;  ///< pairs of pivot and place
  Numbers upper_columns;
  Numbers targets;

  BlockLists(const std::vector<Block>& eliminated, const Layout& layout) {
    std::int32_t first = 0;
    for (const Block& block : eliminated) {
      append(block, layout, first);
      first += blocks.back().pivots;
    }
  }

  [[nodiscard]] std::int32_t lower_row_count() const { return static_cast<std::int32_t>(lower_rows.size() / 2); }

 private:
  /// Appends the block whose first pivot is `first`.
  void append(const Block& block, const Layout& layout, std::int32_t first) {
    const Numbers below = layout.pivots_of(block.below);
    const Numbers right = layout.pivots_of(block.right);
    PivotBlock& own = blocks.emplace_back();
    own.first = first;
    own.pivots = static_cast<std::int32_t>(block.nodes.size());
    own.below = static_cast<std::int32_t>(below.size());
    own.right = static_cast<std::int32_t>(right.size());
    own.lower = lower_row_count();
    own.upper = static_cast<std::int32_t>(upper_columns.size());
    own.targets = static_cast<std::int32_t>(targets.size());
    for (std::int32_t k = 0; k < own.pivots; ++k) {
      own.rows[k] = layout.place(first + k, first);
    }
    for (const std::int32_t row : below) {
      lower_rows.insert(lower_rows.end(), {row, layout.place(row, first)});
      for (const std::int32_t column : right) {
        targets.push_back(layout.place(row, column));
      }
      targets.push_back(layout.places + row);
    }
    upper_columns.insert(upper_columns.end(), right.begin(), right.end());
  }
};

/// The blocks by level of the back substitution: a block's level is one more than the highest among those of the columns right of
/// it, 0 where there are none.
std::vector<std::vector<PivotBlock>> levels_of(const BlockLists& lists, std::int32_t rows) {
  std::vector<std::vector<PivotBlock>> levels;
  Numbers level_of_pivot(at(rows), 0);
  for (const PivotBlock& block : std::views::reverse(lists.blocks)) {
    std::int32_t level = 0;
    for (std::int32_t j = 0; j < block.right; ++j) {
      level = std::max(level, level_of_pivot[at(lists.upper_columns[at(block.upper + j)])] + 1);
    }
    std::fill_n(level_of_pivot.begin() + block.first, block.pivots, level);
    levels.resize(std::max(levels.size(), at(level) + 1));
    levels[at(level)].push_back(block);
  }
  return levels;
}

/// Appends arrays of integers, or of structures of them, to a table.
template <class Part>
void append(Numbers& table, const Part& part) {
  const auto* const integers = reinterpret_cast<const std::int32_t*>(part.data());
  table.insert(table.end(), integers, integers + part.size() * sizeof(part[0]) / sizeof(std::int32_t));
}

}  // namespace

std::vector<std::int32_t> sparse_lu_table(const CsrPattern& pattern) {
  const auto rows = static_cast<std::int32_t>(pattern.rows());
  const Numbers column_of_row = Transversal(pattern).columns();
  const Elimination elimination(pattern, column_of_row);
  const Layout layout(elimination.blocks(), rows);
  const PivotOrder order(layout, column_of_row);
  const BlockLists lists(elimination.blocks(), layout);
  const std::vector<std::vector<PivotBlock>> levels = levels_of(lists, rows);
  Numbers level_offsets{0};
  for (const std::vector<PivotBlock>& level : levels) {
    level_offsets.push_back(level_offsets.back() + static_cast<std::int32_t>(level.size()));
  }

  // In the order of SparseLuTable.
  std::vector<std::int32_t> table{layout.places, static_cast<std::int32_t>(lists.blocks.size()), lists.lower_row_count(),
                                  static_cast<std::int32_t>(lists.upper_columns.size()),
                                  static_cast<std::int32_t>(levels.size())};
  append(table, order.rows);
  append(table, order.columns);
  append(table, places_of_entries(pattern, layout, order));
  append(table, lists.blocks);
  append(table, level_offsets);
  for (const std::vector<PivotBlock>& level : levels) {
    append(table, level);
  }
  append(table, lists.lower_rows);
  append(table, lists.upper_columns);
  append(table, lists.targets);
  return table;
}

}  // namespace phpc::batch
