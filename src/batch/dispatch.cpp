#include "batch/dispatch.hpp"

#include <algorithm>

#include "batch/memory_space.hpp"
#include "batch/method_launch.hpp"
#include "batch/method_tables.hpp"
#include "batch/solver/bicgstab.hpp"
#include "batch/solver/cg.hpp"
#include "phpc/core/error.hpp"

namespace phpc::batch {

namespace {

/// One row for each method.
template <class T>
struct MethodRow {
  std::string_view name;
  int vectors;  ///< r and d included
  void (*teams)(exec::Device, std::string_view, int, const SolveJob<T>&);
  void (*lanes)(std::string_view, const SolveJob<T>&);
};

template <class T, class Method>
constexpr MethodRow<T> method_row(std::string_view name) {
  return {name, first_vector + Method::vectors, launch_teams<T, Method>, launch_lanes<T, Method>};
}

template <class T>
constexpr MethodRow<T> methods[] = {
    method_row<T, BiCgStab>("bicgstab"),
    method_row<T, ConjugateGradients>("cg"),
};

/// Memory that a host thread may take for the lanes of a pack; larger systems are solved one by one.
constexpr std::size_t most_lane_bytes = std::size_t{256} << 20;

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) {
    text += (text.empty() ? "" : ", ") + name;
  }
  return text;
}

template <class T>
const MethodRow<T>& method_named(std::string_view name) {
  const auto* const found =
      std::find_if(std::begin(methods<T>), std::end(methods<T>), [&](const MethodRow<T>& row) { return row.name == name; });
  PHPC_VALIDATE(found != std::end(methods<T>), ErrorKind::usage,
                "unknown solver '" + std::string(name) + "'; give one of " + listed(solver_names()));
  return *found;
}

/// What a preconditioner keeps of each system, in values.
index_t preparation_size(std::string_view name, index_t rows, index_t entries) {
  index_t size = -1;
  for_each_preconditioner([&]<template <class> class P>(PreconditionerRow<P> row) {
    if (row.name == name) {
      size = P<MemorySpace<double, 1>>::need(rows, entries);
    }
  });
  PHPC_VALIDATE(size >= 0, ErrorKind::usage,
                "unknown preconditioner '" + std::string(name) + "'; give one of " + listed(preconditioner_names()));
  return size;
}

template <class T>
bool fits_lanes(std::string_view solver, std::string_view preconditioner, index_t rows, index_t entries) {
  const index_t values = (method_named<T>(solver).vectors + 2) * rows + preparation_size(preconditioner, rows, entries) + entries;
  return static_cast<std::size_t>(values) <= most_lane_bytes / sizeof(Pack<T>);
}

}  // namespace

std::vector<std::string> solver_names() {
  std::vector<std::string> names;
  for (const auto& row : methods<double>) {
    names.emplace_back(row.name);
  }
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
  const std::vector<int> sizes = team_sizes();
  PHPC_VALIDATE(std::find(sizes.begin(), sizes.end(), team_size) != sizes.end(), ErrorKind::usage,
                "no kernel has teams of " + std::to_string(team_size) + " threads");
  ScratchRequest request;
  request.rows = rows;
  request.entries = entries;
  request.value_bytes = value_bytes;
  request.vectors = method_named<double>(options.solver).vectors;
  request.preconditioner_size = preparation_size(options.preconditioner, rows, entries);
  if (kind == exec::DeviceKind::host && fits_lanes<double>(options.solver, options.preconditioner, rows, entries)) {
    request = {};  // packs have all they need on their thread
  }
  request.collective_bytes = collective_bytes(kind, team_size, Collectives<double, 1>::values_per_slot * value_bytes);
  return request;
}

template <class T>
void dispatch(exec::Device device, std::string_view solver, std::string_view preconditioner, int team_size,
              const SolveJob<T>& job) {
  const MethodRow<T>& method = method_named<T>(solver);
  if (device.is_host() && fits_lanes<T>(solver, preconditioner, job.matrix.rows, job.matrix.entries)) {
    method.lanes(preconditioner, job);
    return;
  }
  method.teams(device, preconditioner, team_size, job);
}

template void dispatch(exec::Device, std::string_view, std::string_view, int, const SolveJob<double>&);

}  // namespace phpc::batch
