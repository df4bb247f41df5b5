#pragma once
#include <algorithm>

#include "batch/math/value.hpp"
#include "batch/solver/solve_system.hpp"
#include "batch/system/history.hpp"
#include "batch/system/solve_job.hpp"

namespace phpc::batch {

/// The systems in the lanes of a pack, and where their arrays are in the job's memory. Lanes without a system repeat the last
/// one, and take no part in the solve.
template <class T, int Lanes>
struct LaneSystems {
  index_t first;  ///< system of lane 0
  int used;       ///< lanes that have a system
  index_t set_of[Lanes];
  const T* values[Lanes];
  const T* rhs[Lanes];
  T* x[Lanes];
  History<Lanes> history{};  ///< its norms are null where the job records none

  /// Those of the group-th pack of the job.
  LaneSystems(const SolveJob<T>& job, index_t group)
      : first(group * Lanes), used(static_cast<int>(std::min<index_t>(Lanes, job.matrix.systems - first))) {
    const index_t rows = job.matrix.rows;
    for (int lane = 0; lane < Lanes; ++lane) {
      const index_t number = system(lane);
      set_of[lane] = job.matrix.set_of(number);
      values[lane] = job.matrix.values + set_of[lane] * job.set_values();
      rhs[lane] = job.rhs + number * rows;
      x[lane] = job.x + number * rows;
      history.norms[lane] = job.history_of(number);
    }
  }

  [[nodiscard]] index_t system(int lane) const { return first + std::min(lane, used - 1); }
  [[nodiscard]] bool has_history() const { return history.norms[0] != nullptr; }

  /// The lanes that have a system.
  template <class Value>
  [[nodiscard]] MaskOf<Value> valid() const {
    MaskOf<Value> mask{};
    for (int lane = 0; lane < Lanes; ++lane) {
      mask[lane] = lane < used ? -1 : 0;
    }
    return mask;
  }

  /// What each lane's system must reach.
  template <class Real>
  [[nodiscard]] Real tolerances(const SolveJob<T>& job) const {
    Real tolerance{};
    for (int lane = 0; lane < Lanes; ++lane) {
      tolerance[lane] = job.tolerance_of(system(lane));
    }
    return tolerance;
  }

  /// Writes the reports of the lanes that have a system.
  template <class Real>
  void report(const SolveJob<T>& job, const Outcome<Real>& outcome) const {
    for (int lane = 0; lane < used; ++lane) {
      job.reports[first + lane] = {static_cast<double>(outcome.residual_norm[lane]), static_cast<double>(outcome.rhs_norm[lane]),
                                   static_cast<std::int32_t>(outcome.iterations[lane]),
                                   static_cast<Status>(outcome.status[lane])};
    }
  }
};

}  // namespace phpc::batch
