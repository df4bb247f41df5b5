#pragma once
#include <string>
#include <vector>

namespace phpc::io {

/// The names in a folder, in the order of bytes, without those that begin with a dot unless `hidden` is asked for; never "." and
/// "..". Throws Error(io). In place of std::filesystem::directory_iterator: libstdc++'s ends the program where memory is short,
/// since it allocates in a function that it declares noexcept.
enum class Hidden { left_out, included };
std::vector<std::string> folder_names(const std::string& folder, Hidden hidden);

}  // namespace phpc::io
