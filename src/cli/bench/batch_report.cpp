#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "cli/bench/batch.hpp"
#include "cli/options/number_check.hpp"
#include "jobs/batch/input.hpp"
#include "jobs/file_places.hpp"
#include "jobs/integer_list.hpp"
#include "phpc/batch/problems.hpp"
#include "phpc/core/error.hpp"
#include "phpc/io/svg_plot.hpp"
#include "phpc/io/table.hpp"

namespace phpc::cli {

namespace {

constexpr const char* default_problem = "stencil3:64";

/// One point of a sweep: what is asked of run_batch_bench().
struct Point {
  BatchBenchOptions options;
  index_t systems = 0;
  double place = 0;  ///< along the plot's axis
};

struct Measured {
  double place = 0;
  BatchBenchResult result;
};

/// "random-spd:64,400" with 128 rows instead, and as many entries a row.
std::string with_rows(const std::string& problem, index_t rows) {
  const std::size_t colon = problem.find(':');
  const std::size_t comma = problem.find(',');
  std::string text = fmt::format("{}:{}", problem.substr(0, colon), rows);
  if (comma != std::string::npos && colon != std::string::npos) {
    constexpr index_t most_rows = std::numeric_limits<std::int32_t>::max();
    PHPC_VALIDATE(rows <= most_rows, ErrorKind::usage, fmt::format("--values: {} rows; give {} at most", rows, most_rows));
    const batch::ProblemSize size = batch::problem_size(problem);
    const index_t beside = std::min(rows * (rows - 1), (size.most_entries - size.rows) * rows / size.rows);
    text += fmt::format(",{}", rows + beside / 2 * 2);
  }
  return text;
}

/// The solvers that are timed: the one given, else cg and bicgstab for symmetric stencils, as Nguyen et al. (2023) have them, and
/// a direct one beside bicgstab for others.
std::vector<std::string> solvers_of(const BatchBenchOptions& options) {
  if (options.solver_given) {
    return {options.method.solver};
  }
  const bool is_symmetric = options.problem.starts_with("stencil3") || options.problem.starts_with("random-spd");
  return {is_symmetric ? "cg" : "lu", "bicgstab"};
}

std::vector<index_t> powers_of_two(int first, int last) {
  std::vector<index_t> values;
  for (int power = first; power <= last; ++power) {
    values.push_back(index_t{1} << power);
  }
  return values;
}

std::vector<index_t> values_of(const BatchBenchOptions& options, exec::DeviceKind kind) {
  const bool on_gpu = is_gpu(kind);
  if (!options.values.empty()) {
    std::vector<index_t> values = jobs::parse_list(options.values, "--values");
    PHPC_VALIDATE(std::all_of(values.begin(), values.end(), [](index_t value) { return value >= 1 && value <= most_units; }),
                  ErrorKind::usage, fmt::format("--values {} has a value that is not of 1 to {}", options.values, most_units));
    return values;
  }
  if (options.sweep == "rows") {
    return powers_of_two(4, 11);
  }
  if (options.sweep == "systems") {
    return on_gpu ? powers_of_two(13, 17) : powers_of_two(9, 13);
  }
  batch::Options method = jobs::settled_method(options);
  if (method.solver == "auto") {
    method.solver = batch::Options{}.solver;
  }
  const std::vector<int> sizes = batch::team_sizes(kind, method);
  return {sizes.begin(), sizes.end()};
}

/// The points of a sweep of the one solver that the options name.
std::vector<Point> points_of(const BatchBenchOptions& options, exec::DeviceKind kind) {
  const index_t systems = options.systems > 0 ? options.systems : index_t{1} << (is_gpu(kind) ? 17 : 13);
  std::vector<Point> points;
  if (options.sweep == "matrix-format") {
    for (const std::string& name : batch::storage_names()) {
      points.push_back({.options = options, .systems = systems});
      points.back().options.matrix_format = name;
    }
    return points;
  }
  for (const index_t value : values_of(options, kind)) {
    Point point{.options = options, .systems = systems, .place = static_cast<double>(value)};
    if (options.sweep == "rows") {
      point.options.problem = with_rows(options.problem, value);
    } else if (options.sweep == "systems") {
      point.systems = value;
    } else {
      PHPC_VALIDATE(value <= 1024, ErrorKind::usage, fmt::format("--values {}: a team has at most 1024 threads", value));
      point.options.method.team_size = static_cast<int>(value);
    }
    points.push_back(std::move(point));
  }
  return points;
}

nlohmann::ordered_json described(const BatchBenchOptions& options) {
  nlohmann::ordered_json json;
  json["input"] = options.problem.empty() ? options.input : options.problem;
  json["rhs"] = options.rhs;
  json["sweep"] = options.sweep;
  json["tolerance"] = options.method.tolerance;
  json["tolerance_kind"] = options.tolerance_kind;
  json["repeats"] = options.repeats;
  json["time"] = "a solve of all systems in device memory, host clock until all devices are done";
  json["flops"] =
      "operations of one system, and of each level of memory how many for each byte: by the model of the kernel that "
      "solves it, in iterations_mean whole iterations from a guess of zero; see batch/plan.hpp";
  json["gb_per_s"] = "matrices, right-hand sides and guesses read once and solutions written once, by the median time";
  return json;
}

/// Milliseconds, rounded to the nanosecond that clocks tell.
io::Cell milliseconds(double seconds) {
  return std::round(1e9 * seconds) / 1e6;
}

/// Rounded to four digits, as many as repeats agree in.
io::Cell rounded(double value) {
  const double unit = value > 0 ? std::pow(10.0, 3 - std::floor(std::log10(value))) : 1;
  return std::round(value * unit) / unit;
}

/// Operations for each byte; not a number where there are none.
io::Cell intensity(double flops, double bytes) {
  return bytes > 0 ? rounded(flops / bytes) : std::numeric_limits<double>::quiet_NaN();
}

void write_table(io::OutputFile& out, io::TableFormat format, const std::vector<Measured>& all,
                 const nlohmann::ordered_json& meta) {
  io::TableWriter table(out, format,
                        {"solver", "preconditioner", "devices", "rows", "entries", "matrix_format", "systems", "team_size",
                         "median_ms", "fastest_ms", "us_per_system", "gb_per_s", "iterations_mean", "unconverged", "flops",
                         "gflop_per_s", "flop_per_memory_byte", "flop_per_cache_byte", "flop_per_scratch_byte"},
                        meta);
  for (const Measured& measured : all) {
    const BatchBenchResult& result = measured.result;
    const batch::Work& work = result.work;
    table.row({result.solver, result.preconditioner, result.devices, result.rows, result.entries,
               std::string(batch::to_string(result.storage)), result.systems, static_cast<index_t>(result.team_size),
               milliseconds(result.seconds.median), milliseconds(result.seconds.smallest),
               rounded(1e6 * result.seconds.median / static_cast<double>(result.systems)), rounded(result.gigabytes_per_second()),
               rounded(result.iterations_mean), result.unconverged, std::round(work.flops), rounded(result.gigaflops()),
               intensity(work.flops, work.memory_bytes), intensity(work.flops, work.cache_bytes),
               intensity(work.flops, work.scratch_bytes)});
  }
  table.finish();
}

io::Plot plot_of(const std::vector<Measured>& all, const BatchBenchOptions& options, const std::string& device) {
  const BatchBenchResult& first = all.front().result;
  const std::string what = options.problem.empty() ? options.input : options.problem.substr(0, options.problem.find(':'));
  const std::string fixed = options.sweep == "rows"      ? fmt::format("{} systems", first.systems)
                            : options.sweep == "systems" ? fmt::format("{} rows", first.rows)
                                                         : fmt::format("{} systems of {} rows", first.systems, first.rows);
  io::Plot plot{.title = fmt::format("{}, {}, on {}", what, fixed, device),
                .x = {.label = options.sweep == "team-size" ? "threads of a team" : options.sweep,
                      .scale = io::AxisScale::log2,
                      .is_whole = true},
                .y = {.label = "time: median, fastest to 90th percentile", .unit = "ms", .scale = io::AxisScale::log},
                .series = {}};
  std::vector<std::pair<double, std::size_t>> order;  // by place; of one place as measured
  order.reserve(all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    order.emplace_back(all[i].place, i);
  }
  std::sort(order.begin(), order.end());
  for (const auto& [place_on_axis, number] : order) {
    const BatchBenchResult& result = all[number].result;
    const std::string name = fmt::format("{}, {} device{}", result.solver, result.devices, result.devices == 1 ? "" : "s");
    // A series of medians, and behind each its band.
    auto median = std::find_if(plot.series.begin(), plot.series.end(), [&](const auto& one) { return one.name == name; });
    if (median == plot.series.end()) {
      const std::size_t place = plot.series.size();
      plot.series.push_back({.name = name, .is_marked = true});
      plot.series.push_back({.style = io::SeriesStyle::band, .color_of = place});
      median = plot.series.end() - 2;
    }
    const auto band = median + 1;
    for (const auto series : {median, band}) {
      series->x.push_back(place_on_axis);
    }
    median->y.push_back(1e3 * result.seconds.median);
    band->low.push_back(1e3 * result.seconds.smallest);
    band->y.push_back(1e3 * result.seconds.ninetieth);
  }
  return plot;
}

/// The options with what --bench itself chooses.
BatchBenchOptions settled(BatchBenchOptions options) {
  const bool is_named = !options.input.empty() || !options.problem.empty();
  PHPC_VALIDATE(options.problem.empty() || options.values.empty() || !options.sweep.empty(), ErrorKind::usage,
                fmt::format("--values {} of what? --problem {} names a size; say --sweep rows, systems or team-size",
                            options.values, options.problem));
  PHPC_VALIDATE(options.sweep != "matrix-format" || (options.values.empty() && options.plot.empty()), ErrorKind::usage,
                "--sweep matrix-format takes csr, ell and dense, and draws nothing; leave --values and --plot out");
  PHPC_VALIDATE(options.sweep != "systems" || options.systems == 0, ErrorKind::usage,
                "both --systems and --sweep systems; give the numbers of systems with --values");
  if (!is_named) {
    options.problem = default_problem;
  }
  if (options.sweep.empty()) {
    options.sweep = is_named ? "systems" : "rows";
    if (is_named && options.systems > 0) {  // one measurement of what is named
      PHPC_VALIDATE(options.values.empty(), ErrorKind::usage,
                    "both --systems and --values of it; give the numbers of systems with --values alone");
      options.values = fmt::format("{}", options.systems);
    }
  }
  PHPC_VALIDATE(options.sweep != "rows" || !options.problem.empty(), ErrorKind::usage,
                "--sweep rows makes problems of several sizes, and INPUT has one; give --problem, or --sweep systems");
  if (!options.preconditioner_given && options.problem.starts_with("stencil3")) {
    options.method.preconditioner = "none";  // as Nguyen et al. (2023) solve them
  }
  return options;
}

}  // namespace

int bench_batch(Session& session, const BatchBenchOptions& given) {
  const BatchBenchOptions options = settled(given);
  const std::string table = options.report.empty() ? "-" : options.report;
  const io::TableFormat format = session.table_format(table, "--report");
  const std::vector<exec::Device> devices = session.devices();
  std::vector<std::vector<Point>> points;  // of each solver
  for (const std::string& solver : solvers_of(options)) {
    BatchBenchOptions own = options;
    own.method.solver = solver;
    jobs::drop_unused_preconditioner(own);
    points.push_back(points_of(own, devices.front().kind()));
  }
  jobs::validate_places({{table, "--report"}, {options.plot, "--plot"}},
                        jobs::places_of(jobs::open_batch_input(points.front().front().options).files, "an input"));
  // One device, and all of them.
  std::vector<std::vector<exec::Device>> teams{{devices.front()}};
  if (devices.size() > 1) {
    teams.push_back(devices);
  }
  for (const Point& point : points.front()) {
    for (const std::vector<exec::Device>& team : teams) {
      validate_bench_memory(point.options, point.systems, team);
    }
  }
  io::OutputFile table_file(table);
  std::optional<io::OutputFile> plot_file;
  if (!options.plot.empty()) {
    plot_file.emplace(options.plot);
  }
  std::vector<Measured> all;
  std::uint64_t measurements = 0;
  for (const std::vector<Point>& of_solver : points) {
    measurements += of_solver.size() * teams.size();
  }
  session.progress().begin("measurements", measurements);
  for (const std::vector<Point>& of_solver : points) {
    for (const std::vector<exec::Device>& team : teams) {
      for (const Point& point : of_solver) {
        all.push_back({point.place, run_batch_bench(point.options, point.systems, options.repeats, team)});
        session.progress().advance(1);
      }
    }
  }
  session.progress().end();
  nlohmann::ordered_json meta = session.meta(devices);
  meta["bench"] = described(options);
  meta["bench"]["complex"] = all.front().result.is_complex;
  write_table(table_file, format, all, meta);
  table_file.commit();
  if (plot_file) {
    plot_file->write(io::to_svg(plot_of(all, options, devices.front().properties().name)));
    plot_file->commit();
  }
  return exit_success;
}

}  // namespace phpc::cli
