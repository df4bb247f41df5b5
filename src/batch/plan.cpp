#include "phpc/batch/plan.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "batch/dispatch.hpp"
#include "phpc/core/error.hpp"

namespace phpc::batch {

namespace {

constexpr index_t iteration_limit = std::numeric_limits<std::int32_t>::max();

/// The options with every "0 = chosen" replaced by the choice, for systems of `rows` rows on `device`.
Options resolved(exec::Device device, index_t rows, Options options) {
  PHPC_VALIDATE(std::isfinite(options.tolerance) && options.tolerance >= 0, ErrorKind::usage,
                "tolerance " + std::to_string(options.tolerance) + " is no number >= 0");
  PHPC_VALIDATE(
      options.max_iterations >= 0 && options.max_iterations <= iteration_limit, ErrorKind::usage,
      "max_iterations " + std::to_string(options.max_iterations) + " is outside 0 ... " + std::to_string(iteration_limit));
  if (options.max_iterations == 0) {
    options.max_iterations = std::min(2 * rows, iteration_limit);
  }
  if (options.team_size == 0) {
    options.team_size = default_team_size(options, device.kind(), rows);
  }
  return options;
}

template <class T>
Placement place(exec::Device device, index_t rows, index_t entries, const Options& options, const std::int32_t* table) {
  ScratchRequest request = scratch_request(options, options.team_size, device.kind(), rows, entries, sizeof(T), table);
  const ScratchLimits limits = scratch_limits(device);
  request.scratch_limit = limits.vectors;
  request.matrix_limit = limits.matrix;
  if (options.scratch_limit > 0) {
    request.scratch_limit = std::min(request.scratch_limit, options.scratch_limit);
    request.matrix_limit = std::min(request.matrix_limit, options.scratch_limit);
  }
  return plan_scratch(request);
}

}  // namespace

/// How the systems of a plan lie in registers, and on the device where each value comes from.
template <class T>
class Plan<T>::Registers {
 public:
  Registers(exec::Device device, const CsrPattern& pattern, const RegisterShape& chosen)
      : shape(chosen), sources(device, std::span<const SlotSource>(slot_sources(pattern, chosen))) {}

  RegisterShape shape;
  exec::Buffer<SlotSource> sources;
};

template <class T>
Plan<T>::Plan(exec::Device device, const CsrPattern& pattern, index_t systems, const Options& options)
    : device_(device), options_(resolved(device, pattern.rows(), options)), systems_(systems) {
  pattern.validate();
  validate_pattern(options.solver, pattern);
  PHPC_VALIDATE(systems >= 0, ErrorKind::usage, "a batch of " + std::to_string(systems) + " systems; give 0 or more");
  table_ = pattern_table(options_, pattern);
  const Placement placement = place<T>(device, pattern.rows(), pattern.entries(), options_, table_.data());
  row_offsets_ = exec::Buffer<std::int32_t>(device, std::span(pattern.row_offsets));
  columns_ = exec::Buffer<std::int32_t>(device, std::span(pattern.columns));
  if (const auto shape = register_shape(device.kind(), pattern, options)) {
    registers_ = std::make_shared<const Registers>(device, pattern, *shape);
    return;
  }
  device_table_ = exec::Buffer<std::int32_t>(device, std::span(std::as_const(table_)));
  workspace_ = exec::Buffer<std::byte>(device, systems * static_cast<index_t>(placement.workspace_bytes));
}

template <class T>
void Plan<T>::execute(index_t systems, index_t value_sets, index_t first_set, const T* values, const T* rhs, T* x,
                      Report* reports) {
  PHPC_VALIDATE(systems >= 0 && systems <= systems_, ErrorKind::usage,
                "a plan for " + std::to_string(systems_) + " systems cannot take " + std::to_string(systems));
  PHPC_VALIDATE(value_sets > 0 || systems == 0, ErrorKind::usage, "systems without a set of values");
  const index_t rows = row_offsets_.size() - 1;
  const StopRule stop{options_.tolerance, options_.tolerance_kind, static_cast<std::int32_t>(options_.max_iterations)};
  if (registers_) {
    const RegisterJob<T> job{systems,
                             value_sets,
                             first_set,
                             static_cast<std::int32_t>(rows),
                             static_cast<std::int32_t>(columns_.size()),
                             registers_->sources.data(),
                             values,
                             rhs,
                             x,
                             reports,
                             stop};
    dispatch(device_, options_, registers_->shape, job);
    return;
  }
  SolveJob<T> job{};
  job.matrix = {systems,
                value_sets,
                first_set,
                static_cast<std::int32_t>(rows),
                static_cast<std::int32_t>(columns_.size()),
                row_offsets_.data(),
                columns_.data(),
                values};
  job.rhs = rhs;
  job.x = x;
  job.reports = reports;
  job.workspace = workspace_.data();
  job.stop = stop;
  job.placement = place<T>(device_, rows, columns_.size(), options_, table_.data());
  job.table = device_table_.data();
  dispatch(device_, options_, job);
}

template <class T>
std::size_t Plan<T>::workspace_bytes(exec::Device device, const CsrPattern& pattern, const Options& options) {
  const Options complete = resolved(device, pattern.rows(), options);
  const std::size_t bytes =
      place<T>(device, pattern.rows(), pattern.entries(), complete, pattern_table(complete, pattern).data()).workspace_bytes;
  return register_shape(device.kind(), pattern, options) ? 0 : bytes;
}

template class Plan<double>;

}  // namespace phpc::batch
