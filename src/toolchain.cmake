# What the compiler at hand can build for, as interface targets:
#   phpc_host           flags of every source: warnings, host OpenMP, host instruction set, sanitizers
#   phpc_hardened       checks of host code that is no kernel, beside phpc_host's
#   phpc_offload        compile flags of sources with kernels, beside phpc_host's
#   phpc_offload_tests  the same of kernels that tests have of their own
#   phpc_images         link flags of whatever holds such sources

set(PHPC_OFFLOAD "auto" CACHE STRING "auto | none | list of x86_64;nvptx;amdgcn")
set(PHPC_ARCH "" CACHE STRING "NVIDIA architectures, sm_80,sm_90 for instance; empty: those of the GPUs here")
set(PHPC_AMD_ARCH "" CACHE STRING "AMD architectures, gfx90a for instance; empty: those of the GPUs here")
set(PHPC_HOST_ARCH "native" CACHE STRING "-march of host code and of the x86_64 offload image")
include(${CMAKE_CURRENT_LIST_DIR}/gpus.cmake)
phpc_find_gpus(phpc_nvidia_here phpc_amd_here)
phpc_remember(phpc_nvidia_here "${phpc_nvidia_here}" PHPC_NVIDIA_FOUND)
phpc_remember(phpc_amd_here "${phpc_amd_here}" PHPC_AMD_FOUND)
set(phpc_gpu_here OFF)
if(phpc_nvidia_here OR phpc_amd_here)
  set(phpc_gpu_here ON)
endif()
option(PHPC_GPU_TESTS "Tests' own kernels have GPU images too; on by itself where there is a GPU" ${phpc_gpu_here})
set(PHPC_CUDA_PATH "" CACHE PATH "CUDA toolkit (ptxas, nvlink, libdevice); found by itself as a rule")

add_library(phpc_host INTERFACE)
target_compile_options(phpc_host INTERFACE $<$<CXX_COMPILER_ID:Clang>:-Wno-pass-failed>)  # loops of kernels unroll on GPUs only
target_compile_options(phpc_host INTERFACE -Wall -Wextra -Wshadow -Wconversion -Wno-sign-conversion)
# g++ takes names of a source that another one includes (CMAKE_UNITY_BUILD) for names of a header.
target_compile_options(phpc_host INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
if(PHPC_WERROR)
  target_compile_options(phpc_host INTERFACE -Werror)
endif()
if(PHPC_SANITIZE)
  target_compile_options(phpc_host INTERFACE -fsanitize=${PHPC_SANITIZE} -fno-omit-frame-pointer -g1)
  target_link_options(phpc_host INTERFACE -fsanitize=${PHPC_SANITIZE})
  # Kernels as real calls: instrumented and inlined, the FFT's took ten minutes to compile. Of the system headers, which write
  # __always_inline__, nothing changes.
  target_compile_definitions(phpc_host INTERFACE always_inline=unused)
endif()

# Host code stops at a wild index or an overrun. Kernels go without: checks in their loops cost time, and devices know none of these.
add_library(phpc_hardened INTERFACE)
if(NOT PHPC_SANITIZE)
  target_compile_options(phpc_hardened INTERFACE -fstack-protector-strong -D_GLIBCXX_ASSERTIONS)
  target_compile_options(phpc_hardened INTERFACE "$<$<NOT:$<CONFIG:Debug>>:SHELL:-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2>")
endif()
set(phpc_host_kernel_flags -fno-stack-protector -U_GLIBCXX_ASSERTIONS -U_FORTIFY_SOURCE)
target_link_options(phpc_host INTERFACE LINKER:-z,relro,-z,now)

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
  target_compile_options(phpc_host INTERFACE -march=${phpc_march})
endif()

find_package(OpenMP REQUIRED COMPONENTS CXX)
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  # libomp and libomptarget lie off the loader's path in Debian.
  execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=libomp.so OUTPUT_VARIABLE phpc_libomp
    OUTPUT_STRIP_TRAILING_WHITESPACE)
  get_filename_component(phpc_libomp_dir "${phpc_libomp}" REALPATH)
  get_filename_component(phpc_libomp_dir "${phpc_libomp_dir}" DIRECTORY)
  set(phpc_runtime_dirs ${phpc_libomp_dir})
  target_compile_options(phpc_host INTERFACE -fopenmp=libomp)
  target_link_options(phpc_host INTERFACE -fopenmp=libomp)
else()
  target_compile_options(phpc_host INTERFACE -fopenmp -Wno-unknown-pragmas)  # clang's `#pragma unroll`
  # g++ 12 sees these in the own code of std::string (GCC bug 105651); ASan watches for the real ones.
  target_compile_options(phpc_host INTERFACE -Wno-array-bounds -Wno-restrict -Wno-stringop-overflow)
  target_link_options(phpc_host INTERFACE -fopenmp)
endif()

# --- offload targets -------------------------------------------------------------------------------------------------------
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
    if(NOT phpc_nvidia AND NOT phpc_amd)
      message(STATUS "No GPU here, so no image for one; name those of other machines: make gpu ARCH=sm_90 (PHPC_ARCH, PHPC_AMD_ARCH)")
    endif()
  else()
    set(phpc_targets ${PHPC_OFFLOAD})
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
function(phpc_without_openmp_opt name)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    target_compile_options(${name} PRIVATE "SHELL:-mllvm -openmp-opt-disable")
  endif()
endfunction()

# Compiles sources for NVIDIA devices with no more registers a thread than `count`, in place of the bounds, if any, that OpenMP gives
# their kernels. For sources of the folder that calls it.
function(phpc_cap_registers count)
  if("nvptx" IN_LIST phpc_targets)
    set_source_files_properties(${ARGN} PROPERTIES COMPILE_FLAGS
      "-Xcuda-ptxas --override-directive-values -Xcuda-ptxas --maxrregcount=${count}")
  endif()
endfunction()

# Compile flags of kernels for the targets given: an interface library.
function(phpc_offload_library name)
  add_library(${name} INTERFACE)
  if(ARGN)
    phpc_target_flags(${ARGN})
    # The linker wrapper warns of mixed static/dynamic image symbols; nothing here shares globals across images.
    target_compile_options(${name} INTERFACE ${phpc_flags} -Wno-openmp-mapping)
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

phpc_offload_library(phpc_offload ${phpc_targets})
# An image holds all kernels of its library or none of them can be used: where there is one for a GPU, the x86_64 one has all too.
set(phpc_gpu_targets ${phpc_targets})
if(NOT "nvptx" IN_LIST phpc_targets AND NOT "amdgcn" IN_LIST phpc_targets)
  set(phpc_gpu_targets "")
endif()
phpc_offload_library(phpc_gpu_offload ${phpc_gpu_targets})
# GPU images of test kernels are of no use without a GPU, and took minutes for each of the larger sources.
set(phpc_test_targets ${phpc_targets})
if(NOT PHPC_GPU_TESTS AND "x86_64" IN_LIST phpc_targets)
  list(REMOVE_ITEM phpc_test_targets nvptx amdgcn)
endif()
phpc_offload_library(phpc_offload_tests ${phpc_test_targets})

add_library(phpc_images INTERFACE)
set(phpc_target_names "")
if(phpc_targets)
  phpc_target_flags(${phpc_targets})
  # LLVM 22's libomptarget reads cubins of CUDA 13 (ELF ABI 8) and grants more than 48 KiB of shared memory; LLVM 19's does neither.
  find_library(PHPC_LIBOMPTARGET libomptarget.so PATHS /usr/lib/llvm-22/lib NO_DEFAULT_PATH)
  if(PHPC_LIBOMPTARGET)
    get_filename_component(phpc_libomptarget_dir ${PHPC_LIBOMPTARGET} DIRECTORY)
    list(PREPEND phpc_runtime_dirs ${phpc_libomptarget_dir})
    target_link_options(phpc_images INTERFACE -L${phpc_libomptarget_dir})
  else()
    message(STATUS "liboffload-22 not found: linking LLVM 19's libomptarget (no devices with CUDA 13, 48 KiB of scratch)")
  endif()
  target_link_options(phpc_images INTERFACE ${phpc_flags})
endif()
list(JOIN phpc_target_names ", " PHPC_OFFLOAD_TARGETS)
# The build tree is laid out as the installation is, and has the same run paths. With others CMake would pad them with colons, to
# overwrite them when it installs, and an empty element of a run path is the current folder.
set(CMAKE_INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR};$ORIGIN" ${phpc_runtime_dirs})
set(CMAKE_BUILD_WITH_INSTALL_RPATH ON)
message(STATUS "Offload targets: ${PHPC_OFFLOAD_TARGETS}")

# phpc_room(NAME SOURCES ... KERNELS ... GPU_KERNELS ... LINK ...): one library of the house. KERNELS are the sources that launch,
# compiled for every target, GPU_KERNELS those that launch on GPUs only (launch_on_gpu), compiled for none where no image is for a GPU;
# SOURCES never see a target region.
function(phpc_room name)
  cmake_parse_arguments(room "" "" "SOURCES;KERNELS;GPU_KERNELS;LINK;PRIVATE" ${ARGN})
  add_library(phpc_${name} ${room_SOURCES})
  add_library(phpc::${name} ALIAS phpc_${name})
  set_target_properties(phpc_${name} PROPERTIES EXPORT_NAME ${name} VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})
  target_include_directories(phpc_${name}
    PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>
    PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_compile_features(phpc_${name} PUBLIC cxx_std_20)
  target_link_libraries(phpc_${name} PUBLIC ${room_LINK} PRIVATE $<BUILD_INTERFACE:phpc_host> $<BUILD_INTERFACE:phpc_hardened> ${room_PRIVATE})
  set(kernels_offload phpc_offload)
  set(kernels_targets ${phpc_targets})
  set(gpu_kernels_offload phpc_gpu_offload)
  set(gpu_kernels_targets ${phpc_gpu_targets})
  foreach(kind kernels gpu_kernels)
    string(TOUPPER room_${kind} sources)
    string(REPLACE ROOM_ room_ sources ${sources})
    if(${sources})
      list(TRANSFORM ${sources} PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/ OUTPUT_VARIABLE kernel_paths)
      string(TOUPPER PHPC_${kind}_SOURCES kernel_sources)
      set_property(GLOBAL APPEND PROPERTY ${kernel_sources} ${kernel_paths})
      add_library(phpc_${name}_${kind} OBJECT ${${sources}})
      if(${kind}_targets)
        # Each takes long: one after another in one translation unit, a machine of many cores would wait for it.
        set_target_properties(phpc_${name}_${kind} PROPERTIES UNITY_BUILD OFF)
      endif()
      target_include_directories(phpc_${name}_${kind} PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
      target_link_libraries(phpc_${name}_${kind} PRIVATE phpc_host ${${kind}_offload} ${room_LINK} ${room_PRIVATE})
      target_sources(phpc_${name} PRIVATE $<TARGET_OBJECTS:phpc_${name}_${kind}>)
      target_link_libraries(phpc_${name} PRIVATE $<BUILD_INTERFACE:phpc_images>)
      target_compile_definitions(phpc_${name}_${kind} PRIVATE PHPC_OFFLOAD_TARGETS="${PHPC_OFFLOAD_TARGETS}")
    endif()
  endforeach()
  install(TARGETS phpc_${name} EXPORT portable_hpc
    LIBRARY COMPONENT runtime NAMELINK_COMPONENT development
    ARCHIVE COMPONENT development)
endfunction()
