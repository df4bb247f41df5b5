#pragma once
#include <string>

#include "cli/options/option_tree.hpp"

namespace phpc::cli {

// Scripts that complete subcommands, options and the values of options in a shell; where a value is none of a few known
// words, file names.
std::string bash_completion(const CommandEntry& program);
std::string zsh_completion(const CommandEntry& program);
std::string fish_completion(const CommandEntry& program);

}  // namespace phpc::cli
