#include <algorithm>
#include <cmath>
#include <type_traits>

#include "batch/direct/direct_shapes.hpp"
#include "batch/math/value.hpp"
#include "batch/mixed/mixed_cycle.hpp"
#include "batch/plan/method_rows.hpp"
#include "batch/plan/plan_choices.hpp"
#include "batch/plan/value_reading.hpp"
#include "batch/work/kernel_work.hpp"
#include "phpc/batch/plan.hpp"

/// What a plan tells of its work before it is made: the method says what it does, and the kernel's model where.
namespace phpc::batch {

namespace {

/// What the solve of a system is counted with.
template <class T>
struct CountedPlan {
  exec::Device device;
  const CsrPattern& pattern;  ///< the one that is solved with
  const Options& options;     ///< resolved
  const PatternTable& table;
  const InRegisters& found;
  ValueReading reading;
  Workspace workspace;

  [[nodiscard]] bool in_packs() const { return !found && workspace.placement.vector_stride == 0; }
  [[nodiscard]] bool is_mixed() const { return options.inner_precision == Precision::f32; }
  [[nodiscard]] KernelSystem system(std::size_t value_bytes) const {
    const bool as_they_lie = reading.in_packs || (found ? reading.in_registers : reading.in_memory);
    return {pattern.rows(), pattern.entries(), as_they_lie ? reading.stored.values : pattern.entries(), value_bytes};
  }
  /// The counter of the method's cycles, or of what is around cycles of float.
  [[nodiscard]] SolveCounter counter(int vectors) const {
    return {pattern, table.data(), method_named<double>(options.solver).preconditioned, in_packs(), vectors};
  }
  [[nodiscard]] Work work(index_t iterations) const;

 private:
  [[nodiscard]] Work in_registers(const SolveCounts& counts, index_t iterations) const;
  [[nodiscard]] Work in_memory(const SolveCounts& counts) const;
  [[nodiscard]] Work mixed(index_t iterations) const;
  [[nodiscard]] double least_memory_bytes() const;
};

/// Cycles that the tolerance takes where each reduces the residual as far as one of float may.
index_t cycles_of_float(double tolerance) {
  return tolerance > 0 && tolerance < 1
             ? static_cast<index_t>(std::ceil(std::log2(tolerance) / std::log2(MixedCycle<void>::least_target)))
             : 1;
}

/// What a method does where a kernel does otherwise than the method's class: LU in registers factorises in each cycle, and the
/// elimination of chunks has its own count.
MethodWork work_of(const MethodWork& method, const InRegisters& found) {
  if (found.shape && found.shape->storage == RowStorage::chunks && method.count_cycle == count_tridiagonal) {
    return {[](SolveCounter&, index_t, index_t) {}, method.longest_cycle};
  }
  if (found.shape && found.shape->storage == RowStorage::dense && method.count_cycle == count_lu) {
    return {[](SolveCounter& counter, index_t iterations, index_t) { count_lu(counter, iterations, 0); }, method.longest_cycle};
  }
  return method;
}

template <class T>
Work CountedPlan<T>::in_registers(const SolveCounts& counts, index_t iterations) const {
  const KernelSystem of = system(sizeof(T));
  if (found.slices) {
    return slices_work(of, counts, found.slices->layout, sizeof(T));
  }
  const bool is_krylov = method_named<double>(options.solver).preconditioned;
  switch (found.shape->storage) {
    case RowStorage::chunks:
      return chunks_work(of, counts, *found.shape, is_krylov ? 0 : iterations);
    case RowStorage::blocks:
    case RowStorage::blocks_in_global:
      return block_lu_work(of, counts, *found.shape, found.columns, iterations);
    case RowStorage::dense:
    case RowStorage::packed:
      break;
  }
  return is_krylov ? registers_work(of, counts, *found.shape) : register_lu_work(of, counts, *found.shape, iterations);
}

template <class T>
Work CountedPlan<T>::in_memory(const SolveCounts& counts) const {
  return in_packs() ? lanes_work(system(sizeof(T)), counts, lanes<Pack<T>>)
                    : teams_work(system(sizeof(T)), counts, workspace.placement, device.is_gpu());
}

template <class T>
Work CountedPlan<T>::mixed(index_t iterations) const {
  const auto& method = method_named<double>(options.solver);
  SolveCounter outer = counter(first_vector);
  SolveCounter inner = counter(method.vectors);
  const index_t cycles = cycles_of_float(options.tolerance);
  count_solve(outer, inner, method.work, iterations, cycles);
  const double copied = static_cast<double>(pattern.entries()) * (sizeof(double) + sizeof(float));
  Work work;
  if (found.slices) {
    work = slices_work(system(sizeof(float)), inner.counts(), found.slices->layout, sizeof(double));
    work += around_slices_work(system(sizeof(double)), outer.counts(), found.slices->layout);
  } else if (found.shape) {
    work = chunk_cycles_work(system(sizeof(float)), inner.counts(), *found.shape, std::min(iterations, cycles), sizeof(double));
    work += chunks_work(system(sizeof(double)), outer.counts(), *found.shape, 0);
  } else if (in_packs()) {
    work = lanes_work(system(sizeof(float)), inner.counts(), lanes<Pack<float>>);
    work += lanes_work(system(sizeof(double)), outer.counts(), lanes<Pack<float>>);
  } else {
    work = teams_work(system(sizeof(float)), inner.counts(), workspace.placement, device.is_gpu());
    work += teams_work(system(sizeof(double)), outer.counts(), Placement{}, device.is_gpu());
    work.cache_bytes += copied;
  }
  return work;
}

/// Arrays that are given and a system's memory of its own; where values are put into another order, also these.
template <class T>
double CountedPlan<T>::least_memory_bytes() const {
  const KernelSystem of = system(sizeof(T));
  const bool copies = !reading.order.empty() && of.set_values == pattern.entries() && !reading.in_packs;
  const double matrix = static_cast<double>(copies ? reading.stored.values + 2 * of.entries : of.set_values) /
                        static_cast<double>(options.rhs_per_system);
  return (matrix + 3 * static_cast<double>(of.rows)) * sizeof(T) + sizeof(Report) +
         (found ? 0 : static_cast<double>(workspace.placement.workspace_bytes));
}

template <class T>
Work CountedPlan<T>::work(index_t iterations) const {
  Work work;
  if (is_mixed()) {
    work = mixed(iterations);
  } else {
    const auto& method = method_named<double>(options.solver);
    SolveCounter whole = counter(method.vectors);
    count_solve(whole, whole, work_of(method.work, found), iterations);
    work = found ? in_registers(whole.counts(), iterations) : in_memory(whole.counts());
    work.flops *= is_complex<T> ? 4 : 1;  // a sum and a product of complex numbers take eight of real ones
  }
  work.memory_bytes = least_memory_bytes();
  return work;
}

}  // namespace

template <class T>
Work Plan<T>::work(exec::Device device, const CsrPattern& given, const Options& options, double iterations) {
  const CsrPattern pattern = solved_pattern(given, options);
  const Options complete = resolved<T>(device, pattern, options);
  validate_pattern(complete.solver, pattern, complete.operation);
  const PatternTable table = pattern_table(complete, pattern);
  const InRegisters found = batch::in_registers<T>(device, pattern, options);
  CountedPlan<T> plan{device, pattern, complete, table, found, {}, {}};
  plan.workspace = place_as_read<T>(device, given, pattern, complete, found, plan.reading);
  const double whole = std::floor(std::max(iterations, 0.0));
  const double part = std::max(iterations, 0.0) - whole;
  Work work = (1 - part) * plan.work(static_cast<index_t>(whole));
  if (part > 0) {
    work += part * plan.work(static_cast<index_t>(whole) + 1);
  }
  return work;
}

template Work Plan<float>::work(exec::Device, const CsrPattern&, const Options&, double);
template Work Plan<double>::work(exec::Device, const CsrPattern&, const Options&, double);
template Work Plan<Complex<float>>::work(exec::Device, const CsrPattern&, const Options&, double);
template Work Plan<Complex<double>>::work(exec::Device, const CsrPattern&, const Options&, double);

}  // namespace phpc::batch
