#include "batch/plan/value_reading.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace phpc::batch {

namespace {

constexpr std::size_t place_index(std::int32_t place) {
  return static_cast<std::size_t>(place);
}

/// Whether kernels in registers read values as they lie. They stage all values of a set, so that most must be entries, and have
/// 16-bit tables. Kernels of blocks and chunks, and residuals around cycles of float, read memory in the order of CSR.
bool registers_read(const StoredPattern& stored, index_t entries, const Options& options, const InRegisters& found) {
  if (stored.values > 2 * entries || stored.values >= std::numeric_limits<std::uint16_t>::max()) {
    return false;
  }
  if (found.slices) {
    return found.slices->layout.tail_shift < 0 && options.inner_precision == Precision::f64;
  }
  return found.shape && (found.shape->storage == RowStorage::dense || found.shape->storage == RowStorage::packed);
}

}  // namespace

bool reads_products_alone(const Options& options) {
  const bool simple = options.preconditioner == "jacobi" || options.preconditioner == "none";
  return options.operation == Operation::none && is_plain(options) && simple && takes_preconditioner(options.solver);
}

ValueReading value_reading(const CsrPattern& given, const Options& options, const InRegisters& found, bool in_packs) {
  ValueReading reading{.stored = stored_pattern(given, options.storage), .order = {}};
  const StoredPattern& stored = reading.stored;
  const bool is_turned = options.operation != Operation::none;
  if (stored.storage == Storage::csr && !is_turned) {
    return reading;
  }
  reading.in_packs = in_packs;
  reading.in_registers = !is_turned && registers_read(stored, given.entries(), options, found);
  reading.in_memory = !in_packs && reads_products_alone(options);
  std::vector<std::int32_t> order = is_turned ? transposed(given).order : stored.places;
  if (is_turned && !stored.places.empty()) {
    std::transform(order.begin(), order.end(), order.begin(),
                   [&](std::int32_t entry) { return stored.places[place_index(entry)]; });
  }
  if (!in_packs) {
    reading.order = std::move(order);
    return reading;
  }
  reading.order.assign(static_cast<std::size_t>(stored.values), -1);
  for (std::size_t entry = 0; entry < order.size(); ++entry) {
    reading.order[place_index(order[entry])] = static_cast<std::int32_t>(entry);
  }
  return reading;
}

template <class T>
Workspace place_as_read(exec::Device device, const CsrPattern& given, const CsrPattern& pattern, const Options& options,
                        const InRegisters& found, ValueReading& reading) {
  const PatternTable table = pattern_table(options, pattern);
  const Workspace workspace = place<T>(device, pattern.rows(), pattern.entries(), options, table.data());
  reading = value_reading(given, options, found, workspace.placement.vector_stride == 0);
  return reading.in_memory ? place<T>(device, pattern.rows(), reading.stored.values, options, table.data()) : workspace;
}

std::vector<SlotSource> stored_sources(std::vector<SlotSource> sources, const StoredPattern& stored) {
  for (SlotSource& source : sources) {
    if (source.entry_plus_one > 0) {
      source.entry_plus_one = static_cast<std::uint16_t>(stored.places[source.entry_plus_one - 1U] + 1);
    }
  }
  return sources;
}

SliceChoice stored_slices(SliceChoice choice, const StoredPattern& stored) {
  SliceLayout& layout = choice.layout;
  std::vector<std::uint16_t> places(static_cast<std::size_t>(stored.values), no_place);
  for (std::size_t entry = 0; entry < layout.places.size(); ++entry) {
    places[place_index(stored.places[entry])] = layout.places[entry];
  }
  layout.places = std::move(places);
  for (SlicePosition& position : layout.positions) {
    if (position.diagonal >= 0) {  // the only entry that is read by its number; of the others only the count matters
      const std::int32_t count = position.tail - position.begin;
      position.diagonal = stored.places[place_index(position.diagonal)];
      position.begin = position.diagonal;
      position.tail = position.begin + count;
      position.end = position.tail;
    }
  }
  return choice;
}

template Workspace place_as_read<float>(exec::Device, const CsrPattern&, const CsrPattern&, const Options&, const InRegisters&,
                                        ValueReading&);
template Workspace place_as_read<double>(exec::Device, const CsrPattern&, const CsrPattern&, const Options&, const InRegisters&,
                                         ValueReading&);
template Workspace place_as_read<Complex<float>>(exec::Device, const CsrPattern&, const CsrPattern&, const Options&,
                                                 const InRegisters&, ValueReading&);
template Workspace place_as_read<Complex<double>>(exec::Device, const CsrPattern&, const CsrPattern&, const Options&,
                                                  const InRegisters&, ValueReading&);

}  // namespace phpc::batch
