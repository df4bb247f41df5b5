# cmake -D SOURCE=... -D ASSEMBLY=... -D REMARKS=... -D FOR_GPUS_ALONE=ON|OFF -P gpu_code.cmake: reads the assembly of one source for
# an NVIDIA device, and what the compiler remarked (nothing was assembled or linked, so no CUDA toolkit is needed). Kernels in bare
# regions (exec/target_region.hpp) must not call the OpenMP device run-time library, which nobody starts there. A kernel that has no
# bare region must run in SPMD mode, from the front end or because the optimiser made it so: in generic mode one thread of a team runs
# the region and wakes the others for `parallel`, which is right, and several times slower.
cmake_minimum_required(VERSION 3.25)
file(READ ${REMARKS} remarks)

# Functions begin with .entry or .func; what is called stands on a line of its own.
file(STRINGS ${ASSEMBLY} lines REGEX "^[^,]*\\.(entry|func)|^[ \t]*__kmpc_[a-z_0-9]*,")
set(bare "")
set(standard "")
set(kernel "")
foreach(line IN LISTS lines)
  if(line MATCHES "\\.entry ([A-Za-z0-9_]+)")
    set(kernel ${CMAKE_MATCH_1})
    if(kernel MATCHES "bare_(sized_)?regionI(.*)EvRK")
      list(APPEND bare ${CMAKE_MATCH_2})
    else()
      list(APPEND standard ${kernel})
    endif()
  elseif(line MATCHES "\\.func")
    set(kernel "")
  elseif(kernel MATCHES "bare_(sized_)?region")
    message(FATAL_ERROR "${SOURCE}: ${kernel} is bare and calls ${line}")
  endif()
endforeach()
list(LENGTH bare bare_count)
message(STATUS "${bare_count} bare kernels")
if(FOR_GPUS_ALONE AND bare_count EQUAL 0)
  message(FATAL_ERROR "${SOURCE} stands under GPU_KERNELS and has no bare kernel")
endif()

# A standard kernel has an environment, <kernel>_kernel_environment; the third byte of its first word is the mode: 1 generic, 2 SPMD,
# 3 generic made SPMD.
file(STRINGS ${ASSEMBLY} environments REGEX "_kernel_environment\\[[0-9]+\\] = ")
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
