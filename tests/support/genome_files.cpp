#include "support/genome_files.hpp"

#include <gtest/gtest.h>

#include <cctype>
#include <functional>

namespace phpc::test {

void CollectingConsumer::begin_sequence(std::string_view name) {
  EXPECT_FALSE(open_);
  open_ = true;
  sequences.emplace_back(name, "");
}

void CollectingConsumer::letters(std::string_view block) {
  EXPECT_TRUE(open_);
  EXPECT_FALSE(block.empty());
  for (const char letter : block) {
    sequences.back().second += static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
  }
}

void CollectingConsumer::bases(std::span<const BaseWord> words, index_t count) {
  EXPECT_TRUE(open_);
  EXPECT_GT(count, 0);
  std::string letters;
  for (index_t i = 0; i < count; ++i) {
    letters += base_letter(words, i);
  }
  EXPECT_EQ(letters.find('?'), std::string::npos);
  sequences.back().second += letters;
}

void CollectingConsumer::end_sequence() {
  EXPECT_TRUE(open_);
  open_ = false;
}

namespace {

void put(std::string& out, std::uint64_t value, int bytes, ByteOrder order) {
  for (int i = 0; i < bytes; ++i) {
    const int shift = 8 * (order == ByteOrder::little ? i : bytes - 1 - i);
    out += static_cast<char>((value >> shift) & 0xff);
  }
}

void put_blocks(std::string& out, const std::string& letters, ByteOrder order, const std::function<bool(char)>& belongs) {
  std::vector<std::pair<std::size_t, std::size_t>> blocks;
  for (std::size_t i = 0; i < letters.size(); ++i) {
    if (belongs(letters[i])) {
      if (i == 0 || !belongs(letters[i - 1])) {
        blocks.emplace_back(i, 0);
      }
      ++blocks.back().second;
    }
  }
  put(out, blocks.size(), 4, order);
  for (const auto& block : blocks) {
    put(out, block.first, 4, order);
  }
  for (const auto& block : blocks) {
    put(out, block.second, 4, order);
  }
}

std::string record(const std::string& letters, ByteOrder order) {
  std::string out;
  put(out, letters.size(), 4, order);
  put_blocks(out, letters, order, [](char letter) { return std::toupper(letter) == 'N'; });
  put_blocks(out, letters, order, [](char letter) { return std::islower(letter) != 0; });
  put(out, 0, 4, order);
  for (std::size_t i = 0; i < letters.size(); i += 4) {
    unsigned byte = 0;
    for (std::size_t k = i; k < i + 4; ++k) {
      const std::size_t code = k < letters.size() ? std::string("TCAG").find(static_cast<char>(std::toupper(letters[k]))) : 0;
      byte = byte << 2 | (code < 4 ? static_cast<unsigned>(code) : 0);
    }
    out += static_cast<char>(byte);
  }
  return out;
}

}  // namespace

std::string make_twobit(const std::vector<std::pair<std::string, std::string>>& sequences, ByteOrder order,
                        std::uint32_t version) {
  const int offset_bytes = version == 0 ? 4 : 8;
  std::size_t at = 16;
  for (const auto& [name, letters] : sequences) {
    at += 1 + name.size() + static_cast<std::size_t>(offset_bytes);
  }
  std::string header;
  std::string records;
  put(header, 0x1A412743, 4, order);
  put(header, version, 4, order);
  put(header, sequences.size(), 4, order);
  put(header, 0, 4, order);
  for (const auto& [name, letters] : sequences) {
    header += static_cast<char>(name.size());
    header += name;
    put(header, at + records.size(), offset_bytes, order);
    records += record(letters, order);
  }
  return header + records;
}

}  // namespace phpc::test
