#pragma once
#include <string>
#include <string_view>

namespace phpc::io {

/// Text between tags or in an attribute of SVG; what XML 1.0 cannot hold becomes a question mark.
std::string escaped_for_svg(std::string_view text);

/// Text of at most `most` characters (>= 4), "..." at the end where it was longer. Never within a UTF-8 sequence.
std::string shortened_for_svg(std::string_view text, std::size_t most);

}  // namespace phpc::io
