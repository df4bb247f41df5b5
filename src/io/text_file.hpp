#pragma once
#include <string>

namespace phpc::io {

/// The whole content of a file. Throws Error(io) when it cannot be read (a directory included).
std::string read_text_file(const std::string& path);

}  // namespace phpc::io
