#pragma once
#include <memory>
#include <vector>

#include "phpc/batch/matrix.hpp"
#include "phpc/batch/solver.hpp"
#include "phpc/exec/buffer.hpp"

namespace phpc::batch {

/// A prepared solve: pattern, options and workspace on one device, for callers whose data is there already and who solve again
/// and again. solve() of solver.hpp is this plus the copies.
template <class T>
class Plan {
 public:
  /// For up to `systems` systems at a time. Copies the pattern, decides what lives in scratch, and allocates the workspace for
  /// the rest. Throws Error(usage) for wrong options, Error(memory), Error(device).
  Plan(exec::Device device, const CsrPattern& pattern, index_t systems, const Options& options);

  /// One launch; returns when it is done. All pointers are to memory of device().
  ///   values   (value_sets, entries): system i has set (first_set + i) % value_sets
  ///   rhs      (systems, rows)
  ///   x        (systems, rows): initial guesses in, solutions out
  ///   reports  (systems)
  /// `systems` is at most the number given to the constructor.
  void execute(index_t systems, index_t value_sets, index_t first_set, const T* values, const T* rhs, T* x, Report* reports);

  [[nodiscard]] exec::Device device() const { return device_; }

  /// Global memory that a plan takes for each system beside the caller's data, in bytes (0 when all vectors fit in scratch).
  static std::size_t workspace_bytes(exec::Device device, const CsrPattern& pattern, const Options& options);

 private:
  exec::Device device_;
  Options options_;
  index_t systems_;
  exec::Buffer<std::int32_t> row_offsets_;
  exec::Buffer<std::int32_t> columns_;
  std::vector<std::int32_t> table_;  ///< what the preconditioner needs to know of the pattern
  exec::Buffer<std::int32_t> device_table_;
  exec::Buffer<std::byte> workspace_;
  class Registers;
  std::shared_ptr<const Registers> registers_;  ///< where systems are solved in registers
};

extern template class Plan<double>;

}  // namespace phpc::batch
