#include "phpc/io/output_target.hpp"

#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <filesystem>

#include "phpc/core/parse.hpp"

namespace phpc::io {

namespace {

namespace fs = std::filesystem;

fs::path folder_of(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

bool is_same_file(const struct stat& a, const struct stat& b) {
  return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/// The number of an open file, as in /proc/self/fd/1; -1 for other paths.
int open_file_number(const fs::path& path) {
  const auto number = parse_integer(path.filename().string());
  struct statfs system{};
  struct stat status{};
  const bool is_open_file = number && *number >= 0 && *number <= 0x7fffffff && statfs(folder_of(path).c_str(), &system) == 0 &&
                            system.f_type == PROC_SUPER_MAGIC && lstat(path.c_str(), &status) == 0 && S_ISLNK(status.st_mode);
  return is_open_file ? static_cast<int>(*number) : -1;
}

std::optional<FileIdentity> identity_of(const struct stat& status) {
  if (S_ISCHR(status.st_mode) || S_ISSOCK(status.st_mode)) {
    return std::nullopt;
  }
  return FileIdentity{status.st_dev, status.st_ino};
}

}  // namespace

OutputTarget output_target(const std::string& path) {
  if (path == "-") {
    return {.path = path, .descriptor = STDOUT_FILENO, .is_open_file = true};
  }
  constexpr int most_links = 40;  // as the kernel has it
  fs::path at(path);
  for (int link = 0; link < most_links; ++link) {
    if (const int number = open_file_number(at); number >= 0) {
      // The number counts in another process where its file is not this process's of that number.
      struct stat named{};
      struct stat own{};
      const bool is_own = stat(at.c_str(), &named) == 0 && fstat(number, &own) == 0 && is_same_file(named, own);
      return {.path = at.string(), .descriptor = is_own ? number : -1, .is_open_file = true};
    }
    std::error_code is_no_link;
    const fs::path next = fs::read_symlink(at, is_no_link);
    if (is_no_link) {
      return {.path = at.string()};
    }
    at = at.parent_path() / next;  // an absolute one stands for itself
  }
  return {.path = path};
}

std::optional<FileIdentity> identity_of_input(const std::string& path) {
  struct stat status{};
  const int problem = path == "-" ? fstat(STDIN_FILENO, &status) : stat(path.c_str(), &status);
  return problem == 0 ? identity_of(status) : std::nullopt;
}

std::optional<FileIdentity> identity_of_output(const std::string& path) {
  const OutputTarget target = output_target(path);
  struct stat status{};
  if ((target.descriptor >= 0 ? fstat(target.descriptor, &status) : stat(target.path.c_str(), &status)) == 0) {
    return identity_of(status);
  }
  const fs::path absent(target.path);
  if (stat(folder_of(absent).c_str(), &status) != 0) {
    return std::nullopt;
  }
  return FileIdentity{status.st_dev, status.st_ino, absent.filename().string()};
}

}  // namespace phpc::io
