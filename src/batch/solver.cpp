#include "phpc/batch/solver.hpp"

#include <algorithm>
#include <mutex>
#include <optional>

#include "phpc/batch/plan.hpp"
#include "phpc/core/error.hpp"
#include "phpc/exec/split.hpp"

namespace phpc::batch {

namespace {

constexpr std::string_view status_names[] = {"converged", "max_iterations", "breakdown", "stagnated", "not_finite"};
constexpr std::string_view kind_names[] = {"rhs", "initial", "absolute"};

/// Host systems are solved in pieces only so that progress can be told.
constexpr index_t host_piece = 16384;

/// Most systems that fit on the device at a time, at least one: nine tenths of its free memory, shared with `sets` sets of values
/// that all of them may need.
template <class T>
index_t piece_size(exec::Device device, const CsrBatch<T>& matrix, index_t systems, const Options& options) {
  if (device.is_host()) {
    return std::min(systems, host_piece);
  }
  const std::uint64_t free = device.free_memory_bytes() / 10 * 9;
  if (free == 0) {
    return systems;
  }
  const std::uint64_t set_bytes = static_cast<std::uint64_t>(matrix.entries()) * sizeof(T);
  const std::uint64_t vector_bytes = static_cast<std::uint64_t>(matrix.rows()) * sizeof(T);
  const std::uint64_t system_bytes =
      2 * vector_bytes + sizeof(Report) + Plan<T>::workspace_bytes(device, matrix.pattern(), options);
  const std::uint64_t all_sets_bytes = static_cast<std::uint64_t>(matrix.value_sets()) * set_bytes;
  // A piece of p systems takes min(p, sets) sets.
  std::uint64_t piece = free / (system_bytes + set_bytes);
  if (piece > static_cast<std::uint64_t>(matrix.value_sets())) {
    piece = (free - all_sets_bytes) / system_bytes;
  }
  return std::clamp<index_t>(static_cast<index_t>(piece), 1, systems);
}

/// `count` systems from `begin` on the host itself, in place.
template <class T>
void solve_on_host(Plan<T>& plan, const CsrBatch<T>& matrix, const T* rhs, T* x, Report* reports, index_t begin, index_t count) {
  const CsrView<T> view = matrix.view(begin, count);
  const index_t offset = begin * matrix.rows();
  plan.execute(count, view.value_sets, view.first_set, view.values, rhs + offset, x + offset, reports + begin);
}

/// Device copies of a piece of a batch.
template <class T>
struct DevicePiece {
  exec::Buffer<T> values;
  exec::Buffer<T> rhs;
  exec::Buffer<T> x;
  exec::Buffer<Report> reports;

  DevicePiece(exec::Device device, index_t systems, index_t sets, index_t rows, index_t entries)
      : values(device, sets * entries), rhs(device, systems * rows), x(device, systems * rows), reports(device, systems) {}

  void solve(Plan<T>& plan, const CsrBatch<T>& matrix, std::span<const T> all_rhs, std::span<T> all_x,
             std::span<Report> all_reports, index_t begin, index_t count) {
    const index_t rows = matrix.rows();
    const index_t entries = matrix.entries();
    // The sets of these systems in their order, those past the last one from the first on.
    const index_t sets = std::min(matrix.value_sets(), count);
    const index_t first = begin % matrix.value_sets();
    const index_t before_wrap = std::min(sets, matrix.value_sets() - first);
    values.copy_from(matrix.values().subspan(first * entries, before_wrap * entries));
    values.copy_from(matrix.values().subspan(0, (sets - before_wrap) * entries), before_wrap * entries);
    rhs.copy_from(all_rhs.subspan(begin * rows, count * rows));
    x.copy_from(all_x.subspan(begin * rows, count * rows));
    plan.execute(count, sets, 0, values.data(), rhs.data(), x.data(), reports.data());
    x.copy_to(all_x.subspan(begin * rows, count * rows));
    reports.copy_to(all_reports.subspan(begin, count));
  }
};

}  // namespace

std::string_view to_string(Status status) {
  return status_names[static_cast<int>(status)];
}

std::vector<std::string> tolerance_kind_names() {
  return {std::begin(kind_names), std::end(kind_names)};
}

ToleranceKind parse_tolerance_kind(std::string_view name) {
  const auto* const found = std::find(std::begin(kind_names), std::end(kind_names), name);
  PHPC_VALIDATE(found != std::end(kind_names), ErrorKind::usage,
                "unknown kind of tolerance '" + std::string(name) + "'; give rhs, initial or absolute");
  return static_cast<ToleranceKind>(found - std::begin(kind_names));
}

template <class T>
std::vector<Report> solve(const CsrBatch<T>& matrix, std::span<const T> rhs, std::span<T> x, const Options& options,
                          std::span<const exec::Device> devices, Progress& progress) {
  const index_t systems = matrix.systems();
  const auto unknowns = static_cast<std::size_t>(systems * matrix.rows());
  PHPC_VALIDATE(rhs.size() == unknowns && x.size() == unknowns, ErrorKind::usage,
                "right-hand sides of " + std::to_string(rhs.size()) + " and solutions of " + std::to_string(x.size()) +
                    " values; " + std::to_string(systems) + " systems of " + std::to_string(matrix.rows()) + " rows need " +
                    std::to_string(unknowns) + " each");
  PHPC_VALIDATE(!devices.empty(), ErrorKind::usage, "no device to solve on; give at least one");
  if (systems == 0) {
    const Plan<T> checked(devices.front(), matrix.pattern(), 0, options);  // throws for wrong options
    return {};
  }
  std::vector<Report> reports(static_cast<std::size_t>(systems));
  std::mutex progress_mutex;
  progress.begin("systems", static_cast<std::uint64_t>(systems));
  exec::for_each_device(devices, systems, [&](exec::Device device, exec::Range range) {
    const index_t piece = piece_size(device, matrix, range.size(), options);
    Plan<T> plan(device, matrix.pattern(), piece, options);
    const index_t sets = std::min(matrix.value_sets(), piece);
    std::optional<DevicePiece<T>> copies;
    if (!device.is_host()) {
      copies.emplace(device, piece, sets, matrix.rows(), matrix.entries());
    }
    for (index_t begin = range.begin; begin < range.end; begin += piece) {
      const index_t count = std::min(piece, range.end - begin);
      if (device.is_host()) {
        solve_on_host(plan, matrix, rhs.data(), x.data(), reports.data(), begin, count);
      } else {
        copies->solve(plan, matrix, rhs, x, reports, begin, count);
      }
      const std::scoped_lock lock(progress_mutex);
      progress.advance(static_cast<std::uint64_t>(count));
    }
  });
  progress.end();
  return reports;
}

template std::vector<Report> solve(const CsrBatch<double>&, std::span<const double>, std::span<double>, const Options&,
                                   std::span<const exec::Device>, Progress&);

}  // namespace phpc::batch
