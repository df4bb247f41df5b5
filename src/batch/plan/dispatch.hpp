#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "batch/precond/pattern_tables.hpp"
#include "batch/registers/register_job.hpp"
#include "batch/slices/slice_plan.hpp"
#include "batch/system/solve_job.hpp"
#include "batch/teams/team_sizes.hpp"
#include "phpc/exec/device.hpp"

/// From the names of a method and a preconditioner to a kernel. method_rows.hpp has the table of methods,
/// precond/preconditioner_rows.hpp that of preconditioners, teams/team_sizes.hpp the team sizes.
namespace phpc::batch {

/// Most bytes that a host thread takes for the systems in the lanes of a pack; larger systems are solved one by one.
inline constexpr index_t most_lane_bytes = index_t{256} << 20;

/// Names with commas between them.
std::string listed(const std::vector<std::string>& names);

/// Throws Error(usage) if the solver does not exist or takes no matrices of the pattern.
void validate_pattern(std::string_view solver, const CsrPattern& pattern, Operation operation);

/// The team size for systems of the pattern where the caller asks for none.
template <class T>
int default_team_size(const Options& options, exec::DeviceKind kind, const CsrPattern& pattern);

/// Throws Error(usage) unless there are teams of options.team_size for what the options ask: of one thread off GPUs.
template <class T>
void validate_team_size(const Options& options, exec::DeviceKind kind);

/// The shape of systems of one pattern on one device.
struct ShapeChoice {
  RegisterShape shape;
  index_t columns = 0;  ///< RegisterJob::columns
};

/// The shape in which systems of the pattern lie in registers on the device; none where they do not fit, no such kernel exists,
/// or the options ask for a team size, for less scratch or for scaling.
template <class T>
std::optional<ShapeChoice> register_shape(exec::Device device, const CsrPattern& pattern, const Options& options);

/// The table of the method (sparse_lu_table.hpp) or its preconditioner (pattern_tables.hpp) for a pattern, made on the host.
/// Throws Error(usage) for a name that does not exist and for options that the method or preconditioner refuses.
PatternTable pattern_table(const Options& options, const CsrPattern& pattern);

/// Whether cycles are computed in float for systems of T.
template <class T>
bool has_cycles_of_float(const Options& options) {
  return std::is_same_v<T, double> && options.inner_precision == Precision::f32;
}

/// Whether the host solves systems of that size in the lanes of packs.
template <class T>
bool fits_lanes(const Options& options, index_t rows, index_t entries, const std::int32_t* table);

/// Throws Error(usage) unless there is a preconditioner of that name, whether the method takes one or not.
void validate_preconditioner(std::string_view name);

/// Which factors, or preconditioner, a solve uses: its own, which it makes, or kept ones.
enum class Factors { own, kept };

/// The scratch that a combination of method and preconditioner needs, with cycles of float in values of float; the limits are
/// left at 0. Throws Error(usage) for names that do not exist or have no such cycles.
template <class T>
ScratchRequest scratch_request(const Options& options, int team_size, exec::DeviceKind kind, index_t rows, index_t entries,
                               const std::int32_t* table, Factors factors = Factors::own);

/// Values of factors that are kept for each set of values (SolveExtras::factor_stride); 0 where a combination has none that are
/// worth keeping.
template <class T>
index_t kept_size(const Options& options, index_t rows, index_t entries, const std::int32_t* table);
/// Bytes of the kept factors of `sets` sets of values.
template <class T>
std::size_t kept_bytes(exec::Device device, const Options& options, index_t rows, index_t entries, const std::int32_t* table,
                       index_t sets);

/// Makes the factors that the job's extras keep, of all its sets of values.
template <class T>
void make_factors(exec::Device device, const Options& options, const SolveJob<T>& job);

/// Runs the job, whose placement was planned from scratch_request with the same options, team size included. Histories and kept
/// factors, where the job has them, are used only `in_general_kernel`.
template <class T>
void dispatch(exec::Device device, const Options& options, const SolveJob<T>& job, bool in_general_kernel);

/// Runs the job in registers, in a shape that register_shape() gave for the same options.
template <class T>
void dispatch(exec::Device device, const Options& options, const RegisterShape& shape, const RegisterJob<T>& job);

extern template void dispatch(exec::Device, const Options&, const RegisterShape&, const RegisterJob<float>&);
extern template void dispatch(exec::Device, const Options&, const RegisterShape&, const RegisterJob<double>&);
extern template void dispatch(exec::Device, const Options&, const SolveJob<float>&, bool);
extern template void dispatch(exec::Device, const Options&, const SolveJob<double>&, bool);

/// Runs the job in the layout of its plan, made by slice_choice() with the same options.
template <class T>
void dispatch(exec::Device device, const Options& options, const SlicePlan& plan, const SliceJob<T>& job);

}  // namespace phpc::batch
