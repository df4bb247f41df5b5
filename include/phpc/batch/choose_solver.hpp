#pragma once
#include <span>
#include <string>

#include "phpc/batch/matrix.hpp"

namespace phpc::batch {

/// What choose_solver() took.
struct SolverChoice {
  std::string solver;          ///< of solver_names()
  std::string preconditioner;  ///< of preconditioner_names()
  std::string reason;          ///< "every entry is on the three diagonals in the middle"
};

/// A solver for systems of this pattern, whose values are like `values`, those of one of them (pattern.entries() of them). The
/// first line that holds decides:
///   no entry above the diagonal, a full diagonal                  lower
///   no entry below the diagonal, a full diagonal                  upper
///   no entry off the three middle diagonals, no row whose         tridiagonal (which does not exchange rows)
///     diagonal is less than the rest of it in magnitude
///   at most 16 rows, or at least a fifth of all places are        lu
///     entries and at most 256 rows
///   symmetric (or Hermitian), with a positive diagonal            cg with jacobi
///   zeros on the diagonal, or places missing there                lu up to 1024 rows, then gmres without preconditioner
///   anything else                                                 bicgstab with jacobi
/// A full diagonal is one without zeros. Whether a matrix that looks positive definite is, only the solve can tell: its reports
/// say so. Throws Error(usage) when the values are not as many as the entries.
SolverChoice choose_solver(const CsrPattern& pattern, std::span<const double> values);
SolverChoice choose_solver(const CsrPattern& pattern, std::span<const Complex<double>> values);

}  // namespace phpc::batch
