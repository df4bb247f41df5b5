#pragma once
#include <type_traits>

#include "batch/math/value.hpp"
#include "phpc/exec/team.hpp"

namespace phpc::batch {

/// Makes this host thread take subnormal numbers for zero as long as the object lives, if T is of float: badly scaled systems are
/// full of subnormal floats, and each operation on one costs x86 processors a hundred cycles (LU of isooctane's 144 rows takes
/// eight times as long). GPUs compute with them at full speed.
template <class T>
class FlushSubnormals {
#if !PHPC_GPU_PASS && defined(__SSE2__)
 public:
  [[gnu::always_inline]] FlushSubnormals() {
    if constexpr (std::is_same_v<ScalarOf<T>, float>) {
      constexpr unsigned flush_results = 0x8000;
      constexpr unsigned flush_operands = 0x0040;
      __builtin_ia32_ldmxcsr(before_ | flush_results | flush_operands);
    }
  }
  [[gnu::always_inline]] ~FlushSubnormals() {
    if constexpr (std::is_same_v<ScalarOf<T>, float>) {
      __builtin_ia32_ldmxcsr(before_);
    }
  }
  FlushSubnormals(const FlushSubnormals&) = delete;
  FlushSubnormals& operator=(const FlushSubnormals&) = delete;

 private:
  unsigned before_ = __builtin_ia32_stmxcsr();
#endif
};

}  // namespace phpc::batch
