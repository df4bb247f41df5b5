#pragma once
#include <cstdint>
#include <vector>

#include "batch/plan/plan_choices.hpp"
#include "phpc/batch/storage.hpp"

/// How the kernels of a plan read values in other storages than CSR, or of matrices that are transposed.
namespace phpc::batch {

/// Whether a solve by the options needs only products and the diagonal of the matrix, as iterative methods do, so that general
/// kernels read values in any storage as they lie.
bool reads_products_alone(const Options& options);

/// Which kernels of a plan read values as they lie, and the order for those that do not.
struct ValueReading {
  StoredPattern stored;       ///< the given pattern in the storage
  bool in_registers = false;  ///< whether kernels in registers read values as they lie
  bool in_memory = false;     ///< whether general kernels do
  bool in_packs = false;      ///< whether packs of host threads put values in order as they load them
  /// Empty where values lie in the order of the pattern that is solved with. Otherwise, for each entry of that pattern, the place
  /// of its value in a set; for packs, for each place its entry, or -1. Kernels that do not read values as they lie are given
  /// values that have been put into this order.
  std::vector<std::int32_t> order;
};

/// The reading of values of the `given` pattern; `in_packs` says whether the plan solves in packs of host threads.
ValueReading value_reading(const CsrPattern& given, const Options& options, const InRegisters& found, bool in_packs);

/// Where systems of the solved `pattern` lie in memory, by the resolved options; sets `reading` to how their values are read.
template <class T>
Workspace place_as_read(exec::Device device, const CsrPattern& given, const CsrPattern& pattern, const Options& options,
                        const InRegisters& found, ValueReading& reading);

/// The tables of kernels in registers, made to read values in a storage as they lie.
std::vector<SlotSource> stored_sources(std::vector<SlotSource> sources, const StoredPattern& stored);
SliceChoice stored_slices(SliceChoice choice, const StoredPattern& stored);

}  // namespace phpc::batch
