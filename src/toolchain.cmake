# What the compiler at hand can build for, as interface targets:
#   phpc_host           flags of every source: warnings, host OpenMP, host instruction set, sanitizers
#   phpc_hardened       checks of host code that is no kernel, beside phpc_host's
#   phpc_offload        compile flags of sources with kernels, beside phpc_host's
#   phpc_offload_tests  the same of kernels that tests have of their own
#   phpc_images         link flags of whatever holds such sources

include(${CMAKE_CURRENT_LIST_DIR}/offload.cmake)
set(phpc_gpu_here OFF)
if(phpc_nvidia_here OR phpc_amd_here)
  set(phpc_gpu_here ON)
endif()
option(PHPC_GPU_TESTS "Tests' own kernels have GPU images too; on by itself where there is a GPU" ${phpc_gpu_here})

add_library(phpc_host INTERFACE)
target_compile_options(phpc_host INTERFACE $<$<CXX_COMPILER_ID:Clang>:-Wno-pass-failed>)  # loops of kernels unroll on GPUs only
target_compile_options(phpc_host INTERFACE -Wall -Wextra -Wshadow -Wconversion -Wno-sign-conversion)
# g++ takes names of a source that another one includes (CMAKE_UNITY_BUILD) for names of a header.
target_compile_options(phpc_host INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
if(PHPC_WERROR)
  target_compile_options(phpc_host INTERFACE -Werror)
endif()
if(PHPC_SANITIZE)
  # The first finding ends the program. Left out of `undefined` are the checks of each access against the size of its object, which ASan
  # has too, and of the type behind each virtual call: a fifth of the time to compile a test of batch.
  target_compile_options(phpc_host INTERFACE -fsanitize=${PHPC_SANITIZE} -fno-sanitize-recover=all -fno-sanitize=object-size,vptr
    -fno-omit-frame-pointer -g1)
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

if(phpc_march)
  target_compile_options(phpc_host INTERFACE -march=${phpc_march})
endif()

find_package(OpenMP REQUIRED COMPONENTS CXX)
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  target_compile_options(phpc_host INTERFACE -fopenmp=libomp)
  target_link_options(phpc_host INTERFACE -fopenmp=libomp)
else()
  target_compile_options(phpc_host INTERFACE -fopenmp -Wno-unknown-pragmas)  # clang's `#pragma unroll`
  # g++ 12 sees these in the own code of std::string (GCC bug 105651); ASan watches for the real ones.
  target_compile_options(phpc_host INTERFACE -Wno-array-bounds -Wno-restrict -Wno-stringop-overflow)
  target_link_options(phpc_host INTERFACE -fopenmp)
endif()

# Compiles sources for NVIDIA devices with no more registers a thread than `count`, in place of the bounds, if any, that OpenMP gives
# their kernels. For sources of the folder that calls it.
function(phpc_cap_registers count)
  if("nvptx" IN_LIST phpc_targets)
    set_source_files_properties(${ARGN} PROPERTIES COMPILE_FLAGS
      "-Xcuda-ptxas --override-directive-values -Xcuda-ptxas --maxrregcount=${count}")
  endif()
endfunction()

# phpc_instances(LIST TEMPLATE [TYPES ...] [METHODS ...] [FORMS ...] [REGISTERS ...] [CAP n] [FLAGS ...]): writes a source of the template,
# <name>.cpp.in beside the caller's sources, for each combination of values into the build folder, so that many kernels are compiled side
# by side, and appends their paths to LIST. A value stands for @TYPE@, @METHOD@, @FORM@ or @REGISTERS@; that of a method is HEADER=CLASS,
# and @METHOD_HEADER@ the first part. Kernels of the source have at most @REGISTERS@ registers, or CAP (0 and 255: as many as the compiler
# takes), and are compiled with FLAGS.
function(phpc_instances list template)
  cmake_parse_arguments(PARSE_ARGV 2 of "" "CAP" "TYPES;METHODS;FORMS;REGISTERS;FLAGS")
  foreach(axis TYPES METHODS FORMS REGISTERS)
    if(NOT DEFINED of_${axis})
      set(of_${axis} none)
    endif()
  endforeach()
  string(REGEX REPLACE "\\.cpp\\.in$" "" stem ${template})
  foreach(TYPE IN LISTS of_TYPES)
    foreach(method IN LISTS of_METHODS)
      string(REGEX REPLACE "=.*" "" METHOD_HEADER ${method})
      string(REGEX REPLACE ".*=" "" METHOD ${method})
      foreach(FORM IN LISTS of_FORMS)
        foreach(REGISTERS IN LISTS of_REGISTERS)
          set(values ${TYPE} ${METHOD} ${FORM} ${REGISTERS})
          list(REMOVE_ITEM values none)
          list(JOIN values _ values)
          set(source ${CMAKE_CURRENT_BINARY_DIR}/${stem}_${values}.cpp)
          configure_file(${template} ${source} @ONLY)
          if(of_CAP)
            phpc_cap_registers(${of_CAP} ${source})
          elseif(REGISTERS GREATER 0 AND REGISTERS LESS 255)
            phpc_cap_registers(${REGISTERS} ${source})
          endif()
          # Sources with properties of their own stay out of units of several: not without need, as most instances are empty on hosts.
          if(of_FLAGS)
            set_source_files_properties(${source} PROPERTIES COMPILE_OPTIONS "${of_FLAGS}")
          endif()
          list(APPEND ${list} ${source})
        endforeach()
      endforeach()
    endforeach()
  endforeach()
  set(${list} ${${list}} PARENT_SCOPE)
endfunction()

# Compile flags of kernels for the targets given: an interface library.
function(phpc_offload_library name)
  add_library(${name} INTERFACE)
  phpc_compile_kernels(${name} ${ARGN})
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
phpc_link_images(phpc_images ${phpc_targets})
list(JOIN phpc_target_names ", " PHPC_OFFLOAD_TARGETS)
# The build tree is laid out as the installation is, and has the same run paths. With others CMake would pad them with colons, to
# overwrite them when it installs, and an empty element of a run path is the current folder.
set(CMAKE_INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR};$ORIGIN" ${phpc_runtime_dirs})
set(CMAKE_BUILD_WITH_INSTALL_RPATH ON)
message(STATUS "Offload targets: ${PHPC_OFFLOAD_TARGETS}")

# phpc_room(NAME [STATIC] SOURCES ... KERNELS ... GPU_KERNELS ... LINK ...): one library of the house. KERNELS are the sources that launch,
# compiled for every target, GPU_KERNELS those that launch on GPUs only (launch_on_gpu), compiled for none where no image is for a GPU;
# SOURCES never see a target region. STATIC: a library without public headers, which is linked into the project's programs and not
# installed.
function(phpc_room name)
  cmake_parse_arguments(room "STATIC" "" "SOURCES;KERNELS;GPU_KERNELS;LINK;PRIVATE" ${ARGN})
  set(linkage "")
  if(room_STATIC)
    set(linkage STATIC)
  endif()
  add_library(phpc_${name} ${linkage} ${room_SOURCES})
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
      list(TRANSFORM ${sources} REPLACE "^([^/].*)" "${CMAKE_CURRENT_SOURCE_DIR}/\\1" OUTPUT_VARIABLE kernel_paths)
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
  if(room_STATIC)
    return()
  endif()
  set_property(GLOBAL APPEND PROPERTY phpc_rooms phpc_${name})
  install(TARGETS phpc_${name} EXPORT portable_hpc
    LIBRARY COMPONENT runtime NAMELINK_COMPONENT development
    ARCHIVE COMPONENT development)
endfunction()
