#pragma once
#include <nvector/nvector_serial.h>
#include <sundials/sundials_linearsolver.h>
#include <sundials/sundials_matrix.h>
#include <sundials/sundials_types.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "phpc/batch/plan.hpp"
#include "phpc/core/error.hpp"

/// Batches of equations in SUNDIALS (6 or 7, in double, vectors of N_VMake_Serial's kind): a SUNMatrix of blocks on its diagonal
/// that share a pattern, and a SUNLinearSolver of them, all blocks in one launch on a device. The header needs SUNDIALS's headers
/// and libraries, the library does not:
///
///     SUNMatrix matrix = phpc::batch::new_block_matrix(pattern, systems, context);
///     SUNLinearSolver solver = phpc::batch::new_block_solver(matrix, device, {.solver = "lu", .tolerance = 1e-10}, context);
///     CVodeSetLinearSolver(cvode, solver, matrix);
///     CVodeSetJacFn(cvode, jacobian);        // writes block_values(J)
///
/// Both are freed as all others (SUNMatDestroy, SUNLinSolFree). Functions that make them throw phpc::Error; what fails later is a
/// number that SUNDIALS knows.
namespace phpc::batch {

static_assert(std::is_same_v<sunrealtype, double>, "SUNDIALS in double precision");

namespace sundials_detail {

/// What stands in a matrix's content.
struct BlockMatrix {
  std::shared_ptr<const CsrPattern> pattern;
  std::vector<std::int32_t> diagonal;  ///< of each row its entry
  index_t blocks;
  SUNContext context;
  std::vector<double> values;  ///< (blocks, entries)
};

inline BlockMatrix& content(SUNMatrix matrix) {
  return *static_cast<BlockMatrix*>(matrix->content);
}

inline SUNMatrix wrapped(const BlockMatrix& block);

/// matrix += scale * other or identity, where `add` says what of.
template <class Add>
int add_to(SUNMatrix matrix, double scale, Add add) {
  BlockMatrix& own = content(matrix);
  for (double& value : own.values) {
    value *= scale;
  }
  add(own);
  return 0;
}

inline int copy_matrix(SUNMatrix from, SUNMatrix to) {
  content(to).values = content(from).values;  // of one size: no memory is taken
  return 0;
}

inline int zero_matrix(SUNMatrix matrix) {
  std::fill(content(matrix).values.begin(), content(matrix).values.end(), 0.0);
  return 0;
}

inline int scale_and_add(sunrealtype scale, SUNMatrix matrix, SUNMatrix other) {
  return add_to(matrix, scale, [&](BlockMatrix& own) {
    std::transform(own.values.begin(), own.values.end(), content(other).values.begin(), own.values.begin(), std::plus<>());
  });
}

inline int scale_and_add_identity(sunrealtype scale, SUNMatrix matrix) {
  return add_to(matrix, scale, [](BlockMatrix& own) {
    for (auto block = own.values.begin(); block != own.values.end(); block += own.pattern->entries()) {
      for (const std::int32_t entry : own.diagonal) {
        block[entry] += 1;
      }
    }
  });
}

inline int multiply_vector(SUNMatrix matrix, N_Vector x, N_Vector y) {
  const BlockMatrix& own = content(matrix);
  const auto rows = static_cast<std::size_t>(own.pattern->rows());
  const double* const in = N_VGetArrayPointer(x);
  double* const out = N_VGetArrayPointer(y);
  const double* value = own.values.data();
  for (std::size_t block = 0; block < static_cast<std::size_t>(own.blocks); ++block) {
    for (std::size_t row = 0; row < rows; ++row) {
      double sum = 0;
      for (auto entry = static_cast<std::size_t>(own.pattern->row_offsets[row]);
           entry < static_cast<std::size_t>(own.pattern->row_offsets[row + 1]); ++entry) {
        sum += *value++ * in[block * rows + static_cast<std::size_t>(own.pattern->columns[entry])];
      }
      out[block * rows + row] = sum;
    }
  }
  return 0;
}

inline SUNMatrix wrapped(const BlockMatrix& block) {
  auto own = std::make_unique<BlockMatrix>(block);
  SUNMatrix matrix = SUNMatNewEmpty(block.context);
  PHPC_VALIDATE(matrix != nullptr, ErrorKind::memory, "SUNDIALS has no memory for a matrix");
  matrix->content = own.release();
  matrix->ops->getid = [](SUNMatrix) { return SUNMATRIX_CUSTOM; };
  matrix->ops->clone = [](SUNMatrix other) -> SUNMatrix {
    try {
      return wrapped(content(other));
    } catch (const std::exception&) {
      return nullptr;
    }
  };
  matrix->ops->destroy = [](SUNMatrix old) {
    delete static_cast<BlockMatrix*>(old->content);
    old->content = nullptr;
    SUNMatFreeEmpty(old);
  };
  matrix->ops->zero = zero_matrix;
  matrix->ops->copy = copy_matrix;
  matrix->ops->scaleadd = scale_and_add;
  matrix->ops->scaleaddi = scale_and_add_identity;
  matrix->ops->matvec = multiply_vector;
  return matrix;
}

/// A plan for all blocks, with everything on its device.
class BlockSolver {
 public:
  BlockSolver(const BlockMatrix& matrix, exec::Device device, Options options)
      : is_direct_(!takes_preconditioner(options.solver)),
        blocks_(matrix.blocks),
        plan_(device, *matrix.pattern, blocks_, settled(std::move(options), is_direct_)),
        values_(device, blocks_ * matrix.pattern->entries()),
        rhs_(device, blocks_ * matrix.pattern->rows()),
        x_(device, blocks_ * matrix.pattern->rows()),
        reports_(device, blocks_),
        tolerances_(device, is_direct_ ? 0 : blocks_),
        told_(static_cast<std::size_t>(blocks_)) {}

  [[nodiscard]] bool is_direct() const { return is_direct_; }
  [[nodiscard]] int iterations() const { return iterations_; }
  [[nodiscard]] double residual_norm() const { return residual_norm_; }

  void setup(const BlockMatrix& matrix) {
    values_.copy_from(std::span<const double>(matrix.values));
    plan_.factorise({.value_sets = blocks_, .values = values_.data()});
  }

  /// x as near to A^-1 b as a residual of `tolerance` in the 2-norm of all blocks, which each does its share for; direct methods
  /// as their options say. Whether all blocks converged.
  bool solve(std::span<double> x, std::span<const double> b, double tolerance) {
    if (!is_direct_) {
      const std::vector<double> shares(told_.size(), tolerance / std::sqrt(static_cast<double>(blocks_)));
      tolerances_.copy_from(std::span<const double>(shares));
    }
    rhs_.copy_from(b);
    x_.copy_from(std::span<const double>(x.data(), x.size()));
    plan_.solve({.solves = blocks_,
                 .first_set = 0,
                 .rhs = rhs_.data(),
                 .x = x_.data(),
                 .reports = reports_.data(),
                 .tolerances = is_direct_ ? nullptr : tolerances_.data()});
    x_.copy_to(x);
    reports_.copy_to(told_);
    double squared = 0;
    iterations_ = 0;
    bool converged = true;
    for (const Report& report : told_) {
      squared += report.residual_norm * report.residual_norm;
      iterations_ = std::max(iterations_, static_cast<int>(report.iterations));
      converged = converged && report.status == Status::converged;
    }
    residual_norm_ = std::sqrt(squared);
    return converged;
  }

  int last_flag = 0;

 private:
  static Options settled(Options options, bool is_direct) {
    options.tolerance_kind = is_direct ? options.tolerance_kind : ToleranceKind::absolute;
    return options;
  }

  bool is_direct_;
  index_t blocks_;
  Plan<double> plan_;
  exec::Buffer<double> values_;
  exec::Buffer<double> rhs_;
  exec::Buffer<double> x_;
  exec::Buffer<Report> reports_;
  exec::Buffer<double> tolerances_;
  std::vector<Report> told_;
  int iterations_ = 0;
  double residual_norm_ = 0;
};

inline BlockSolver& solver_of(SUNLinearSolver solver) {
  return *static_cast<BlockSolver*>(solver->content);
}

/// Runs work(), which gives a flag; what it throws is one that SUNDIALS does not try again.
template <class Work>
int flagged(SUNLinearSolver solver, Work work) {
  int flag = 0;
  try {
    flag = work();
  } catch (const std::exception&) {
    flag = SUNLS_PACKAGE_FAIL_UNREC;
  }
  solver_of(solver).last_flag = flag;
  return flag;
}

}  // namespace sundials_detail

/// `blocks` square blocks of zeros on the diagonal of a matrix. The pattern has all diagonal elements. Throws Error(input).
inline SUNMatrix new_block_matrix(const CsrPattern& pattern, index_t blocks, SUNContext context) {
  pattern.validate();
  PHPC_VALIDATE(blocks >= 1, ErrorKind::input, "a matrix of " + std::to_string(blocks) + " blocks; give 1 or more");
  sundials_detail::BlockMatrix matrix{std::make_shared<const CsrPattern>(pattern), {}, blocks, context, {}};
  for (std::int32_t row = 0; row < pattern.rows(); ++row) {
    const auto first = pattern.columns.begin() + pattern.row_offsets[static_cast<std::size_t>(row)];
    const auto last = pattern.columns.begin() + pattern.row_offsets[static_cast<std::size_t>(row) + 1];
    const auto found = std::lower_bound(first, last, row);
    PHPC_VALIDATE(found != last && *found == row, ErrorKind::input,
                  "a pattern without the diagonal element of row " + std::to_string(row) + ", to which integrators add one");
    matrix.diagonal.push_back(static_cast<std::int32_t>(found - pattern.columns.begin()));
  }
  matrix.values.assign(static_cast<std::size_t>(blocks * pattern.entries()), 0.0);
  return sundials_detail::wrapped(matrix);
}

/// The values of such a matrix, (blocks, entries).
inline std::span<double> block_values(SUNMatrix matrix) {
  return sundials_detail::content(matrix).values;
}

/// A solver of such matrices on a device. A direct method of the options solves to their tolerance; an iterative one to that of
/// the integrator, and each block to an equal share of it. Factors are kept from setup to setup. Throws as Plan's constructor
/// does.
inline SUNLinearSolver new_block_solver(SUNMatrix matrix, exec::Device device, const Options& options, SUNContext context) {
  using namespace sundials_detail;
  auto own = std::make_unique<BlockSolver>(content(matrix), device, options);
  SUNLinearSolver solver = SUNLinSolNewEmpty(context);
  PHPC_VALIDATE(solver != nullptr, ErrorKind::memory, "SUNDIALS has no memory for a linear solver");
  solver->content = own.release();
  solver->ops->gettype = [](SUNLinearSolver one) {
    return solver_of(one).is_direct() ? SUNLINEARSOLVER_DIRECT : SUNLINEARSOLVER_MATRIX_ITERATIVE;
  };
  solver->ops->getid = [](SUNLinearSolver) { return SUNLINEARSOLVER_CUSTOM; };
  solver->ops->initialize = [](SUNLinearSolver) { return 0; };
  solver->ops->setup = [](SUNLinearSolver one, SUNMatrix of) -> int {
    return flagged(one, [&] {
      solver_of(one).setup(content(of));
      return 0;
    });
  };
  solver->ops->solve = [](SUNLinearSolver one, SUNMatrix, N_Vector x, N_Vector b, sunrealtype tolerance) -> int {
    return flagged(one, [&] {
      const auto size = static_cast<std::size_t>(N_VGetLength(x));
      const std::span<double> solution(N_VGetArrayPointer(x), size);
      if (solver_of(one).is_direct()) {
        std::fill(solution.begin(), solution.end(), 0.0);  // it may hold anything
      }
      const bool converged = solver_of(one).solve(solution, {N_VGetArrayPointer(b), size}, tolerance);
      return converged ? 0 : SUNLS_CONV_FAIL;
    });
  };
  solver->ops->numiters = [](SUNLinearSolver one) { return solver_of(one).iterations(); };
  solver->ops->resnorm = [](SUNLinearSolver one) -> sunrealtype { return solver_of(one).residual_norm(); };
  solver->ops->lastflag = [](SUNLinearSolver one) -> sunindextype { return solver_of(one).last_flag; };
  solver->ops->free = [](SUNLinearSolver old) -> int {
    delete static_cast<BlockSolver*>(old->content);
    old->content = nullptr;
    SUNLinSolFreeEmpty(old);
    return 0;
  };
  return solver;
}

}  // namespace phpc::batch
