#include "io/files/text_source.hpp"

#include <libdeflate.h>

#include <algorithm>

#include "io/files/gzip_text.hpp"
#include "phpc/core/error.hpp"

namespace phpc::io {

namespace {

/// A regular file: who fills a block reads it, wherever it is.
class FileText final : public TextSource {
 public:
  explicit FileText(const std::string& path) : file_(path) {}

  bool begin(TextBlock& block) override {
    block.offset = next_;
    block.size = static_cast<std::size_t>(std::min<std::uint64_t>(TextBlock::most_bytes, *file_.size() - next_));
    next_ += block.size;
    return block.size > 0;
  }

  void fill(TextBlock& block) const override {
    if (file_.read_at(block.offset, {block.reserve(block.size), block.size}) != block.size) {
      fail(ErrorKind::io, "'" + file_.name() + "' became shorter while it was read; run again when nobody writes to it");
    }
  }

  [[nodiscard]] const std::string& name() const override { return file_.name(); }

 private:
  InputFile file_;
  std::uint64_t next_ = 0;
};

/// A pipe: read where blocks begin.
class StreamText final : public TextSource {
 public:
  explicit StreamText(ByteStream& stream) : stream_(stream) {}

  bool begin(TextBlock& block) override {
    block.size = stream_.read(std::as_writable_bytes(std::span(block.reserve(TextBlock::most_bytes), TextBlock::most_bytes)));
    return block.size > 0;
  }
  void fill(TextBlock& /*block*/) const override {}
  void interrupt() const override { stream_.interrupt(); }
  [[nodiscard]] const std::string& name() const override { return stream_.name(); }

 private:
  ByteStream& stream_;
};

/// A stream of its own, for a file that needs no looking ahead.
class OwnStreamText final : public TextSource {
 public:
  explicit OwnStreamText(const std::string& path) : stream_(path), text_(stream_) {}
  bool begin(TextBlock& block) override { return text_.begin(block); }
  void fill(TextBlock& block) const override { text_.fill(block); }
  [[nodiscard]] const std::string& name() const override { return text_.name(); }

 private:
  ByteStream stream_;
  GzipText text_;
};

}  // namespace

void TextBlock::FreeDecompressor::operator()(libdeflate_decompressor* done) const {
  libdeflate_free_decompressor(done);
}

char* TextBlock::reserve(std::size_t wanted) {
  if (bytes.size() < wanted + slack) {
    bytes.resize(wanted + slack);
  }
  return bytes.data();
}

bool is_gzip(std::string_view beginning) {
  return beginning.starts_with("\x1f\x8b");
}

std::unique_ptr<TextSource> open_text_file(const std::string& path) {
  const InputFile file(path);
  char beginning[2];
  const std::size_t got = file.read_at(0, beginning);
  if (is_gzip({beginning, got})) {
    return std::make_unique<OwnStreamText>(path);
  }
  return std::make_unique<FileText>(path);
}

std::unique_ptr<TextSource> open_text_stream(ByteStream& stream) {
  if (is_gzip(stream.peek(2))) {
    return std::make_unique<GzipText>(stream);
  }
  return std::make_unique<StreamText>(stream);
}

}  // namespace phpc::io
