#include "phpc/batch/solver.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <optional>

#include "phpc/batch/plan.hpp"
#include "phpc/core/error.hpp"
#include "phpc/exec/split.hpp"

namespace phpc::batch {

namespace {

constexpr std::string_view status_names[] = {"converged", "max_iterations", "breakdown", "stagnated", "not_finite"};
constexpr std::string_view kind_names[] = {"rhs", "initial", "absolute"};

/// Solves of a piece on the host; in pieces only to report progress.
constexpr index_t host_piece = 16384;

/// A batch and everything that belongs to its solves. A solve is that of one right-hand side; each system has `repeat`.
template <class T>
struct SolveSet {
  const CsrBatch<T>& matrix;
  std::span<const T> rhs;
  std::span<T> x;
  const Options& options;
  const PerSystem& per_system;
  index_t repeat;
  std::span<Report> reports;
  StoredPattern stored;  ///< how values lie on devices

  [[nodiscard]] index_t rows() const { return matrix.rows(); }
  [[nodiscard]] index_t solves() const { return matrix.systems() * repeat; }
  [[nodiscard]] index_t history_stride() const { return per_system.history.empty() ? 0 : iteration_cap(options, rows()) + 1; }
  /// Sets of given factors of scaling: 1 for all systems, or one for each set of values; 0 where none are given.
  [[nodiscard]] index_t factor_sets() const { return static_cast<index_t>(per_system.row_factors.size()) / rows(); }
  /// Most sets of values that `solves` successive solves use.
  [[nodiscard]] index_t sets_of(index_t solves) const {
    return std::min(matrix.value_sets(), (solves + repeat - 2) / repeat + 1);
  }
  [[nodiscard]] index_t set_of(index_t solve) const { return solve / repeat % matrix.value_sets(); }
};

/// The number of right-hand sides of a matrix from which on its factors are kept: with eight, lu takes half of the time, with
/// three a fifth less at 64 rows and no less at eight rows (AVX-512, one thread).
constexpr index_t worth_keeping = 4;

/// Whether enough solves share a matrix to keep its factors. This does not depend on how the problem is split, so that results
/// have the same bytes however it is.
template <class T>
bool shares_matrices(const SolveSet<T>& problem) {
  return problem.repeat >= worth_keeping || (problem.matrix.value_sets() == 1 && problem.solves() >= worth_keeping);
}

/// Whether the solves of a plan keep factors: not those of tridiagonal systems on the host, which are eliminated as quickly as
/// their factors are gathered, and not where a team size is asked for on a GPU, since kept factors have a team size of their own.
template <class T>
bool keeps(const Plan<T>& plan, const SolveSet<T>& problem) {
  const bool is_host = plan.device().is_host();
  const bool is_wanted = is_host ? problem.options.solver != "tridiagonal" : problem.options.team_size == 0;
  return is_wanted && plan.keeps_factors() && shares_matrices(problem);
}

/// Sets of values whose factors are kept at a time on the host: as many as fit in 256 MiB, rounded to whole packs.
template <class T>
index_t kept_sets(const SolveSet<T>& problem) {
  constexpr std::uint64_t most = std::uint64_t{256} << 20;
  constexpr index_t block = 64;
  const std::size_t bytes = Plan<T>::factor_bytes(exec::Device::host(), problem.matrix.pattern(), problem.options, block);
  return std::max<index_t>(1, static_cast<index_t>(most / bytes)) * block;
}

/// The number of solves that fit on the device at a time, at least one: with the sets of values that they use, they take nine
/// tenths of its free memory.
template <class T>
index_t piece_size(exec::Device device, const SolveSet<T>& problem, index_t solves) {
  if (device.is_host()) {
    return std::min(solves, host_piece);
  }
  const std::uint64_t free = device.free_memory_bytes() / 10 * 9;
  if (free == 0) {
    return solves;
  }
  const auto bytes = [](index_t count, std::size_t size) { return static_cast<std::uint64_t>(count) * size; };
  const index_t copies = problem.options.operation == Operation::none ? 1 : 2;
  const std::uint64_t factor_bytes =
      shares_matrices(problem) ? Plan<T>::factor_bytes(device, problem.matrix.pattern(), problem.options, 1) : 0;
  const index_t set_values = problem.stored.storage == Storage::csr ? copies * problem.matrix.entries()
                                                                    : problem.stored.values + problem.matrix.entries();
  const std::uint64_t set_bytes =
      bytes(set_values, sizeof(T)) + factor_bytes + bytes(problem.factor_sets() > 1 ? 2 * problem.rows() : 0, sizeof(double));
  const std::uint64_t solve_bytes =
      bytes(2 * problem.rows(), sizeof(T)) + bytes(problem.history_stride() + 1, sizeof(double)) + sizeof(Report) +
      Plan<T>::workspace_bytes(device, problem.matrix.pattern(), problem.options, problem.history_stride() > 0);
  const std::uint64_t all_sets_bytes = bytes(problem.matrix.value_sets(), 1) * set_bytes;
  if (all_sets_bytes < free / 2) {
    return std::clamp<index_t>(static_cast<index_t>((free - all_sets_bytes) / solve_bytes), 1, solves);
  }
  // Each set of values that a piece uses serves `repeat` of its solves, but the first and the last may serve fewer.
  const auto repeat = static_cast<std::uint64_t>(problem.repeat);
  const std::uint64_t left = free > 2 * set_bytes ? free - 2 * set_bytes : 0;
  return std::clamp<index_t>(static_cast<index_t>(left / (solve_bytes * repeat + set_bytes) * repeat), 1, solves);
}

/// The arrays of `count` solves from `begin` on, in host memory, with sets of values numbered from set `base` on.
template <class T>
DeviceArrays<T> arrays_on_host(const SolveSet<T>& problem, index_t begin, index_t count, index_t base = 0) {
  const index_t offset = begin * problem.rows();
  const index_t first_factors = problem.factor_sets() > 1 ? base * problem.rows() : 0;
  const PerSystem& more = problem.per_system;
  return {.solves = count,
          .value_sets = problem.matrix.value_sets() - base,
          .first_set = problem.set_of(begin) - base,
          .first_rhs = begin % problem.repeat,
          .values = problem.matrix.values().data() + base * problem.matrix.entries(),
          .rhs = problem.rhs.data() + offset,
          .x = problem.x.data() + offset,
          .reports = problem.reports.data() + begin,
          .tolerances = more.tolerances.empty() ? nullptr : more.tolerances.data() + begin,
          .history = more.history.empty() ? nullptr : more.history.data() + begin * problem.history_stride(),
          .row_factors = more.row_factors.data() + first_factors,
          .column_factors = more.column_factors.data() + first_factors,
          .factor_sets = std::max<index_t>(problem.factor_sets() - base, 1)};
}

/// Does `count` solves from `begin` on, on the host, in place.
template <class T>
void solve_on_host(Plan<T>& plan, const SolveSet<T>& problem, index_t begin, index_t count) {
  if (!keeps(plan, problem)) {
    plan.execute(arrays_on_host(problem, begin, count));
    return;
  }
  const index_t sets = problem.matrix.value_sets();
  const index_t most = kept_sets(problem);
  for (const index_t end = begin + count; begin < end;) {
    const bool takes_all = sets <= most && problem.sets_of(end - begin) == sets;  // the solves use all sets, once or more often
    const index_t base = takes_all ? 0 : problem.set_of(begin);
    const index_t kept = std::min({most, sets - base, problem.sets_of(end - begin)});
    const index_t own = takes_all ? end - begin : std::min(kept * problem.repeat - begin % problem.repeat, end - begin);
    DeviceArrays<T> arrays = arrays_on_host(problem, begin, own, base);
    arrays.value_sets = kept;
    arrays.factor_sets = std::min(arrays.factor_sets, kept);
    plan.factorise(arrays);
    plan.solve(arrays);
    begin += own;
  }
}

/// The arrays of a piece of a batch in device memory.
template <class T>
class DevicePiece {
 public:
  DevicePiece(exec::Device device, const SolveSet<T>& problem, index_t solves)
      : values_(device, problem.sets_of(solves) * problem.stored.values),
        rhs_(device, solves * problem.rows()),
        x_(device, solves * problem.rows()),
        reports_(device, solves),
        tolerances_(device, problem.per_system.tolerances.empty() ? 0 : solves),
        history_(device, solves * problem.history_stride()),
        row_factors_(device, factor_values(problem, solves)),
        column_factors_(device, factor_values(problem, solves)) {}

  void solve(Plan<T>& plan, const SolveSet<T>& problem, index_t begin, index_t count) {
    const index_t rows = problem.rows();
    const PerSystem& more = problem.per_system;
    const index_t sets = problem.sets_of(count);
    const index_t first = problem.set_of(begin);
    copy_values(problem, first, sets);
    const bool one_for_all = problem.factor_sets() == 1;
    if (!more.row_factors.empty()) {
      copy_sets(more.row_factors, rows, one_for_all ? 0 : first, one_for_all ? 1 : sets, row_factors_);
      copy_sets(more.column_factors, rows, one_for_all ? 0 : first, one_for_all ? 1 : sets, column_factors_);
    }
    rhs_.copy_from(problem.rhs.subspan(begin * rows, count * rows));
    x_.copy_from(problem.x.subspan(begin * rows, count * rows));
    if (!more.tolerances.empty()) {
      tolerances_.copy_from(more.tolerances.subspan(begin, count));
    }
    const index_t stride = problem.history_stride();
    history_.copy_from(more.history.subspan(begin * stride, count * stride));
    const DeviceArrays<T> arrays{.solves = count,
                                 .value_sets = sets,
                                 .first_set = 0,
                                 .first_rhs = begin % problem.repeat,
                                 .values = values_.data(),
                                 .rhs = rhs_.data(),
                                 .x = x_.data(),
                                 .reports = reports_.data(),
                                 .tolerances = tolerances_.data(),
                                 .history = history_.data(),
                                 .row_factors = row_factors_.data(),
                                 .column_factors = column_factors_.data(),
                                 .factor_sets = one_for_all ? 1 : sets};
    if (keeps(plan, problem)) {
      plan.factorise(arrays);
      plan.solve(arrays);
    } else {
      plan.execute(arrays);
    }
    x_.copy_to(problem.x.subspan(begin * rows, count * rows));
    reports_.copy_to(problem.reports.subspan(begin, count));
    history_.copy_to(more.history.subspan(begin * stride, count * stride));
  }

 private:
  static index_t factor_values(const SolveSet<T>& problem, index_t solves) {
    return std::min(problem.factor_sets(), problem.sets_of(solves)) * problem.rows();
  }

  /// Copies the matrices of `count` sets from set `first` on, in their storage.
  void copy_values(const SolveSet<T>& problem, index_t first, index_t count) {
    const index_t entries = problem.matrix.entries();
    if (problem.stored.storage == Storage::csr) {
      copy_sets(problem.matrix.values(), entries, first, count, values_);
      return;
    }
    const index_t before_wrap = std::min(count, problem.matrix.value_sets() - first);
    const auto put = [&](index_t set, index_t sets, index_t to) {
      const std::span<const T> own =
          problem.matrix.values().subspan(static_cast<std::size_t>(set * entries), static_cast<std::size_t>(sets * entries));
      values_.copy_from(std::span<const T>(stored_values(problem.stored, sets, own)), to * problem.stored.values);
    };
    put(first, before_wrap, 0);
    put(0, count - before_wrap, before_wrap);
  }

  /// Copies `count` sets of `size` values from set `first` on; after the last set comes the first.
  template <class V>
  static void copy_sets(std::span<const V> all, index_t size, index_t first, index_t count, exec::Buffer<V>& to) {
    const index_t sets = size > 0 ? static_cast<index_t>(all.size()) / size : 0;
    const index_t before_wrap = std::min(count, std::max<index_t>(sets - first, 0));
    to.copy_from(all.subspan(first * size, before_wrap * size));
    to.copy_from(all.subspan(0, (count - before_wrap) * size), before_wrap * size);
  }

  exec::Buffer<T> values_;
  exec::Buffer<T> rhs_;
  exec::Buffer<T> x_;
  exec::Buffer<Report> reports_;
  exec::Buffer<double> tolerances_;
  exec::Buffer<double> history_;
  exec::Buffer<double> row_factors_;
  exec::Buffer<double> column_factors_;
};

/// Throws Error(usage) where the sizes of a problem's arrays do not fit one another.
template <class T>
void validate(const SolveSet<T>& problem) {
  const PerSystem& more = problem.per_system;
  const auto solves = static_cast<std::size_t>(problem.solves());
  const auto rows = static_cast<std::size_t>(problem.rows());
  PHPC_VALIDATE(problem.rhs.size() == solves * rows && problem.x.size() == solves * rows, ErrorKind::usage,
                "right-hand sides of " + std::to_string(problem.rhs.size()) + " and solutions of " +
                    std::to_string(problem.x.size()) + " values; " + std::to_string(solves) + " of " + std::to_string(rows) +
                    " rows need " + std::to_string(solves * rows) + " each");
  PHPC_VALIDATE(more.tolerances.empty() || more.tolerances.size() == solves, ErrorKind::usage,
                std::to_string(more.tolerances.size()) + " tolerances for " + std::to_string(solves) +
                    " right-hand sides; give one each, or none");
  for (const double tolerance : more.tolerances) {
    PHPC_VALIDATE(std::isfinite(tolerance) && tolerance >= 0, ErrorKind::usage,
                  "tolerance " + std::to_string(tolerance) + " is no number >= 0");
  }
  PHPC_VALIDATE(static_cast<index_t>(more.history.size()) == problem.solves() * problem.history_stride(), ErrorKind::usage,
                "a history of " + std::to_string(more.history.size()) + " values; " + std::to_string(solves) +
                    " right-hand sides need " + std::to_string(iteration_cap(problem.options, problem.rows()) + 1) + " each");
  if (problem.options.scaling != Scaling::given) {
    PHPC_VALIDATE(more.row_factors.empty() && more.column_factors.empty(), ErrorKind::usage,
                  "factors that nothing is scaled by; ask for scaling by given ones");
    return;
  }
  const auto all = static_cast<std::size_t>(problem.matrix.value_sets()) * rows;
  PHPC_VALIDATE(more.row_factors.size() == more.column_factors.size() &&
                    (more.row_factors.size() == rows || more.row_factors.size() == all),
                ErrorKind::usage,
                std::to_string(more.row_factors.size()) + " factors of rows and " + std::to_string(more.column_factors.size()) +
                    " of columns; give " + std::to_string(rows) + " each, or " + std::to_string(all));
  for (const std::span<const double> factors : {more.row_factors, more.column_factors}) {
    for (const double factor : factors) {
      PHPC_VALIDATE(std::isfinite(factor) && factor > 0, ErrorKind::usage,
                    "factor " + std::to_string(factor) + " of a scaling; give positive numbers");
    }
  }
  PHPC_VALIDATE(
      problem.options.solver != "cg" || std::ranges::equal(more.row_factors, more.column_factors), ErrorKind::usage,
      "cg scaled by different factors of rows and columns, which leave no matrix symmetric; give the same, or another solver");
}

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
                          std::span<const exec::Device> devices, Progress& progress, const PerSystem& per_system) {
  PHPC_VALIDATE(!devices.empty(), ErrorKind::usage, "no device to solve on; give at least one");
  const Plan<T> checked(devices.front(), matrix.pattern(), 0, options);  // throws for wrong options
  std::vector<Report> reports(static_cast<std::size_t>(matrix.systems() * options.rhs_per_system));
  const SolveSet<T> problem{
      matrix, rhs, x, options, per_system, options.rhs_per_system, reports, stored_pattern(matrix.pattern(), options.storage)};
  validate(problem);
  std::ranges::fill(per_system.history, std::numeric_limits<double>::quiet_NaN());
  std::mutex progress_mutex;
  progress.begin("systems", static_cast<std::uint64_t>(problem.solves()));
  exec::for_each_device(devices, problem.solves(), [&](exec::Device device, exec::Range range) {
    const index_t piece = piece_size(device, problem, range.size());
    Options own = options;
    own.storage = device.is_host() ? Storage::csr : options.storage;
    Plan<T> plan(device, matrix.pattern(), piece, own);
    std::optional<DevicePiece<T>> copies;
    if (!device.is_host()) {
      copies.emplace(device, problem, piece);
    }
    for (index_t begin = range.begin; begin < range.end; begin += piece) {
      const index_t count = std::min(piece, range.end - begin);
      if (device.is_host()) {
        solve_on_host(plan, problem, begin, count);
      } else {
        copies->solve(plan, problem, begin, count);
      }
      const std::scoped_lock lock(progress_mutex);
      progress.advance(static_cast<std::uint64_t>(count));
    }
  });
  progress.end();
  return reports;
}

template std::vector<Report> solve(const CsrBatch<float>&, std::span<const float>, std::span<float>, const Options&,
                                   std::span<const exec::Device>, Progress&, const PerSystem&);
template std::vector<Report> solve(const CsrBatch<double>&, std::span<const double>, std::span<double>, const Options&,
                                   std::span<const exec::Device>, Progress&, const PerSystem&);
template std::vector<Report> solve(const CsrBatch<Complex<double>>&, std::span<const Complex<double>>, std::span<Complex<double>>,
                                   const Options&, std::span<const exec::Device>, Progress&, const PerSystem&);
template std::vector<Report> solve(const CsrBatch<Complex<float>>&, std::span<const Complex<float>>, std::span<Complex<float>>,
                                   const Options&, std::span<const exec::Device>, Progress&, const PerSystem&);

}  // namespace phpc::batch
