# cmake -D COMPILER=... -D SOURCE=... -D INCLUDE=dir,dir -D OUTPUT=... -P spmd_mode.cmake: compiles one source for an NVIDIA device
# (no CUDA toolkit needed: nothing is assembled or linked) and fails unless every kernel in it runs in SPMD mode, either from the
# front end or because the optimiser made it so (remark OMP120). In generic mode one thread of a team runs the region and wakes the
# others for `parallel`: right, and several times slower.
string(REPLACE "," ";-I" includes "-I${INCLUDE}")
execute_process(
  COMMAND ${COMPILER} -std=c++20 -O3 -DNDEBUG -DPHPC_WITH_OFFLOAD=1 -DPHPC_OFFLOAD_TARGETS="" ${includes} -fopenmp -fopenmp-cuda-mode
    --offload-arch=sm_90 --offload-device-only -nogpulib -nogpuinc -S -o ${OUTPUT} -Rpass=openmp-opt -Rpass-missed=openmp-opt
    -Rpass-analysis=openmp-opt ${SOURCE}
  RESULT_VARIABLE status ERROR_VARIABLE remarks)
if(status)
  message(FATAL_ERROR "${SOURCE} does not compile for a device:\n${remarks}")
endif()
# Each kernel has an environment, <kernel>_kernel_environment; the third byte of its first word is the mode: 1 generic, 2 SPMD,
# 3 generic made SPMD.
file(STRINGS ${OUTPUT} environments REGEX "_kernel_environment\\[[0-9]+\\] = ")
file(STRINGS ${OUTPUT} kernels REGEX "\\.entry __omp_offloading")
list(LENGTH environments described)
list(LENGTH kernels count)
message(STATUS "${count} kernels")
if(NOT count EQUAL described)
  message(FATAL_ERROR "${SOURCE}: ${count} kernels, ${described} kernel environments: this compiler writes them in another form")
endif()
foreach(environment IN LISTS environments)
  string(REGEX MATCH "(__omp[A-Za-z0-9_]*)_kernel_environment\\[[0-9]+\\] = {([0-9]+)," parsed "${environment}")
  set(kernel ${CMAKE_MATCH_1})
  math(EXPR mode "(${CMAKE_MATCH_2} >> 16) & 255")
  if(NOT mode EQUAL 2 AND NOT mode EQUAL 3)
    string(REGEX MATCHALL "[^\n]*OMP1[123][0-9][^\n]*" reasons "${remarks}")
    list(REMOVE_DUPLICATES reasons)
    list(JOIN reasons "\n" reasons)
    message(FATAL_ERROR "${SOURCE}: ${kernel} is in mode ${mode}, not SPMD:\n${reasons}")
  endif()
endforeach()
