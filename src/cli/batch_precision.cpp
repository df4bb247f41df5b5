#include "cli/batch_precision.hpp"

#include <algorithm>
#include <iterator>

#include "phpc/batch/plan.hpp"
#include "phpc/core/error.hpp"

namespace phpc::cli {

namespace {

constexpr std::string_view names[] = {"f64", "mixed", "f32"};

std::vector<float> narrowed(std::span<const double> values) {
  std::vector<float> narrow(values.size());
  std::transform(values.begin(), values.end(), narrow.begin(), [](double value) { return static_cast<float>(value); });
  return narrow;
}

}  // namespace

std::vector<std::string> batch_precision_names() {
  return {std::begin(names), std::end(names)};
}

BatchPrecision parse_batch_precision(std::string_view name) {
  const auto* const found = std::find(std::begin(names), std::end(names), name);
  PHPC_VALIDATE(found != std::end(names), ErrorKind::usage,
                "unknown precision '" + std::string(name) + "'; give f64, mixed or f32");
  return static_cast<BatchPrecision>(found - std::begin(names));
}

std::vector<batch::Report> solve_in(BatchPrecision precision, const batch::CsrBatch<double>& matrix, std::span<const double> rhs,
                                    std::span<double> x, const batch::Options& options, std::span<const exec::Device> devices,
                                    Progress& progress, const batch::PerSystem& per_system) {
  if (precision != BatchPrecision::f32) {
    return batch::solve<double>(matrix, rhs, x, options, devices, progress, per_system);
  }
  const batch::CsrBatch<float> narrow(matrix.pattern(), narrowed(matrix.values()), matrix.systems());
  const std::vector<float> narrow_rhs = narrowed(rhs);
  std::vector<float> narrow_x = narrowed(x);
  const std::vector<batch::Report> reports =
      batch::solve<float>(narrow, narrow_rhs, narrow_x, options, devices, progress, per_system);
  std::copy(narrow_x.begin(), narrow_x.end(), x.begin());
  return reports;
}

std::string describe_in(BatchPrecision precision, exec::Device device, const batch::CsrPattern& pattern,
                        const batch::Options& options, bool with_history) {
  const auto describe = precision == BatchPrecision::f32 ? batch::Plan<float>::describe : batch::Plan<double>::describe;
  return describe(device, pattern, options, with_history);
}

}  // namespace phpc::cli
