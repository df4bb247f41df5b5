#include "batch/plan/mixed_dispatch.hpp"

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include "batch/mixed/launch.hpp"
#include "batch/mixed/mixed_cycle.hpp"
#include "batch/plan/dispatch.hpp"
#include "batch/precond/preconditioner_rows.hpp"
#include "batch/solver/bicgstab.hpp"
#include "batch/solver/cg.hpp"
#include "batch/solver/dense_lu.hpp"
#include "batch/solver/gmres.hpp"
#include "batch/solver/sparse_lu.hpp"
#include "batch/system/memory_context.hpp"
#include "phpc/core/error.hpp"

namespace phpc::batch {

namespace {

/// What is known of one method.
struct MixedRow {
  std::string_view name;
  int vectors;  ///< r and d included
  bool preconditioned;
  index_t (*workspace_size)(index_t rows, const std::int32_t* table);
  void (*teams)(exec::Device, const SolveJob<double>&);
  void (*lanes)(std::string_view, const SolveJob<double>&);
};

template <class Method>
constexpr MixedRow row_of(std::string_view name) {
  return {name,
          first_vector + Method::vectors,
          Method::preconditioned,
          Method::workspace_size,
          launch_mixed_teams<Method>,
          launch_mixed_lanes<Method>};
}

/// The methods whose cycles take most of a solve's time. A cycle of Richardson's iteration, or of triangular or tridiagonal
/// substitution, costs about as much as the residual that follows it.
constexpr MixedRow mixed_methods[] = {
    row_of<BiCgStab>("bicgstab"), row_of<ConjugateGradients>("cg"), row_of<Gmres>("gmres"),
    row_of<DenseLu>("lu"),        row_of<SparseLu>("sparse-lu"),
};

const MixedRow& method_named(std::string_view name) {
  const auto* const found =
      std::find_if(std::begin(mixed_methods), std::end(mixed_methods), [&](const MixedRow& row) { return row.name == name; });
  PHPC_VALIDATE(found != std::end(mixed_methods), ErrorKind::usage,
                "solver '" + std::string(name) + "' has no cycles in f32; give one of " + listed(mixed_solver_names()) +
                    ", or f64 throughout");
  return *found;
}

/// Values that a preconditioner and the method's own work need for each system.
index_t mixed_preparation_size(const Options& options, index_t rows, index_t entries, const std::int32_t* table) {
  const MixedRow& method = method_named(options.solver);
  return (method.preconditioned ? AnyPreconditioner<MemoryContext<float, 1>>::workspace_size(rows, entries, table) : 0) +
         method.workspace_size(rows, table);
}

/// Whether the host solves systems of that size in the lanes of packs.
bool fits_lanes(const Options& options, index_t rows, index_t entries, const std::int32_t* table) {
  const index_t wide = 6 * rows + entries;
  const index_t low =
      method_named(options.solver).vectors * rows + mixed_preparation_size(options, rows, entries, table) + entries;
  return 2 * wide + low <= most_lane_bytes / pack_bytes;
}

}  // namespace

std::vector<std::string> mixed_solver_names() {
  std::vector<std::string> names;
  for (const MixedRow& row : mixed_methods) {
    names.emplace_back(row.name);
  }
  return names;
}

ScratchRequest mixed_scratch_request(const Options& options, exec::DeviceKind kind, index_t rows, index_t entries,
                                     const std::int32_t* table) {
  ScratchRequest request;
  if (kind != exec::DeviceKind::host || !fits_lanes(options, rows, entries, table)) {
    request.rows = rows;
    request.entries = entries;
    request.value_bytes = sizeof(float);
    request.vectors = method_named(options.solver).vectors;
    request.matrix_is_reread = method_named(options.solver).preconditioned;
    request.preconditioner_size = mixed_preparation_size(options, rows, entries, table);
  }
  request.collective_bytes = collective_bytes(kind, general_team_size, sizeof(double));
  return request;
}

std::size_t mixed_workspace_bytes(index_t rows, index_t entries, Memory matrix) {
  return mixed_bytes(rows, entries, matrix == Memory::scratch);
}

void dispatch_mixed(exec::Device device, const Options& options, const SolveJob<double>& job) {
  const MixedRow& method = method_named(options.solver);
  if (device.is_host() && fits_lanes(options, job.matrix.rows, job.matrix.entries, job.table)) {
    method.lanes(options.preconditioner, job);
    return;
  }
  method.teams(device, job);
}

}  // namespace phpc::batch
