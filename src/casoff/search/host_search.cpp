#include "casoff/search/host_search.hpp"

namespace phpc::casoff {

std::unique_ptr<DeviceSearch> make_host_search(const QueryProgram& program) {
#if defined(__x86_64__) && !defined(__AVX512F__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vbmi2")) {
    return make_avx512_search(program);
  }
#endif
  return std::make_unique<HostSearch>(program);
}

}  // namespace phpc::casoff
