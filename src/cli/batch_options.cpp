#include "cli/batch_options.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

namespace phpc::cli {

batch::Options settled_method(const BatchOptions& options) {
  batch::Options method = options.method;
  method.tolerance_kind = batch::parse_tolerance_kind(options.tolerance_kind);
  method.scaling = options.scaling == "auto" ? batch::Scaling::automatic : batch::Scaling::none;
  method.operation = options.transpose ? batch::Operation::transpose : batch::Operation::none;
  const bool is_mixed = parse_batch_precision(options.precision) == BatchPrecision::mixed;
  method.inner_precision = is_mixed ? batch::Precision::f32 : batch::Precision::f64;
  return method;
}

batch::SolverChoice choose_solver(const batch::CsrPattern& pattern, std::span<const double> values,
                                  const batch::Options& method) {
  if (method.operation == batch::Operation::none) {
    return batch::choose_solver(pattern, values);
  }
  const batch::TransposedPattern transposed = batch::transposed(pattern);
  std::vector<double> own(values.size());
  std::transform(transposed.order.begin(), transposed.order.end(), own.begin(),
                 [&](std::int32_t entry) { return values[static_cast<std::size_t>(entry)]; });
  return batch::choose_solver(transposed.pattern, own);
}

void take_choice(const batch::SolverChoice& choice, BatchOptions& options) {
  options.method.solver = choice.solver;
  if (!options.preconditioner_given) {
    options.method.preconditioner = choice.preconditioner;
  }
}

double one_pass_bytes(index_t systems, index_t rows, index_t entries) {
  return static_cast<double>(systems) * static_cast<double>(entries + 3 * rows) * sizeof(double);
}

void drop_unused_preconditioner(BatchOptions& options) {
  const bool is_settled = options.method.solver != "auto";
  if (is_settled && !batch::takes_preconditioner(options.method.solver)) {
    options.method.preconditioner = "none";
  }
}

}  // namespace phpc::cli
