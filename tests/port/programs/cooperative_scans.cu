// Scans by the threads of tiles and by those of a warp that are there: sums, the greatest so far, and an operation that does not commute.
#include <cooperative_groups.h>
#include <cooperative_groups/scan.h>

#include <cstdio>
#include <vector>

namespace cg = cooperative_groups;

// Of functions x -> a x + b, a in the upper 16 bits and b in the lower ones: the second after the first.
struct Then {
  __host__ __device__ unsigned operator()(unsigned first, unsigned second) const {
    const unsigned a = (first >> 16) * (second >> 16) & 0xffff;
    const unsigned b = (second >> 16) * (first & 0xffff) + second & 0xffff;
    return a << 16 | b;
  }
};

template <unsigned size>
__global__ void scans(const int *in, int *out, float *greatest, unsigned *lines) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  auto tile = cg::tiled_partition<size>(cg::this_thread_block());
  out[4 * i] = cg::inclusive_scan(tile, in[i]);
  out[4 * i + 1] = cg::exclusive_scan(tile, in[i], cg::plus<int>());
  greatest[i] = cg::inclusive_scan(tile, in[i] * 0.5f, cg::greater<float>());
  lines[2 * i] = cg::inclusive_scan(tile, in[i] * 65537u + 3u, Then());
  out[4 * i + 2] = out[4 * i + 3] = -1;
  lines[2 * i + 1] = 0;
  if (in[i] % 3 != 0) {
    cg::coalesced_group here = cg::coalesced_threads();
    out[4 * i + 2] = cg::inclusive_scan(here, in[i], [](int a, int b) { return a ^ b; });
    out[4 * i + 3] = cg::exclusive_scan(here, in[i]);
    lines[2 * i + 1] = cg::exclusive_scan(here, in[i] * 65537u + 3u, Then());
  }
}

template <unsigned size>
static bool right(int threads) {
  const int blocks = 3, n = blocks * threads;
  std::vector<int> in(n), out(4 * n);
  std::vector<float> greatest(n);
  std::vector<unsigned> lines(2 * n);
  for (int i = 0; i < n; ++i)
    in[i] = i * 37 % 101;
  int *device_in, *device_out;
  float *device_greatest;
  unsigned *device_lines;
  cudaMalloc(&device_in, n * sizeof(int));
  cudaMalloc(&device_out, 4 * n * sizeof(int));
  cudaMalloc(&device_greatest, n * sizeof(float));
  cudaMalloc(&device_lines, 2 * n * sizeof(unsigned));
  cudaMemcpy(device_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  scans<size><<<blocks, threads>>>(device_in, device_out, device_greatest, device_lines);
  cudaMemcpy(out.data(), device_out, 4 * n * sizeof(int), cudaMemcpyDeviceToHost);
  cudaMemcpy(greatest.data(), device_greatest, n * sizeof(float), cudaMemcpyDeviceToHost);
  cudaMemcpy(lines.data(), device_lines, 2 * n * sizeof(unsigned), cudaMemcpyDeviceToHost);
  cudaFree(device_in);
  cudaFree(device_out);
  cudaFree(device_greatest);
  cudaFree(device_lines);
  for (int i = 0; i < n; ++i) {
    const int block = i / threads * threads;
    int sum = 0, sum_here = 0, odd_bits = 0;
    float most = -1;
    unsigned line = 0, line_here = 0;
    bool is_first_here = true;
    for (int t = block + (i - block) / int(size) * int(size); t <= i; ++t) {
      const unsigned next = in[t] * 65537u + 3u;
      line = t % threads % size == 0 ? next : Then()(line, next);
      sum += in[t];
      most = in[t] * 0.5f > most ? in[t] * 0.5f : most;
    }
    for (int t = block + (i - block) / 32 * 32; t < i; ++t)
      if (in[t] % 3 != 0) {
        const unsigned next = in[t] * 65537u + 3u;
        line_here = is_first_here ? next : Then()(line_here, next);
        is_first_here = false;
        sum_here += in[t];
        odd_bits ^= in[t];
      }
    const bool is_here = in[i] % 3 != 0;
    const int expected[] = {sum, sum - in[i], is_here ? odd_bits ^ in[i] : -1, is_here ? sum_here : -1};
    for (int k = 0; k < 4; ++k)
      if (out[4 * i + k] != expected[k]) {
        std::printf("FAIL: %d threads, tiles of %u, value %d of thread %d is %d, not %d\n", threads, size, k, i, out[4 * i + k],
                    expected[k]);
        return false;
      }
    if (greatest[i] != most || lines[2 * i] != line || lines[2 * i + 1] != (is_here ? line_here : 0)) {
      std::printf("FAIL: %d threads, tiles of %u, thread %d: %g %#x %#x, not %g %#x %#x\n", threads, size, i, greatest[i], lines[2 * i],
                  lines[2 * i + 1], most, line, is_here ? line_here : 0);
      return false;
    }
  }
  return true;
}

int main() {
  bool good = true;
  for (int threads : {32, 96, 160}) {
    good = right<1>(threads) && right<2>(threads) && right<8>(threads) && right<16>(threads) && right<32>(threads) && good;
  }
  good = right<4>(20) && right<4>(52) && good;
  std::printf(good ? "PASS\n" : "FAIL\n");
}
