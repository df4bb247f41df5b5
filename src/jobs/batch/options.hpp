#pragma once
#include <cstdint>
#include <span>
#include <string>

#include "jobs/batch/precision.hpp"
#include "jobs/shard.hpp"
#include "phpc/batch/choose_solver.hpp"
#include "phpc/batch/solver.hpp"

namespace phpc::jobs {

/// What a user asks of `batch`, beside what belongs to --bench.
struct BatchOptions {
  std::string input;              ///< a folder, .mtx, .npz or .npy; empty = not given
  std::string problem;            ///< as batch::Problem takes it; empty = not given
  std::string zeros = "dropped";  ///< of dense matrices; or kept
  std::string matrix_name = "A.mtx";
  std::string rhs_name = "b.mtx";
  std::string rhs = "file";  ///< file, ones, random or a path
  std::string guess;         ///< a path; empty = zeros
  index_t systems = 0;       ///< 0 = as many as the input has
  index_t seed = 1;

  batch::Options method;  ///< its solver may be "auto"
  std::string precision = batch_precision_names().front();
  std::string scaling = "none";  ///< or auto
  std::string tolerance_kind = batch::tolerance_kind_names().front();
  std::string tolerances;              ///< a path; empty = the method's tolerance for all
  std::string matrix_format = "auto";  ///< or csr, ell, dense: on devices
  bool transpose = false;
  bool adjoint = false;
  bool solver_given = false;
  bool solver_chosen = false;  ///< by take_choice()
  /// The preconditioner that was given, which a method that takes none leaves out.
  std::string wanted_preconditioner;
  bool preconditioner_given = false;

  std::string solutions;     ///< where they go; empty = nowhere
  std::string report;        ///< the same of the table
  std::string table_format;  ///< of the table: tsv or json; empty = by the name of the file
  bool allow_unconverged = false;
  std::uint64_t memory = 0;  ///< bytes; 0 = half of what is free, at most 1 GiB
  ShardOptions sharding;
  std::string plot;  ///< where the picture goes; empty = nowhere
};

/// options.method, completed by the options that are text; the same in f32 as in f64. Throws Error(usage).
batch::Options settled_method(const BatchOptions& options);

/// What --matrix-format says of matrices of the pattern. Throws Error(usage).
batch::Storage storage_of(const BatchOptions& options, const batch::CsrPattern& pattern);

/// batch::choose_solver() for the matrix that is solved with: of `pattern`, or its transpose; with cycles of float, sparse-lu in
/// place of a method that has none. `values` are two a number where they are complex.
batch::SolverChoice choose_solver(const batch::CsrPattern& pattern, std::span<const double> values, bool is_complex,
                                  const batch::Options& method);

/// Takes what `auto` chose into the options; a preconditioner that was given stays.
void take_choice(const batch::SolverChoice& choice, BatchOptions& options);

/// Bytes of one pass over a batch: matrices of `values` values in all, and right-hand sides and guesses of `rows` rows a system
/// read, solutions written.
double one_pass_bytes(index_t systems, index_t rows, double values);

/// Sets the preconditioner to none for direct methods, which take none.
void drop_unused_preconditioner(BatchOptions& options);

}  // namespace phpc::jobs
