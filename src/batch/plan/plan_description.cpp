#include <cmath>
#include <iterator>
#include <string>
#include <string_view>
#include <type_traits>

#include "batch/direct/block_layout.hpp"
#include "batch/math/value.hpp"
#include "batch/plan/plan_choices.hpp"
#include "batch/plan/value_reading.hpp"
#include "batch/registers/register_shapes.hpp"
#include "phpc/batch/plan.hpp"
#include "phpc/core/parse.hpp"

/// What a plan tells of itself before it is made: its description, and how much memory it needs.
namespace phpc::batch {

namespace {

/// "2.1k", "34.5M"
std::string short_number(double number) {
  constexpr std::string_view units[] = {"", "k", "M", "G", "T"};
  std::size_t unit = 0;
  for (; number >= 1000 && unit + 1 < std::size(units); number /= 1000) {
    ++unit;
  }
  const auto tenths = static_cast<index_t>(std::lround(10 * number));
  return std::to_string(tenths / 10) + (unit > 0 ? "." + std::to_string(tenths % 10) : "") + std::string(units[unit]);
}

/// The work of an iteration, the mean of the first twenty, or, of a direct method, of a solve of one.
template <class T>
std::string described_work(exec::Device device, const CsrPattern& pattern, const Options& options) {
  const bool iterates = takes_preconditioner(options.solver);
  Work work = Plan<T>::work(device, pattern, options, iterates ? 20 : 1);
  if (iterates) {
    work += -1.0 * Plan<T>::work(device, pattern, options, 0);
    work = 1.0 / 20 * work;
  }
  const auto bytes = [](double number) { return format_bytes(static_cast<std::uint64_t>(std::llround(number))); };
  return short_number(work.flops) + " operations, " + bytes(work.cache_bytes) + " through caches" +
         (work.scratch_bytes > 0 ? " and " + bytes(work.scratch_bytes) + " through scratch " : " ") +
         (iterates ? "an iteration" : "a system");
}

/// The layout of systems that lie wholly in registers or in blocks, in words.
std::string described_shape(const InRegisters& found, index_t rows, std::size_t value_bytes, bool mixed) {
  const RegisterShape& shape = *found.shape;
  std::string text;
  if (is_blocks(shape)) {
    const BlockLayout layout{shape, value_bytes};
    text = "in blocks of " + std::to_string(shape.slots) + " columns" +
           (layout.is_global() ? ", " + std::to_string(found.columns) + " at a time" : std::string()) + ": a team of " +
           std::to_string(shape.threads) + " a system, " + format_bytes(layout.scratch_bytes(rows, found.columns)) +
           " of scratch, " + format_bytes(layout.workspace_bytes(rows)) + " of global memory a team";
  } else if (shape.storage == RowStorage::chunks) {
    text = std::string(mixed ? "vectors and matrix of cycles in registers: " : "vectors in registers: ") +
           std::to_string(shape.threads) + " threads a system with up to " + std::to_string(shape.rows_of_a_thread) +
           " neighbouring rows each, matrix, b and x in " +
           format_bytes(static_cast<std::size_t>(chunk_values(shape)) * value_bytes) + " of scratch";
  } else {
    text = "in registers: " + std::to_string(shape.threads) + " threads a system with up to " +
           std::to_string(shape.rows_of_a_thread) + " rows of " + std::to_string(shape.slots) +
           (shape.storage == RowStorage::dense ? " columns" : " entries") + " each";
  }
  return shape.registers > 0 ? text + ", at most " + std::to_string(shape.registers) + " registers a thread" : text;
}

/// The placement of systems in memory, in words.
std::string described_placement(const Placement& placement, int team_size) {
  if (placement.vector_stride == 0) {
    return "a system in each lane of a host thread's packs";
  }
  return "a team of " + std::to_string(team_size) + " a system, " + format_bytes(placement.scratch_bytes) + " of scratch (" +
         std::to_string(placement.vectors_in_scratch) + " vectors" +
         (placement.preconditioner == Memory::scratch ? ", preconditioner" : "") +
         (placement.matrix == Memory::scratch ? ", matrix" : "") + "), " + format_bytes(placement.workspace_bytes) +
         " of global memory";
}

}  // namespace

template <class T>
std::size_t Plan<T>::workspace_bytes(exec::Device device, const CsrPattern& given, const Options& options, bool with_history) {
  const CsrPattern pattern = solved_pattern(given, options);
  const InRegisters found = in_registers<T>(device, pattern, options);
  ValueReading reading;
  const std::size_t bytes =
      place_as_read<T>(device, given, pattern, resolved<T>(device, pattern, options), found, reading).placement.workspace_bytes;
  return !with_history && found ? 0 : bytes;
}

template <class T>
std::string Plan<T>::describe(exec::Device device, const CsrPattern& given, const Options& options, bool with_history) {
  const CsrPattern pattern = solved_pattern(given, options);
  const Options complete = resolved<T>(device, pattern, options);
  validate_pattern(complete.solver, pattern, complete.operation);
  const bool mixed = complete.inner_precision == Precision::f32;
  std::string text = complete.solver;
  if (takes_preconditioner(complete.solver)) {
    text += " with " + complete.preconditioner;
  }
  text += is_complex<T> ? " in complex " : " in ";
  text += std::is_same_v<RealOf<T>, float> ? "f32, " : mixed ? "f64 around cycles of f32, " : "f64, ";
  const InRegisters found = with_history ? InRegisters{} : in_registers<T>(device, pattern, options);
  ValueReading reading;
  const Placement placement = place_as_read<T>(device, given, pattern, complete, found, reading).placement;
  if (found.slices) {
    text += found.slices->described();
  } else if (found.shape) {
    text += described_shape(found, pattern.rows(), sizeof(T), mixed);
  } else {
    text += described_placement(placement, with_history && device.is_gpu() ? general_team_size : complete.team_size);
  }
  const bool as_they_lie = reading.in_packs || (found ? reading.in_registers : reading.in_memory);
  if (complete.storage != Storage::csr) {
    text += ", values in " + std::string(to_string(complete.storage)) + " storage";
    text += as_they_lie || complete.operation != Operation::none ? "" : ", put into the order of CSR";
  }
  if (complete.operation != Operation::none) {
    text += complete.operation == Operation::transpose ? ", with values put into the order of A^T"
                                                       : ", with values put into the order of A^H";
  }
  const index_t values = as_they_lie ? reading.stored.values : pattern.entries();
  const auto least = static_cast<std::uint64_t>(values + 3 * pattern.rows()) * sizeof(T) + sizeof(Report);
  text += "; at least " + format_bytes(least) + " read and written a system";
  return with_history ? text : text + "; " + described_work<T>(device, given, options);
}

template <class T>
std::size_t Plan<T>::factor_bytes(exec::Device device, const CsrPattern& given, const Options& options, index_t sets) {
  const CsrPattern pattern = solved_pattern(given, options);
  const Options complete = resolved<T>(device, pattern, options);
  const PatternTable table = pattern_table(complete, pattern);
  return kept_bytes<T>(device, complete, pattern.rows(), pattern.entries(), table.data(), sets);
}

template std::size_t Plan<float>::workspace_bytes(exec::Device, const CsrPattern&, const Options&, bool);
template std::size_t Plan<double>::workspace_bytes(exec::Device, const CsrPattern&, const Options&, bool);
template std::size_t Plan<float>::factor_bytes(exec::Device, const CsrPattern&, const Options&, index_t);
template std::size_t Plan<double>::factor_bytes(exec::Device, const CsrPattern&, const Options&, index_t);
template std::string Plan<float>::describe(exec::Device, const CsrPattern&, const Options&, bool);
template std::string Plan<double>::describe(exec::Device, const CsrPattern&, const Options&, bool);
template std::size_t Plan<Complex<float>>::workspace_bytes(exec::Device, const CsrPattern&, const Options&, bool);
template std::size_t Plan<Complex<float>>::factor_bytes(exec::Device, const CsrPattern&, const Options&, index_t);
template std::string Plan<Complex<float>>::describe(exec::Device, const CsrPattern&, const Options&, bool);
template std::size_t Plan<Complex<double>>::workspace_bytes(exec::Device, const CsrPattern&, const Options&, bool);
template std::size_t Plan<Complex<double>>::factor_bytes(exec::Device, const CsrPattern&, const Options&, index_t);
template std::string Plan<Complex<double>>::describe(exec::Device, const CsrPattern&, const Options&, bool);

}  // namespace phpc::batch
