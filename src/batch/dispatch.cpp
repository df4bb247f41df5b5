#include "batch/dispatch.hpp"

#include "batch/precond/identity.hpp"
#include "batch/precond/jacobi.hpp"
#include "batch/solve_kernel.hpp"
#include "batch/solver/bicgstab.hpp"
#include "batch/solver/cg.hpp"
#include "phpc/core/error.hpp"

namespace phpc::batch {

namespace {

// --- the tables: one row for each method, preconditioner and team size ------------------------------------------------------

template <class M>
struct MethodRow {
  using Method = M;
  std::string_view name;
};

template <template <class> class P>
struct PreconditionerRow {
  template <class T>
  using Preconditioner = P<T>;
  std::string_view name;
};

template <int Size>
struct TeamRow {
  static constexpr int size = Size;
};

/// Calls action(row) for every row of a table.
template <class Action>
void for_each_method(Action action) {
  action(MethodRow<BiCgStab>{"bicgstab"});
  action(MethodRow<ConjugateGradients>{"cg"});
}

template <class Action>
void for_each_preconditioner(Action action) {
  action(PreconditionerRow<JacobiPreconditioner>{"jacobi"});
  action(PreconditionerRow<IdentityPreconditioner>{"none"});
}

template <class Action>
void for_each_team_size(Action action) {
  action(TeamRow<1>{});  // the host, and the x86_64 offload device, whose threads are worth more as teams of their own
  action(TeamRow<32>{});
  action(TeamRow<64>{});
  action(TeamRow<128>{});
  action(TeamRow<256>{});
}

// ------------------------------------------------------------------------------------------------------------------------------

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) {
    text += (text.empty() ? "" : ", ") + name;
  }
  return text;
}

/// Runs action(method row, preconditioner row) for the two that the names mean.
template <class Action>
void with_rows(std::string_view solver, std::string_view preconditioner, Action action) {
  bool method_found = false;
  bool preconditioner_found = false;
  for_each_method([&](auto method) {
    if (method.name != solver) {
      return;
    }
    method_found = true;
    for_each_preconditioner([&](auto row) {
      if (row.name == preconditioner) {
        preconditioner_found = true;
        action(method, row);
      }
    });
  });
  PHPC_VALIDATE(method_found, ErrorKind::usage,
                "unknown solver '" + std::string(solver) + "'; give one of " + listed(solver_names()));
  PHPC_VALIDATE(preconditioner_found, ErrorKind::usage,
                "unknown preconditioner '" + std::string(preconditioner) + "'; give one of " + listed(preconditioner_names()));
}

template <class Action>
void with_team_size(int team_size, Action action) {
  bool found = false;
  for_each_team_size([&](auto row) {
    if (row.size == team_size) {
      found = true;
      action(row);
    }
  });
  PHPC_VALIDATE(found, ErrorKind::usage, "no kernel has teams of " + std::to_string(team_size) + " threads");
}

}  // namespace

std::vector<std::string> solver_names() {
  std::vector<std::string> names;
  for_each_method([&](auto row) { names.emplace_back(row.name); });
  return names;
}

std::vector<std::string> preconditioner_names() {
  std::vector<std::string> names;
  for_each_preconditioner([&](auto row) { names.emplace_back(row.name); });
  return names;
}

std::vector<int> team_sizes() {
  std::vector<int> sizes;
  for_each_team_size([&](auto row) { sizes.push_back(row.size); });
  return sizes;
}

int default_team_size(exec::DeviceKind kind, index_t rows) {
  if (kind == exec::DeviceKind::host || kind == exec::DeviceKind::x86_64) {
    return 1;
  }
  // A thread a row up to 64; beyond that, fewer threads with two rows each waste less than many with none.
  return rows <= 32 ? 32 : rows <= 64 ? 64 : rows <= 192 ? 128 : 256;
}

ScratchRequest scratch_request(const Options& options, int team_size, exec::DeviceKind kind, index_t rows, index_t entries,
                               std::size_t value_bytes) {
  with_team_size(team_size, [](auto) {});
  ScratchRequest request;
  request.rows = rows;
  request.entries = entries;
  request.value_bytes = value_bytes;
  with_rows(options.solver, options.preconditioner, [&](auto method, auto preconditioner) {
    request.vectors = decltype(method)::Method::vectors;
    request.preconditioner_size = decltype(preconditioner)::template Preconditioner<double>::scratch_need(rows, entries);
  });
  // Collectives<T> is one value and a pair of them.
  request.collective_bytes = collective_bytes(kind, team_size, 3 * value_bytes);
  return request;
}

template <class T>
void dispatch(exec::Device device, std::string_view solver, std::string_view preconditioner, int team_size,
              const SolveJob<T>& job) {
  with_rows(solver, preconditioner, [&](auto method, auto row) {
    with_team_size(team_size, [&](auto team) {
      using Method = typename decltype(method)::Method;
      using Preconditioner = typename decltype(row)::template Preconditioner<T>;
      exec::launch(device, solve_shape(job), SolveKernel<T, Method, Preconditioner, decltype(team)::size>{job});
    });
  });
}

template void dispatch(exec::Device, std::string_view, std::string_view, int, const SolveJob<double>&);

}  // namespace phpc::batch
