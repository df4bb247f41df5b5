#pragma once
#include "batch/registers/register_context.hpp"
#include "batch/solver/solve_system.hpp"
#include "phpc/exec/launch.hpp"

namespace phpc::batch {

/// Copies a system's values to scratch, several loads in flight, where `places` says. To be followed by a barrier.
template <int Threads, class T, class Places>
[[gnu::always_inline]] inline void thread_stage(int rank, const T* values, std::int32_t entries, T* staged,
                                                const Places& places) {
  constexpr int flight = 8;
  std::int32_t entry = rank;
  for (; entry + (flight - 1) * Threads < entries; entry += flight * Threads) {
    T value[flight];
#pragma unroll
    for (int k = 0; k < flight; ++k) {
      value[k] = values[entry + k * Threads];
    }
#pragma unroll
    for (int k = 0; k < flight; ++k) {
      staged[places.place(entry + k * Threads + 1)] = value[k];
    }
  }
  for (; entry < entries; entry += Threads) {
    staged[places.place(entry + 1)] = values[entry];
  }
  if (rank == 0) {
    staged[places.place(0)] = T{0};
  }
}

/// The launch of a kernel with `systems_a_team` systems a team.
template <class Kernel>
exec::LaunchShape register_shape(const Kernel& kernel, int systems_a_team) {
  return {.groups = (kernel.job.matrix.systems + systems_a_team - 1) / systems_a_team,
          .scratch_bytes = static_cast<std::size_t>(Kernel::scratch_values(kernel.job.matrix.entries) * systems_a_team) *
                           sizeof(*kernel.job.matrix.values)};
}

/// Solves systems in the registers of a GPU. A team of 64 threads solves several at a time, Shape.threads threads each.
template <class T, class Method, template <class> class Preconditioner, RegisterShape Shape>
struct RegisterKernel {
  static constexpr int team_size = 64;
  using Scratch = exec::DynamicScratch;
  using Context = RegisterContext<T, Shape>;
  static constexpr int systems_of_a_team = PHPC_GPU_PASS ? team_size / Shape.threads : 1;
  RegisterJob<T> job;

  /// Values of scratch that a system takes, a multiple of 16 bytes.
  [[nodiscard]] static constexpr index_t scratch_values(index_t entries) {
    constexpr index_t unit = 16 / sizeof(T);
    return (Context::fixed_values + Context::Places::values(entries) + unit - 1) / unit * unit;
  }
  [[gnu::always_inline]] void operator()(const exec::Team& team, Scratch& scratch) const {
    const int part = systems_of_a_team == 1 ? 0 : team.rank() / Shape.threads;
    const index_t wanted = team.league_rank() * systems_of_a_team + part;
    const bool valid = wanted < job.matrix.systems;
    const index_t number = valid ? wanted : job.matrix.systems - 1;
    T* const own = reinterpret_cast<T*>(scratch.data) + part * scratch_values(job.matrix.entries);
    T* const staged = own + Context::fixed_values;
    const index_t set = job.matrix.set_of(number);

    Context context(team, own, job.matrix.rows, job.rhs + number * job.matrix.rows, job.x + number * job.matrix.rows);
    thread_stage<Context::Threads::size>(context.threads().rank(), job.matrix.values + set * job.matrix.entries,
                                         job.matrix.entries, staged, context.places());
    context.threads().barrier();
    context.load(job.sources, staged);
    Preconditioner<Context> preconditioner(context);
    const Outcome<T> outcome = team_solve_system<Method>(context, preconditioner, job.stop, job.tolerance_of(number), valid);
    if (valid && context.threads().rank() == 0) {
      job.reports[number] = {static_cast<double>(outcome.residual_norm), static_cast<double>(outcome.rhs_norm),
                             outcome.iterations, static_cast<Status>(outcome.status)};
    }
  }
};

}  // namespace phpc::batch
