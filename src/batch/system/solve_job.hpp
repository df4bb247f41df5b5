#pragma once
#include <cstddef>

#include "batch/math/value.hpp"
#include "batch/system/scratch_plan.hpp"
#include "phpc/batch/matrix.hpp"
#include "phpc/batch/solver.hpp"
#include "phpc/batch/storage.hpp"

namespace phpc::batch {

/// When the solve of a system ends.
struct StopRule {
  double tolerance;
  ToleranceKind kind;
  std::int32_t max_iterations;
};

/// How systems are scaled. Pointers are to memory of the device.
struct ScalingRule {
  enum class Kind : std::int32_t { none, equilibrate, symmetric, given };
  Kind kind = Kind::none;
  /// The pattern by columns, for equilibrate: column j has the entries column_entries[p] in rows entry_rows[p], where
  /// column_offsets[j] <= p < column_offsets[j + 1].
  const std::int32_t* column_offsets = nullptr;
  const std::int32_t* column_entries = nullptr;
  const std::int32_t* entry_rows = nullptr;
  const double* row_factors = nullptr;     ///< given: (factor_sets, rows)
  const double* column_factors = nullptr;  ///< given: (factor_sets, rows)
  index_t factor_sets = 1;                 ///< 1, or as many as there are sets of values
};

/// The storage of the values that a kernel is given. Kernels that read no storage but CSR are given values in CSR.
struct StoredValues {
  Storage storage = Storage::csr;
  std::int32_t values = 0;                ///< of a set; 0 for as many as the pattern has entries
  const std::int32_t* columns = nullptr;  ///< of ELL (width, rows)
};

/// What only some solves ask for. Kernels carry one pointer to it, which is null where a solve asks for none of it.
struct SolveExtras {
  double* history = nullptr;  ///< (systems, max_iterations + 1), or null
  ScalingRule scaling;
  /// Bytes from the start of a system's workspace to the memory for scaling and for mixed precision, behind what the placement
  /// put there.
  std::size_t more_workspace = 0;
  /// The entry of the pattern that each value of a set is, -1 for none, for packs of host threads; null where values are in the
  /// order of the pattern.
  const std::int32_t* value_places = nullptr;
  bool conjugates = false;  ///< whether the matrix has the conjugates of the values, for packs of host threads
  StoredValues stored;
  /// Kept factors (keep_kernel.hpp): `factor_stride` values for each set of values or, for packs, `factor_stride` packs for as
  /// many sets as a pack has lanes; null where none are kept.
  std::byte* factors = nullptr;
  index_t factor_stride = 0;
};

/// What all kernels that solve are given, and a part of the job of each kind: pointers to memory of their device. Trivially
/// copyable.
template <class T>
struct SystemsJob {
  /// The systems and their values. Kernels that have the pattern in tables of their own look at neither row_offsets nor columns.
  CsrView<T> matrix;
  const T* rhs;              ///< (systems, rows)
  T* x;                      ///< (systems, rows): guesses in, solutions out
  Report* reports;           ///< (systems)
  const double* tolerances;  ///< (systems), or null: the rule's
  StopRule stop;

  /// The tolerance of system `number`.
  [[nodiscard, gnu::always_inline]] RealOf<T> tolerance_of(index_t number) const {
    return static_cast<RealOf<T>>(tolerances != nullptr ? tolerances[number] : stop.tolerance);
  }
};

/// Everything that kernels read and write which solve with matrix and vectors in memory, with teams or in the lanes of packs.
template <class T>
struct SolveJob : SystemsJob<T> {
  std::byte* workspace = nullptr;  ///< (systems, placement.workspace_bytes)
  Placement placement{};
  const std::int32_t* table = nullptr;  ///< pattern_table() of the method or of its preconditioner
  const SolveExtras* extras = nullptr;

  /// Where the residual norms of system `number` go; null where they are not recorded.
  [[nodiscard, gnu::always_inline]] double* history_of(index_t number) const {
    return extras != nullptr && extras->history != nullptr
               ? extras->history + number * (static_cast<index_t>(this->stop.max_iterations) + 1)
               : nullptr;
  }
  [[nodiscard, gnu::always_inline]] bool conjugates() const { return extras != nullptr && extras->conjugates; }
  [[nodiscard, gnu::always_inline]] const std::int32_t* value_places() const {
    return extras != nullptr ? extras->value_places : nullptr;
  }
  /// The kept factors of set `place` or, where Value is a pack, of the `place`-th pack of sets; null where none are kept.
  template <class Value>
  [[nodiscard, gnu::always_inline]] Value* factors_at(index_t place) const {
    return extras != nullptr && extras->factors != nullptr
               ? reinterpret_cast<Value*>(extras->factors) + place * extras->factor_stride
               : nullptr;
  }
  [[nodiscard, gnu::always_inline]] StoredValues stored() const { return extras != nullptr ? extras->stored : StoredValues{}; }
  /// Values of a set.
  [[nodiscard, gnu::always_inline]] std::int32_t set_values() const {
    const std::int32_t values = stored().values;
    return values > 0 ? values : this->matrix.entries;
  }
  [[nodiscard, gnu::always_inline]] ScalingRule scaling() const { return extras != nullptr ? extras->scaling : ScalingRule{}; }
};

}  // namespace phpc::batch
