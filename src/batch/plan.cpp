#include "phpc/batch/plan.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "batch/block_layout.hpp"
#include "batch/dispatch.hpp"
#include "batch/mixed_dispatch.hpp"
#include "batch/permute.hpp"
#include "batch/register_shapes.hpp"
#include "batch/scaling.hpp"
#include "batch/slice_plan.hpp"
#include "phpc/core/error.hpp"
#include "phpc/core/parse.hpp"

namespace phpc::batch {

namespace {

constexpr index_t iteration_limit = std::numeric_limits<std::int32_t>::max();

/// The options with every "0 = chosen" replaced by the choice, for systems of the pattern on `device`.
template <class T>
Options resolved(exec::Device device, const CsrPattern& pattern, Options options) {
  PHPC_VALIDATE(std::isfinite(options.tolerance) && options.tolerance >= 0, ErrorKind::usage,
                "tolerance " + std::to_string(options.tolerance) + " is no number >= 0");
  PHPC_VALIDATE(
      options.max_iterations >= 0 && options.max_iterations <= iteration_limit, ErrorKind::usage,
      "max_iterations " + std::to_string(options.max_iterations) + " is outside 0 ... " + std::to_string(iteration_limit));
  PHPC_VALIDATE(
      options.rhs_per_system >= 1 && options.rhs_per_system <= iteration_limit, ErrorKind::usage,
      "rhs_per_system " + std::to_string(options.rhs_per_system) + " is outside 1 ... " + std::to_string(iteration_limit));
  if constexpr (sizeof(T) == sizeof(float)) {
    options.inner_precision = Precision::f64;  // as T: there is nothing below
  }
  options.max_iterations = iteration_cap(options, pattern.rows());
  if (options.team_size == 0) {
    options.team_size = options.inner_precision == Precision::f32 ? default_mixed_team_size(device.kind())
                                                                  : default_team_size<T>(options, device.kind(), pattern);
  }
  return options;
}

ScalingRule::Kind scaling_kind(const Options& options) {
  switch (options.scaling) {
    case Scaling::none:
      return ScalingRule::Kind::none;
    case Scaling::automatic:
      return options.solver == "cg" ? ScalingRule::Kind::symmetric : ScalingRule::Kind::equilibrate;
    case Scaling::given:
      return ScalingRule::Kind::given;
  }
  return ScalingRule::Kind::none;
}

/// Where a system's team has everything, and what it needs of global memory.
struct Workspace {
  Placement placement;
  std::size_t more = 0;  ///< SolveExtras::more_workspace
};

template <class T>
Workspace place(exec::Device device, index_t rows, index_t entries, const Options& options, const std::int32_t* table) {
  const bool mixed = options.inner_precision == Precision::f32;
  ScratchRequest request = mixed ? mixed_scratch_request(options, device.kind(), rows, entries, table)
                                 : scratch_request<T>(options, options.team_size, device.kind(), rows, entries, table);
  const ScratchLimits limits = scratch_limits(device);
  request.scratch_limit = limits.vectors;
  request.matrix_limit = limits.matrix;
  if (options.scratch_limit > 0) {
    request.scratch_limit = std::min(request.scratch_limit, options.scratch_limit);
    request.matrix_limit = std::min(request.matrix_limit, options.scratch_limit);
  }
  Workspace workspace{plan_scratch(request)};
  Placement& placement = workspace.placement;
  const bool lanes = request.rows == 0;  // a host thread's packs, who bring their own memory
  workspace.more = placement.workspace_bytes;
  if (!lanes && scaling_kind(options) != ScalingRule::Kind::none) {
    placement.workspace_bytes += scaling_bytes<T>(rows, entries, mixed ? Memory::global : placement.matrix);
  }
  if (!lanes && mixed) {
    placement.workspace_bytes += mixed_workspace_bytes(rows, entries, placement.matrix);
  }
  return workspace;
}

/// Whether all that the options ask for can be done in registers.
bool plain(const Options& options) {
  return options.inner_precision == Precision::f64 && options.scaling == Scaling::none;
}

template <class T>
std::optional<RegisterShape> shape_in_registers(exec::Device device, const CsrPattern& pattern, const Options& options) {
  return plain(options) ? register_shape<T>(device, pattern, options) : std::nullopt;
}

/// Where a system lies in registers: wholly, in a shape of register_shapes.hpp, or its vectors.
struct InRegisters {
  std::optional<RegisterShape> shape;
  std::optional<SliceChoice> slices;

  explicit operator bool() const { return shape || slices; }
};

template <class T>
InRegisters in_registers(exec::Device device, const CsrPattern& pattern, const Options& options) {
  InRegisters found{shape_in_registers<T>(device, pattern, options), {}};
  if (!found.shape) {
    found.slices = slice_choice<T>(device.kind(), device.properties().scratch_bytes, pattern, options);
  }
  return found;
}

/// The pattern by columns: their offsets (rows + 1), then the entries, then the rows of the entries.
std::vector<std::int32_t> columns_of(const CsrPattern& pattern) {
  const TransposedPattern by_columns = transposed(pattern);
  std::vector<std::int32_t> tables = by_columns.pattern.row_offsets;
  tables.insert(tables.end(), by_columns.order.begin(), by_columns.order.end());
  tables.insert(tables.end(), by_columns.pattern.columns.begin(), by_columns.pattern.columns.end());
  return tables;
}

/// The pattern that is solved with.
CsrPattern solved_pattern(const CsrPattern& pattern, const Options& options) {
  pattern.validate();
  return options.operation == Operation::transpose ? transposed(pattern).pattern : pattern;
}

}  // namespace

index_t iteration_cap(const Options& options, index_t rows) {
  return options.max_iterations > 0 ? options.max_iterations : std::min(2 * rows, iteration_limit);
}

/// How the systems of a plan lie in registers, and on the device where each value comes from.
template <class T>
class Plan<T>::Registers {
 public:
  Registers(exec::Device device, const CsrPattern& pattern, const InRegisters& chosen, index_t systems) {
    if (chosen.shape) {
      shape = *chosen.shape;
      sources = exec::Buffer<SlotSource>(device, std::span<const SlotSource>(slot_sources(pattern, shape)));
      if (shape.storage == RowStorage::blocks_in_global) {
        team_bytes = BlockLayout{shape, sizeof(T)}.workspace_bytes(pattern.rows());
        teams = std::min<index_t>(systems, std::max(1, device.properties().compute_units));
      }
    } else {
      slices.emplace(device, *chosen.slices);
    }
  }

  RegisterShape shape{};
  std::size_t team_bytes = 0;  ///< global memory of a team
  index_t teams = 0;           ///< that share it; 0 = one a system, without any
  exec::Buffer<SlotSource> sources;
  std::optional<SlicePlan> slices;
};

template <class T>
Plan<T>::Plan(exec::Device device, const CsrPattern& given, index_t systems, const Options& options)
    : device_(device), options_(resolved<T>(device, given, options)), systems_(systems) {
  const CsrPattern pattern = solved_pattern(given, options);
  validate_pattern(options.solver, pattern, options.operation);
  PHPC_VALIDATE(systems >= 0, ErrorKind::usage, "a batch of " + std::to_string(systems) + " systems; give 0 or more");
  table_ = pattern_table(options_, pattern);
  const Placement placement = place<T>(device, pattern.rows(), pattern.entries(), options_, table_.data()).placement;
  row_offsets_ = exec::Buffer<std::int32_t>(device, std::span(pattern.row_offsets));
  columns_ = exec::Buffer<std::int32_t>(device, std::span(pattern.columns));
  if (scaling_kind(options_) == ScalingRule::Kind::equilibrate) {
    by_columns_ = exec::Buffer<std::int32_t>(device, std::span<const std::int32_t>(columns_of(pattern)));
  }
  device_table_ = exec::Buffer<std::int32_t>(device, std::span(std::as_const(table_)));
  if (const InRegisters found = in_registers<T>(device, pattern, options)) {
    registers_ = std::make_shared<const Registers>(device, pattern, found, systems);
  }
  if (options.operation == Operation::transpose) {
    loads_transposed_ = placement.vector_stride == 0;  // into packs
    order_ =
        exec::Buffer<std::int32_t>(device, std::span<const std::int32_t>(transposed(loads_transposed_ ? pattern : given).order));
  }
  workspace_ = exec::Buffer<std::byte>(device, registers_ ? registers_->teams * static_cast<index_t>(registers_->team_bytes)
                                                          : systems * static_cast<index_t>(placement.workspace_bytes));
}

template <class T>
void Plan<T>::execute(index_t systems, index_t value_sets, index_t first_set, const T* values, const T* rhs, T* x,
                      Report* reports) {
  execute({.solves = systems,
           .value_sets = value_sets,
           .first_set = first_set,
           .values = values,
           .rhs = rhs,
           .x = x,
           .reports = reports});
}

template <class T>
void Plan<T>::validate_arrays(const DeviceArrays<T>& arrays) const {
  const index_t solves = arrays.solves;
  PHPC_VALIDATE(solves >= 0 && solves <= systems_, ErrorKind::usage,
                "a plan for " + std::to_string(systems_) + " systems cannot take " + std::to_string(solves));
  PHPC_VALIDATE(arrays.value_sets > 0 || solves == 0, ErrorKind::usage, "systems without a set of values");
  PHPC_VALIDATE(
      arrays.first_rhs >= 0 && arrays.first_rhs < options_.rhs_per_system, ErrorKind::usage,
      "right-hand side " + std::to_string(arrays.first_rhs) + " of a matrix with " + std::to_string(options_.rhs_per_system));
  const bool given = options_.scaling == Scaling::given;
  PHPC_VALIDATE(!given || solves == 0 || (arrays.row_factors != nullptr && arrays.column_factors != nullptr), ErrorKind::usage,
                "scaling by given factors without factors; give both, ones for what is not to be scaled");
}

template <class T>
DeviceArrays<T> Plan<T>::transposed_arrays(const DeviceArrays<T>& arrays) {
  DeviceArrays<T> own = arrays;
  const index_t repeat = options_.rhs_per_system;
  if (arrays.factor_sets <= 1) {  // else factors are numbered as the sets of values, which all stay
    own.value_sets = std::min(arrays.value_sets, (arrays.first_rhs + arrays.solves + repeat - 1) / repeat);
    own.first_set = 0;
  }
  const index_t entries = order_.size();
  if (transposed_.size() < own.value_sets * entries) {
    transposed_ = {};  // before the larger one is there
    transposed_ = exec::Buffer<T>(device_, own.value_sets * entries);
  }
  permute_values(device_, own.value_sets, entries, order_.data(), arrays.value_sets,
                 arrays.factor_sets <= 1 ? arrays.first_set : 0, arrays.values, transposed_.data());
  own.values = transposed_.data();
  return own;
}

template <class T>
void Plan<T>::execute(const DeviceArrays<T>& given_arrays) {
  validate_arrays(given_arrays);
  const bool copies = options_.operation == Operation::transpose && !loads_transposed_ && given_arrays.solves > 0;
  const DeviceArrays<T> arrays = copies ? transposed_arrays(given_arrays) : given_arrays;
  const index_t solves = arrays.solves;
  const bool given = options_.scaling == Scaling::given;
  const index_t rows = row_offsets_.size() - 1;
  const auto repeat = static_cast<std::int32_t>(options_.rhs_per_system);
  const auto first_repeat = static_cast<std::int32_t>(arrays.first_rhs);
  const StopRule stop{options_.tolerance, options_.tolerance_kind, static_cast<std::int32_t>(options_.max_iterations)};
  if (registers_ && registers_->slices && arrays.history == nullptr) {
    const SliceJob<T> job{solves,
                          arrays.value_sets,
                          arrays.first_set,
                          static_cast<std::int32_t>(rows),
                          static_cast<std::int32_t>(columns_.size()),
                          repeat,
                          first_repeat,
                          registers_->slices->tables(),
                          arrays.values,
                          arrays.rhs,
                          arrays.x,
                          arrays.reports,
                          arrays.tolerances,
                          stop};
    dispatch(device_, options_, *registers_->slices, job);
    return;
  }
  if (registers_ && arrays.history == nullptr) {
    const RegisterJob<T> job{solves,
                             arrays.value_sets,
                             arrays.first_set,
                             static_cast<std::int32_t>(rows),
                             static_cast<std::int32_t>(columns_.size()),
                             registers_->sources.data(),
                             arrays.values,
                             arrays.rhs,
                             arrays.x,
                             arrays.reports,
                             stop,
                             repeat,
                             first_repeat,
                             arrays.tolerances,
                             row_offsets_.data(),
                             columns_.data(),
                             workspace_.data(),
                             registers_->teams};
    dispatch(device_, options_, registers_->shape, job);
    return;
  }
  const Workspace workspace = place<T>(device_, rows, columns_.size(), options_, table_.data());
  if (const index_t bytes = systems_ * static_cast<index_t>(workspace.placement.workspace_bytes); workspace_.size() < bytes) {
    workspace_ = exec::Buffer<std::byte>(device_, bytes);  // the first history of a plan that works in registers otherwise
  }
  SolveExtras extras{arrays.tolerances, arrays.history, {}, workspace.more};
  extras.value_places = loads_transposed_ ? order_.data() : nullptr;
  extras.scaling.kind = scaling_kind(options_);
  if (extras.scaling.kind == ScalingRule::Kind::equilibrate) {
    extras.scaling.column_offsets = by_columns_.data();
    extras.scaling.column_entries = by_columns_.data() + rows + 1;
    extras.scaling.entry_rows = extras.scaling.column_entries + columns_.size();
  } else if (given) {
    extras.scaling.row_factors = arrays.row_factors;
    extras.scaling.column_factors = arrays.column_factors;
    extras.scaling.factor_sets = arrays.factor_sets;
  }
  const bool any_extras = arrays.tolerances != nullptr || arrays.history != nullptr || loads_transposed_ || !plain(options_);
  const exec::Buffer<SolveExtras> device_extras =
      any_extras ? exec::Buffer<SolveExtras>(device_, std::span<const SolveExtras>(&extras, 1)) : exec::Buffer<SolveExtras>();
  SolveJob<T> job{};
  job.matrix = {solves,
                arrays.value_sets,
                arrays.first_set,
                static_cast<std::int32_t>(rows),
                static_cast<std::int32_t>(columns_.size()),
                row_offsets_.data(),
                columns_.data(),
                arrays.values,
                repeat,
                first_repeat};
  job.rhs = arrays.rhs;
  job.x = arrays.x;
  job.reports = arrays.reports;
  job.workspace = workspace_.data();
  job.stop = stop;
  job.placement = workspace.placement;
  job.table = device_table_.data();
  job.extras = device_extras.data();
  if constexpr (sizeof(T) == sizeof(double)) {
    if (options_.inner_precision == Precision::f32) {
      dispatch_mixed(device_, options_, job);
      return;
    }
  }
  dispatch(device_, options_, job, arrays.history != nullptr);
}

template <class T>
std::size_t Plan<T>::workspace_bytes(exec::Device device, const CsrPattern& given, const Options& options, bool with_history) {
  const CsrPattern pattern = solved_pattern(given, options);
  const Options complete = resolved<T>(device, pattern, options);
  const std::size_t bytes = place<T>(device, pattern.rows(), pattern.entries(), complete, pattern_table(complete, pattern).data())
                                .placement.workspace_bytes;
  return !with_history && in_registers<T>(device, pattern, options) ? 0 : bytes;
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
  text += sizeof(T) == sizeof(float) ? " in f32, " : mixed ? " in f64 around cycles of f32, " : " in f64, ";
  const InRegisters found = with_history ? InRegisters{} : in_registers<T>(device, pattern, options);
  if (found.slices) {
    text += found.slices->described();
  } else if (const auto& shape = found.shape) {
    if (is_blocks(*shape)) {
      const BlockLayout layout{*shape, sizeof(T)};
      text += "in blocks of " + std::to_string(shape->slots) + " columns: a team of " + std::to_string(shape->threads) +
              " a system, " + format_bytes(layout.scratch_bytes(pattern.rows())) + " of scratch, " +
              format_bytes(layout.workspace_bytes(pattern.rows())) + " of global memory a team";
    } else {
      text += "in registers: " + std::to_string(shape->threads) + " threads a system with up to " +
              std::to_string(shape->rows_of_a_thread) + " rows of " + std::to_string(shape->slots) +
              (shape->storage == RowStorage::dense ? " columns" : " entries") + " each";
    }
    if (shape->registers > 0) {
      text += ", at most " + std::to_string(shape->registers) + " registers a thread";
    }
  } else {
    const PatternTable table = pattern_table(complete, pattern);
    const Workspace workspace = place<T>(device, pattern.rows(), pattern.entries(), complete, table.data());
    const Placement& placement = workspace.placement;
    const int team = !device.is_gpu() ? 1 : with_history ? general_team_size : complete.team_size;
    if (placement.vector_stride == 0) {
      text += "a system in each lane of a host thread's packs";
    } else {
      text += "a team of " + std::to_string(team) + " a system, " + format_bytes(placement.scratch_bytes) + " of scratch (" +
              std::to_string(placement.vectors_in_scratch) + " vectors" +
              (placement.preconditioner == Memory::scratch ? ", preconditioner" : "") +
              (placement.matrix == Memory::scratch ? ", matrix" : "") + "), " + format_bytes(placement.workspace_bytes) +
              " of global memory";
    }
  }
  if (complete.operation == Operation::transpose) {
    text += ", with values put into the order of A^T";
  }
  const auto least = static_cast<std::uint64_t>(pattern.entries() + 3 * pattern.rows()) * sizeof(T) + sizeof(Report);
  return text + "; at least " + format_bytes(least) + " read and written a system";
}

template class Plan<float>;
template class Plan<double>;

}  // namespace phpc::batch
