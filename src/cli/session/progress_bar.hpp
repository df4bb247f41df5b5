#pragma once
#include <memory>

#include "phpc/core/progress.hpp"

namespace phpc::cli {

/// A bar on standard error, redrawn at most ten times a second, wiped when the stage ends.
std::unique_ptr<Progress> make_progress_bar();

}  // namespace phpc::cli
