#pragma once
#include <string>
#include <string_view>

namespace phpc::io {

/// Sizes that all pictures share.
inline constexpr double svg_margin = 20;
inline constexpr double svg_font_size = 13;
inline constexpr double svg_title_size = 16;

/// Look of text beside its place.
struct SvgText {
  const char* anchor = "start";  ///< or middle, end
  double size = svg_font_size;
  const char* color = "#1a1a1a";
  const char* family = nullptr;  ///< null = that of the picture
  bool has_halo = false;         ///< white around the letters, for text over lines
  bool is_upright = true;        ///< else turned, to be read from below
};

/// An SVG picture in the making: elements one after the other, the later above the earlier. Lengths are in units of the picture,
/// from its upper left corner; text is any UTF-8 text and is escaped here. The same calls make the same bytes.
class SvgCanvas {
 public:
  SvgCanvas(double width, double height, std::string_view title);

  void line(double x1, double y1, double x2, double y2, std::string_view look);
  void rectangle(double x, double y, double width, double height, std::string_view look);
  void text(double x, double y, std::string_view content, const SvgText& look = {});
  /// `data`: as SVG's attribute d has it.
  void path(std::string_view data, std::string_view look);
  /// What is drawn until the end shows within the rectangle alone.
  void begin_frame(double x, double y, double width, double height);
  void end_frame();

  /// The whole picture; nothing can be drawn behind it.
  [[nodiscard]] std::string finish() &&;

 private:
  std::string out_;
};

}  // namespace phpc::io
