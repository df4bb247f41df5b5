// Every atomic on int, unsigned, unsigned long long, float and double in global memory, with many threads on one value.
#include <cstdio>
#include <cstring>

struct Values {
  int add, sub, exch, lowest, highest, all, any, odd, cas;
  unsigned u_add, u_sub, u_exch, u_lowest, u_highest, u_all, u_any, u_odd, u_cas, inc, dec;
  unsigned long long w_add, w_exch, w_lowest, w_highest, w_all, w_any, w_odd, w_cas;
  long long l_lowest, l_highest;
  float f_add, f_exch;
  double d_add;
};

__global__ void run(Values* v, unsigned* order, unsigned char* old_seen) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  order[i] = atomicAdd(&v->u_add, 1u);  // each thread gets another number
  atomicAdd(&v->add, i - 100);
  atomicSub(&v->sub, i);
  atomicSub(&v->u_sub, 2u);
  old_seen[atomicExch(&v->exch, i)] = 1;  // each value but the last one is handed on
  atomicExch(&v->u_exch, 77u);
  atomicMin(&v->lowest, 50 - i);
  atomicMax(&v->highest, i * 3);
  atomicMin(&v->u_lowest, 4000000000u - i);
  atomicMax(&v->u_highest, 4000000000u + i);
  atomicAnd(&v->all, ~(1 << i % 5));
  atomicOr(&v->any, 1 << i % 7);
  atomicXor(&v->odd, i);
  atomicAnd(&v->u_all, ~(1u << i % 32));
  atomicOr(&v->u_any, 1u << i % 32);
  atomicXor(&v->u_odd, 1u << 31);
  atomicInc(&v->inc, 6);  // 0..6 and around
  atomicDec(&v->dec, 6);  // 6..0 and around
  atomicAdd(&v->w_add, 1ULL << 33);
  atomicExch(&v->w_exch, 1ULL << 40);
  atomicMin(&v->w_lowest, (1ULL << 50) - i);
  atomicMax(&v->w_highest, (1ULL << 50) + i);
  atomicAnd(&v->w_all, ~(1ULL << i % 60));
  atomicOr(&v->w_any, 1ULL << i % 60);
  atomicXor(&v->w_odd, (unsigned long long)i << 32);
  atomicMin(&v->l_lowest, (long long)-i);
  atomicMax(&v->l_highest, i * 10000000000LL);
  atomicAdd(&v->f_add, 0.5f);
  atomicExch(&v->f_exch, 2.5f);
  atomicAdd(&v->d_add, i * 0.25);
  atomicCAS(&v->cas, i, i + 1);  // never: the value is -1
  atomicCAS(&v->u_cas, 5u, 6u);
  atomicCAS(&v->w_cas, 5ULL, 1ULL << 60);
}

int main() {
  const int block = 33, n = block * 7;
  Values v, *device;
  std::memset(&v, 0, sizeof v);
  v.lowest = 1000, v.highest = -1000, v.u_lowest = ~0u, v.w_lowest = ~0ULL;
  v.all = v.u_all = ~0u, v.w_all = ~0ULL;
  v.u_cas = 5, v.w_cas = 5, v.exch = n, v.cas = -1;
  unsigned order[n], *device_order;
  unsigned char seen[n + 1], *device_seen;
  cudaMalloc(&device, sizeof v);
  cudaMalloc(&device_order, sizeof order);
  cudaMalloc(&device_seen, sizeof seen);
  cudaMemset(device_seen, 0, sizeof seen);
  cudaMemcpy(device, &v, sizeof v, cudaMemcpyHostToDevice);
  run<<<n / block, block>>>(device, device_order, device_seen);
  cudaMemcpy(&v, device, sizeof v, cudaMemcpyDeviceToHost);
  cudaMemcpy(order, device_order, sizeof order, cudaMemcpyDeviceToHost);
  cudaMemcpy(seen, device_seen, sizeof seen, cudaMemcpyDeviceToHost);
  int sum = 0, odd = 0, orders = 0, handed_on = 0;
  for (int i = 0; i < n; ++i) {
    sum += i, odd ^= i, orders += order[i];
    handed_on += seen[i] && i != v.exch;
  }
  const int wrong[] = {v.add != sum - 100 * n,
                       v.sub != -sum,
                       v.u_sub != -2u * n,
                       handed_on != n - 1 || !seen[n],
                       v.u_exch != 77,
                       v.lowest != 50 - (n - 1),
                       v.highest != 3 * (n - 1),
                       v.u_lowest != 4000000000u - (n - 1),
                       v.u_highest != 4000000000u + (n - 1),
                       v.all != ~31,
                       v.any != 127,
                       v.odd != odd,
                       v.u_all != 0,
                       v.u_any != ~0u,
                       v.u_odd != (n % 2 ? 1u << 31 : 0),
                       v.inc != n % 7u,
                       v.dec != (7 - n % 7u) % 7,
                       v.w_add != (1ULL << 33) * n,
                       v.w_exch != 1ULL << 40,
                       v.w_lowest != (1ULL << 50) - (n - 1),
                       v.w_highest != (1ULL << 50) + (n - 1),
                       v.w_all != ~((1ULL << 60) - 1),
                       v.w_any != (1ULL << 60) - 1,
                       v.w_odd != (unsigned long long)odd << 32,
                       v.l_lowest != -(n - 1),
                       v.l_highest != (n - 1) * 10000000000LL,
                       v.f_add != 0.5f * n,
                       v.f_exch != 2.5f,
                       v.d_add != 0.25 * sum,
                       v.cas != -1,
                       v.u_cas != 6,
                       v.w_cas != 1ULL << 60,
                       v.u_add != n,
                       orders != sum};
  for (int k = 0; k < static_cast<int>(sizeof wrong / sizeof wrong[0]); ++k) {
    if (wrong[k]) {
      std::printf("FAIL: check %d\n", k);
      return 1;
    }
  }
  cudaFree(device);
  cudaFree(device_order);
  cudaFree(device_seen);
  std::printf("PASS\n");
  return 0;
}
