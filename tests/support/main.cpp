#include <gtest/gtest.h>
#include <omp.h>

#include "cli/process/openmp_registration.hpp"
#include "phpc/exec/device.hpp"

namespace {

// Before the constructors of libraries: tests kill processes, and one of them may have had this one's number.
[[gnu::section(".preinit_array"), gnu::used]] void (*const entry)() = phpc::cli::remove_empty_openmp_registration;

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  // OMP_NUM_THREADS is high for the teams of the x86_64 offload device; host launches take a few threads, more than one
  // even on one core, so that races can show.
  omp_set_num_threads(4);
  phpc::exec::exit_process(RUN_ALL_TESTS());
}
