#pragma once

namespace phpc::cli {

/// Whether the command line begins with `portable-hpc port`.
bool asks_for_translator(int argc, const char* const* argv) noexcept;

/// Puts the translator of CUDA sources, PREFIX/libexec/portable-hpc/port, in the place of this process with the words after
/// `port`. Returns where there is none, or where the command line asks for something else. Needs nothing but the C library, so
/// that it can run before the constructors of the libraries, which open devices.
void become_translator(int argc, char** argv, char** environment) noexcept;

/// Throws Error(io): the translator is not there, and how to get it.
[[noreturn]] void fail_without_translator();

}  // namespace phpc::cli
