#include "jobs/fft/transform_all.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "jobs/fft/array_jobs.hpp"
#include "jobs/fft/files.hpp"
#include "jobs/fft/problem.hpp"
#include "jobs/file_places.hpp"
#include "jobs/output_format.hpp"
#include "phpc/core/error.hpp"

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
