#pragma once
#include "casoff/kernels/program_view.hpp"
#include "casoff/kernels/slice_counter.hpp"

/// Device code: runs all queries of a strand over one column of a table.
namespace phpc::casoff {

/// A thread's column of a table in scratch, whose row r lies at first[r * stride].
template <int Lanes>
struct TableColumn {
  SlotWord<Lanes>* first;
  int stride;
  [[nodiscard, gnu::always_inline]] SlotWord<Lanes>& operator[](int row) const { return first[row * stride]; }
};

/// Compares the slots in `candidates` with the queries of a group. `slot_of(lane, bit)` is a slot's place in the chunk.
template <int Slices, int Lanes, class SlotOf>
[[gnu::always_inline]] inline void run_group(const QueryGroup& group, const ProgramView& program, const TableColumn<Lanes>& table,
                                             const SlotWord<Lanes>& candidates, int strand, const HitSink& sink,
                                             const SlotOf& slot_of) {
  const std::uint16_t* row = program.row_numbers + group.rows;
  for (std::uint32_t q = 0; q < group.queries; ++q) {
    const Query query = program.queries[group.first + q];
    SliceCounter<Lanes, Slices> counter(query.start);
    SlotWord<Lanes> asked = candidates;
    for (int i = 0; i < group.required; ++i) {
      asked &= ~table[*row++];
    }
    int left = group.counted;
    for (; left >= 8; left -= 8, row += 8) {
      counter.add(table[row[0]], table[row[1]], table[row[2]], table[row[3]], table[row[4]], table[row[5]], table[row[6]],
                  table[row[7]]);
    }
    if (left != 0) {
      counter.add(table[row[0]], table[row[1]], table[row[2]], table[row[3]]);
      row += 4;
    }
    const SlotWord<Lanes> found = asked & ~counter.over;
    if (any_bit<Lanes>(found)) {
      for (int lane = 0; lane < Lanes; ++lane) {
        std::uint64_t bits = exec::lane_of(found, lane);
        if (bits == 0) {
          continue;
        }
        std::uint64_t place = fetch_add(sink.count, static_cast<std::uint64_t>(__builtin_popcountll(bits)));
        for (; bits != 0; bits &= bits - 1, ++place) {
          const int bit = __builtin_ctzll(bits);
          if (place < sink.capacity) {
            sink.hits[place] = {slot_of(lane, bit), query.variant, static_cast<std::uint16_t>(strand),
                                static_cast<std::uint16_t>(counter.value(lane, bit) - query.start)};
          }
        }
      }
    }
  }
}

/// Compares the slots in `candidates` with all queries of the strand.
template <int Lanes, class SlotOf>
[[gnu::always_inline]] inline void run_queries(const ProgramView& program, const TableColumn<Lanes>& table,
                                               const SlotWord<Lanes>& candidates, int strand, const HitSink& sink,
                                               const SlotOf& slot_of) {
  for (int i = strand_begin(program.group_end, strand); i < program.group_end[strand]; ++i) {
    const QueryGroup group = program.groups[i];
    switch (group.slices) {
      case 2:
        run_group<2>(group, program, table, candidates, strand, sink, slot_of);
        break;
      case 3:
        run_group<3>(group, program, table, candidates, strand, sink, slot_of);
        break;
      case 4:
        run_group<4>(group, program, table, candidates, strand, sink, slot_of);
        break;
      default:
        run_group<7>(group, program, table, candidates, strand, sink, slot_of);
    }
  }
}

}  // namespace phpc::casoff
