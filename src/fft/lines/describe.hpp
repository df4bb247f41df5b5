#pragma once
#include <span>
#include <string>

namespace phpc::fft {

/// Returns the radices of the stages of a transform as text: "16 x 8 x 8".
inline std::string radix_text(std::span<const int> radices) {
  std::string text;
  for (const int radix : radices) {
    text += (text.empty() ? "" : " x ") + std::to_string(radix);
  }
  return text.empty() ? "1" : text;
}

}  // namespace phpc::fft
