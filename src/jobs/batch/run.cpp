#include "jobs/batch/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include "jobs/clock.hpp"
#include "jobs/processors.hpp"
#include "phpc/core/error.hpp"
#include "phpc/core/parse.hpp"
#include "phpc/core/pipeline.hpp"

namespace phpc::jobs {

namespace {

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
std::uint64_t piece_bytes(const BatchOptions& options) {
  constexpr std::uint64_t most = std::uint64_t{1} << 30;
  const std::uint64_t half = exec::Device::host().free_memory_bytes() / 2;
  const std::uint64_t chosen = half > 0 ? std::min(half, most) : most;
  return (options.memory > 0 ? options.memory : chosen) / 2;  // one piece is read while another is solved
}

}  // namespace

/// A piece of the batch on its way from the input to the outputs.
struct BatchRun::PieceInWork {
  exec::Range systems{};
  BatchPiece input;
  std::vector<double> x;
  std::vector<batch::Report> reports;
};

/// Reads one piece of the batch while the caller's thread solves and writes another: two are in memory.
class BatchRun::Pieces final : public Pipeline<PieceInWork> {
 public:
  Pieces(BatchRun& run, exec::Range systems, index_t systems_of_piece, const std::vector<BatchOutput*>& streams,
         std::vector<batch::Report>* kept)
      : run_(run),
        systems_(systems),
        next_(systems.begin),
        systems_of_piece_(systems_of_piece),
        streams_(streams),
        kept_(kept),
        progress_(run.caller_.progress()) {}

  void run() {
    constexpr std::size_t pieces_in_memory = 2;
    idle_since_ = Clock::now();
    run_around_caller(pieces_in_memory, Writing::on_caller);
    progress_.end();
  }

 private:
  [[nodiscard]] bool is_first(exec::Range piece) const { return piece.begin == systems_.begin; }

  bool read(PieceInWork& piece) override {
    if (next_ == systems_.end) {
      return false;
    }
    piece.systems = {next_, std::min(next_ + systems_of_piece_, systems_.end)};
    next_ = piece.systems.end;
    piece.input = read_piece(run_.input_, piece.systems, is_first(piece.systems) ? progress_ : no_progress());
    return true;
  }

  void work(PieceInWork& piece) override {
    run_.timing_.waiting += seconds_since(idle_since_);
    if (is_first(piece.systems)) {
      const index_t columns = run_.input_.rhs.columns;
      progress_.begin(columns > 1 ? "right-hand sides" : "systems", static_cast<std::uint64_t>(systems_.size() * columns));
    }
    piece.x = run_.starting_points(piece.input);
    piece.reports = run_.solve(piece.input, piece.x);
    run_.summary_.add(piece.reports);
    if (kept_ != nullptr) {
      kept_->insert(kept_->end(), piece.reports.begin(), piece.reports.end());
    }
  }

  void write(PieceInWork& piece) override {
    write_piece(streams_, piece.systems, piece.x, piece.reports);
    piece = {};  // its memory is needed for the piece after next
    idle_since_ = Clock::now();
  }

  void begin_thread() override { use_all_processors(); }

  BatchRun& run_;
  const exec::Range systems_;
  index_t next_;  ///< system, to be read
  const index_t systems_of_piece_;
  const std::vector<BatchOutput*>& streams_;
  std::vector<batch::Report>* const kept_;  ///< or none
  Progress& progress_;
  Clock::time_point idle_since_;  ///< the caller's thread waits for a piece
};

BatchRun::BatchRun(Caller& caller, const BatchOptions& options, const BatchInput& input, std::vector<exec::Device> devices,
                   ConvergenceCurves* curves)
    : caller_(caller),
      options_(options),
      input_(input),
      devices_(std::move(devices)),
      precision_(parse_batch_precision(options.precision)),
      words_(input.is_complex ? 2 : 1),
      curves_(curves),
      history_length_(curves == nullptr ? 0 : batch::iteration_cap(options.method, input.pattern.rows()) + 1) {}

void BatchRun::run(exec::Range systems, const std::vector<BatchOutput*>& streams, std::vector<batch::Report>* kept) {
  validate_history();
  if (systems.size() > 0) {
    Pieces(*this, systems, systems_of_piece(), streams, kept).run();
  } else if (systems.begin == 0) {
    BatchPiece none{{{input_.pattern, {}, 0, {}}}, {}, {}, {}};
    solve(none, {});  // wrong options are errors for no systems as well
  }
}

void BatchRun::validate_history() const {
  if (history_length_ == 0) {
    return;
  }
  const std::uint64_t history = static_cast<std::uint64_t>(history_length_) * sizeof(double);
  PHPC_VALIDATE(history <= piece_bytes(options_), ErrorKind::memory,
                fmt::format("--plot keeps the residuals of up to {} iterations, {} a system (a piece of a batch takes {}); lower "
                            "--max-iterations, or allow more with --memory",
                            history_length_ - 1, format_bytes(history), format_bytes(piece_bytes(options_))));
}

index_t BatchRun::systems_of_piece() const {
  const index_t entries = std::max<index_t>(input_.pattern.entries(), 1);
  const index_t stored = batch::stored_pattern(input_.pattern, storage_of(options_, input_.pattern)).values;
  const bool is_turned = options_.transpose || options_.adjoint;
  const index_t copies = (is_turned ? 2 : 1) + ceil_div(stored - input_.pattern.entries(), entries);
  return systems_in(input_, piece_bytes(options_), history_length_ * input_.rhs.columns, copies);
}

/// The guesses of a piece, which is left without them. Systems whose guess is not finite in the numbers solved in start from
/// zero, as all do without guesses.
std::vector<double> BatchRun::starting_points(BatchPiece& piece) {
  std::vector<double> x = std::exchange(piece.guesses, {});
  x.resize(piece.rhs.size(), 0.0);
  const double most = precision_ == BatchPrecision::f32 ? std::numeric_limits<float>::max() : std::numeric_limits<double>::max();
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
std::vector<batch::Report> BatchRun::solve(BatchPiece& piece, std::span<double> x) {
  const index_t columns = input_.rhs.columns;
  const index_t length = columns * input_.pattern.rows() * words_;
  const auto start = Clock::now();
  const auto solves = x.size() / static_cast<std::size_t>(input_.pattern.rows() * words_);
  std::vector<double> history(solves * static_cast<std::size_t>(history_length_));
  std::vector<batch::Report> reports(solves);
  for (BatchGroup& group : piece.groups) {
    const batch::Options& method = method_for(group);
    count(group);
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
std::vector<batch::Report> BatchRun::solve_group(BatchGroup& group, const batch::Options& method, std::span<const double> rhs,
                                                 std::span<double> x, std::span<const double> tolerances,
                                                 std::span<double> history) {
  StepProgress progress(caller_.progress());
  return solve_in(precision_, {std::move(group.pattern), std::move(group.values), group.count, rhs, input_.is_complex}, x, method,
                  devices_, progress, {.tolerances = tolerances, .history = history});
}

void BatchRun::count(const BatchGroup& group) {
  const index_t entries = group.pattern.entries();
  matrices_.least_entries = matrices_.patterns == 0 ? entries : std::min(matrices_.least_entries, entries);
  matrices_.most_entries = std::max(matrices_.most_entries, entries);
  matrices_.patterns = static_cast<index_t>(methods_.size());
  matrices_.entries += static_cast<double>(group.count) * static_cast<double>(entries);
}

/// What a pattern's systems are solved by: all by the same, unless that is to be chosen.
const batch::Options& BatchRun::method_for(const BatchGroup& group) {
  const auto known = methods_.find(group.number);
  if (known != methods_.end()) {
    return known->second;
  }
  BatchOptions own = options_;
  if (options_.solver_chosen && group.number > 0) {
    const std::span<const double> values = group.first_values.empty() ? group.values : group.first_values;
    const auto first = values.first(static_cast<std::size_t>(group.pattern.entries() * words_));
    const batch::SolverChoice choice = choose_solver(group.pattern, first, input_.is_complex, own.method);
    own.method.preconditioner = options_.wanted_preconditioner;
    take_choice(choice, own);
    drop_unused_preconditioner(own);
    matrices_.differ_in_method |=
        own.method.solver != options_.method.solver || own.method.preconditioner != options_.method.preconditioner;
    caller_.info(fmt::format("solver {} for pattern {}: {} (by its first system)", choice.solver, group.number, choice.reason));
  }
  own.method.storage = storage_of(options_, group.pattern);
  if (caller_.wants_debug()) {
    for (const exec::Device device : devices_) {
      batch::Options there = own.method;
      there.storage = device.is_host() ? batch::Storage::csr : there.storage;  // which reads the batch as it is
      caller_.debug(device, describe_in(precision_, input_.is_complex, device, group.pattern, there, history_length_ > 0));
    }
  }
  return methods_.emplace(group.number, std::move(own.method)).first->second;
}

}  // namespace phpc::jobs
