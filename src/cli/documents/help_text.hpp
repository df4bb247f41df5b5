#pragma once
#include <string>

#include "cli/options/option_tree.hpp"

namespace CLI {
class App;
}

namespace phpc::cli {

/// Columns of the terminal that `descriptor` is: COLUMNS, or what the terminal says, or 80 where it is none; from 40 to 120.
int text_width(int descriptor);

/// The help of the program itself, no line of it wider than `width` where it can be broken.
std::string help_text(const CommandEntry& program, int width);
/// The help of one of its commands.
std::string help_text(const CommandEntry& program, const CommandEntry& command, int width);

/// Prints the help of `chosen`, a command of `app` or itself, on standard output.
void print_help(const CLI::App& app, const CLI::App& chosen);

}  // namespace phpc::cli
