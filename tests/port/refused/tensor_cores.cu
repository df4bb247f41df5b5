// refused: 3: tensor cores
// Matrix fragments of the tensor cores.
#include <mma.h>

__global__ void run(half* a, half* b, float* c) {
  nvcuda::wmma::fragment<nvcuda::wmma::matrix_a, 16, 16, 16, half, nvcuda::wmma::row_major> left;
  nvcuda::wmma::fragment<nvcuda::wmma::matrix_b, 16, 16, 16, half, nvcuda::wmma::col_major> right;
  nvcuda::wmma::fragment<nvcuda::wmma::accumulator, 16, 16, 16, float> sum;
  nvcuda::wmma::fill_fragment(sum, 0.0f);
  nvcuda::wmma::load_matrix_sync(left, a, 16);
  nvcuda::wmma::load_matrix_sync(right, b, 16);
  nvcuda::wmma::mma_sync(sum, left, right, sum);
  nvcuda::wmma::store_matrix_sync(c, sum, 16, nvcuda::wmma::mem_row_major);
}

int main() {
  return 0;
}
