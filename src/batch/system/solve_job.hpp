#pragma once
#include <cstddef>

#include "batch/system/scratch_plan.hpp"
#include "phpc/batch/matrix.hpp"
#include "phpc/batch/solver.hpp"
#include "phpc/batch/storage.hpp"

namespace phpc::batch {

/// When a system is done.
struct StopRule {
  double tolerance;
  ToleranceKind kind;
  std::int32_t max_iterations;
};

/// How systems are scaled: pointers to memory of the device.
struct ScalingRule {
  enum class Kind : std::int32_t { none, equilibrate, symmetric, given };
  Kind kind = Kind::none;
  /// For equilibrate, the pattern by columns: entries of column j are column_entries[column_offsets[j]] and so on, in rows
  /// entry_rows[...].
  const std::int32_t* column_offsets = nullptr;
  const std::int32_t* column_entries = nullptr;
  const std::int32_t* entry_rows = nullptr;
  const double* row_factors = nullptr;     ///< given: (factor_sets, rows)
  const double* column_factors = nullptr;  ///< given: (factor_sets, rows)
  index_t factor_sets = 1;                 ///< 1, or as many as there are sets of values
};

/// How the values of systems lie: `values` of a set, 0 for as many as the pattern has entries. Kernels that do not read the
/// storage have them in CSR.
struct StoredValues {
  Storage storage = Storage::csr;
  std::int32_t values = 0;
  const std::int32_t* columns = nullptr;  ///< of ELL (width, rows)
};

/// What few solves ask for, so that kernels carry but one pointer to it, null for none of it.
struct SolveExtras {
  const double* tolerances = nullptr;  ///< (systems), or null: the rule's
  double* history = nullptr;           ///< (systems, max_iterations + 1), or null
  ScalingRule scaling;
  /// Where in a system's workspace, behind what the placement put there, the memory for scaling and for mixed precision begins.
  std::size_t more_workspace = 0;
  /// Where in a system's pattern each of its values stands, for host threads' packs, -1 for nowhere; null: they are in its order.
  const std::int32_t* value_places = nullptr;
  bool conjugates = false;  ///< they are the conjugates of those that are meant, for packs too
  StoredValues stored;
  /// Kept factors (keep_kernel.hpp): `factor_stride` values for each set of values, or packs for as many sets as those have
  /// lanes; null: none are kept.
  std::byte* factors = nullptr;
  index_t factor_stride = 0;
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
  const std::int32_t* table = nullptr;  ///< pattern_table() of the method or of its preconditioner
  const SolveExtras* extras = nullptr;

  /// What system `number` must reach.
  [[nodiscard, gnu::always_inline]] double tolerance_of(index_t number) const {
    return extras != nullptr && extras->tolerances != nullptr ? extras->tolerances[number] : stop.tolerance;
  }
  /// Where its residual norms go; null for nowhere.
  [[nodiscard, gnu::always_inline]] double* history_of(index_t number) const {
    return extras != nullptr && extras->history != nullptr
               ? extras->history + number * (static_cast<index_t>(stop.max_iterations) + 1)
               : nullptr;
  }
  [[nodiscard, gnu::always_inline]] bool conjugates() const { return extras != nullptr && extras->conjugates; }
  [[nodiscard, gnu::always_inline]] const std::int32_t* value_places() const {
    return extras != nullptr ? extras->value_places : nullptr;
  }
  /// The kept factors of a set of values, or with a Value of packs of the sets that share them; null where none are kept.
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
    return values > 0 ? values : matrix.entries;
  }
  [[nodiscard, gnu::always_inline]] ScalingRule scaling() const { return extras != nullptr ? extras->scaling : ScalingRule{}; }
};

}  // namespace phpc::batch
