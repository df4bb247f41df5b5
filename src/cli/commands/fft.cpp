#include "cli/bench/fft.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "cli/commands/commands.hpp"
#include "cli/commands/job_options.hpp"
#include "cli/commands/shard_options.hpp"
#include "cli/options/number_check.hpp"
#include "cli/options/option_tree.hpp"
#include "cli/options/plot_option.hpp"
#include "jobs/fft/options.hpp"
#include "jobs/fft/spectrum.hpp"
#include "jobs/fft/transform_all.hpp"
#include "jobs/output_format.hpp"
#include "phpc/io/array_reader.hpp"

namespace phpc::cli {

namespace {

struct FftState {
  jobs::FftOptions options;
  FftBenchOptions bench;
  bool runs_bench = false;
};

/// Text that an option takes and that is not empty: "" is what is left of a variable that is not set.
const CLI::Validator& filled() {
  static const CLI::Validator check([](const std::string& text) { return text.empty() ? std::string("is empty") : ""; }, "", "");
  return check;
}

int run_bench_command(const FftState& state, Session& session) {
  return bench_fft(session, state.bench, state.options.output.empty() ? "-" : state.options.output, state.options.plot);
}

int run_fft(const FftState& state, Session& session) {
  if (state.runs_bench) {
    return run_bench_command(state, session);
  }
  jobs::FftOptions options = state.options;
  options.table_format = session.format();
  options.standard_output_is_terminal = isatty(STDOUT_FILENO) != 0;
  const bool all_went_well = jobs::transform_all(session, options, [&session] { return session.devices(); });
  return all_went_well ? exit_success : exit_failure;
}

void add_input_options(CLI::App& command, jobs::FftOptions& options) {
  command.option_defaults()->group("Input");
  command
      .add_option(
          "input", options.inputs,
          "Arrays as .npy of any rank (complex64, complex128, float16 to float64, or integers, which become float64), WAV "
          "files (shape: channels, samples), or bare elements (--dtype); - is standard input")
      ->type_name("INPUT");
  command.add_option("--files-from", options.files_from, "More inputs, a path on each line of that file; - is standard input")
      ->type_name("LIST")
      ->check(filled());
  command
      .add_option("--dtype", options.dtype,
                  fmt::format("The inputs are bare elements of this type: {} (ci, cu: pairs of integers), or NumPy's name; > "
                              "before it: big-endian",
                              fmt::join(io::raw_dtypes(), ", ")))
      ->type_name(with_words("TYPE", io::raw_dtypes()))
      ->check(filled());
  command.add_option("--shape", options.shape, "With --dtype: lengths of the axes as in 4,1024; one may be -1. Default: -1")
      ->type_name("N,M")
      ->check(filled());
}

void add_transform_options(CLI::App& command, jobs::FftOptions& options) {
  command.option_defaults()->group("Transform");
  command.add_flag("--inverse", options.inverse, "The inverse transform");
  command.add_flag(
      "--real", options.real,
      "Real input, and of the spectrum only the half that tells, n/2 + 1 elements of the last transformed axis; with "
      "--inverse the way back");
  command
      .add_option("--axes", options.axes,
                  "Axes to transform, as in 0,2, counted from the end when negative, or all. With --shape-out of several lengths "
                  "the default is as many of the last")
      ->capture_default_str()
      ->type_name("AXES")
      ->check(filled());
  command
      .add_option(
          "--shape-out", options.shape_out,
          "Lengths of the transforms, as in 480,640, one for each transformed axis: the input is cropped or padded with "
          "zeros at its ends (numpy's s=); -1: the input's own. Of --inverse --real the default is 2 (m - 1) for m elements")
      ->type_name("N,M")
      ->check(filled());
  command
      .add_option("--norm", options.norm,
                  "Where the factor 1/n goes, as in numpy.fft: backward = on the inverse, ortho = 1/sqrt(n) on both, "
                  "forward = on the forward transform")
      ->capture_default_str()
      ->check(CLI::IsMember({"backward", "ortho", "forward"}));
  command.add_option("--scale", options.scale, "A further factor on the result")->capture_default_str()->transform(real_number());
}

void add_spectrum_options(CLI::App& command, jobs::FftOptions& options) {
  command.option_defaults()->group("Spectrum");
  command.add_flag(
      "--spectrum", options.spectrum,
      "Write a table instead of an array: frequency, magnitude, phase (radians), power (dB, 20 log10 of the magnitude), "
      "and the transform's number where there are several. Real input: frequencies 0 to rate/2; complex: from -rate/2");
  command.add_option("--rate", options.rate, "Samples per second along the axis. Default: that of a WAV file, else 1")
      ->type_name("HZ")
      ->transform(real_number());
  command.add_option("--window", options.window, "Weight the samples before the transform (periodic windows)")
      ->capture_default_str()
      ->check(CLI::IsMember(jobs::window_names()));
  CLI::Option* const amplitude = command.add_flag(
      "--amplitude", options.amplitude,
      "Scale magnitudes so that a sinusoid of amplitude A shows as A: divided by the window's sum, and doubled where "
      "a real signal's other half is not shown");
  amplitude->excludes(command.get_option("--norm"));
  add_plot_option(
      command, options.plot,
      "Draw the spectra in dB, or the times of --bench, as an SVG picture: a name that ends in .svg or has no ending. "
      "Without --spectrum and -o nothing else is written");
}

void add_output_options(CLI::App& command, jobs::FftOptions& options) {
  command.option_defaults()->group("Output");
  command
      .add_option(
          "-o,--output", options.output,
          "Result; - is standard output, the default. A single input may be replaced by its transform. With several inputs a "
          "folder, or a pattern with {stem} in it, which "
          "stands for the input's name without folder and extension")
      ->type_name("OUTPUT")
      ->check(filled());
  command
      .add_option(
          "--output-format", options.output_format,
          fmt::format("npy, or raw = bare elements in C order; auto: raw for names that end in {}, else npy; names of other "
                      "formats are refused",
                      fmt::join(jobs::suffixes_of("raw"), ", ")))
      ->capture_default_str()
      ->check(CLI::IsMember({"auto", "npy", "raw"}));
  add_memory_option(
      command, options.memory,
      "The most memory for the array, as in 500MB or 2GiB; larger ones go through in parts where the axes before the "
      "transformed ones allow it. Default: half of what is free, of the machine, the job's control group or ulimit");
}

void add_bench_options(CLI::App& command, FftState& state) {
  CLI::Option* const bench =
      command
          .add_flag(
              "--bench", state.runs_bench,
              "Time forward and inverse pairs on f(x) = x in the memory of each device, beside those of a library that is found "
              "when the program runs (cuFFT, hipFFT, FFTW in one thread), and compare with a transform in long double. launch: "
              "two "
              "empty kernels (processors: transforms of one element); kernel = total - launch")
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
  command
      .add_flag("--histogram", state.bench.histogram,
                "Draw a histogram of the times of each length on standard error; in JSON also the time of each pair")
      ->needs(bench)
      ->group(bench_group);
  command.add_flag("--with-host", state.bench.with_host, "Time the host too, after the devices of --device")
      ->needs(bench)
      ->group(bench_group);
  command
      .add_option("--spectra", state.bench.spectra,
                  "Write the spectra of all lengths too, by frequency: ours, the library's and the transform in long double")
      ->type_name("TABLE")
      ->check(filled())
      ->needs(bench)
      ->group(bench_group);
  exclude_from_bench(*bench, command, [](const std::string& name, const std::string& group) {
    const bool is_of_files = name == "input" || group == "Input" || group == "Transform";
    const bool is_of_results = name == "--output-format" || (group == "Spectrum" && name != "--plot");
    return is_of_files || is_of_results;
  });
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
