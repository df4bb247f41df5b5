#pragma once
#include <cstddef>

#include "batch/scratch_plan.hpp"
#include "phpc/batch/matrix.hpp"
#include "phpc/batch/solver.hpp"

namespace phpc::batch {

/// When a system is done.
struct StopRule {
  double tolerance;
  ToleranceKind kind;
  std::int32_t max_iterations;
};

/// Everything a solve kernel reads and writes: pointers to memory of its device. Trivially copyable.
template <class T>
struct SolveJob {
  CsrView<T> matrix;
  const T* rhs;          ///< (systems, rows)
  T* x;                  ///< (systems, rows)
  Report* reports;       ///< (systems)
  std::byte* workspace;  ///< (systems, placement.workspace_bytes)
  StopRule stop;
  Placement placement;
  const std::int32_t* table = nullptr;  ///< of the preconditioner (pattern_tables.hpp)
};

}  // namespace phpc::batch
