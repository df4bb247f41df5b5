#pragma once
#include <string>
#include <vector>

namespace phpc::port {

/// Takes from a compiler's command line the options that parsing depends on, as clang has them: folders of headers, macros,
/// headers that are included first, and OpenMP. The command line is nvcc's, clang's or gcc's: nvcc's long names
/// (--include-path), lists (-Ia,b), files of options (--options-file, as CMake writes them, and @FILE) and options for the
/// host's compiler (-Xcompiler) are read. Files of options are relative to `directory`, in which the command runs. One that
/// cannot be read is told in `error`.
std::vector<std::string> parser_options(const std::vector<std::string>& command, const std::string& directory,
                                        std::string* error);

}  // namespace phpc::port
