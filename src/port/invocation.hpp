#pragma once
#include <string>
#include <vector>

namespace phpc::port {

/// Where the translator finds what it parses with.
struct Installation {
  std::string headers;         ///< phpc/cuda/...
  std::string parser_headers;  ///< CUDA's header names, private
  std::string resources;       ///< clang's own headers
};
/// Beside the executable if it is installed, in the source tree else.
Installation find_installation(const std::string& executable);

/// The options of a compiler's command line that matter to who parses: -I, -D, -U, -include, -isystem, -std, -W... of nvcc, clang
/// or gcc, as clang takes them.
std::vector<std::string> parser_options(const std::vector<std::string>& compiler_options);

/// clang's arguments to parse a CUDA source: those of the user and ours.
std::vector<std::string> parser_arguments(const Installation& installation, const std::string& cuda_path,
                                          const std::vector<std::string>& options);

}  // namespace phpc::port
