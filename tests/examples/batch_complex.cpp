// Complex systems: the voltages of an electric line at many frequencies, a system for each.
//
//     batch_complex [DEVICE]         DEVICE as --device takes it; default: host
//
// The line is a ladder of resistors R from node to node, and capacitors C from each node to ground; a current of 1 flows in at
// node 0. Kirchhoff's law gives (G + i w C) v = e_0, where G is tridiagonal. The voltage at node 0 is the impedance that the
// source sees, which is known from the far end on: z = 1 / (i w C) of the last node, then z = 1 / (i w C + 1 / (R + z)) for each
// one before it.
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdio>
#include <exception>
#include <vector>

#include "phpc/batch/solver.hpp"
#include "phpc/exec/device.hpp"

namespace {

using namespace phpc;

constexpr index_t frequencies = 300;
constexpr index_t nodes = 40;
constexpr double resistance = 2;
constexpr double capacitance = 0.5;

std::size_t at(index_t place) {
  return static_cast<std::size_t>(place);
}

/// w, from 0.01 to 10 in equal ratios.
double frequency(index_t system) {
  return 0.01 * std::pow(1000.0, static_cast<double>(system) / (frequencies - 1));
}

std::complex<double> impedance(double w) {
  const std::complex<double> to_ground{0, w * capacitance};
  std::complex<double> z = 1.0 / to_ground;
  for (index_t node = 1; node < nodes; ++node) {
    z = 1.0 / (to_ground + 1.0 / (resistance + z));
  }
  return z;
}

batch::CsrBatch<Complex<double>> make_matrices() {
  batch::CsrPattern pattern{{0}, {}};
  for (index_t row = 0; row < nodes; ++row) {
    for (index_t column = std::max<index_t>(row - 1, 0); column <= std::min(row + 1, nodes - 1); ++column) {
      pattern.columns.push_back(static_cast<std::int32_t>(column));
    }
    pattern.row_offsets.push_back(static_cast<std::int32_t>(pattern.columns.size()));
  }
  std::vector<Complex<double>> values;
  for (index_t system = 0; system < frequencies; ++system) {
    for (index_t row = 0; row < nodes; ++row) {
      const std::int32_t end = pattern.row_offsets[at(row + 1)];
      const double neighbours = end - pattern.row_offsets[at(row)] - 1;
      for (std::int32_t e = pattern.row_offsets[at(row)]; e < end; ++e) {
        const Complex<double> own{neighbours / resistance, frequency(system) * capacitance};
        values.push_back(pattern.columns[at(e)] == row ? own : Complex<double>{-1 / resistance, 0});
      }
    }
  }
  return {pattern, values};
}

/// The largest relative error of the impedance over all frequencies, infinite where a system did not converge.
double worst_error(const batch::CsrBatch<Complex<double>>& matrices, const batch::Options& options, exec::Device device) {
  std::vector<Complex<double>> current(at(frequencies * nodes), {0, 0});
  for (index_t system = 0; system < frequencies; ++system) {
    current[at(system * nodes)] = {1, 0};
  }
  std::vector<Complex<double>> voltage(current.size(), {0, 0});
  const exec::Device devices[] = {device};
  const std::vector<batch::Report> reports = batch::solve<Complex<double>>(matrices, current, voltage, options, devices);
  double worst = 0;
  for (index_t system = 0; system < frequencies; ++system) {
    if (reports[at(system)].status != batch::Status::converged) {
      return INFINITY;
    }
    const std::complex<double> expected = impedance(frequency(system));
    const Complex<double> found = voltage[at(system * nodes)];
    worst = std::max(worst, std::abs(std::complex<double>{found.re, found.im} - expected) / std::abs(expected));
  }
  std::printf("%-11s largest relative error %.1e\n", options.solver.c_str(), worst);
  return worst;
}

int run(exec::Device device) {
  const batch::CsrBatch<Complex<double>> matrices = make_matrices();
  double worst = 0;
  for (const batch::Options& options : {batch::Options{.solver = "tridiagonal", .preconditioner = "none", .tolerance = 1e-12},
                                        batch::Options{.solver = "gmres", .preconditioner = "ilu", .tolerance = 1e-12}}) {
    worst = std::max(worst, worst_error(matrices, options, device));
  }
  return worst < 1e-8 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(exec::select_device(argc > 1 ? argv[1] : "host"));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "batch_complex: %s\n", error.what());
    return 1;
  }
}
