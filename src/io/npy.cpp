#include "phpc/io/npy.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <limits>
#include <optional>

#include "io/npy_header.hpp"
#include "phpc/core/error.hpp"
#include "phpc/core/parse.hpp"

namespace phpc::io {

namespace {

constexpr index_t longest = std::numeric_limits<index_t>::max();

/// A file descriptor read to its end.
class InputBytes {
 public:
  explicit InputBytes(const std::string& path) : name_(path == "-" ? "standard input" : path) {
    descriptor_ = path == "-" ? dup(STDIN_FILENO) : open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor_ < 0) {
      fail_errno("cannot open '" + name_ + "'", errno);
    }
    struct stat status{};
    if (fstat(descriptor_, &status) == 0 && S_ISDIR(status.st_mode)) {
      close(descriptor_);
      fail_errno("cannot read '" + name_ + "'", EISDIR);
    }
    if (S_ISREG(status.st_mode)) {
      const off_t at = lseek(descriptor_, 0, SEEK_CUR);
      left_ = static_cast<std::uint64_t>(std::max<off_t>(0, status.st_size - std::max<off_t>(at, 0)));
    }
  }
  ~InputBytes() { close(descriptor_); }
  InputBytes(const InputBytes&) = delete;
  InputBytes& operator=(const InputBytes&) = delete;

  [[nodiscard]] const std::string& name() const { return name_; }
  /// Bytes not yet read of a regular file.
  [[nodiscard]] std::optional<std::uint64_t> left() const { return left_; }

  /// As many bytes as there are, up to `bytes.size()`.
  std::size_t read(std::span<std::byte> bytes) {
    std::size_t done = 0;
    while (done < bytes.size()) {
      const ssize_t count = ::read(descriptor_, bytes.data() + done, bytes.size() - done);
      if (count < 0) {
        if (errno == EINTR) {
          continue;
        }
        fail_errno("cannot read '" + name_ + "'", errno);
      }
      if (count == 0) {
        break;
      }
      done += static_cast<std::size_t>(count);
    }
    if (left_) {
      *left_ -= std::min<std::uint64_t>(*left_, done);
    }
    return done;
  }

  /// Exactly bytes.size() bytes; fewer are an error.
  void read_all(std::span<std::byte> bytes, std::string_view what) {
    const std::size_t done = read(bytes);
    PHPC_VALIDATE(done == bytes.size(), ErrorKind::input,
                  fmt::format("'{}' is cut short ({} of {} bytes of {}); copy it again", name_, done, bytes.size(), what));
  }

 private:
  std::string name_;
  int descriptor_;
  std::optional<std::uint64_t> left_;
};

/// How the file holds its elements.
struct StoredType {
  NpyType type;            ///< what they become
  char kind;               ///< f, c, i, u, b
  std::size_t item_bytes;  ///< of an element
  std::size_t word_bytes;  ///< of what byte order applies to
  bool swapped;
};

StoredType stored_type(const std::string& descr, const std::string& name) {
  const auto unsupported = [&] {
    fail(ErrorKind::input,
         fmt::format("'{}' has elements of type '{}'; give float32, float64, complex64, complex128 or integers", name, descr));
  };
  if (descr.size() < 3 || std::string_view("<>|=").find(descr[0]) == std::string_view::npos) {
    unsupported();
  }
  const char kind = descr[1];
  const std::optional<index_t> item = parse_integer(std::string_view(descr).substr(2));
  const auto is_one_of = [&](std::initializer_list<index_t> sizes) {
    return item && std::find(sizes.begin(), sizes.end(), *item) != sizes.end();
  };
  const bool known = (kind == 'f' && is_one_of({4, 8})) || (kind == 'c' && is_one_of({8, 16})) ||
                     ((kind == 'i' || kind == 'u') && is_one_of({1, 2, 4, 8})) || (kind == 'b' && is_one_of({1}));
  if (!known) {
    unsupported();
  }
  StoredType stored{NpyType::float64, kind, static_cast<std::size_t>(*item), static_cast<std::size_t>(*item), false};
  if (kind == 'c') {
    stored.word_bytes /= 2;
    stored.type = *item == 8 ? NpyType::complex64 : NpyType::complex128;
  } else if (kind == 'f' && *item == 4) {
    stored.type = NpyType::float32;
  }
  const char other_order = std::endian::native == std::endian::little ? '>' : '<';
  stored.swapped = descr[0] == other_order && stored.word_bytes > 1;
  return stored;
}

NpyHeader read_header(InputBytes& in) {
  std::byte prefix[12];
  const std::size_t first = in.read(std::span(prefix, 8));
  PHPC_VALIDATE(first > 0, ErrorKind::input, fmt::format("'{}' is empty; give a .npy file", in.name()));
  PHPC_VALIDATE(first == 8 && std::memcmp(prefix, "\x93NUMPY", 6) == 0, ErrorKind::input,
                fmt::format("'{}' is no .npy file (it does not begin with \\x93NUMPY); write it with numpy.save", in.name()));
  const int major_version = std::to_integer<int>(prefix[6]);
  PHPC_VALIDATE(major_version >= 1 && major_version <= 3, ErrorKind::input,
                fmt::format("'{}' is of .npy version {}; versions 1 to 3 are known", in.name(), major_version));
  const std::size_t length_bytes = npy_prefix_bytes(major_version) - 8;
  in.read_all(std::span(prefix, length_bytes), "its header");
  std::size_t length = 0;
  for (std::size_t byte = 0; byte < length_bytes; ++byte) {
    length |= std::to_integer<std::size_t>(prefix[byte]) << (8 * byte);
  }
  constexpr std::size_t longest_header = std::size_t{1} << 20;
  PHPC_VALIDATE(length <= longest_header, ErrorKind::input,
                fmt::format("'{}' has a malformed .npy header (of {} bytes); write it again with numpy.save", in.name(), length));
  std::string text(length, '\0');
  in.read_all(std::as_writable_bytes(std::span(text)), "its header");
  return parse_npy_header(text, in.name());
}

void swap_words(std::span<std::byte> bytes, std::size_t word_bytes) {
  for (std::size_t at = 0; at < bytes.size(); at += word_bytes) {
    std::reverse(bytes.data() + at, bytes.data() + at + word_bytes);
  }
}

template <class Integer>
double element_as_double(const std::byte* at) {
  Integer value;
  std::memcpy(&value, at, sizeof value);
  return static_cast<double>(value);
}

using Converter = double (*)(const std::byte*);

Converter integer_converter(const StoredType& stored) {
  const bool is_signed = stored.kind == 'i';
  switch (stored.item_bytes) {
    case 1:
      return is_signed ? element_as_double<std::int8_t> : element_as_double<std::uint8_t>;
    case 2:
      return is_signed ? element_as_double<std::int16_t> : element_as_double<std::uint16_t>;
    case 4:
      return is_signed ? element_as_double<std::int32_t> : element_as_double<std::uint32_t>;
    default:
      return is_signed ? element_as_double<std::int64_t> : element_as_double<std::uint64_t>;
  }
}

/// Reads elements in the order of the file, in this machine's byte order and of the type that they become.
void read_elements(InputBytes& in, const StoredType& stored, NpyArray& array) {
  if (stored.kind == 'f' || stored.kind == 'c') {
    in.read_all(array.bytes(), "its elements");
    if (stored.swapped) {
      swap_words(array.bytes(), stored.word_bytes);
    }
    return;
  }
  const Converter convert = integer_converter(stored);
  constexpr index_t part = 1 << 16;
  std::vector<std::byte> raw(static_cast<std::size_t>(std::min(part, array.size())) * stored.item_bytes);
  const std::span<double> values = array.values<double>();
  for (index_t done = 0; done < array.size(); done += part) {
    const auto count = static_cast<std::size_t>(std::min(part, array.size() - done));
    const std::span<std::byte> bytes = std::span(raw).first(count * stored.item_bytes);
    in.read_all(bytes, "its elements");
    if (stored.swapped) {
      swap_words(bytes, stored.word_bytes);
    }
    for (std::size_t i = 0; i < count; ++i) {
      values[static_cast<std::size_t>(done) + i] = convert(bytes.data() + i * stored.item_bytes);
    }
  }
}

/// The same array with the last axis contiguous, from one with the first axis contiguous.
NpyArray in_c_order(const NpyArray& fortran) {
  NpyArray ordered(fortran.type(), fortran.shape());
  const std::vector<index_t>& shape = fortran.shape();
  const std::size_t item = npy_item_bytes(fortran.type());
  std::vector<index_t> stride(shape.size());
  index_t next = 1;
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    stride[axis] = next;
    next *= shape[axis];
  }
  std::vector<index_t> position(shape.size(), 0);
  index_t from = 0;
  for (index_t to = 0; to < ordered.size(); ++to) {
    std::memcpy(ordered.bytes().data() + static_cast<std::size_t>(to) * item,
                fortran.bytes().data() + static_cast<std::size_t>(from) * item, item);
    for (std::size_t axis = shape.size(); axis-- > 0;) {
      from += stride[axis];
      if (++position[axis] < shape[axis]) {
        break;
      }
      from -= stride[axis] * shape[axis];
      position[axis] = 0;
    }
  }
  return ordered;
}

index_t checked_size(std::span<const index_t> shape, std::size_t item_bytes) {
  // An axis of length 0 makes the array empty whatever the others are, as in NumPy.
  index_t size = 1;
  for (const index_t length : shape) {
    if (length == 0) {
      return 0;
    }
  }
  for (const index_t length : shape) {
    PHPC_VALIDATE(size <= longest / static_cast<index_t>(item_bytes) / length, ErrorKind::input,
                  fmt::format("shape ({}) is too large (its bytes do not fit in 63 bits)", fmt::join(shape, ", ")));
    size *= length;
  }
  return size;
}

}  // namespace

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

NpyArray read_npy(const std::string& path) {
  InputBytes in(path);
  const NpyHeader header = read_header(in);
  const StoredType stored = stored_type(header.descr, in.name());
  // Compare sizes before taking memory: a damaged shape must not ask for all of it.
  const auto bytes =
      static_cast<std::uint64_t>(checked_size(header.shape, std::max<std::size_t>(stored.item_bytes, 8))) * stored.item_bytes;
  if (const auto left = in.left()) {
    PHPC_VALIDATE(*left >= bytes, ErrorKind::input,
                  fmt::format("'{}' is cut short ({} of {} bytes of its elements); copy it again", in.name(), *left, bytes));
  }
  NpyArray array(stored.type, header.shape);
  read_elements(in, stored, array);
  std::byte more{};
  PHPC_VALIDATE(in.read(std::span(&more, 1)) == 0, ErrorKind::input,
                fmt::format("'{}' goes on after its elements ({} bytes by its header); is it one array?", in.name(), bytes));
  if (header.fortran_order && header.shape.size() > 1) {
    return in_c_order(array);
  }
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
