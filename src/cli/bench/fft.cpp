#include "cli/bench/fft.hpp"

#include <fmt/format.h>

#include <chrono>

#include "cli/bench/empty_launch.hpp"
#include "jobs/memory_check.hpp"
#include "measure/fftw_peer.hpp"
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

/// Times pairs of transforms and, before each, two launches.
template <class Real>
void time_pairs(exec::Device device, index_t length, const FftBenchOptions& options, Arrays<Real>& arrays, BenchResult& result) {
  const fft::Plan forward = make_plan<Real>(device, length, options.batch, fft::Direction::forward);
  const fft::Plan inverse = make_plan<Real>(device, length, options.batch, fft::Direction::inverse);
  // Converted once: what a caller with arrays of its own would have.
  const fft::Array<const Real> from = arrays.in.data();
  const fft::Array<Real> middle = arrays.spectrum.data();
  const fft::Array<Real> to = arrays.back.data();

  // The host launches nothing for a single transform: there it is what a call costs.
  const fft::Plan shortest = make_plan<Real>(device, 1, 1, fft::Direction::forward);
  const auto launch = [&] { device.is_host() ? shortest.execute(from, to) : launch_empty_kernel(device); };

  std::vector<double> launches;
  for (int iteration = -1; iteration < options.iterations; ++iteration) {
    const auto before_launches = Clock::now();
    launch();
    launch();
    const auto before_pair = Clock::now();
    forward.execute(from, middle);
    inverse.execute(middle, to);
    const auto end = Clock::now();
    if (iteration < 0) {  // the first one loads code and touches memory
      result.warm_up = microseconds(end - before_pair);
    } else {
      launches.push_back(microseconds(before_pair - before_launches));
      result.totals.push_back(microseconds(end - before_pair));
    }
  }
  result.total = bench::statistics(result.totals);
  result.launch = bench::statistics(launches);
}

/// FFTW's pairs of the signal's transforms beside our spectrum `ours`; nothing where there is no FFTW, or it cannot.
template <class Real>
std::optional<BenchResult::Peer> beside_fftw(const std::vector<Complex<Real>>& signal, const FftBenchOptions& options,
                                             const std::vector<Complex<double>>& ours,
                                             const std::vector<Complex<long double>>& reference) {
  const bench::FftwPeer<Real> fftw;
  if (!fftw.is_found()) {
    return std::nullopt;
  }
  const auto theirs = fftw.run(signal, options.batch, options.iterations);
  if (theirs.spectrum.empty()) {
    return std::nullopt;
  }
  std::vector<double> times;
  times.reserve(theirs.seconds.size());
  for (const double seconds : theirs.seconds) {
    times.push_back(1e6 * seconds);
  }
  const auto wide = as<long double>(theirs.spectrum, static_cast<index_t>(signal.size()));
  return BenchResult::Peer{.total = bench::statistics(std::move(times)),
                           .relative_error = bench::relative_error(theirs.spectrum, reference),
                           .difference = bench::relative_error(ours, wide),
                           .agreement = bench::chi_squared(ours, wide)};
}

template <class Real>
BenchResult bench_length(exec::Device device, index_t length, const FftBenchOptions& options) {
  BenchResult result;
  result.length = length;
  const std::vector<Complex<Real>> x = ramp<Real>(length, options.batch);
  Arrays<Real> arrays(device, x);
  time_pairs(device, length, options, arrays, result);

  std::vector<Complex<Real>> host(x.size());
  arrays.back.copy_to(host);
  const auto input = as<long double>(x, length * options.batch);
  result.round_trip_error = bench::relative_error(as<double>(host, length * options.batch), input);
  arrays.spectrum.copy_to(host);
  const auto ours = as<double>(host, length);
  const auto reference = bench::reference_transform(as<long double>(x, length));
  result.relative_error = bench::relative_error(ours, reference);
  result.agreement = bench::chi_squared(ours, reference);
  result.fftw = beside_fftw<Real>({x.begin(), x.begin() + length}, options, ours, reference);
  return result;
}

}  // namespace

void validate_bench_memory(exec::Device device, index_t length, const FftBenchOptions& options) {
  const double complex = options.precision == "f32" ? sizeof(Complex<float>) : sizeof(Complex<double>);
  const double elements = static_cast<double>(length) * static_cast<double>(options.batch);
  // Signal, spectrum and signal again; on the host one copy of them more, and both of the signal for the comparison.
  const double on_device = 3 * complex * elements;
  const double on_host = (2 * complex + sizeof(Complex<double>) + sizeof(Complex<long double>)) * elements +
                         2 * sizeof(Complex<long double>) * static_cast<double>(length);
  const std::string what =
      fmt::format("--bench of {} transform{} of length {}", options.batch, options.batch == 1 ? "" : "s", length);
  const std::string advice = "give shorter --lengths or a smaller --batch";
  if (device.is_gpu()) {
    jobs::validate_memory(device, on_device, what, advice);
  }
  jobs::validate_memory(exec::Device::host(), on_host + (device.is_gpu() ? 0 : on_device), what, advice);
}

BenchResult run_bench(exec::Device device, index_t length, const FftBenchOptions& options) {
  return options.precision == "f32" ? bench_length<float>(device, length, options)
                                    : bench_length<double>(device, length, options);
}

}  // namespace phpc::cli
