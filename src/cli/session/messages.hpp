#pragma once
#include <string>
#include <string_view>

namespace phpc::cli {

// The log: standard error, where nobody may be listening any more. What cannot be written is lost, and does not end the program.
// All messages of the program go through these functions, which make them printable (core/printable.hpp).

/// Writes one line, whatever `message` holds; a line end at its end may be there or not.
void log_line(std::string_view message);
/// Writes a text of the program's own, line by line: help, a drawing.
void log_lines(std::string_view text);
/// Replaces the terminal's line at hand, and stays on it.
void draw_line(std::string_view text);

}  // namespace phpc::cli
