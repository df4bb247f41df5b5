#pragma once
#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "phpc/batch/solver.hpp"
#include "phpc/batch/work.hpp"

namespace phpc::jobs {

/// What numbers a batch is solved in.
enum class BatchPrecision {
  f64,
  mixed,  ///< cycles in f32, residual and x in f64
  f32,    ///< A, b and x rounded to f32
};

/// "f64", "mixed", "f32", in the order of BatchPrecision; Error(usage) for any other.
std::vector<std::string> batch_precision_names();
BatchPrecision parse_batch_precision(std::string_view name);

/// The values as numbers of T, of which complex ones take two each.
template <class T>
std::vector<T> numbers_of(std::span<const double> values) {
  std::vector<T> numbers(values.size() * sizeof(RealOf<T>) / sizeof(T));
  std::transform(values.begin(), values.end(), reinterpret_cast<RealOf<T>*>(numbers.data()),
                 [](double value) { return static_cast<RealOf<T>>(value); });
  return numbers;
}

/// The numbers of some systems as they were read.
struct BatchNumbers {
  batch::CsrPattern pattern;
  std::vector<double> values;  ///< (sets, entries), as all of two values a number where they are complex
  index_t systems;
  std::span<const double> rhs;
  bool is_complex = false;
};

/// batch::solve() of float for f32, else of double, or of complex numbers of these, with options that know of mixed; `x` holds
/// initial guesses and gets the solutions.
std::vector<batch::Report> solve_in(BatchPrecision precision, BatchNumbers numbers, std::span<double> x,
                                    const batch::Options& options, std::span<const exec::Device> devices, Progress& progress,
                                    const batch::PerSystem& per_system);

/// batch::Plan::describe() of those numbers.
std::string describe_in(BatchPrecision precision, bool is_complex, exec::Device device, const batch::CsrPattern& pattern,
                        const batch::Options& options, bool with_history);

/// batch::Plan::work() of those numbers.
batch::Work work_in(BatchPrecision precision, bool is_complex, exec::Device device, const batch::CsrPattern& pattern,
                    const batch::Options& options, double iterations);

}  // namespace phpc::jobs
