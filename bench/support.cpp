#include "support.hpp"

#include <benchmark/benchmark.h>

#include <cstdio>
#include <cstdlib>
#include <exception>

namespace phpc::bench {

exec::Device device() {
  static const exec::Device chosen = [] {
    const char* const wanted = std::getenv("PHPC_BENCH_DEVICE");
    return exec::select_device(wanted == nullptr ? "auto" : wanted);
  }();
  return chosen;
}

}  // namespace phpc::bench

int main(int argc, char** argv) {
  try {
    const phpc::exec::Device device = phpc::bench::device();
    benchmark::AddCustomContext("device", device.label() + " (" + device.properties().name + ")");
    benchmark::AddCustomContext("offload", phpc::exec::offload_targets());
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) {
      return 2;
    }
    benchmark::RunSpecifiedBenchmarks();
    phpc::exec::exit_process(0);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench: %s\n", error.what());
    return 1;
  }
}
