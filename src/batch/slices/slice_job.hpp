#pragma once
#include "batch/slices/slice_layout.hpp"
#include "batch/system/solve_job.hpp"

namespace phpc::batch {

/// A SliceLayout in memory of its device.
struct SliceTables {
  const SlicePosition* positions;
  const std::uint32_t* register_columns;
  const std::int32_t* slices;
  const std::uint32_t* scratch_columns;
  const std::uint16_t* places;
  const std::uint16_t* columns;
  const std::uint16_t* pads;
  std::int32_t pad_count;
  std::int32_t scratch_slots;
  std::int32_t staged_slots;
  std::int32_t tail_shift;
  std::int32_t row_shift;
};

/// Everything that a slice kernel reads and writes. Pointers are to memory of its device.
template <class T>
struct SliceJob : SystemsJob<T> {
  SliceTables tables;
};

}  // namespace phpc::batch
