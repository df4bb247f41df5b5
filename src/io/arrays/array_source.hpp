#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "io/arrays/stored_type.hpp"
#include "io/files/byte_stream.hpp"
#include "phpc/io/array_reader.hpp"

namespace phpc::io {

/// What follows the elements in a file.
enum class Trailer {
  none,   ///< nothing is allowed
  other,  ///< further parts of the format, which are not read
};

/// A file whose header is read: the stream stands at the first element.
struct ArrayReader::Source {
  explicit Source(const std::string& path) : stream(path) {}

  ByteStream stream;
  StoredType stored;
  std::vector<index_t> shape;
  bool fortran_order = false;
  Trailer trailer = Trailer::none;
  std::optional<double> rate;
  index_t size = 0;                 ///< elements in all
  index_t done = 0;                 ///< of them read
  bool is_cut = false;              ///< not all are wanted
  std::uint64_t first_element = 0;  ///< its place in the stream
};

/// The number of elements; Error(input) when their bytes do not fit in 63 bits, or there are more than 64 axes. An axis of length
/// 0 makes the array empty whatever the others are, as in NumPy.
index_t checked_size(std::span<const index_t> shape, std::size_t item_bytes);

/// Completes a source whose stream stands at the first element: size, place of the elements, and whether a regular file holds
/// them all, else Error(input), before anybody takes memory for what a damaged header says.
ArrayReader begin_elements(std::unique_ptr<ArrayReader::Source> source);

/// The formats, from a source at the first byte of the file.
ArrayReader open_npy(std::unique_ptr<ArrayReader::Source> source);
ArrayReader open_wav(std::unique_ptr<ArrayReader::Source> source);

}  // namespace phpc::io
