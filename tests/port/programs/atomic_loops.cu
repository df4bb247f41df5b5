// Compare-and-swap loops: a product of doubles, a maximum of floats by bit casts, a spin lock by one thread a block, a linked
// list.
#include <cstdio>

__device__ double atomic_multiply(double* address, double factor) {
  unsigned long long* bits = (unsigned long long*)address;
  unsigned long long old = *bits, assumed;
  do {
    assumed = old;
    old = atomicCAS(bits, assumed, __double_as_longlong(__longlong_as_double(assumed) * factor));
  } while (assumed != old);
  return __longlong_as_double(old);
}

__device__ float atomic_largest(float* address, float value) {
  int* bits = reinterpret_cast<int*>(address);
  int old = *bits;
  while (value > __int_as_float(old)) {
    const int seen = atomicCAS(bits, old, __float_as_int(value));
    if (seen == old)
      break;
    old = seen;
  }
  return __int_as_float(old);
}

__device__ int lock = 0;
__device__ volatile int guarded[2] = {0, 0};

__global__ void run(double* product, float* largest, int* next, int* head, int* in_shared) {
  __shared__ int count, total;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0)
    count = total = 0;
  __syncthreads();
  if (i % 50 == 0)
    atomic_multiply(product, i % 100 == 0 ? 2.0 : 0.25);
  atomic_largest(largest, static_cast<float>(i * 37 % 501) - 250);
  next[i] = atomicExch(head, i);  // a list through all threads
  const int mine = atomicAdd(&count, 1);
  atomicAdd(&total, mine);
  __syncthreads();
  if (threadIdx.x == 0) {
    in_shared[blockIdx.x] = total;
    while (atomicCAS(&lock, 0, 1) != 0) {
    }
    __threadfence();
    guarded[0] = guarded[0] + 1;
    guarded[1] = guarded[1] + total;
    __threadfence();
    atomicExch(&lock, 0);
  }
}

int main() {
  const int block = 33, blocks = 20, n = block * blocks;
  double one = 1, product, *device_product;
  float least = -1000, largest, *device_largest;
  int end = -1, head, next[n], totals[blocks], *device_head, *device_next, *device_totals;
  cudaMalloc(&device_product, sizeof one);
  cudaMalloc(&device_largest, sizeof least);
  cudaMalloc(&device_head, sizeof end);
  cudaMalloc(&device_next, sizeof next);
  cudaMalloc(&device_totals, sizeof totals);
  cudaMemcpy(device_product, &one, sizeof one, cudaMemcpyHostToDevice);
  cudaMemcpy(device_largest, &least, sizeof least, cudaMemcpyHostToDevice);
  cudaMemcpy(device_head, &end, sizeof end, cudaMemcpyHostToDevice);
  run<<<blocks, block>>>(device_product, device_largest, device_next, device_head, device_totals);
  cudaMemcpy(&product, device_product, sizeof product, cudaMemcpyDeviceToHost);
  cudaMemcpy(&largest, device_largest, sizeof largest, cudaMemcpyDeviceToHost);
  cudaMemcpy(&head, device_head, sizeof head, cudaMemcpyDeviceToHost);
  cudaMemcpy(next, device_next, sizeof next, cudaMemcpyDeviceToHost);
  cudaMemcpy(totals, device_totals, sizeof totals, cudaMemcpyDeviceToHost);
  int counts[2];
  cudaMemcpyFromSymbol(counts, guarded, sizeof counts);
  double expected = 1;
  float top = -1000;
  int length = 0;
  for (int i = 0; i < n; ++i) {
    if (i % 50 == 0)
      expected *= i % 100 == 0 ? 2.0 : 0.25;
    top = i * 37 % 501 - 250 > top ? i * 37 % 501 - 250 : top;
  }
  for (int i = head; i != -1 && length <= n; i = next[i])
    ++length;
  const char* wrong = nullptr;
  if (product != expected)
    wrong = "product";
  if (largest != top)
    wrong = "largest";
  if (length != n)
    wrong = "list";
  for (int total : totals) {
    if (total != block * (block - 1) / 2)
      wrong = "shared counter";
  }
  if (counts[0] != blocks || counts[1] != blocks * block * (block - 1) / 2)
    wrong = "lock";
  std::printf(wrong ? "FAIL: %s\n" : "PASS\n", wrong);
  return wrong ? 1 : 0;
}
