#include "batch/plan/dispatch.hpp"
#include "batch/plan/method_rows.hpp"
#include "batch/precond/preconditioner_rows.hpp"
#include "batch/system/memory_context.hpp"
#include "phpc/core/error.hpp"

/// The memory that methods and preconditioners need.
namespace phpc::batch {

namespace {

/// Values that a preconditioner needs for each system: all of them, and those that remain its own where its factors are kept.
struct PreconditionerSize {
  index_t whole = 0;
  index_t own = 0;
};
PreconditionerSize preconditioner_size(const Options& options, index_t rows, index_t entries, const std::int32_t* table) {
  validate_preconditioner(options.preconditioner);
  PreconditionerSize size;
  if (method_named<double>(options.solver).preconditioned) {
    for_each_preconditioner([&]<template <class> class P>(PreconditionerRow<P> row) {
      if (row.name == options.preconditioner) {
        using Preconditioner = P<MemoryContext<double, 1>>;
        size = {Preconditioner::workspace_size(rows, entries, table), Preconditioner::workspace_size_with_factors(rows, table)};
      }
    });
  }
  return size;
}

/// Values that a preconditioner and the method's own work need for each system, in kernels with cycles of float.
index_t mixed_preparation_size(const Options& options, index_t rows, index_t entries, const std::int32_t* table) {
  const auto& method = method_named<double>(options.solver);
  return (method.preconditioned ? AnyPreconditioner<MemoryContext<float, 1>>::workspace_size(rows, entries, table) : 0) +
         method.workspace_size(rows, table);
}

/// The same in other kernels.
index_t preparation_size(const Options& options, index_t rows, index_t entries, const std::int32_t* table, Factors factors) {
  const auto& method = method_named<double>(options.solver);
  const PreconditionerSize size = preconditioner_size(options, rows, entries, table);
  return factors == Factors::own ? size.whole + method.workspace_size(rows, table)
                                 : size.own + method.workspace_size_with_factors(rows, table);
}

}  // namespace

template <class T>
bool fits_lanes(const Options& options, index_t rows, index_t entries, const std::int32_t* table) {
  if (has_cycles_of_float<T>(options)) {
    const index_t wide = 6 * rows + entries;
    const index_t low =
        method_named<T>(options.solver).vectors * rows + mixed_preparation_size(options, rows, entries, table) + entries;
    return 2 * wide + low <= most_lane_bytes / pack_bytes;
  }
  const index_t values = (method_named<T>(options.solver).vectors + 2) * rows +
                         preparation_size(options, rows, entries, table, Factors::own) + entries;
  return values <= most_lane_bytes / static_cast<index_t>(sizeof(Pack<T>));
}

template <class T>
index_t kept_size(const Options& options, index_t rows, index_t entries, const std::int32_t* table) {
  const auto& method = method_named<T>(options.solver);
  if (method.keeps_own_factors) {
    return method.workspace_size(rows, table);
  }
  const PreconditionerSize size = preconditioner_size(options, rows, entries, table);
  return size.whole > size.own ? size.whole : 0;
}

template <class T>
std::size_t kept_bytes(exec::Device device, const Options& options, index_t rows, index_t entries, const std::int32_t* table,
                       index_t sets) {
  const bool in_lanes = device.is_host() && fits_lanes<T>(options, rows, entries, table);
  const index_t together = in_lanes ? lanes<Pack<T>> : 1;
  return static_cast<std::size_t>(ceil_div(sets, together) * together * kept_size<T>(options, rows, entries, table)) * sizeof(T);
}

template <class T>
void make_factors(exec::Device device, const Options& options, const SolveJob<T>& job) {
  const MethodRow<T>& method = method_named<T>(options.solver);
  if (device.is_host() && fits_lanes<T>(options, job.matrix.rows, job.matrix.entries, job.table)) {
    method.keep_lanes(job);
  } else {
    method.keep_teams(device, job);
  }
}

template <class T>
ScratchRequest scratch_request(const Options& options, int team_size, exec::DeviceKind kind, index_t rows, index_t entries,
                               const std::int32_t* table, Factors factors) {
  const auto& method = method_named<double>(options.solver);
  const bool mixed = has_cycles_of_float<T>(options);
  PHPC_VALIDATE(!mixed || method.mixed_teams != nullptr, ErrorKind::usage,
                "solver '" + options.solver + "' has no cycles in f32; give one of " + listed(mixed_solver_names()) +
                    ", or f64 throughout");
  ScratchRequest request;
  request.rows = rows;
  request.entries = entries;
  request.value_bytes = mixed ? sizeof(float) : sizeof(T);
  request.vectors = method.vectors;
  request.matrix_is_reread = method.preconditioned;
  request.preconditioner_size =
      mixed ? mixed_preparation_size(options, rows, entries, table) : preparation_size(options, rows, entries, table, factors);
  if (kind == exec::DeviceKind::host && fits_lanes<T>(options, rows, entries, table)) {
    request = {};  // packs have memory of their own
  }
  // Solves with histories use the general kernel, whatever the plan was made for.
  request.collective_bytes = collective_bytes(kind, std::max(team_size, general_team_size), sizeof(T));
  return request;
}

template ScratchRequest scratch_request<float>(const Options&, int, exec::DeviceKind, index_t, index_t, const std::int32_t*,
                                               Factors);
template ScratchRequest scratch_request<double>(const Options&, int, exec::DeviceKind, index_t, index_t, const std::int32_t*,
                                                Factors);
template index_t kept_size<float>(const Options&, index_t, index_t, const std::int32_t*);
template index_t kept_size<double>(const Options&, index_t, index_t, const std::int32_t*);
template bool fits_lanes<float>(const Options&, index_t, index_t, const std::int32_t*);
template bool fits_lanes<double>(const Options&, index_t, index_t, const std::int32_t*);
template std::size_t kept_bytes<float>(exec::Device, const Options&, index_t, index_t, const std::int32_t*, index_t);
template std::size_t kept_bytes<double>(exec::Device, const Options&, index_t, index_t, const std::int32_t*, index_t);
template void make_factors(exec::Device, const Options&, const SolveJob<float>&);
template void make_factors(exec::Device, const Options&, const SolveJob<double>&);
template ScratchRequest scratch_request<Complex<float>>(const Options&, int, exec::DeviceKind, index_t, index_t,
                                                        const std::int32_t*, Factors);
template ScratchRequest scratch_request<Complex<double>>(const Options&, int, exec::DeviceKind, index_t, index_t,
                                                         const std::int32_t*, Factors);
template index_t kept_size<Complex<float>>(const Options&, index_t, index_t, const std::int32_t*);
template index_t kept_size<Complex<double>>(const Options&, index_t, index_t, const std::int32_t*);
template bool fits_lanes<Complex<float>>(const Options&, index_t, index_t, const std::int32_t*);
template bool fits_lanes<Complex<double>>(const Options&, index_t, index_t, const std::int32_t*);
template std::size_t kept_bytes<Complex<float>>(exec::Device, const Options&, index_t, index_t, const std::int32_t*, index_t);
template std::size_t kept_bytes<Complex<double>>(exec::Device, const Options&, index_t, index_t, const std::int32_t*, index_t);
template void make_factors(exec::Device, const Options&, const SolveJob<Complex<float>>&);
template void make_factors(exec::Device, const Options&, const SolveJob<Complex<double>>&);

}  // namespace phpc::batch
