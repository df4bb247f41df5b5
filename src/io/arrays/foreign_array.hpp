#pragma once
#include <string>
#include <string_view>

namespace phpc::io {

/// What a file is that holds no array in a format of this program, and which option or tool makes it one: "is a gzip file; ...".
/// By its first bytes, at least 64 of a longer file, and where these say nothing by its name. Empty: nothing is known of it.
std::string foreign_array_advice(std::string_view first_bytes, const std::string& path);

}  // namespace phpc::io
