// refused: 5: cudaIpcMemHandle_t
__global__ void k() {}

int main() {
  cudaIpcMemHandle_t handle;
  k<<<1, 1>>>();
}
