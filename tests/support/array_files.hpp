#pragma once
#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "phpc/io/array_reader.hpp"

namespace phpc::test {

/// The bytes of values in the byte order asked for.
template <class T>
std::string bytes_of(const std::vector<T>& values, std::endian order = std::endian::native) {
  std::string bytes;
  for (const T& value : values) {
    std::string one(sizeof value, '\0');
    std::memcpy(one.data(), &value, sizeof value);
    bytes += order == std::endian::native ? one : std::string(one.rbegin(), one.rend());
  }
  return bytes;
}

/// A .npy file of version 1.0 put together by hand: `dictionary` is the header's text.
std::string npy_bytes(const std::string& dictionary, const std::string& elements);

/// What a WAV file is made of; sizes that are not given are the true ones.
struct WavFile {
  int codec = 1;  ///< 1 = PCM, 3 = floating point, 0xfffe = extensible (of subcodec)
  int subcodec = 1;
  int channels = 1;
  std::uint32_t rate = 8000;
  int sample_bytes = 2;
  std::string samples{};
  std::string chunks_before{};  ///< whole chunks between the format and the samples
  std::string form = "RIFF";    ///< RF64: with a ds64 chunk
  std::int64_t data_bytes = -1;
  std::int64_t riff_bytes = -1;
};
std::string wav_bytes(const WavFile& file);

/// One RIFF chunk, padded to an even size.
std::string riff_chunk(const std::string& identifier, const std::string& content);

/// All elements, read `part` at a time; 0 = in one go.
template <class T>
std::vector<T> read_all(io::ArrayReader reader, std::size_t part = 0) {
  std::vector<T> values(static_cast<std::size_t>(reader.size()));
  part = part == 0 ? values.size() : part;
  for (std::size_t first = 0; first < values.size(); first += part) {
    const std::size_t count = std::min(part, values.size() - first);
    reader.read(std::as_writable_bytes(std::span(values).subspan(first, count)));
  }
  reader.finish();
  return values;
}

/// A named pipe that a thread writes bytes to once somebody reads it.
class FeedingPipe {
 public:
  FeedingPipe(std::string path, std::string bytes);
  ~FeedingPipe();
  FeedingPipe(const FeedingPipe&) = delete;
  FeedingPipe& operator=(const FeedingPipe&) = delete;

 private:
  std::string path_;
  std::thread writer_;
};

}  // namespace phpc::test
