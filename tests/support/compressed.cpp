#include "support/compressed.hpp"

#include <zlib.h>

#include <algorithm>
#include <stdexcept>

namespace phpc::test {

namespace {

void put(std::string& out, std::uint32_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) {
    out += static_cast<char>((value >> (8 * i)) & 0xff);
  }
}

std::string deflated(std::string_view text, int window_bits) {
  z_stream stream{};
  if (deflateInit2(&stream, 6, Z_DEFLATED, window_bits, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
    throw std::runtime_error("deflateInit2");
  }
  std::string out(deflateBound(&stream, text.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  const int result = deflate(&stream, Z_FINISH);
  out.resize(out.size() - stream.avail_out);
  deflateEnd(&stream);
  if (result != Z_STREAM_END) {
    throw std::runtime_error("deflate");
  }
  return out;
}

std::string bgzip_block(std::string_view text) {
  const std::string data = deflated(text, -15);
  std::string block("\x1f\x8b\x08\x04\0\0\0\0\0\xff\x06\0BC\x02\0", 16);
  put(block, static_cast<std::uint32_t>(16 + 2 + data.size() + 8 - 1), 2);
  block += data;
  put(block, static_cast<std::uint32_t>(crc32(0, reinterpret_cast<const Bytef*>(text.data()), static_cast<uInt>(text.size()))),
      4);
  put(block, static_cast<std::uint32_t>(text.size()), 4);
  return block;
}

}  // namespace

std::string gzip(std::string_view text) {
  return deflated(text, 16 + 15);
}

std::string bgzip_end() {
  return bgzip_block({});
}

std::string bgzip(std::string_view text, std::size_t block_bytes) {
  std::string out;
  for (std::size_t at = 0; at < text.size(); at += block_bytes) {
    out += bgzip_block(text.substr(at, block_bytes));
  }
  return out + bgzip_end();
}

}  // namespace phpc::test
