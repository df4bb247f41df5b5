// What a device can do at most, for the roofs of a roofline: multiplications and additions a second, and bytes read a second from
// scratch and from caches, each by a kernel that does nothing else. (Memory is exec.cpp's copy.)
#include <benchmark/benchmark.h>

#include <algorithm>
#include <vector>

#include "phpc/exec/buffer.hpp"
#include "phpc/exec/launch.hpp"
#include "support.hpp"

namespace phpc::bench {
namespace {

using exec::Buffer;
using exec::Team;

constexpr int team_threads = 256;

/// Groups enough to fill the device a few times over.
index_t many_groups() {
  return static_cast<index_t>(device().properties().compute_units) * (device().is_gpu() ? 32 : 4);
}

/// x = x a + b in so many chains a thread, none of which waits for another. The host's vectors take several of them at once.
template <class Real, int Chains>
struct MultiplyAddKernel {
  static constexpr int team_size = team_threads;
  struct Scratch {};
  Real* out;
  Real factor;
  int repeats;

  [[gnu::always_inline]] void operator()(const Team& team, Scratch& /*scratch*/) const {
    for (int item = team.rank(); item < team_size; item += team.size()) {
      Real chain[Chains];
      for (int i = 0; i < Chains; ++i) {
        chain[i] = static_cast<Real>(item + i);
      }
      for (int repeat = 0; repeat < repeats; ++repeat) {
        for (int i = 0; i < Chains; ++i) {
          chain[i] = chain[i] * factor + factor;
        }
      }
      Real sum = 0;
      for (int i = 0; i < Chains; ++i) {
        sum += chain[i];
      }
      out[team.league_rank() * team_size + item] = sum;
    }
  }
};

template <class Real, int Chains>
void run_multiply_add(benchmark::State& state) {
  constexpr int repeats = 2000;
  const index_t groups = many_groups();
  Buffer<Real> out(device(), groups * team_threads);
  for (auto _ : state) {
    exec::launch(device(), {.groups = groups}, MultiplyAddKernel<Real, Chains>{out.data(), static_cast<Real>(0.5), repeats});
  }
  const double each = 2.0 * Chains * repeats * static_cast<double>(groups) * team_threads;
  state.counters["flop/s"] = benchmark::Counter(each * static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}

template <class Real>
void peak_multiply_add(benchmark::State& state) {
  constexpr int gpu_chains = 16;                                     // registers for many warps
  constexpr int host_chains = 512 / static_cast<int>(sizeof(Real));  // eight of the widest vectors
  device().is_gpu() ? run_multiply_add<Real, gpu_chains>(state) : run_multiply_add<Real, host_chains>(state);
}
BENCHMARK(peak_multiply_add<float>)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(peak_multiply_add<double>)->UseRealTime()->Unit(benchmark::kMillisecond);

/// What a thread reads at a time, and how many of these it adds up in sums of their own, none of which waits for another; and how
/// many lie in scratch. On the host a team has one thread, which takes the widest vectors.
struct GpuReads {
  using Vector = float __attribute__((vector_size(16)));
  static constexpr int parts = 8;
  static constexpr int threads = team_threads;
  static constexpr int places = (parts + 1) * team_threads;
};
struct HostReads {
  using Vector = float __attribute__((vector_size(64)));
  static constexpr int parts = 8;
  static constexpr int threads = 1;
  static constexpr int places = 256;
};

template <class Vector, int Parts>
[[gnu::always_inline]] inline float sum_of(const Vector (&sums)[Parts]) {
  Vector total{};
  for (int part = 0; part < Parts; ++part) {
    total += sums[part];
  }
  return total[0] + total[1] + total[2] + total[3];
}

/// The threads of a team read its scratch again and again, neighbours side by side, each time from another place.
template <class Reads>
struct ScratchReadKernel {
  using Vector = typename Reads::Vector;
  static constexpr int team_size = team_threads;
  struct Scratch {
    Vector slot[Reads::places];
  };
  float* out;
  int steps;

  [[gnu::always_inline]] void operator()(const Team& team, Scratch& scratch) const {
    for (int i = team.rank(); i < Reads::places; i += team.size()) {
      scratch.slot[i] = Vector{static_cast<float>(i)};
    }
    team.barrier();
    Vector sums[Reads::parts] = {};
    for (int step = 0; step < steps; ++step) {
      const int first = Reads::threads == 1 ? step * Reads::parts % Reads::places : step % team_size;
      for (int part = 0; part < Reads::parts; ++part) {
        sums[part] += scratch.slot[first + team.rank() + part * Reads::threads];
      }
    }
    out[team.league_rank() * team_size + team.rank()] = sum_of(sums);
  }
};

template <class Reads>
void run_scratch_read(benchmark::State& state) {
  constexpr int steps = 16384;
  const index_t groups = many_groups();
  Buffer<float> out(device(), groups * team_threads);
  for (auto _ : state) {
    exec::launch(device(), {.groups = groups}, ScratchReadKernel<Reads>{out.data(), steps});
  }
  state.SetBytesProcessed(state.iterations() * groups * Reads::threads * steps * Reads::parts *
                          static_cast<index_t>(sizeof(typename Reads::Vector)));
}

void peak_scratch_read(benchmark::State& state) {
  device().is_gpu() ? run_scratch_read<GpuReads>(state) : run_scratch_read<HostReads>(state);
}
BENCHMARK(peak_scratch_read)->UseRealTime()->Unit(benchmark::kMillisecond);

/// The teams read an array again and again, in blocks of as much as a team reads at a time, each team from a block of its own on.
template <class Reads>
struct ArrayReadKernel {
  using Vector = typename Reads::Vector;
  static constexpr int team_size = team_threads;
  struct Scratch {};
  const Vector* in;
  float* out;
  index_t count;  ///< vectors, whole blocks of them
  index_t steps;  ///< blocks that a team reads

  [[gnu::always_inline]] void operator()(const Team& team, Scratch& /*scratch*/) const {
    constexpr index_t block = index_t{Reads::parts} * Reads::threads;
    index_t first = team.league_rank() * block % count;
    Vector sums[Reads::parts] = {};
    for (index_t step = 0; step < steps; ++step) {
      for (int part = 0; part < Reads::parts; ++part) {
        sums[part] += in[first + team.rank() + part * Reads::threads];
      }
      first += block;
      first -= first >= count ? count : 0;
    }
    out[team.league_rank() * team_size + team.rank()] = sum_of(sums);
  }
};

template <class Reads>
void run_array_read(benchmark::State& state) {
  using Vector = typename Reads::Vector;
  const index_t count = state.range(0) / static_cast<index_t>(sizeof(Vector));
  const index_t groups = many_groups();
  const std::vector<float> ones(static_cast<std::size_t>(state.range(0)) / sizeof(float), 1.0F);
  Buffer<float> in(device(), std::span<const float>(ones));
  Buffer<float> out(device(), groups * team_threads);
  // Long enough that what a launch takes beside does not count.
  const index_t passes = std::max<index_t>(16, (index_t{64} << 20) / state.range(0));
  const index_t steps = passes * count / (index_t{Reads::parts} * Reads::threads);
  for (auto _ : state) {
    exec::launch(device(), {.groups = groups},
                 ArrayReadKernel<Reads>{reinterpret_cast<const Vector*>(in.data()), out.data(), count, steps});
  }
  state.SetBytesProcessed(state.iterations() * groups * passes * state.range(0));
}

/// Bytes read a second of an array of range(0) bytes, which a cache holds: of 32 KiB, the one that is nearest to the threads.
void peak_cache_read(benchmark::State& state) {
  device().is_gpu() ? run_array_read<GpuReads>(state) : run_array_read<HostReads>(state);
}
BENCHMARK(peak_cache_read)->Arg(32 << 10)->Arg(256 << 10)->Arg(8 << 20)->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace phpc::bench
