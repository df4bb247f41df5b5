// A batch of stiff reactions is integrated by backward Euler and Newton's method. The linear systems of a Newton step are one
// call of batch::solve(); they start from zero in one run and from the last solution in another, and what that saves is printed.
//
//     batch_kinetics [DEVICE]        DEVICE as --device takes it; default: host
//
// Each system is a row of cells in which Robertson's three species react and between which they diffuse:
//     y1' = -k1 y1 + k3 y2 y3,   y2' = k1 y1 - k3 y2 y3 - k2 y2^2,   y3' = k2 y2^2,     k1 = 0.04, k2 = 3e7, k3 = 1e4,
// after Hairer and Wanner, Solving Ordinary Differential Equations II, chapter IV.1. System i has k1 multiplied by 1 + i / 200.
// System 0 starts alike in all cells, so that its cells follow the reaction alone, whose solution is known.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <exception>
#include <span>
#include <vector>

#include "phpc/batch/solver.hpp"
#include "phpc/exec/device.hpp"

namespace {

using phpc::index_t;

constexpr index_t systems = 200;
constexpr index_t cells = 8;
constexpr index_t rows = 3 * cells;
constexpr double diffusion = 0.01;  // over the square of a cell's width
constexpr double k2 = 3e7;
constexpr double k3 = 1e4;
constexpr double end_time = 40;

double k1_of(index_t system) {
  return 0.04 * (1 + static_cast<double>(system) / 200);
}

std::size_t at(index_t place) {
  return static_cast<std::size_t>(place);
}

/// The pattern of all Newton matrices: a species meets those of its cell and its own kind in the cells beside it.
phpc::batch::CsrPattern make_pattern() {
  phpc::batch::CsrPattern pattern{{0}, {}};
  for (index_t cell = 0; cell < cells; ++cell) {
    for (index_t species = 0; species < 3; ++species) {
      for (index_t column = 0; column < rows; ++column) {
        const bool beside = std::abs(column / 3 - cell) == 1 && column % 3 == species;
        if (column / 3 == cell || beside) {
          pattern.columns.push_back(static_cast<std::int32_t>(column));
        }
      }
      pattern.row_offsets.push_back(static_cast<std::int32_t>(pattern.columns.size()));
    }
  }
  return pattern;
}

/// The derivatives of the three rates of change by the three amounts.
std::array<std::array<double, 3>, 3> reaction_jacobian(double k1, const double* y) {
  return {{{-k1, k3 * y[2], k3 * y[1]}, {k1, -k3 * y[2] - 2 * k2 * y[1], -k3 * y[1]}, {0, 2 * k2 * y[1], 0}}};
}

/// Newton's step from `y` for backward Euler is linear in the next iterate z: (I - dt f'(y)) z = y_old + dt (f(y) - f'(y) y).
/// Appends that matrix of a system.
void add_matrix(const phpc::batch::CsrPattern& pattern, index_t system, double dt, const double* y, std::vector<double>& values) {
  for (index_t row = 0; row < rows; ++row) {
    const index_t cell = row / 3;
    const auto reaction = reaction_jacobian(k1_of(system), y + 3 * cell);
    const double neighbours = (cell > 0 ? 1 : 0) + (cell + 1 < cells ? 1 : 0);
    for (index_t entry = pattern.row_offsets[at(row)]; entry < pattern.row_offsets[at(row + 1)]; ++entry) {
      const index_t column = pattern.columns[at(entry)];
      double derivative = diffusion;
      if (column / 3 == cell) {
        derivative = reaction[at(row % 3)][at(column % 3)] - (column == row ? neighbours * diffusion : 0);
      }
      values.push_back((column == row ? 1 : 0) - dt * derivative);
    }
  }
}

/// Appends its right-hand side: f(y) - f'(y) y is minus the quadratic part of f.
void add_rhs(double dt, const double* old, const double* y, std::vector<double>& rhs) {
  for (index_t cell = 0; cell < cells; ++cell) {
    const double* const own = y + 3 * cell;
    const double together = k3 * own[1] * own[2];
    const double alone = k2 * own[1] * own[1];
    rhs.push_back(old[3 * cell] - dt * together);
    rhs.push_back(old[3 * cell + 1] + dt * (together + alone));
    rhs.push_back(old[3 * cell + 2] - dt * alone);
  }
}

/// All of species 1, of the other systems more at one end than at the other.
std::vector<double> initial_state() {
  std::vector<double> y(at(systems * rows), 0);
  for (index_t system = 0; system < systems; ++system) {
    for (index_t cell = 0; cell < cells; ++cell) {
      const double slope = system == 0 ? 0 : (2.0 * static_cast<double>(cell) + 1) / cells - 1;
      y[at(system * rows + 3 * cell)] = 1 + 0.5 * slope;
    }
  }
  return y;
}

enum class Guess { zero, last_solution };

struct Run {
  std::vector<double> y;
  long iterations = 0;
  long solves = 0;
  long without_iteration = 0;
};

/// Newton's method for one step of length `dt` from run.y. Returns whether each linear system converged.
bool step(const phpc::batch::CsrPattern& pattern, double dt, Guess guess, std::span<const phpc::exec::Device> devices, Run& run) {
  // Cells of three species are the blocks; the residual is held against ||b||, so that a guess which meets it costs nothing.
  const phpc::batch::Options options{.solver = "bicgstab",
                                     .preconditioner = "block-jacobi",
                                     .block_size = 3,
                                     .tolerance = 1e-10,
                                     .scaling = phpc::batch::Scaling::automatic};
  const std::vector<double> old = run.y;
  for (int newton = 0; newton < 20; ++newton) {
    std::vector<double> values;
    std::vector<double> rhs;
    for (index_t system = 0; system < systems; ++system) {
      add_matrix(pattern, system, dt, &run.y[at(system * rows)], values);
      add_rhs(dt, &old[at(system * rows)], &run.y[at(system * rows)], rhs);
    }
    std::vector<double> next = guess == Guess::zero ? std::vector<double>(rhs.size(), 0) : run.y;
    const auto reports = phpc::batch::solve<double>({pattern, std::move(values)}, rhs, next, options, devices);
    for (const phpc::batch::Report& report : reports) {
      if (report.status != phpc::batch::Status::converged) {
        return false;
      }
      run.iterations += report.iterations;
      run.without_iteration += report.iterations == 0 ? 1 : 0;
      ++run.solves;
    }
    double change = 0;
    for (std::size_t i = 0; i < next.size(); ++i) {
      change = std::max(change, std::abs(next[i] - run.y[i]) / (std::abs(next[i]) + 1e-8));
    }
    run.y = std::move(next);
    if (change < 1e-3) {
      return true;
    }
  }
  return false;
}

/// Steps that grow by an eighth, from 1e-4 to `end_time`.
bool integrate(const phpc::batch::CsrPattern& pattern, Guess guess, std::span<const phpc::exec::Device> devices, Run& run) {
  run.y = initial_state();
  double time = 0;
  for (double dt = 1e-4; time < end_time; dt *= 1.125) {
    const double length = std::min(dt, end_time - time);
    if (!step(pattern, length, guess, devices, run)) {
      std::printf("no convergence at t = %g\n", time);
      return false;
    }
    time += length;
  }
  return true;
}

/// Whether what is known of the solution holds: that of system 0 at t = 40, and that no matter is lost.
bool is_right(const Run& run) {
  constexpr double exact[] = {0.7158270688, 0.918553476e-5, 0.2841637457};
  bool right = true;
  for (index_t row = 0; row < rows; ++row) {
    right = right && std::abs(run.y[at(row)] / exact[row % 3] - 1) < 0.03;  // the error of backward Euler's steps
  }
  for (index_t system = 0; system < systems; ++system) {
    double matter = 0;
    for (index_t row = 0; row < rows; ++row) {
      matter += run.y[at(system * rows + row)];
    }
    right = right && std::abs(matter / cells - 1) < 1e-6;
  }
  return right;
}

int run_all(const char* device) {
  const std::vector<phpc::exec::Device> devices = phpc::exec::select_devices(device);
  const phpc::batch::CsrPattern pattern = make_pattern();
  Run runs[2];
  for (const Guess guess : {Guess::zero, Guess::last_solution}) {
    Run& run = runs[guess == Guess::zero ? 0 : 1];
    if (!integrate(pattern, guess, devices, run) || !is_right(run)) {
      std::printf("wrong\n");
      return 1;
    }
    std::printf("from %-18s %ld solves, %ld of them without an iteration, %ld iterations\n",
                guess == Guess::zero ? "zero:" : "the last solution:", run.solves, run.without_iteration, run.iterations);
  }
  std::printf("system 0 at t = 40: %.4f %.4e %.4f\n", runs[1].y[0], runs[1].y[1], runs[1].y[2]);
  const double saved = 1 - static_cast<double>(runs[1].iterations) / static_cast<double>(runs[0].iterations);
  std::printf("iterations saved: %.0f %%\n", 100 * saved);
  return saved > 0.2 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run_all(argc > 1 ? argv[1] : "host");
  } catch (const std::exception& error) {
    std::fprintf(stderr, "batch_kinetics: %s\n", error.what());
    return 1;
  }
}
