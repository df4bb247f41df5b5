// Matrices that a program has in dense or ELL storage, solved as they lie, without a copy in CSR on the device.
//
//     batch_storage [DEVICE]         DEVICE as --device takes it; default: host
//
// phpc/batch/formats.hpp turns dense, ELL and band matrices into CSR and back, exactly; Options::storage says how a plan's values
// lie. The same systems are solved from all three, and each solution must be the known one.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <span>
#include <vector>

#include "phpc/batch/formats.hpp"
#include "phpc/batch/plan.hpp"
#include "phpc/exec/buffer.hpp"
#include "phpc/exec/device.hpp"

namespace {

using namespace phpc;

constexpr index_t systems = 64;
constexpr index_t rows = 24;

double solution(index_t system, index_t row) {
  return std::cos(static_cast<double>(system + 2 * row));
}

/// A diagonal, and three entries a row beside it that go round.
double element(index_t system, index_t row, index_t column) {
  const index_t distance = (column - row + rows) % rows;
  if (distance == 0) {
    return 5 + static_cast<double>(system) / systems;
  }
  return distance == 1 ? -1 : distance == 3 ? 0.5 : distance == rows - 5 ? -2 : 0;
}

/// Solves with a plan whose values lie in `storage`; the largest error of x.
double solve(exec::Device device, batch::Storage storage, const batch::CsrPattern& pattern, std::span<const double> values,
             std::span<const double> rhs) {
  const exec::Buffer<double> values_there(device, values);
  const exec::Buffer<double> rhs_there(device, rhs);
  exec::Buffer<double> x_there(device, std::span<const double>(std::vector<double>(rhs.size(), 0)));
  exec::Buffer<batch::Report> reports_there(device, systems);
  batch::Plan<double> plan(device, pattern, systems, {.solver = "bicgstab", .tolerance = 1e-12, .storage = storage});
  plan.execute(systems, systems, 0, values_there.data(), rhs_there.data(), x_there.data(), reports_there.data());
  std::vector<double> x(rhs.size());
  x_there.copy_to(x);
  double worst = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const auto place = static_cast<index_t>(i);
    worst = std::max(worst, std::abs(x[i] - solution(place / rows, place % rows)));
  }
  std::printf("%-5s %6d values of all systems, largest error %.1e\n", std::string(batch::to_string(storage)).c_str(),
              static_cast<int>(values.size()), worst);
  return worst;
}

int run(exec::Device device) {
  batch::DenseBatch<double> dense{rows, {}};
  std::vector<double> rhs;
  for (index_t system = 0; system < systems; ++system) {
    for (index_t row = 0; row < rows; ++row) {
      double product = 0;
      for (index_t column = 0; column < rows; ++column) {
        dense.values.push_back(element(system, row, column));
        product += dense.values.back() * solution(system, column);
      }
      rhs.push_back(product);
    }
  }
  // The pattern is that of elements that are not zero in all systems; of the dense matrices themselves, all.
  const batch::CsrBatch<double> csr = batch::to_csr(dense, batch::Zeros::dropped);
  const batch::EllBatch<double> ell = batch::to_ell(csr);
  const double worst = std::max({solve(device, batch::Storage::csr, csr.pattern(), csr.values(), rhs),
                                 solve(device, batch::Storage::ell, csr.pattern(), ell.values, rhs),
                                 solve(device, batch::Storage::dense, csr.pattern(), dense.values, rhs)});
  return worst < 1e-10 && ell.width == 4 && batch::to_dense(csr).values == dense.values ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(exec::select_device(argc > 1 ? argv[1] : "host"));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "batch_storage: %s\n", error.what());
    return 1;
  }
}
