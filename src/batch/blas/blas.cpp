#include "phpc/batch/blas.hpp"

#include <limits>
#include <string>

#include "batch/blas/blas_kernels.hpp"
#include "phpc/core/error.hpp"

namespace phpc::batch {

namespace {

constexpr int blas_team_size = 64;

void validate_sizes(index_t systems, index_t rows) {
  PHPC_VALIDATE(systems >= 0 && rows >= 0 && rows <= std::numeric_limits<std::int32_t>::max(), ErrorKind::usage,
                "vectors of " + std::to_string(systems) + " systems of " + std::to_string(rows) +
                    " rows; give 0 or more of each, rows below 2^31");
}

exec::LaunchShape shape_of_runs(index_t elements) {
  return {.groups = ceil_div(elements, blas_run)};
}

}  // namespace

template <class T>
void multiply(exec::Device device, const CsrView<T>& matrix, T alpha, const T* x, T beta, T* y) {
  validate_sizes(matrix.systems, matrix.rows);
  PHPC_VALIDATE(matrix.value_sets > 0 || matrix.systems == 0, ErrorKind::usage, "systems without a set of values");
  exec::launch(device, shape_of_runs(matrix.systems * matrix.rows), MultiplyKernel<T, blas_team_size>{matrix, alpha, x, beta, y});
}

template <class T>
void dot(exec::Device device, index_t systems, index_t rows, const T* x, const T* y, T* results) {
  validate_sizes(systems, rows);
  exec::launch(device, {.groups = systems}, DotKernel<T, blas_team_size>{rows, x, y, results});
}

template <class T>
void norm2(exec::Device device, index_t systems, index_t rows, const T* x, T* results) {
  validate_sizes(systems, rows);
  exec::launch(device, {.groups = systems},
               NormKernel<T, blas_team_size>{static_cast<std::int32_t>(rows), const_cast<T*>(x), results});
}

template <class T>
void axpy(exec::Device device, index_t systems, index_t rows, T alpha, const T* x, T* y) {
  validate_sizes(systems, rows);
  exec::launch(device, shape_of_runs(systems * rows), AxpyKernel<T, blas_team_size>{systems, rows, alpha, nullptr, x, y});
}

template <class T>
void axpy(exec::Device device, index_t systems, index_t rows, const T* alphas, const T* x, T* y) {
  validate_sizes(systems, rows);
  exec::launch(device, shape_of_runs(systems * rows), AxpyKernel<T, blas_team_size>{systems, rows, T{0}, alphas, x, y});
}

template void multiply(exec::Device, const CsrView<float>&, float, const float*, float, float*);
template void dot(exec::Device, index_t, index_t, const float*, const float*, float*);
template void norm2(exec::Device, index_t, index_t, const float*, float*);
template void axpy(exec::Device, index_t, index_t, float, const float*, float*);
template void axpy(exec::Device, index_t, index_t, const float*, const float*, float*);
template void multiply(exec::Device, const CsrView<double>&, double, const double*, double, double*);
template void dot(exec::Device, index_t, index_t, const double*, const double*, double*);
template void norm2(exec::Device, index_t, index_t, const double*, double*);
template void axpy(exec::Device, index_t, index_t, double, const double*, double*);
template void axpy(exec::Device, index_t, index_t, const double*, const double*, double*);

}  // namespace phpc::batch
