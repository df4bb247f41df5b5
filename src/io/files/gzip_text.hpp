#pragma once
#include <zlib.h>

#include <optional>
#include <vector>

#include "io/files/text_source.hpp"

namespace phpc::io {

/// Text of a gzip file, in any number of members, each checked against its sum. Members as bgzip writes them (a field in the
/// header tells their size) are decompressed by whoever fills a block; of others only the next piece is known, and whoever begins
/// a block decompresses it. Zero bytes after the last member are padding; anything else there is an error.
class GzipText final : public TextSource {
 public:
  explicit GzipText(ByteStream& stream);
  ~GzipText() override;
  GzipText(const GzipText&) = delete;
  GzipText& operator=(const GzipText&) = delete;

  bool begin(TextBlock& block) override;
  void fill(TextBlock& block) const override;
  void interrupt() const override { stream_.interrupt(); }
  [[nodiscard]] const std::string& name() const override { return stream_.name(); }

 private:
  bool have(std::size_t bytes);
  [[nodiscard]] std::string_view raw() const { return {raw_.data() + raw_at_, raw_end_ - raw_at_}; }
  [[nodiscard]] std::optional<std::size_t> bgzip_member_size();
  bool only_zeros_follow();
  void gather(TextBlock& block, std::size_t first_size);
  void inflate_some(TextBlock& block);
  [[noreturn]] void cut_short() const;
  [[noreturn]] void damaged(const std::string& why) const;

  ByteStream& stream_;
  std::vector<char> raw_;
  std::size_t raw_at_ = 0;
  std::size_t raw_end_ = 0;
  z_stream inflater_{};
  bool within_member_ = false;
  bool last_was_bgzip_ = false;
  bool last_was_empty_ = false;
};

}  // namespace phpc::io
