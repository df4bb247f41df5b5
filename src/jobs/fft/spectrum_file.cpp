#include "jobs/fft/spectrum_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>

#include "jobs/clock.hpp"
#include "jobs/fft/problem.hpp"
#include "jobs/fft/spectrum.hpp"
#include "jobs/fft/spectrum_plot.hpp"
#include "jobs/fft/stream.hpp"
#include "jobs/output_format.hpp"
#include "phpc/core/error.hpp"
#include "phpc/io/output_file.hpp"
#include "phpc/io/svg_plot.hpp"

namespace phpc::jobs {

namespace {

/// The table of one file, a row for each point; the transform's number only where there are several.
class SpectrumTable {
 public:
  SpectrumTable(io::OutputFile& out, io::TableFormat format, const nlohmann::ordered_json& meta, index_t transforms)
      : is_numbered_(transforms != 1), writer_(out, format, columns(), meta) {}

  void add(index_t transform, const SpectrumPoint& point) {
    std::vector<io::Cell> cells;
    if (is_numbered_) {
      cells.emplace_back(transform);
    }
    cells.insert(cells.end(), {point.frequency, point.magnitude, point.phase, point.power_db});
    writer_.row(cells);
  }
  void finish() { writer_.finish(); }

 private:
  [[nodiscard]] std::vector<std::string> columns() const {
    std::vector<std::string> names{"frequency", "magnitude", "phase", "power_db"};
    if (is_numbered_) {
      names.insert(names.begin(), "transform");
    }
    return names;
  }

  bool is_numbered_;
  io::TableWriter writer_;
};

FftProblem spectrum_problem(const FftOptions& options, const io::ArrayReader& reader) {
  ProblemRequest request = problem_request(options);
  PHPC_VALIDATE(request.direction == fft::Direction::forward, ErrorKind::usage,
                "--spectrum and --plot show forward transforms; leave --inverse out");
  const bool is_real = reader.type() == io::NpyType::float32 || reader.type() == io::NpyType::float64;
  if (is_real) {
    request.kind = fft::Kind::real_to_complex;
  }
  FftProblem problem = make_problem(request, reader.type(), reader.shape(), reader.name());
  PHPC_VALIDATE(problem.axes.size() == 1, ErrorKind::usage,
                fmt::format("--spectrum and --plot take one axis ({} are named); give one with --axes", problem.axes.size()));
  if (options.amplitude) {
    problem.scale = options.scale;
  }
  return problem;
}

SpectrumPlot::Description plot_of(const FftOptions& options, const io::ArrayReader& reader, const SpectrumShape& shape,
                                  double rate, const FftProblem& problem) {
  const bool is_sound = reader.rate().has_value();
  // What lies lower is rounding: 1 / epsilon of the precision.
  const double depth = problem.precision() == fft::Precision::f32 ? 138 : 313;
  return {
      .title = fmt::format("Spectrum of {}{}", reader.name(), options.window == "none" ? "" : ", " + options.window + " window"),
      .each = is_sound ? "channel" : "transform",
      .points = shape.points(),
      .spacing = rate / static_cast<double>(problem.lengths().front()),
      .has_unit = options.rate || is_sound,
      .label = options.amplitude ? "amplitude" : "magnitude",
      // Samples of sound are shares of full scale.
      .level_unit = options.amplitude && is_sound ? "dBFS" : "dB",
      .depth = depth};
}

nlohmann::ordered_json described(const FftOptions& options, const std::string& input, const FftProblem& problem, double rate) {
  nlohmann::ordered_json json;
  json["input"] = input;
  json["transforms"] = problem.blocks * problem.transforms();
  json["length"] = problem.lengths().front();
  json["samples"] = std::min(problem.file_block.front(), problem.real_block.front());
  json["rate"] = rate;
  json["window"] = options.window;
  json["magnitude"] = options.amplitude ? "amplitude" : "transform, norm " + options.norm;
  json["phase_unit"] = "rad";
  return json;
}

}  // namespace

void spectrum_of_file(const FftJob& job, const std::string& input, const std::string& table_path, const std::string& plot_path) {
  const FftOptions& options = job.options;
  std::optional<io::OutputFile> table_file;
  std::optional<io::OutputFile> plot_file;
  if (!table_path.empty()) {
    table_file.emplace(table_path);
  }
  if (!plot_path.empty()) {
    plot_file.emplace(plot_path);
  }
  io::ArrayReader reader = io::open_array(input, raw_format(options, job.memory));
  const FftProblem problem = spectrum_problem(options, reader);
  const double rate = options.rate.value_or(reader.rate().value_or(1));
  const index_t transforms = problem.blocks * problem.transforms();
  const index_t used = std::min(problem.file_block.front(), problem.real_block.front());
  const std::uint64_t window_bytes = options.window == "none" ? 0 : static_cast<std::uint64_t>(used) * sizeof(double);
  const PartPlan parts = plan_parts(problem, reader, job.memory, window_bytes);
  const std::vector<double> window = window_weights(options.window, used);
  const double weight_sum = window.empty() ? static_cast<double>(used) : std::accumulate(window.begin(), window.end(), 0.0);
  const SpectrumShape shape(problem, rate, options.amplitude, weight_sum);

  std::optional<SpectrumTable> table;
  if (table_file) {
    nlohmann::ordered_json meta = job.caller.meta(job.devices);
    meta["spectrum"] = described(options, reader.name(), problem, rate);
    table.emplace(*table_file, table_format(table_path, options.table_format, "-o"), meta, transforms);
  }
  SpectrumPlot curves(plot_of(options, reader, shape, rate, problem));
  const auto start = Clock::now();
  index_t first = 0;
  const auto use = [&](std::span<const std::byte> out, index_t count) {
    shape.each(out, first, [&](index_t transform, const SpectrumPoint& point) {
      if (table) {
        table->add(transform, point);
      }
      if (plot_file) {
        curves.add(transform, point);
      }
    });
    first += count * problem.transforms();
  };
  transform_stream(reader, problem, job.devices, parts, window, use, job.plan_listener(), job.caller.progress());
  if (table) {
    table->finish();
    table_file->commit();
  }
  if (plot_file) {
    if (curves.left_out() > 0) {
      job.caller.warning(fmt::format("the plot shows the first {} of {} transforms", transforms - curves.left_out(), transforms));
    }
    plot_file->write(io::to_svg(std::move(curves).plot()));
    plot_file->commit();
  }
  job.caller.info(fmt::format("{} spectr{} of {} points from {} samples each{}, in {:.3g} s", transforms,
                              transforms == 1 ? "um" : "a", shape.points(), used, problem.resized_text(), seconds_since(start)));
}

}  // namespace phpc::jobs
