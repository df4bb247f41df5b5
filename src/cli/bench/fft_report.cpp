#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <tuple>

#include "cli/bench/fft.hpp"
#include "cli/bench/measured_devices.hpp"
#include "cli/session/messages.hpp"
#include "jobs/file_places.hpp"
#include "jobs/integer_list.hpp"
#include "phpc/core/error.hpp"
#include "phpc/exec/device.hpp"
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

/// A statistic of the launches, or nothing.
Cell launch(Row r, double bench::Statistics::* statistic) {
  return time(r.launch ? (*r.launch).*statistic : missing);
}

Cell kernel_of(Row r, double bench::Statistics::* statistic) {
  return time(r.launch ? kernel(r.total.*statistic, (*r.launch).*statistic) : missing);
}

const std::vector<TableColumn>& columns() {
  using bench::Statistics;
  static const std::vector<TableColumn> all{
      {"device", [](Row r) { return Cell(r.device); }},
      {"library", [](Row r) { return Cell(r.library); }},
      {"length", [](Row r) { return Cell(r.length); }},
      {"total_mean_us", [](Row r) { return time(r.total.mean); }},
      {"total_median_us", [](Row r) { return time(r.total.median); }},
      {"total_optimal_us", [](Row r) { return time(r.total.smallest); }},
      {"total_sd_us", [](Row r) { return time(r.total.deviation); }},
      {"launch_mean_us", [](Row r) { return launch(r, &Statistics::mean); }},
      {"launch_median_us", [](Row r) { return launch(r, &Statistics::median); }},
      {"launch_optimal_us", [](Row r) { return launch(r, &Statistics::smallest); }},
      {"kernel_mean_us", [](Row r) { return kernel_of(r, &Statistics::mean); }},
      {"kernel_median_us", [](Row r) { return kernel_of(r, &Statistics::median); }},
      {"kernel_optimal_us", [](Row r) { return kernel_of(r, &Statistics::smallest); }},
      {"relative_error", [](Row r) { return Cell(r.relative_error); }},
      {"round_trip_error", [](Row r) { return Cell(r.round_trip_error); }},
      {"chi2_per_ndf", [](Row r) { return Cell(r.agreement.per_degree); }},
      {"p_value", [](Row r) { return Cell(r.agreement.p_value); }},
      {"difference", [](Row r) { return Cell(r.from_ours ? r.from_ours->relative : missing); }},
      {"difference_chi2_per_ndf", [](Row r) { return Cell(r.from_ours ? r.from_ours->agreement.per_degree : missing); }},
      {"difference_p_value", [](Row r) { return Cell(r.from_ours ? r.from_ours->agreement.p_value : missing); }},
  };
  return all;
}

/// The libraries that stand beside ours, one a device.
struct Peer {
  exec::Device device;
  bench::FftLibrarySearch search;
};

nlohmann::ordered_json described(const FftBenchOptions& options, const std::vector<Peer>& peers) {
  nlohmann::ordered_json json;
  json["input"] = "f(x) = x";
  json["precision"] = options.precision;
  json["batch"] = options.batch;
  json["iterations"] = options.iterations;
  json["total"] = "forward and inverse transform, out of place in device memory, host clock, both waited for";
  json["launch"] = "two empty kernels by each library's own launch (processors: transforms of one element), both waited for";
  json["kernel"] = "total - launch, or 0";
  json["reference"] = "transform in long double";
  json["difference"] = "of portable-hpc's spectrum from the library's";
  for (const Peer& peer : peers) {
    nlohmann::ordered_json one;
    one["device"] = peer.device.label();
    if (peer.search.library != nullptr) {
      one["library"] = peer.search.library->name();
      one["version"] = peer.search.library->version();
    } else {
      one["missing"] = peer.search.why_none;
    }
    json["libraries"].push_back(std::move(one));
  }
  return json;
}

/// The time of each pair, in the order in which they ran.
nlohmann::ordered_json series_of(const std::vector<BenchResult>& results) {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const BenchResult& result : results) {
    nlohmann::ordered_json one;
    one["device"] = result.device;
    one["library"] = result.library;
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

/// A row for each frequency of each length by each library on each device.
void write_spectra(io::OutputFile& out, io::TableFormat format, const std::vector<BenchResult>& results,
                   const nlohmann::ordered_json& meta) {
  io::TableWriter table(out, format, {"device", "library", "length", "frequency", "re", "im", "exact_re", "exact_im"}, meta);
  for (const BenchResult& result : results) {
    for (index_t k = 0; k < result.length; ++k) {
      const Complex<double> value = result.spectrum[static_cast<std::size_t>(k)];
      const Complex<double> exact = result.exact[static_cast<std::size_t>(k)];
      table.row({result.device, result.library, result.length, k, value.re, value.im, exact.re, exact.im});
    }
  }
  table.finish();
}

/// Whose times a row has: the library and, where there are several, the device.
std::string series_name(Row result, bool has_devices) {
  return has_devices ? fmt::format("{} on {}", result.library, result.device) : result.library;
}

/// Medians by length with a band from the fastest to the 90th percentile, a series for each library on each device; of one
/// device, its kernels and launches too.
io::Plot plot_of(std::vector<BenchResult> results, const FftBenchOptions& options, const std::vector<exec::Device>& devices) {
  const bool has_devices = devices.size() > 1;
  io::Plot plot{.title = fmt::format("Forward and inverse transform, {}, batch {}, on {}", options.precision, options.batch,
                                     has_devices ? fmt::format("{} devices", devices.size()) : devices.front().properties().name),
                .x = {.label = "length", .scale = io::AxisScale::log2, .is_whole = true},
                .y = {.label = "time: median, fastest to 90th percentile", .unit = "us", .scale = io::AxisScale::log},
                .series = {}};
  std::vector<std::string> names;
  for (Row result : results) {
    if (const std::string name = series_name(result, has_devices); std::find(names.begin(), names.end(), name) == names.end()) {
      names.push_back(name);
    }
  }
  std::sort(results.begin(), results.end(),
            [](Row a, Row b) { return std::tie(a.length, a.total.median) < std::tie(b.length, b.total.median); });
  for (const std::string& name : names) {
    io::PlotSeries total{.name = name + ", total", .is_marked = true};
    io::PlotSeries band{.style = io::SeriesStyle::band, .color_of = plot.series.size()};
    io::PlotSeries kernels{.name = name + ", kernel", .is_marked = true};
    io::PlotSeries launches{.name = name + ", launch", .is_marked = true};
    for (Row result : results) {
      if (series_name(result, has_devices) == name) {
        for (io::PlotSeries* const series : {&total, &band, &kernels, &launches}) {
          series->x.push_back(static_cast<double>(result.length));
        }
        total.y.push_back(result.total.median);
        band.low.push_back(result.total.smallest);
        band.y.push_back(result.total.ninetieth);
        launches.y.push_back(result.launch ? result.launch->median : missing);
        kernels.y.push_back(result.launch ? kernel(result.total.median, result.launch->median) : missing);
      }
    }
    plot.series.push_back(std::move(total));
    plot.series.push_back(std::move(band));
    if (!has_devices) {
      plot.series.push_back(std::move(kernels));
      plot.series.push_back(std::move(launches));
    }
  }
  return plot;
}

void draw_histograms(const std::vector<BenchResult>& results, bool has_devices) {
  for (Row result : results) {
    constexpr int bins = 20;
    log_lines(fmt::format("{}, length {}: pairs by total time\n{}", series_name(result, has_devices), result.length,
                          bench::text_histogram(result.totals, bins, "us")));
  }
}

/// The library beside each device; says where there is none.
std::vector<Peer> find_peers(const Session& session, const std::vector<exec::Device>& devices, bool is_double) {
  std::vector<Peer> peers;
  for (const exec::Device device : devices) {
    const exec::DeviceProperties& properties = device.properties();
    peers.push_back({device, bench::find_fft_library(exec::to_string(properties.kind), is_double)});
    if (peers.back().search.library == nullptr) {
      session.info(fmt::format("nothing to compare with on device {}: {}", device.label(), peers.back().search.why_none));
    }
  }
  return peers;
}

}  // namespace

int bench_fft(Session& session, const FftBenchOptions& options, const std::string& output, const std::string& plot) {
  const std::vector<index_t> lengths = jobs::parse_list(options.lengths, "--lengths");
  for (const index_t length : lengths) {
    PHPC_VALIDATE(length >= 1, ErrorKind::usage,
                  fmt::format("--lengths {} has a length of {}; give 1 or more", options.lengths, length));
  }
  const io::TableFormat format = session.table_format(output);
  const io::TableFormat spectra_format = session.table_format(options.spectra.empty() ? "-" : options.spectra, "--spectra");
  const std::vector<exec::Device> devices = measured_devices(session.devices(), options.with_host);
  jobs::validate_places({{output, "-o"}, {plot, "--plot"}, {options.spectra, "--spectra"}}, {});
  for (const exec::Device device : devices) {
    for (const index_t length : lengths) {
      validate_bench_memory(device, length, options);
    }
  }
  io::OutputFile table_file(output);
  std::optional<io::OutputFile> plot_file;
  std::optional<io::OutputFile> spectra_file;
  if (!plot.empty()) {
    plot_file.emplace(plot);
  }
  if (!options.spectra.empty()) {
    spectra_file.emplace(options.spectra);
  }
  const std::vector<Peer> peers = find_peers(session, devices, options.precision == "f64");
  std::vector<BenchResult> results;
  session.progress().begin("lengths", lengths.size() * devices.size());
  for (const Peer& peer : peers) {
    for (const index_t length : lengths) {
      for (BenchResult& result : run_bench(peer.device, length, options, peer.search.library.get())) {
        results.push_back(std::move(result));
      }
      session.progress().advance(1);
    }
  }
  session.progress().end();
  if (options.histogram) {
    draw_histograms(results, devices.size() > 1);
  }
  nlohmann::ordered_json meta = session.meta(devices);
  meta["bench"] = described(options, peers);
  if (options.histogram) {
    meta["bench"]["series"] = series_of(results);
  }
  write_table(table_file, format, results, meta);
  table_file.commit();
  if (spectra_file) {
    meta["bench"].erase("series");
    write_spectra(*spectra_file, spectra_format, results, meta);
    spectra_file->commit();
  }
  if (plot_file) {
    plot_file->write(io::to_svg(plot_of(results, options, devices)));
    plot_file->commit();
  }
  return exit_success;
}

}  // namespace phpc::cli
