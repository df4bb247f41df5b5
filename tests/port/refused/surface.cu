// refused: 5: surface
// A surface object written by a kernel.
#include <cuda_runtime.h>

__global__ void write(cudaSurfaceObject_t image) {
  surf2Dwrite(1.0f, image, threadIdx.x * sizeof(float), 0);
}

int main() {
  return 0;
}
