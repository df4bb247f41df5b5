// refused: 6: inline PTX
// Assembly in a device function.

__device__ unsigned lane() {
  unsigned id;
  asm volatile("mov.u32 %0, %%laneid;" : "=r"(id));
  return id;
}

__global__ void run(unsigned* out) {
  out[threadIdx.x] = lane();
}

int main() {
  unsigned* out;
  cudaMalloc(&out, 32 * sizeof(unsigned));
  run<<<1, 32>>>(out);
  return cudaDeviceSynchronize();
}
