// A function that stops the program where a division behind it has no result: nothing of the division may run before.
#include <csignal>
#include <cstdio>
#include <unistd.h>

__device__ __noinline__ void check(int n) {
  if (n == 0) __trap();
}

__global__ void shares(int* out, int n) {
  __shared__ int row[64];
  const int t = threadIdx.x;
  row[t] = t;
  __syncthreads();
  check(n);
  out[t] = row[63 - t] + 1000 / n;
}

// What a trap raises; a division by zero raises SIGFPE.
static void stopped(int signal) {
  std::printf(signal == SIGFPE ? "FAIL: divided by zero\n" : "PASS\n");
  std::fflush(stdout);
  _exit(signal == SIGFPE ? 1 : 0);
}

int main() {
  int* out;
  cudaMalloc(&out, 64 * sizeof(int));
  shares<<<1, 64>>>(out, 8);
  int got[64];
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 64; ++i) {
    if (got[i] != 63 - i + 125) {
      std::printf("FAIL: element %d is %d\n", i, got[i]);
      return 1;
    }
  }
  for (const int signal : {SIGILL, SIGTRAP, SIGABRT, SIGFPE}) std::signal(signal, stopped);
  shares<<<1, 64>>>(out, 0);
  std::printf("FAIL: went on, %d\n", static_cast<int>(cudaDeviceSynchronize()));
  return 1;
}
