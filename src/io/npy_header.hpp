#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "phpc/core/types.hpp"

namespace phpc::io {

/// The Python dictionary literal of a .npy header.
struct NpyHeader {
  std::string descr;  ///< "<f4", "|b1": byte order, kind, bytes of an item
  bool fortran_order = false;
  std::vector<index_t> shape;
};

/// Bytes before the header's text: magic, version and a length of 2 bytes (version 1) or 4 (versions 2 and 3).
inline constexpr std::size_t npy_prefix_bytes(int major_version) {
  return major_version == 1 ? 10 : 12;
}

/// Parses the literal; `name` is the file's, for messages. Throws Error(input).
NpyHeader parse_npy_header(std::string_view text, const std::string& name);

}  // namespace phpc::io
