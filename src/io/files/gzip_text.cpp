#include "io/files/gzip_text.hpp"

#include <libdeflate.h>

#include <cstring>

#include "phpc/core/error.hpp"

namespace phpc::io {

namespace {

constexpr std::size_t raw_bytes = std::size_t{1} << 18;
constexpr std::size_t most_member_bytes = std::size_t{1} << 16;  ///< of bgzip, on either side
constexpr int gzip_only = 16 + MAX_WBITS;

std::uint32_t little_endian(const char* bytes, int count) {
  std::uint32_t value = 0;
  for (int i = 0; i < count; ++i) {
    value |= std::uint32_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
  }
  return value;
}

void start(z_stream& inflater) {
  PHPC_VALIDATE(inflateInit2(&inflater, gzip_only) == Z_OK, ErrorKind::memory, "no memory for decompression; free some");
}

}  // namespace

GzipText::GzipText(ByteStream& stream) : stream_(stream), raw_(raw_bytes) {
  start(inflater_);
}

GzipText::~GzipText() {
  inflateEnd(&inflater_);
}

void GzipText::cut_short() const {
  fail(ErrorKind::input, "'" + name() + "' is cut short (it ends within compressed data); copy it again");
}

void GzipText::damaged(const std::string& why) const {
  fail(ErrorKind::input, "'" + name() + "' is damaged (" + why + "); copy it again");
}

/// Whether the file has so many more bytes, at most raw_bytes; they are in raw() then.
bool GzipText::have(std::size_t bytes) {
  if (raw_end_ - raw_at_ < bytes) {
    std::memmove(raw_.data(), raw_.data() + raw_at_, raw_end_ - raw_at_);
    raw_end_ -= raw_at_;
    raw_at_ = 0;
    raw_end_ += stream_.read(std::as_writable_bytes(std::span(raw_).subspan(raw_end_)));
  }
  return raw_end_ - raw_at_ >= bytes;
}

/// The size in bytes of the member at hand, from the field "BC" that bgzip writes; nullopt without one.
std::optional<std::size_t> GzipText::bgzip_member_size() {
  constexpr std::size_t fixed = 12;
  constexpr char has_extra = 4;
  if (!have(fixed) || (raw()[3] & has_extra) == 0) {
    return std::nullopt;
  }
  const std::size_t extra = little_endian(raw().data() + 10, 2);
  if (!have(fixed + extra)) {
    cut_short();
  }
  for (std::size_t at = fixed; at + 4 <= fixed + extra;) {
    const std::size_t length = little_endian(raw().data() + at + 2, 2);
    if (raw()[at] == 'B' && raw()[at + 1] == 'C' && length == 2 && at + 6 <= fixed + extra) {
      return std::size_t{1} + little_endian(raw().data() + at + 4, 2);
    }
    at += 4 + length;
  }
  return std::nullopt;
}

bool GzipText::only_zeros_follow() {
  while (have(1)) {
    if (raw().find_first_not_of('\0') != std::string_view::npos) {
      return false;
    }
    raw_at_ = raw_end_;
  }
  return true;
}

bool GzipText::begin(TextBlock& block) {
  block.size = 0;
  while (block.size == 0) {
    if (!within_member_) {
      if (!have(1)) {
        if (last_was_bgzip_ && !last_was_empty_) {
          fail(ErrorKind::input,
               "'" + name() + "' is cut short (the empty block that bgzip ends a file with is missing); copy it again");
        }
        return false;
      }
      if (!have(2) || !is_gzip(raw())) {
        if (raw()[0] == '\0' && only_zeros_follow()) {
          return false;
        }
        if (raw_end_ - raw_at_ < 2) {
          cut_short();
        }
        damaged("what follows compressed data is not compressed");
      }
      const auto size = bgzip_member_size();
      last_was_bgzip_ = size.has_value();
      if (size.has_value()) {
        gather(block, *size);
        continue;
      }
      inflateReset(&inflater_);
      within_member_ = true;
    }
    inflate_some(block);
  }
  return true;
}

/// Takes members of bgzip, as many as fill a block.
void GzipText::gather(TextBlock& block, std::size_t first_size) {
  constexpr std::size_t smallest_member = 26;
  block.packed.clear();
  block.members.clear();
  std::optional<std::size_t> size = first_size;
  while (size.has_value() && block.size + most_member_bytes <= TextBlock::most_bytes) {
    if (*size < smallest_member) {
      damaged("the size of a compressed block is wrong");
    }
    if (!have(*size)) {
      cut_short();
    }
    const std::size_t plain = little_endian(raw().data() + *size - 4, 4);
    if (plain > most_member_bytes) {
      damaged("the size of a compressed block is wrong");
    }
    block.members.push_back({*size, plain});
    block.packed.insert(block.packed.end(), raw().begin(), raw().begin() + static_cast<std::ptrdiff_t>(*size));
    block.size += plain;
    raw_at_ += *size;
    last_was_empty_ = plain == 0;
    size = have(2) && is_gzip(raw()) ? bgzip_member_size() : std::nullopt;
  }
}

/// Decompresses the next bytes of a member.
void GzipText::inflate_some(TextBlock& block) {
  block.members.clear();
  char* const out = block.reserve(TextBlock::most_bytes);
  while (block.size < TextBlock::most_bytes && within_member_) {
    if (!have(1)) {
      cut_short();
    }
    inflater_.next_in = reinterpret_cast<Bytef*>(raw_.data() + raw_at_);
    inflater_.avail_in = static_cast<uInt>(raw_end_ - raw_at_);
    inflater_.next_out = reinterpret_cast<Bytef*>(out + block.size);
    inflater_.avail_out = static_cast<uInt>(TextBlock::most_bytes - block.size);
    const int result = inflate(&inflater_, Z_NO_FLUSH);
    raw_at_ = raw_end_ - inflater_.avail_in;
    block.size = TextBlock::most_bytes - inflater_.avail_out;
    if (result == Z_STREAM_END) {
      within_member_ = false;
    } else if (result != Z_OK && result != Z_BUF_ERROR) {
      damaged(inflater_.msg != nullptr ? inflater_.msg : "its data cannot be decompressed");
    }
  }
}

void GzipText::fill(TextBlock& block) const {
  if (block.members.empty()) {
    return;
  }
  if (block.decompressor == nullptr) {
    block.decompressor.reset(libdeflate_alloc_decompressor());
    PHPC_VALIDATE(block.decompressor != nullptr, ErrorKind::memory, "no memory for decompression; free some");
  }
  char* out = block.reserve(block.size);
  const char* in = block.packed.data();
  for (const TextBlock::Member& member : block.members) {
    std::size_t taken = 0;
    std::size_t made = 0;
    const libdeflate_result result =
        libdeflate_gzip_decompress_ex(block.decompressor.get(), in, member.packed, out, member.plain, &taken, &made);
    if (result != LIBDEFLATE_SUCCESS || taken != member.packed || made != member.plain) {
      damaged("a compressed block does not hold what its sum says");
    }
    in += member.packed;
    out += member.plain;
  }
}

std::string inflate_beginning(std::string_view packed, std::size_t most, const std::string& name) {
  z_stream inflater{};
  start(inflater);
  std::string text(most, '\0');
  inflater.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  inflater.avail_in = static_cast<uInt>(packed.size());
  inflater.next_out = reinterpret_cast<Bytef*>(text.data());
  inflater.avail_out = static_cast<uInt>(text.size());
  int result = Z_OK;
  while (result == Z_OK && inflater.avail_out > 0 && inflater.avail_in > 0) {
    result = inflate(&inflater, Z_NO_FLUSH);
    if (result == Z_STREAM_END && inflater.avail_in > 0 && inflateReset(&inflater) == Z_OK) {
      result = Z_OK;
    }
  }
  text.resize(most - inflater.avail_out);
  inflateEnd(&inflater);
  PHPC_VALIDATE(!text.empty() || result == Z_OK || result == Z_STREAM_END || result == Z_BUF_ERROR, ErrorKind::input,
                "'" + name + "' is damaged (it begins like gzip, and cannot be decompressed); copy it again");
  return text;
}

}  // namespace phpc::io
