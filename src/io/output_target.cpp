#include "io/output_target.hpp"

#include <filesystem>

namespace phpc::io {

std::string followed_links(const std::string& path) {
  namespace fs = std::filesystem;
  constexpr int most_links = 40;  // as the kernel has it
  fs::path at(path);
  for (int link = 0; link < most_links; ++link) {
    std::error_code is_no_link;
    const fs::path next = fs::read_symlink(at, is_no_link);
    if (is_no_link) {
      return at.string();
    }
    at = at.parent_path() / next;  // an absolute one stands for itself
  }
  return path;
}

}  // namespace phpc::io
