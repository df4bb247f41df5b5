#include "cli/bench/fft.hpp"

#include <fmt/format.h>

#include <chrono>
#include <functional>
#include <memory>

#include "cli/bench/empty_launch.hpp"
#include "jobs/memory_check.hpp"
#include "measure/reference.hpp"
#include "phpc/exec/buffer.hpp"
#include "phpc/fft/plan.hpp"

namespace phpc::cli {

namespace {

using Clock = std::chrono::steady_clock;

double microseconds(Clock::duration duration) {
  return std::chrono::duration<double, std::micro>(duration).count();
}

/// f(x) = x.
template <class Real>
std::vector<Complex<Real>> ramp(index_t length, index_t batch) {
  std::vector<Complex<Real>> values(static_cast<std::size_t>(length * batch));
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = {static_cast<Real>(static_cast<index_t>(i) % length), 0};
  }
  return values;
}

template <class To, class Real>
std::vector<Complex<To>> as(const std::vector<Complex<Real>>& values, index_t count) {
  std::vector<Complex<To>> cast;
  cast.reserve(static_cast<std::size_t>(count));
  for (index_t i = 0; i < count; ++i) {
    const Complex<Real> value = values[static_cast<std::size_t>(i)];
    cast.push_back({static_cast<To>(value.re), static_cast<To>(value.im)});
  }
  return cast;
}

template <class Real>
fft::Plan make_plan(exec::Device device, index_t length, index_t batch, fft::Direction direction) {
  fft::Descriptor descriptor;
  descriptor.lengths = {length};
  descriptor.batch = batch;
  descriptor.precision = sizeof(Real) == sizeof(float) ? fft::Precision::f32 : fft::Precision::f64;
  descriptor.direction = direction;
  descriptor.scale = fft::scale_factor(fft::Norm::backward, direction, length);
  return {descriptor, device};
}

/// The arrays of a benchmark in device memory: the signal f(x) = x, its spectrum, and the signal again.
template <class Real>
struct Arrays {
  Arrays(exec::Device device, const std::vector<Complex<Real>>& signal)
      : in(device, std::span<const Complex<Real>>(signal)), spectrum(device, in.size()), back(device, in.size()) {}
  exec::Buffer<Complex<Real>> in;
  exec::Buffer<Complex<Real>> spectrum;
  exec::Buffer<Complex<Real>> back;
};

/// A library whose pairs are timed: what is called for a launch and for a pair, and what came of it. Ours is one of them.
struct Contestant {
  std::string name;
  std::function<bool()> launch;  ///< waits for it; false where there is none
  std::function<void()> pair;    ///< a forward and an inverse transform, each waited for
  double warm_up = 0;
  std::vector<double> totals;
  std::vector<double> launches;
};

template <class Real>
Contestant ours(exec::Device device, index_t length, const FftBenchOptions& options, Arrays<Real>& arrays) {
  const auto forward = std::make_shared<fft::Plan>(make_plan<Real>(device, length, options.batch, fft::Direction::forward));
  const auto inverse = std::make_shared<fft::Plan>(make_plan<Real>(device, length, options.batch, fft::Direction::inverse));
  const auto shortest = std::make_shared<fft::Plan>(make_plan<Real>(device, 1, 1, fft::Direction::forward));
  // Converted once: what a caller with arrays of its own would have.
  const fft::Array<const Real> from = arrays.in.data();
  const fft::Array<Real> middle = arrays.spectrum.data();
  const fft::Array<const Real> back_from = arrays.spectrum.data();
  const fft::Array<Real> to = arrays.back.data();
  Contestant one;
  one.name = "portable-hpc";
  // The host launches nothing for a single transform: there it is what a call costs.
  one.launch = [=] {
    device.is_host() ? shortest->execute(from, to) : launch_empty_kernel(device);
    return true;
  };
  one.pair = [=] {
    forward->execute(from, middle);
    inverse->execute(back_from, to);
  };
  return one;
}

template <class Real>
Contestant theirs(const bench::FftLibrary& library, index_t length, const FftBenchOptions& options, Arrays<Real>& arrays) {
  bench::FftProblem problem{.lengths = {length}, .batch = options.batch, .is_double = sizeof(Real) == sizeof(double)};
  const std::shared_ptr<bench::FftLibraryPlan> forward = library.plan(problem, arrays.in.data(), arrays.spectrum.data());
  problem.is_inverse = true;
  const std::shared_ptr<bench::FftLibraryPlan> inverse = library.plan(problem, arrays.spectrum.data(), arrays.back.data());
  Contestant one;
  one.name = library.name();
  one.launch = [&library] { return library.launch(); };
  one.pair = [=] {
    forward->start();
    forward->wait();
    inverse->start();
    inverse->wait();
  };
  return one;
}

/// Times pairs of each in turn, and before each pair two launches.
void time_in_turn(std::vector<Contestant>& contestants, int iterations) {
  for (int iteration = -1; iteration < iterations; ++iteration) {
    for (Contestant& one : contestants) {
      const auto before_launches = Clock::now();
      const bool has_first = one.launch();
      const bool has_launches = one.launch() && has_first;
      const auto before_pair = Clock::now();
      one.pair();
      const auto end = Clock::now();
      if (iteration < 0) {  // the first one loads code and touches memory
        one.warm_up = microseconds(end - before_pair);
        continue;
      }
      one.totals.push_back(microseconds(end - before_pair));
      if (has_launches) {
        one.launches.push_back(microseconds(before_pair - before_launches));
      }
    }
  }
}

/// What one contestant's times and arrays come to, beside the exact spectrum; its pair is done once more. `scale` is that of the
/// pair's result.
template <class Real>
BenchResult result_of(Contestant one, const std::vector<Complex<Real>>& signal, const Arrays<Real>& arrays,
                      const std::vector<Complex<long double>>& exact, double scale) {
  one.pair();
  std::vector<Complex<Real>> host(signal.size());
  const auto count = static_cast<index_t>(signal.size());
  BenchResult result;
  result.library = one.name;
  result.length = static_cast<index_t>(exact.size());
  result.warm_up = one.warm_up;
  result.total = bench::statistics(one.totals);
  result.totals = std::move(one.totals);
  if (!one.launches.empty()) {
    result.launch = bench::statistics(std::move(one.launches));
  }
  arrays.back.copy_to(host);
  for (Complex<Real>& value : host) {
    value = scaled(value, static_cast<Real>(scale));
  }
  result.round_trip_error = bench::relative_error(as<double>(host, count), as<long double>(signal, count));
  arrays.spectrum.copy_to(host);
  result.spectrum = as<double>(host, result.length);
  result.relative_error = bench::relative_error(result.spectrum, exact);
  result.agreement = bench::chi_squared(result.spectrum, exact);
  return result;
}

/// Whether a library's arrays can be ours: it runs where they lie.
bool shares_arrays(exec::Device device) {
  return device.is_host() || device.is_gpu();
}

template <class Real>
std::vector<BenchResult> bench_length(exec::Device device, index_t length, const FftBenchOptions& options,
                                      const bench::FftLibrary* library) {
  const std::vector<Complex<Real>> signal = ramp<Real>(length, options.batch);
  Arrays<Real> arrays(device, signal);
  std::optional<Arrays<Real>> own;  // of a library of the host, beside a device with memory of its own
  if (library != nullptr && !shares_arrays(device)) {
    own.emplace(exec::Device::host(), signal);
  }
  Arrays<Real>& other = own ? *own : arrays;
  std::vector<Contestant> contestants;
  contestants.push_back(ours(device, length, options, arrays));
  if (library != nullptr) {
    contestants.push_back(theirs(*library, length, options, other));
    other.in.copy_from(std::span<const Complex<Real>>(signal));  // planning may have written there
  }
  time_in_turn(contestants, options.iterations);

  const std::vector<Complex<long double>> exact = bench::reference_transform(as<long double>(signal, length));
  std::vector<BenchResult> results;
  results.push_back(result_of(std::move(contestants[0]), signal, arrays, exact, 1));
  if (library != nullptr) {
    BenchResult result = result_of(std::move(contestants[1]), signal, other, exact, 1 / static_cast<double>(length));
    const std::vector<Complex<long double>> wide = as<long double>(result.spectrum, length);
    result.from_ours = {.relative = bench::relative_error(results[0].spectrum, wide),
                        .agreement = bench::chi_squared(results[0].spectrum, wide)};
    results.push_back(std::move(result));
  }
  for (BenchResult& result : results) {
    result.device = device.label();
    if (options.spectra.empty()) {
      result.spectrum.clear();
      result.spectrum.shrink_to_fit();
    } else {
      result.exact = as<double>(exact, length);
    }
  }
  return results;
}

}  // namespace

void validate_bench_memory(exec::Device device, index_t length, const FftBenchOptions& options) {
  const double complex = options.precision == "f32" ? sizeof(Complex<float>) : sizeof(Complex<double>);
  const double elements = static_cast<double>(length) * static_cast<double>(options.batch);
  // Signal, spectrum and signal again; on the host two copies more, both of the signal for the comparison, and the arrays of a
  // library of the host beside a device with memory of its own.
  const double on_device = 3 * complex * elements;
  const double on_host = (2 * complex + sizeof(Complex<double>) + sizeof(Complex<long double>)) * elements +
                         4 * sizeof(Complex<long double>) * static_cast<double>(length) + (shares_arrays(device) ? 0 : on_device);
  const std::string what =
      fmt::format("--bench of {} transform{} of length {}", options.batch, options.batch == 1 ? "" : "s", length);
  const std::string advice = "give shorter --lengths or a smaller --batch";
  if (device.is_gpu()) {
    jobs::validate_memory(device, on_device, what, advice);
  }
  jobs::validate_memory(exec::Device::host(), on_host + (device.is_gpu() ? 0 : on_device), what, advice);
}

std::vector<BenchResult> run_bench(exec::Device device, index_t length, const FftBenchOptions& options,
                                   const bench::FftLibrary* library) {
  return options.precision == "f32" ? bench_length<float>(device, length, options, library)
                                    : bench_length<double>(device, length, options, library);
}

}  // namespace phpc::cli
