// What LLVM's OpenMP run-time library leaves of a process that ended before it had said which library it is.
#pragma once

namespace phpc::cli {

/// Removes an empty registration under this process's number. The OpenMP run-time library of a process writes its name into
/// /dev/shm/__KMP_REGISTERED_LIB_<process>_<user>. A process killed between making that file and filling it, or without address
/// space to map it, leaves it empty; a later process of the same number ends there with a bus error (the library of LLVM 19 maps
/// and reads the page that the file does not have) or with "OMP: Error #15".
///
/// Called before the constructors of libraries, since libomptarget's already start the OpenMP run-time library; so it uses the
/// system's calls alone.
void remove_empty_openmp_registration();

}  // namespace phpc::cli
