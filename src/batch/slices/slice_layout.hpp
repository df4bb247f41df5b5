#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "phpc/batch/matrix.hpp"
#include "phpc/exec/device.hpp"

/// Systems of any pattern in teams of several sub-groups: vectors in registers, the matrix in registers and scratch as far as it
/// fits. What is worked out of a pattern for that on the host, once for a plan.
namespace phpc::batch {

/// How the rows of a system are dealt to a team. Position p = i * threads + t is row i of thread t; as many positions in a row as
/// a sub-group has lanes are a slice, whose rows one sub-group works on in step.
struct SliceShape {
  int rows_of_a_thread;
  int slots;  ///< entries of each row in registers beside the diagonal's
  int threads;

  [[nodiscard]] constexpr int positions() const { return rows_of_a_thread * threads; }
};

/// What stands at a position. Entries are numbered as in the pattern: [begin, tail) lie in registers and scratch, [tail, end) are
/// read from memory for each product. A diagonal among the former has a place of its own in registers: its operand is there too.
struct SlicePosition {
  std::int32_t row = -1;  ///< -1: none
  std::int32_t begin = 0;
  std::int32_t tail = 0;
  std::int32_t end = 0;
  std::int32_t diagonal = -1;  ///< entry of A's diagonal; -1: none

  [[nodiscard, gnu::always_inline]] bool has_diagonal() const { return begin <= diagonal && diagonal < tail; }
  /// Entries beside the diagonal that lie in registers and scratch.
  [[nodiscard, gnu::always_inline]] int others() const { return tail - begin - (has_diagonal() ? 1 : 0); }
};

/// Entries of a tail that a lane reads at a time.
inline constexpr int tail_flight = 4;

/// A place that an entry does not have: it is one of a tail.
inline constexpr std::uint16_t no_place = 0xffff;

/// The layout of one pattern. Two operands' places stand in a word, the lower half first, each the bytes from the first operand.
/// A slot of values is a value of each lane of a slice, or of each position, and one that is left out, so that both those who put
/// the entries of a row there and those who read a slot find different banks.
struct SliceLayout {
  SliceShape shape{};
  int lanes = 0;
  std::vector<SlicePosition> positions;
  std::vector<std::uint32_t> register_columns;  ///< ((slots + 1) / 2, positions)
  std::vector<std::int32_t> slices;             ///< of each slice its first slot in scratch, an even number; at the end all slots
  std::vector<std::uint32_t> scratch_columns;   ///< (all slots / 2, lanes)
  /// Of each entry: its number among the values of slots in registers, the first of which is the diagonal's, or among those in
  /// scratch behind them, or no_place.
  std::vector<std::uint16_t> places;
  std::vector<std::uint16_t> columns;  ///< of each entry the position
  std::vector<std::uint16_t> pads;     ///< values in scratch without an entry
  int staged_slots = 0;                ///< slots in registers that any row fills, the diagonal's included
  int tail_shift = -1;                 ///< 2^this lanes share a row's tail; -1 where there is none
  int row_shift = 0;                   ///< the same of rows that are all read from memory
  double cost = 0;                     ///< of a product, in turns of a multiprocessor's shared memory (slice_plan.cpp)

  /// Values of the slots in registers, on their way there, and of those in scratch.
  [[nodiscard]] std::int32_t register_values() const { return (shape.slots + 1) * (shape.positions() + 1); }
  [[nodiscard]] std::int32_t scratch_values() const { return slices.back() * (lanes + 1); }
};

/// The layout of the pattern in that shape, with at most `room` values in scratch; a value has `value_bytes`, a sub-group
/// `lanes`.
SliceLayout slice_layout(const CsrPattern& pattern, const SliceShape& shape, int lanes, std::size_t value_bytes,
                         std::int32_t room);

}  // namespace phpc::batch
