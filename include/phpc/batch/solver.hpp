#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "phpc/batch/matrix.hpp"
#include "phpc/batch/storage.hpp"
#include "phpc/core/progress.hpp"
#include "phpc/exec/device.hpp"

/// Batches of small linear systems A_i x_i = b_i, A_i^T x_i = b_i or A_i^H x_i = b_i, real or complex, each solved by its own
/// team, a whole batch in one launch.
namespace phpc::batch {

/// What a system's residual is held against.
enum class ToleranceKind {
  relative_to_rhs,      ///< ||b - A x||_2 <= tolerance * ||b||_2
  relative_to_initial,  ///< ||b - A x||_2 <= tolerance * ||b - A x0||_2
  absolute,             ///< ||b - A x||_2 <= tolerance
};

/// What is solved with A: A x = b, A^T x = b or A^H x = b; of real values the last two are one.
enum class Operation { none, transpose, adjoint };

/// Arithmetic of a solve's inner part.
enum class Precision { f64, f32 };

/// Factors that a system is solved with: A' = S_r A S_c, b' = S_r b, x = S_c y. They are powers of two, so that neither scaling
/// nor its undoing rounds anything (but for values that leave the range of the type), and residuals are those of A and b.
enum class Scaling {
  none,
  automatic,  ///< balanced, then rows and columns of largest element in [1, 2); for cg by square roots of the diagonal
  given,      ///< PerSystem::row_factors and column_factors, each rounded down to a power of two
};

struct Options {
  /// One of solver_names(). Krylov methods: bicgstab, gmres (restarted every 20 iterations) and idr (IDR(4)) for any matrix, cg
  /// for symmetric definite ones (Hermitian if complex); richardson. Direct ones: lu (dense, partial pivoting), sparse-lu (pivots
  /// by the pattern alone, for matrices whose diagonal carries weight; refined), tridiagonal (no pivoting), lower and upper
  /// (triangular matrices). The last three refuse other patterns.
  std::string solver = "bicgstab";
  /// One of preconditioner_names(); direct methods take none. jacobi, block-jacobi (blocks of block_size rows on the diagonal),
  /// ilu (ILU(0): factors on A's pattern), isai (an approximate inverse on A's pattern, for few entries a row: its work grows
  /// with the cube of their number), ilu-isai (such inverses of ILU(0)'s factors: no steps that wait for one another), none.
  std::string preconditioner = "jacobi";
  int block_size = 8;  ///< rows of block-jacobi's blocks, 1 ... 32
  double tolerance = 1e-6;
  ToleranceKind tolerance_kind = ToleranceKind::relative_to_rhs;
  index_t max_iterations = 0;  ///< of each system; 0 = twice the number of rows
  /// Threads of a team on a GPU: 32, 64, 128 or 256 for bicgstab and cg with jacobi or none and for sparse-lu, 64 or 256 for lu
  /// and for float, 64 for other solvers and preconditioners, scaling and cycles of float; 0 = chosen by device and pattern,
  /// registers instead of scratch where a GPU has kernels for the pattern. Elsewhere 0 or 1: the host solves a system in each
  /// lane of its vector registers, and on the x86_64 device a team has one thread.
  int team_size = 0;
  std::size_t scratch_limit = 0;  ///< most bytes of scratch a team takes, the rest goes to global memory; 0 = what the device has
  index_t rhs_per_system = 1;     ///< right-hand sides that share a matrix, one after the other: rhs (systems, these, rows)
  /// f32: batches of double are solved in cycles of float, around which residual and x are double (iterative refinement; Higham,
  /// Accuracy and Stability, chapter 12). Reaches the tolerances of double where the cycles of float converge: conditions below
  /// 10^6 or so, scaled. For mixed_solver_names(); Error(usage) for others. No effect on float.
  Precision inner_precision = Precision::f64;
  Scaling scaling = Scaling::none;
  /// Of what the solver, its preconditioner and scaling see, A^T or A^H stands for A everywhere; values are put into
  /// its order where the host loads them, and copied into it once a solve elsewhere.
  Operation operation = Operation::none;
  /// How a batch's values lie on a device: given so to a plan, and put so by solve(), but on the host, which reads the batch as
  /// it is. Products of bicgstab, cg, gmres, idr and richardson with jacobi or none read them there as they lie, and so do
  /// kernels in registers where a set has at most twice as many values as entries; others have them put into the order of CSR
  /// first. Solutions are those of CSR to rounding, and the same bytes where the pattern is full or no GPU is at work.
  Storage storage = Storage::csr;
};

/// What solve() takes and gives for each system beside b and x; each is left out when empty.
struct PerSystem {
  std::span<const double> tolerances = {};  ///< (systems, rhs_per_system), in place of Options::tolerance
  /// (systems, rhs_per_system, iteration_cap() + 1): residual norms by iteration, 0 being the guess's; NaN after a system's last.
  /// The method's own, recursive norms, but the true one at the end of each of its cycles, the last iteration among them. Of a
  /// direct method all are true ones.
  std::span<double> history = {};
  std::span<const double> row_factors = {};     ///< (1 or value_sets, rows): the diagonal of S_r, all positive
  std::span<const double> column_factors = {};  ///< the same of S_c; for cg equal to S_r's
};

/// How a system ended.
enum class Status : std::int32_t {
  converged,       ///< the true residual meets the tolerance
  max_iterations,  ///< the iteration cap came first
  breakdown,       ///< the method cannot go on (a zero denominator, or a residual grown beyond what arithmetic can repair)
  stagnated,       ///< the method believes that it converged, the true residual says no, and restarting does not improve it
  not_finite,      ///< the system holds or led to an infinity or NaN
};

/// "converged", "max_iterations", "breakdown", "stagnated", "not_finite".
std::string_view to_string(Status status);

/// What is told of one system.
struct Report {
  /// ||b - A x||_2 of the x returned, recomputed from it; NaN when A, b or the initial guess are not finite.
  double residual_norm;
  double rhs_norm;  ///< ||b||_2
  /// Steps of the method, restarts included. A BiCGSTAB step that ends at its half counts as one; of a direct method each solve
  /// with the factors is one, the first and those of refinement; of IDR each product with A.
  std::int32_t iterations;
  Status status;

  /// residual_norm / rhs_norm; 0 when both are 0.
  [[nodiscard]] double relative_residual() const { return residual_norm == 0 ? 0 : residual_norm / rhs_norm; }
};

/// Names that Options takes.
std::vector<std::string> solver_names();

/// Whether that solver takes a preconditioner; direct methods take none. Error(usage) for an unknown name.
bool takes_preconditioner(std::string_view solver);
std::vector<std::string> preconditioner_names();
/// The solvers with cycles of float for double (Options::inner_precision).
std::vector<std::string> mixed_solver_names();
/// "rhs", "initial", "absolute", in the order of ToleranceKind; Error(usage) for any other.
std::vector<std::string> tolerance_kind_names();
ToleranceKind parse_tolerance_kind(std::string_view name);
/// Team sizes that solves of double with those options may be given on devices of a kind, ascending.
std::vector<int> team_sizes(exec::DeviceKind kind, const Options& options = {});

/// Most iterations of a system of `rows` rows: max_iterations, or what stands for its 0.
index_t iteration_cap(const Options& options, index_t rows);

/// Solves every system of the batch, split over `devices` (all of them at once; those with little memory take it in pieces).
///   rhs      (systems, rhs_per_system, rows), row-major
///   x        the same: initial guesses in, solutions out
///   returns  (systems, rhs_per_system)
/// Systems do not affect one another, and what comes out is the same, byte for byte, from run to run and for any number of
/// devices of a kind. A system that does not converge keeps the x of the least true residual (scaled, if it is); x is finite
/// in any case (0 where A, b or the guess are not). A right-hand side of zeros with a relative tolerance gives x = 0.
/// Batches of float are solved in float, residuals included: those that float cannot tell from rounding, about 1e-7 times
/// sqrt(rows) times ||A|| ||x|| / ||b||, are the smallest that a tolerance can ask for; below them systems end as stagnated.
/// Of complex numbers, T = Complex<float or double>, norms and tolerances are real; GPUs solve those in teams' scratch.
/// Throws Error(usage) for wrong options or sizes, Error(memory), Error(device).
template <class T>
std::vector<Report> solve(const CsrBatch<T>& matrix, std::span<const T> rhs, std::span<T> x, const Options& options,
                          std::span<const exec::Device> devices, Progress& progress = no_progress(),
                          const PerSystem& per_system = {});

extern template std::vector<Report> solve(const CsrBatch<float>&, std::span<const float>, std::span<float>, const Options&,
                                          std::span<const exec::Device>, Progress&, const PerSystem&);
extern template std::vector<Report> solve(const CsrBatch<double>&, std::span<const double>, std::span<double>, const Options&,
                                          std::span<const exec::Device>, Progress&, const PerSystem&);
extern template std::vector<Report> solve(const CsrBatch<Complex<double>>&, std::span<const Complex<double>>,
                                          std::span<Complex<double>>, const Options&, std::span<const exec::Device>, Progress&,
                                          const PerSystem&);
extern template std::vector<Report> solve(const CsrBatch<Complex<float>>&, std::span<const Complex<float>>,
                                          std::span<Complex<float>>, const Options&, std::span<const exec::Device>, Progress&,
                                          const PerSystem&);

}  // namespace phpc::batch
