#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <memory>
#include <mutex>
#include <string>

#include "cli/app.hpp"
#include "phpc/core/error.hpp"
#include "phpc/core/parse.hpp"
#include "phpc/exec/split.hpp"
#include "phpc/fft/plan.hpp"
#include "phpc/io/npy.hpp"
#include "phpc/io/output_file.hpp"

namespace phpc::cli {

namespace {

struct FftOptions {
  std::string input;
  std::string output = "-";
  bool inverse = false;
  std::string norm = "backward";
};

fft::Norm norm_named(const std::string& name) {
  return name == "ortho" ? fft::Norm::ortho : name == "forward" ? fft::Norm::forward : fft::Norm::backward;
}

/// Complex elements of the precision that the array has; a complex array is handed through.
template <class Real>
io::NpyArray made_complex(io::NpyArray array) {
  if (array.type() == io::npy_type_of<Complex<Real>>) {
    return array;
  }
  io::NpyArray widened(io::npy_type_of<Complex<Real>>, array.shape());
  const auto to = widened.values<Complex<Real>>();
  const auto from = std::as_const(array).values<Real>();
  for (std::size_t i = 0; i < from.size(); ++i) {
    to[i] = {from[i], 0};
  }
  return widened;
}

/// Reports of several devices at once, one after the other.
class SharedProgress final : public Progress {
 public:
  explicit SharedProgress(Progress& progress) : progress_(progress) {}
  void begin(std::string_view stage, std::uint64_t total) override { progress_.begin(stage, total); }
  void advance(std::uint64_t count) override {
    const std::scoped_lock lock(mutex_);
    progress_.advance(count);
  }
  void end() override { progress_.end(); }

 private:
  Progress& progress_;
  std::mutex mutex_;
};

/// Transforms the array along its last axis, in place, its other axes split over the devices.
template <class Real>
void transform(io::NpyArray& array, const fft::Descriptor& whole, const std::vector<exec::Device>& devices, Progress& progress) {
  SharedProgress shared(progress);
  shared.begin("transforms", static_cast<std::uint64_t>(whole.batch));
  Complex<Real>* const values = array.values<Complex<Real>>().data();
  exec::for_each_device(devices, whole.batch, [&](exec::Device device, exec::Range range) {
    fft::Descriptor part = whole;
    part.batch = range.size();
    const fft::Plan plan(part, device);
    Complex<Real>* const first = values + range.begin * whole.elements();
    plan.execute_host(first, first, shared);
  });
  shared.end();
}

template <class Real>
int run_typed(const FftOptions& options, Session& session, io::NpyArray input, io::OutputFile& out) {
  io::NpyArray array = made_complex<Real>(std::move(input));
  fft::Descriptor descriptor{.lengths = {array.shape().back()},
                             .batch = array.size() / array.shape().back(),
                             .precision = sizeof(Real) == sizeof(float) ? fft::Precision::f32 : fft::Precision::f64,
                             .direction = options.inverse ? fft::Direction::inverse : fft::Direction::forward};
  descriptor.scale = fft::scale_factor(norm_named(options.norm), descriptor.direction, descriptor.elements());
  fft::validate(descriptor);
  const std::vector<exec::Device> devices = session.devices();
  const auto start = std::chrono::steady_clock::now();
  transform<Real>(array, descriptor, devices, session.progress());
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  io::write_npy(out, array);
  out.commit();
  session.note(fmt::format("{} {} transform{} of length {}, {}, in {:.3g} s", descriptor.batch,
                           options.inverse ? "inverse" : "forward", descriptor.batch == 1 ? "" : "s", descriptor.elements(),
                           io::to_string(array.type()), seconds.count()));
  return exit_success;
}

int run_fft(const FftOptions& options, Session& session) {
  io::OutputFile out(options.output);  // before the work: is it writable?
  io::NpyArray input = io::read_npy(options.input);
  PHPC_VALIDATE(!input.shape().empty(), ErrorKind::input,
                fmt::format("'{}' holds a single number (a 0-d array); give an array of at least one axis", options.input));
  PHPC_VALIDATE(input.shape().back() > 0, ErrorKind::input,
                fmt::format("'{}' has shape ({}), so that its transforms have length 0; give a last axis of at least 1",
                            options.input, fmt::join(input.shape(), ", ")));
  const bool is_f32 = input.type() == io::NpyType::float32 || input.type() == io::NpyType::complex64;
  return is_f32 ? run_typed<float>(options, session, std::move(input), out)
                : run_typed<double>(options, session, std::move(input), out);
}

}  // namespace

void add_fft_command(CLI::App& app, Session& session) {
  CLI::App* const command = app.add_subcommand("fft", "Discrete Fourier transforms along the last axis of an array");
  const auto options = std::make_shared<FftOptions>();
  command
      ->add_option("input", options->input,
                   "Array as .npy, or - for standard input: complex64, complex128, float32, float64 or integers, of any rank. "
                   "Real elements become complex ones of the same precision, integers complex128")
      ->required()
      ->type_name("IN.npy");
  command->add_option("-o,--output", options->output, "Result as .npy, of the input's shape; - is standard output")
      ->capture_default_str()
      ->type_name("OUT.npy")
      ->group("Output");
  command->add_flag("--inverse", options->inverse, "The inverse transform")->group("Transform");
  command
      ->add_option("--norm", options->norm,
                   "Where the factor 1/n goes, as in numpy.fft: backward = on the inverse, ortho = 1/sqrt(n) on both, "
                   "forward = on the forward transform")
      ->capture_default_str()
      ->check(CLI::IsMember({"backward", "ortho", "forward"}))
      ->group("Transform");
  session.add_common_options(*command);
  command->footer("Example: portable-hpc fft signal.npy -o spectrum.npy --norm ortho");
  command->callback([options, &session] { session.action = [options, &session] { return run_fft(*options, session); }; });
}

}  // namespace phpc::cli
