#include "jobs/fft/transform_all.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "jobs/clock.hpp"
#include "jobs/fft/files.hpp"
#include "jobs/fft/job.hpp"
#include "jobs/fft/problem.hpp"
#include "jobs/fft/spectrum_file.hpp"
#include "jobs/file_places.hpp"
#include "jobs/output_format.hpp"
#include "phpc/core/error.hpp"
#include "phpc/core/parse.hpp"
#include "phpc/io/output_file.hpp"

namespace phpc::jobs {

namespace {

std::uint64_t allowed_memory(const FftOptions& options) {
  constexpr std::uint64_t if_unknown = std::uint64_t{2} << 30;
  const std::uint64_t half = exec::Device::host().free_memory_bytes() / 2;
  return options.memory > 0 ? options.memory : half > 0 ? half : if_unknown;
}

/// What one command writes for each input; lists are empty for what it does not write.
struct FftOutputs {
  std::vector<std::string> arrays;
  std::vector<std::string> tables;
  std::vector<std::string> plots;

  /// All that are made of input i.
  [[nodiscard]] std::vector<std::string> of(std::size_t i) const {
    std::vector<std::string> results;
    for (const auto* const list : {&arrays, &tables, &plots}) {
      if (!list->empty()) {
        results.push_back((*list)[i]);
      }
    }
    return results;
  }
};

/// Whether a result goes out as .npy, by --output-format and the name of the output; otherwise as bare elements. Throws
/// Error(usage) where the name is one of neither.
bool writes_npy(const FftOptions& options, const std::string& output) {
  const std::string given = options.output_format == "auto" ? "" : options.output_format;
  return output_format(output, given,
                       {.what = "transforms",
                        .place = "-o",
                        .format_option = "--output-format, or --spectrum for a table",
                        .formats = {"npy", "raw"},
                        .is_text = false}) == "npy";
}

FftOutputs outputs_of(const FftOptions& options, const std::vector<std::string>& inputs) {
  FftOutputs outputs;
  const std::string output = options.output.empty() ? "-" : options.output;
  const bool is_folder = output.ends_with('/') || std::filesystem::is_directory(output);
  const std::string name = is_folder ? "-" : output;
  if (options.spectrum) {
    const bool is_json = table_format(name, options.table_format, "-o") == io::TableFormat::json;
    outputs.tables = output_paths(inputs, output, is_json ? ".json" : ".tsv", "-o");
  } else if (options.plot.empty() || !options.output.empty()) {
    outputs.arrays = output_paths(inputs, output, writes_npy(options, name) ? ".npy" : ".raw", "-o");
    PHPC_VALIDATE(output != "-" || !options.standard_output_is_terminal, ErrorKind::usage,
                  "standard output is a terminal, and the result is not text; give -o FILE, or --spectrum for a table");
  }
  if (!options.plot.empty()) {
    outputs.plots = output_paths(inputs, options.plot, ".svg", "--plot");
  }
  return outputs;
}

/// Throws Error(usage) where a result would replace a file that the command reads or writes. One may: the result of a single
/// input that input, which has been read by then.
void validate_places_of(const FftOutputs& outputs, const std::vector<std::string>& inputs, const FftOptions& options,
                        const std::optional<Shard>& shard, const Caller& caller) {
  const bool is_one = inputs.size() == 1;
  std::vector<FilePlace> results;
  const auto add = [&](const std::vector<std::string>& paths, const std::string& option) {
    for (std::size_t i = 0; i < paths.size(); ++i) {
      results.push_back({paths[i], is_one ? option : fmt::format("{} of '{}'", option, inputs[i])});
    }
  };
  if (is_one && shard && !outputs.arrays.empty()) {
    results = shard_places(*shard, outputs.arrays.front(), "-o");
  } else {
    add(outputs.arrays, "-o");
    add(outputs.tables, "-o");
  }
  add(outputs.plots, "--plot");
  std::vector<FilePlace> sources = places_of(inputs, "an input");
  const bool in_place = is_one && !shard && !outputs.arrays.empty() && outputs.plots.empty() &&  // a plot is read from it as well
                        replaces(outputs.arrays.front(), inputs.front());
  if (in_place) {
    sources.clear();
  }
  sources.push_back({options.files_from, "--files-from"});
  validate_places(results, sources);
  if (in_place) {
    caller.warning(fmt::format("the transform replaces its input '{}'", inputs.front()));
  }
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

/// Transforms the array of a file and writes the result, as .npy or bare elements.
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
      job.plan_listener(), job.caller.progress());
  out.commit();
  const index_t transforms = problem.blocks * problem.transforms();
  job.caller.info(fmt::format("{} {} transform{} of length {}{}, {}, in {:.3g} s", transforms,
                              job.options.inverse ? "inverse" : "forward", transforms == 1 ? "" : "s",
                              fmt::join(problem.lengths(), " x "), problem.resized_text(), io::to_string(problem.out_type),
                              seconds_since(start)));
}

/// Does the same with one shard's share of the array's blocks: writes a part.
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
        job.plan_listener(), job.caller.progress());
  }
  part.commit();
}

bool transform_files(const FftJob& job, const std::vector<std::string>& inputs, const FftOutputs& outputs) {
  return for_each_input(inputs, job.caller, [&](std::size_t i) {
    stop_if_asked(job.caller, fmt::format("stopped before '{}'; go on with --resume", inputs[i]));
    const std::vector<std::string> results = outputs.of(i);
    if (job.options.sharding.resume && are_up_to_date(inputs[i], results)) {
      return;
    }
    if (!outputs.arrays.empty()) {
      transform_file(job, inputs[i], outputs.arrays[i]);
    }
    if (!outputs.tables.empty() || !outputs.plots.empty()) {
      spectrum_of_file(job, inputs[i], outputs.tables.empty() ? "" : outputs.tables[i],
                       outputs.plots.empty() ? "" : outputs.plots[i]);
    }
  });
}

/// Transforms a shard's share of the inputs, whole files each.
bool transform_share_of_files(const FftJob& job, const std::vector<std::string>& inputs, const FftOutputs& outputs,
                              const Shard& shard) {
  const std::vector<std::string> mine = share_of(inputs, shard);
  job.caller.info(fmt::format("shard {} of {}: {} of {} inputs", shard.index, shard.count, mine.size(), inputs.size()));
  return transform_files(job, mine,
                         {share_of(outputs.arrays, shard), share_of(outputs.tables, shard), share_of(outputs.plots, shard)});
}

}  // namespace

bool transform_all(Caller& caller, const FftOptions& options, const ChooseDevices& choose_devices) {
  const bool shows_spectrum = options.spectrum || !options.plot.empty();
  PHPC_VALIDATE(shows_spectrum || (options.window == "none" && !options.amplitude && !options.rate), ErrorKind::usage,
                "--window, --amplitude and --rate belong to spectra; give --spectrum or --plot with them");
  constexpr double fastest = 1e200;  // beyond it a frequency could overflow
  PHPC_VALIDATE(!options.rate || (*options.rate > 0 && *options.rate <= fastest), ErrorKind::usage,
                fmt::format("--rate {} is not above 0 and at most {}; give samples per second", *options.rate, fastest));
  const std::vector<std::string> inputs = input_paths(options.inputs, options.files_from);
  problem_request(options);  // what is wrong with the options is said before any file is opened
  const FftOutputs outputs = outputs_of(options, inputs);
  PHPC_VALIDATE(outputs.arrays.empty() || outputs.plots.empty() || std::count(inputs.begin(), inputs.end(), "-") == 0,
                ErrorKind::usage, "-o and --plot read their input once each, and standard input ends; give a file");
  const std::optional<Shard> shard = parse_shard(options.sharding);
  validate_places_of(outputs, inputs, options, shard, caller);
  const FftJob job{options, caller, choose_devices(), allowed_memory(options)};
  if (shard && inputs.size() == 1) {
    PHPC_VALIDATE(!shows_spectrum, ErrorKind::usage,
                  "--shard cuts one array's transforms; leave --spectrum and --plot out, or name several files");
    transform_share(job, inputs[0], outputs.arrays[0], *shard);
    return true;
  }
  return shard ? transform_share_of_files(job, inputs, outputs, *shard) : transform_files(job, inputs, outputs);
}

}  // namespace phpc::jobs
