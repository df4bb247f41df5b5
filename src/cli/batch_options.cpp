#include "cli/batch_options.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace phpc::cli {

void take_choice(const batch::SolverChoice& choice, BatchOptions& options) {
  options.method.solver = choice.solver;
  if (!options.preconditioner_given) {
    options.method.preconditioner = choice.preconditioner;
  }
}

double one_pass_bytes(index_t systems, index_t rows, index_t entries) {
  return static_cast<double>(systems * (entries + 3 * rows)) * sizeof(double);
}

void drop_unused_preconditioner(BatchOptions& options) {
  constexpr std::array<std::string_view, 4> direct{"lu", "tridiagonal", "lower", "upper"};
  if (!options.preconditioner_given && std::find(direct.begin(), direct.end(), options.method.solver) != direct.end()) {
    options.method.preconditioner = "none";
  }
}

}  // namespace phpc::cli
