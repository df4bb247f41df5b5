#include "batch/dispatch.hpp"

#include <algorithm>
#include <span>

#include "batch/block_layout.hpp"
#include "batch/direct_shapes.hpp"
#include "batch/memory_space.hpp"
#include "batch/method_launch.hpp"
#include "batch/method_tables.hpp"
#include "batch/register_shapes.hpp"
#include "batch/slice_shapes.hpp"
#include "batch/solver/bicgstab.hpp"
#include "batch/solver/cg.hpp"
#include "batch/solver/dense_lu.hpp"
#include "batch/solver/gmres.hpp"
#include "batch/solver/idr.hpp"
#include "batch/solver/richardson.hpp"
#include "batch/solver/sparse_lu.hpp"
#include "batch/solver/triangular.hpp"
#include "batch/solver/tridiagonal.hpp"
#include "phpc/core/error.hpp"

namespace phpc::batch {

namespace {

/// One row for each method.
template <class T>
struct MethodRow {
  std::string_view name;
  int vectors;  ///< r and d included
  bool preconditioned;
  index_t (*need)(index_t rows, const std::int32_t* table);
  std::vector<int> (*team_sizes)();
  bool (*accepts)(std::int32_t row, std::int32_t column);
  PatternTable (*table)(const CsrPattern&);                                ///< what the method works out of a pattern, or none
  void (*teams)(exec::Device, std::string_view, int, const SolveJob<T>&);  ///< or none
  void (*general_teams)(exec::Device, const SolveJob<T>&);
  void (*lanes)(std::string_view, const SolveJob<T>&);
  void (*registers)(exec::Device, std::string_view, const RegisterShape&, const RegisterJob<T>&);  ///< or none
  /// Or none: with capped registers, with all of them, and with cycles of float.
  void (*slices)(exec::Device, std::string_view, const SliceShape&, std::size_t, const SliceJob<T>&);
  void (*short_slices)(exec::Device, std::string_view, const SliceShape&, std::size_t, const SliceJob<T>&);
  void (*mixed_slices)(exec::Device, std::string_view, const SliceShape&, std::size_t, const SliceJob<double>&);
  std::span<const RegisterShape> shapes;  ///< there, for methods without a preconditioner
};

template <class T, class Method>
std::vector<int> sizes_of() {
  std::vector<int> sizes;
  for_each_team_size<T, Method>([&](auto row) { sizes.push_back(row.size); });
  return sizes;
}

template <class T, class Method>
constexpr MethodRow<T> method_row(std::string_view name) {
  MethodRow<T> row{name,
                   first_vector + Method::vectors,
                   Method::preconditioned,
                   Method::need,
                   sizes_of<T, Method>,
                   Method::accepts,
                   nullptr,
                   nullptr,
                   launch_general_teams<T, Method>,
                   launch_lanes<T, Method>,
                   nullptr,
                   nullptr,
                   nullptr,
                   nullptr,
                   {}};
  if constexpr (Method::plain_kernels != KernelSizes::none) {
    row.teams = launch_teams<T, Method>;
  }
  return row;
}

/// A Krylov method with kernels in registers.
template <class T, class Method>
constexpr MethodRow<T> krylov_row(std::string_view name) {
  MethodRow<T> row = method_row<T, Method>(name);
  row.slices = launch_slices<T, Method, capped_slice_registers>;
  row.mixed_slices = launch_mixed_slices<Method>;
  if constexpr (sizeof(T) == sizeof(double)) {
    row.short_slices = launch_slices<T, Method, all_registers>;
    row.registers = [](exec::Device device, std::string_view preconditioner, const RegisterShape& shape,
                       const RegisterJob<T>& job) {
      (shape.registers == 0 ? launch_registers<T, Method, 0>
                            : launch_registers<T, Method, capped_registers>)(device, preconditioner, shape, job);
    };
  }
  return row;
}

template <class T>
constexpr MethodRow<T> lu_row(std::string_view name) {
  MethodRow<T> row = method_row<T, DenseLu>(name);
  row.registers = [](exec::Device device, std::string_view, const RegisterShape& shape, const RegisterJob<T>& job) {
    switch (shape.storage) {
      case RowStorage::blocks:
        launch_blocks<T, RowStorage::blocks>(device, shape, job);
        break;
      case RowStorage::blocks_in_global:
        launch_blocks<T, RowStorage::blocks_in_global>(device, shape, job);
        break;
      default:
        launch_elimination(device, shape, job);
    }
  };
  row.shapes = elimination_shapes<T>;
  return row;
}

template <class T>
constexpr MethodRow<T> tridiagonal_row(std::string_view name) {
  MethodRow<T> row = method_row<T, Tridiagonal>(name);
  row.registers = [](exec::Device device, std::string_view, const RegisterShape& shape, const RegisterJob<T>& job) {
    launch_chunks(device, shape, job);
  };
  row.shapes = chunk_shapes;
  return row;
}

template <class T>
constexpr MethodRow<T> sparse_lu_row(std::string_view name) {
  MethodRow<T> row = method_row<T, SparseLu>(name);
  row.table = sparse_lu_table;
  return row;
}

template <class T>
constexpr MethodRow<T> methods[] = {
    krylov_row<T, BiCgStab>("bicgstab"),
    krylov_row<T, ConjugateGradients>("cg"),
    method_row<T, Gmres>("gmres"),
    method_row<T, Idr>("idr"),
    method_row<T, Richardson>("richardson"),
    lu_row<T>("lu"),
    sparse_lu_row<T>("sparse-lu"),
    tridiagonal_row<T>("tridiagonal"),
    method_row<T, LowerTriangularSolve>("lower"),
    method_row<T, UpperTriangularSolve>("upper"),
};

template <class T>
const MethodRow<T>& method_named(std::string_view name) {
  const auto* const found =
      std::find_if(std::begin(methods<T>), std::end(methods<T>), [&](const MethodRow<T>& row) { return row.name == name; });
  PHPC_VALIDATE(found != std::end(methods<T>), ErrorKind::usage,
                "unknown solver '" + std::string(name) + "'; give one of " + listed(solver_names()));
  return *found;
}

/// Throws unless there is a preconditioner of that name, whether the method takes one or not.
void validate_preconditioner(std::string_view name) {
  const std::vector<std::string> names = preconditioner_names();
  PHPC_VALIDATE(std::find(names.begin(), names.end(), name) != names.end(), ErrorKind::usage,
                "unknown preconditioner '" + std::string(name) + "'; give one of " + listed(names));
}

/// Whether only a general kernel can do what the options say.
template <class T>
bool needs_general_kernel(const Options& options) {
  const auto& method = method_named<T>(options.solver);
  bool needed = method.teams == nullptr || options.scaling != Scaling::none;
  for_each_pattern_row([&](auto row) { needed = needed || (method.preconditioned && row.name == options.preconditioner); });
  return needed;
}

/// The team sizes that the options may ask for, ascending.
template <class T>
std::vector<int> sizes_for(const Options& options, exec::DeviceKind kind) {
  std::vector<int> sizes =
      needs_general_kernel<T>(options) ? std::vector<int>{general_team_size} : method_named<T>(options.solver).team_sizes();
  if (!is_gpu(kind)) {
    sizes.insert(sizes.begin(), 1);
  }
  return sizes;
}

/// What a preconditioner and the method's own work take of each system, in values.
index_t preparation_size(const Options& options, index_t rows, index_t entries, const std::int32_t* table) {
  const auto& method = method_named<double>(options.solver);
  validate_preconditioner(options.preconditioner);
  index_t size = method.need(rows, table);
  if (method.preconditioned) {
    for_each_preconditioner([&]<template <class> class P>(PreconditionerRow<P> row) {
      if (row.name == options.preconditioner) {
        size += P<MemorySpace<double, 1>>::need(rows, entries, table);
      }
    });
  }
  return size;
}

template <class T>
bool fits_lanes(const Options& options, index_t rows, index_t entries, const std::int32_t* table) {
  const index_t values =
      (method_named<T>(options.solver).vectors + 2) * rows + preparation_size(options, rows, entries, table) + entries;
  return values <= most_lane_bytes / static_cast<index_t>(sizeof(Pack<T>));
}

}  // namespace

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
                        ", column " + std::to_string(column) + (operation == Operation::transpose ? " of A^T" : "") +
                        " (0-based); try lu, bicgstab or gmres");
    }
  }
}

std::vector<int> team_sizes(exec::DeviceKind kind) {
  return sizes_for<double>({.solver = "bicgstab"}, kind);
}

template <class T>
int default_team_size(const Options& options, exec::DeviceKind kind, const CsrPattern& pattern) {
  if (!is_gpu(kind)) {
    return 1;  // threads are worth more as teams of their own
  }
  // A thread a row up to 64; beyond that, fewer threads with two rows each waste less than many with none.
  const index_t rows = pattern.rows();
  const int wanted = rows <= 32 ? 32 : rows <= 64 ? 64 : rows <= 192 ? 128 : 256;
  const std::vector<int> sizes = sizes_for<T>(options, kind);
  const auto found = std::lower_bound(sizes.begin(), sizes.end(), wanted);
  return found == sizes.end() ? sizes.back() : *found;
}

template <class T>
std::optional<RegisterShape> register_shape(exec::Device device, const CsrPattern& pattern, const Options& options) {
  const auto& method = method_named<T>(options.solver);
  const bool simple = options.preconditioner == "jacobi" || options.preconditioner == "none";
  if (device.kind() != exec::DeviceKind::nvidia || method.registers == nullptr || (method.preconditioned && !simple) ||
      options.team_size != 0 || options.scratch_limit != 0) {
    return std::nullopt;
  }
  if (method.preconditioned) {
    for (const RegisterShape& shape : packed_shapes) {
      if (fits(pattern, shape)) {
        return shape;
      }
    }
  }
  const auto shapes = method.preconditioned ? std::span<const RegisterShape>(dense_shapes) : method.shapes;
  for (const RegisterShape& shape : shapes) {
    // Of blocks as many teams as fill the registers, but for the widest, of which one will do.
    const std::size_t scratch = is_blocks(shape)
                                    ? widest_blocks / shape.threads * BlockLayout{shape, sizeof(T)}.scratch_bytes(pattern.rows())
                                : shape.storage == RowStorage::chunks ? static_cast<std::size_t>(chunk_values(shape)) * sizeof(T)
                                                                      : 0;
    if (scratch <= device.properties().scratch_bytes && fits(pattern, shape)) {
      return shape;
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
ScratchRequest scratch_request(const Options& options, int team_size, exec::DeviceKind kind, index_t rows, index_t entries,
                               const std::int32_t* table) {
  const std::vector<int> sizes = sizes_for<T>(options, kind);
  PHPC_VALIDATE(std::find(sizes.begin(), sizes.end(), team_size) != sizes.end(), ErrorKind::usage,
                "no kernel of " + options.solver + " with " + options.preconditioner + " has teams of " +
                    std::to_string(team_size) + " threads");
  ScratchRequest request;
  request.rows = rows;
  request.entries = entries;
  request.value_bytes = sizeof(T);
  request.vectors = method_named<double>(options.solver).vectors;
  request.matrix_is_reread = method_named<double>(options.solver).preconditioned;
  request.preconditioner_size = preparation_size(options, rows, entries, table);
  if (kind == exec::DeviceKind::host && fits_lanes<T>(options, rows, entries, table)) {
    request = {};  // packs have all they need on their thread
  }
  // Histories take the general kernel, whatever the plan was made for.
  request.collective_bytes = collective_bytes(kind, std::max(team_size, general_team_size), sizeof(T));
  return request;
}

template <class T>
void dispatch(exec::Device device, const Options& options, const SolveJob<T>& job, bool with_history) {
  const MethodRow<T>& method = method_named<T>(options.solver);
  if (device.is_host() && fits_lanes<T>(options, job.matrix.rows, job.matrix.entries, job.table)) {
    method.lanes(options.preconditioner, job);
    return;
  }
  if (!device.is_gpu() || with_history || needs_general_kernel<T>(options)) {
    method.general_teams(device, job);
    return;
  }
  method.teams(device, options.preconditioner, options.team_size, job);
}

template <class T>
void dispatch(exec::Device device, const Options& options, const RegisterShape& shape, const RegisterJob<T>& job) {
  method_named<T>(options.solver).registers(device, options.preconditioner, shape, job);
}

template <class T>
void dispatch(exec::Device device, const Options& options, const SlicePlan& plan, const SliceJob<T>& job) {
  const MethodRow<T>& method = method_named<T>(options.solver);
  if constexpr (sizeof(T) == sizeof(double)) {
    if (options.inner_precision == Precision::f32) {
      method.mixed_slices(device, options.preconditioner, plan.shape(), plan.scratch_bytes(), job);
      return;
    }
  }
  const auto launch = plan.registers() == capped_slice_registers ? method.slices : method.short_slices;
  launch(device, options.preconditioner, plan.shape(), plan.scratch_bytes(), job);
}

template int default_team_size<float>(const Options&, exec::DeviceKind, const CsrPattern&);
template int default_team_size<double>(const Options&, exec::DeviceKind, const CsrPattern&);
template ScratchRequest scratch_request<float>(const Options&, int, exec::DeviceKind, index_t, index_t, const std::int32_t*);
template ScratchRequest scratch_request<double>(const Options&, int, exec::DeviceKind, index_t, index_t, const std::int32_t*);
template std::optional<RegisterShape> register_shape<float>(exec::Device, const CsrPattern&, const Options&);
template std::optional<RegisterShape> register_shape<double>(exec::Device, const CsrPattern&, const Options&);
template void dispatch(exec::Device, const Options&, const RegisterShape&, const RegisterJob<float>&);
template void dispatch(exec::Device, const Options&, const RegisterShape&, const RegisterJob<double>&);
template void dispatch(exec::Device, const Options&, const SlicePlan&, const SliceJob<float>&);
template void dispatch(exec::Device, const Options&, const SlicePlan&, const SliceJob<double>&);
template void dispatch(exec::Device, const Options&, const SolveJob<float>&, bool);
template void dispatch(exec::Device, const Options&, const SolveJob<double>&, bool);

}  // namespace phpc::batch
