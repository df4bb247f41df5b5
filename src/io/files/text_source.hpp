#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/files/byte_stream.hpp"

struct libdeflate_decompressor;

namespace phpc::io {

/// Part of a text, and what it is made from.
struct TextBlock {
  static constexpr std::size_t most_bytes = std::size_t{1} << 19;
  /// Bytes that may be read after the text.
  static constexpr std::size_t slack = 64;

  struct FreeDecompressor {
    void operator()(libdeflate_decompressor* done) const;
  };
  struct Member {
    std::size_t packed;  ///< bytes, one member after another in `packed`
    std::size_t plain;
  };

  std::vector<char> bytes;
  std::size_t size = 0;  ///< of the text in `bytes`
  std::uint64_t offset = 0;
  std::vector<char> packed;
  std::vector<Member> members;
  std::unique_ptr<libdeflate_decompressor, FreeDecompressor> decompressor;

  [[nodiscard]] std::string_view text() const { return {bytes.data(), size}; }
  /// Space for `wanted` bytes of text and the slack.
  char* reserve(std::size_t wanted);
};

/// A text in blocks of about most_bytes: from a file, a pipe, or decompressed.
class TextSource {
 public:
  virtual ~TextSource() = default;
  /// Takes hold of the next block; false at the end. One call at a time. Throws Error.
  virtual bool begin(TextBlock& block) = 0;
  /// Makes its text. Several calls at once, each for another block. Throws Error.
  virtual void fill(TextBlock& block) const = 0;
  /// Makes a begin() throw that waits for the bytes of a pipe on another thread, and every one that comes.
  virtual void interrupt() const {}
  [[nodiscard]] virtual const std::string& name() const = 0;
};

/// The text of a file as it is. Plain regular files are read by several threads at once, blocks of bgzip are decompressed so.
std::unique_ptr<TextSource> open_text_file(const std::string& path);
/// The text that a stream holds from its beginning on: gzip, in any number of members, or plain.
std::unique_ptr<TextSource> open_text_stream(ByteStream& stream);

bool is_gzip(std::string_view beginning);

/// The first bytes, at most `most`, of what a gzip file holds, of which `packed` are the first bytes. Error(input) where they are
/// no such thing.
std::string inflate_beginning(std::string_view packed, std::size_t most, const std::string& name);

}  // namespace phpc::io
