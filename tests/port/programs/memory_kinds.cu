// Kinds of memory: managed memory with pointers in it, pitched memory, copies of rectangles, copies between devices' buffers,
// device queries.
#include <cstdio>
#include <cstring>

struct Node {
  int value;
  Node* next;
};

__global__ void add_along(Node* first, int add) {
  for (Node* node = first; node != nullptr; node = node->next)
    node->value += add;
}

__global__ void number_cells(char* base, size_t pitch, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height)
    ((int*)(base + y * pitch))[x] += 100 * y + x;
}

static int failed(const char* what) {
  std::printf("FAIL: %s\n", what);
  return 1;
}

int main() {
  Node* nodes;
  const int count = 7;
  if (cudaMallocManaged(&nodes, count * sizeof(Node)) != cudaSuccess)
    return failed("cudaMallocManaged");
  for (int i = 0; i < count; ++i)
    nodes[i] = {i, i + 1 < count ? nodes + i + 1 : nullptr};
  add_along<<<1, 1>>>(nodes, 5);
  cudaDeviceSynchronize();
  nodes[3].value *= 2;
  add_along<<<1, 1>>>(nodes + 3, 1);
  cudaDeviceSynchronize();
  for (int i = 0; i < count; ++i) {
    if (nodes[i].value != (i < 3 ? i + 5 : i == 3 ? 17 : i + 6))
      return failed("managed memory");
  }
  cudaFree(nodes);

  const int width = 37, height = 13;
  int host[height][width + 2], back[height * width];
  for (auto& row : host) {
    for (int& cell : row)
      cell = 7;
  }
  char* pitched;
  size_t pitch = 0;
  if (cudaMallocPitch((void**)&pitched, &pitch, width * sizeof(int), height) != cudaSuccess || pitch < width * sizeof(int)) {
    return failed("cudaMallocPitch");
  }
  cudaMemset2D(pitched, pitch, 0, width * sizeof(int), height);
  cudaMemcpy2D(pitched, pitch, host, sizeof host[0], width * sizeof(int), height - 1, cudaMemcpyHostToDevice);
  number_cells<<<dim3((width + 6) / 7, (height + 10) / 11), dim3(7, 11)>>>(pitched, pitch, width, height);
  cudaMemcpy2D(back, width * sizeof(int), pitched, pitch, width * sizeof(int), height, cudaMemcpyDeviceToHost);
  for (int i = 0; i < width * height; ++i) {
    if (back[i] != 100 * (i / width) + i % width + (i / width < height - 1 ? 7 : 0))
      return failed("rectangles");
  }

  int *a, *b, *end;
  cudaMalloc(&a, sizeof back);
  cudaMalloc(&b, sizeof back);
  cudaMemset(b, 0xff, sizeof back);
  cudaMemcpy(a, back, sizeof back, cudaMemcpyDefault);
  cudaMemcpy(b + 10, a + 20, 50 * sizeof(int), cudaMemcpyDeviceToDevice);  // a part in the middle
  end = b + 5;
  cudaMemcpy(end, a, 5 * sizeof(int), cudaMemcpyDefault);
  int part[70];
  cudaMemcpy(part, b, sizeof part, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 70; ++i) {
    const int expected = i < 5 || i >= 60 ? -1 : i < 10 ? back[i - 5] : back[i + 10];
    if (part[i] != expected)
      return failed("copies on the device");
  }
  cudaFree(a);
  cudaFree(b);
  cudaFree(pitched);
  cudaFree(nullptr);

  int devices = 0, current = -1, threads = 0;
  cudaDeviceProp properties;
  size_t free_bytes = 0, total_bytes = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices < 1)
    return failed("cudaGetDeviceCount");
  if (cudaSetDevice(devices - 1) != cudaSuccess || cudaGetDevice(&current) != cudaSuccess || current != devices - 1) {
    return failed("cudaSetDevice");
  }
  if (cudaGetDeviceProperties(&properties, current) != cudaSuccess || std::strlen(properties.name) == 0 ||
      properties.warpSize != 32 || properties.maxThreadsPerBlock < 1024 || properties.multiProcessorCount < 1 ||
      properties.maxGridSize[1] < 65535 || properties.totalGlobalMem < (1u << 20)) {
    return failed("cudaGetDeviceProperties");
  }
  if (cudaDeviceGetAttribute(&threads, cudaDevAttrMaxThreadsPerBlock, current) != cudaSuccess ||
      threads != properties.maxThreadsPerBlock) {
    return failed("cudaDeviceGetAttribute");
  }
  if (cudaMemGetInfo(&free_bytes, &total_bytes) != cudaSuccess || free_bytes > total_bytes)
    return failed("cudaMemGetInfo");
  std::printf("PASS\n");
  return 0;
}
