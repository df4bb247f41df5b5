// Batch operations: a method of one's own, steepest descent, out of products, scalar products and sums of whole batches.
//
//     batch_blas [DEVICE]            DEVICE as --device takes it; default: host
//
// phpc/batch/blas.hpp has a launch for each operation on all systems at once. All arrays are in the device's memory; only the
// scalar products come back, to become step lengths. The systems are made from known solutions, which the method must find.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <span>
#include <vector>

#include "phpc/batch/blas.hpp"
#include "phpc/exec/buffer.hpp"
#include "phpc/exec/device.hpp"

namespace {

using namespace phpc;

constexpr index_t systems = 10;
constexpr index_t rows = 30;

std::size_t at(index_t place) {
  return static_cast<std::size_t>(place);
}

/// Symmetric, with 4 + i / systems on the diagonal of system i and -1 beside it: eigenvalues between 2 and 7.
batch::CsrBatch<double> make_matrices() {
  batch::CsrPattern pattern{{0}, {}};
  for (index_t row = 0; row < rows; ++row) {
    for (index_t column = std::max<index_t>(row - 1, 0); column <= std::min(row + 1, rows - 1); ++column) {
      pattern.columns.push_back(static_cast<std::int32_t>(column));
    }
    pattern.row_offsets.push_back(static_cast<std::int32_t>(pattern.columns.size()));
  }
  std::vector<double> values;
  for (index_t system = 0; system < systems; ++system) {
    for (index_t row = 0; row < rows; ++row) {
      for (std::int32_t e = pattern.row_offsets[at(row)]; e < pattern.row_offsets[at(row + 1)]; ++e) {
        values.push_back(pattern.columns[at(e)] == row ? 4 + static_cast<double>(system) / systems : -1);
      }
    }
  }
  return {pattern, values};
}

double solution(index_t system, index_t row) {
  return std::sin(static_cast<double>(system + 1) * static_cast<double>(row + 1));
}

std::vector<double> host_copy(const exec::Buffer<double>& buffer) {
  std::vector<double> values(at(buffer.size()));
  buffer.copy_to(values);
  return values;
}

/// Until ||b - A x|| <= 1e-12 for all systems: x += a r with a = r.r / r.Ar, where r = b - A x. Returns the number of steps.
int descend(exec::Device device, const batch::CsrView<double>& matrix, exec::Buffer<double>& r, exec::Buffer<double>& x) {
  exec::Buffer<double> product(device, systems * rows);
  exec::Buffer<double> dots(device, systems);
  exec::Buffer<double> steps(device, systems);
  for (int count = 0; count < 200; ++count) {
    batch::norm2(device, systems, rows, r.data(), dots.data());
    const std::vector<double> norms = host_copy(dots);
    if (*std::max_element(norms.begin(), norms.end()) <= 1e-12) {
      return count;
    }
    batch::multiply(device, matrix, 1.0, r.data(), 0.0, product.data());
    batch::dot(device, systems, rows, r.data(), product.data(), dots.data());
    std::vector<double> lengths = host_copy(dots);
    for (index_t i = 0; i < systems; ++i) {
      lengths[at(i)] = norms[at(i)] == 0 ? 0 : norms[at(i)] * norms[at(i)] / lengths[at(i)];
    }
    steps.copy_from(lengths);
    batch::axpy(device, systems, rows, steps.data(), r.data(), x.data());
    for (double& length : lengths) {
      length = -length;
    }
    steps.copy_from(lengths);
    batch::axpy(device, systems, rows, steps.data(), product.data(), r.data());
  }
  return -1;
}

int run(exec::Device device) {
  const batch::CsrBatch<double> matrices = make_matrices();
  const exec::Buffer<std::int32_t> row_offsets(device, std::span(matrices.pattern().row_offsets));
  const exec::Buffer<std::int32_t> columns(device, std::span(matrices.pattern().columns));
  const exec::Buffer<double> values(device, matrices.values());
  batch::CsrView<double> matrix = matrices.view(0, systems);  // sizes and sets, with the host's arrays
  matrix.row_offsets = row_offsets.data();
  matrix.columns = columns.data();
  matrix.values = values.data();

  std::vector<double> known;
  for (index_t i = 0; i < systems * rows; ++i) {
    known.push_back(solution(i / rows, i % rows));
  }
  const exec::Buffer<double> known_there(device, std::span<const double>(known));
  exec::Buffer<double> r(device, systems * rows);
  exec::Buffer<double> x(device, std::span<const double>(std::vector<double>(known.size(), 0)));
  batch::multiply(device, matrix, 1.0, known_there.data(), 0.0, r.data());  // b, the residual of x = 0
  const int steps = descend(device, matrix, r, x);

  const std::vector<double> found = host_copy(x);
  double worst = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    worst = std::max(worst, std::abs(found[i] - known[i]));
  }
  std::printf("%d systems in %d steps; largest error %.1e\n", static_cast<int>(systems), steps, worst);
  return steps > 0 && worst < 1e-11 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(exec::select_device(argc > 1 ? argv[1] : "host"));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "batch_blas: %s\n", error.what());
    return 1;
  }
}
