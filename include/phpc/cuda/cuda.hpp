#pragma once
/// CUDA C++ over this program's launcher: what a source that `portable-hpc port` has translated includes. The names are CUDA's
/// and stand in the global namespace; ours begin with phpc or PHPC. The same headers are read by the translator
/// (PHPC_CUDA_PARSING), so that what it knows is what there is.
// clang-format off: before all others
#include "phpc/cuda/detail/header_begin.inc"
// clang-format on
#include "phpc/cuda/atomics.hpp"
#include "phpc/cuda/detail/internal_variable.hpp"
#include "phpc/cuda/detail/managed_variable.hpp"
#include "phpc/cuda/indices.hpp"
#include "phpc/cuda/intrinsics.hpp"
#include "phpc/cuda/kernel.hpp"
#include "phpc/cuda/math.hpp"
#include "phpc/cuda/runtime_api.hpp"
#include "phpc/cuda/synchronization.hpp"
#include "phpc/cuda/vector_types.hpp"
#include "phpc/cuda/warp.hpp"
#include "phpc/cuda/words.hpp"

// clang-format off: behind all others
#include "phpc/cuda/detail/header_end.inc"
// clang-format on
