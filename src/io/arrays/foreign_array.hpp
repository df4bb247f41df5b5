#pragma once
#include <string>
#include <string_view>

namespace phpc::io {

/// Says of a file that is no array in a format of this program what it is, and which option or tool makes an array of it: "is a
/// gzip file; ...". Judges by the first bytes, at least 64 of a longer file, and where these say nothing by the name. Empty where
/// neither says anything.
std::string foreign_array_advice(std::string_view first_bytes, const std::string& path);

}  // namespace phpc::io
