#include <benchmark/benchmark.h>

#include <cmath>
#include <random>
#include <vector>

#include "phpc/exec/buffer.hpp"
#include "phpc/fft/plan.hpp"
#include "support.hpp"

namespace phpc::bench {
namespace {

// PHPC_BENCH_MIB in the environment: size of the input array (the output is as large). 64 MiB leaves a processor's caches; a GPU
// needs more to show its memory's rate.
index_t array_bytes() {
  const char* const mebibytes = std::getenv("PHPC_BENCH_MIB");
  return (mebibytes == nullptr ? index_t{64} : index_t{std::atoll(mebibytes)}) << 20;
}

/// Batched transforms of length range(0), out of place, in device memory. Bytes are those read and written once, flops the
/// customary 5 n log2 n.
template <class Real>
void batched(benchmark::State& state) {
  using Value = Complex<Real>;
  const index_t length = state.range(0);
  const index_t batch = std::max<index_t>(1, array_bytes() / (length * static_cast<index_t>(sizeof(Value))));
  std::mt19937 random(1);
  std::vector<Value> signal(static_cast<std::size_t>(length * batch));
  for (Value& value : signal) {
    value = {static_cast<Real>(random() >> 8) + 1, static_cast<Real>(random() >> 8) + 1};
  }
  const exec::Buffer<Value> in(device(), std::span<const Value>(signal));
  exec::Buffer<Value> out(device(), in.size());
  const fft::Plan plan({.lengths = {length},
                        .batch = batch,
                        .precision = sizeof(Real) == sizeof(float) ? fft::Precision::f32 : fft::Precision::f64},
                       device());
  plan.execute(in.data(), out.data());
  for (auto _ : state) {
    plan.execute(in.data(), out.data());
  }
  const auto elements = static_cast<double>(length * batch);
  const auto rounds = static_cast<double>(state.iterations());
  state.counters["bytes/s"] = benchmark::Counter(2 * elements * sizeof(Value) * rounds, benchmark::Counter::kIsRate);
  state.counters["flop/s"] =
      benchmark::Counter(5 * elements * std::log2(static_cast<double>(length)) * rounds, benchmark::Counter::kIsRate);
}

/// Building a plan for one transform.
void plan_build(benchmark::State& state) {
  for (auto _ : state) {
    const fft::Plan plan({.lengths = {state.range(0)}}, device());
    benchmark::DoNotOptimize(plan.device_bytes());
  }
}

void batched_lengths(benchmark::internal::Benchmark* benchmark) {
  for (const std::int64_t length : {8, 64, 256, 1000, 1009, 1024, 2187, 4096, 16384, 65536, 1 << 20}) {
    benchmark->Arg(length);
  }
  benchmark->UseRealTime()->Unit(benchmark::kMillisecond);
}

BENCHMARK(batched<float>)->Name("fft_f32")->Apply(batched_lengths);
BENCHMARK(batched<double>)->Name("fft_f64")->Apply(batched_lengths);
BENCHMARK(plan_build)
    ->Name("fft_plan")
    ->Arg(256)
    ->Arg(4096)
    ->Arg(10007)
    ->Arg(1 << 20)
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace phpc::bench
