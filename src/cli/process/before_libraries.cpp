#include "cli/process/openmp_registration.hpp"
#include "cli/process/signals.hpp"
#include "cli/process/standard_descriptors.hpp"
#include "cli/process/translator.hpp"

namespace {

void before_libraries(int argc, char** argv, char** environment) {
  phpc::cli::fill_standard_descriptors();
  phpc::cli::remove_empty_openmp_registration();
  phpc::cli::become_translator(argc, argv, environment);
  phpc::cli::install_signal_handlers(argc, argv);
}

// Called before the constructors of all libraries. Those of the OpenMP run-time library open the devices, which takes up to a
// second and leaves files open: a SIGUSR1 within that second would end a shard, and a device's file would be descriptor 2 where
// that was closed. Of glibc's dynamic loader and its static start-up code; main() does the same for others.
[[gnu::section(".preinit_array"), gnu::used]] void (*const entry)(int, char**, char**) = before_libraries;

}  // namespace
