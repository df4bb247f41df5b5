#include "batch/plan/plan_choices.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <type_traits>

#include "batch/math/value.hpp"
#include "batch/mixed/mixed_cycle.hpp"
#include "batch/system/scaling.hpp"
#include "phpc/core/error.hpp"

namespace phpc::batch {

namespace {

constexpr index_t iteration_limit = std::numeric_limits<std::int32_t>::max();

/// Sets a request's limits to the scratch that the device has, or that the options allow.
void set_limits(exec::Device device, const Options& options, ScratchRequest& request) {
  const ScratchLimits limits = scratch_limits(device);
  request.scratch_limit = limits.vectors;
  request.matrix_limit = limits.matrix;
  if (options.scratch_limit > 0) {
    request.scratch_limit = std::min(request.scratch_limit, options.scratch_limit);
    request.matrix_limit = std::min(request.matrix_limit, options.scratch_limit);
  }
}

}  // namespace

index_t iteration_cap(const Options& options, index_t rows) {
  return options.max_iterations > 0 ? options.max_iterations : std::min(2 * rows, iteration_limit);
}

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
  if constexpr (std::is_same_v<RealOf<T>, float>) {
    options.inner_precision = Precision::f64;  // which stands for T: there is no lower precision
  }
  PHPC_VALIDATE(!is_complex<T> || options.inner_precision == Precision::f64, ErrorKind::usage,
                "complex systems are solved in one precision throughout; leave cycles of f32 out");
  options.max_iterations = iteration_cap(options, pattern.rows());
  if (options.team_size == 0) {
    options.team_size = default_team_size<T>(options, device.kind(), pattern);
  }
  validate_team_size<T>(options, device.kind());
  return options;
}

CsrPattern solved_pattern(const CsrPattern& pattern, const Options& options) {
  pattern.validate();
  return options.operation != Operation::none ? transposed(pattern).pattern : pattern;
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

template <class T>
Workspace place(exec::Device device, index_t rows, index_t entries, const Options& options, const std::int32_t* table,
                Factors factors) {
  const bool mixed = has_cycles_of_float<T>(options);
  ScratchRequest request = scratch_request<T>(options, options.team_size, device.kind(), rows, entries, table, factors);
  set_limits(device, options, request);
  Workspace workspace{plan_scratch(request)};
  Placement& placement = workspace.placement;
  const bool lanes = request.rows == 0;  // a host thread's packs have memory of their own
  workspace.more = placement.workspace_bytes;
  if (!lanes && scaling_kind(options) != ScalingRule::Kind::none) {
    placement.workspace_bytes += scaling_bytes<T>(rows, entries, mixed ? Memory::global : placement.matrix);
  }
  if (!lanes && mixed) {
    placement.workspace_bytes += mixed_bytes(rows, entries, placement.matrix == Memory::scratch);
  }
  return workspace;
}

template <class T>
Placement place_factors(exec::Device device, index_t rows, index_t entries, const Options& options, const std::int32_t* table) {
  ScratchRequest request;
  request.rows = rows;
  request.entries = entries;
  request.matrix_is_reread = false;
  request.value_bytes = sizeof(T);
  request.preconditioner_size = kept_size<T>(options, rows, entries, table);
  request.collective_bytes = collective_bytes(device.kind(), general_team_size, sizeof(T));
  set_limits(device, options, request);
  Placement placement = plan_scratch(request);
  placement.workspace_bytes =
      scaling_kind(options) == ScalingRule::Kind::none ? 0 : scaling_bytes<T>(rows, entries, Memory::global);
  return placement;
}

bool is_plain(const Options& options) {
  return options.inner_precision == Precision::f64 && options.scaling == Scaling::none;
}

template <class T>
InRegisters in_registers(exec::Device device, const CsrPattern& pattern, const Options& options) {
  if constexpr (is_complex<T>) {
    return {};
  } else {
    InRegisters found;
    if (const auto choice = register_shape<T>(device, pattern, options)) {
      found.shape = choice->shape;
      found.columns = choice->columns;
    } else {
      found.slices = slice_choice<T>(device.kind(), device.properties().scratch_bytes, pattern, options);
    }
    return found;
  }
}

template Options resolved<float>(exec::Device, const CsrPattern&, Options);
template Workspace place<float>(exec::Device, index_t, index_t, const Options&, const std::int32_t*, Factors);
template Placement place_factors<float>(exec::Device, index_t, index_t, const Options&, const std::int32_t*);
template InRegisters in_registers<float>(exec::Device, const CsrPattern&, const Options&);
template Options resolved<double>(exec::Device, const CsrPattern&, Options);
template Workspace place<double>(exec::Device, index_t, index_t, const Options&, const std::int32_t*, Factors);
template Placement place_factors<double>(exec::Device, index_t, index_t, const Options&, const std::int32_t*);
template InRegisters in_registers<double>(exec::Device, const CsrPattern&, const Options&);

template Options resolved<Complex<float>>(exec::Device, const CsrPattern&, Options);
template Workspace place<Complex<float>>(exec::Device, index_t, index_t, const Options&, const std::int32_t*, Factors);
template Placement place_factors<Complex<float>>(exec::Device, index_t, index_t, const Options&, const std::int32_t*);
template InRegisters in_registers<Complex<float>>(exec::Device, const CsrPattern&, const Options&);
template Options resolved<Complex<double>>(exec::Device, const CsrPattern&, Options);
template Workspace place<Complex<double>>(exec::Device, index_t, index_t, const Options&, const std::int32_t*, Factors);
template Placement place_factors<Complex<double>>(exec::Device, index_t, index_t, const Options&, const std::int32_t*);
template InRegisters in_registers<Complex<double>>(exec::Device, const CsrPattern&, const Options&);

}  // namespace phpc::batch
