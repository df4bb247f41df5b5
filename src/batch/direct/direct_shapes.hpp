#pragma once
#include "batch/registers/register_job.hpp"

/// The shapes that kernels of direct methods exist for, the cheaper ones first.
namespace phpc::batch {

/// The shapes of LU. Two rows of 32 doubles a thread leave few teams on a multiprocessor (2^17 systems of 32 rows on an H100: 3.0
/// ms, with one row a thread 2.6 ms; in f32 1.4 and 2.0 ms). Larger systems are factorised in blocks, in the first shape of which
/// as many teams have scratch as have registers: more registers where scratch leaves room for fewer teams. What a team waits for
/// (a pivot, rows to exchange, memory) takes most of its time, so where one whole matrix would fill the scratch of a
/// multiprocessor, several teams have parts of theirs there (128 rows of doubles on an H100: 2.0 ms for 4096 systems, whole
/// matrices of 256 threads 2.5; 208 rows in one team of panels of 16 columns 2.9, in two teams of 8 columns 3.3).
template <class T>
inline constexpr RegisterShape lu_shapes[] = {
    {RowStorage::dense, 8, 4, 2},
    {RowStorage::dense, 16, 8, 2},
    {RowStorage::dense, 24, 8, 3},
    {RowStorage::dense, 32, 32, 1},
    {RowStorage::dense, 40, 32, 2},
    {RowStorage::dense, 56, 32, 2},
    {RowStorage::dense, 64, 64, 1},
    {RowStorage::blocks, 8, 128, 1, 168},
    {RowStorage::blocks, 8, 128, 1},
    {RowStorage::blocks_in_global, 8, 128, 1, 168},
    {RowStorage::blocks_in_global, 8, 192, 1, 168},
    {RowStorage::blocks_in_global, 16, 256, 1},
};
template <>
inline constexpr RegisterShape lu_shapes<float>[] = {
    {RowStorage::dense, 8, 4, 2},         {RowStorage::dense, 16, 8, 2},        {RowStorage::dense, 24, 8, 3},
    {RowStorage::dense, 32, 16, 2},       {RowStorage::dense, 40, 32, 2},       {RowStorage::dense, 56, 32, 2},
    {RowStorage::dense, 64, 64, 1},       {RowStorage::blocks, 8, 128, 1, 128}, {RowStorage::blocks, 8, 128, 1, 168},
    {RowStorage::blocks, 8, 256, 1, 128}, {RowStorage::blocks, 8, 256, 1},      {RowStorage::blocks_in_global, 8, 256, 1, 128},
};
/// The shapes of tridiagonal systems: chunks of four rows while a team has threads for them, else of eight (2^17 systems of 100
/// rows on an H100, prototypes: 0.22 ms and 0.26 ms).
inline constexpr RegisterShape chunk_shapes[] = {
    {RowStorage::chunks, 3, 4, 4},   {RowStorage::chunks, 3, 8, 4},   {RowStorage::chunks, 3, 16, 4},
    {RowStorage::chunks, 3, 32, 4},  {RowStorage::chunks, 3, 64, 4},  {RowStorage::chunks, 3, 128, 4},
    {RowStorage::chunks, 3, 256, 4}, {RowStorage::chunks, 3, 256, 8},
};

}  // namespace phpc::batch
