#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <tuple>

#include "cli/bench/fft.hpp"
#include "cli/session/messages.hpp"
#include "jobs/file_places.hpp"
#include "jobs/integer_list.hpp"
#include "phpc/core/error.hpp"
#include "phpc/io/svg_plot.hpp"

namespace phpc::cli {

namespace {

struct TableColumn {
  std::string name;
  io::Cell (*value)(const BenchResult&);
};

using Row = const BenchResult&;
using Cell = io::Cell;
constexpr double missing = std::numeric_limits<double>::quiet_NaN();

/// Microseconds, rounded to the nanosecond that clocks tell.
Cell time(double microseconds) {
  return std::round(1000 * microseconds) / 1000;
}

/// Time of the kernels alone: the difference of two measurements, or 0 where noise makes it less.
double kernel(double total, double launch) {
  return std::max(0.0, total - launch);
}

const std::vector<TableColumn>& columns() {
  static const std::vector<TableColumn> all{
      {"length", [](Row r) { return Cell(r.length); }},
      {"total_mean_us", [](Row r) { return time(r.total.mean); }},
      {"total_median_us", [](Row r) { return time(r.total.median); }},
      {"total_optimal_us", [](Row r) { return time(r.total.smallest); }},
      {"total_sd_us", [](Row r) { return time(r.total.deviation); }},
      {"launch_mean_us", [](Row r) { return time(r.launch.mean); }},
      {"launch_median_us", [](Row r) { return time(r.launch.median); }},
      {"launch_optimal_us", [](Row r) { return time(r.launch.smallest); }},
      {"kernel_mean_us", [](Row r) { return time(kernel(r.total.mean, r.launch.mean)); }},
      {"kernel_median_us", [](Row r) { return time(kernel(r.total.median, r.launch.median)); }},
      {"kernel_optimal_us", [](Row r) { return time(kernel(r.total.smallest, r.launch.smallest)); }},
      {"relative_error", [](Row r) { return Cell(r.relative_error); }},
      {"round_trip_error", [](Row r) { return Cell(r.round_trip_error); }},
      {"chi2_per_ndf", [](Row r) { return Cell(r.agreement.per_degree); }},
      {"p_value", [](Row r) { return Cell(r.agreement.p_value); }},
      {"fftw_mean_us", [](Row r) { return time(r.fftw ? r.fftw->total.mean : missing); }},
      {"fftw_median_us", [](Row r) { return time(r.fftw ? r.fftw->total.median : missing); }},
      {"fftw_optimal_us", [](Row r) { return time(r.fftw ? r.fftw->total.smallest : missing); }},
      {"fftw_sd_us", [](Row r) { return time(r.fftw ? r.fftw->total.deviation : missing); }},
      {"fftw_relative_error", [](Row r) { return Cell(r.fftw ? r.fftw->relative_error : missing); }},
      {"fftw_difference", [](Row r) { return Cell(r.fftw ? r.fftw->difference : missing); }},
      {"fftw_chi2_per_ndf", [](Row r) { return Cell(r.fftw ? r.fftw->agreement.per_degree : missing); }},
      {"fftw_p_value", [](Row r) { return Cell(r.fftw ? r.fftw->agreement.p_value : missing); }},
  };
  return all;
}

nlohmann::ordered_json described(const FftBenchOptions& options) {
  nlohmann::ordered_json json;
  json["input"] = "f(x) = x";
  json["precision"] = options.precision;
  json["batch"] = options.batch;
  json["iterations"] = options.iterations;
  json["total"] = "forward and inverse transform, out of place in device memory, host clock, both waited for";
  json["launch"] = "two empty kernels (host: transforms of one element), both waited for";
  json["kernel"] = "total - launch, or 0";
  json["reference"] = "transform in long double";
  return json;
}

/// The time of each pair, in the order in which they ran.
nlohmann::ordered_json series_of(const std::vector<BenchResult>& results) {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const BenchResult& result : results) {
    nlohmann::ordered_json one;
    one["length"] = result.length;
    one["warm_up_us"] = std::round(1000 * result.warm_up) / 1000;
    for (const double total : result.totals) {
      one["pairs_us"].push_back(std::round(1000 * total) / 1000);
    }
    all.push_back(std::move(one));
  }
  return all;
}

void write_table(io::OutputFile& out, io::TableFormat format, const std::vector<BenchResult>& results,
                 const nlohmann::ordered_json& meta) {
  std::vector<std::string> names;
  for (const TableColumn& column : columns()) {
    names.push_back(column.name);
  }
  io::TableWriter table(out, format, names, meta);
  for (const BenchResult& result : results) {
    std::vector<io::Cell> cells;
    for (const TableColumn& column : columns()) {
      cells.push_back(column.value(result));
    }
    table.row(cells);
  }
  table.finish();
}

io::Plot plot_of(std::vector<BenchResult> results, const FftBenchOptions& options, const std::string& device) {
  std::sort(results.begin(), results.end(),
            [](Row a, Row b) { return std::tie(a.length, a.total.median) < std::tie(b.length, b.total.median); });
  io::Plot plot{
      .title = fmt::format("Forward and inverse transform, {}, batch {}, on {}", options.precision, options.batch, device),
      .x = {.label = "length", .scale = io::AxisScale::log2, .is_whole = true},
      .y = {.label = "time: median, fastest to 90th percentile", .unit = "us", .scale = io::AxisScale::log},
      .series = {}};
  const auto add = [&](const std::string& name, double (*value)(Row)) {
    io::PlotSeries series{.name = name, .is_marked = true};
    for (const BenchResult& result : results) {
      series.x.push_back(static_cast<double>(result.length));
      series.y.push_back(value(result));
    }
    plot.series.push_back(std::move(series));
  };
  const auto add_with_band = [&](const std::string& name, const bench::Statistics* (*statistics)(Row)) {
    io::PlotSeries median{.name = name, .is_marked = true};
    io::PlotSeries band{.style = io::SeriesStyle::band, .color_of = plot.series.size()};
    for (const BenchResult& result : results) {
      const bench::Statistics* const times = statistics(result);
      median.x.push_back(static_cast<double>(result.length));
      median.y.push_back(times != nullptr ? times->median : missing);
      band.low.push_back(times != nullptr ? times->smallest : missing);
      band.y.push_back(times != nullptr ? times->ninetieth : missing);
    }
    band.x = median.x;
    plot.series.push_back(std::move(median));
    plot.series.push_back(std::move(band));
  };
  add_with_band("total", [](Row r) { return &r.total; });
  add("kernel", [](Row r) { return kernel(r.total.median, r.launch.median); });
  add("launch", [](Row r) { return r.launch.median; });
  if (!results.empty() && results.front().fftw) {
    add_with_band("FFTW", [](Row r) { return r.fftw ? &r.fftw->total : nullptr; });
  }
  return plot;
}

}  // namespace

int bench_fft(Session& session, const FftBenchOptions& options, const std::string& output, const std::string& plot) {
  const std::vector<index_t> lengths = jobs::parse_list(options.lengths, "--lengths");
  for (const index_t length : lengths) {
    PHPC_VALIDATE(length >= 1, ErrorKind::usage,
                  fmt::format("--lengths {} has a length of {}; give 1 or more", options.lengths, length));
  }
  const io::TableFormat format = session.table_format(output);
  const exec::Device device = session.device();
  jobs::validate_places({{output, "-o"}, {plot, "--plot"}}, {});
  for (const index_t length : lengths) {
    validate_bench_memory(device, length, options);
  }
  io::OutputFile table_file(output);
  std::optional<io::OutputFile> plot_file;
  if (!plot.empty()) {
    plot_file.emplace(plot);
  }
  std::vector<BenchResult> results;
  session.progress().begin("lengths", lengths.size());
  for (const index_t length : lengths) {
    results.push_back(run_bench(device, length, options));
    session.progress().advance(1);
  }
  session.progress().end();
  if (options.histogram) {
    for (const BenchResult& result : results) {
      constexpr int bins = 20;
      log_lines(
          fmt::format("length {}: pairs by total time\n{}", result.length, bench::text_histogram(result.totals, bins, "us")));
    }
  }
  nlohmann::ordered_json meta = session.meta({device});
  meta["bench"] = described(options);
  if (options.histogram) {
    meta["bench"]["series"] = series_of(results);
  }
  write_table(table_file, format, results, meta);
  table_file.commit();
  if (plot_file) {
    plot_file->write(io::to_svg(plot_of(results, options, device.properties().name)));
    plot_file->commit();
  }
  return exit_success;
}

}  // namespace phpc::cli
