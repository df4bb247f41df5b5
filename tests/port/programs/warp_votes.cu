// Votes of warps: ballot, any, all, __activemask, __syncwarp, __match_any_sync, __match_all_sync and __reduce_*_sync.
#include <cstdio>

struct Seen {
  unsigned ballot, active, half_ballot, match, sum, low, high, both, either, neighbour;
  int any, all, uniform;
};

__global__ void run(Seen* seen) {
  __shared__ unsigned slots[128];
  const unsigned t = threadIdx.x, lane = t % 32, warp = t / 32;
  const unsigned lanes = warp == blockDim.x / 32 ? blockDim.x % 32 : 32;  // the last warp may be a partial one
  const unsigned mask = lanes == 32 ? 0xffffffffu : (1u << lanes) - 1;
  Seen s;
  s.active = __activemask();
  s.ballot = __ballot_sync(mask, lane % 3 == warp);
  s.any = __any_sync(mask, t == 37);
  s.all = __all_sync(mask, t != 37);
  s.match = __match_any_sync(mask, lane % 5);
  s.uniform = 0;
  s.neighbour = __match_all_sync(mask, warp * 7, &s.uniform);
  s.sum = __reduce_add_sync(mask, t);
  s.low = __reduce_min_sync(mask, t * 3);
  s.high = __reduce_max_sync(mask, t * 3);
  s.both = __reduce_and_sync(mask, t | 8);
  s.either = __reduce_or_sync(mask, t) ^ __reduce_xor_sync(mask, 1u << lane);
  if (lane < lanes / 2) {  // the halves of a warp vote apart
    s.half_ballot = __ballot_sync((1u << lanes / 2) - 1, lane % 2 == 0);
  } else {
    s.half_ballot = __ballot_sync(mask & ~((1u << lanes / 2) - 1), lane % 2 == 1);
  }
  __syncwarp(mask);
  slots[t] = t * t;
  __syncwarp(mask);
  s.neighbour ^= slots[warp * 32 + (lane + 1) % lanes];
  seen[t] = s;
}

static bool right(unsigned size) {
  Seen seen[128], *device;
  cudaMalloc(&device, sizeof seen);
  run<<<1, size>>>(device);
  cudaMemcpy(seen, device, sizeof seen, cudaMemcpyDeviceToHost);
  cudaFree(device);
  for (unsigned t = 0; t < size; ++t) {
    const unsigned warp = t / 32, lane = t % 32, lanes = warp * 32 + 32 <= size ? 32 : size % 32;
    const unsigned mask = lanes == 32 ? ~0u : (1u << lanes) - 1;
    Seen e = {};
    e.low = ~0u, e.both = ~0u, e.all = 1;
    unsigned either = 0, bits = 0;
    for (unsigned l = 0; l < lanes; ++l) {
      const unsigned u = warp * 32 + l;
      e.ballot |= (l % 3 == warp ? 1u : 0u) << l;
      e.match |= (l % 5 == lane % 5 ? 1u : 0u) << l;
      e.sum += u;
      e.low = u * 3 < e.low ? u * 3 : e.low;
      e.high = u * 3 > e.high ? u * 3 : e.high;
      e.both &= u | 8;
      either |= u;
      bits ^= 1u << l;
      if (u == 37)
        e.any = 1, e.all = 0;
      const bool first_half = l < lanes / 2;
      if (first_half == (lane < lanes / 2))
        e.half_ballot |= (l % 2 == (first_half ? 0 : 1) ? 1u : 0u) << l;
    }
    e.either = either ^ bits;
    const unsigned next = warp * 32 + (lane + 1) % lanes;
    const Seen& s = seen[t];
    if (s.active != mask || s.ballot != e.ballot || !s.any != !e.any || !s.all != !e.all || s.match != e.match || !s.uniform ||
        s.neighbour != (mask ^ next * next) || s.sum != e.sum || s.low != e.low || s.high != e.high || s.both != e.both ||
        s.either != e.either || s.half_ballot != e.half_ballot) {
      return false;
    }
  }
  return true;
}

int main() {
  for (unsigned size : {32u, 1u, 7u, 33u, 96u, 118u}) {
    if (!right(size)) {
      std::printf("FAIL: blocks of %u\n", size);
      return 1;
    }
  }
  std::printf("PASS\n");
  return 0;
}
