#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>

#include "io/arrays/array_source.hpp"
#include "phpc/core/error.hpp"
#include "phpc/core/parse.hpp"

namespace phpc::io {

namespace {

struct Dtype {
  std::string_view name;
  Word word;
  NpyType type;
};

// The floating-point names count the bits of an element, as NumPy's do; those of complex integers the bits of one part, as in
// software radio.
constexpr std::array dtypes{
    Dtype{"f16", Word::f16, NpyType::float32},     Dtype{"f32", Word::f32, NpyType::float32},
    Dtype{"f64", Word::f64, NpyType::float64},     Dtype{"c64", Word::f32, NpyType::complex64},
    Dtype{"c128", Word::f64, NpyType::complex128}, Dtype{"i8", Word::i8, NpyType::float64},
    Dtype{"i16", Word::i16, NpyType::float64},     Dtype{"i24", Word::i24, NpyType::float64},
    Dtype{"i32", Word::i32, NpyType::float64},     Dtype{"i64", Word::i64, NpyType::float64},
    Dtype{"u8", Word::u8, NpyType::float64},       Dtype{"u16", Word::u16, NpyType::float64},
    Dtype{"u32", Word::u32, NpyType::float64},     Dtype{"u64", Word::u64, NpyType::float64},
    Dtype{"ci8", Word::i8, NpyType::complex128},   Dtype{"ci16", Word::i16, NpyType::complex128},
    Dtype{"ci32", Word::i32, NpyType::complex128}, Dtype{"cu8", Word::u8, NpyType::complex128},
};

struct Synonym {
  std::string_view name;
  std::string_view dtype;
};

/// What NumPy, C and software radio call them.
constexpr Synonym synonyms[] = {
    {"float16", "f16"}, {"half", "f16"},      {"float32", "f32"}, {"single", "f32"}, {"float", "f32"},       {"float64", "f64"},
    {"double", "f64"},  {"complex64", "c64"}, {"cf32", "c64"},    {"fc32", "c64"},   {"complex128", "c128"}, {"cf64", "c128"},
    {"fc64", "c128"},   {"int8", "i8"},       {"int16", "i16"},   {"int24", "i24"},  {"int32", "i32"},       {"int64", "i64"},
    {"uint8", "u8"},    {"uint16", "u16"},    {"uint32", "u32"},  {"uint64", "u64"}, {"cs8", "ci8"},         {"cs16", "ci16"},
    {"cs32", "ci32"},   {"sc8", "ci8"},       {"sc16", "ci16"},   {"sc32", "ci32"}};

StoredType stored_type(const std::string& name) {
  const bool big_endian = name.starts_with('>');
  const bool has_order = big_endian || name.starts_with('<');
  std::string bare = lower_case(std::string_view(name).substr(has_order ? 1 : 0));
  for (const Synonym& synonym : synonyms) {
    if (bare == synonym.name) {
      bare = synonym.dtype;
      break;
    }
  }
  const auto* const dtype = std::find_if(dtypes.begin(), dtypes.end(), [&](const Dtype& known) { return known.name == bare; });
  PHPC_VALIDATE(
      dtype != dtypes.end(), ErrorKind::usage,
      fmt::format("unknown element type '{}'; give one of {}, or NumPy's name as in complex64 (with > before it: big-endian)",
                  name, fmt::join(raw_dtypes(), ", ")));
  const bool is_native = big_endian == (std::endian::native == std::endian::big);
  return {.word = dtype->word, .type = dtype->type, .swapped = !is_native && word_bytes(dtype->word) > 1};
}

/// The shape with -1 replaced by what `bytes` bytes hold.
std::vector<index_t> completed(const std::vector<index_t>& shape, std::uint64_t bytes, std::size_t item_bytes,
                               const std::string& name) {
  std::vector<index_t> whole = shape;
  const auto open = std::find(whole.begin(), whole.end(), -1);
  *open = 1;
  const auto row = static_cast<std::uint64_t>(checked_size(whole, std::max<std::size_t>(item_bytes, 16))) * item_bytes;
  PHPC_VALIDATE(
      row > 0 && bytes % row == 0, ErrorKind::input,
      fmt::format("'{}' holds {} bytes, which shape ({}) does not divide ({} bytes for one of the -1); is it the shape?", name,
                  bytes, fmt::join(shape, ", "), row));
  *open = static_cast<index_t>(bytes / row);
  return whole;
}

}  // namespace

std::vector<std::string> raw_dtypes() {
  std::vector<std::string> names;
  names.reserve(dtypes.size());
  for (const Dtype& dtype : dtypes) {
    names.emplace_back(dtype.name);
  }
  return names;
}

ArrayReader open_raw(const std::string& path, const RawFormat& format) {
  const StoredType stored = stored_type(format.dtype);
  const std::vector<index_t> shape = format.shape.empty() ? std::vector<index_t>{-1} : format.shape;
  PHPC_VALIDATE(std::all_of(shape.begin(), shape.end(), [](index_t length) { return length >= -1; }) &&
                    std::count(shape.begin(), shape.end(), -1) <= 1,
                ErrorKind::usage,
                fmt::format("shape ({}) makes no sense; give lengths of at least 0, and at most one -1", fmt::join(shape, ", ")));
  auto source = std::make_unique<ArrayReader::Source>(path);
  const std::string_view magic = source->stream.peek(6);
  PHPC_VALIDATE(
      magic != "\x93NUMPY" && !magic.starts_with("RIFF"), ErrorKind::input,
      fmt::format("'{}' is no file of bare elements (it begins as a {} file, whose header says what it holds); leave its "
                  "type and shape out",
                  source->stream.name(), magic.starts_with("RIFF") ? ".wav" : ".npy"));
  source->stored = stored;
  source->shape = shape;
  if (std::find(shape.begin(), shape.end(), -1) != shape.end()) {
    const auto left = source->stream.left();
    source->shape = completed(shape, left ? *left : source->stream.hold_rest(format.most_held_bytes), stored.item_bytes(),
                              source->stream.name());
  }
  return begin_elements(std::move(source));
}

}  // namespace phpc::io
