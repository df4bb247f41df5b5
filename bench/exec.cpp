// The yardstick of every other benchmark: what a copy, a launch, a barrier and a reduction cost on a device.
#include <benchmark/benchmark.h>

#include <cstring>
#include <vector>

#include "phpc/exec/collective.hpp"
#include "phpc/exec/launch.hpp"
#include "phpc/exec/queue.hpp"
#include "phpc/exec/unfinished_launches.hpp"
#include "support.hpp"

namespace phpc::bench {
namespace {

using exec::Buffer;
using exec::Device;
using exec::LaunchShape;
using exec::Team;

/// 16 bytes, the widest access of a GPU thread.
using Quad = float __attribute__((vector_size(16)));

struct NoScratch {};

/// out = in, 16 bytes a thread, every team stepping over the array by the size of the league.
struct CopyKernel {
  static constexpr int team_size = 256;
  using Scratch = NoScratch;
  const Quad* in;
  Quad* out;
  index_t count;

  [[gnu::always_inline]] void operator()(const Team& team, Scratch& /*scratch*/) const {
    const index_t first = team.league_rank() * team_size;
    if (first + team_size <= count) {
      for (int i = team.rank(); i < team_size; i += team.size()) {
        out[first + i] = in[first + i];
      }
    } else {
      for (index_t i = first + team.rank(); i < count; i += team.size()) {
        out[i] = in[i];
      }
    }
  }
};

struct EmptyKernel {
  static constexpr int team_size = 32;
  using Scratch = NoScratch;
  int* out;

  [[gnu::always_inline]] void operator()(const Team& team, Scratch& /*scratch*/) const { out[team.rank()] = team.rank(); }
};

/// `repeats` barriers, each with the write and the read that it orders.
struct BarrierKernel {
  static constexpr int team_size = 256;
  struct Scratch {
    int slot[team_size];
  };
  int* out;
  int repeats;

  [[gnu::always_inline]] void operator()(const Team& team, Scratch& scratch) const {
    int value = team.rank();
    for (int i = 0; i < repeats; ++i) {
      scratch.slot[team.rank()] = value;
      team.barrier();
      value = scratch.slot[(team.rank() + 1) % team.size()];
      team.barrier();
    }
    out[team.league_rank() * team_size + team.rank()] = value;
  }
};

struct ReduceKernel {
  static constexpr int team_size = 256;
  struct Scratch {
    exec::CollectiveScratch<double, team_size> collective;
  };
  double* out;
  int repeats;

  [[gnu::always_inline]] void operator()(const Team& team, Scratch& scratch) const {
    double value = 1.0 / (1 + team.rank());
    for (int i = 0; i < repeats; ++i) {
      value = exec::team_reduce(team, value, exec::Plus{}, scratch.collective) / team.size();
    }
    if (team.rank() == 0) {
      out[team.league_rank()] = value;
    }
  }
};

std::vector<Quad> ramp(index_t count) {
  std::vector<Quad> values(static_cast<std::size_t>(count));
  for (index_t i = 0; i < count; ++i) {
    const auto base = static_cast<float>(i % 1000003);
    values[static_cast<std::size_t>(i)] = Quad{base, base + 1, base + 2, base + 3};
  }
  return values;
}

void count_copied(benchmark::State& state, index_t bytes) {
  state.SetBytesProcessed(state.iterations() * 2 * bytes);  // read and written
}

void copy_kernel(benchmark::State& state) {
  const index_t bytes = state.range(0);
  const index_t count = bytes / 16;
  const std::vector<Quad> host = ramp(count);
  const Buffer<Quad> in(device(), std::span<const Quad>(host));
  Buffer<Quad> out(device(), count);
  // 65 536 teams in a grid-stride loop beat one group a team on an H200 (4140 against 3860 GB/s).
  const LaunchShape shape{.groups = ceil_div(count, CopyKernel::team_size), .teams = 65536};
  const auto copy = [&] { exec::launch(device(), shape, CopyKernel{in.data(), out.data(), count}); };
  copy();
  std::vector<Quad> result(host.size());
  out.copy_to(result);
  if (std::memcmp(result.data(), host.data(), static_cast<std::size_t>(bytes)) != 0) {
    state.SkipWithError("the copy differs from its source");
    return;
  }
  for (auto _ : state) {
    copy();
  }
  count_copied(state, bytes);
}
BENCHMARK(copy_kernel)->Arg(64 << 20)->Arg(1 << 30)->UseRealTime();

/// The run-time library's copy within the device (cudaMemcpy on NVIDIA), for comparison in the same run.
void copy_library(benchmark::State& state) {
  const index_t bytes = state.range(0);
  const std::vector<Quad> host = ramp(bytes / 16);
  const Buffer<Quad> in(device(), std::span<const Quad>(host));
  Buffer<Quad> out(device(), bytes / 16);
  for (auto _ : state) {
    exec::copy_bytes(device(), out.data(), device(), in.data(), static_cast<std::size_t>(bytes));
  }
  count_copied(state, bytes);
}
BENCHMARK(copy_library)->Arg(64 << 20)->Arg(1 << 30)->UseRealTime();

void transfer(benchmark::State& state, bool to_device, bool pinned) {
  constexpr index_t bytes = 256 << 20;
  Buffer<std::byte> buffer(device(), bytes);
  exec::PinnedBuffer<std::byte> host(pinned ? device() : Device::host(), bytes);
  std::memset(host.span().data(), 3, host.span().size());
  buffer.copy_from(host.span());
  for (auto _ : state) {
    to_device ? buffer.copy_from(host.span()) : buffer.copy_to(host.span());
  }
  state.SetBytesProcessed(state.iterations() * bytes);
}
BENCHMARK_CAPTURE(transfer, to_device_pinned, true, true)->UseRealTime();
BENCHMARK_CAPTURE(transfer, to_host_pinned, false, true)->UseRealTime();
BENCHMARK_CAPTURE(transfer, to_device_pageable, true, false)->UseRealTime();
BENCHMARK_CAPTURE(transfer, to_host_pageable, false, false)->UseRealTime();

void launch_latency(benchmark::State& state) {
  Buffer<int> out(device(), EmptyKernel::team_size);
  for (auto _ : state) {
    exec::launch(device(), {.groups = 1}, EmptyKernel{out.data()});
  }
}
BENCHMARK(launch_latency)->UseRealTime();

/// The same through a queue: `launches` enqueued, one wait.
void queue_latency(benchmark::State& state) {
  Buffer<int> out(device(), EmptyKernel::team_size);
  exec::Queue queue(device());
  for (auto _ : state) {
    for (int i = 0; i < state.range(0); ++i) {
      queue.enqueue([&] { exec::launch(device(), {.groups = 1}, EmptyKernel{out.data()}); });
    }
    queue.wait();
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(queue_latency)->Arg(1)->Arg(10)->UseRealTime();

/// The same in one thread, without a wait between.
void unfinished_latency(benchmark::State& state) {
  Buffer<int> out(device(), EmptyKernel::team_size);
  const exec::UnfinishedLaunches unfinished;
  for (auto _ : state) {
    for (int i = 0; i < state.range(0); ++i) {
      exec::launch(device(), {.groups = 1}, EmptyKernel{out.data()});
    }
    exec::UnfinishedLaunches::wait();
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(unfinished_latency)->Arg(1)->Arg(2)->Arg(10)->Arg(100)->UseRealTime();

/// Nanoseconds of one barrier (of two in the loop) and of one reduction in a team, all compute units busy.
template <class Kernel, class Value>
void per_repeat(benchmark::State& state, index_t values_per_team, int counted_per_repeat) {
  constexpr int repeats = 2000;
  const index_t groups = device().properties().compute_units;
  Buffer<Value> out(device(), groups * values_per_team);
  for (auto _ : state) {
    exec::launch(device(), {.groups = groups}, Kernel{out.data(), repeats});
  }
  state.counters["seconds_each"] =
      benchmark::Counter(static_cast<double>(repeats * counted_per_repeat),
                         benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}
void barrier(benchmark::State& state) {
  per_repeat<BarrierKernel, int>(state, BarrierKernel::team_size, 2);
}
void reduce(benchmark::State& state) {
  per_repeat<ReduceKernel, double>(state, 1, 1);
}
BENCHMARK(barrier)->UseRealTime();
BENCHMARK(reduce)->UseRealTime();

}  // namespace
}  // namespace phpc::bench
