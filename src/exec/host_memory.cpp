#include "exec/host_memory.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "phpc/core/parse.hpp"

namespace phpc::exec {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();
/// The bytes that are said to be free where none are left: 0 would mean that the number is not known.
constexpr std::uint64_t least_free = std::uint64_t{1} << 20;

/// The least of several limits, and the least of what each leaves free.
class Bounds {
 public:
  void add(std::uint64_t limit, std::uint64_t used) {
    if (limit < unlimited) {
      limit_ = std::min(limit_, limit);
      left_ = std::min(left_, limit - std::min(limit, used));
    }
  }
  [[nodiscard]] HostMemory result() const {
    return {limit_ == unlimited ? 0 : limit_, left_ == unlimited ? 0 : std::max(left_, least_free)};
  }

 private:
  std::uint64_t limit_ = unlimited;
  std::uint64_t left_ = unlimited;
};

/// The number after `key` in a file of "key number ..." lines.
std::optional<std::uint64_t> value_in(const fs::path& path, std::string_view key) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string word;
    std::uint64_t value = 0;
    if (words >> word && word == key && words >> value) {
      return value;
    }
  }
  return std::nullopt;
}

/// The only number in a file; nothing where it is "max".
std::optional<std::uint64_t> number_in(const fs::path& path) {
  std::ifstream file(path);
  std::uint64_t value = 0;
  return file >> value ? std::optional(value) : std::nullopt;
}

/// The names of files and keys in one version of control groups.
struct GroupFiles {
  std::vector<const char*> limits;
  const char* used;
  std::vector<const char*> pages_of_files;  ///< in memory.stat
};

const GroupFiles version_1{{"memory.limit_in_bytes"}, "memory.usage_in_bytes", {"total_inactive_file", "total_active_file"}};
const GroupFiles version_2{{"memory.max", "memory.high"}, "memory.current", {"inactive_file", "active_file"}};

void add_group(const fs::path& group, const GroupFiles& files, Bounds& bounds) {
  std::uint64_t limit = unlimited;
  for (const char* const name : files.limits) {
    limit = std::min(limit, number_in(group / name).value_or(unlimited));
  }
  // Version 1 writes "no limit" as the largest multiple of a page.
  if (limit >= unlimited / 4) {
    return;
  }
  std::uint64_t used = number_in(group / files.used).value_or(0);
  for (const char* const name : files.pages_of_files) {
    used -= std::min(used, value_in(group / "memory.stat", name).value_or(0));
  }
  bounds.add(limit, used);
}

/// A mounted hierarchy of control groups.
struct Hierarchy {
  fs::path root;         ///< the group that the mount point shows
  fs::path mount_point;  ///< without the root of all paths
  bool is_version_2;
};

/// The mounted hierarchies that limit memory, by mountinfo: "36 35 98:0 /root /mount/point options ... - type source
/// superoptions".
std::vector<Hierarchy> mounted_hierarchies(const fs::path& mountinfo) {
  std::vector<Hierarchy> hierarchies;
  std::ifstream file(mountinfo);
  for (std::string line; std::getline(file, line);) {
    const std::vector<std::string_view> words = split_blanks(line);
    const auto dash = std::find(words.begin(), words.end(), "-");
    if (words.size() < 5 || words.end() - dash < 4) {
      continue;
    }
    const bool is_version_2 = dash[1] == "cgroup2";
    const std::string options = "," + std::string(dash[3]) + ",";
    if (is_version_2 || (dash[1] == "cgroup" && options.find(",memory,") != std::string::npos)) {
      hierarchies.push_back({words[3], fs::path(words[4]).relative_path(), is_version_2});
    }
  }
  return hierarchies;
}

/// The group of the process in a hierarchy, by /proc/self/cgroup: "0::/path", or "N:controllers:/path" of version 1.
std::optional<fs::path> own_group(const fs::path& cgroup, bool is_version_2) {
  std::ifstream file(cgroup);
  for (std::string line; std::getline(file, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) {
      continue;
    }
    const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
    if (is_version_2 ? controllers == ",," : controllers.find(",memory,") != std::string::npos) {
      return line.substr(second + 1);
    }
  }
  return std::nullopt;
}

void add_groups(const fs::path& root, Bounds& bounds) {
  for (const Hierarchy& hierarchy : mounted_hierarchies(root / "proc/self/mountinfo")) {
    const auto group = own_group(root / "proc/self/cgroup", hierarchy.is_version_2);
    if (!group) {
      continue;
    }
    const GroupFiles& files = hierarchy.is_version_2 ? version_2 : version_1;
    const fs::path top = root / hierarchy.mount_point;
    add_group(top, files, bounds);
    // In a container the mount point may show a group below the path's beginning, or the process' own.
    fs::path below = group->lexically_relative(hierarchy.root);
    if (below.empty() || *below.begin() == "..") {
      below = group->relative_path();
    }
    fs::path at = top;
    for (const fs::path& name : below) {
      if (name != "." && name != "..") {
        at /= name;
        add_group(at, files, bounds);
      }
    }
  }
}

void add_resource_limits(const fs::path& root, Bounds& bounds) {
  std::uint64_t pages[6]{};  // size, resident, shared, text, library, data
  std::ifstream file(root / "proc/self/statm");
  for (std::uint64_t& count : pages) {
    file >> count;
  }
  const auto page = static_cast<std::uint64_t>(std::max(1L, sysconf(_SC_PAGESIZE)));
  struct rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) {
    bounds.add(limit.rlim_cur, pages[0] * page);
  }
  if (getrlimit(RLIMIT_DATA, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) {
    bounds.add(limit.rlim_cur, pages[5] * page);
  }
}

}  // namespace

HostMemory host_memory(const fs::path& root) {
  constexpr std::uint64_t kibibyte = 1024;
  Bounds bounds;
  const fs::path info = root / "proc/meminfo";
  if (const auto total = value_in(info, "MemTotal:")) {
    const std::uint64_t available = value_in(info, "MemAvailable:").value_or(*total);
    bounds.add(*total * kibibyte, (*total - std::min(*total, available)) * kibibyte);
  }
  add_groups(root, bounds);
  add_resource_limits(root, bounds);
  return bounds.result();
}

}  // namespace phpc::exec
