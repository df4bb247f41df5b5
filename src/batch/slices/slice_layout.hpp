#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "phpc/batch/matrix.hpp"
#include "phpc/exec/device.hpp"

/// The slice layout: how systems of one pattern lie in teams of several sub-groups, with vectors in registers and the matrix in
/// registers and scratch as far as it fits. It is made on the host, once for a plan.
namespace phpc::batch {

/// How the rows of a system are dealt to the threads of a team. Position p = i * threads + t is row i of thread t; as many
/// successive positions as a sub-group has lanes are a slice, whose rows one sub-group works on in step.
struct SliceShape {
  int rows_of_a_thread;
  int slots;  ///< entries of each row in registers beside the diagonal's
  int threads;
  bool tails = false;  ///< whether the kernel can read part of a row from memory

  [[nodiscard]] constexpr int positions() const { return rows_of_a_thread * threads; }
};

/// The row at a position. Of its entries, numbered as in the pattern, [begin, tail) lie in registers and scratch, and [tail,
/// end), the tail, are read from memory for each product. A diagonal entry before the tail has a place of its own in registers,
/// where its operand is, too.
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

/// Entries of a tail that a lane loads at a time.
inline constexpr int tail_flight = 4;

/// The place of an entry in a tail: none.
inline constexpr std::uint16_t no_place = 0xffff;

/// The layout of one pattern. The columns of entries in registers and scratch are byte offsets of their operands from the first
/// operand, two in a word, the lower half first. A slot in scratch has a value for each lane of a slice, one in registers (while
/// it is staged) for each position, and both have one more, unused, so that the threads that store a row's entries and those that
/// read a slot use different banks.
struct SliceLayout {
  SliceShape shape{};
  int lanes = 0;
  std::vector<SlicePosition> positions;
  std::vector<std::uint32_t> register_columns;  ///< ((slots + 1) / 2, positions)
  std::vector<std::int32_t> slices;             ///< of each slice its first slot in scratch, even; then the number of slots
  std::vector<std::uint32_t> scratch_columns;   ///< (all slots / 2, lanes)
  /// Of each entry the number of its value, counting those of slots in registers, the diagonal's slot first, and then those in
  /// scratch; or no_place.
  std::vector<std::uint16_t> places;
  std::vector<std::uint16_t> columns;  ///< of each entry the position of its column
  std::vector<std::uint16_t> pads;     ///< values in scratch that no entry fills
  int staged_slots = 0;                ///< slots in registers that some row fills, the diagonal's included
  int tail_shift = -1;                 ///< 2^tail_shift lanes share a row's tail; -1 where no row has one
  int row_shift = 0;                   ///< 2^row_shift lanes share a row where all of it is read from memory
  double cost = 0;                     ///< of a product, in turns of a multiprocessor's scratch (slice_plan.cpp)

  /// Values of the slots in registers, as they are staged, and of those in scratch.
  [[nodiscard]] std::int32_t register_values() const { return (shape.slots + 1) * (shape.positions() + 1); }
  [[nodiscard]] std::int32_t scratch_values() const { return slices.back() * (lanes + 1); }
};

/// The layout of the pattern in that shape, with at most `room` values in scratch; a value has `value_bytes`, a sub-group
/// `lanes`.
SliceLayout slice_layout(const CsrPattern& pattern, const SliceShape& shape, int lanes, std::size_t value_bytes,
                         std::int32_t room);

}  // namespace phpc::batch
