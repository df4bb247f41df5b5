// Variables that one lane of a warp sets and all read by a shuffle: the others hand over what has no value.
#include <cooperative_groups.h>

#include <cstdio>
#include <vector>

namespace cg = cooperative_groups;

__device__ int place_of_group(int *counter) {
  auto group = cg::coalesced_threads();
  int first;
  if (group.thread_rank() == 0)
    first = atomicAdd(counter, group.size());
  return group.shfl(first, 0) + group.thread_rank();
}

__device__ int add_by_leader(unsigned mask, int leader, int *counter) {
  int before;
  if ((threadIdx.x & 31) == leader)
    before = atomicAdd(counter, __popc(mask));
  return before;
}

template <class T>
__device__ T from(unsigned mask, T value, int leader) {
  return __shfl_sync(mask, value, leader);
}

__global__ void compact(const int *in, int n, int *out, int *counters) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = threadIdx.x & 31;
  const bool is_kept = i < n && in[i] % 3 == 0;
  const unsigned kept = __ballot_sync(0xffffffff, is_kept);
  int base;
  if (lane == 0)
    base = atomicAdd(&counters[0], __popc(kept));
  base = __shfl_sync(0xffffffff, base, 0);
  if (is_kept)
    out[base + __popc(kept & ((1u << lane) - 1))] = in[i];
  if (i < n && in[i] > 50)
    out[n + place_of_group(&counters[1])] = in[i];
  const unsigned odd = __ballot_sync(0xffffffff, i < n && in[i] % 2 != 0);
  const int start = from(0xffffffff, add_by_leader(odd, 5, &counters[2]), 5);
  if (odd >> lane & 1)
    out[2 * n + start + __popc(odd & ((1u << lane) - 1))] = in[i];
}

template <class Keeps>
static bool right(const std::vector<int> &in, const int *out, int count, Keeps keeps) {
  long long expected = 0, sum = 0;
  int expected_count = 0;
  for (const int value : in)
    if (keeps(value)) {
      expected += 1LL * value * value;
      ++expected_count;
    }
  if (count != expected_count) {
    printf("%d values instead of %d\n", count, expected_count);
    return false;
  }
  for (int k = 0; k < count; ++k)
    sum += 1LL * out[k] * out[k];
  return sum == expected;
}

int main() {
  const int n = 1003;
  std::vector<int> in(n), out(3 * n);
  for (int i = 0; i < n; ++i)
    in[i] = (i * 7919 + 13) % 101;
  int *d_in, *d_out, *d_counters, counters[3];
  cudaMalloc(&d_in, n * sizeof(int));
  cudaMalloc(&d_out, 40 * n * sizeof(int));
  cudaMalloc(&d_counters, sizeof(counters));
  cudaMemset(d_counters, 0, sizeof(counters));
  cudaMemcpy(d_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  compact<<<8, 128>>>(d_in, n, d_out, d_counters);
  cudaMemcpy(out.data(), d_out, out.size() * sizeof(int), cudaMemcpyDeviceToHost);
  cudaMemcpy(counters, d_counters, sizeof(counters), cudaMemcpyDeviceToHost);
  bool ok = right(in, &out[0], counters[0], [](int value) { return value % 3 == 0; });
  ok = right(in, &out[n], counters[1], [](int value) { return value > 50; }) && ok;
  ok = right(in, &out[2 * n], counters[2], [](int value) { return value % 2 != 0; }) && ok;
  printf(ok ? "PASS\n" : "FAIL\n");
}
