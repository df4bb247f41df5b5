#include "phpc/io/npy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>

#include "io/arrays/array_source.hpp"
#include "io/arrays/npy_header.hpp"
#include "phpc/core/error.hpp"
#include "phpc/core/parse.hpp"

namespace phpc::io {

namespace {

Word integer_word(char kind, index_t bytes) {
  const bool is_signed = kind == 'i';
  switch (bytes) {
    case 1:
      return is_signed ? Word::i8 : Word::u8;
    case 2:
      return is_signed ? Word::i16 : Word::u16;
    case 4:
      return is_signed ? Word::i32 : Word::u32;
    default:
      return is_signed ? Word::i64 : Word::u64;
  }
}

}  // namespace

StoredType npy_stored_type(const std::string& descr, const std::string& name) {
  const auto unsupported = [&] {
    fail(ErrorKind::input,
         fmt::format("'{}' has elements of type '{}'; give float16, float32, float64, complex64, complex128 or integers", name,
                     descr));
  };
  if (descr.size() < 3 || std::string_view("<>|=").find(descr[0]) == std::string_view::npos) {
    unsupported();
  }
  const char kind = descr[1];
  const std::optional<index_t> item = parse_integer(std::string_view(descr).substr(2));
  const auto is_one_of = [&](std::initializer_list<index_t> sizes) {
    return item && std::find(sizes.begin(), sizes.end(), *item) != sizes.end();
  };
  StoredType stored;
  if (kind == 'f' && is_one_of({2})) {
    stored.word = Word::f16;
    stored.type = NpyType::float32;
  } else if (kind == 'f' && is_one_of({4, 8})) {
    stored.word = *item == 4 ? Word::f32 : Word::f64;
    stored.type = *item == 4 ? NpyType::float32 : NpyType::float64;
  } else if (kind == 'c' && is_one_of({8, 16})) {
    stored.word = *item == 8 ? Word::f32 : Word::f64;
    stored.type = *item == 8 ? NpyType::complex64 : NpyType::complex128;
  } else if (((kind == 'i' || kind == 'u') && is_one_of({1, 2, 4, 8})) || (kind == 'b' && is_one_of({1}))) {
    stored.word = integer_word(kind, *item);
    stored.type = NpyType::float64;
  } else {
    unsupported();
  }
  const char other_order = std::endian::native == std::endian::little ? '>' : '<';
  stored.swapped = descr[0] == other_order && word_bytes(stored.word) > 1;
  return stored;
}

NpyHeader read_npy_header(const std::function<std::size_t(std::span<std::byte>)>& read, const std::string& name) {
  const auto read_all = [&](std::span<std::byte> bytes) {
    if (const std::size_t done = read(bytes); done < bytes.size()) {
      fail_cut_short(name, done, bytes.size(), "its header");
    }
  };
  std::byte prefix[12];
  const std::size_t first = read(std::span(prefix, 8));
  PHPC_VALIDATE(first > 0, ErrorKind::input, fmt::format("'{}' is empty; give a .npy file", name));
  PHPC_VALIDATE(first == 8 && std::memcmp(prefix, "\x93NUMPY", 6) == 0, ErrorKind::input,
                fmt::format("'{}' is no .npy file (it does not begin with \\x93NUMPY); write it with numpy.save", name));
  const int major_version = std::to_integer<int>(prefix[6]);
  PHPC_VALIDATE(major_version >= 1 && major_version <= 3, ErrorKind::input,
                fmt::format("'{}' is of .npy version {}; versions 1 to 3 are known", name, major_version));
  const std::size_t length_bytes = npy_prefix_bytes(major_version) - 8;
  read_all(std::span(prefix, length_bytes));
  std::size_t length = 0;
  for (std::size_t byte = 0; byte < length_bytes; ++byte) {
    length |= std::to_integer<std::size_t>(prefix[byte]) << (8 * byte);
  }
  constexpr std::size_t longest_header = std::size_t{1} << 20;
  PHPC_VALIDATE(length <= longest_header, ErrorKind::input,
                fmt::format("'{}' has a malformed .npy header (of {} bytes); write it again with numpy.save", name, length));
  std::string text(length, '\0');
  read_all(std::as_writable_bytes(std::span(text)));
  return parse_npy_header(text, name);
}

std::size_t npy_item_bytes(NpyType type) {
  switch (type) {
    case NpyType::float32:
      return 4;
    case NpyType::float64:
    case NpyType::complex64:
      return 8;
    case NpyType::complex128:
      return 16;
  }
  return 0;
}

std::string_view to_string(NpyType type) {
  switch (type) {
    case NpyType::float32:
      return "float32";
    case NpyType::float64:
      return "float64";
    case NpyType::complex64:
      return "complex64";
    case NpyType::complex128:
      return "complex128";
  }
  return "";
}

NpyArray::NpyArray(NpyType type, std::vector<index_t> shape)
    : type_(type), shape_(std::move(shape)), size_(checked_size(shape_, npy_item_bytes(type))) {
  try {
    data_ = std::make_unique_for_overwrite<std::byte[]>(byte_count());
  } catch (const std::bad_alloc&) {
    fail(ErrorKind::memory,
         fmt::format("cannot hold an array of shape ({}) ({} of {}, more than the host's free memory); give it in parts",
                     fmt::join(shape_, ", "), format_bytes(byte_count()), to_string(type_)));
  }
}

ArrayReader open_npy(std::unique_ptr<ArrayReader::Source> source) {
  NpyHeader header =
      read_npy_header([&](std::span<std::byte> bytes) { return source->stream.read(bytes); }, source->stream.name());
  source->stored = npy_stored_type(header.descr, source->stream.name());
  source->shape = std::move(header.shape);
  source->fortran_order = header.fortran_order;
  return begin_elements(std::move(source));
}

NpyArray read_npy(const std::string& path) {
  ArrayReader reader = open_npy(path);
  NpyArray array(reader.type(), reader.shape());
  reader.read(array.bytes());
  reader.finish();
  return array;
}

void write_npy(OutputFile& out, NpyType type, std::span<const index_t> shape, std::span<const std::byte> elements) {
  out.write(npy_header(type, shape));
  out.write(elements);
}

void write_npy(OutputFile& out, const NpyArray& array) {
  write_npy(out, array.type(), array.shape(), array.bytes());
}

}  // namespace phpc::io
