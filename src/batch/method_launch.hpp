#pragma once
#include <string_view>

#include "batch/register_job.hpp"
#include "batch/slice_job.hpp"
#include "batch/solve_job.hpp"
#include "phpc/exec/device.hpp"

/// The launches of one method, each defined in a source of its own for every method: many kernels, compiled side by side.
namespace phpc::batch {

struct KeptPreconditioner;

/// Systems in teams of a GPU, a launch for all (kernels_<method>.cpp), with a plain preconditioner, neither scaled nor with
/// histories.
template <class T, class Method>
void launch_teams(exec::Device gpu, std::string_view preconditioner, int team_size, const SolveJob<T>& job);

/// The same on any device, with whatever the job says, its table of the preconditioner (general_<method>.cpp). Teams have
/// general_team_size threads on a GPU, elsewhere one.
template <class T, class Method>
void launch_general_teams(exec::Device device, const SolveJob<T>& job);

/// Systems in the lanes of host packs (host_<method>.cpp). The placement of the job is not used.
template <class T, class Method>
void launch_lanes(std::string_view preconditioner, const SolveJob<T>& job);

/// Makes the factors that the job's extras keep, of its sets of values: in teams on any device (keep_teams.cpp), in the lanes of
/// host packs (keep_lanes.cpp). Method is a direct one, or KeptPreconditioner.
template <class T, class Method>
void launch_keep_teams(exec::Device device, const SolveJob<T>& job);
template <class T, class Method>
void launch_keep_lanes(const SolveJob<T>& job);

/// Systems in the registers of a GPU, in one of register_shapes.hpp's with that cap (registers_<method>.cpp,
/// registers_<method>_capped.cpp). The preconditioner is jacobi or none.
template <class T, class Method, int Registers>
void launch_registers(exec::Device device, std::string_view preconditioner, const RegisterShape& shape,
                      const RegisterJob<T>& job);

/// Systems of any pattern in teams with vectors in registers, in a shape of slice_shapes.hpp with those registers
/// (slices_<method>.cpp, slices_<method>_f32.cpp, slices_<method>_short.cpp). The preconditioner is jacobi or none.
template <class T, class Method, int Registers>
void launch_slices(exec::Device device, std::string_view preconditioner, const SliceShape& shape, std::size_t scratch_bytes,
                   const SliceJob<T>& job);

/// The same with cycles of float (slices_mixed_<method>.cpp).
template <class Method>
void launch_mixed_slices(exec::Device device, std::string_view preconditioner, const SliceShape& shape, std::size_t scratch_bytes,
                         const SliceJob<double>& job);

/// Elimination in registers (elimination.cpp) or in blocks (blocks.cpp, blocks_in_global.cpp), in one of elimination_shapes, and
/// of tridiagonal systems (chunks.cpp), in one of chunk_shapes.
template <class T>
void launch_elimination(exec::Device device, const RegisterShape& shape, const RegisterJob<T>& job);
template <class T, RowStorage Storage>
void launch_blocks(exec::Device device, const RegisterShape& shape, const RegisterJob<T>& job);
template <class T>
void launch_chunks(exec::Device device, const RegisterShape& shape, const RegisterJob<T>& job);

}  // namespace phpc::batch
