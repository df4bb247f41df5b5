#include "port/edits/messages.hpp"

#include <algorithm>
#include <cstdio>
#include <utility>

namespace phpc::port {

void Refusals::add(Refusal refusal) {
  const bool known = std::any_of(all_.begin(), all_.end(), [&](const Refusal& other) {
    return other.file == refusal.file && other.line == refusal.line && other.what == refusal.what;
  });
  if (!known) {
    all_.push_back(std::move(refusal));
  }
}

namespace {

std::string line_of(const Refusal& one, const std::string& kind) {
  return one.file + ":" + std::to_string(one.line) + ": " + kind + ": " + one.what +
         (one.why.empty() ? "" : " (" + one.why + ")");
}

std::string quoted(const std::string& text) {
  std::string json = "\"";
  for (const char letter : text) {
    if (letter == '"' || letter == '\\') {
      json += '\\';
      json += letter;
    } else if (static_cast<unsigned char>(letter) < 0x20) {
      char code[8];
      std::snprintf(code, sizeof(code), "\\u%04x", static_cast<unsigned>(letter));
      json += code;
    } else {
      json += letter;
    }
  }
  return json + '"';
}

}  // namespace

std::string to_line(const Refusal& refusal) {
  return line_of(refusal, "not translated");
}

std::string to_warning(const Refusal& warning) {
  return line_of(warning, "warning");
}

std::string to_json(const std::vector<Refusal>& refusals) {
  std::string json = "[";
  for (const Refusal& refusal : refusals) {
    json += (json.size() == 1 ? "\n" : ",\n") + std::string("  {\"file\": ") + quoted(refusal.file) +
            ", \"line\": " + std::to_string(refusal.line) + ", \"what\": " + quoted(refusal.what) +
            ", \"why\": " + quoted(refusal.why) + "}";
  }
  return json + (refusals.empty() ? "]" : "\n]");
}

}  // namespace phpc::port
