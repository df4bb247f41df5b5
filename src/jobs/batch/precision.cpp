#include "jobs/batch/precision.hpp"

#include <algorithm>
#include <iterator>
#include <type_traits>
#include <utility>

#include "phpc/batch/plan.hpp"
#include "phpc/core/error.hpp"

namespace phpc::jobs {

namespace {

constexpr std::string_view names[] = {"f64", "mixed", "f32"};

template <class T>
std::vector<batch::Report> solve_as(BatchNumbers numbers, std::span<double> x, const batch::Options& options,
                                    std::span<const exec::Device> devices, Progress& progress,
                                    const batch::PerSystem& per_system) {
  if constexpr (std::is_same_v<T, double>) {
    const batch::CsrBatch<T> matrix(std::move(numbers.pattern), std::move(numbers.values), numbers.systems);
    return batch::solve<T>(matrix, numbers.rhs, x, options, devices, progress, per_system);
  } else {
    const batch::CsrBatch<T> matrix(std::move(numbers.pattern), numbers_of<T>(std::exchange(numbers.values, {})),
                                    numbers.systems);
    const std::vector<T> rhs = numbers_of<T>(numbers.rhs);
    std::vector<T> own_x = numbers_of<T>(x);
    const std::vector<batch::Report> reports = batch::solve<T>(matrix, rhs, own_x, options, devices, progress, per_system);
    std::copy_n(reinterpret_cast<const RealOf<T>*>(own_x.data()), x.size(), x.begin());
    return reports;
  }
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

std::vector<batch::Report> solve_in(BatchPrecision precision, BatchNumbers numbers, std::span<double> x,
                                    const batch::Options& options, std::span<const exec::Device> devices, Progress& progress,
                                    const batch::PerSystem& per_system) {
  const bool narrow = precision == BatchPrecision::f32;
  const auto solve = numbers.is_complex ? (narrow ? solve_as<Complex<float>> : solve_as<Complex<double>>)
                                        : (narrow ? solve_as<float> : solve_as<double>);
  return solve(std::move(numbers), x, options, devices, progress, per_system);
}

std::string describe_in(BatchPrecision precision, bool is_complex, exec::Device device, const batch::CsrPattern& pattern,
                        const batch::Options& options, bool with_history) {
  const bool narrow = precision == BatchPrecision::f32;
  const auto describe = is_complex ? (narrow ? batch::Plan<Complex<float>>::describe : batch::Plan<Complex<double>>::describe)
                                   : (narrow ? batch::Plan<float>::describe : batch::Plan<double>::describe);
  return describe(device, pattern, options, with_history);
}

batch::Work work_in(BatchPrecision precision, bool is_complex, exec::Device device, const batch::CsrPattern& pattern,
                    const batch::Options& options, double iterations) {
  const bool narrow = precision == BatchPrecision::f32;
  const auto work = is_complex ? (narrow ? batch::Plan<Complex<float>>::work : batch::Plan<Complex<double>>::work)
                               : (narrow ? batch::Plan<float>::work : batch::Plan<double>::work);
  return work(device, pattern, options, iterations);
}

}  // namespace phpc::jobs
