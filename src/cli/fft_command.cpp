#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>

#include "cli/app.hpp"
#include "cli/byte_size.hpp"
#include "cli/fft_bench.hpp"
#include "cli/number_check.hpp"
#include "cli/option_tree.hpp"
#include "cli/plot_option.hpp"
#include "jobs/fft/array_jobs.hpp"
#include "jobs/fft/files.hpp"
#include "jobs/fft/options.hpp"
#include "jobs/fft/spectrum.hpp"
#include "jobs/output_format.hpp"
#include "jobs/shard.hpp"
#include "phpc/core/error.hpp"

namespace phpc::cli {

namespace {

struct FftState {
  FftOptions options;
  FftBenchOptions bench;
  bool runs_bench = false;
};

constexpr const char* bench_group = "Benchmark";

/// Text that an option takes and that is not empty: "" is what is left of a variable that is not set.
const CLI::Validator& filled() {
  static const CLI::Validator check([](const std::string& text) { return text.empty() ? std::string("is empty") : ""; }, "", "");
  return check;
}

std::uint64_t allowed_memory(const FftOptions& options) {
  constexpr std::uint64_t if_unknown = std::uint64_t{2} << 30;
  const std::uint64_t half = exec::Device::host().free_memory_bytes() / 2;
  return options.memory > 0 ? options.memory : half > 0 ? half : if_unknown;
}

int run_bench_command(const FftState& state, Session& session) {
  return bench_fft(session, state.bench, state.options.output.empty() ? "-" : state.options.output, state.options.plot);
}

/// What one command writes for each input; lists are empty for what it does not write.
struct Outputs {
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

Outputs outputs_of(const FftOptions& options, const std::vector<std::string>& inputs, const Session& session) {
  Outputs outputs;
  const std::string output = options.output.empty() ? "-" : options.output;
  const bool is_folder = output.ends_with('/') || std::filesystem::is_directory(output);
  const std::string name = is_folder ? "-" : output;
  if (options.spectrum) {
    const bool is_json = session.table_format(name) == io::TableFormat::json;
    outputs.tables = output_paths(inputs, output, is_json ? ".json" : ".tsv", "-o");
  } else if (options.plot.empty() || !options.output.empty()) {
    outputs.arrays = output_paths(inputs, output, writes_npy(options, name) ? ".npy" : ".raw", "-o");
    PHPC_VALIDATE(output != "-" || isatty(STDOUT_FILENO) == 0, ErrorKind::usage,
                  "standard output is a terminal, and the result is not text; give -o FILE, or --spectrum for a table");
  }
  if (!options.plot.empty()) {
    outputs.plots = output_paths(inputs, options.plot, ".svg", "--plot");
  }
  return outputs;
}

/// No result may replace a file of the command but one: that of a single input this input, which is read by then.
void validate_places_of(const Outputs& outputs, const std::vector<std::string>& inputs, const FftOptions& options,
                        const std::optional<Shard>& shard, const Session& session) {
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
    session.note(fmt::format("the transform replaces its input '{}'", inputs.front()));
  }
}

int transform_files(const FftJob& job, const std::vector<std::string>& inputs, const Outputs& outputs) {
  return for_each_input(inputs, job.session, [&](std::size_t i) {
    stop_if_asked(fmt::format("stopped before '{}'; go on with --resume", inputs[i]));
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

/// Whole files of a list.
int transform_share_of_files(const FftJob& job, const std::vector<std::string>& inputs, const Outputs& outputs,
                             const Shard& shard) {
  const std::vector<std::string> mine = share_of(inputs, shard);
  job.session.note(fmt::format("shard {} of {}: {} of {} inputs", shard.index, shard.count, mine.size(), inputs.size()));
  return transform_files(job, mine,
                         {share_of(outputs.arrays, shard), share_of(outputs.tables, shard), share_of(outputs.plots, shard)});
}

int run_fft(const FftState& state, Session& session) {
  if (state.runs_bench) {
    return run_bench_command(state, session);
  }
  const FftOptions& options = state.options;
  const bool shows_spectrum = options.spectrum || !options.plot.empty();
  PHPC_VALIDATE(shows_spectrum || (options.window == "none" && !options.amplitude && !options.rate), ErrorKind::usage,
                "--window, --amplitude and --rate belong to spectra; give --spectrum or --plot with them");
  constexpr double fastest = 1e200;  // beyond it a frequency could overflow
  PHPC_VALIDATE(!options.rate || (*options.rate > 0 && *options.rate <= fastest), ErrorKind::usage,
                fmt::format("--rate {} is not above 0 and at most {}; give samples per second", *options.rate, fastest));
  const std::vector<std::string> inputs = input_paths(options.inputs, options.files_from);
  problem_request(options);  // what is wrong with the options is said before any file is opened
  const Outputs outputs = outputs_of(options, inputs, session);
  PHPC_VALIDATE(outputs.arrays.empty() || outputs.plots.empty() || std::count(inputs.begin(), inputs.end(), "-") == 0,
                ErrorKind::usage, "-o and --plot read their input once each, and standard input ends; give a file");
  const std::optional<Shard> shard = parse_shard(options.sharding);
  validate_places_of(outputs, inputs, options, shard, session);
  const FftJob job{options, session, session.devices(), allowed_memory(options)};
  if (shard && inputs.size() == 1) {
    PHPC_VALIDATE(!shows_spectrum, ErrorKind::usage,
                  "--shard cuts one array's transforms; leave --spectrum and --plot out, or name several files");
    transform_share(job, inputs[0], outputs.arrays[0], *shard);
    return exit_success;
  }
  return shard ? transform_share_of_files(job, inputs, outputs, *shard) : transform_files(job, inputs, outputs);
}

void add_input_options(CLI::App& command, FftOptions& options) {
  constexpr const char* group = "Input";
  command
      .add_option(
          "input", options.inputs,
          "Arrays as .npy of any rank (complex64, complex128, float16 to float64, or integers, which become float64), WAV "
          "files (shape: channels, samples), or bare elements (--dtype); - is standard input")
      ->type_name("INPUT");
  command.add_option("--files-from", options.files_from, "More inputs, a path on each line of that file; - is standard input")
      ->type_name("LIST")
      ->check(filled())
      ->group(group);
  command
      .add_option("--dtype", options.dtype,
                  fmt::format("The inputs are bare elements of this type: {} (ci, cu: pairs of integers), or NumPy's name; > "
                              "before it: big-endian",
                              fmt::join(io::raw_dtypes(), ", ")))
      ->type_name(with_words("TYPE", io::raw_dtypes()))
      ->check(filled())
      ->group(group);
  command.add_option("--shape", options.shape, "With --dtype: lengths of the axes as in 4,1024; one may be -1. Default: -1")
      ->type_name("N,M")
      ->check(filled())
      ->group(group);
}

void add_transform_options(CLI::App& command, FftOptions& options) {
  constexpr const char* group = "Transform";
  command.add_flag("--inverse", options.inverse, "The inverse transform")->group(group);
  command
      .add_flag("--real", options.real,
                "Real input, and of the spectrum only the half that tells, n/2 + 1 elements of the last transformed axis; with "
                "--inverse the way back")
      ->group(group);
  command
      .add_option("--axes", options.axes,
                  "Axes to transform, as in 0,2, counted from the end when negative, or all. With --shape-out of several lengths "
                  "the default is as many of the last")
      ->capture_default_str()
      ->type_name("AXES")
      ->check(filled())
      ->group(group);
  command
      .add_option(
          "--shape-out", options.shape_out,
          "Lengths of the transforms, as in 480,640, one for each transformed axis: the input is cropped or padded with "
          "zeros at its ends (numpy's s=); -1: the input's own. Of --inverse --real the default is 2 (m - 1) for m elements")
      ->type_name("N,M")
      ->check(filled())
      ->group(group);
  command
      .add_option("--norm", options.norm,
                  "Where the factor 1/n goes, as in numpy.fft: backward = on the inverse, ortho = 1/sqrt(n) on both, "
                  "forward = on the forward transform")
      ->capture_default_str()
      ->check(CLI::IsMember({"backward", "ortho", "forward"}))
      ->group(group);
  command.add_option("--scale", options.scale, "A further factor on the result")
      ->capture_default_str()
      ->transform(real_number())
      ->group(group);
}

void add_spectrum_options(CLI::App& command, FftOptions& options) {
  constexpr const char* group = "Spectrum";
  command
      .add_flag(
          "--spectrum", options.spectrum,
          "Write a table instead of an array: frequency, magnitude, phase (radians), power (dB, 20 log10 of the magnitude), "
          "and the transform's number where there are several. Real input: frequencies 0 to rate/2; complex: from -rate/2")
      ->group(group);
  command.add_option("--rate", options.rate, "Samples per second along the axis. Default: that of a WAV file, else 1")
      ->type_name("HZ")
      ->transform(real_number())
      ->group(group);
  command.add_option("--window", options.window, "Weight the samples before the transform (periodic windows)")
      ->capture_default_str()
      ->check(CLI::IsMember(window_names()))
      ->group(group);
  CLI::Option* const amplitude =
      command
          .add_flag(
              "--amplitude", options.amplitude,
              "Scale magnitudes so that a sinusoid of amplitude A shows as A: divided by the window's sum, and doubled where "
              "a real signal's other half is not shown")
          ->group(group);
  amplitude->excludes(command.get_option("--norm"));
  add_plot_option(
      command, options.plot,
      "Draw the spectra in dB, or the times of --bench, as an SVG picture: a name that ends in .svg or has no ending. "
      "Without --spectrum and -o nothing else is written")
      ->group(group);
}

void add_output_options(CLI::App& command, FftOptions& options) {
  constexpr const char* group = "Output";
  command
      .add_option(
          "-o,--output", options.output,
          "Result; - is standard output, the default. A single input may be replaced by its transform. With several inputs a "
          "folder, or a pattern with {stem} in it, which "
          "stands for the input's name without folder and extension")
      ->type_name("OUTPUT")
      ->check(filled())
      ->group(group);
  command
      .add_option(
          "--output-format", options.output_format,
          fmt::format("npy, or raw = bare elements in C order; auto: raw for names that end in {}, else npy; names of other "
                      "formats are refused",
                      fmt::join(suffixes_of("raw"), ", ")))
      ->capture_default_str()
      ->check(CLI::IsMember({"auto", "npy", "raw"}))
      ->group(group);
  command
      .add_option("--memory", options.memory,
                  "The most memory for the array, as in 500MB or 2GiB; larger ones go through in parts where the axes before the "
                  "transformed ones allow it. Default: half of what is free, of the machine, the job's control group or ulimit")
      ->transform(byte_size())
      ->type_name("SIZE")
      ->group(group);
}

void add_bench_options(CLI::App& command, FftState& state) {
  CLI::Option* const bench =
      command
          .add_flag(
              "--bench", state.runs_bench,
              "Time forward and inverse pairs on f(x) = x in the device's memory, and compare with a transform in long double "
              "and with FFTW where its library is found. launch: two empty kernels (host: transforms of one element); kernel = "
              "total - launch")
          ->group(bench_group);
  command.add_option("--lengths", state.bench.lengths, "Lengths to time")
      ->capture_default_str()
      ->type_name("N,M")
      ->check(filled())
      ->needs(bench)
      ->group(bench_group);
  command.add_option("--iterations", state.bench.iterations, "Pairs to time, after one that is not counted")
      ->capture_default_str()
      ->transform(whole_number(1, 100000000))
      ->needs(bench)
      ->group(bench_group);
  command.add_option("--batch", state.bench.batch, "Transforms at a time")
      ->capture_default_str()
      ->transform(whole_number(1, most_units))
      ->needs(bench)
      ->group(bench_group);
  command.add_option("--precision", state.bench.precision, "Of the transforms")
      ->capture_default_str()
      ->transform(precision_name())
      ->check(CLI::IsMember({"f32", "f64"}))
      ->needs(bench)
      ->group(bench_group);
  command.add_flag("--histogram", state.bench.histogram, "Draw a histogram of the times of each length on standard error")
      ->needs(bench)
      ->group(bench_group);
  // What a benchmark does not look at is a mistake beside it.
  for (CLI::Option* const option : command.get_options()) {
    const std::string group = option->get_group();
    const bool is_of_files = option->get_name(true) == "input" || group == "Input" || group == "Transform";
    const bool is_of_results = group == "Spectrum" && option->get_name() != "--plot";
    if (is_of_files || is_of_results || option->get_name() == "--output-format" || option->get_name() == "--memory" ||
        group == "Sharding") {
      bench->excludes(option);
    }
  }
}

}  // namespace

void add_fft_command(CLI::App& app, Session& session) {
  CLI::App* const command = app.add_subcommand("fft", "Discrete Fourier transforms of arrays, files of sound and raw data");
  const auto state = std::make_shared<FftState>();
  add_input_options(*command, state->options);
  add_transform_options(*command, state->options);
  add_spectrum_options(*command, state->options);
  add_output_options(*command, state->options);
  add_shard_options(*command, state->options.sharding);
  session.add_format_option(*command);
  add_bench_options(*command, *state);
  session.add_common_options(*command);
  command->footer(
      "Example: portable-hpc fft signal.npy -o spectrum.npy --norm ortho\n"
      "Example: portable-hpc fft image.npy --real --axes 0,1 -o image.fft.npy\n"
      "Example: portable-hpc fft sound.wav --spectrum --amplitude --window hann --plot sound.svg -o sound.tsv\n"
      "Example: portable-hpc fft *.npy -o 'out/{stem}.fft.npy'\n"
      "Example: portable-hpc fft --bench --plot times.svg -o times.tsv");
  command->callback([command, state, &session] {
    state->options.axes_given = command->count("--axes") > 0;
    session.action = [state, &session] { return run_fft(*state, session); };
  });
}

}  // namespace phpc::cli
