#pragma once
#include <string>
#include <vector>

namespace phpc::port {

/// Where the translator finds what it parses with.
struct Installation {
  std::string headers;         ///< phpc/cuda/...
  std::string parser_headers;  ///< CUDA's header names, private
  std::string resources;       ///< clang's own headers
  std::string standard;        ///< c++/ and c/: headers of a C++ and a C library, which a bundle brings; "" elsewhere
};
/// Beside the executable if it is installed, in the source tree else.
Installation find_installation(const std::string& executable);

/// clang's arguments to parse a CUDA source: those of the user and ours.
std::vector<std::string> parser_arguments(const Installation& installation, const std::string& cuda_path,
                                          const std::vector<std::string>& options);

}  // namespace phpc::port
