#pragma once
#include <string>
#include <string_view>

namespace phpc::cli {

// Standard error, where nobody may be listening any more: what cannot be written is lost, and does not end the program. All that
// the program says goes through these, and is made printable here (core/printable.hpp).

/// One line, whatever `message` holds; a line end at its end may be there or not.
void say(std::string_view message);
/// A text of the program's own, line by line: help, a drawing.
void say_lines(std::string_view text);
/// Draws a line of a terminal anew, and stays on it.
void draw_line(std::string_view text);

}  // namespace phpc::cli
