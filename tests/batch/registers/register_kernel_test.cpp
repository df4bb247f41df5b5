// Kernels in registers, run on the host as one thread with all rows: their arithmetic and where their slots come from. What
// sub-groups exchange shows on a GPU, where the tests of solver_test.cpp take these kernels.
#include "batch/registers/register_kernel.hpp"

#include <gtest/gtest.h>
#include <omp.h>

#include <algorithm>
#include <cstring>

#include "batch/direct/block_lu_kernel.hpp"
#include "batch/direct/chunk_elimination.hpp"
#include "batch/direct/dense_systems.hpp"
#include "batch/direct/register_lu_kernel.hpp"
#include "batch/direct/tridiagonal_systems.hpp"
#include "batch/mixed/chunk_cycle.hpp"
#include "batch/precond/identity.hpp"
#include "batch/precond/jacobi.hpp"
#include "batch/registers/chunk_kernel.hpp"
#include "batch/registers/register_shapes.hpp"
#include "batch/solver/bicgstab.hpp"
#include "batch/solver/cg.hpp"
#include "batch/systems_job.hpp"
#include "support/linear_systems.hpp"

namespace phpc::batch {
namespace {

using test::Structure;
using test::SystemBatch;
using test::tridiagonal;

constexpr unsigned seed = 20261123;
constexpr double tolerance = 1e-10;
constexpr RegisterShape dense8{RowStorage::dense, 8, 16, 1};
constexpr RegisterShape packed3{RowStorage::packed, 3, 16, 2};
constexpr RegisterShape chunks4{RowStorage::chunks, 3, 4, 4};
constexpr RegisterShape blocks8{RowStorage::blocks, 8, 64, 1};
constexpr RegisterShape blocks16{RowStorage::blocks_in_global, 16, 64, 1};

template <class Kernel>
exec::LaunchShape shape_of(const Kernel& kernel) {
  if constexpr (requires { kernel.shape(); }) {
    return kernel.shape();
  } else if constexpr (requires { Kernel::Context::scratch_values; }) {
    return chunk_launch(kernel, 1);
  } else {
    return register_shape(kernel, 1);
  }
}

/// `columns` is how many columns of blocks are in scratch at a time.
template <class Kernel>
void check(const SystemBatch& batch, const RegisterShape& shape, int columns = 0) {
  SCOPED_TRACE(testing::Message() << batch.rows() << " rows, seed " << seed);
  ASSERT_TRUE(fits(batch.pattern, shape));
  const std::vector<SlotSource> sources = slot_sources(batch.pattern, shape);
  std::vector<double> x(batch.rhs.size(), 0.0);
  std::vector<Report> reports(static_cast<std::size_t>(batch.systems()));
  Kernel kernel{};
  std::vector<std::byte> workspace(BlockLayout{shape, sizeof(double)}.workspace_bytes(batch.rows()));
  kernel.job = {test::systems_job(batch, x, reports, tolerance, 100), sources.data(), columns, workspace.data(), 1};
  omp_set_num_threads(1);  // which share the one workspace
  exec::launch_on_host(shape_of(kernel), kernel);
  for (index_t system = 0; system < batch.systems(); ++system) {
    const Report& report = reports[static_cast<std::size_t>(system)];
    test::check_solution(batch, system, x, report, tolerance);
    EXPECT_EQ(report.status, Status::converged) << to_string(report.status);
  }
}

TEST(RegisterKernel, DenseRows) {
  for (const index_t rows : {1, 2, 7, 8}) {
    const SystemBatch general = test::random_systems(Structure::general, rows, 5, seed);
    check<RegisterKernel<double, BiCgStab, JacobiPreconditioner, dense8>>(general, dense8);
    check<RegisterKernel<double, ConjugateGradients, IdentityPreconditioner, dense8>>(
        test::random_systems(Structure::symmetric, rows, 5, seed), dense8);
  }
}

TEST(RegisterKernel, PackedRows) {
  for (const index_t rows : {1, 2, 17, 32}) {
    check<RegisterKernel<double, BiCgStab, IdentityPreconditioner, packed3>>(tridiagonal(rows, 5), packed3);
    check<RegisterKernel<double, ConjugateGradients, JacobiPreconditioner, packed3>>(tridiagonal(rows, 5), packed3);
  }
}

TEST(RegisterKernel, Elimination) {
  for (const index_t rows : {1, 2, 7, 8}) {
    check<RegisterLuKernel<double, dense8>>(test::random_systems(Structure::general, rows, 5, seed, 1e4), dense8);
  }
}

TEST(RegisterKernel, EliminationInBlocks) {
  for (const int rows : {1, 2, 8, 9, 17, 31, 32, 40, 64}) {
    const SystemBatch general = test::random_systems(Structure::general, rows, 5, seed, 1e4);
    const SystemBatch dense = test::random_dense(rows, 5, seed + static_cast<unsigned>(rows));
    check<BlockLuKernel<double, blocks8>>(general, blocks8, rows);
    check<BlockLuKernel<double, blocks8>>(dense, blocks8, rows);
    for (const int columns : {16, 32, 64}) {
      SCOPED_TRACE(testing::Message() << columns << " columns at a time");
      check<BlockLuKernel<double, blocks16>>(general, blocks16, columns);
      check<BlockLuKernel<double, blocks16>>(dense, blocks16, columns);
    }
  }
}

TEST(RegisterKernel, ChunksOfTridiagonalSystems) {
  for (const index_t rows : {1, 2, 3, 7, 16}) {
    const SystemBatch batch = tridiagonal(rows, 5);
    check<ChunkKernel<double, ChunkElimination, IdentityPreconditioner, chunks4>>(batch, chunks4);
    check<ChunkKernel<double, ConjugateGradients, IdentityPreconditioner, chunks4>>(batch, chunks4);
    check<ChunkKernel<double, BiCgStab, JacobiPreconditioner, chunks4>>(batch, chunks4);
  }
}

TEST(RegisterKernel, ChunksWithCyclesOfFloat) {
  using Cg = ChunkCycle<ConjugateGradients, JacobiPreconditioner>;
  using BiCg = ChunkCycle<BiCgStab, IdentityPreconditioner>;
  for (const index_t rows : {1, 2, 3, 7, 16}) {
    const SystemBatch batch = tridiagonal(rows, 5);
    check<ChunkKernel<double, Cg, IdentityPreconditioner, chunks4>>(batch, chunks4);
    check<ChunkKernel<double, BiCg, IdentityPreconditioner, chunks4>>(batch, chunks4);
  }
}

TEST(RegisterShapes, WhatFits) {
  EXPECT_TRUE(fits(tridiagonal(16, 1).pattern, chunks4));
  EXPECT_FALSE(fits(tridiagonal(17, 1).pattern, chunks4));
  EXPECT_FALSE(fits({{0, 2, 5, 7}, {0, 1, 1, 0, 2, 1, 2}}, chunks4)) << "a row in another order";
  EXPECT_FALSE(fits({{0, 1, 2}, {0, 1}}, chunks4)) << "nothing beside the diagonal";
  EXPECT_TRUE(fits({{0, 1, 2}, {0, 1}}, blocks8));
  EXPECT_TRUE(fits(tridiagonal(32, 1).pattern, packed3));
  EXPECT_FALSE(fits(tridiagonal(33, 1).pattern, packed3));
  EXPECT_FALSE(fits(tridiagonal(9, 1).pattern, dense8));
  EXPECT_FALSE(fits({{0, 4, 8, 12, 16}, {0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3}}, packed3)) << "four entries a row";
}

TEST(RegisterShapes, ColumnsInScratch) {
  const BlockLayout whole{blocks8, sizeof(double)};
  const BlockLayout parts{blocks16, sizeof(double)};
  constexpr std::size_t limit = 227 * 1024;
  for (const index_t rows : {1, 15, 16, 40, 63, 64}) {
    const auto room_of = [&](const BlockLayout& layout, index_t columns) {
      return static_cast<std::size_t>(layout.teams()) * (layout.scratch_bytes(rows, columns) + 1024) - 1024;
    };
    const index_t all = whole.columns(rows, limit);
    EXPECT_EQ(all, room_of(whole, rows) <= limit ? rows : 0);
    for (const std::size_t room : {limit, limit / 2, limit / 4}) {
      const index_t columns = parts.columns(rows, room);
      if (columns > 0) {
        EXPECT_EQ(columns % 16, 0) << "whole panels";
        EXPECT_LE(room_of(parts, columns), room);
      } else {
        EXPECT_GT(room_of(parts, 16), room);
      }
    }
  }
}

template <class T>
void check_places(int rows) {
  const SpreadPlaces<T> places(rows);
  const index_t entries = index_t{rows} * rows;
  std::vector<int> seen(static_cast<std::size_t>(SpreadPlaces<T>::values(entries)), 0);
  for (int entry_plus_one = 0; entry_plus_one <= entries; ++entry_plus_one) {
    const auto place = static_cast<std::size_t>(places.place(entry_plus_one));
    ASSERT_LT(place, seen.size()) << rows << " rows";
    EXPECT_EQ(++seen[place], 1) << rows << " rows";
  }
}

TEST(RegisterShapes, PlacesOfStagedValues) {
  for (const int rows : {1, 7, 8, 9, 16, 24, 31, 32, 40, 48, 63, 64}) {
    check_places<double>(rows);
    check_places<float>(rows);
  }
  // A column's elements in 32 rows of 32 doubles: 64-bit loads of half a sub-group lie in 16 different pairs of banks.
  const SpreadPlaces<double> places(32);
  for (int column = 0; column < 32; ++column) {
    for (int first = 0; first < 32; first += 16) {
      std::vector<int> banks;
      for (int row = first; row < first + 16; ++row) {
        banks.push_back(places.place(row * 32 + column + 1) % 16);
      }
      std::sort(banks.begin(), banks.end());
      EXPECT_GE(std::unique(banks.begin(), banks.end()) - banks.begin(), 15) << "column " << column;
    }
  }
}

TEST(RegisterShapes, ChunksOfKrylovMethods) {
  EXPECT_EQ(chunk_registers<double>(8, 4), 128);
  EXPECT_EQ(chunk_registers<double>(12, 4), 168);
  EXPECT_EQ(chunk_registers<double>(16, 4), 255);
  EXPECT_EQ(chunk_registers<double>(16, 8), 0) << "more elements than registers";
  EXPECT_EQ(chunk_registers<float>(16, 8), 255);
  int rows = 0;
  for (const RegisterShape& shape : krylov_chunk_shapes) {
    EXPECT_GE(shape.rows(), rows) << "a shape for fewer rows comes first";
    rows = shape.rows();
  }
}

TEST(RegisterShapes, SourcesOfSlots) {
  const CsrPattern pattern{{0, 1, 3}, {1, 0, 1}};
  const std::vector<SlotSource> dense = slot_sources(pattern, dense8);
  EXPECT_EQ(dense[16 * 0 + 0].entry_plus_one, 0);
  EXPECT_EQ(dense[16 * 1 + 0].entry_plus_one, 1);
  EXPECT_EQ(dense[16 * 0 + 1].entry_plus_one, 2);
  const std::vector<SlotSource> packed = slot_sources(pattern, packed3);
  EXPECT_EQ(packed[32 * 0 + 0].column, 1);
  EXPECT_EQ(packed[32 * 1 + 1].entry_plus_one, 3);
  EXPECT_EQ(packed[32 * 2 + 1].entry_plus_one, 0);
  const std::vector<SlotSource> entries = slot_sources(pattern, blocks8);
  ASSERT_EQ(entries.size(), 3U);
  EXPECT_EQ(entries[0].column, 1);
  EXPECT_EQ(entries[2].entry_plus_one, 2) << "of a block this is the row";
  EXPECT_TRUE(slot_sources(tridiagonal(5, 1).pattern, chunks4).empty());
}

}  // namespace
}  // namespace phpc::batch
