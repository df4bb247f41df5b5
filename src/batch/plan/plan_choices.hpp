#pragma once
#include <cstddef>
#include <optional>

#include "batch/plan/dispatch.hpp"
#include "batch/registers/register_shapes.hpp"
#include "batch/slices/slice_plan.hpp"
#include "phpc/batch/plan.hpp"

/// What a plan settles before it allocates anything.
namespace phpc::batch {

/// The options with every "0 = chosen" replaced by the choice, for systems of the pattern on `device`. Throws Error(usage).
template <class T>
Options resolved(exec::Device device, const CsrPattern& pattern, Options options);

/// The pattern that is solved with. Throws Error(input) for one that is none.
CsrPattern solved_pattern(const CsrPattern& pattern, const Options& options);

ScalingRule::Kind scaling_kind(const Options& options);

/// Whether all that the options ask for can be done in registers.
bool is_plain(const Options& options);

/// Where a system's team has everything, and what it needs of global memory.
struct Workspace {
  Placement placement;
  std::size_t more = 0;  ///< SolveExtras::more_workspace
};

/// Of a solve. `options` are resolved, as for all that follows but in_registers().
template <class T>
Workspace place(exec::Device device, index_t rows, index_t entries, const Options& options, const std::int32_t* table,
                Factors factors = Factors::own);
/// Of a factorisation whose factors are kept.
template <class T>
Placement place_factors(exec::Device device, index_t rows, index_t entries, const Options& options, const std::int32_t* table);

/// Where a system lies in registers: wholly, in a shape of register_shapes.hpp, or its vectors.
struct InRegisters {
  std::optional<RegisterShape> shape;
  std::optional<SliceChoice> slices;

  explicit operator bool() const { return shape || slices; }
};

template <class T>
InRegisters in_registers(exec::Device device, const CsrPattern& pattern, const Options& options);

}  // namespace phpc::batch
