// refused: 3: cuBLAS
// A matrix product by the library cuBLAS.
#include <cublas_v2.h>
#include <cuda_runtime.h>

int main() {
  cublasHandle_t handle;
  cublasCreate(&handle);
  cublasDestroy(handle);
  return 0;
}
