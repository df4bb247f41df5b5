#pragma once
#include <cstdint>
#include <vector>

#include "batch/plan/plan_choices.hpp"
#include "phpc/batch/storage.hpp"

/// How the kernels of a plan come to values in a storage, or of matrices that are transposed.
namespace phpc::batch {

/// Whether general kernels read what is not CSR as it lies: products and the diagonal are all that they then know of.
bool reads_products_alone(const Options& options);

struct ValueReading {
  StoredPattern stored;       ///< of the pattern given
  bool in_registers = false;  ///< kernels there read values as they lie
  bool in_memory = false;     ///< so do general ones
  bool in_packs = false;      ///< a host thread's packs put them in order where they load them
  /// Where values do not lie in the order of the pattern that is solved with: of each entry of that its value's place in a set,
  /// for packs of each place its entry or -1. Those who do not read them as they lie have them put into that order first.
  std::vector<std::int32_t> order;
};

/// Of systems of the `given` pattern; `in_packs` as the plan's placement says.
ValueReading value_reading(const CsrPattern& given, const Options& options, const InRegisters& found, bool in_packs);

/// Tables for kernels in registers that read values as they lie.
std::vector<SlotSource> stored_sources(std::vector<SlotSource> sources, const StoredPattern& stored);
SliceChoice stored_slices(SliceChoice choice, const StoredPattern& stored);

}  // namespace phpc::batch
