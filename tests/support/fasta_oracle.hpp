#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/files/text_source.hpp"

namespace phpc::test {

/// What a FASTA text holds, by the definition, line by line: names and upper-case letters, or the line of the first thing that is
/// wrong (1-based; 0: nothing is).
struct FastaContent {
  std::vector<std::pair<std::string, std::string>> sequences;
  std::uint64_t wrong_line = 0;
};
FastaContent oracle_fasta(std::string_view text);

/// A text in memory in blocks of `block_bytes`.
class MemoryText final : public io::TextSource {
 public:
  MemoryText(std::string_view text, std::size_t block_bytes) : text_(text), block_bytes_(block_bytes) {}
  bool begin(io::TextBlock& block) override;
  void fill(io::TextBlock& block) const override;
  [[nodiscard]] const std::string& name() const override { return name_; }

 private:
  std::string_view text_;
  std::size_t block_bytes_;
  std::size_t next_ = 0;
  std::string name_ = "memory.fa";
};

}  // namespace phpc::test
