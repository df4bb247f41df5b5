#pragma once
#include <string>

#include "cli/options/option_tree.hpp"

namespace phpc::cli {

/// The manual page portable-hpc(1) in man(7) markup.
std::string man_page(const CommandEntry& program, const std::string& version);

}  // namespace phpc::cli
