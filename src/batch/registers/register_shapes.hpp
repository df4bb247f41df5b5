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
/// The shapes in which Krylov methods solve tridiagonal systems, by rows; of those for the same number of rows the faster first.
/// Fewer threads with more rows each do less of what all threads of a system repeat: 512 rows by CG take 2.3 ms with 16 rows a
/// thread, 2.9 with 8, 4.4 with 4 (H200, 2^17 systems).
inline constexpr RegisterShape krylov_chunk_shapes[] = {
    {RowStorage::chunks, 3, 2, 8},    {RowStorage::chunks, 3, 4, 8},    {RowStorage::chunks, 3, 8, 8},
    {RowStorage::chunks, 3, 16, 8},   {RowStorage::chunks, 3, 16, 12},  {RowStorage::chunks, 3, 32, 8},
    {RowStorage::chunks, 3, 32, 12},  {RowStorage::chunks, 3, 32, 16},  {RowStorage::chunks, 3, 64, 8},
    {RowStorage::chunks, 3, 64, 12},  {RowStorage::chunks, 3, 64, 16},  {RowStorage::chunks, 3, 128, 8},
    {RowStorage::chunks, 3, 128, 12}, {RowStorage::chunks, 3, 128, 16}, {RowStorage::chunks, 3, 256, 8},
};
/// The cap on registers a thread of a Krylov kernel in chunks, whose elements of `vectors` vectors take most of them: the least
/// of 128, 168 and 255 (of which 512, 384 and 256 threads fit on a multiprocessor of NVIDIA's) that leaves 56 beside them; 0
/// where there are too few.
template <class T>
[[nodiscard]] constexpr int chunk_registers(int rows_of_a_thread, int vectors) {
  const int wanted = static_cast<int>(sizeof(T) / 4) * rows_of_a_thread * vectors + 56;
  return wanted <= 128 ? 128 : wanted <= 168 ? 168 : wanted <= 255 ? 255 : 0;
}
/// Vectors that a Jacobi preconditioner has beside those of the method.
inline constexpr int jacobi_vectors = 2;
/// Vectors that cycles of float have beside those: the matrix's three diagonals.
inline constexpr int mixed_chunk_vectors = 3;

/// Values of scratch that a system takes in a shape of chunks, as ChunkContext has it.
constexpr int chunk_values(const RegisterShape& shape) {
  return shape.threads * (5 * shape.rows_of_a_thread + 3) +
         (shape.threads > 32 ? 6 * shape.threads + 10 * (shape.threads / 32) : 0);
}

[[nodiscard]] constexpr bool is_blocks(const RegisterShape& shape) {
  return shape.storage == RowStorage::blocks || shape.storage == RowStorage::blocks_in_global;
}

/// Whether systems of the pattern fit the shape, if its scratch fits the device.
bool fits(const CsrPattern& pattern, const RegisterShape& shape);

}  // namespace phpc::batch
