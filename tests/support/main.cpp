#include <gtest/gtest.h>
#include <omp.h>

#include "phpc/exec/device.hpp"

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  // OMP_NUM_THREADS is high for the teams of the x86_64 offload device; host launches take a few threads, more than one
  // even on one core, so that races can show.
  omp_set_num_threads(4);
  phpc::exec::leave(RUN_ALL_TESTS());
}
