#pragma once
#include <memory>
#include <string>
#include <vector>

#include "phpc/batch/matrix.hpp"
#include "phpc/batch/solver.hpp"
#include "phpc/batch/work.hpp"
#include "phpc/exec/buffer.hpp"

namespace phpc::batch {

/// What a plan solves: pointers to memory of its device. A solve is one right-hand side; `rhs_per_system` of them in a row, of
/// the plan's options, share a matrix.
template <class T>
struct DeviceArrays {
  index_t solves = 0;
  index_t value_sets = 0;
  index_t first_set = 0;  ///< set of the first solve
  index_t first_rhs = 0;  ///< which right-hand side of that matrix it has, below rhs_per_system
  /// (value_sets, entries), or as Options::storage says: solve i has set (first_set + (first_rhs + i) / rhs_per_system) %
  /// value_sets.
  const T* values = nullptr;
  const T* rhs = nullptr;              ///< (solves, rows)
  T* x = nullptr;                      ///< (solves, rows): initial guesses in, solutions out
  Report* reports = nullptr;           ///< (solves)
  const double* tolerances = nullptr;  ///< (solves), or null
  double* history = nullptr;           ///< (solves, iteration_cap() + 1) as in PerSystem, filled with NaN by the caller, or null
  /// For Scaling::given: (factor_sets, rows), where factor_sets is 1 or value_sets.
  const double* row_factors = nullptr;
  const double* column_factors = nullptr;
  index_t factor_sets = 1;
};

/// A prepared solve: pattern, options and workspace on one device, for callers whose data is there already and who solve again
/// and again. solve() of solver.hpp is this plus the copies.
template <class T>
class Plan {
 public:
  /// For up to `systems` solves at a time. Copies the pattern, decides what lives in scratch, and allocates the workspace for
  /// the rest. Throws Error(usage) for wrong options, Error(memory), Error(device).
  Plan(exec::Device device, const CsrPattern& pattern, index_t systems, const Options& options);

  /// One launch; returns when it is done. There are at most as many solves as the constructor was told.
  void execute(const DeviceArrays<T>& given_arrays);
  void execute(index_t systems, index_t value_sets, index_t first_set, const T* values, const T* rhs, T* x, Report* reports);

  /// Factorises all sets of values (`value_sets`, `values` and, for Scaling::given, its factors are looked at) and keeps the
  /// factors, in factor_bytes() of the device's memory, in place of those before: for lu, sparse-lu and tridiagonal theirs, for
  /// iterative methods those of block-jacobi, ilu, isai and ilu-isai; others keep nothing. The values must stay as they are
  /// for solve(), whose residuals are of them. Throws Error(usage) for cycles of float, Error(memory), Error(device).
  void factorise(const DeviceArrays<T>& matrices);
  /// execute() with the matrices and the factors of factorise(): all that tells of matrices but first_set and first_rhs is left
  /// out of `arrays`. The bytes are those that execute() gives for them, but where that works in registers or with teams of
  /// another size than 64. Throws Error(usage) where nothing was factorised yet.
  void solve(const DeviceArrays<T>& arrays);

  /// Whether solves with kept factors do less than others: not where nothing is kept, nor where execute() works in registers.
  [[nodiscard]] bool keeps_factors() const;

  [[nodiscard]] exec::Device device() const { return device_; }
  /// Threads that solve a system: those asked for or chosen.
  [[nodiscard]] int team_size() const;

  /// Global memory that a plan takes for each solve beside the caller's data, in bytes (0 when all vectors fit in scratch).
  /// Solves with A^T, or of a storage that is not read as it lies, also take a copy of each set of values, but for the host's
  /// packs.
  static std::size_t workspace_bytes(exec::Device device, const CsrPattern& pattern, const Options& options,
                                     bool with_history = false);

  /// Global memory that factorise() takes for `sets` sets of values, in bytes: of a dense matrix of n rows n (n + 3) numbers, or
  /// n (n + 2) where n is odd; on the host for as many more sets as make the lanes of a pack full.
  static std::size_t factor_bytes(exec::Device device, const CsrPattern& pattern, const Options& options, index_t sets);

  /// Which kernel solves systems of the pattern there, in words for people: where a system lies, by how many threads it is
  /// solved, what of it is in scratch and what in global memory, the bytes that it reads and writes at least, and what work()
  /// tells of an iteration. with_history: of solves that record their residuals, without their work. Throws as the plan does.
  static std::string describe(exec::Device device, const CsrPattern& pattern, const Options& options, bool with_history = false);

  /// What execute() does for each system there, by the model of the kernel that it takes, in so many iterations from a guess of
  /// zero (a mean: whole ones are counted, and between two of them in proportion). Iterations are counted whole, the last one,
  /// too. Cycles of float are as many as Options::tolerance asks for of ||b||. Not counted: scaling, residuals and sums that are
  /// made again where rounding asks for it, and exchanges of rows by lu on the host. Throws as the plan does.
  static Work work(exec::Device device, const CsrPattern& pattern, const Options& options, double iterations);

 private:
  void validate_arrays(const DeviceArrays<T>& arrays) const;
  void validate_factors(const DeviceArrays<T>& arrays, index_t count) const;
  /// Whether values are copied into the order that they are solved in, as neither packs nor kernels there do it where they load.
  [[nodiscard]] bool copies_values(bool in_registers) const {
    return order_.size() > 0 && !loads_in_order_ && !(in_registers ? registers_read_storage_ : memory_reads_storage_);
  }
  void solve_in_registers(const DeviceArrays<T>& arrays);
  struct Kept;
  /// With kept factors, or null.
  void solve_in_memory(const DeviceArrays<T>& arrays, Kept* kept);
  struct Jobs;
  /// The same with the values, and the sets that solves have, in the order that they are solved in.
  DeviceArrays<T> ordered_arrays(const DeviceArrays<T>& arrays);

  exec::Device device_;
  Options options_;
  index_t systems_;
  index_t set_values_;                ///< of a set as it is given
  bool loads_in_order_;               ///< values are put in their order where the host's packs load them
  bool registers_read_storage_;       ///< values are read as they lie
  bool memory_reads_storage_;         ///< the same
  exec::Buffer<std::int32_t> order_;  ///< ValueReading::order
  exec::Buffer<T> ordered_;           ///< and the values in that order
  exec::Buffer<std::int32_t> stored_columns_;
  exec::Buffer<std::int32_t> row_offsets_;
  exec::Buffer<std::int32_t> columns_;
  std::vector<std::int32_t> table_;  ///< what the preconditioner needs to know of the pattern
  exec::Buffer<std::int32_t> device_table_;
  exec::Buffer<std::byte> workspace_;
  exec::Buffer<std::int32_t> by_columns_;  ///< for automatic scaling: the pattern's columns, three arrays
  class Registers;
  std::shared_ptr<const Registers> registers_;  ///< where systems are solved in registers
  std::shared_ptr<Kept> kept_;                  ///< of factorise()
};

extern template class Plan<float>;
extern template class Plan<double>;
extern template class Plan<Complex<float>>;
extern template class Plan<Complex<double>>;

}  // namespace phpc::batch
