#pragma once
#include <string>

namespace phpc::io {

/// Where a path leads to: the same for a path that is no symbolic link, else that of the file behind it and all further ones,
/// which need not exist yet.
std::string followed_links(const std::string& path);

}  // namespace phpc::io
