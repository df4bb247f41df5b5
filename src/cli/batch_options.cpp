#include "cli/batch_options.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace phpc::cli {

void drop_unused_preconditioner(BatchOptions& options) {
  constexpr std::array<std::string_view, 4> direct{"lu", "tridiagonal", "lower", "upper"};
  if (!options.preconditioner_given && std::find(direct.begin(), direct.end(), options.method.solver) != direct.end()) {
    options.method.preconditioner = "none";
  }
}

}  // namespace phpc::cli
