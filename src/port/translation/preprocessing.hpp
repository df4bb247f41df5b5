#pragma once
#include <clang/Lex/PPCallbacks.h>
#include <clang/Lex/Preprocessor.h>

#include <map>
#include <memory>
#include <set>
#include <string>

#include "port/translation/translator.hpp"

namespace phpc::port {

/// The includes and tests of macros that the preprocessor meets in the user's files.
struct Includes {
  /// For each file of the user's: where its first directive and its first included header of CUDA's stand.
  struct File {
    bool has_first_include = false;
    std::size_t first_include = 0;          ///< the offset of its line, or where code before it makes the file begin
    std::set<std::string> headers_of_ours;  ///< already included here
    bool ours_leads = false;                ///< our header is included before any of the user's
    bool meets_users = false;               ///< one of the user's, <math.h> or code has come
    bool tests_cuda = false;                ///< asks for __CUDACC__ or __CUDA_ARCH__
    std::size_t first_test = 0;
  };
  std::map<std::string, File> files;
  /// The user's headers: by the path as written, the file, and who includes it.
  struct Header {
    std::string path;      ///< absolute
    std::string includer;  ///< absolute
    std::string written;   ///< between the quotes
    std::size_t offset;    ///< of the name with its quotes, in the includer
    std::size_t length;
    bool angled;
  };
  std::vector<Header> headers;
};

/// Edits what directives say: CUDA's headers become ours, `__CUDACC__` and `__CUDA_ARCH__` the names that hold in translated
/// sources; libraries that are not translated are refused.
std::unique_ptr<clang::PPCallbacks> watch_preprocessor(clang::Preprocessor& preprocessor, Translation& translation,
                                                       Includes& includes);

}  // namespace phpc::port
