#pragma once
#include <string>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace phpc::cli {

/// Adds --plot, which takes the place of an SVG picture: a name that ends in .svg or has no ending, or a folder where one has its
/// pictures by other names. Any other ending would lie about what is in the file, and is refused while the command line is read.
CLI::Option* add_plot_option(CLI::App& command, std::string& place, const std::string& description);

}  // namespace phpc::cli
