#include "batch/plan/dispatch.hpp"

#include <algorithm>
#include <iterator>
#include <span>

#include "batch/direct/block_layout.hpp"
#include "batch/direct/direct_shapes.hpp"
#include "batch/plan/method_rows.hpp"
#include "batch/plan/value_reading.hpp"
#include "batch/precond/preconditioner_rows.hpp"
#include "batch/registers/register_shapes.hpp"
#include "batch/slices/slice_shapes.hpp"
#include "batch/system/memory_context.hpp"
#include "phpc/core/error.hpp"

namespace phpc::batch {

namespace {

/// Whether only a general kernel does what the options ask for.
template <class T>
bool needs_general_kernel(const Options& options) {
  const auto& method = method_named<T>(options.solver);
  bool needed = method.teams == nullptr || options.scaling != Scaling::none;
  for_each_general_preconditioner(
      [&](auto row) { needed = needed || (method.preconditioned && row.name == options.preconditioner); });
  return needed;
}

/// The team sizes that the options may ask for, ascending; off GPUs, where threads do more as teams of their own, 1.
template <class T>
std::vector<int> sizes_for(const Options& options, exec::DeviceKind kind) {
  if (!is_gpu(kind)) {
    return {1};
  }
  const bool is_stored = options.storage != Storage::csr && reads_products_alone(options);
  const bool is_general = options.inner_precision == Precision::f32 || is_stored || needs_general_kernel<T>(options);
  return is_general ? std::vector<int>{general_team_size} : method_named<T>(options.solver).team_sizes();
}

}  // namespace

void validate_preconditioner(std::string_view name) {
  const std::vector<std::string> names = preconditioner_names();
  PHPC_VALIDATE(std::find(names.begin(), names.end(), name) != names.end(), ErrorKind::usage,
                "unknown preconditioner '" + std::string(name) + "'; give one of " + listed(names));
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) {
    text += (text.empty() ? "" : ", ") + name;
  }
  return text;
}

std::vector<std::string> solver_names() {
  std::vector<std::string> names;
  for (const auto& row : methods<double>) {
    names.emplace_back(row.name);
  }
  return names;
}

std::vector<std::string> mixed_solver_names() {
  std::vector<std::string> names;
  for (const auto& row : methods<double>) {
    if (row.mixed_teams != nullptr) {
      names.emplace_back(row.name);
    }
  }
  return names;
}

std::vector<std::string> preconditioner_names() {
  std::vector<std::string> names;
  for_each_preconditioner([&](auto row) { names.emplace_back(row.name); });
  return names;
}

bool takes_preconditioner(std::string_view solver) {
  return method_named<double>(solver).preconditioned;
}

void validate_pattern(std::string_view solver, const CsrPattern& pattern, Operation operation) {
  const auto& method = method_named<double>(solver);
  for (std::int32_t row = 0; row < pattern.rows(); ++row) {
    for (auto entry = pattern.row_offsets[static_cast<std::size_t>(row)];
         entry < pattern.row_offsets[static_cast<std::size_t>(row) + 1]; ++entry) {
      const std::int32_t column = pattern.columns[static_cast<std::size_t>(entry)];
      PHPC_VALIDATE(method.accepts(row, column), ErrorKind::usage,
                    "solver '" + std::string(solver) + "' takes no matrix with an entry in row " + std::to_string(row) +
                        ", column " + std::to_string(column) +
                        (operation == Operation::none        ? ""
                         : operation == Operation::transpose ? " of A^T"
                                                             : " of A^H") +
                        " (0-based); try lu, bicgstab or gmres");
    }
  }
}

std::vector<int> team_sizes(exec::DeviceKind kind, const Options& options) {
  return sizes_for<double>(options, kind);
}

template <class T>
int default_team_size(const Options& options, exec::DeviceKind kind, const CsrPattern& pattern) {
  // A thread a row up to 64 rows; beyond that, with two rows each, fewer threads are left without a row.
  const index_t rows = pattern.rows();
  const int wanted = rows <= 32 ? 32 : rows <= 64 ? 64 : rows <= 192 ? 128 : 256;
  const std::vector<int> sizes = sizes_for<T>(options, kind);
  const auto found = std::lower_bound(sizes.begin(), sizes.end(), wanted);
  return found == sizes.end() ? sizes.back() : *found;
}

template <class T>
void validate_team_size(const Options& options, exec::DeviceKind kind) {
  const std::vector<int> sizes = sizes_for<T>(options, kind);
  std::vector<std::string> names;
  std::transform(sizes.begin(), sizes.end(), std::back_inserter(names), [](int size) { return std::to_string(size); });
  const std::string method =
      options.solver + (takes_preconditioner(options.solver) ? " with " + options.preconditioner : std::string());
  PHPC_VALIDATE(std::find(sizes.begin(), sizes.end(), options.team_size) != sizes.end(), ErrorKind::usage,
                "a team of " + std::to_string(options.team_size) + " threads a system: " +
                    (is_gpu(kind) ? "for " + method + " a GPU has teams of " + listed(names) + "; give one of them, or 0"
                                  : "a team has one thread on the host and on the x86_64 device; give 0 or 1"));
}

namespace {

/// The shape in chunks for cycles in numbers of Low with so many vectors, where systems of T are tridiagonal.
template <class T, class Low>
std::optional<RegisterShape> krylov_chunk_shape(exec::Device device, const CsrPattern& pattern, int vectors) {
  for (RegisterShape shape : krylov_chunk_shapes) {
    const int registers = chunk_registers<Low>(shape.rows_of_a_thread, vectors);
    if (registers > 0 && static_cast<std::size_t>(chunk_values(shape)) * sizeof(T) <= device.properties().scratch_bytes &&
        fits(pattern, shape)) {
      shape.registers = registers;
      return shape;
    }
  }
  return std::nullopt;
}

/// Whether rows have so many entries that a dense shape costs less than slices do. A third of a row's slots is where their times
/// cross in shapes with one row a thread (H100, 44 to 64 rows of 5 to 30 random entries: slices take 0.28 to 0.31 times as long
/// for 5 entries by CG, 0.43 to 0.56 by BiCGSTAB; for 30 entries 1.01 to 1.15 and 1.3 to 1.6 times).
bool is_dense_enough(const CsrPattern& pattern, const RegisterShape& shape) {
  constexpr index_t share = 3;
  return shape.rows_of_a_thread > 1 || share * pattern.entries() >= pattern.rows() * shape.slots;
}

/// The shape of a Krylov method, which needs so many vectors, its preconditioner's included: in chunks if the pattern is
/// tridiagonal, else, in f64, packed or dense.
template <class T>
std::optional<RegisterShape> krylov_shape(exec::Device device, const CsrPattern& pattern, int vectors) {
  if (const auto shape = krylov_chunk_shape<T, T>(device, pattern, vectors)) {
    return shape;
  }
  if constexpr (std::is_same_v<T, double>) {
    const auto holds = [&](const RegisterShape& shape) { return fits(pattern, shape); };
    if (const auto* packed = std::find_if(std::begin(packed_shapes), std::end(packed_shapes), holds);
        packed != std::end(packed_shapes)) {
      return *packed;
    }
    if (const auto* dense = std::find_if(std::begin(dense_shapes), std::end(dense_shapes), holds);
        dense != std::end(dense_shapes) && is_dense_enough(pattern, *dense)) {
      return *dense;
    }
  }
  return std::nullopt;
}

}  // namespace

template <class T>
std::optional<ShapeChoice> register_shape(exec::Device device, const CsrPattern& pattern, const Options& options) {
  const auto& method = method_named<T>(options.solver);
  const bool simple = options.preconditioner == "jacobi" || options.preconditioner == "none";
  if (device.kind() != exec::DeviceKind::nvidia || method.registers == nullptr || (method.preconditioned && !simple) ||
      options.team_size != 0 || options.scratch_limit != 0 || options.scaling != Scaling::none) {
    return std::nullopt;
  }
  if (has_cycles_of_float<T>(options) && method.mixed_chunks == nullptr) {
    return std::nullopt;
  }
  const int vectors = method.vectors + (options.preconditioner == "jacobi" ? jacobi_vectors : 0);
  if (has_cycles_of_float<T>(options) || method.preconditioned) {
    const auto shape = has_cycles_of_float<T>(options)
                           ? krylov_chunk_shape<T, float>(device, pattern, vectors + mixed_chunk_vectors)
                           : krylov_shape<T>(device, pattern, vectors);
    return shape ? std::optional(ShapeChoice{*shape}) : std::nullopt;
  }
  for (const RegisterShape& shape : method.shapes) {
    const std::size_t limit = device.properties().scratch_bytes;
    const index_t columns = is_blocks(shape) ? BlockLayout{shape, sizeof(T)}.columns(pattern.rows(), limit) : 0;
    const bool has_room = is_blocks(shape) ? columns > 0
                          : shape.storage == RowStorage::chunks
                              ? static_cast<std::size_t>(chunk_values(shape)) * sizeof(T) <= limit
                              : true;
    if (has_room && fits(pattern, shape)) {
      return ShapeChoice{shape, columns};
    }
  }
  return std::nullopt;
}

PatternTable pattern_table(const Options& options, const CsrPattern& pattern) {
  validate_preconditioner(options.preconditioner);
  const MethodRow<double>& method = method_named<double>(options.solver);
  PatternTable table;
  if (method.table != nullptr) {
    table = method.table(pattern);
  } else if (method.preconditioned) {
    for_each_preconditioner([&](auto row) {
      if (row.name == options.preconditioner) {
        table = row.table(pattern, options);
      }
    });
  }
  return table;
}

template <class T>
void dispatch(exec::Device device, const Options& options, const SolveJob<T>& job, bool in_general_kernel) {
  const MethodRow<T>& method = method_named<T>(options.solver);
  const bool in_lanes = device.is_host() && fits_lanes<T>(options, job.matrix.rows, job.matrix.entries, job.table);
  if constexpr (std::is_same_v<T, double>) {
    if (has_cycles_of_float<T>(options)) {
      in_lanes ? method.mixed_lanes(options.preconditioner, job) : method.mixed_teams(device, job);
      return;
    }
  }
  if (in_lanes) {
    method.lanes(options.preconditioner, job);
    return;
  }
  if (!device.is_gpu() || in_general_kernel || needs_general_kernel<T>(options)) {
    method.general_teams(device, job);
    return;
  }
  method.teams(device, options.preconditioner, options.team_size, job);
}

template <class T>
void dispatch(exec::Device device, const Options& options, const RegisterShape& shape, const RegisterJob<T>& job) {
  const MethodRow<T>& method = method_named<T>(options.solver);
  if constexpr (std::is_same_v<T, double>) {
    if (has_cycles_of_float<T>(options)) {
      method.mixed_chunks(device, options.preconditioner, shape, job);
      return;
    }
  }
  method.registers(device, options.preconditioner, shape, job);
}

template <class T>
void dispatch(exec::Device device, const Options& options, const SlicePlan& plan, const SliceJob<T>& job) {
  const MethodRow<T>& method = method_named<T>(options.solver);
  if constexpr (std::is_same_v<T, double>) {
    if (has_cycles_of_float<T>(options)) {
      method.mixed_slices(device, options.preconditioner, plan.shape(), plan.scratch_bytes(), job);
      return;
    }
  }
  const auto launch = plan.registers() == capped_slice_registers ? method.slices : method.short_slices;
  launch(device, options.preconditioner, plan.shape(), plan.scratch_bytes(), job);
}

template void validate_team_size<float>(const Options&, exec::DeviceKind);
template void validate_team_size<double>(const Options&, exec::DeviceKind);
template int default_team_size<float>(const Options&, exec::DeviceKind, const CsrPattern&);
template int default_team_size<double>(const Options&, exec::DeviceKind, const CsrPattern&);
template std::optional<ShapeChoice> register_shape<float>(exec::Device, const CsrPattern&, const Options&);
template std::optional<ShapeChoice> register_shape<double>(exec::Device, const CsrPattern&, const Options&);
template void dispatch(exec::Device, const Options&, const RegisterShape&, const RegisterJob<float>&);
template void dispatch(exec::Device, const Options&, const RegisterShape&, const RegisterJob<double>&);
template void dispatch(exec::Device, const Options&, const SlicePlan&, const SliceJob<float>&);
template void dispatch(exec::Device, const Options&, const SlicePlan&, const SliceJob<double>&);
template void dispatch(exec::Device, const Options&, const SolveJob<float>&, bool);
template void dispatch(exec::Device, const Options&, const SolveJob<double>&, bool);
template void validate_team_size<Complex<float>>(const Options&, exec::DeviceKind);
template void validate_team_size<Complex<double>>(const Options&, exec::DeviceKind);
template int default_team_size<Complex<float>>(const Options&, exec::DeviceKind, const CsrPattern&);
template int default_team_size<Complex<double>>(const Options&, exec::DeviceKind, const CsrPattern&);
template void dispatch(exec::Device, const Options&, const SolveJob<Complex<float>>&, bool);
template void dispatch(exec::Device, const Options&, const SolveJob<Complex<double>>&, bool);

}  // namespace phpc::batch
