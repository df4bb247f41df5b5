#pragma once
#include <cstddef>

#include "phpc/core/types.hpp"
#include "phpc/exec/device.hpp"

namespace phpc::batch {

/// The memory in which something of one system lies.
enum class Memory : int { scratch, global };

/// What the team of one system holds beside the caller's arrays.
struct ScratchRequest {
  index_t rows = 0;
  index_t entries = 0;
  bool matrix_is_reread = true;  ///< in each iteration; a direct method reads its matrix to factorise and for residuals
  std::size_t value_bytes = 8;
  int vectors = 0;                  ///< of the method, `rows` values each, numbered by priority
  index_t preconditioner_size = 0;  ///< values
  std::size_t collective_bytes = 0;
  std::size_t scratch_limit = 0;  ///< most bytes that a team may have
  std::size_t matrix_limit = 0;   ///< most bytes that a team may have where the matrix's values are among them
};

/// Where the data of a system lie. Scratch holds, from its start, what collectives need, vectors 0 ... vectors_in_scratch - 1,
/// the preconditioner and the matrix's values; the workspace of a system holds the other vectors, then the preconditioner where
/// that is global. A global matrix is read where the caller has it.
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

/// Gives scratch to what is used most: to collectives in any case, then to vectors in their order, to the preconditioner if all
/// vectors are in scratch, to the matrix if the preconditioner is, too (the order of Nguyen et al. 2023, section 3.5).
Placement plan_scratch(const ScratchRequest& request);

/// Most bytes of scratch that a team takes on a device: for vectors and preconditioner, and if the matrix is among them.
struct ScratchLimits {
  std::size_t vectors;
  std::size_t matrix;
};
ScratchLimits scratch_limits(exec::Device device);

/// Most sums that a team makes at a time.
inline constexpr int most_sums = 5;

/// Bytes of scratch that the collectives of a kernel need: `bytes_per_slot` for each partial value that a team leaves there.
std::size_t collective_bytes(exec::DeviceKind kind, int team_size, std::size_t bytes_per_slot);

}  // namespace phpc::batch
