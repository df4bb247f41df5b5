#pragma once
#include <string>
#include <vector>

namespace phpc::port {

/// The folders of headers that the translator parses with.
struct Installation {
  std::string headers;         ///< phpc/cuda/...
  std::string parser_headers;  ///< CUDA's header names, private
  std::string resources;       ///< clang's own headers
  std::string standard;        ///< c++/ and c/: headers of a C++ and a C library, which a bundle brings; "" elsewhere
  std::string precompiled;     ///< where `--precompile` puts the headers that it parses
};
/// Finds them: beside the executable if it is installed, otherwise in the source tree.
Installation find_installation(const std::string& executable);

/// Whether the user's options, and folders of headers in the environment, leave the standard headers as they are. Headers and
/// reserved macros that come before change them, as OpenMP does.
bool may_use_precompiled(const std::vector<std::string>& options);

/// The arguments that clang gets to parse a CUDA source: the user's and ours.
std::vector<std::string> parser_arguments(const Installation& installation, const std::string& cuda_path,
                                          const std::vector<std::string>& options);

}  // namespace phpc::port
