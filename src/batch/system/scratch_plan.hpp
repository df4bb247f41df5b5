#pragma once
#include <cstddef>

#include "phpc/core/types.hpp"
#include "phpc/exec/device.hpp"

namespace phpc::batch {

/// Where a kernel finds something that belongs to one system.
enum class Memory : int { scratch, global };

/// What one system's team needs to hold beside the caller's arrays.
struct ScratchRequest {
  index_t rows = 0;
  index_t entries = 0;
  bool matrix_is_reread = true;  ///< over and over; a direct method's is read once and for residuals
  std::size_t value_bytes = 8;
  int vectors = 0;                  ///< of the method, `rows` values each, numbered by priority
  index_t preconditioner_size = 0;  ///< values
  std::size_t collective_bytes = 0;
  std::size_t scratch_limit = 0;  ///< most bytes that a team may have
  std::size_t matrix_limit = 0;   ///< most bytes that a team may have where the matrix's values are among them
};

/// Who lives where. In scratch, from its start: collectives, vectors 0 ... vectors_in_scratch - 1, preconditioner, matrix values.
/// In the workspace of a system: the other vectors, then the preconditioner if it is global. The matrix is then read in place.
struct Placement {
  std::size_t collective_bytes = 0;
  index_t vector_stride = 0;          ///< values from one vector to the next: rows, rounded up to 16 bytes
  index_t preconditioner_stride = 0;  ///< values from the preconditioner to what follows it
  int vectors_in_scratch = 0;
  Memory preconditioner = Memory::global;
  Memory matrix = Memory::global;
  std::size_t scratch_bytes = 0;
  std::size_t workspace_bytes = 0;
};

/// Places by priority of use: collectives always in scratch, then vectors in their order, the preconditioner when all vectors
/// are in, the matrix when the preconditioner is in too (the order of the seed paper's section 3.5).
Placement plan_scratch(const ScratchRequest& request);

/// Scratch that the device offers this request's kernel: the limit for vectors and preconditioner, and the one with the matrix.
struct ScratchLimits {
  std::size_t vectors;
  std::size_t matrix;
};
ScratchLimits scratch_limits(exec::Device device);

/// Sums that a team makes at a time, at most.
inline constexpr int most_sums = 5;

/// Bytes of scratch that the collectives of a kernel take: `bytes_per_slot` for each partial value that a team leaves.
std::size_t collective_bytes(exec::DeviceKind kind, int team_size, std::size_t bytes_per_slot);

}  // namespace phpc::batch
