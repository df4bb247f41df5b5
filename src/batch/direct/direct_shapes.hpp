#pragma once
#include "batch/registers/register_job.hpp"

/// The shapes that kernels of direct methods exist for, the cheaper ones first.
namespace phpc::batch {

/// The cap on registers a thread of kernels that factorise in blocks: four teams of 128 threads, or two of 256, fit on a
/// multiprocessor.
inline constexpr int block_registers = 128;

/// Most threads of a team that factorises in blocks, each with a row.
inline constexpr int widest_blocks = 256;

/// The shapes of LU. Larger systems are factorised in blocks: by teams of 128 threads while two of their matrices fit into a
/// multiprocessor's scratch (2^16 systems of 72 rows in f64 on an H100, prototypes: 9 ms, with teams of 256 threads 16 ms), by
/// teams of 256 while one does, and beyond that in global memory, through the cache. Two rows of 32 doubles a thread leave few
/// teams on a multiprocessor (2^17 systems of 32 rows on an H100: 3.0 ms, with one row a thread 2.6 ms; in f32 1.4 and 2.0 ms).
template <class T>
inline constexpr RegisterShape lu_shapes[] = {
    {RowStorage::dense, 8, 4, 2},
    {RowStorage::dense, 16, 8, 2},
    {RowStorage::dense, 24, 8, 3},
    {RowStorage::dense, 32, sizeof(T) == sizeof(double) ? 32 : 16, sizeof(T) == sizeof(double) ? 1 : 2},
    {RowStorage::dense, 40, 32, 2},
    {RowStorage::dense, 56, 32, 2},
    {RowStorage::dense, 64, 64, 1},
    {RowStorage::blocks, 8, 128, 1, block_registers},
    {RowStorage::blocks, 8, widest_blocks, 1, block_registers},
    {RowStorage::blocks_in_global, 16, widest_blocks, 1},
};
/// The shapes of tridiagonal systems: chunks of four rows while a team has threads for them, else of eight (2^17 systems of 100
/// rows on an H100, prototypes: 0.22 ms and 0.26 ms).
inline constexpr RegisterShape chunk_shapes[] = {
    {RowStorage::chunks, 3, 4, 4},   {RowStorage::chunks, 3, 8, 4},   {RowStorage::chunks, 3, 16, 4},
    {RowStorage::chunks, 3, 32, 4},  {RowStorage::chunks, 3, 64, 4},  {RowStorage::chunks, 3, 128, 4},
    {RowStorage::chunks, 3, 256, 4}, {RowStorage::chunks, 3, 256, 8},
};

}  // namespace phpc::batch
