#include "port/invocation.hpp"

#include <llvm/ADT/SmallString.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>

#include <cstdlib>

namespace phpc::port {

namespace {

std::string first_with(const std::vector<std::string>& folders, const std::string& file) {
  for (const std::string& folder : folders) {
    if (llvm::sys::fs::exists(folder + "/" + file)) {
      return folder;
    }
  }
  return folders.back();
}

}  // namespace

Installation find_installation(const std::string& executable) {
  llvm::SmallString<256> prefix(executable);  // PREFIX/libexec/portable-hpc/port
  for (int level = 0; level < 3; ++level) {
    llvm::sys::path::remove_filename(prefix);
  }
  const std::string root(prefix);
  const std::string standard = root + "/share/portable-hpc/port/standard";
  return {.headers = first_with({root + "/include", PHPC_PORT_HEADERS}, "phpc/cuda/cuda.hpp"),
          .parser_headers = first_with({root + "/share/portable-hpc/port/include", PHPC_PORT_PARSER_HEADERS}, "cuda_runtime.h"),
          .resources = first_with({root + "/share/portable-hpc/port/clang", PHPC_PORT_RESOURCES}, "include/stddef.h"),
          .standard = llvm::sys::fs::exists(standard) ? standard : "",
          .precompiled = root + "/libexec/portable-hpc/headers.pch"};
}

bool may_use_precompiled(const std::vector<std::string>& options) {
  if (std::getenv("CPATH") != nullptr || std::getenv("CPLUS_INCLUDE_PATH") != nullptr) {
    return false;
  }
  for (std::size_t i = 0; i < options.size(); ++i) {
    const std::string& option = options[i];
    if (option == "-include" || option == "-fopenmp" ||
        ((option == "-D" || option == "-U") && i + 1 < options.size() && options[i + 1].starts_with("_"))) {
      return false;
    }
  }
  return true;
}

std::vector<std::string> parser_arguments(const Installation& installation, const std::string& cuda_path,
                                          const std::vector<std::string>& options) {
  std::vector<std::string> arguments{"-x",
                                     "cuda",
                                     "--cuda-host-only",
                                     "-nocudainc",
                                     "-nocudalib",
                                     "-Xclang",
                                     "-fcuda-allow-variadic-functions",  // as its driver says itself where it finds a CUDA
                                     "-std=gnu++20",
                                     "-Xclang",
                                     "-fno-cxx-modules",  // in modules, clang takes functions of the host and of devices for one
                                     "-w",
                                     "-Wno-register",
                                     "-Wno-unknown-cuda-version",
                                     "-Wno-c++11-narrowing",
                                     "-ferror-limit=0",
                                     "-fno-caret-diagnostics",
                                     "-DPHPC_CUDA_PARSING=1",
                                     "-D__CUDA_ARCH__=900",
                                     "-resource-dir=" + installation.resources};
  arguments.insert(arguments.end(), options.begin(), options.end());
  for (const std::string& folder : {installation.parser_headers, installation.headers}) {
    arguments.push_back("-isystem");
    arguments.push_back(folder);
  }
  if (!cuda_path.empty()) {
    arguments.push_back("-idirafter");
    arguments.push_back(cuda_path + "/include");
  }
  // A machine's C++ library may be older than C++20, or missing; its C library's headers lead, as sources name what is in them.
  if (!installation.standard.empty()) {
    arguments.push_back("-stdlib++-isystem" + installation.standard + "/c++");
    for (const std::string& word : {std::string("-internal-externc-isystem"), installation.standard + "/c"}) {
      arguments.push_back("-Xclang");
      arguments.push_back(word);
    }
  }
  arguments.push_back("-include");
  arguments.push_back("phpc/cuda/cuda.hpp");
  arguments.push_back("-include");
  arguments.push_back("phpc_refused.h");
  return arguments;
}

}  // namespace phpc::port
