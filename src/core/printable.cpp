#include "phpc/core/printable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>

namespace phpc {

namespace {

constexpr std::size_t longest_word = 512;
constexpr std::size_t longest_text = 4096;

std::uint8_t byte_at(std::string_view text, std::size_t i) {
  return static_cast<std::uint8_t>(text[i]);
}

bool continues_character(std::string_view text, std::size_t i) {
  return i < text.size() && (byte_at(text, i) & 0xC0) == 0x80;
}

/// Bytes of the UTF-8 character at the beginning of `text`, 0 where none is well-formed (Unicode 15, table 3-7).
std::size_t character_bytes(std::string_view text) {
  const std::uint8_t lead = byte_at(text, 0);
  if (lead < 0x80) {
    return 1;
  }
  const std::size_t bytes = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4) {
    return 0;
  }
  for (std::size_t i = 1; i < bytes; ++i) {
    if (!continues_character(text, i)) {
      return 0;
    }
  }
  const std::uint8_t second = byte_at(text, 1);
  const bool is_overlong = (lead == 0xE0 && second < 0xA0) || (lead == 0xF0 && second < 0x90);
  const bool is_beyond = (lead == 0xED && second > 0x9F) || (lead == 0xF4 && second > 0x8F);
  return is_overlong || is_beyond ? 0 : bytes;
}

/// The first and the last letters of a text that is longer than `most` bytes; no character is cut.
std::string cut(std::string_view text, std::size_t most) {
  if (text.size() <= most) {
    return std::string(text);
  }
  const std::size_t kept = most / 2 - 16;  // what says how much is missing takes the rest
  std::size_t head = kept;
  std::size_t tail = text.size() - kept;
  for (int step = 0; step < 3 && continues_character(text, head); ++step) {
    --head;
  }
  for (int step = 0; step < 3 && continues_character(text, tail); ++step) {
    ++tail;
  }
  return fmt::format("{}...({} bytes left out)...{}", text.substr(0, head), tail - head, text.substr(tail));
}

std::string with_words_cut(std::string_view text) {
  std::string out;
  std::size_t start = 0;
  while (start < text.size()) {
    const std::size_t word = std::min(text.find_first_not_of(' ', start), text.size());
    const std::size_t stop = std::min(text.find(' ', word), text.size());
    out += text.substr(start, word - start);
    out += cut(text.substr(word, stop - word), longest_word);
    start = stop;
  }
  return out;
}

}  // namespace

std::string printable(std::string_view text) {
  const std::string shown = cut(with_words_cut(text), longest_text);
  std::string out;
  out.reserve(shown.size());
  std::string_view rest = shown;
  while (!rest.empty()) {
    const std::size_t bytes = character_bytes(rest);
    const std::uint8_t lead = byte_at(rest, 0);
    const bool is_control = lead < 0x20 || lead == 0x7F || (lead == 0xC2 && bytes == 2 && byte_at(rest, 1) < 0xA0);
    const std::size_t taken = std::max<std::size_t>(bytes, 1);
    if (bytes == 0 || is_control) {
      for (std::size_t i = 0; i < taken; ++i) {
        fmt::format_to(std::back_inserter(out), "\\x{:02x}", byte_at(rest, i));
      }
    } else {
      out += rest.substr(0, taken);
    }
    rest.remove_prefix(taken);
  }
  return out;
}

}  // namespace phpc
