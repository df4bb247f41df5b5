#pragma once
#include "phpc/core/types.hpp"
#include "phpc/exec/device.hpp"

namespace phpc::batch {

enum class Conjugation { no, yes };

/// `sets` sets of `entries` values each, those of `from`, which have `set_values`, from set `first` on (past the last one,
/// value_sets - 1, from the first on), in the order given: value e of `to` is value order[e] of `from`, or its conjugate. `sets`
/// is at most value_sets. All pointers are to memory of the device.
template <class T>
void permute_values(exec::Device device, index_t sets, index_t entries, const std::int32_t* order, index_t value_sets,
                    index_t set_values, index_t first, Conjugation conjugation, const T* from, T* to);

}  // namespace phpc::batch
