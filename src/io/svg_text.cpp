#include "io/svg_text.hpp"

#include <algorithm>

namespace phpc::io {

namespace {

/// The bytes of the UTF-8 sequence at the front of `text`; 0 where there is none.
std::size_t sequence_bytes(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const std::size_t bytes = byte(0) < 0x80                      ? 1
                            : byte(0) >= 0xc2 && byte(0) < 0xe0 ? 2
                            : byte(0) >= 0xe0 && byte(0) < 0xf0 ? 3
                                                                : 4;
  if (bytes > text.size() || (byte(0) >= 0x80 && byte(0) < 0xc2) || byte(0) > 0xf4) {
    return 0;
  }
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xc0) != 0x80) {
      return 0;
    }
  }
  return bytes;
}

}  // namespace

std::string escaped_for_svg(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t bytes = sequence_bytes(text);
    const char letter = text.front();
    if (bytes == 0 || (bytes == 1 && static_cast<unsigned char>(letter) < 0x20)) {
      out += '?';
    } else if (letter == '&') {
      out += "&amp;";
    } else if (letter == '<') {
      out += "&lt;";
    } else if (letter == '>') {
      out += "&gt;";
    } else if (letter == '"') {
      out += "&quot;";
    } else {
      out += text.substr(0, bytes);
    }
    text.remove_prefix(std::max<std::size_t>(1, bytes));
  }
  return out;
}

std::string shortened_for_svg(std::string_view text, std::size_t most) {
  std::size_t characters = 0;
  std::size_t kept = 0;  // bytes of the first most - 3 characters
  for (std::size_t at = 0; at < text.size(); ++characters) {
    if (characters == most) {
      return std::string(text.substr(0, kept)) + "...";
    }
    at += std::max<std::size_t>(1, sequence_bytes(text.substr(at)));
    kept = characters + 1 <= most - 3 ? at : kept;
  }
  return std::string(text);
}

}  // namespace phpc::io
