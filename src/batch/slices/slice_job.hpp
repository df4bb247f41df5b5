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
struct SliceJob {
  index_t systems;
  index_t value_sets;
  index_t first_set;
  std::int32_t rows;
  std::int32_t entries;
  std::int32_t repeat;  ///< systems in a row that share values, as CsrView has it
  std::int32_t first_repeat;
  SliceTables tables;
  const T* values;           ///< (value_sets, entries)
  const T* rhs;              ///< (systems, rows)
  T* x;                      ///< (systems, rows)
  Report* reports;           ///< (systems)
  const double* tolerances;  ///< (systems), or null: the rule's
  StopRule stop;

  [[nodiscard, gnu::always_inline]] index_t set_of(index_t system) const {
    return (first_set + (repeat == 1 ? system : (first_repeat + system) / repeat)) % value_sets;
  }
  [[nodiscard, gnu::always_inline]] T tolerance_of(index_t number) const {
    return static_cast<T>(tolerances != nullptr ? tolerances[number] : stop.tolerance);
  }
};

}  // namespace phpc::batch
