#pragma once

namespace phpc::cli {

/// Makes an exception that nobody can catch end the program with one line on standard error, exit code 1 and no temporary file
/// left, in place of an abort. As a rule that is std::bad_alloc, thrown where no exception may leave (destructors of
/// nlohmann::json allocate, parallel regions let nothing out). std::terminate without an exception aborts as always.
void install_last_words();

/// The line for std::bad_alloc: a constant, since nothing can be put together then.
inline constexpr const char* out_of_memory = "portable-hpc: out of host memory; give smaller input\n";

}  // namespace phpc::cli
