#include "jobs/batch/options.hpp"

#include <algorithm>
#include <vector>

namespace phpc::jobs {

batch::Options settled_method(const BatchOptions& options) {
  batch::Options method = options.method;
  method.tolerance_kind = batch::parse_tolerance_kind(options.tolerance_kind);
  method.scaling = options.scaling == "auto" ? batch::Scaling::automatic : batch::Scaling::none;
  method.operation = options.transpose ? batch::Operation::transpose
                     : options.adjoint ? batch::Operation::adjoint
                                       : batch::Operation::none;
  const bool is_mixed = parse_batch_precision(options.precision) == BatchPrecision::mixed;
  method.inner_precision = is_mixed ? batch::Precision::f32 : batch::Precision::f64;
  return method;
}

batch::Storage storage_of(const BatchOptions& options, const batch::CsrPattern& pattern) {
  return options.matrix_format == "auto" ? batch::choose_storage(pattern) : batch::parse_storage(options.matrix_format);
}

namespace {

/// What solves the matrix, or its transpose, best in double throughout.
batch::SolverChoice choose_by_matrix(const batch::CsrPattern& pattern, std::span<const double> values, bool is_complex,
                                     const batch::Options& method) {
  const auto chosen = [is_complex](const batch::CsrPattern& of, std::span<const double> own) {
    if (!is_complex) {
      return batch::choose_solver(of, own);
    }
    std::vector<Complex<double>> numbers;
    for (std::size_t i = 0; i + 1 < own.size(); i += 2) {
      numbers.push_back({own[i], own[i + 1]});
    }
    return batch::choose_solver(of, std::span<const Complex<double>>(numbers));
  };
  if (method.operation == batch::Operation::none) {
    return chosen(pattern, values);
  }
  const batch::TransposedPattern transposed = batch::transposed(pattern);
  const std::size_t words = is_complex ? 2 : 1;
  std::vector<double> own;
  for (const std::int32_t entry : transposed.order) {
    const auto number = values.subspan(static_cast<std::size_t>(entry) * words, words);
    own.insert(own.end(), number.begin(), number.end());
  }
  return chosen(transposed.pattern, own);
}

}  // namespace

batch::SolverChoice choose_solver(const batch::CsrPattern& pattern, std::span<const double> values, bool is_complex,
                                  const batch::Options& method) {
  batch::SolverChoice choice = choose_by_matrix(pattern, values, is_complex, method);
  const std::vector<std::string> mixed = batch::mixed_solver_names();
  if (method.inner_precision == batch::Precision::f32 && std::find(mixed.begin(), mixed.end(), choice.solver) == mixed.end()) {
    // Those that have none are direct methods that exchange no rows, as this one.
    choice = {"sparse-lu", "none", choice.reason + "; " + choice.solver + " has no cycles in f32"};
  }
  return choice;
}

void take_choice(const batch::SolverChoice& choice, BatchOptions& options) {
  options.method.solver = choice.solver;
  options.solver_chosen = true;
  if (!options.preconditioner_given) {
    options.method.preconditioner = choice.preconditioner;
  }
}

double one_pass_bytes(index_t systems, index_t rows, double values) {
  return (values + 3 * static_cast<double>(systems) * static_cast<double>(rows)) * sizeof(double);
}

void drop_unused_preconditioner(BatchOptions& options) {
  const bool is_settled = options.method.solver != "auto";
  if (is_settled && !batch::takes_preconditioner(options.method.solver)) {
    options.method.preconditioner = "none";
  }
}

}  // namespace phpc::jobs
