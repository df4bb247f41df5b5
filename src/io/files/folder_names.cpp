#include "io/files/folder_names.hpp"

#include <dirent.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <string_view>

#include "phpc/core/error.hpp"

namespace phpc::io {

namespace {

struct CloseFolder {
  void operator()(DIR* folder) const { closedir(folder); }
};

}  // namespace

std::vector<std::string> folder_names(const std::string& folder, Hidden hidden) {
  const std::string problem = "cannot read the folder '" + folder + "'";
  const std::unique_ptr<DIR, CloseFolder> open(opendir(folder.c_str()));
  if (open == nullptr) {
    fail_errno(problem, errno);
  }
  std::vector<std::string> names;
  for (;;) {
    errno = 0;
    const dirent* const entry = readdir(open.get());
    if (entry == nullptr) {
      break;
    }
    const std::string_view name = entry->d_name;
    if (name != "." && name != ".." && (hidden == Hidden::included || !name.starts_with('.'))) {
      names.emplace_back(name);
    }
  }
  if (errno != 0) {
    fail_errno(problem, errno);
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace phpc::io
