# cmake -D BUILD=... -D SOURCE=... -D COMPILER=... -P run.cmake: installs BUILD to a fresh prefix, compiles the consumer against it
# with COMPILER and runs it, and the installed program and demo too, with no library path set; looks at the run paths of what was installed.
set(scratch ${BUILD}/package_test)
file(REMOVE_RECURSE ${scratch})
set(ENV{LD_LIBRARY_PATH} "")
set(ENV{CMAKE_GENERATOR} "")
foreach(command
    "${CMAKE_COMMAND};--install;${BUILD};--prefix;${scratch}/prefix"
    "${CMAKE_COMMAND};-S;${SOURCE};-B;${scratch}/build;-DCMAKE_PREFIX_PATH=${scratch}/prefix;-DCMAKE_CXX_COMPILER=${COMPILER}"
    "${CMAKE_COMMAND};--build;${scratch}/build"
    "${scratch}/build/consumer"
    "${scratch}/prefix/bin/portable-hpc;devices"
    "${scratch}/prefix/share/portable-hpc/data/demo.sh;${scratch}/prefix/bin/portable-hpc")
  execute_process(COMMAND ${command} COMMAND_ERROR_IS_FATAL ANY)
endforeach()
file(GLOB_RECURSE binaries ${scratch}/prefix/bin/portable-hpc ${scratch}/prefix/lib*/*.so)
execute_process(COMMAND ${SOURCE}/../rules/binaries.sh ${binaries} COMMAND_ERROR_IS_FATAL ANY)
