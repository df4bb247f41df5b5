# Which targets kernels are compiled for and by which flags: of this project's build and, installed, of programs that link phpc::cuda.
#   phpc_targets       the targets chosen, of x86_64, nvptx, amdgcn; empty: host threads alone
#   phpc_march         the instruction set of host code; empty where there is none to choose
#   phpc_runtime_dirs  folders of the OpenMP run-time libraries, which lie off the loader's path in Debian
# phpc_installed_nvidia and phpc_installed_amd: architectures that libraries of an installation have images for.

set(PHPC_OFFLOAD "auto" CACHE STRING "auto | none | list of x86_64;nvptx;amdgcn")
set(PHPC_ARCH "" CACHE STRING "NVIDIA architectures, sm_80,sm_90 for instance; empty: those of the GPUs here")
set(PHPC_AMD_ARCH "" CACHE STRING "AMD architectures, gfx90a for instance; empty: those of the GPUs here")
set(PHPC_HOST_ARCH "native" CACHE STRING "-march of host code and of the x86_64 offload image")
include(${CMAKE_CURRENT_LIST_DIR}/gpus.cmake)
phpc_find_gpus(phpc_nvidia_here phpc_amd_here)
phpc_remember(phpc_nvidia_here "${phpc_nvidia_here}" PHPC_NVIDIA_FOUND)
phpc_remember(phpc_amd_here "${phpc_amd_here}" PHPC_AMD_FOUND)
foreach(maker nvidia amd)
  if(phpc_installed_${maker})
    phpc_common_architectures(phpc_${maker}_here "${phpc_${maker}_here}" "${phpc_installed_${maker}}")
  endif()
endforeach()
set(PHPC_CUDA_PATH "" CACHE PATH "CUDA toolkit (ptxas, nvlink, libdevice); found by itself as a rule")

set(phpc_march "")
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  set(phpc_march ${PHPC_HOST_ARCH})
  if(PHPC_HOST_ARCH STREQUAL "native" AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    # clang 19 takes some processors for half an AVX10 and warns in every file; the nearest named one is the same without it.
    execute_process(COMMAND sh -c "echo | ${CMAKE_CXX_COMPILER} -march=native -x c++ -fsyntax-only - 2>&1"
      OUTPUT_VARIABLE phpc_native_warnings)
    if(phpc_native_warnings MATCHES "[Aa][Vv][Xx]10")
      set(phpc_march sapphirerapids)
    endif()
  endif()
endif()

set(phpc_runtime_dirs "")
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=libomp.so OUTPUT_VARIABLE phpc_libomp
    OUTPUT_STRIP_TRAILING_WHITESPACE)
  get_filename_component(phpc_libomp_dir "${phpc_libomp}" REALPATH)
  get_filename_component(phpc_libomp_dir "${phpc_libomp_dir}" DIRECTORY)
  set(phpc_runtime_dirs ${phpc_libomp_dir})
endif()

set(phpc_targets "")
if(NOT PHPC_OFFLOAD STREQUAL "none" AND NOT PHPC_SANITIZE AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  if(PHPC_CUDA_PATH)
    set(phpc_cuda ${PHPC_CUDA_PATH})
  else()
    find_program(PHPC_PTXAS ptxas HINTS ENV CUDA_HOME ENV CUDA_PATH PATH_SUFFIXES bin PATHS /usr/local/cuda)
    if(PHPC_PTXAS)
      get_filename_component(phpc_cuda ${PHPC_PTXAS} REALPATH)
      get_filename_component(phpc_cuda ${phpc_cuda} DIRECTORY)
      get_filename_component(phpc_cuda ${phpc_cuda} DIRECTORY)
    endif()
  endif()
  set(phpc_rocm /usr/lib/x86_64-linux-gnu/amdgcn/bitcode)
  phpc_choose_architectures(phpc_nvidia PHPC_ARCH "${PHPC_ARCH}" "${phpc_nvidia_here}")
  phpc_choose_architectures(phpc_amd PHPC_AMD_ARCH "${PHPC_AMD_ARCH}" "${phpc_amd_here}")
  if(PHPC_OFFLOAD STREQUAL "auto")
    # Images of GPUs took four fifths of the time to compile: only for those that are here or named.
    set(phpc_targets x86_64)
    if(PHPC_ARCH OR (phpc_nvidia AND phpc_cuda))
      list(APPEND phpc_targets nvptx)
    elseif(phpc_nvidia)
      message(STATUS "No CUDA toolkit, so no image for the GPUs here (${phpc_nvidia}); PHPC_CUDA_PATH says where one is")
    endif()
    if(PHPC_AMD_ARCH OR (phpc_amd AND EXISTS ${phpc_rocm}/ocml.bc))
      list(APPEND phpc_targets amdgcn)
    elseif(phpc_amd)
      message(STATUS "No rocm-device-libs, so no image for the GPUs here (${phpc_amd})")
    endif()
    if(NOT phpc_nvidia AND NOT phpc_amd AND NOT DEFINED phpc_installed_targets)
      message(STATUS "No GPU here, so no image for one; name those of other machines: make gpu ARCH=sm_90 (PHPC_ARCH, PHPC_AMD_ARCH)")
    endif()
  else()
    set(phpc_targets ${PHPC_OFFLOAD})
  endif()
endif()

if(phpc_targets)
  # LLVM 22's libomptarget reads cubins of CUDA 13 (ELF ABI 8) and grants more than 48 KiB of shared memory; LLVM 19's does neither.
  find_library(PHPC_LIBOMPTARGET libomptarget.so PATHS /usr/lib/llvm-22/lib NO_DEFAULT_PATH)
  if(PHPC_LIBOMPTARGET)
    get_filename_component(phpc_libomptarget_dir ${PHPC_LIBOMPTARGET} DIRECTORY)
    list(PREPEND phpc_runtime_dirs ${phpc_libomptarget_dir})
  else()
    message(STATUS "liboffload-22 not found: linking LLVM 19's libomptarget (no devices with CUDA 13, 48 KiB of scratch)")
  endif()
endif()

# Sets phpc_flags, which compile and link target regions for the targets given, and phpc_target_names, what these are called.
function(phpc_target_flags)
  set(triples "")
  set(flags "")
  set(names "")
  foreach(target IN LISTS ARGN)
    if(target STREQUAL "x86_64")
      list(APPEND triples x86_64-pc-linux-gnu)
      list(APPEND names x86_64)
      # Tells the device's code from the host's, which is for the same processor.
      list(APPEND flags "SHELL:-Xopenmp-target=x86_64-pc-linux-gnu -DPHPC_X86_64_IMAGE=1")
    elseif(target STREQUAL "nvptx")
      if(NOT phpc_cuda)
        message(FATAL_ERROR "An image for NVIDIA GPUs needs ptxas, nvlink and libdevice of a CUDA toolkit: set PHPC_CUDA_PATH, or PHPC_ARCH= for no such image")
      endif()
      if(NOT phpc_nvidia)
        message(FATAL_ERROR "PHPC_OFFLOAD=nvptx: there is no NVIDIA GPU here; name an architecture, as in PHPC_ARCH=sm_90")
      endif()
      list(APPEND triples nvptx64-nvidia-cuda)
      list(APPEND names "nvptx64 (${phpc_nvidia})")
      list(APPEND flags "SHELL:-Xopenmp-target=nvptx64-nvidia-cuda --offload-arch=${phpc_nvidia}"
        --cuda-path=${phpc_cuda} --libomptarget-nvptx-bc-path=${phpc_libomp_dir} -Wno-unknown-cuda-version)
    elseif(target STREQUAL "amdgcn")
      if(NOT EXISTS ${phpc_rocm}/ocml.bc)
        message(FATAL_ERROR "An image for AMD GPUs needs the ROCm device libraries (Debian: rocm-device-libs)")
      endif()
      if(NOT phpc_amd)
        message(FATAL_ERROR "PHPC_OFFLOAD=amdgcn: there is no AMD GPU here; name an architecture, as in PHPC_AMD_ARCH=gfx90a")
      endif()
      list(APPEND triples amdgcn-amd-amdhsa)
      list(APPEND names "amdgcn (${phpc_amd})")
      list(APPEND flags "SHELL:-Xopenmp-target=amdgcn-amd-amdhsa --offload-arch=${phpc_amd}"
        --rocm-device-lib-path=${phpc_rocm})
    else()
      message(FATAL_ERROR "PHPC_OFFLOAD: '${target}' is none of x86_64, nvptx, amdgcn")
    endif()
  endforeach()
  list(JOIN triples "," triples)
  # Locals whose address escapes (arrays handed to a helper, lambda captures) are by default moved to shared memory or a device
  # malloc, in case another thread follows the pointer; the optimiser undoes only some of it. A reduction by shuffles took 31 ms
  # instead of 0.1 us. Threads share scratch only, so cuda-mode is right.
  list(APPEND flags -fopenmp-cuda-mode)
  set(phpc_flags -fopenmp-targets=${triples} ${flags} PARENT_SCOPE)
  set(phpc_target_names ${names} PARENT_SCOPE)
endfunction()

# Compiles kernels without clang 19's OpenMP optimiser, for all of the library's targets: it broke solvers without a word (x86_64:
# the rest of IDR made unreachable; sm_90: LU wrong, BiCGSTAB in teams of 256 that never converged, which of them depending on what
# else the source held). Kernels that run bare lose nothing by it, the same registers and times; others would on a GPU.
function(phpc_without_openmp_opt name scope)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    target_compile_options(${name} ${scope} "$<$<COMPILE_LANGUAGE:CXX>:SHELL:-mllvm -openmp-opt-disable>")
  endif()
endfunction()

# Keeps computations for NVIDIA GPUs where they are written. Moved down to where their results are used, as clang does by itself, 14
# polynomials of sines and cosines keep their coefficients in registers at the same time (H100: fft of HeCBench 254 registers and 600 us,
# 78 and 394 so, nvcc 72 and 378; contract 330 ms and 286; nbody 2.17 ms and 2.41, nvcc 2.82).
function(phpc_without_sinking name scope)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND "nvptx" IN_LIST phpc_targets)
    foreach(option -instcombine-code-sinking=false -disable-machine-sink)
      target_compile_options(${name} ${scope} "$<$<COMPILE_LANGUAGE:CXX>:SHELL:-Xopenmp-target=nvptx64-nvidia-cuda -mllvm=${option}>")
    endforeach()
  endif()
endfunction()

# Sets phpc_pass to a pass for clang 19 of the translator's room, where it is built or installed, else to nothing: passes are made
# with clang's own API. What is compiled with it is built after it, and again when it changes: it includes the pass's identity.
function(phpc_find_pass pass name scope)
  set(found "")
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND CMAKE_CXX_COMPILER_VERSION MATCHES "^19\\.")
    if(TARGET ${pass})
      get_target_property(folder ${pass} LIBRARY_OUTPUT_DIRECTORY)
      set(found ${folder}/${pass}.so)
      add_dependencies(${name} ${pass})
    elseif(EXISTS "${phpc_installed_passes}/${pass}.inc")
      set(found ${phpc_installed_passes}/${pass}.so)
    endif()
  endif()
  if(found)
    string(REGEX REPLACE "so$" "inc" identity ${found})
    target_compile_options(${name} ${scope} "$<$<COMPILE_LANGUAGE:CXX>:SHELL:-include ${identity}>")
  endif()
  set(phpc_pass "${found}" PARENT_SCOPE)
endfunction()

# Compiles each source of a program or shared library as a whole program for NVIDIA GPUs, as nvcc does by default: code that nvlink may link
# to other code calls the slow ways of divisions and roots as functions are called by the ABI, and keeps no predicates over them. H100,
# HeCBench, nvcc's time / ours, of code to be linked and so: wedford 0.73 and 1.01, merge 0.72 and 0.93, resize 0.90 and 1.01, adam 0.92
# and 1.04, flip 0.79 and 0.88; of 22 programs of one source, geometric mean 0.90 and 0.95. Sources whose kernels use device functions or
# variables of other sources need the target's property CUDA_SEPARABLE_COMPILATION, as with nvcc, or PHPC_WHOLE_PROGRAM=OFF for all.
# Libraries that are linked statically are left as they are.
function(phpc_as_whole_program name scope)
  execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-prog-name=clang-linker-wrapper OUTPUT_VARIABLE phpc_linker_wrapper
    OUTPUT_STRIP_TRAILING_WHITESPACE)
  execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-prog-name=clang-nvlink-wrapper OUTPUT_VARIABLE phpc_nvlink_wrapper
    OUTPUT_STRIP_TRAILING_WHITESPACE)
  execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-prog-name=llvm-objcopy OUTPUT_VARIABLE phpc_objcopy
    OUTPUT_STRIP_TRAILING_WHITESPACE)
  if((DEFINED PHPC_WHOLE_PROGRAM AND NOT PHPC_WHOLE_PROGRAM) OR NOT IS_ABSOLUTE "${phpc_objcopy}" OR
      NOT "${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}" MATCHES "^Clang 19\\.")
    return()
  endif()
  set(folder ${CMAKE_BINARY_DIR}/device_linker)
  foreach(tool clang-linker-wrapper clang-nvlink-wrapper)
    configure_file(${CMAKE_CURRENT_FUNCTION_LIST_DIR}/${tool}.in ${folder}/${tool} @ONLY
      FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
  endforeach()
  set(type $<TARGET_PROPERTY:TYPE>)
  set(is_part "$<OR:$<STREQUAL:${type},STATIC_LIBRARY>,$<STREQUAL:${type},OBJECT_LIBRARY>>")
  set(is_whole "$<NOT:$<OR:${is_part},$<BOOL:$<TARGET_PROPERTY:CUDA_SEPARABLE_COMPILATION>>>>")
  target_compile_options(${name} ${scope}
    "$<$<AND:$<COMPILE_LANGUAGE:CXX>,${is_whole}>:-fnoopenmp-relocatable-target;SHELL:-include phpc/cuda/detail/whole_program.inc>")
  target_compile_definitions(${name} ${scope} "$<$<AND:$<COMPILE_LANGUAGE:CXX>,${is_whole}>:PHPC_WHOLE_PROGRAM=1>")
  target_link_options(${name} ${scope} "$<${is_whole}:-B${folder};SHELL:-Xoffload-linker-nvptx64-nvidia-cuda -B${folder}>")
endfunction()

# Compiles kernels of translated CUDA programs for GPUs as CUDA's own compiler would: products and sums are contracted across
# statements (nvcc's -fmad=true; atan2 of HeCBench on an H200: 68 us, 76 without), and on NVIDIA GPUs loops are unrolled further
# (a sum of 4096 rows: 143 us for 251, nvcc 137; which loops besides or not, by the pass src/port/passes/nvidia/unrolling.cpp) and larger
# functions inlined (a cooling function with a call of it left in: 853 us for nvcc's 405). A device variable that a header declares,
# functions of the header use and a source defines is declared to OpenMP at its definition: clang's warning that this comes late
# (openmp-target) is off.
# Arguments may have no value, as in `int base; if (lane == 0) base = atomicAdd(...); base = __shfl_sync(mask, base, 0)`: where clang 19
# takes all arguments to have one (noundef, as C++ says), it takes every lane for the first there, and all add.
# For host threads, clang runs independent threads of a block in the lanes of vectors (PHPC_IN_LANES in
# phpc/cuda/kernel.hpp): mathematical functions set no errno, as CUDA's do not, so that square roots are instructions, and in vectors are
# those of glibc's libmvec (errors of up to 4 ulp, as CUDA's are); loops are tested for up to 4096 sums of 32 bits that may wrap, one
# for each row that a kernel reads or writes (clang's 128 are too few for two kernels of HeCBench's s3d, 20 times as fast in lanes).
function(phpc_compile_as_nvcc name scope)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    target_compile_options(${name} ${scope}
      "$<$<COMPILE_LANGUAGE:CXX>:-fno-math-errno;-Wno-pass-failed;-Wno-openmp-target>"
      "$<$<COMPILE_LANGUAGE:CXX>:SHELL:-Xclang -no-enable-noundef-analysis>"
      "$<$<COMPILE_LANGUAGE:CXX>:SHELL:-mllvm -enable-interleaved-mem-accesses=false>"
      "$<$<COMPILE_LANGUAGE:CXX>:SHELL:-mllvm -pragma-vectorize-scev-check-threshold=4096>")
    target_compile_definitions(${name} ${scope} "$<$<COMPILE_LANGUAGE:CXX>:PHPC_CUDA_VECTORS=1>")
    if(CMAKE_SYSTEM_NAME STREQUAL "Linux" AND CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
      target_compile_options(${name} ${scope} "$<$<COMPILE_LANGUAGE:CXX>:-fveclib=libmvec>")
    endif()
    # Threads with loops or arrays of their own run in lanes, and threads within bounds without masks.
    phpc_find_pass(thread_lanes ${name} ${scope})
    if(phpc_pass)
      target_compile_options(${name} ${scope} "$<$<COMPILE_LANGUAGE:CXX>:SHELL:-Xarch_host -fpass-plugin=${phpc_pass}>")
      target_compile_definitions(${name} ${scope} PHPC_CUDA_THREAD_LANES=1)
    endif()
  endif()
  # Options for one target are single words without a definition: ccache takes -D away from the -Xopenmp-target before it.
  set(mended_overlays -includephpc/cuda/clang_overlays.inc)
  if("nvptx" IN_LIST phpc_targets)
    set(nvidia "SHELL:-Xopenmp-target=nvptx64-nvidia-cuda ")
    target_compile_options(${name} ${scope} "$<$<COMPILE_LANGUAGE:CXX>:${nvidia}-ffp-contract=fast>"
      "$<$<COMPILE_LANGUAGE:CXX>:${nvidia}-mllvm=-unroll-partial-threshold=300>"
      "$<$<COMPILE_LANGUAGE:CXX>:${nvidia}-mllvm=-inline-threshold=1000>")
    phpc_without_sinking(${name} ${scope})
    # Loads of read-only memory become ld.global.nc, copies of 16 bytes one load and one store, arrays of a thread's registers.
    phpc_find_pass(nvidia_memory ${name} ${scope})
    if(phpc_pass)
      target_compile_options(${name} ${scope} "$<$<COMPILE_LANGUAGE:CXX>:${nvidia}-fpass-plugin=${phpc_pass}>")
      target_compile_definitions(${name} ${scope} PHPC_CUDA_READ_ONLY_LOADS=1)
    endif()
    target_compile_options(${name} ${scope} "$<$<COMPILE_LANGUAGE:CXX>:${nvidia}${mended_overlays}>")
    phpc_as_whole_program(${name} ${scope})
  endif()
  if("amdgcn" IN_LIST phpc_targets)
    set(amd "SHELL:-Xopenmp-target=amdgcn-amd-amdhsa ")
    target_compile_options(${name} ${scope} "$<$<COMPILE_LANGUAGE:CXX>:${amd}-ffp-contract=fast>")
    target_compile_options(${name} ${scope} "$<$<COMPILE_LANGUAGE:CXX>:${amd}${mended_overlays}>")
  endif()
endfunction()

# Gives an interface library the compile flags of kernels for the targets given.
function(phpc_compile_kernels name)
  if(ARGN)
    phpc_target_flags(${ARGN})
    # The linker wrapper warns of mixed static/dynamic image symbols; nothing here shares globals across images.
    target_compile_options(${name} INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:${phpc_flags};-Wno-openmp-mapping>")
    target_compile_definitions(${name} INTERFACE PHPC_WITH_OFFLOAD=1)
  else()
    target_compile_definitions(${name} INTERFACE PHPC_WITH_OFFLOAD=0)
  endif()
  if("nvptx" IN_LIST ARGN OR "amdgcn" IN_LIST ARGN)
    target_compile_definitions(${name} INTERFACE PHPC_WITH_GPU_IMAGES=1)
  else()
    target_compile_definitions(${name} INTERFACE PHPC_WITH_GPU_IMAGES=0)
  endif()
endfunction()

# Gives an interface library the link flags of what holds such kernels.
function(phpc_link_images name)
  if(NOT ARGN)
    return()
  endif()
  phpc_target_flags(${ARGN})
  if(PHPC_LIBOMPTARGET)
    target_link_options(${name} INTERFACE -L${phpc_libomptarget_dir})
  endif()
  target_link_options(${name} INTERFACE ${phpc_flags})
  set(phpc_target_names ${phpc_target_names} PARENT_SCOPE)
endfunction()
