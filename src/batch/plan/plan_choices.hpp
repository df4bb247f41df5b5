#pragma once
#include <cstddef>
#include <optional>

#include "batch/plan/dispatch.hpp"
#include "batch/registers/register_shapes.hpp"
#include "batch/slices/slice_plan.hpp"
#include "phpc/batch/plan.hpp"

/// The choices that a plan makes before it allocates memory.
namespace phpc::batch {

/// The options with every 0 that stands for a choice replaced by it, for systems of the pattern on `device`. Throws Error(usage)
/// for options that are out of range.
template <class T>
Options resolved(exec::Device device, const CsrPattern& pattern, Options options);

/// The pattern that is solved with: the given one or its transpose. Throws Error(input) for one that is invalid.
CsrPattern solved_pattern(const CsrPattern& pattern, const Options& options);

/// How kernels scale systems.
ScalingRule::Kind scaling_kind(const Options& options);

/// Whether the options ask neither for scaling nor for cycles of float.
bool is_plain(const Options& options);

/// Where the data of a system lie, and how much global memory they need.
struct Workspace {
  Placement placement;
  std::size_t more = 0;  ///< SolveExtras::more_workspace
};

/// The workspace of a solve. `options` are resolved, as for place_factors().
template <class T>
Workspace place(exec::Device device, index_t rows, index_t entries, const Options& options, const std::int32_t* table,
                Factors factors = Factors::own);
/// The placement of a factorisation whose factors are kept.
template <class T>
Placement place_factors(exec::Device device, index_t rows, index_t entries, const Options& options, const std::int32_t* table);

/// How systems lie in registers: wholly, in a shape of register_shapes.hpp or direct_shapes.hpp, or with their vectors alone, in
/// slices; or not at all.
struct InRegisters {
  std::optional<RegisterShape> shape;
  index_t columns = 0;  ///< RegisterJob::columns, of shapes of blocks
  std::optional<SliceChoice> slices;

  explicit operator bool() const { return shape || slices; }
};

/// How systems of the pattern lie in registers; not at all where no kernel does what the options, not resolved, ask for.
template <class T>
InRegisters in_registers(exec::Device device, const CsrPattern& pattern, const Options& options);

}  // namespace phpc::batch
