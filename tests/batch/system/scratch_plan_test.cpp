#include "batch/system/scratch_plan.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace phpc::batch {
namespace {

constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();

/// 8 vectors of 5 rows (48 bytes each, padded), 10 values of preconditioner (80), 13 of matrix (112 padded), 24 of collectives
/// (32).
ScratchRequest request(std::size_t scratch_limit, std::size_t matrix_limit) {
  return {.rows = 5,
          .entries = 13,
          .value_bytes = 8,
          .vectors = 8,
          .preconditioner_size = 10,
          .collective_bytes = 24,
          .scratch_limit = scratch_limit,
          .matrix_limit = matrix_limit};
}

TEST(ScratchPlan, EverythingFits) {
  const Placement placement = plan_scratch(request(unlimited, unlimited));
  EXPECT_EQ(placement.collective_bytes, 32U);
  EXPECT_EQ(placement.vector_stride, 6);
  EXPECT_EQ(placement.vectors_in_scratch, 8);
  EXPECT_EQ(placement.preconditioner, Memory::scratch);
  EXPECT_EQ(placement.preconditioner_stride, 10);
  EXPECT_EQ(placement.matrix, Memory::scratch);
  EXPECT_EQ(placement.scratch_bytes, 32U + 8 * 48 + 80 + 112);
  EXPECT_EQ(placement.workspace_bytes, 0U);
}

TEST(ScratchPlan, TheLastByteDecides) {
  const std::size_t all = 32 + 8 * 48 + 80 + 112;
  EXPECT_EQ(plan_scratch(request(all, all)).matrix, Memory::scratch);
  EXPECT_EQ(plan_scratch(request(all - 1, all - 1)).matrix, Memory::global);
  EXPECT_EQ(plan_scratch(request(all - 1, all - 1)).preconditioner, Memory::scratch);
  EXPECT_EQ(plan_scratch(request(unlimited, 0)).matrix, Memory::global);
  EXPECT_EQ(plan_scratch(request(32 + 8 * 48 + 79, unlimited)).preconditioner, Memory::global);
}

TEST(ScratchPlan, AMatrixReadOnceStaysWhereItIs) {
  ScratchRequest once = request(unlimited, unlimited);
  once.matrix_is_reread = false;
  const Placement placement = plan_scratch(once);
  EXPECT_EQ(placement.matrix, Memory::global);
  EXPECT_EQ(placement.scratch_bytes, 32U + 8 * 48 + 80);
}

TEST(ScratchPlan, VectorsSpillFromTheLastAndTakeTheRestWithThem) {
  const Placement placement = plan_scratch(request(32 + 3 * 48 + 47, unlimited));
  EXPECT_EQ(placement.vectors_in_scratch, 3);
  EXPECT_EQ(placement.preconditioner, Memory::global);
  EXPECT_EQ(placement.matrix, Memory::global) << "the matrix must not overtake vectors";
  EXPECT_EQ(placement.scratch_bytes, 32U + 3 * 48);
  EXPECT_EQ(placement.workspace_bytes, 5U * 48 + 80);
}

TEST(ScratchPlan, CollectivesAreInScratchEvenWithoutRoom) {
  const Placement placement = plan_scratch(request(0, 0));
  EXPECT_EQ(placement.vectors_in_scratch, 0);
  EXPECT_EQ(placement.scratch_bytes, 32U);
  EXPECT_EQ(placement.workspace_bytes, 8U * 48 + 80);
}

TEST(ScratchPlan, NoOverflowForSystemsOfTwoBillionRows) {
  ScratchRequest large = request(230 * 1024, 57 * 1024);
  large.rows = 2147483647;
  large.entries = 2147483647;
  large.preconditioner_size = 2 * large.rows;
  const Placement placement = plan_scratch(large);
  EXPECT_EQ(placement.vectors_in_scratch, 0);
  EXPECT_EQ(placement.workspace_bytes, 10U * 8 * 2147483648ULL - 16);
}

TEST(ScratchPlan, CollectivesOfWholeSubgroupsAndOfOddTeams) {
  // Two sets of five sums a sub-group where there are several.
  EXPECT_EQ(collective_bytes(exec::DeviceKind::nvidia, 256, 24), 2U * 5 * 8 * 24);
  EXPECT_EQ(collective_bytes(exec::DeviceKind::nvidia, 32, 24), 1U * 24);
  EXPECT_EQ(collective_bytes(exec::DeviceKind::nvidia, 65, 24), 65U * 24);
  EXPECT_EQ(collective_bytes(exec::DeviceKind::amd, 32, 24), 32U * 24);
  EXPECT_EQ(collective_bytes(exec::DeviceKind::amd, 128, 24), 2U * 5 * 2 * 24);
  EXPECT_EQ(collective_bytes(exec::DeviceKind::host, 32, 24), 32U * 24);
}

}  // namespace
}  // namespace phpc::batch
