// Streams, events, asynchronous copies and pinned memory: pieces in three streams, a wait across streams, a callback, timing.
#include <cstdio>

#define CHECK(call)                                                             \
  do {                                                                          \
    const cudaError_t status = (call);                                          \
    if (status != cudaSuccess) {                                                \
      std::printf("FAIL: line %d: %s\n", __LINE__, cudaGetErrorString(status)); \
      return 1;                                                                 \
    }                                                                           \
  } while (0)

__global__ void twice_plus(int* data, int add, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    data[i] = 2 * data[i] + add;
}

__global__ void add_other(int* data, const int* other, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    data[i] += other[i];
}

static void CUDART_CB count_call(void* counter) {
  ++*static_cast<int*>(counter);
}

int main() {
  const int pieces = 3, piece = 1001, n = pieces * piece;
  int *host, *device, calls = 0;
  CHECK(cudaMallocHost((void**)&host, n * sizeof(int)));
  CHECK(cudaMalloc(&device, n * sizeof(int)));
  for (int i = 0; i < n; ++i)
    host[i] = i;
  cudaStream_t streams[pieces];
  CHECK(cudaStreamCreate(&streams[0]));
  CHECK(cudaStreamCreateWithFlags(&streams[1], cudaStreamNonBlocking));
  CHECK(cudaStreamCreateWithFlags(&streams[2], cudaStreamDefault));
  cudaEvent_t begin, end, first_done;
  CHECK(cudaEventCreate(&begin));
  CHECK(cudaEventCreate(&end));
  CHECK(cudaEventCreateWithFlags(&first_done, cudaEventDisableTiming));
  CHECK(cudaEventRecord(begin, 0));
  for (int p = 0; p < pieces; ++p) {
    int* part = device + p * piece;
    CHECK(cudaMemcpyAsync(part, host + p * piece, piece * sizeof(int), cudaMemcpyHostToDevice, streams[p]));
    twice_plus<<<(piece + 32) / 33, 33, 0, streams[p]>>>(part, p, piece);
    twice_plus<<<(piece + 249) / 250, 250, 0, streams[p]>>>(part, 1, piece);
    if (p == 0)
      CHECK(cudaEventRecord(first_done, streams[0]));
  }
  CHECK(cudaStreamWaitEvent(streams[1], first_done, 0));  // the second piece gets the first one's result added
  add_other<<<1, 96, 0, streams[1]>>>(device + piece, device, piece);
  CHECK(cudaLaunchHostFunc(streams[1], count_call, &calls));
  for (int p = 0; p < pieces; ++p) {
    CHECK(cudaMemcpyAsync(host + p * piece, device + p * piece, piece * sizeof(int), cudaMemcpyDeviceToHost, streams[p]));
  }
  for (cudaStream_t stream : streams)
    CHECK(cudaStreamSynchronize(stream));
  CHECK(cudaStreamQuery(streams[2]));
  for (int i = 0; i < n; ++i) {
    const int p = i / piece, first = 4 * (i - piece) + 1;
    const int expected = 4 * i + 2 * p + 1 + (p == 1 ? first : 0);
    if (host[i] != expected) {
      std::printf("FAIL: element %d is %d, not %d\n", i, host[i], expected);
      return 1;
    }
  }
  CHECK(cudaEventRecord(end));
  CHECK(cudaEventSynchronize(end));
  CHECK(cudaEventQuery(end));
  float milliseconds = -1;
  CHECK(cudaEventElapsedTime(&milliseconds, begin, end));
  if (milliseconds < 0 || milliseconds > 60000 || calls != 1) {
    std::printf("FAIL: %g ms, %d calls\n", milliseconds, calls);
    return 1;
  }
  CHECK(cudaMemsetAsync(device, 0x01, n * sizeof(int), streams[0]));
  twice_plus<<<(n + 6) / 7, 7>>>(device, 0, n);  // the default stream waits for streams[0]
  CHECK(cudaMemcpy(host, device, n * sizeof(int), cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; ++i) {
    if (host[i] != 0x02020202) {
      std::printf("FAIL: default stream\n");
      return 1;
    }
  }
  for (cudaStream_t stream : streams)
    CHECK(cudaStreamDestroy(stream));
  CHECK(cudaEventDestroy(begin));
  CHECK(cudaEventDestroy(end));
  CHECK(cudaEventDestroy(first_done));
  CHECK(cudaFreeHost(host));
  CHECK(cudaFree(device));
  std::printf("PASS\n");
  return 0;
}
