// The host's transforms beside FFTW's, where FFTW is found when the program runs: both in turn in one run, by processor time, so
// that what else the machine does slows both.
#include <benchmark/benchmark.h>
#include <omp.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <random>
#include <vector>

#include "fft/host/lines.hpp"
#include "measure/fft_library.hpp"
#include "measure/statistics.hpp"
#include "phpc/exec/buffer.hpp"
#include "phpc/fft/plan.hpp"

namespace phpc::bench {
namespace {

/// FFTW with a number of threads, which always measures its plans; null after a word on why the benchmark does not run.
template <class Real>
std::unique_ptr<FftLibrary> fftw_for(benchmark::State& state, int threads) {
  FftLibrarySearch found = find_fftw({.is_double = sizeof(Real) == sizeof(double), .threads = threads, .measures_always = true});
  if (found.library == nullptr) {
    state.SkipWithError(found.why_none.c_str());
  }
  return std::move(found.library);
}

double processor_seconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// Processor time of one call, over enough calls for the clock.
template <class Work>
double seconds_of(const Work& work) {
  constexpr double enough = 3e-3;
  const double start = processor_seconds();
  int calls = 0;
  do {
    work();
    ++calls;
  } while (processor_seconds() - start < enough);
  return (processor_seconds() - start) / calls;
}

/// PHPC_BENCH_MIB in the environment: size of the input array (the output is as large), also a fraction.
index_t array_bytes() {
  const char* const mebibytes = std::getenv("PHPC_BENCH_MIB");
  return static_cast<index_t>((mebibytes == nullptr ? 64 : std::atof(mebibytes)) * (1 << 20));
}

/// Batched forward transforms of length range(0), out of place, on all of OpenMP's threads. An iteration is one call of each;
/// the time reported is ours. Counters: flop/s (the customary 5 n log2 n) of both and FFTW's time over ours, of the medians.
template <class Real>
void beside_fftw(benchmark::State& state) {
  const index_t length = state.range(0);
  const index_t batch = std::max<index_t>(1, array_bytes() / (length * static_cast<index_t>(sizeof(Complex<Real>))));
  const int threads = omp_get_max_threads();
  const std::unique_ptr<FftLibrary> fftw = fftw_for<Real>(state, threads);
  if (fftw == nullptr) {
    return;
  }
  exec::Buffer<Complex<Real>> in(exec::Device::host(), length * batch);
  exec::Buffer<Complex<Real>> out(exec::Device::host(), length * batch);
  const auto plan =
      fftw->plan({.lengths = {length}, .batch = batch, .is_double = sizeof(Real) == sizeof(double)}, in.data(), out.data());
  std::mt19937 random(1);
  const auto draw = [&random] { return static_cast<Real>(random() >> 8) / static_cast<Real>(1 << 23) - 1; };
  for (index_t i = 0; i < in.size(); ++i) {
    in.data()[i] = {draw(), draw()};
  }
  fft::LineProblem problem;
  problem.length = length;
  problem.loops = {{batch, length, length}};
  const fft::HostLines<Real> lines(problem);
  std::vector<double> ours;
  std::vector<double> theirs;
  for (auto _ : state) {
    ours.push_back(seconds_of([&] { lines.run(in.data(), out.data(), batch); }) / threads);
    theirs.push_back(seconds_of([&] { plan->start(); }) / threads);
    state.SetIterationTime(ours.back());
  }
  const double flops = 5 * static_cast<double>(length * batch) * std::log2(static_cast<double>(length));
  state.counters["flop/s"] = flops / statistics(ours).median;
  state.counters["fftw_flop/s"] = flops / statistics(theirs).median;
  state.counters["ratio"] = statistics(theirs).median / statistics(ours).median;
}

/// One forward transform of length range(0) a call, out of place, by one thread: what a call costs beside the transform shows.
/// The time and the counters are those of beside_fftw, each the least of all rounds.
template <class Real>
void one_beside_fftw(benchmark::State& state) {
  const index_t length = state.range(0);
  const std::unique_ptr<FftLibrary> fftw = fftw_for<Real>(state, 1);
  if (fftw == nullptr) {
    return;
  }
  exec::Buffer<Complex<Real>> in(exec::Device::host(), length);
  exec::Buffer<Complex<Real>> out(exec::Device::host(), length);
  const auto peer = fftw->plan({.lengths = {length}, .is_double = sizeof(Real) == sizeof(double)}, in.data(), out.data());
  std::mt19937 random(1);
  const auto draw = [&random] { return static_cast<Real>(random() >> 8) / static_cast<Real>(1 << 23) - 1; };
  for (index_t i = 0; i < in.size(); ++i) {
    in.data()[i] = {draw(), draw()};
  }
  const fft::Plan plan(
      {.lengths = {length}, .precision = sizeof(Real) == sizeof(float) ? fft::Precision::f32 : fft::Precision::f64},
      exec::Device::host());
  constexpr int calls = 200;
  double our_time = 1;
  double their_time = 1;
  for (auto _ : state) {
    const double ours = seconds_of([&] {
      for (int call = 0; call < calls; ++call) {
        plan.execute(in.data(), out.data());
      }
    });
    our_time = std::min(our_time, ours / calls);
    their_time = std::min(their_time, seconds_of([&] {
                                        for (int call = 0; call < calls; ++call) {
                                          peer->start();
                                        }
                                      }) / calls);
    state.SetIterationTime(ours / calls);
  }
  state.counters["ns"] = our_time * 1e9;
  state.counters["fftw_ns"] = their_time * 1e9;
  state.counters["ratio"] = their_time / our_time;
}

/// Lengths drawn up to 4096, the same in every run: half of them with small prime factors, and the usual ones.
void drawn_lengths(benchmark::internal::Benchmark* benchmark) {
  for (const std::int64_t length : {2, 8, 16, 64, 256, 1024, 4096}) {
    benchmark->Arg(length);
  }
  std::mt19937 random(20261124);
  for (int i = 0; i < 24; ++i) {
    const double size = std::exp2(1 + 11 * static_cast<double>(random()) / static_cast<double>(std::mt19937::max()));
    benchmark->Arg(i % 2 == 0 ? fft::fft_good_length(static_cast<index_t>(size)) : static_cast<std::int64_t>(size));
  }
  benchmark->UseManualTime()->Iterations(7)->Unit(benchmark::kNanosecond);
}

/// 60 lengths drawn from 8 to 2^17, evenly by their logarithms, the same in every run: half of them with small prime factors.
void many_drawn_lengths(benchmark::internal::Benchmark* benchmark) {
  std::mt19937 random(20261126);
  for (int i = 0; i < 60; ++i) {
    const double size = std::exp2(3 + 14 * static_cast<double>(random()) / static_cast<double>(std::mt19937::max()));
    benchmark->Arg(i % 2 == 0 ? fft::fft_good_length(static_cast<index_t>(size)) : static_cast<std::int64_t>(size));
  }
  benchmark->UseManualTime()->Iterations(7)->Unit(benchmark::kMicrosecond);
}

void lengths(benchmark::internal::Benchmark* benchmark) {
  for (std::int64_t length = 8; length <= 65536; length *= 2) {
    benchmark->Arg(length);
  }
  for (const std::int64_t length : {1000, 1009, 1536, 2187, 3125, 4095}) {
    benchmark->Arg(length);
  }
  benchmark->UseManualTime()->Iterations(15)->Unit(benchmark::kMillisecond);
}

BENCHMARK(one_beside_fftw<float>)->Name("fft_fftw_one_f32")->Apply(drawn_lengths);
BENCHMARK(one_beside_fftw<double>)->Name("fft_fftw_one_f64")->Apply(drawn_lengths);
BENCHMARK(beside_fftw<float>)->Name("fft_fftw_drawn_f32")->Apply(many_drawn_lengths);
BENCHMARK(beside_fftw<double>)->Name("fft_fftw_drawn_f64")->Apply(many_drawn_lengths);
BENCHMARK(beside_fftw<float>)->Name("fft_fftw_f32")->Apply(lengths);
BENCHMARK(beside_fftw<double>)->Name("fft_fftw_f64")->Apply(lengths);

}  // namespace
}  // namespace phpc::bench
