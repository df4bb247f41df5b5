// Microsoft's RIFF WAVE ("Multimedia Programming Interface and Data Specifications 1.0", 1991), WAVE_FORMAT_EXTENSIBLE, and RF64
// (EBU Tech 3306) for more than 4 GiB.
#include <fmt/format.h>

#include <array>
#include <bit>

#include "io/arrays/array_source.hpp"
#include "phpc/core/error.hpp"

namespace phpc::io {

namespace {

constexpr std::uint32_t size_elsewhere = 0xffffffff;  // in RF64 ds64 has it; on pipes nobody knew it
constexpr int pcm = 1;
constexpr int ieee_float = 3;
constexpr int extensible = 0xfffe;

struct Format {
  int codec = 0;
  int channels = 0;
  std::uint32_t rate = 0;
  int frame_bytes = 0;
};

class WavHeader {
 public:
  explicit WavHeader(ByteStream& in) : in_(in) {}

  /// Reads up to the first sample.
  void read() {
    PHPC_VALIDATE(!in_.peek(1).empty(), ErrorKind::input, fmt::format("'{}' is empty; give a WAV file", in_.name()));
    const std::string form = identifier();
    PHPC_VALIDATE(form == "RIFF" || form == "RF64" || form == "BW64", ErrorKind::input,
                  fmt::format("'{}' is no WAV file (it does not begin with RIFF or RF64); convert it", in_.name()));
    riff_end_ = number(4);
    const bool says_size = riff_end_ != 0 && riff_end_ != size_elsewhere;
    riff_end_ = says_size ? riff_end_ + 8 : 0;
    PHPC_VALIDATE(identifier() == "WAVE", ErrorKind::input,
                  fmt::format("'{}' is a RIFF file of another kind than WAVE; give sound", in_.name()));
    bool has_format = false;
    for (;;) {
      const std::string chunk = identifier();
      const std::uint64_t size = number(4);
      if (chunk == "data") {
        PHPC_VALIDATE(has_format, ErrorKind::input,
                      fmt::format("'{}' has samples before their format (no 'fmt ' chunk); write it again", in_.name()));
        data_bytes_ = size_of_data(size);
        return;
      }
      const std::uint64_t begin = in_.position();
      if (chunk == "fmt ") {
        read_format(size);
        has_format = true;
      } else if (chunk == "ds64" && size >= 16) {
        const std::uint64_t riff_bytes = number(8);
        riff_end_ = riff_bytes + 8;
        wide_data_bytes_ = number(8);
      }
      // Chunks begin at even bytes.
      in_.skip(begin + size + size % 2 - in_.position(), fmt::format("its chunk '{}'", chunk));
    }
  }

  [[nodiscard]] const Format& format() const { return format_; }
  [[nodiscard]] std::uint64_t data_bytes() const { return data_bytes_; }

 private:
  std::string identifier() {
    std::string letters(4, '\0');
    in_.read_all(std::as_writable_bytes(std::span(letters)), "its header");
    return letters;
  }

  std::uint64_t number(std::size_t bytes) {
    std::array<std::byte, 8> raw{};
    in_.read_all(std::span(raw).first(bytes), "its header");
    std::uint64_t value = 0;
    for (std::size_t byte = bytes; byte-- > 0;) {
      value = value << 8 | std::to_integer<std::uint64_t>(raw[byte]);
    }
    return value;
  }

  void read_format(std::uint64_t size) {
    PHPC_VALIDATE(size >= 16, ErrorKind::input,
                  fmt::format("'{}' has a format chunk of {} bytes (16 at least); write it again", in_.name(), size));
    format_.codec = static_cast<int>(number(2));
    format_.channels = static_cast<int>(number(2));
    format_.rate = static_cast<std::uint32_t>(number(4));
    number(4);  // bytes a second
    format_.frame_bytes = static_cast<int>(number(2));
    number(2);  // bits a sample: of those that the frame has room for, the ones that are used
    if (format_.codec == extensible) {
      PHPC_VALIDATE(
          size >= 40, ErrorKind::input,
          fmt::format("'{}' has an extensible format chunk of {} bytes (40 at least); write it again", in_.name(), size));
      in_.skip(8, "its header");
      format_.codec = static_cast<int>(number(2));  // the first bytes of the subformat's GUID
    }
  }

  std::uint64_t size_of_data(std::uint64_t size) {
    if (size == size_elsewhere && wide_data_bytes_ != 0) {
      size = wide_data_bytes_;
    } else if (size == size_elsewhere) {
      const auto left = in_.left();
      PHPC_VALIDATE(
          left.has_value(), ErrorKind::input,
          fmt::format("'{}' does not say how long it is (its writer did not know); save it to a file first", in_.name()));
      return *left - *left % static_cast<std::uint64_t>(std::max(1, format_.frame_bytes));
    }
    PHPC_VALIDATE(riff_end_ == 0 || size <= riff_end_ - std::min(riff_end_, in_.position()), ErrorKind::input,
                  fmt::format("'{}' has sizes that contradict one another ({} bytes of samples in a file of {}); write it again",
                              in_.name(), size, riff_end_));
    return size;
  }

  ByteStream& in_;
  Format format_;
  std::uint64_t riff_end_ = 0;  ///< where the file ends by its own account; 0 = it does not say
  std::uint64_t wide_data_bytes_ = 0;
  std::uint64_t data_bytes_ = 0;
};

/// How samples of that format are stored. Integers become fractions of full scale.
StoredType stored_type(const Format& format, const std::string& name) {
  PHPC_VALIDATE(format.channels > 0 && format.rate > 0 && format.frame_bytes > 0 && format.frame_bytes % format.channels == 0,
                ErrorKind::input,
                fmt::format("'{}' has a malformed format ({} channels of {} bytes together, {} samples a second); write it again",
                            name, format.channels, format.frame_bytes, format.rate));
  const int bytes = format.frame_bytes / format.channels;
  StoredType stored;
  if (format.codec == ieee_float && bytes == 4) {
    stored = {.word = Word::f32, .type = NpyType::float32};
  } else if (format.codec == ieee_float && bytes == 8) {
    stored = {.word = Word::f64, .type = NpyType::float64};
  } else if (format.codec == pcm && bytes == 1) {
    stored = {.word = Word::u8, .type = NpyType::float32, .offset = 128, .scale = 0x1p-7};
  } else if (format.codec == pcm && bytes == 2) {
    stored = {.word = Word::i16, .type = NpyType::float32, .scale = 0x1p-15};
  } else if (format.codec == pcm && bytes == 3) {
    stored = {.word = Word::i24, .type = NpyType::float32, .scale = 0x1p-23};
  } else if (format.codec == pcm && bytes == 4) {
    stored = {.word = Word::i32, .type = NpyType::float64, .scale = 0x1p-31};
  } else {
    fail(ErrorKind::input,
         fmt::format("'{}' has samples of codec {} in {} bytes; convert it to PCM of 8 to 32 bits or to floating point", name,
                     format.codec, bytes));
  }
  stored.swapped = std::endian::native == std::endian::big && bytes > 1;
  return stored;
}

}  // namespace

ArrayReader open_wav(std::unique_ptr<ArrayReader::Source> source) {
  WavHeader header(source->stream);
  header.read();
  const Format& format = header.format();
  source->stored = stored_type(format, source->stream.name());
  const auto frame = static_cast<std::uint64_t>(format.frame_bytes);
  PHPC_VALIDATE(header.data_bytes() % frame == 0, ErrorKind::input,
                fmt::format("'{}' ends within a sample ({} bytes, {} for each time); write it again", source->stream.name(),
                            header.data_bytes(), frame));
  // One time after the other, all channels of each: Fortran order.
  source->shape = {format.channels, static_cast<index_t>(header.data_bytes() / frame)};
  source->fortran_order = true;
  source->trailer = Trailer::other;
  source->rate = format.rate;
  return begin_elements(std::move(source));
}

}  // namespace phpc::io
