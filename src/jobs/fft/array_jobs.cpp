#include "jobs/fft/array_jobs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>

#include "jobs/fft/problem.hpp"
#include "jobs/fft/spectrum.hpp"
#include "jobs/fft/spectrum_plot.hpp"
#include "jobs/fft/stream.hpp"
#include "jobs/output_format.hpp"
#include "phpc/core/error.hpp"
#include "phpc/core/parse.hpp"
#include "phpc/io/output_file.hpp"
#include "phpc/io/svg_plot.hpp"

namespace phpc::jobs {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

std::string lengths_text(const FftProblem& problem) {
  return fmt::format("{}", fmt::join(problem.lengths(), " x "));
}

/// " (the first 512 of 4000 elements)" where --shape-out crops, " (4000 elements, padded to 8192)" where it pads, for each axis;
/// else empty. Of a half spectrum the elements are those of the half.
std::string resized_text(const FftProblem& problem) {
  std::vector<std::string> axes;
  for (const index_t axis : problem.axes) {
    const index_t given = problem.file_block[static_cast<std::size_t>(axis)];
    const index_t taken = problem.in_block[static_cast<std::size_t>(axis)];
    if (taken < given) {
      axes.push_back(fmt::format("the first {} of {} elements", taken, given));
    } else if (taken > given) {
      axes.push_back(fmt::format("{} elements, padded with zeros to {}", given, taken));
    }
  }
  return axes.empty() ? "" : fmt::format(" ({})", fmt::join(axes, "; "));
}

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

/// Throws Error(usage) where the suffix of a file of bare elements, which alone tells their type, names another type than theirs.
void validate_element_suffix(const FftOptions& options, const std::string& output, io::NpyType type) {
  struct ElementSuffix {
    std::string_view suffix;
    io::NpyType type;
  };
  static constexpr ElementSuffix typed[] = {{".f32", io::NpyType::float32},     {".f64", io::NpyType::float64},
                                            {".c64", io::NpyType::complex64},   {".cf32", io::NpyType::complex64},
                                            {".c128", io::NpyType::complex128}, {".cf64", io::NpyType::complex128}};
  const std::string suffix = lower_case(std::filesystem::path(output).extension().string());
  for (const ElementSuffix& one : typed) {
    PHPC_VALIDATE(
        suffix != one.suffix || type == one.type || options.output_format != "auto", ErrorKind::usage,
        fmt::format("-o '{}' names elements of type {}, and the result is {}; name it {} or .raw, or say --output-format", output,
                    io::to_string(one.type), io::to_string(type),
                    std::find_if(std::begin(typed), std::end(typed), [&](const ElementSuffix& right) {
                      return right.type == type;
                    })->suffix));
  }
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

/// Logs the plans of a run, where its caller wants them.
PlanListener plan_listener(const FftJob& job) {
  if (!job.caller.wants_debug()) {
    return {};
  }
  return [&job](exec::Device device, const std::string& description) { job.caller.debug(device, description); };
}

}  // namespace

bool writes_npy(const FftOptions& options, const std::string& output) {
  const std::string given = options.output_format == "auto" ? "" : options.output_format;
  return output_format(output, given,
                       {.what = "transforms",
                        .place = "-o",
                        .format_option = "--output-format, or --spectrum for a table",
                        .formats = {"npy", "raw"},
                        .is_text = false}) == "npy";
}

void transform_file(const FftJob& job, const std::string& input, const std::string& output) {
  io::OutputFile out(output);  // before the work: is it writable?
  io::ArrayReader reader = io::open_array(input, raw_format(job.options, job.memory));
  const FftProblem problem = make_problem(problem_request(job.options), reader.type(), reader.shape(), reader.name());
  const PartPlan parts = plan_parts(problem, reader, job.memory);
  const auto start = Clock::now();
  validate_element_suffix(job.options, output, problem.out_type);
  if (writes_npy(job.options, output)) {
    out.write(io::npy_header(problem.out_type, problem.out_shape()));
  }
  transform_stream(
      reader, problem, job.devices, parts, {}, [&](std::span<const std::byte> bytes, index_t) { out.write(bytes); },
      plan_listener(job), job.caller.progress());
  out.commit();
  const index_t transforms = problem.blocks * problem.transforms();
  job.caller.info(fmt::format("{} {} transform{} of length {}{}, {}, in {:.3g} s", transforms,
                              job.options.inverse ? "inverse" : "forward", transforms == 1 ? "" : "s", lengths_text(problem),
                              resized_text(problem), io::to_string(problem.out_type), seconds_since(start)));
}

void transform_share(const FftJob& job, const std::string& input, const std::string& output, const Shard& shard) {
  const FftOptions& options = job.options;
  Fingerprints inputs = fingerprints(options.sharding);
  const nlohmann::ordered_json identity = inputs.of(input);  // before it is read: what changes later is found out
  io::ArrayReader reader = io::open_array(input, raw_format(options, job.memory));
  FftProblem problem = make_problem(problem_request(options), reader.type(), reader.shape(), reader.name());
  validate_element_suffix(options, output, problem.out_type);
  const bool is_npy = writes_npy(options, output);
  const nlohmann::ordered_json parameters{{"input", identity},
                                          {"dtype", options.dtype},
                                          {"shape", options.shape},
                                          {"inverse", options.inverse},
                                          {"real", options.real},
                                          {"axes", options.axes},
                                          {"norm", options.norm},
                                          {"scale", options.scale},
                                          {"shape-out", options.shape_out},
                                          {"output-format", is_npy ? "npy" : "raw"}};
  const std::string prologue = is_npy ? io::npy_header(problem.out_type, problem.out_shape()) : std::string();
  const index_t each = problem.transforms();
  const std::string way_out =
      fmt::format(" (blocks are numbered by the axes before the first transformed one, and '{}' of shape ({}) has {})",
                  reader.name(), fmt::join(reader.shape(), ", "), problem.leading.empty() ? "none" : "one block");
  ShardOutput part(shard, options.sharding, job.caller, output,
                   {"fft", parameters, "blocks", problem.blocks, prologue, std::move(inputs), way_out},
                   job.devices.front().properties().name);
  const exec::Range left = part.left();
  index_t block = 1;
  for (const index_t length : problem.file_block) {
    block *= length;
  }
  if (left.size() > 0) {
    reader.keep_only(left.begin * block, left.size() * block);
    problem.blocks = left.size();
    index_t done = left.begin;
    transform_stream(
        reader, problem, job.devices, plan_parts(problem, reader, job.memory), {},
        [&](std::span<const std::byte> bytes, index_t count) {
          done += count;
          part.write(bytes, done, count * each);
        },
        plan_listener(job), job.caller.progress());
  }
  part.commit();
}

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
  transform_stream(reader, problem, job.devices, parts, window, use, plan_listener(job), job.caller.progress());
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
                              transforms == 1 ? "um" : "a", shape.points(), used, resized_text(problem), seconds_since(start)));
}

}  // namespace phpc::jobs
