#pragma once
#include <string>
#include <vector>

namespace phpc::port {

/// Parses the headers that `file` includes, and those that the compiler's arguments do, and keeps the result: clang's precompiled
/// header at `path`, and beside it which header includes which. Returns what went wrong, in lines.
std::vector<std::string> write_precompiled_headers(const std::string& file, const std::vector<std::string>& arguments,
                                                   const std::string& path);

/// Where it stands which of the precompiled headers includes which: JSON, {"headers": [name, ...], "includes": [[index, ...],
/// ...], "known": [word, ...]}, the headers' names as the compiler has them, indices from 0. Header 0 has no name: it includes
/// what is parsed ahead of each source. `known` are all identifiers of the headers.
std::string header_record_path(const std::string& precompiled);

}  // namespace phpc::port
