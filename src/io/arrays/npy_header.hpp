#pragma once
#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/arrays/stored_type.hpp"
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

/// Reads all that stands before the elements. `read` gives the next bytes of the file, fewer than asked for only at its end.
/// Throws Error(input) when this is no .npy file, or one that is cut short.
NpyHeader read_npy_header(const std::function<std::size_t(std::span<std::byte>)>& read, const std::string& name);

/// The elements that a header's descr names, as NumPy types that this program reads. Throws Error(input) for others.
StoredType npy_stored_type(const std::string& descr, const std::string& name);

}  // namespace phpc::io
