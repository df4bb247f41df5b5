#pragma once

namespace phpc::cli {

/// From here on an exception that nobody can catch ends the program with one line on standard error, exit code 1 and no temporary
/// file left, in place of an abort: one thrown where none may leave (destructors of nlohmann::json allocate, parallel regions let
/// nothing out), as a rule std::bad_alloc. std::terminate without an exception aborts as always.
void install_last_words();

/// The line for std::bad_alloc: a constant, since nothing can be put together then.
inline constexpr const char* out_of_memory = "portable-hpc: out of host memory; give smaller input\n";

}  // namespace phpc::cli
