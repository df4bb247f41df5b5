#pragma once
#include "phpc/core/types.hpp"
#include "phpc/exec/device.hpp"

namespace phpc::batch {

/// Whether values are conjugated.
enum class Conjugation { no, yes };

/// Copies sets of values into another order: to[s][e] = from[(first + s) % value_sets][order[e]], or its conjugate, for `sets`
/// sets of `entries` values each, where `from` has value_sets sets of `set_values` values. `sets` is at most value_sets. All
/// pointers are to memory of the device.
template <class T>
void permute_values(exec::Device device, index_t sets, index_t entries, const std::int32_t* order, index_t value_sets,
                    index_t set_values, index_t first, Conjugation conjugation, const T* from, T* to);

}  // namespace phpc::batch
