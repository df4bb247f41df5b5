#include "support/xml.hpp"

#include <cctype>
#include <set>
#include <vector>

namespace phpc::test {

namespace {

struct NotWellFormed {
  std::string what;
};

class Reader {
 public:
  explicit Reader(std::string_view document) : document_(document) {}

  void read() {
    do {
      if (!take("<")) {
        text("<");
      } else if (take("/")) {
        require(!open_.empty() && take(open_.back()) && take(">"), "an end tag without its start");
        open_.pop_back();
      } else {
        start_tag();
      }
    } while (!open_.empty() && at_ < document_.size());
    require(open_.empty(), "an element without its end");
    while (take("\n")) {
    }
    require(at_ == document_.size(), "something behind the root");
  }

  [[nodiscard]] std::size_t place() const { return at_; }

 private:
  static void require(bool holds, const char* what) {
    if (!holds) {
      throw NotWellFormed{what};
    }
  }

  bool take(std::string_view word) {
    const bool is_there = document_.substr(at_).starts_with(word);
    at_ += is_there ? word.size() : 0;
    return is_there;
  }

  std::string name() {
    const std::size_t first = at_;
    while (at_ < document_.size() && (std::isalnum(static_cast<unsigned char>(document_[at_])) != 0 || document_[at_] == '-')) {
      ++at_;
    }
    require(at_ > first && std::isalpha(static_cast<unsigned char>(document_[first])) != 0, "no name");
    return std::string(document_.substr(first, at_ - first));
  }

  void start_tag() {
    require(!open_.empty() || at_ == 1, "text before the root");
    const std::string element = name();
    std::set<std::string> attributes;
    while (take(" ")) {
      if (document_.substr(at_).starts_with("/")) {
        break;
      }
      require(attributes.insert(name()).second, "an attribute twice");
      require(take("=\""), "an attribute without a value");
      text("\"");
      require(take("\""), "a value without an end");
    }
    if (take("/>")) {
      return;
    }
    require(take(">"), "a tag without an end");
    open_.push_back(element);
  }

  /// Characters up to one of the given kind.
  void text(std::string_view end) {
    while (at_ < document_.size() && !document_.substr(at_).starts_with(end)) {
      require(document_[at_] != '<', "< in a value");
      if (take("&")) {
        require(take("amp;") || take("lt;") || take("gt;") || take("quot;") || take("apos;"), "an unknown reference");
      } else {
        character();
      }
    }
  }

  void character() {
    const auto lead = static_cast<unsigned char>(document_[at_++]);
    const int more = lead < 0x80 ? 0 : lead >> 5 == 6 ? 1 : lead >> 4 == 14 ? 2 : lead >> 3 == 30 ? 3 : -1;
    require(more >= 0, "no UTF-8");
    unsigned code = more == 0 ? lead : lead & (0x3fU >> more);
    for (int i = 0; i < more; ++i) {
      require(at_ < document_.size() && (static_cast<unsigned char>(document_[at_]) >> 6) == 2, "cut UTF-8");
      code = code << 6 | (static_cast<unsigned char>(document_[at_++]) & 0x3fU);
    }
    constexpr unsigned least[]{0, 0x80, 0x800, 0x10000};
    require(code >= least[more], "UTF-8 that is too long");
    const bool is_char = code == 9 || code == 10 || code == 13 || (code >= 0x20 && code < 0xd800) ||
                         (code >= 0xe000 && code <= 0xfffd) || (code >= 0x10000 && code <= 0x10ffff);
    require(is_char, "a character that XML does not have");
  }

  std::string_view document_;
  std::size_t at_ = 0;
  std::vector<std::string> open_;
};

}  // namespace

std::string xml_complaint(std::string_view document) {
  Reader reader(document);
  try {
    reader.read();
  } catch (const NotWellFormed& problem) {
    return problem.what + " at byte " + std::to_string(reader.place()) + ": " +
           std::string(document.substr(reader.place() < 40 ? 0 : reader.place() - 40, 80));
  }
  return "";
}

std::size_t occurrences(std::string_view text, std::string_view part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1)) {
    ++found;
  }
  return found;
}

}  // namespace phpc::test
