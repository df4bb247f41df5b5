#include "measure/shared_library.hpp"

#include <dlfcn.h>

namespace phpc::bench {

SharedLibrary::SharedLibrary(const std::vector<std::string>& names, const std::vector<std::string>& folders) {
  std::vector<std::string> paths = names;
  for (const std::string& folder : folders) {
    for (const std::string& name : names) {
      paths.push_back(folder + "/" + name);
    }
  }
  for (const std::string& path : paths) {
    if (handle_ == nullptr) {
      handle_ = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    }
  }
}

void* SharedLibrary::find(const std::string& symbol) const {
  return handle_ == nullptr ? nullptr : dlsym(handle_, symbol.c_str());
}

}  // namespace phpc::bench
