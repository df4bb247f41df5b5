#include "io/plots/svg_canvas.hpp"

#include <fmt/format.h>

#include "io/plots/svg_text.hpp"

namespace phpc::io {

SvgCanvas::SvgCanvas(double width, double height, std::string_view title) {
  constexpr std::size_t longest_title = 200;
  out_ = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
      "font-family=\"sans-serif\" font-size=\"13\">\n<title>{2}</title>\n"
      "<rect width=\"{0}\" height=\"{1}\" fill=\"#ffffff\"/>\n",
      width, height, escaped_for_svg(shortened_for_svg(title, longest_title)));
}

void SvgCanvas::line(double x1, double y1, double x2, double y2, std::string_view look) {
  out_ += fmt::format("<line x1=\"{:.2f}\" y1=\"{:.2f}\" x2=\"{:.2f}\" y2=\"{:.2f}\" {}/>\n", x1, y1, x2, y2, look);
}

void SvgCanvas::rectangle(double x, double y, double width, double height, std::string_view look) {
  out_ += fmt::format("<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" {}/>\n", x, y, width, height, look);
}

void SvgCanvas::text(double x, double y, std::string_view content, const SvgText& look) {
  std::string attributes;
  if (look.size != SvgText{}.size) {
    attributes += fmt::format(" font-size=\"{}\"", look.size);
  }
  if (look.family != nullptr) {
    attributes += fmt::format(" font-family=\"{}\"", look.family);
  }
  if (!look.is_upright) {
    attributes += fmt::format(" transform=\"rotate(-90 {:.2f} {:.2f})\"", x, y);
  }
  const std::string place = fmt::format("<text x=\"{:.2f}\" y=\"{:.2f}\" text-anchor=\"{}\"{}", x, y, look.anchor, attributes);
  const std::string letters = escaped_for_svg(content);
  if (look.has_halo) {
    out_ += fmt::format("{} stroke=\"#ffffff\" stroke-width=\"4\" stroke-linejoin=\"round\" aria-hidden=\"true\">{}</text>\n",
                        place, letters);
  }
  out_ += fmt::format("{} fill=\"{}\">{}</text>\n", place, look.color, letters);
}

void SvgCanvas::path(std::string_view data, std::string_view look) {
  out_ += fmt::format("<path d=\"{}\" {}/>\n", data, look);
}

void SvgCanvas::begin_frame(double x, double y, double width, double height) {
  out_ += fmt::format(
      "<svg x=\"{0:.2f}\" y=\"{1:.2f}\" width=\"{2:.2f}\" height=\"{3:.2f}\" viewBox=\"{0:.2f} {1:.2f} {2:.2f} {3:.2f}\">\n", x,
      y, width, height);
}

void SvgCanvas::end_frame() {
  out_ += "</svg>\n";
}

std::string SvgCanvas::finish() && {
  return std::move(out_) + "</svg>\n";
}

}  // namespace phpc::io
