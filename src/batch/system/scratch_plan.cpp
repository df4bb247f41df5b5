#include "batch/system/scratch_plan.hpp"

#include <limits>

namespace phpc::batch {

namespace {

constexpr std::size_t alignment = 16;

constexpr std::size_t aligned(std::size_t bytes) {
  return (bytes + alignment - 1) / alignment * alignment;
}

}  // namespace

Placement plan_scratch(const ScratchRequest& request) {
  Placement placement;
  placement.collective_bytes = aligned(request.collective_bytes);
  const std::size_t vector_bytes = aligned(static_cast<std::size_t>(request.rows) * request.value_bytes);
  placement.vector_stride = static_cast<index_t>(vector_bytes / request.value_bytes);
  placement.scratch_bytes = placement.collective_bytes;
  const auto fits = [&](std::size_t bytes, std::size_t limit) {
    return placement.scratch_bytes <= limit && bytes <= limit - placement.scratch_bytes;
  };

  while (placement.vectors_in_scratch < request.vectors && fits(vector_bytes, request.scratch_limit)) {
    placement.scratch_bytes += vector_bytes;
    ++placement.vectors_in_scratch;
  }
  const int spilled = request.vectors - placement.vectors_in_scratch;
  placement.workspace_bytes = static_cast<std::size_t>(spilled) * vector_bytes;

  const std::size_t preconditioner_bytes = aligned(static_cast<std::size_t>(request.preconditioner_size) * request.value_bytes);
  placement.preconditioner_stride = static_cast<index_t>(preconditioner_bytes / request.value_bytes);
  if (spilled == 0 && fits(preconditioner_bytes, request.scratch_limit)) {
    placement.preconditioner = Memory::scratch;
    placement.scratch_bytes += preconditioner_bytes;
  } else {
    placement.workspace_bytes += preconditioner_bytes;
  }

  const std::size_t matrix_bytes = aligned(static_cast<std::size_t>(request.entries) * request.value_bytes);
  if (request.matrix_is_reread && placement.preconditioner == Memory::scratch && fits(matrix_bytes, request.matrix_limit)) {
    placement.matrix = Memory::scratch;
    placement.scratch_bytes += matrix_bytes;
  }
  return placement;
}

ScratchLimits scratch_limits(exec::Device device) {
  if (!device.is_gpu()) {
    // Scratch is ordinary memory there: everything fits, and copying the matrix into it gains nothing.
    return {std::numeric_limits<std::size_t>::max(), 0};
  }
  // Scratch limits how many teams share a multiprocessor. Vectors may take all of it; the matrix, which is otherwise read through
  // the caches, only while three teams fit (isooctane, 144 rows, 6135 entries, on an H200: 255 ms in scratch, 315 ms otherwise).
  const std::size_t all = device.properties().scratch_bytes;
  return {all, all / 3};
}

std::size_t collective_bytes(exec::DeviceKind kind, int team_size, std::size_t bytes_per_slot) {
  // As exec::CollectiveScratch has it: whole sub-groups leave one partial value, any other team one a thread. Several sub-groups
  // leave two sets of up to most_sums each (MemoryContext).
  const int subgroup = kind == exec::DeviceKind::nvidia ? 32 : kind == exec::DeviceKind::amd ? 64 : 1;
  const bool whole = subgroup > 1 && team_size % subgroup == 0;
  const int groups = whole ? team_size / subgroup : team_size;
  const int slots = whole && groups > 1 ? 2 * most_sums * groups : groups;
  return static_cast<std::size_t>(slots) * bytes_per_slot;
}

}  // namespace phpc::batch
