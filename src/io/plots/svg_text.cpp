#include "io/plots/svg_text.hpp"

#include <array>

namespace phpc::io {

namespace {

/// A character and the bytes that it takes. Of what is no UTF-8 a byte, with `code` 0.
struct Character {
  char32_t code;
  std::size_t bytes;
};

/// The character at the front of text that is not empty. Follows table 3-7 of the Unicode standard: neither longer than need be,
/// nor surrogates, nor beyond U+10FFFF.
Character first_character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned lead = byte(0);
  if (lead < 0x80) {
    return {lead, 1};
  }
  const std::size_t bytes = lead >= 0xc2 && lead < 0xe0   ? 2
                            : lead >= 0xe0 && lead < 0xf0 ? 3
                            : lead >= 0xf0 && lead < 0xf5 ? 4
                                                          : 0;
  if (bytes == 0 || bytes > text.size()) {
    return {0, 1};
  }
  constexpr std::array<char32_t, 5> lowest{0, 0, 0x80, 0x800, 0x10000};
  char32_t code = lead & (0x7fU >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xc0U) != 0x80) {
      return {0, 1};
    }
    code = code << 6U | (byte(i) & 0x3fU);
  }
  const bool is_surrogate = code >= 0xd800 && code < 0xe000;
  return code < lowest[bytes] || is_surrogate || code > 0x10ffff ? Character{0, 1} : Character{code, bytes};
}

/// Characters that XML holds and that show as themselves.
bool is_shown(char32_t code) {
  const bool is_control = code < 0x20 || (code >= 0x7f && code < 0xa0);
  const bool is_direction =
      (code >= 0x200e && code <= 0x200f) || (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
  return !is_control && !is_direction && code != 0xfffe && code != 0xffff;
}

/// In ems.
double letter_width(char32_t code) {
  constexpr std::string_view narrow = "iIjl.,:;'|! ";
  constexpr std::string_view middle = "frtJ()[]{}/\\-\"`";
  constexpr std::string_view wide = "mMwW%@&+=<>~_#^GOQNHDU";
  if (code >= 0x1100) {
    const bool is_raised_digit = code >= 0x2070 && code < 0x2080;
    const bool is_letter_or_mark = code >= 0x1e00 && code < 0x2100;
    return is_raised_digit ? 0.42 : is_letter_or_mark ? 0.8 : 1;
  }
  const auto is_in = [&](std::string_view letters) {
    return code < 0x80 && letters.find(static_cast<char>(code)) != letters.npos;
  };
  return is_in(narrow) ? 0.34 : is_in(middle) ? 0.47 : is_in("mMwW%@") ? 0.99 : is_in(wide) ? 0.84 : code < 0x80 ? 0.65 : 0.8;
}

}  // namespace

std::string escaped_for_svg(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const Character character = first_character(text);
    if (!is_shown(character.code)) {
      out += '?';
    } else if (character.code == '&') {
      out += "&amp;";
    } else if (character.code == '<') {
      out += "&lt;";
    } else if (character.code == '>') {
      out += "&gt;";
    } else if (character.code == '"') {
      out += "&quot;";
    } else {
      out += text.substr(0, character.bytes);
    }
    text.remove_prefix(character.bytes);
  }
  return out;
}

std::string shortened_for_svg(std::string_view text, std::size_t most) {
  std::size_t characters = 0;
  for (std::string_view rest = text; !rest.empty(); rest.remove_prefix(first_character(rest).bytes)) {
    ++characters;
  }
  if (characters <= most) {
    return std::string(text);
  }
  const std::size_t front = (most - 1) - (most - 1) / 3;
  const std::size_t back = characters - (most - 1) / 3;
  std::size_t front_end = 0;
  std::size_t back_begin = 0;
  std::size_t at = 0;
  for (std::size_t i = 0; i < back; ++i) {
    front_end = i == front ? at : front_end;
    at += first_character(text.substr(at)).bytes;
  }
  back_begin = at;
  return std::string(text.substr(0, front_end)) + "…" + std::string(text.substr(back_begin));
}

double text_width(std::string_view text, double font_size) {
  double ems = 0;
  while (!text.empty()) {
    const Character character = first_character(text);
    ems += letter_width(character.code);
    text.remove_prefix(character.bytes);
  }
  return ems * font_size;
}

std::string fitted_for_svg(std::string_view text, double font_size, double width) {
  constexpr std::size_t longest = 400;  // characters; no picture has room for as many
  std::string fitted = shortened_for_svg(text, longest);
  for (std::size_t most = longest; most > 3 && text_width(fitted, font_size) > width;) {
    --most;
    fitted = shortened_for_svg(fitted, most);  // both ends are still those of the text
  }
  return fitted;
}

}  // namespace phpc::io
