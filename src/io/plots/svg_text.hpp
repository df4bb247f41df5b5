#pragma once
#include <string>
#include <string_view>

namespace phpc::io {

/// Text between tags or in an attribute of SVG. What XML 1.0 cannot hold, control characters and those that turn the direction of
/// writing become question marks, a byte each where it is no UTF-8.
std::string escaped_for_svg(std::string_view text);

/// Text of at most `most` characters (>= 3): of a longer one the beginning and the end, around an ellipsis. Never cut within a
/// UTF-8 sequence.
std::string shortened_for_svg(std::string_view text, std::size_t most);

/// Width that text needs at a font size, from above: letters as wide as those of DejaVu Sans, the widest of the usual fonts.
double text_width(std::string_view text, double font_size);

/// Text that is no wider than `width`, shortened_for_svg() where it is.
std::string fitted_for_svg(std::string_view text, double font_size, double width);

}  // namespace phpc::io
