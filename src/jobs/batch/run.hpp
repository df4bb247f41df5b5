#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <future>
#include <limits>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "jobs/batch/history.hpp"
#include "jobs/batch/input.hpp"
#include "jobs/batch/output.hpp"
#include "jobs/batch/precision.hpp"
#include "jobs/batch/report.hpp"
#include "jobs/batch/summary.hpp"
#include "jobs/processors.hpp"
#include "phpc/core/error.hpp"
#include "phpc/core/parse.hpp"
#include "phpc/core/threads.hpp"

namespace phpc::jobs {

/// Steps within a stage that somebody else began.
class StepProgress final : public Progress {
 public:
  explicit StepProgress(Progress& progress) : progress_(progress) {}
  void begin(std::string_view, std::uint64_t) override {}
  void advance(std::uint64_t count) override { progress_.advance(count); }
  void end() override {}

 private:
  Progress& progress_;
};

/// Bytes of systems at a time.
inline std::uint64_t piece_bytes(const BatchOptions& options) {
  constexpr std::uint64_t most = std::uint64_t{1} << 30;
  const std::uint64_t half = exec::Device::host().free_memory_bytes() / 2;
  const std::uint64_t chosen = half > 0 ? std::min(half, most) : most;
  return (options.memory > 0 ? options.memory : chosen) / 2;  // one piece is read while another is solved
}

/// Solves the systems of a range, piece by piece, and those of a piece pattern by pattern. All reports are kept only where `kept`
/// is given, histories taken only for curves.
class BatchRun {
 public:
  BatchRun(Caller& caller, const BatchOptions& options, const BatchInput& input, std::vector<exec::Device> devices,
           ConvergenceCurves* curves)
      : caller_(caller),
        options_(options),
        input_(input),
        devices_(std::move(devices)),
        precision_(parse_batch_precision(options.precision)),
        words_(input.is_complex ? 2 : 1),
        curves_(curves),
        history_length_(curves == nullptr ? 0 : batch::iteration_cap(options.method, input.pattern.rows()) + 1) {}

  void run(exec::Range systems, const std::vector<BatchOutput*>& streams, std::vector<batch::Report>* kept) {
    if (history_length_ > 0) {
      const std::uint64_t history = static_cast<std::uint64_t>(history_length_) * sizeof(double);
      PHPC_VALIDATE(
          history <= piece_bytes(options_), ErrorKind::memory,
          fmt::format("--plot keeps the residuals of up to {} iterations, {} a system (a piece of a batch takes {}); lower "
                      "--max-iterations, or allow more with --memory",
                      history_length_ - 1, format_bytes(history), format_bytes(piece_bytes(options_))));
    }
    const index_t entries = std::max<index_t>(input_.pattern.entries(), 1);
    const index_t stored = batch::stored_pattern(input_.pattern, storage_of(options_, input_.pattern)).values;
    const bool is_turned = options_.transpose || options_.adjoint;
    const index_t copies = (is_turned ? 2 : 1) + ceil_div(stored - input_.pattern.entries(), entries);
    const index_t most = systems_in(input_, piece_bytes(options_), history_length_ * input_.rhs.columns, copies);
    const auto piece_at = [&](index_t begin) { return exec::Range{begin, std::min(begin + most, systems.end)}; };
    if (systems.size() == 0) {
      if (systems.begin == 0) {
        BatchPiece none{{{input_.pattern, {}, 0, {}}}, {}, {}, {}};
        solve(none, {});  // wrong options are errors for no systems as well
      }
      return;
    }
    BatchPiece piece = timed([&] { return read_beside(piece_at(systems.begin), caller_.progress()).get(); });
    caller_.progress().begin(input_.rhs.columns > 1 ? "right-hand sides" : "systems",
                             static_cast<std::uint64_t>(systems.size() * input_.rhs.columns));
    for (exec::Range now = piece_at(systems.begin); now.size() > 0; now = piece_at(now.end)) {
      std::future<BatchPiece> next;
      if (now.end < systems.end) {
        next = read_beside(piece_at(now.end), no_progress());
      }
      std::vector<double> x = starting_points(piece);
      const std::vector<batch::Report> reports = solve(piece, x);
      summary_.add(reports);
      if (kept != nullptr) {
        kept->insert(kept->end(), reports.begin(), reports.end());
      }
      write_piece(streams, now, x, reports);
      if (next.valid()) {
        piece = timed([&] { return next.get(); });
      }
    }
    caller_.progress().end();
  }

  [[nodiscard]] const BatchSummary& summary() const { return summary_; }
  [[nodiscard]] const BatchMatrixCounts& matrices() const { return matrices_; }
  [[nodiscard]] const BatchTiming& timing() const { return timing_; }
  /// Systems whose guess is not finite.
  [[nodiscard]] index_t unusable_guesses() const { return unusable_guesses_; }

 private:
  using Clock = std::chrono::steady_clock;
  static double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

  /// On a thread that may use all processors, as may those that it starts.
  [[nodiscard]] std::future<BatchPiece> read_beside(exec::Range systems, Progress& progress) const {
    return start_work([this, systems, &progress] {
      use_all_processors();
      return read_piece(input_, systems, progress);
    });
  }

  /// The guesses of a piece, which is left without them. Systems whose guess is not finite in the numbers solved in start from
  /// zero, as all do without guesses.
  std::vector<double> starting_points(BatchPiece& piece) {
    std::vector<double> x = std::exchange(piece.guesses, {});
    x.resize(piece.rhs.size(), 0.0);
    const double most =
        precision_ == BatchPrecision::f32 ? std::numeric_limits<float>::max() : std::numeric_limits<double>::max();
    const index_t rows = input_.pattern.rows() * words_;
    for (auto guess = x.begin(); guess != x.end(); guess += rows) {
      if (!std::all_of(guess, guess + rows, [&](double value) { return std::abs(value) <= most; })) {
        std::fill_n(guess, rows, 0.0);
        ++unusable_guesses_;
      }
    }
    return x;
  }

  /// All systems, pattern by pattern; what comes out is in their order. The piece is left without its matrices.
  std::vector<batch::Report> solve(BatchPiece& piece, std::span<double> x) {
    const index_t columns = input_.rhs.columns;
    const index_t length = columns * input_.pattern.rows() * words_;
    const auto start = Clock::now();
    const auto solves = x.size() / static_cast<std::size_t>(input_.pattern.rows() * words_);
    std::vector<double> history(solves * static_cast<std::size_t>(history_length_));
    std::vector<batch::Report> reports(solves);
    for (BatchGroup& group : piece.groups) {
      count(group);
      const batch::Options& method = method_for(group);
      if (group.systems.empty()) {
        reports = solve_group(group, method, piece.rhs, x, piece.tolerances, history);
        break;
      }
      std::vector<double> own_x = gathered(group, x, length);
      std::vector<double> own_history(group.systems.size() * static_cast<std::size_t>(columns * history_length_));
      const std::vector<batch::Report> own = solve_group(group, method, gathered(group, piece.rhs, length), own_x,
                                                         gathered(group, piece.tolerances, columns), own_history);
      scatter(group, own_x, length, x);
      scatter(group, own_history, columns * history_length_, history);
      for (std::size_t i = 0; i < own.size(); ++i) {
        const auto system = group.systems[i / static_cast<std::size_t>(columns)];
        reports[static_cast<std::size_t>(system * columns) + i % static_cast<std::size_t>(columns)] = own[i];
      }
    }
    timing_.solving += seconds_since(start);
    if (curves_ != nullptr) {
      curves_->add(history, history_length_, reports, piece.tolerances);
    }
    return reports;
  }

  /// The group is left without its matrices.
  std::vector<batch::Report> solve_group(BatchGroup& group, const batch::Options& method, std::span<const double> rhs,
                                         std::span<double> x, std::span<const double> tolerances, std::span<double> history) {
    StepProgress progress(caller_.progress());
    return solve_in(precision_, {std::move(group.pattern), std::move(group.values), group.count, rhs, input_.is_complex}, x,
                    method, devices_, progress, {.tolerances = tolerances, .history = history});
  }

  void count(const BatchGroup& group) {
    const index_t entries = group.pattern.entries();
    matrices_.least_entries = matrices_.patterns == 0 ? entries : std::min(matrices_.least_entries, entries);
    matrices_.most_entries = std::max(matrices_.most_entries, entries);
    matrices_.patterns = std::max<index_t>(matrices_.patterns, group.number + 1);
    matrices_.entries += static_cast<double>(group.count) * static_cast<double>(entries);
  }

  /// What a pattern's systems are solved by: all by the same, unless that is to be chosen.
  const batch::Options& method_for(const BatchGroup& group) {
    const auto known = methods_.find(group.number);
    if (known != methods_.end()) {
      return known->second;
    }
    BatchOptions own = options_;
    if (options_.solver_chosen && group.number > 0) {
      const auto first = std::span<const double>(group.values).first(static_cast<std::size_t>(group.pattern.entries() * words_));
      const batch::SolverChoice choice = choose_solver(group.pattern, first, input_.is_complex, own.method);
      take_choice(choice, own);
      drop_unused_preconditioner(own);
      caller_.note(fmt::format("solver {} for pattern {}: {} (by its first system)", choice.solver, group.number, choice.reason));
    }
    own.method.storage = storage_of(options_, group.pattern);
    if (caller_.wants_details()) {
      for (const exec::Device device : devices_) {
        batch::Options there = own.method;
        there.storage = device.is_host() ? batch::Storage::csr : there.storage;  // which reads the batch as it is
        caller_.detail_of(device, describe_in(precision_, input_.is_complex, device, group.pattern, there, history_length_ > 0));
      }
    }
    return methods_.emplace(group.number, std::move(own.method)).first->second;
  }

  template <class Get>
  BatchPiece timed(const Get& get) {
    const auto start = Clock::now();
    BatchPiece piece = get();
    timing_.waiting += seconds_since(start);
    return piece;
  }

  Caller& caller_;
  const BatchOptions& options_;
  const BatchInput& input_;
  std::vector<exec::Device> devices_;
  BatchPrecision precision_;
  index_t words_;                          ///< values that a number is
  ConvergenceCurves* curves_;              ///< or none
  index_t history_length_;                 ///< of each system
  std::map<int, batch::Options> methods_;  ///< of patterns
  BatchSummary summary_;
  BatchMatrixCounts matrices_;
  BatchTiming timing_;
  index_t unusable_guesses_ = 0;
};

}  // namespace phpc::jobs
