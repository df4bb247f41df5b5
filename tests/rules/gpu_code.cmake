# cmake -D COMPILER=...[,...] -D SOURCE=... -D INCLUDE=dir,dir -D OUTPUT=... -P gpu_code.cmake: compiles one source for an NVIDIA device (no
# CUDA toolkit needed: nothing is assembled or linked) and reads the assembly. Kernels in bare regions (exec/target_region.hpp) must not call
# the OpenMP device run-time library, which nobody starts there. A kernel that has no bare region must run in SPMD mode, from the
# front end or because the optimiser made it so: in generic mode one thread of a team runs the region and wakes the others for
# `parallel`, which is right, and several times slower.
cmake_minimum_required(VERSION 3.25)
string(REPLACE "," ";" COMPILER "${COMPILER}")  # behind ccache where there is one
string(REPLACE "," ";-I" includes "-I${INCLUDE}")
execute_process(
  COMMAND ${COMPILER} -std=c++20 -O3 -DNDEBUG -DPHPC_WITH_OFFLOAD=1 -DPHPC_OFFLOAD_TARGETS="" ${includes} -fopenmp -fopenmp-cuda-mode
    --offload-arch=sm_90 --offload-device-only -nogpulib -nogpuinc -S -o ${OUTPUT} -Rpass=openmp-opt -Rpass-missed=openmp-opt
    -Rpass-analysis=openmp-opt ${SOURCE}
  RESULT_VARIABLE status ERROR_VARIABLE remarks)
if(status)
  message(FATAL_ERROR "${SOURCE} does not compile for a device:\n${remarks}")
endif()

# Functions begin with .entry or .func; what is called stands on a line of its own.
file(STRINGS ${OUTPUT} lines REGEX "^[^,]*\\.(entry|func)|^[ \t]*__kmpc_[a-z_0-9]*,")
set(bare "")
set(standard "")
set(kernel "")
foreach(line IN LISTS lines)
  if(line MATCHES "\\.entry ([A-Za-z0-9_]+)")
    set(kernel ${CMAKE_MATCH_1})
    if(kernel MATCHES "bare_regionI(.*)EvRK")
      list(APPEND bare ${CMAKE_MATCH_1})
    else()
      list(APPEND standard ${kernel})
    endif()
  elseif(line MATCHES "\\.func")
    set(kernel "")
  elseif(kernel MATCHES "bare_region")
    message(FATAL_ERROR "${SOURCE}: ${kernel} is bare and calls ${line}")
  endif()
endforeach()
list(LENGTH bare bare_count)
message(STATUS "${bare_count} bare kernels")

# A standard kernel has an environment, <kernel>_kernel_environment; the third byte of its first word is the mode: 1 generic, 2 SPMD,
# 3 generic made SPMD.
file(STRINGS ${OUTPUT} environments REGEX "_kernel_environment\\[[0-9]+\\] = ")
foreach(kernel IN LISTS standard)
  if(kernel MATCHES "_regionI(.*)EvRK" AND CMAKE_MATCH_1 IN_LIST bare)
    continue()  # empty here: it serves the x86_64 device
  endif()
  set(mode "unknown")
  foreach(environment IN LISTS environments)
    if(environment MATCHES "${kernel}_kernel_environment\\[[0-9]+\\] = {([0-9]+),")
      math(EXPR mode "(${CMAKE_MATCH_1} >> 16) & 255")
    endif()
  endforeach()
  message(STATUS "${kernel} is in mode ${mode}")
  if(NOT mode EQUAL 2 AND NOT mode EQUAL 3)
    string(REGEX MATCHALL "[^\n]*OMP1[123][0-9][^\n]*" reasons "${remarks}")
    list(REMOVE_DUPLICATES reasons)
    list(JOIN reasons "\n" reasons)
    message(FATAL_ERROR "${SOURCE}: ${kernel} is in mode ${mode}, not SPMD:\n${reasons}")
  endif()
endforeach()
