// refused: 4: texture
// A texture object read by a kernel.

__global__ void read(cudaTextureObject_t image, float* out) {
  out[threadIdx.x] = tex1Dfetch<float>(image, threadIdx.x);
}

int main() {
  return 0;
}
