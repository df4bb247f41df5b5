#pragma once
#include <algorithm>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "batch/direct/direct_shapes.hpp"
#include "batch/direct/launch.hpp"
#include "batch/host/launch.hpp"
#include "batch/mixed/launch.hpp"
#include "batch/plan/dispatch.hpp"
#include "batch/precond/preconditioner_rows.hpp"
#include "batch/registers/launch.hpp"
#include "batch/registers/register_shapes.hpp"
#include "batch/slices/launch.hpp"
#include "batch/slices/slice_shapes.hpp"
#include "batch/solver/bicgstab.hpp"
#include "batch/solver/cg.hpp"
#include "batch/solver/dense_lu.hpp"
#include "batch/solver/gmres.hpp"
#include "batch/solver/idr.hpp"
#include "batch/solver/richardson.hpp"
#include "batch/solver/sparse_lu.hpp"
#include "batch/solver/triangular.hpp"
#include "batch/solver/tridiagonal.hpp"
#include "batch/teams/launch.hpp"
#include "batch/teams/team_sizes.hpp"
#include "batch/work/method_counts.hpp"
#include "batch/work/solve_counts.hpp"
#include "phpc/core/error.hpp"

/// The table of methods, for the sources that choose among them.
namespace phpc::batch {

struct KeptPreconditioner;

/// What is known of one method, and its launches.
template <class T>
struct MethodRow {
  std::string_view name;
  MethodWork work;
  int vectors;  ///< r and d included
  bool preconditioned;
  index_t (*workspace_size)(index_t rows, const std::int32_t* table);
  index_t (*workspace_size_with_factors)(index_t rows,
                                         const std::int32_t* table);  ///< the same without the factors
  std::vector<int> (*team_sizes)();
  bool (*accepts)(std::int32_t row, std::int32_t column);
  void (*general_teams)(exec::Device, const SolveJob<T>&);
  void (*lanes)(std::string_view, const SolveJob<T>&);

  // What not every method has.
  bool keeps_own_factors = false;                      ///< else a preconditioner's, if it takes one
  PatternTable (*table)(const CsrPattern&) = nullptr;  ///< makes the method's table
  void (*keep_teams)(exec::Device, const SolveJob<T>&) = nullptr;
  void (*keep_lanes)(const SolveJob<T>&) = nullptr;
  void (*teams)(exec::Device, std::string_view, int, const SolveJob<T>&) = nullptr;
  void (*registers)(exec::Device, std::string_view, const RegisterShape&, const RegisterJob<T>&) = nullptr;
  std::span<const RegisterShape> shapes = {};  ///< of `registers`, for methods without a preconditioner
  /// With capped registers, and with all of them.
  void (*slices)(exec::Device, std::string_view, const SliceShape&, std::size_t, const SliceJob<T>&) = nullptr;
  void (*short_slices)(exec::Device, std::string_view, const SliceShape&, std::size_t, const SliceJob<T>&) = nullptr;
  /// With cycles of float, for systems of double: the counterparts of general_teams, lanes, slices, and registers in chunks.
  void (*mixed_teams)(exec::Device, const SolveJob<double>&) = nullptr;
  void (*mixed_lanes)(std::string_view, const SolveJob<double>&) = nullptr;
  void (*mixed_slices)(exec::Device, std::string_view, const SliceShape&, std::size_t, const SliceJob<double>&) = nullptr;
  void (*mixed_chunks)(exec::Device, std::string_view, const RegisterShape&, const RegisterJob<double>&) = nullptr;
};

template <class T, class Method>
std::vector<int> sizes_of() {
  std::vector<int> sizes;
  for_each_team_size<T, Method>([&](auto row) { sizes.push_back(row.size); });
  return sizes;
}

template <class T, class Method>
constexpr MethodRow<T> method_row(std::string_view name, MethodWork work) {
  MethodRow<T> row{.name = name,
                   .work = work,
                   .vectors = first_vector + Method::vectors,
                   .preconditioned = Method::preconditioned,
                   .workspace_size = Method::workspace_size,
                   .workspace_size_with_factors = Method::workspace_size,
                   .team_sizes = sizes_of<T, Method>,
                   .accepts = Method::accepts,
                   .general_teams = launch_general_teams<T, Method>,
                   .lanes = launch_lanes<T, Method>};
  if constexpr (KeepsFactors<Method>) {
    row.workspace_size_with_factors = Method::workspace_size_with_factors;
    row.keeps_own_factors = true;
    row.keep_teams = launch_keep_teams<T, Method>;
    row.keep_lanes = launch_keep_lanes<T, Method>;
  } else if constexpr (Method::preconditioned) {
    row.keep_teams = launch_keep_teams<T, KeptPreconditioner>;
    row.keep_lanes = launch_keep_lanes<T, KeptPreconditioner>;
  }
  if constexpr (has_plain_kernels<T, Method>) {
    row.teams = launch_teams<T, Method>;
  }
  return row;
}

/// The row of a method with cycles of float, for methods whose cycles take most of a solve's time. A cycle of Richardson's
/// iteration, or of triangular or tridiagonal substitution, costs about as much as the residual that follows it.
template <class T, class Method>
constexpr MethodRow<T> mixed_row(std::string_view name, MethodWork work) {
  MethodRow<T> row = method_row<T, Method>(name, work);
  if constexpr (std::is_same_v<T, double>) {
    row.mixed_teams = launch_mixed_teams<Method>;
    row.mixed_lanes = launch_mixed_lanes<Method>;
  }
  return row;
}

/// The row of a Krylov method that has kernels in registers.
template <class T, class Method>
constexpr MethodRow<T> krylov_row(std::string_view name, MethodWork work) {
  MethodRow<T> row = mixed_row<T, Method>(name, work);
  if constexpr (is_complex<T>) {
    return row;
  } else {
    row.slices = launch_slices<T, Method, capped_slice_registers>;
    row.mixed_slices = launch_mixed_slices<Method>;
    row.mixed_chunks = [](exec::Device device, std::string_view preconditioner, const RegisterShape& shape,
                          const RegisterJob<double>& job) {
      (shape.registers == 128   ? launch_mixed_chunks<Method, 128>
       : shape.registers == 168 ? launch_mixed_chunks<Method, 168>
                                : launch_mixed_chunks<Method, 255>)(device, preconditioner, shape, job);
    };
    row.registers = [](exec::Device device, std::string_view preconditioner, const RegisterShape& shape,
                       const RegisterJob<T>& job) {
      if (shape.storage == RowStorage::chunks) {
        (shape.registers == 128   ? launch_krylov_chunks<T, Method, 128>
         : shape.registers == 168 ? launch_krylov_chunks<T, Method, 168>
                                  : launch_krylov_chunks<T, Method, 255>)(device, preconditioner, shape, job);
      } else if constexpr (std::is_same_v<T, double>) {
        (shape.registers == 0 ? launch_registers<T, Method, 0>
                              : launch_registers<T, Method, capped_registers>)(device, preconditioner, shape, job);
      }
    };
    if constexpr (std::is_same_v<T, double>) {
      row.short_slices = launch_slices<T, Method, all_registers>;
    }
    return row;
  }
}

template <class T>
constexpr MethodRow<T> lu_row(std::string_view name) {
  MethodRow<T> row = mixed_row<T, DenseLu>(name, {count_lu, 1});
  if constexpr (!is_complex<T>) {
    row.registers = [](exec::Device device, std::string_view, const RegisterShape& shape, const RegisterJob<T>& job) {
      if (!is_blocks(shape)) {
        launch_register_lu(device, shape, job);
        return;
      }
      (shape.registers == 128   ? launch_blocks<T, 128>
       : shape.registers == 168 ? launch_blocks<T, 168>
                                : launch_blocks<T, 0>)(device, shape, job);
    };
    row.shapes = lu_shapes<T>;
  }
  return row;
}

template <class T>
constexpr MethodRow<T> tridiagonal_row(std::string_view name) {
  MethodRow<T> row = method_row<T, Tridiagonal>(name, {count_tridiagonal, 1});
  if constexpr (!is_complex<T>) {
    row.registers = [](exec::Device device, std::string_view, const RegisterShape& shape, const RegisterJob<T>& job) {
      launch_chunks(device, shape, job);
    };
    row.shapes = chunk_shapes;
  }
  return row;
}

template <class T>
constexpr MethodRow<T> sparse_lu_row(std::string_view name) {
  MethodRow<T> row = mixed_row<T, SparseLu>(name, {count_sparse_lu, 1});
  row.table = sparse_lu_table;
  return row;
}

template <class T>
inline constexpr MethodRow<T> methods[] = {
    krylov_row<T, BiCgStab>("bicgstab", {count_bicgstab}),
    krylov_row<T, ConjugateGradients>("cg", {count_cg}),
    mixed_row<T, Gmres>("gmres", {count_gmres, Gmres::restart}),
    method_row<T, Idr>("idr", {count_idr}),
    method_row<T, Richardson>("richardson", {count_richardson}),
    lu_row<T>("lu"),
    sparse_lu_row<T>("sparse-lu"),
    tridiagonal_row<T>("tridiagonal"),
    method_row<T, LowerTriangularSolve>("lower", {count_triangular, 1}),
    method_row<T, UpperTriangularSolve>("upper", {count_triangular, 1}),
};

template <class T>
const MethodRow<T>& method_named(std::string_view name) {
  const auto* const found =
      std::find_if(std::begin(methods<T>), std::end(methods<T>), [&](const MethodRow<T>& row) { return row.name == name; });
  PHPC_VALIDATE(found != std::end(methods<T>), ErrorKind::usage,
                "unknown solver '" + std::string(name) + "'; give one of " + listed(solver_names()));
  return *found;
}

}  // namespace phpc::batch
