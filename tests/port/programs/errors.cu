// Errors: bad launches seen by cudaGetLastError, names and texts, too much memory, wrong handles; later work still runs.
// CUDA 13.0 on an H100 answers every bad launch with cudaErrorInvalidValue; this program asks for the code that the manual names.
#include <cstdio>
#include <cstring>

__global__ void set(int* out, int value) {
  out[threadIdx.x] = value;
}

static int failed(const char* what, cudaError_t error) {
  std::printf("FAIL: %s gave %s\n", what, cudaGetErrorName(error));
  return 1;
}

int main() {
  int *out, host[33];
  cudaMalloc(&out, sizeof host);
  if (cudaGetLastError() != cudaSuccess)
    return failed("a fresh start", cudaErrorUnknown);

  set<<<1, 1025>>>(out, 1);  // more threads than a block may have
  cudaError_t error = cudaPeekAtLastError();
  if (error != cudaErrorInvalidConfiguration)
    return failed("1025 threads, peeked", error);
  error = cudaGetLastError();
  if (error != cudaErrorInvalidConfiguration)
    return failed("1025 threads", error);
  if (std::strcmp(cudaGetErrorString(error), "invalid configuration argument") != 0)
    return failed("the text", error);
  if (std::strcmp(cudaGetErrorName(error), "cudaErrorInvalidConfiguration") != 0)
    return failed("the name", error);
  error = cudaGetLastError();
  if (error != cudaSuccess)
    return failed("the second question", error);

  set<<<0, 33>>>(out, 1);
  error = cudaGetLastError();
  if (error != cudaErrorInvalidConfiguration)
    return failed("an empty grid", error);
  set<<<1, 0>>>(out, 1);
  error = cudaGetLastError();
  if (error != cudaErrorInvalidConfiguration)
    return failed("an empty block", error);
  set<<<1, dim3(1, 1, 65)>>>(out, 1);
  error = cudaGetLastError();
  if (error != cudaErrorInvalidConfiguration)
    return failed("65 threads deep", error);
  set<<<dim3(1, 65536), 1>>>(out, 1);
  error = cudaGetLastError();
  if (error != cudaErrorInvalidConfiguration)
    return failed("65536 blocks in y", error);

  void* large = &host;
  error = cudaMalloc(&large, static_cast<size_t>(1) << 60);
  if (error != cudaErrorMemoryAllocation)
    return failed("an exbibyte", error);
  error = cudaGetLastError();
  if (error != cudaErrorMemoryAllocation)
    return failed("an exbibyte, asked later", error);
  if (std::strcmp(cudaGetErrorString(error), "out of memory") != 0)
    return failed("the text of it", error);
  error = cudaMemcpy(out, nullptr, 4, cudaMemcpyHostToDevice);
  if (error != cudaErrorInvalidValue)
    return failed("a copy from nowhere", error);
  cudaGetLastError();
  error = cudaSetDevice(1000);
  if (error != cudaErrorInvalidDevice)
    return failed("device 1000", error);
  cudaGetLastError();
  if (std::strcmp(cudaGetErrorString(cudaSuccess), "no error") != 0)
    return failed("the text of success", cudaSuccess);

  cudaMemset(out, 0, sizeof host);
  set<<<1, 33>>>(out, 7);  // errors of launches do not last
  error = cudaGetLastError();
  if (error != cudaSuccess)
    return failed("a good launch", error);
  error = cudaDeviceSynchronize();
  if (error != cudaSuccess)
    return failed("waiting", error);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  for (int value : host) {
    if (value != 7)
      return failed("the values of the good launch", cudaSuccess);
  }
  error = cudaFree(out);
  if (error != cudaSuccess)
    return failed("cudaFree", error);
  cudaDeviceReset();
  std::printf("PASS\n");
  return 0;
}
