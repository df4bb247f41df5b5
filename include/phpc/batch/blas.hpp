#pragma once
#include "phpc/batch/matrix.hpp"
#include "phpc/exec/device.hpp"

/// Operations on batches of vectors and matrices, a launch each; they return when it is done. All pointers are to memory of the
/// device, vectors are (systems, rows), row-major. What comes out is the same, byte for byte, from run to run. Arrays that are
/// written overlap no others. Throw Error(usage) for negative sizes, Error(device).
namespace phpc::batch {

/// y_i = alpha A_i x_i + beta y_i. With beta = 0, y is not read; with alpha = 0, neither A nor x is.
template <class T>
void multiply(exec::Device device, const CsrView<T>& matrix, T alpha, const T* x, T beta, T* y);

/// results[i] = x_i . y_i
template <class T>
void dot(exec::Device device, index_t systems, index_t rows, const T* x, const T* y, T* results);

/// results[i] = ||x_i||_2, right wherever it is in the range of T; NaN where x_i holds an infinity or NaN.
template <class T>
void norm2(exec::Device device, index_t systems, index_t rows, const T* x, T* results);

/// y_i += alpha x_i
template <class T>
void axpy(exec::Device device, index_t systems, index_t rows, T alpha, const T* x, T* y);

/// y_i += alphas[i] x_i
template <class T>
void axpy(exec::Device device, index_t systems, index_t rows, const T* alphas, const T* x, T* y);

}  // namespace phpc::batch
