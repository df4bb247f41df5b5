// refused: 10: dynamic parallelism
// A kernel that launches another one.

__global__ void child(int* out) {
  out[threadIdx.x] = 1;
}

__global__ void parent(int* out) {
  if (threadIdx.x == 0) {
    child<<<1, 32>>>(out);
  }
}

int main() {
  int* out;
  cudaMalloc(&out, 32 * sizeof(int));
  parent<<<1, 32>>>(out);
  return cudaDeviceSynchronize();
}
