// Stiff reactions, many alike, integrated at once by CVODE: their Jacobian is a matrix of blocks, which phpc/batch/sundials.hpp
// solves in one launch.
//
//     batch_sundials [DEVICE]        DEVICE as --device takes it; default: host
//
// All systems are Robertson's, in which time passes at a pace of its own:
//     y1' = c (-k1 y1 + k3 y2 y3),   y2' = c (k1 y1 - k3 y2 y3 - k2 y2^2),   y3' = c k2 y2^2,     k1 = 0.04, k2 = 3e7, k3 = 1e4,
// with c = 1 + sin(2 pi m t / 40) / 2, m = 1, ..., 7, so that at t = 40 each is where the reaction is after 40 units of time,
// which is known. Each of the methods below must come to it.
#include <cvode/cvode.h>

#include <cmath>
#include <cstdio>
#include <exception>
#include <stdexcept>

#include "phpc/batch/sundials.hpp"

namespace {

using namespace phpc;

constexpr index_t systems = 300;
constexpr double k1 = 0.04;
constexpr double k2 = 3e7;
constexpr double k3 = 1e4;
constexpr double end_time = 40;
/// Of the equations at t = 40, to ten digits (Hairer and Wanner, Solving Ordinary Differential Equations II).
constexpr double expected[] = {0.7158270688, 9.185534765e-6, 0.2841637458};

/// How fast time passes in a system at its time t: 1 on the average.
double pace(index_t system, double t) {
  const double turns = 1 + static_cast<double>(system % 7);
  return 1 + 0.5 * std::sin(2 * 3.14159265358979323846 * turns * t / end_time);
}

int rates(sunrealtype t, N_Vector y_vector, N_Vector rates_vector, void* /*data*/) {
  const double* const y = N_VGetArrayPointer(y_vector);
  double* const rate = N_VGetArrayPointer(rates_vector);
  for (index_t i = 0; i < systems; ++i) {
    const double c = pace(i, t);
    const double* const own = y + 3 * i;
    const double back = k3 * own[1] * own[2];
    const double on = k2 * own[1] * own[1];
    rate[3 * i] = c * (-k1 * own[0] + back);
    rate[3 * i + 1] = c * (k1 * own[0] - back - on);
    rate[3 * i + 2] = c * on;
  }
  return 0;
}

/// All nine elements, but for the first of the last row.
const batch::CsrPattern pattern{{0, 3, 6, 8}, {0, 1, 2, 0, 1, 2, 1, 2}};

int jacobian(sunrealtype t, N_Vector y_vector, N_Vector /*rates*/, SUNMatrix matrix, void* /*data*/, N_Vector, N_Vector,
             N_Vector) {
  const double* const y = N_VGetArrayPointer(y_vector);
  double* value = batch::block_values(matrix).data();
  for (index_t i = 0; i < systems; ++i) {
    const double c = pace(i, t);
    const double* const own = y + 3 * i;
    for (const double element :
         {-k1, k3 * own[2], k3 * own[1], k1, -k3 * own[2] - 2 * k2 * own[1], -k3 * own[1], 2 * k2 * own[1], 0.0}) {
      *value++ = c * element;
    }
  }
  return 0;
}

void expect(bool good, const char* what) {
  if (!good) {
    throw std::runtime_error(what);
  }
}

/// Integrates all systems with one method; the worst relative error at the end.
double integrate(exec::Device device, const batch::Options& options) {
  SUNContext context = nullptr;
#if SUNDIALS_VERSION_MAJOR >= 7
  expect(SUNContext_Create(SUN_COMM_NULL, &context) == 0, "SUNContext_Create");
#else
  expect(SUNContext_Create(nullptr, &context) == 0, "SUNContext_Create");
#endif
  N_Vector y = N_VNew_Serial(3 * systems, context);
  N_Vector tolerances = N_VNew_Serial(3 * systems, context);
  for (index_t i = 0; i < systems; ++i) {
    for (index_t species = 0; species < 3; ++species) {
      N_VGetArrayPointer(y)[3 * i + species] = species == 0 ? 1 : 0;
      N_VGetArrayPointer(tolerances)[3 * i + species] = species == 1 ? 1e-14 : 1e-10;
    }
  }
  void* cvode = CVodeCreate(CV_BDF, context);
  SUNMatrix matrix = batch::new_block_matrix(pattern, systems, context);
  SUNLinearSolver solver = batch::new_block_solver(matrix, device, options, context);
  expect(CVodeInit(cvode, rates, 0, y) == CV_SUCCESS, "CVodeInit");
  expect(CVodeSVtolerances(cvode, 1e-8, tolerances) == CV_SUCCESS, "CVodeSVtolerances");
  expect(CVodeSetMaxNumSteps(cvode, 100000) == CV_SUCCESS, "CVodeSetMaxNumSteps");
  expect(CVodeSetLinearSolver(cvode, solver, matrix) == CV_SUCCESS, "CVodeSetLinearSolver");
  expect(CVodeSetJacFn(cvode, jacobian) == CV_SUCCESS, "CVodeSetJacFn");
  sunrealtype reached = 0;
  expect(CVodeSetStopTime(cvode, end_time) == CV_SUCCESS, "CVodeSetStopTime");
  expect(CVode(cvode, end_time, y, &reached, CV_NORMAL) >= 0, "CVode");
  double worst = 0;
  for (index_t i = 0; i < systems; ++i) {
    for (index_t species = 0; species < 3; ++species) {
      worst = std::max(worst, std::abs(N_VGetArrayPointer(y)[3 * i + species] / expected[species] - 1));
    }
  }
  long steps = 0;
  long setups = 0;
  long iterations = 0;
  long failures = 0;
  CVodeGetNumSteps(cvode, &steps);
  CVodeGetNumLinSolvSetups(cvode, &setups);
  CVodeGetNumNonlinSolvIters(cvode, &iterations);
  CVodeGetNumLinConvFails(cvode, &failures);
  std::printf("%-9s %-6s %4ld steps, %4ld setups, %5ld solves, %2ld of them not converged, error %.1e\n", options.solver.c_str(),
              options.preconditioner.c_str(), steps, setups, iterations, failures, worst);
  CVodeFree(&cvode);
  SUNLinSolFree(solver);
  SUNMatDestroy(matrix);
  N_VDestroy(tolerances);
  N_VDestroy(y);
  SUNContext_Free(&context);
  return worst;
}

}  // namespace

int main(int count, char** arguments) {
  try {
    const exec::Device device = exec::select_device(count > 1 ? arguments[1] : "host");
    double worst = 0;
    for (const batch::Options& options : {batch::Options{.solver = "lu", .preconditioner = "none", .tolerance = 1e-9},
                                          batch::Options{.solver = "sparse-lu", .preconditioner = "none", .tolerance = 1e-9},
                                          batch::Options{.solver = "bicgstab", .preconditioner = "jacobi"},
                                          batch::Options{.solver = "gmres", .preconditioner = "ilu"}}) {
      worst = std::max(worst, integrate(device, options));
    }
    return worst < 1e-5 ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "batch_sundials: %s\n", error.what());
    return 1;
  }
}
