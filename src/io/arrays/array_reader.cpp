#include "phpc/io/array_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>

#include "io/arrays/array_source.hpp"
#include "io/arrays/foreign_array.hpp"
#include "phpc/core/error.hpp"

namespace phpc::io {

namespace {

constexpr std::size_t block_bytes = std::size_t{1} << 20;

/// Where the elements of an array in Fortran order stand in C order, one after the other.
class FortranWalk {
 public:
  explicit FortranWalk(const std::vector<index_t>& shape) : shape_(shape), stride_(shape.size()), position_(shape.size(), 0) {
    index_t next = 1;
    for (std::size_t axis = shape.size(); axis-- > 0;) {
      stride_[axis] = next;
      next *= shape[axis];
    }
  }
  [[nodiscard]] index_t place() const { return place_; }
  void advance() {
    for (std::size_t axis = 0; axis < shape_.size(); ++axis) {
      place_ += stride_[axis];
      if (++position_[axis] < shape_[axis]) {
        return;
      }
      place_ -= stride_[axis] * shape_[axis];
      position_[axis] = 0;
    }
  }

 private:
  const std::vector<index_t>& shape_;
  std::vector<index_t> stride_;
  std::vector<index_t> position_;
  index_t place_ = 0;
};

}  // namespace

index_t checked_size(std::span<const index_t> shape, std::size_t item_bytes) {
  constexpr std::size_t most_axes = 64;  // NumPy's own limit
  PHPC_VALIDATE(shape.size() <= most_axes, ErrorKind::input,
                fmt::format("a shape of {} axes is too long; give at most {}", shape.size(), most_axes));
  if (std::find(shape.begin(), shape.end(), 0) != shape.end()) {
    return 0;
  }
  constexpr index_t longest = std::numeric_limits<index_t>::max();
  index_t size = 1;
  for (const index_t length : shape) {
    PHPC_VALIDATE(size <= longest / static_cast<index_t>(item_bytes) / length, ErrorKind::input,
                  fmt::format("shape ({}) is too large (its bytes do not fit in 63 bits)", fmt::join(shape, ", ")));
    size *= length;
  }
  return size;
}

ArrayReader begin_elements(std::unique_ptr<ArrayReader::Source> source) {
  const std::size_t item = source->stored.item_bytes();
  source->size = checked_size(source->shape, std::max<std::size_t>(item, npy_item_bytes(source->stored.type)));
  source->first_element = source->stream.position();
  const std::uint64_t bytes = static_cast<std::uint64_t>(source->size) * item;
  if (const auto left = source->stream.left(); left && *left < bytes) {
    fail_cut_short(source->stream.name(), *left, bytes, "its elements");
  }
  return ArrayReader(std::move(source));
}

ArrayReader::ArrayReader(std::unique_ptr<Source> source) : source_(std::move(source)) {}
ArrayReader::ArrayReader(ArrayReader&&) noexcept = default;
ArrayReader& ArrayReader::operator=(ArrayReader&&) noexcept = default;
ArrayReader::~ArrayReader() = default;

const std::string& ArrayReader::name() const {
  return source_->stream.name();
}

NpyType ArrayReader::type() const {
  return source_->stored.type;
}

const std::vector<index_t>& ArrayReader::shape() const {
  return source_->shape;
}

index_t ArrayReader::size() const {
  return source_->size;
}

std::optional<double> ArrayReader::rate() const {
  return source_->rate;
}

bool ArrayReader::is_sequential() const {
  // Both orders are one where at most one axis is longer than 1.
  const auto is_long = [](index_t length) { return length > 1; };
  return !source_->fortran_order || std::count_if(source_->shape.begin(), source_->shape.end(), is_long) <= 1;
}

void ArrayReader::read(std::span<std::byte> elements) {
  PHPC_EXPECT(elements.size() % npy_item_bytes(type()) == 0);
  const auto count = static_cast<index_t>(elements.size() / npy_item_bytes(type()));
  PHPC_EXPECT(count <= source_->size - source_->done);
  is_sequential() ? read_sequential(elements) : read_scattered(elements);
  source_->done += count;
}

void ArrayReader::read_sequential(std::span<std::byte> elements) {
  constexpr std::string_view what = "its elements";
  Source& source = *source_;
  if (source.stored.is_verbatim()) {
    source.stream.read_all(elements, what);
    return;
  }
  const std::size_t from = source.stored.item_bytes();
  const std::size_t to = npy_item_bytes(type());
  const std::size_t part = block_bytes / from;
  std::vector<std::byte> raw(std::min(part, elements.size() / to) * from);
  while (!elements.empty()) {
    const std::size_t count = std::min(part, elements.size() / to);
    const std::span<std::byte> bytes = std::span(raw).first(count * from);
    source.stream.read_all(bytes, what);
    convert(source.stored, bytes, elements.first(count * to));
    elements = elements.subspan(count * to);
  }
}

void ArrayReader::read_scattered(std::span<std::byte> elements) {
  Source& source = *source_;
  const std::size_t from = source.stored.item_bytes();
  const std::size_t to = npy_item_bytes(type());
  const index_t count = static_cast<index_t>(elements.size() / to);
  if (source.stream.left()) {
    source.stream.seek(source.first_element);
  } else {
    PHPC_VALIDATE(count == source.size, ErrorKind::input,
                  fmt::format("'{}' holds its elements in Fortran order and does not fit into the memory allowed (a pipe can be "
                              "read only once); give a file, or allow more memory",
                              name()));
  }
  const auto part = static_cast<index_t>(block_bytes / from);
  std::vector<std::byte> raw(static_cast<std::size_t>(std::min(part, source.size)) * from);
  std::vector<std::byte> converted(raw.size() / from * to);
  FortranWalk walk(source.shape);
  for (index_t read = 0; read < source.size; read += part) {
    const auto in_block = static_cast<std::size_t>(std::min(part, source.size - read));
    const std::span<std::byte> bytes = std::span(raw).first(in_block * from);
    source.stream.read_all(bytes, "its elements");
    convert(source.stored, bytes, std::span(converted).first(in_block * to));
    for (std::size_t i = 0; i < in_block; ++i, walk.advance()) {
      const index_t place = walk.place() - source.done;
      if (place >= 0 && place < count) {
        std::memcpy(elements.data() + static_cast<std::size_t>(place) * to, converted.data() + i * to, to);
      }
    }
  }
}

void ArrayReader::keep_only(index_t first, index_t count) {
  PHPC_EXPECT(source_->done == 0);
  PHPC_VALIDATE(first >= 0 && count >= 0 && first <= source_->size - count, ErrorKind::usage,
                fmt::format("'{}' has {} elements; {} from {} on are not among them", name(), source_->size, count, first));
  source_->is_cut = true;
  if (is_sequential()) {
    source_->stream.seek(source_->first_element + static_cast<std::uint64_t>(first) * source_->stored.item_bytes());
  }
  source_->done = first;
}

void ArrayReader::finish() {
  if (source_->trailer == Trailer::other || source_->is_cut) {
    return;
  }
  std::byte more{};
  PHPC_VALIDATE(source_->stream.read(std::span(&more, 1)) == 0, ErrorKind::input,
                fmt::format("'{}' goes on after its elements ({} bytes by its shape); is it one array?", name(),
                            static_cast<std::uint64_t>(source_->size) * source_->stored.item_bytes()));
}

ArrayReader open_npy(const std::string& path) {
  return open_npy(std::make_unique<ArrayReader::Source>(path));
}

ArrayReader open_wav(const std::string& path) {
  return open_wav(std::make_unique<ArrayReader::Source>(path));
}

bool is_complex(NpyType type) {
  return type == NpyType::complex64 || type == NpyType::complex128;
}

void read_numbers(ArrayReader& reader, std::span<double> values) {
  if (reader.type() == NpyType::float64 || reader.type() == NpyType::complex128) {
    reader.read(std::as_writable_bytes(values));
    return;
  }
  std::vector<float> narrow(values.size());
  reader.read(std::as_writable_bytes(std::span(narrow)));
  std::copy(narrow.begin(), narrow.end(), values.begin());
}

ArrayReader open_array(const std::string& path, const std::optional<RawFormat>& raw) {
  if (raw) {
    return open_raw(path, *raw);
  }
  auto source = std::make_unique<ArrayReader::Source>(path);
  const std::string_view magic = source->stream.peek(4);
  const bool is_wav = magic == "RIFF" || magic == "RF64" || magic == "BW64";
  if (is_wav) {
    return open_wav(std::move(source));
  }
  const std::string_view beginning = source->stream.peek(64);
  if (!beginning.empty() && !beginning.starts_with("\x93NUMPY")) {
    const std::string advice = foreign_array_advice(beginning, path);
    PHPC_VALIDATE(advice.empty(), ErrorKind::input, fmt::format("'{}' {}", source->stream.name(), advice));
    fail(ErrorKind::input, fmt::format("'{}' is no .npy file (it does not begin with \\x93NUMPY) and no WAV file; write it with "
                                       "numpy.save, or for bare elements say their type with --dtype",
                                       source->stream.name()));
  }
  return open_npy(std::move(source));
}

}  // namespace phpc::io
