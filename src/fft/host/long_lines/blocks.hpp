#pragma once
#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "fft/host/memory/crew.hpp"
#include "fft/host/packs/pack.hpp"

namespace phpc::fft {

/// A transform of n elements as transforms of n1 and n2 elements, n = n1 * n2, element j = j1 * n2 + j2 and frequency k = k1 + n1
/// * k2: n2 transforms of length n1 (columns), twiddles exp(-2 pi i j2 k1 / n), n1 transforms of length n2 (rows); D. H. Bailey,
/// "FFTs in external or hierarchical memory", 1990. Neighbours in j2, and then in k1, fill the lanes of a pack.
struct FourStepSplit {
  index_t n1;
  index_t n2;
  double cost = 0;  ///< a model's time for a pack of elements, in nanoseconds: see host_stages_cost()
};

/// Whether columns are one butterfly each of a power of two whose results go into the matrix straight from registers
/// (columns.hpp).
template <class Real>
bool has_short_columns(const FourStepSplit& split);

/// The split of n into two smooth lengths of at least a pack's lanes each, n1 <= n2, that takes the least time by a model;
/// nullopt when there is none.
template <class Real>
std::optional<FourStepSplit> four_step_split(index_t n);

/// The division of `count` neighbours into packs: block b has those from first(b) on. The last block overlaps the one before it
/// rather than end in half a pack; both compute the same of what they share.
template <class Real>
class LaneBlocks {
 public:
  /// count >= lanes
  explicit LaneBlocks(index_t count) : count_(count) {}
  [[nodiscard]] index_t count() const { return ceil_div(count_, lanes<Real>); }
  [[nodiscard]] index_t first(index_t block) const { return std::min(block * lanes<Real>, count_ - lanes<Real>); }
  /// A thread's blocks [first, second); two that overlap go to the same one.
  [[nodiscard]] std::pair<index_t, index_t> share(const Crew& crew) const {
    const index_t overlapping = count_ % lanes<Real> == 0 ? 0 : 1;
    auto [begin, end] = crew.share(count() - overlapping);
    return {begin, end == count() - overlapping ? count() : end};
  }

 private:
  index_t count_;
};

/// The layout of the matrix between both passes of a four-step transform: block r holds, for every column, a pack of rows
/// first(r) ... first(r) + lanes - 1.
template <class Real>
class BlockedMatrix {
 public:
  BlockedMatrix(index_t rows, index_t columns) : blocks_(rows), columns_(columns) {}
  [[nodiscard]] const LaneBlocks<Real>& blocks() const { return blocks_; }
  /// Values from one block to the next: not a power of two, lest the same set of a cache serves all of them.
  [[nodiscard]] index_t block_stride() const { return columns_ + 2; }
  [[nodiscard]] index_t size() const { return blocks_.count() * block_stride(); }

 private:
  LaneBlocks<Real> blocks_;
  index_t columns_;
};

/// Twiddles scale * exp(-2 pi i row * column / n) for packs of columns.
template <class Real>
class BlockTwiddles {
 public:
  BlockTwiddles(index_t rows, index_t columns, double scale);
  [[nodiscard]] std::size_t table_bytes() const;

  /// All of them, block by block and in each by row, where there is such a table; else nullptr.
  [[nodiscard]] const PackValue<Real>* table() const { return coarse_.empty() ? fine_.data() : nullptr; }
  /// Multiplies values, `rows` of them in packs of the columns of `block`, and puts them, transposed, into `matrix`. That of a
  /// row is at values[place[row]].
  void apply_twiddles_and_transpose(const PackValue<Real>* values, const std::int32_t* place, index_t block,
                                    PackValue<Real>* matrix) const;

 private:
  template <class Roots>
  void add_fine(index_t blocks, double scale, const Roots& root);

  index_t rows_;
  LaneBlocks<Real> column_blocks_;
  BlockedMatrix<Real> layout_;
  /// All twiddles, block by block, while they are few; else those of the first block, ...
  std::vector<PackValue<Real>> fine_;
  /// ... and for each row of each block the factor from those to the block's: w^(row (first + lane)) = w^(row first) w^(row
  /// lane).
  std::vector<Complex<Real>> coarse_;
};

}  // namespace phpc::fft
