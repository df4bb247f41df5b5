# cmake -D COMPILER=... -D SOURCE=... -D INCLUDE=dir,dir -D OUTPUT=... -P spmd_mode.cmake: compiles one source for an NVIDIA device
# (no CUDA toolkit needed: nothing is assembled or linked) and fails unless the compiler turned every kernel in it into SPMD mode.
# In generic mode one thread of a team runs the region and wakes the others for `parallel`: right, and several times slower.
string(REPLACE "," ";-I" includes "-I${INCLUDE}")
execute_process(
  COMMAND ${COMPILER} -std=c++20 -O3 -DNDEBUG -DPHPC_WITH_OFFLOAD=1 -DPHPC_OFFLOAD_TARGETS="" ${includes} -fopenmp
    --offload-arch=sm_90 --offload-device-only -nogpulib -nogpuinc -S -o ${OUTPUT} -Rpass=openmp-opt -Rpass-missed=openmp-opt
    -Rpass-analysis=openmp-opt ${SOURCE}
  RESULT_VARIABLE status ERROR_VARIABLE remarks)
if(status)
  message(FATAL_ERROR "${SOURCE} does not compile for a device:\n${remarks}")
endif()
file(READ ${OUTPUT} assembly)
string(REGEX MATCHALL "\\.entry __omp_offloading" kernels "${assembly}")
string(REGEX MATCHALL "Transformed generic-mode kernel to SPMD-mode" transformed "${remarks}")
list(LENGTH kernels kernels)
list(LENGTH transformed transformed)
message(STATUS "${kernels} kernels, ${transformed} in SPMD mode")
if(NOT kernels EQUAL transformed OR remarks MATCHES "OMP121")
  message(FATAL_ERROR "${SOURCE}: a kernel stays in generic mode:\n${remarks}")
endif()
