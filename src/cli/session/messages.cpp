#include "cli/session/messages.hpp"

#include <algorithm>
#include <cstdio>

#include "phpc/core/printable.hpp"

namespace phpc::cli {

namespace {

void write(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
}

}  // namespace

void log_line(std::string_view message) {
  if (message.ends_with('\n')) {
    message.remove_suffix(1);
  }
  write(printable(message) + '\n');
}

void log_lines(std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    log_line(text.substr(0, end));
    text.remove_prefix(end);
  }
}

void draw_line(std::string_view text) {
  write("\r\033[K" + printable(text));
  std::fflush(stderr);
}

}  // namespace phpc::cli
