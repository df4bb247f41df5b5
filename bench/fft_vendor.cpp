// A GPU's transforms beside those of its vendor's library (cuFFT, hipFFT), where that is found when the program runs: both in
// turn in one run. Without the library there is nothing here to run.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "library_problem.hpp"
#include "measure/statistics.hpp"
#include "phpc/exec/buffer.hpp"
#include "phpc/exec/unfinished_launches.hpp"
#include "phpc/fft/plan.hpp"
#include "support.hpp"

namespace phpc::bench {
namespace {

template <class Work>
double seconds_of(const Work& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Size of the input array in bytes: PHPC_BENCH_MIB, or 1 GiB as a GPU's memory rate needs.
index_t array_bytes() {
  const char* const mebibytes = std::getenv("PHPC_BENCH_MIB");
  return (mebibytes == nullptr ? index_t{1024} : index_t{std::atoll(mebibytes)}) << 20;
}

/// The vendor's library; not to be called where there is none.
const FftLibrary& vendor() {
  static const FftLibrarySearch found = find_vendor_library(device());
  return *found.library;
}

/// One problem of both libraries, in device memory, with random input.
template <class Real>
struct Pair {
  using Value = Complex<Real>;
  fft::Descriptor problem;
  fft::Plan plan;
  exec::Buffer<Value> in;
  exec::Buffer<Value> out;
  std::unique_ptr<FftLibraryPlan> peer;

  explicit Pair(fft::Descriptor wanted)
      : problem(std::move(wanted)),
        plan(problem, device()),
        in(device(), elements(problem)),
        out(device(), elements(problem)),
        peer(vendor().plan(library_problem(problem), in.data(), out.data())) {
    // The same numbers over and over: drawing a gibibyte of them would take longer than all the transforms.
    std::mt19937 random(1);
    const auto draw = [&random] { return static_cast<Real>(random() >> 8) / static_cast<Real>(1 << 23) - 1; };
    std::vector<Value> numbers(std::min(static_cast<std::size_t>(in.size()), std::size_t{1} << 20));
    for (Value& number : numbers) {
      number = {draw(), draw()};
    }
    for (index_t offset = 0; offset < in.size(); offset += static_cast<index_t>(numbers.size())) {
      const auto count = std::min(numbers.size(), static_cast<std::size_t>(in.size() - offset));
      in.copy_from(std::span<const Value>(numbers).first(count), offset);
    }
  }

  /// Of the larger array, as complex numbers.
  static index_t elements(const fft::Descriptor& problem) {
    const std::vector<index_t> lengths =
        problem.kind == fft::Kind::complex_to_real ? problem.in_lengths() : problem.out_lengths();
    return std::accumulate(lengths.begin(), lengths.end(), problem.batch, std::multiplies<>());
  }

  void ours() {
    if (problem.kind == fft::Kind::real_to_complex) {
      plan.execute(reinterpret_cast<const Real*>(in.data()), out.data());
    } else if (problem.kind == fft::Kind::complex_to_real) {
      plan.execute(in.data(), reinterpret_cast<Real*>(out.data()));
    } else {
      plan.execute(in.data(), out.data());
    }
  }
  void theirs() {
    peer->start();
    peer->wait();
  }
};

template <class Real>
void beside_vendor(benchmark::State& state, fft::Descriptor problem) {
  problem.precision = sizeof(Real) == sizeof(float) ? fft::Precision::f32 : fft::Precision::f64;
  const index_t points = problem.elements();
  const auto value_bytes =
      static_cast<index_t>(problem.kind == fft::Kind::complex_to_complex ? sizeof(Complex<Real>) : sizeof(Real));
  problem.batch = std::max<index_t>(1, array_bytes() / (points * value_bytes));
  Pair<Real> pair(problem);
  pair.ours();
  pair.theirs();
  std::vector<double> ours;
  std::vector<double> theirs;
  for (auto _ : state) {
    ours.push_back(seconds_of([&] { pair.ours(); }));
    theirs.push_back(seconds_of([&] { pair.theirs(); }));
    state.SetIterationTime(ours.back());
  }
  const double bytes = 2 * static_cast<double>(points * problem.batch * value_bytes);
  state.counters["bytes/s"] = bytes / statistics(ours).median;
  state.counters["vendor_bytes/s"] = bytes / statistics(theirs).median;
  state.counters["ratio"] = statistics(theirs).median / statistics(ours).median;
}

/// One transform and its inverse, as a user waits for them.
void pair_beside_vendor(benchmark::State& state) {
  fft::Descriptor problem{.lengths = {state.range(0)}};
  Pair<float> pair(problem);
  problem.direction = fft::Direction::inverse;
  problem.scale = 1 / static_cast<double>(state.range(0));
  const fft::Plan back(problem, device());
  const std::unique_ptr<FftLibraryPlan> peer_back = vendor().plan(library_problem(problem), pair.out.data(), pair.in.data());
  std::vector<double> ours;
  std::vector<double> theirs;
  for (auto _ : state) {
    ours.push_back(seconds_of([&] {
      exec::UnfinishedLaunches unfinished;
      pair.plan.execute(pair.in.data(), pair.out.data());
      back.execute(pair.out.data(), pair.in.data());
      unfinished.finish();
    }));
    theirs.push_back(seconds_of([&] {
      pair.peer->start();
      peer_back->start();
      peer_back->wait();
    }));
    state.SetIterationTime(ours.back());
  }
  state.counters["us"] = 1e6 * statistics(ours).median;
  state.counters["vendor_us"] = 1e6 * statistics(theirs).median;
  state.counters["ratio"] = statistics(theirs).median / statistics(ours).median;
}

std::string name_of(const fft::Descriptor& problem) {
  std::string name;
  for (const index_t length : problem.lengths) {
    name += (name.empty() ? "" : "x") + std::to_string(length);
  }
  return name;
}

template <class Real>
void register_all(const std::string& prefix) {
  std::vector<fft::Descriptor> problems;
  for (index_t length = 8; length <= index_t{1} << 26; length *= 2) {
    problems.push_back({.lengths = {length}});
  }
  for (const index_t length :
       {12,    48,     100,     360, 1000, 1001, 1080, 1536, 2187, 3125, 3600, 4095, 5040,  6561,  10000,
        15625, 100000, 1000000, 17,  31,   61,   127,  251,  509,  1009, 4093, 8191, 10007, 65537, 999983}) {
    problems.push_back({.lengths = {length}});
  }
  for (const index_t side : {64, 256, 1000, 1024, 4096}) {
    problems.push_back({.lengths = {side, side}});
  }
  for (const index_t side : {64, 128, 256, 400, 512}) {
    problems.push_back({.lengths = {side, side, side}});
  }
  const auto add = [&](const std::string& name, const fft::Descriptor& problem) {
    benchmark::RegisterBenchmark((prefix + name).c_str(),
                                 [problem](benchmark::State& state) { beside_vendor<Real>(state, problem); })
        ->UseManualTime()
        ->Iterations(11)
        ->Unit(benchmark::kMillisecond);
  };
  for (const fft::Descriptor& problem : problems) {
    add("/" + name_of(problem), problem);
  }
  for (const index_t length :
       {64, 256, 1000, 1024, 4096, 32768, 65536, 1 << 17, 1 << 18, 1 << 19, 1 << 20, 1 << 21, 1 << 22, 2000000}) {
    add("_r2c/" + std::to_string(length), {.lengths = {length}, .kind = fft::Kind::real_to_complex});
    add("_c2r/" + std::to_string(length),
        {.lengths = {length}, .direction = fft::Direction::inverse, .kind = fft::Kind::complex_to_real});
  }
}

const bool is_registered = [] {
  if (find_vendor_library(device()).library == nullptr) {
    return false;
  }
  register_all<float>("fft_vendor_f32");
  register_all<double>("fft_vendor_f64");
  for (const std::int64_t length : {8, 64, 256, 1024, 2048}) {
    benchmark::RegisterBenchmark("fft_vendor_pair", pair_beside_vendor)->Arg(length)->UseManualTime()->Iterations(300);
  }
  return true;
}();

}  // namespace
}  // namespace phpc::bench
