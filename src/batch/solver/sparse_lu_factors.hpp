#pragma once
#include "batch/math/product_sums.hpp"
#include "batch/math/small_inverse.hpp"
#include "batch/math/value.hpp"
#include "batch/solver/sparse_lu_products.hpp"
#include "batch/solver/sparse_lu_table.hpp"
#include "phpc/core/types.hpp"
#include "phpc/exec/subgroup.hpp"

namespace phpc::batch {

/// The factors of SparseLu, the inverses of their diagonal blocks and the unknowns, in a context's work memory. A = L D^-1 U,
/// where D is the block diagonal of up to four pivots a block, which L and U both have on their diagonals: an element is final
/// when its last product is subtracted, and nothing is scaled.
///
/// On a GPU every step waits for memory. So indices are loaded before the elements that they point to, for several elements of a
/// thread at a time or one block ahead; the compiler cannot do so, since it must assume that a store may change an index.
template <class Context>
class SparseLuFactors {
 public:
  using Value = typename Context::Value;
  using Scalar = ScalarOf<Value>;

  [[gnu::always_inline]] explicit SparseLuFactors(const Context& context)
      : rows_(context.matrix().rows),
        table_(context.table(), rows_, context.matrix().entries),
        a_(context.factors_or(context.work())),
        unknowns_(context.has_factors() ? context.work() : a_ + table_.places),
        inverse_(a_ + table_.places + rows_) {}

  /// The unknown of a pivot.
  [[nodiscard, gnu::always_inline]] Value unknown(int pivot) const { return unknowns_[pivot]; }

  [[gnu::always_inline]] void team_copy_matrix(const Context& context) const {
    for (const int place : context.my_share(table_.places)) {
      a_[place] = Value{};
    }
    context.barrier();
    const int size = team_size(context);
    const int entries = context.matrix().entries;
    constexpr int flight = on_gpu ? 12 : 1;
    for (int first = rank(context); first < entries; first += flight * size) {
      std::int32_t place[flight];
      Value value[flight];
#pragma unroll
      for (int m = 0; m < flight; ++m) {
        const int entry = first + m * size < entries ? first + m * size : first;
        place[m] = table_.entry_places[entry];
        value[m] = context.matrix().values[entry];
      }
#pragma unroll
      for (int m = 0; m < flight; ++m) {
        a_[place[m]] = value[m];  // beyond the last entry, the first is stored again
      }
    }
    context.barrier();
  }

  /// Factorises, and solves L z = r on the way; r may be null, for the factors alone.
  [[gnu::always_inline]] void team_factorise(const Context& context, const typename Context::Vector& r) const {
    team_load_unknowns(context, r);
    Targets targets = first_targets(context, table_.block[0]);
    BlocksAhead blocks(table_);
    for (int number = 0; number < table_.blocks; ++number) {
      blocks.advance(table_, number);
      const Targets own = targets;
      targets = first_targets(context, blocks.next);
      for_its_pivots<Eliminate>(context, blocks.now, own);
    }
  }

  /// Solves L z = r with the factors. The unknowns are few: one sub-group does it, which needs no barriers of the team.
  [[gnu::always_inline]] void team_substitute_down(const Context& context, const typename Context::Vector& r) const {
    team_load_unknowns(context, r);
    if (rank(context) < together) {
      const int lane = rank(context);
      LowerRows rows = lower_rows(table_.block[0], lane);
      BlocksAhead blocks(table_);
      for (int number = 0; number < table_.blocks; ++number) {
        blocks.advance(table_, number);
        const LowerRows own = rows;
        rows = lower_rows(blocks.next, lane);
        for_its_pivots<SubtractKnown>(context, blocks.now, own, lane);
        barrier_together();
      }
    }
    context.barrier();
  }

  /// d = U^-1 D z, level by level, a sub-group for each block of a level.
  [[gnu::always_inline]] void team_substitute_up(const Context& context, typename Context::Vector& d) const {
    const int group = rank(context) / together;
    const int groups = team_size(context) < together ? 1 : team_size(context) / together;
    const int lane = rank(context) % together;
    const int last = table_.levels - 1;
    PivotBlock next = block_of(0, group);
    PivotBlock after = block_of(last < 1 ? last : 1, group);
    UpperColumns columns = upper_columns(next, lane);
    for (int level = 0; level <= last; ++level) {
      PivotBlock block = next;
      UpperColumns own = columns;
      next = after;
      columns = upper_columns(next, lane);
      after = block_of(level + 2 < last ? level + 2 : last, group);
      const int end = table_.level_offsets[level + 1];
      for (int number = table_.level_offsets[level] + group; group < groups && number < end;) {
        for_its_pivots<SolveBlock>(context, block, own, lane);
        number += groups;
        if (number < end) {
          block = table_.level_block[number];
          own = upper_columns(block, lane);
        }
      }
      context.barrier();
    }
    for (const int k : context.my_rows()) {
      d[table_.pivot_columns[k]] = unknowns_[k];
    }
    context.barrier();
  }

 private:
  static constexpr int stride = most_block_pivots;
  static constexpr bool on_gpu = Context::Collective::by_subgroup;
  /// Elements that a thread loads at a time.
  static constexpr int at_once = on_gpu ? 4 : 1;
  using Targets = ProductTargets<at_once>;
  /// Threads that substitute in a block, a sub-group or one; and how many of them sum one row of the block.
  static constexpr int together = on_gpu ? exec::subgroup_size : 1;
  static constexpr int parts = together < stride ? 1 : together / stride;

  /// The first rows below a block that a lane takes, and the first columns right of it.
  struct LowerRows {
    static constexpr int count = on_gpu ? 2 : 0;
    LowerRow row[count + 1];
  };
  struct UpperColumns {
    static constexpr int count = on_gpu ? 6 : 0;
    std::int32_t column[count + 1];
  };

  [[nodiscard, gnu::always_inline]] static int rank(const Context& context) {
    return Context::is_one_thread ? 0 : context.team().rank();
  }
  [[nodiscard, gnu::always_inline]] static int team_size(const Context& context) {
    return Context::is_one_thread ? 1 : context.team().size();
  }
  // What is done for a block, compiled for each count of pivots. Closures in the place of these types kept what they captured in
  // memory.
  struct Eliminate {
    template <int Count>
    [[gnu::always_inline]] static void run(const SparseLuFactors& of, const Context& context, const PivotBlock& block,
                                           const Targets& targets) {
      of.team_eliminate<Count>(context, block, targets);
    }
  };
  struct SubtractKnown {
    template <int Count>
    [[gnu::always_inline]] static void run(const SparseLuFactors& of, const Context& /*context*/, const PivotBlock& block,
                                           const LowerRows& rows, int lane) {
      of.subtract_known<Count>(block, rows, lane);
    }
  };
  struct SolveBlock {
    template <int Count>
    [[gnu::always_inline]] static void run(const SparseLuFactors& of, const Context& context, const PivotBlock& block,
                                           const UpperColumns& columns, int lane) {
      of.solve_block<Count>(context, block, columns, lane);
    }
  };
  /// Calls Work::run for the count of the block's pivots.
  template <class Work, class... Arguments>
  [[gnu::always_inline]] void for_its_pivots(const Context& context, const PivotBlock& block,
                                             const Arguments&... arguments) const {
    static_assert(most_block_pivots == 4);
    switch (block.pivots) {
      case 1:
        Work::template run<1>(*this, context, block, arguments...);
        break;
      case 2:
        Work::template run<2>(*this, context, block, arguments...);
        break;
      case 3:
        Work::template run<3>(*this, context, block, arguments...);
        break;
      default:
        Work::template run<4>(*this, context, block, arguments...);
        break;
    }
  }

  [[gnu::always_inline]] static void barrier_together() {
    if constexpr (together > 1) {
      exec::subgroup_barrier();
    }
  }

  /// A block and the next one, which is known early: blocks are loaded two ahead.
  struct BlocksAhead {
    PivotBlock now;
    PivotBlock next;
    PivotBlock after;

    [[gnu::always_inline]] explicit BlocksAhead(const SparseLuTable& table)
        : now{}, next(table.block[0]), after(table.block[table.blocks > 1 ? 1 : 0]) {}
    [[gnu::always_inline]] void advance(const SparseLuTable& table, int number) {
      const int last = table.blocks - 1;
      now = next;
      next = after;
      after = table.block[number + 2 < last ? number + 2 : last];
    }
  };
  /// The first block of a level that a sub-group takes; where it takes none, any.
  [[nodiscard, gnu::always_inline]] PivotBlock block_of(int level, int group) const {
    const int number = table_.level_offsets[level] + group;
    return table_.level_block[number < table_.blocks ? number : 0];
  }

  /// Makes the unknowns the right-hand side, in the order of pivots, or 0 where r is null.
  [[gnu::always_inline]] void team_load_unknowns(const Context& context, const typename Context::Vector& r) const {
    context.barrier();
    for (const int k : context.my_rows()) {
      unknowns_[k] = r != nullptr ? r[table_.pivot_rows[k]] : Value{};
    }
    context.barrier();
  }

  /// Eliminates a block's pivots; `targets` are the first elements that the thread subtracts products from.
  template <int Count>
  [[gnu::always_inline]] void team_eliminate(const Context& context, const PivotBlock& block, const Targets& targets) const {
    for (const int column : context.my_share(Count)) {
      invert_column<Count>(block, column);
    }
    context.barrier();
    if (block.below > 0) {
      team_subtract_products<Count>(context, block, targets);
      context.barrier();
    }
  }

  /// Makes a column of the inverse of a diagonal block.
  template <int Count>
  [[gnu::always_inline]] void invert_column(const PivotBlock& block, int column) const {
    Value d[Count][Count];
    Value x[Count];
#pragma unroll
    for (int i = 0; i < Count; ++i) {
#pragma unroll
      for (int j = 0; j < Count; ++j) {
        d[i][j] = a_[block.rows[i] + j];
      }
      x[i] = broadcast<Value>(i == column ? Scalar{1} : Scalar{0});
    }
    inverse_column(d, x);
#pragma unroll
    for (int k = 0; k < Count; ++k) {
      inverse_[(block.first + k) * stride + column] = x[k];
    }
  }

  /// product = the inverse of the block times x. The first product is rounded by itself, so that the compiler has no choice of
  /// which products to contract with sums: the bytes are the same with and without kept factors.
  template <int Count>
  [[gnu::always_inline]] void times_inverse(const PivotBlock& block, const Value (&x)[Count], Value (&product)[Count]) const {
#pragma unroll
    for (int i = 0; i < Count; ++i) {
      const Value* const row = inverse_ + (block.first + i) * stride;
      product[i] = rounded_product(row[0], x[0]);
#pragma unroll
      for (int j = 1; j < Count; ++j) {
        product[i] += row[j] * x[j];
      }
    }
  }

  /// The first elements of a block that a thread of the team subtracts products from.
  [[nodiscard, gnu::always_inline]] Targets first_targets(const Context& context, const PivotBlock& block) const {
    const ProductShare share(block, rank(context), team_size(context));
    return Targets(table_, block, share, share.column, share.group);
  }

  /// Subtracts L D^-1 U of the block from what is below and right of it and from the unknowns. `targets` are the thread's first.
  template <int Count>
  [[gnu::always_inline]] void team_subtract_products(const Context& context, const PivotBlock& block, Targets targets) const {
    const ProductShare share(block, rank(context), team_size(context));
    for (int j = share.column; j <= block.right; j += share.lanes) {
      Value u[Count];
      Value factor[Count];
#pragma unroll
      for (int k = 0; k < Count; ++k) {
        u[k] = *(j == block.right ? unknowns_ + block.first + k : a_ + block.rows[k] + Count + j);
      }
      times_inverse<Count>(block, u, factor);
      for (int first = share.group; first < block.below; first += at_once * share.groups) {
        const Targets own = targets;
        const bool last = first + at_once * share.groups >= block.below;
        targets = Targets(table_, block, share, last ? j + share.lanes : j, last ? share.group : first + at_once * share.groups);
        Value value[at_once];
#pragma unroll
        for (int m = 0; m < at_once; ++m) {
          value[m] = a_[own.target[m]];
#pragma unroll
          for (int k = 0; k < Count; ++k) {
            value[m] -= a_[own.lower[m] + k] * factor[k];
          }
        }
#pragma unroll
        for (int m = 0; m < at_once; ++m) {
          a_[own.target[m]] = value[m];
        }
      }
    }
  }

  [[nodiscard, gnu::always_inline]] LowerRows lower_rows(const PivotBlock& block, int lane) const {
    LowerRows rows{};
#pragma unroll
    for (int m = 0; m < LowerRows::count; ++m) {
      if (lane + m * together < block.below) {
        rows.row[m] = table_.lower_rows[block.lower + lane + m * together];
      }
    }
    return rows;
  }
  [[nodiscard, gnu::always_inline]] UpperColumns upper_columns(const PivotBlock& block, int lane) const {
    UpperColumns columns{};
#pragma unroll
    for (int m = 0; m < UpperColumns::count; ++m) {
      if (lane % parts + m * parts < block.right) {
        columns.column[m] = table_.upper_columns[block.upper + lane % parts + m * parts];
      }
    }
    return columns;
  }

  /// Subtracts what a block's right-hand sides contribute to the rows below.
  template <int Count>
  [[gnu::always_inline]] void subtract_known(const PivotBlock& block, const LowerRows& rows, int lane) const {
    Value y[Count];
    Value known[Count];
#pragma unroll
    for (int k = 0; k < Count; ++k) {
      y[k] = unknowns_[block.first + k];
    }
    times_inverse<Count>(block, y, known);
#pragma unroll
    for (int m = 0; m < LowerRows::count; ++m) {
      if (lane + m * together < block.below) {
        subtract_from_row<Count>(rows.row[m], known);
      }
    }
    for (int i = lane + LowerRows::count * together; i < block.below; i += together) {
      subtract_from_row<Count>(table_.lower_rows[block.lower + i], known);
    }
  }
  template <int Count>
  [[gnu::always_inline]] void subtract_from_row(const LowerRow& row, const Value (&known)[Count]) const {
    Value value = unknowns_[row.pivot];
#pragma unroll
    for (int k = 0; k < Count; ++k) {
      value -= a_[row.place + k] * known[k];
    }
    unknowns_[row.pivot] = value;
  }

  /// Solves for a block's unknowns, given those right of it.
  template <int Count>
  [[gnu::always_inline]] void solve_block(const Context& context, const PivotBlock& block, const UpperColumns& columns,
                                          int lane) const {
    Value rest[Count];
    if constexpr (parts == 1) {
#pragma unroll
      for (int k = 0; k < Count; ++k) {
        rest[k] = unknowns_[block.first + k] - times_right<Count>(block, columns, k, lane);
      }
    } else {
      const int row = lane / parts;
      Value own = row < Count ? times_right<Count>(block, columns, row, lane) : Value{};
#pragma unroll
      for (int mask = parts / 2; mask > 0; mask /= 2) {
        own += exec::subgroup_shuffle_xor(context.team(), own, mask);
      }
#pragma unroll
      for (int k = 0; k < Count; ++k) {
        rest[k] = unknowns_[block.first + k] - exec::subgroup_shuffle(context.team(), own, k * parts);
      }
      barrier_together();
    }
    Value x[Count];
    times_inverse<Count>(block, rest, x);
    if (lane == 0) {
#pragma unroll
      for (int k = 0; k < Count; ++k) {
        unknowns_[block.first + k] = x[k];
      }
    }
  }
  /// The lane's part of a row right of the block times the unknowns.
  template <int Count>
  [[nodiscard, gnu::always_inline]] Value times_right(const PivotBlock& block, const UpperColumns& columns, int row,
                                                      int lane) const {
    std::int32_t place = block.rows[0];
#pragma unroll
    for (int k = 1; k < Count; ++k) {
      place = row == k ? block.rows[k] : place;  // an index would put the array into memory
    }
    const Value* const right = a_ + place + Count;
    Value sum{};
#pragma unroll
    for (int m = 0; m < UpperColumns::count; ++m) {
      if (const int j = lane % parts + m * parts; j < block.right) {
        sum += right[j] * unknowns_[columns.column[m]];
      }
    }
    for (int j = lane % parts + UpperColumns::count * parts; j < block.right; j += parts) {
      sum += right[j] * unknowns_[table_.upper_columns[block.upper + j]];
    }
    return sum;
  }

  int rows_;
  SparseLuTable table_;
  Value* a_;
  Value* unknowns_;
  Value* inverse_;  ///< (pivot, pivot of its block)
};

}  // namespace phpc::batch
