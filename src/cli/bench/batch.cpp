#include "cli/bench/batch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <utility>

#include "jobs/batch/input.hpp"
#include "jobs/batch/precision.hpp"
#include "jobs/memory_check.hpp"
#include "phpc/batch/plan.hpp"
#include "phpc/core/error.hpp"

namespace phpc::cli {

namespace {

/// Most systems that are made or read; a larger batch repeats them, each in memory of its own.
constexpr index_t different_systems = 8192;

/// What is solved: different systems of one pattern, which a larger batch repeats.
template <class T>
struct Systems {
  const batch::CsrPattern& pattern;
  const batch::StoredPattern& stored;  ///< how the values lie
  std::vector<T> values;               ///< (sets, stored.values)
  std::vector<T> rhs;                  ///< (sets, rows)
};

/// One device's share of a batch, ready to be solved.
template <class T>
class Load {
 public:
  Load(exec::Device device, const Systems<T>& systems, exec::Range share, const batch::Options& options)
      : systems_(share.size()),
        rows_(systems.pattern.rows()),
        values_(device, systems_ * systems.stored.values),
        rhs_(device, systems_ * rows_),
        zeros_(device, systems_ * rows_),
        x_(device, systems_ * rows_),
        reports_(device, systems_),
        plan_(device, systems.pattern, systems_, options) {
    fill(values_, systems.values, systems.stored.values, share.begin);
    fill(rhs_, systems.rhs, rows_, share.begin);
    fill(zeros_, std::vector<T>(static_cast<std::size_t>(std::min(systems_, different_systems) * rows_)), rows_, 0);
  }

  void reset() {
    exec::copy_bytes(plan_.device(), x_.data(), plan_.device(), zeros_.data(), static_cast<std::size_t>(x_.size()) * sizeof(T));
  }
  [[nodiscard]] int team_size() const { return plan_.team_size(); }
  void solve() { plan_.execute(systems_, systems_, 0, values_.data(), rhs_.data(), x_.data(), reports_.data()); }

  void add_reports(BatchBenchResult& result) const {
    std::vector<batch::Report> reports(static_cast<std::size_t>(systems_));
    reports_.copy_to(reports);
    for (const batch::Report& report : reports) {
      result.iterations_mean += report.iterations;
      result.unconverged += report.status == batch::Status::converged ? 0 : 1;
    }
  }

 private:
  /// Sets of `length` values, from number `first` on and again from the first one when they run out.
  static void fill(exec::Buffer<T>& buffer, std::span<const T> sets, index_t length, index_t first) {
    if (sets.empty()) {
      return;
    }
    const index_t count = static_cast<index_t>(sets.size()) / length;
    for (index_t done = 0; done < buffer.size();) {
      const index_t from = (first + done / length) % count * length;
      const index_t size = std::min(static_cast<index_t>(sets.size()) - from, buffer.size() - done);
      buffer.copy_from(sets.subspan(static_cast<std::size_t>(from), static_cast<std::size_t>(size)), done);
      done += size;
    }
  }

  index_t systems_;
  index_t rows_;
  exec::Buffer<T> values_;
  exec::Buffer<T> rhs_;
  exec::Buffer<T> zeros_;
  exec::Buffer<T> x_;
  exec::Buffer<batch::Report> reports_;
  batch::Plan<T> plan_;
};

/// Calls work(load) for the load of each device, all at the same time.
template <class T, class Work>
void on_each(const std::vector<exec::Device>& devices, const std::vector<std::unique_ptr<Load<T>>>& loads, const Work& work) {
  if (devices.size() == 1) {
    work(*loads.front());
    return;
  }
  exec::for_each_device(devices, static_cast<index_t>(devices.size()),
                        [&](exec::Device, exec::Range range) { work(*loads[static_cast<std::size_t>(range.begin)]); });
}

/// Times solves of result.systems systems in numbers of type T.
template <class T>
void time_solves(const std::vector<exec::Device>& devices, const Systems<T>& systems, const batch::Options& method, int repeats,
                 BatchBenchResult& result) {
  std::vector<std::unique_ptr<Load<T>>> loads;
  for (std::size_t i = 0; i < devices.size(); ++i) {
    const auto parts = static_cast<index_t>(devices.size());
    const exec::Range share = exec::split_evenly(result.systems, parts, static_cast<index_t>(i));
    loads.push_back(std::make_unique<Load<T>>(devices[i], systems, share, method));
  }
  result.team_size = loads.front()->team_size();
  std::vector<double> times;
  for (int repeat = -1; repeat < repeats; ++repeat) {
    on_each(devices, loads, [](Load<T>& load) { load.reset(); });
    const auto start = std::chrono::steady_clock::now();
    on_each(devices, loads, [](Load<T>& load) { load.solve(); });
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    if (repeat >= 0) {  // the first one loads code and touches memory
      times.push_back(taken.count());
    }
  }
  result.seconds = bench::statistics(std::move(times));
  for (const auto& load : loads) {
    load->add_reports(result);
  }
  result.iterations_mean /= static_cast<double>(result.systems);
}

/// Solves `group` and its right-hand sides in numbers of type T.
template <class T>
void time_group(const std::vector<exec::Device>& devices, jobs::BatchGroup group, std::vector<double> rhs,
                const batch::StoredPattern& stored, const batch::Options& method, int repeats, BatchBenchResult& result) {
  Systems<T> systems{group.pattern, stored, {}, jobs::numbers_of<T>(std::exchange(rhs, {}))};
  {
    const batch::CsrBatch<T> matrix(group.pattern, jobs::numbers_of<T>(std::exchange(group.values, {})), group.count);
    systems.values = batch::stored_values<T>(stored, matrix.value_sets(), matrix.values());
  }
  result.value_bytes = sizeof(T);
  time_solves(devices, systems, method, repeats, result);
}

/// Whether the batch is rounded to f32 and solved in it.
bool is_narrow(const jobs::BatchOptions& options) {
  return jobs::parse_batch_precision(options.precision) == jobs::BatchPrecision::f32;
}

}  // namespace

double BatchBenchResult::gigaflops() const {
  return seconds.median > 0 ? 1e-9 * static_cast<double>(systems) * work.flops / seconds.median : 0;
}

double BatchBenchResult::gigabytes_per_second() const {
  return seconds.median > 0
             ? 1e-9 * static_cast<double>(value_bytes) / sizeof(double) *
                   jobs::one_pass_bytes(systems, rows, static_cast<double>(systems) * static_cast<double>(values)) /
                   seconds.median
             : 0;
}

namespace {

/// How many systems are made or read: a multiple of the numbers of sets, so that a matrix keeps its right-hand side where systems
/// are repeated.
index_t different_of(const jobs::BatchInput& input, index_t systems) {
  const index_t sets =
      std::max(input.values.sets == systems ? 1 : input.values.sets, input.rhs.sets == systems ? 1 : input.rhs.sets);
  return std::min(systems, std::max<index_t>(different_systems / sets, 1) * sets);
}

/// The options of one measurement.
jobs::BatchOptions with_systems(jobs::BatchOptions options, index_t systems) {
  options.systems = systems;
  return options;
}

}  // namespace

void validate_bench_memory(const jobs::BatchOptions& options, index_t systems, const std::vector<exec::Device>& devices) {
  const jobs::BatchInput input = jobs::open_batch_input(with_systems(options, systems));
  const auto rows = static_cast<double>(input.pattern.rows());
  const auto entries = static_cast<double>(input.pattern.entries());
  const std::string what = fmt::format("--bench of {} systems of {} rows and {} entries", systems, rows, entries);
  const std::string advice = "give fewer --systems, or other --values; without --bench a batch goes through in pieces";
  const batch::Storage storage = jobs::storage_of(options, input.pattern);
  const auto stored = static_cast<double>(batch::stored_pattern(input.pattern, storage).values);
  const bool is_turned = options.transpose || options.adjoint;
  const double copied = is_turned || (storage != batch::Storage::csr && stored > entries) ? entries : 0;
  const double parts = input.is_complex ? 2 : 1;
  const double made = parts * static_cast<double>(different_of(input, systems)) * (entries + stored + 2 * rows) * sizeof(double);
  const double each =
      parts * (stored + copied + 3 * rows) * (is_narrow(options) ? sizeof(float) : sizeof(double)) + sizeof(batch::Report);
  const double share = static_cast<double>(systems) / static_cast<double>(devices.size()) * each;
  double on_host = made;
  for (const exec::Device device : devices) {
    device.is_gpu() ? jobs::validate_memory(device, share, what, advice) : static_cast<void>(on_host += share);
  }
  jobs::validate_memory(exec::Device::host(), on_host, what, advice);
}

BatchBenchResult run_batch_bench(const jobs::BatchOptions& options, index_t systems, int repeats,
                                 const std::vector<exec::Device>& devices) {
  jobs::BatchOptions all = with_systems(options, systems);
  const jobs::BatchInput input = jobs::open_batch_input(all);
  PHPC_VALIDATE(input.rhs.columns == 1, ErrorKind::usage,
                "--bench times one right-hand side a system; give a file of shape (systems, rows)");
  jobs::BatchPiece piece = jobs::read_piece(input, {0, different_of(input, systems)}, no_progress());
  PHPC_VALIDATE(piece.groups.size() == 1, ErrorKind::usage,
                fmt::format("--bench times systems of one pattern, and '{}' has {}", options.input, piece.groups.size()));
  jobs::BatchGroup& group = piece.groups.front();

  all.method = jobs::settled_method(options);
  if (all.method.solver == "auto") {
    const auto words = static_cast<std::size_t>(group.pattern.entries() * (input.is_complex ? 2 : 1));
    const auto first = std::span<const double>(group.values).first(words);
    jobs::take_choice(jobs::choose_solver(group.pattern, first, input.is_complex, all.method), all);
  }
  all.method.storage = jobs::storage_of(options, group.pattern);
  const batch::Options& method = all.method;
  const batch::CsrPattern pattern = group.pattern;
  const batch::StoredPattern stored = batch::stored_pattern(pattern, method.storage);
  PHPC_VALIDATE(systems >= static_cast<index_t>(devices.size()), ErrorKind::usage,
                fmt::format("{} systems for {} devices; give as many at least", systems, devices.size()));
  BatchBenchResult result{.solver = method.solver,
                          .preconditioner = method.preconditioner,
                          .devices = static_cast<index_t>(devices.size()),
                          .rows = input.pattern.rows(),
                          .entries = input.pattern.entries(),
                          .is_complex = input.is_complex,
                          .storage = method.storage,
                          .values = stored.values,
                          .systems = systems,
                          .seconds = {}};
  const auto time = input.is_complex ? (is_narrow(options) ? time_group<Complex<float>> : time_group<Complex<double>>)
                                     : (is_narrow(options) ? time_group<float> : time_group<double>);
  time(devices, std::move(group), std::move(piece.rhs), stored, method, repeats, result);
  result.work = jobs::work_in(jobs::parse_batch_precision(options.precision), input.is_complex, devices.front(), pattern, method,
                              result.iterations_mean);
  return result;
}

}  // namespace phpc::cli
