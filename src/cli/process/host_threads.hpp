#pragma once

namespace phpc::cli {

/// More host threads than this are never started: several times what the largest nodes have.
inline constexpr int most_host_threads = 4096;

/// How many threads beside the caller's the system starts, `wanted` at most: under limits of processes (ulimit -u, a cgroup's)
/// and of memory (ulimit -v). They are started, which is the one sure answer (20 us each), and have ended when this returns.
int startable_threads(int wanted);

/// Sets how many threads OpenMP takes, whose run-time library ends the program where it cannot start one of them. `asked`: 0 = as
/// many as OpenMP would take (OMP_NUM_THREADS), fewer where the system does not start them. Returns what it set. Throws Error(io)
/// where `asked` threads, and a few that read and write, cannot be started. Under a limit of memory it has OpenMP start its
/// threads.
int set_host_threads(int asked);

}  // namespace phpc::cli
