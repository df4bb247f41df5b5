#pragma once
#include <optional>

#include "batch/registers/register_job.hpp"

namespace phpc::batch {

/// The cap on registers a thread of kernels for which six teams on a multiprocessor instead of four gain more than a few spilled
/// values lose. BiCGSTAB for a 3-point stencil of 64 rows takes 0.66 ms with the cap and 0.82 ms without, of 256 rows 4.3 and 2.8
/// ms (H200, 2^17 systems).
inline constexpr int capped_registers = 168;

/// The shapes that Krylov kernels exist for, the cheaper ones first. What all threads of a system repeat is done by fewer if each
/// has several rows (stencils of 16 rows: 0.20 ms with 8 threads, 0.32 ms with 16; drm19's 22 rows: 0.60 ms with 8 threads, 1.05
/// ms with 32). Empty slots cost products and registers: so dense shapes have as many slots as the published sets have rows.
inline constexpr RegisterShape packed_shapes[] = {
    {RowStorage::packed, 3, 8, 2},
    {RowStorage::packed, 3, 8, 4, capped_registers},
    {RowStorage::packed, 3, 16, 4, capped_registers},
    {RowStorage::packed, 3, 16, 8},
    {RowStorage::packed, 3, 32, 8},
};
inline constexpr RegisterShape dense_shapes[] = {
    {RowStorage::dense, 16, 8, 2},
    {RowStorage::dense, 22, 8, 3},
    {RowStorage::dense, 32, 16, 2},
    {RowStorage::dense, 34, 32, 2},
    {RowStorage::dense, 40, 32, 2},
    {RowStorage::dense, 54, 64, 1, capped_registers},
    {RowStorage::dense, 64, 64, 1, capped_registers},
};
[[nodiscard]] constexpr bool is_blocks(const RegisterShape& shape) {
  return shape.storage == RowStorage::blocks || shape.storage == RowStorage::blocks_in_global;
}

/// Whether systems of the pattern fit the shape, if its scratch fits the device.
bool fits(const CsrPattern& pattern, const RegisterShape& shape);

}  // namespace phpc::batch
