// Kept factors: heat in many rods, by implicit steps whose matrix stays the same, so that it is factorised once.
//
//     batch_kept_factors [DEVICE]    DEVICE as --device takes it; default: host
//
// A step solves (I + dt d L) u_new = u, L being the 3-point stencil 2, -1. Plan::factorise() keeps the factors on the device,
// Plan::solve() uses them, and the state stays there too. A rod that begins as an eigenvector of L, sin(pi m i / (rows + 1)),
// shrinks by 1 / (1 + dt d (2 - 2 cos(pi m / (rows + 1)))) a step and keeps its shape, which tells what must come out.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <numbers>
#include <span>
#include <utility>
#include <vector>

#include "phpc/batch/plan.hpp"
#include "phpc/exec/buffer.hpp"
#include "phpc/exec/device.hpp"

namespace {

using namespace phpc;

constexpr index_t rods = 200;
constexpr index_t rows = 50;
constexpr int steps = 40;

std::size_t at(index_t place) {
  return static_cast<std::size_t>(place);
}

/// dt d: each rod conducts in a way of its own.
double conduction(index_t rod) {
  return 0.5 + static_cast<double>(rod) / rods;
}

/// The angle pi m / (rows + 1) of the eigenvector that a rod begins with.
double mode(index_t rod) {
  return std::numbers::pi * static_cast<double>(1 + rod % 5) / (rows + 1);
}

batch::CsrBatch<double> make_matrices() {
  batch::CsrPattern pattern{{0}, {}};
  for (index_t row = 0; row < rows; ++row) {
    for (index_t column = std::max<index_t>(row - 1, 0); column <= std::min(row + 1, rows - 1); ++column) {
      pattern.columns.push_back(static_cast<std::int32_t>(column));
    }
    pattern.row_offsets.push_back(static_cast<std::int32_t>(pattern.columns.size()));
  }
  std::vector<double> values;
  for (index_t rod = 0; rod < rods; ++rod) {
    for (index_t row = 0; row < rows; ++row) {
      for (std::int32_t e = pattern.row_offsets[at(row)]; e < pattern.row_offsets[at(row + 1)]; ++e) {
        values.push_back(pattern.columns[at(e)] == row ? 1 + 2 * conduction(rod) : -conduction(rod));
      }
    }
  }
  return {pattern, values};
}

int run(exec::Device device) {
  const batch::CsrBatch<double> matrices = make_matrices();
  std::vector<double> u;
  for (index_t i = 0; i < rods * rows; ++i) {
    u.push_back(std::sin(mode(i / rows) * static_cast<double>(i % rows + 1)));
  }
  const exec::Buffer<double> values(device, matrices.values());
  exec::Buffer<double> old_state(device, std::span<const double>(u));
  exec::Buffer<double> new_state(device, std::span<const double>(u));  // the guess; direct methods solve for the correction to it
  exec::Buffer<batch::Report> reports_there(device, rods);

  batch::Plan<double> plan(device, matrices.pattern(), rods,
                           {.solver = "tridiagonal", .preconditioner = "none", .tolerance = 1e-12});
  plan.factorise({.value_sets = rods, .values = values.data()});
  std::vector<batch::Report> reports(at(rods));
  index_t converged = 0;
  for (int step = 0; step < steps; ++step) {
    plan.solve({.solves = rods, .rhs = old_state.data(), .x = new_state.data(), .reports = reports_there.data()});
    reports_there.copy_to(reports);
    converged += std::count_if(reports.begin(), reports.end(),
                               [](const batch::Report& report) { return report.status == batch::Status::converged; });
    std::swap(old_state, new_state);
  }

  std::vector<double> end(u.size());
  old_state.copy_to(end);
  double worst = 0;
  for (index_t i = 0; i < rods * rows; ++i) {
    const double shrunk = std::pow(1 + conduction(i / rows) * (2 - 2 * std::cos(mode(i / rows))), -steps);
    worst = std::max(worst, std::abs(end[at(i)] - shrunk * u[at(i)]));
  }
  std::printf("%d steps of %d rods, factors %s; largest error %.1e\n", steps, static_cast<int>(rods),
              plan.keeps_factors() ? "kept" : "made anew", worst);
  return converged == steps * rods && worst < 1e-10 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(exec::select_device(argc > 1 ? argv[1] : "host"));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "batch_kept_factors: %s\n", error.what());
    return 1;
  }
}
