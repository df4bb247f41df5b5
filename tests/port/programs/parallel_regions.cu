// Barriers in loops, branches and switches that all threads of a block take together, with what threads keep over them; barriers
// that vote; threads that return before others; and barriers of which only the run tells that all threads come to them.
#include <cstdio>
#include <vector>

constexpr int most = 1024;

// A sum of columns, halves of any size at a time.
__global__ void tree(const int* in, int* out, int n) {
  __shared__ int part[most];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  part[t] = i < n ? in[i] : 0;
  __syncthreads();
  for (int left = blockDim.x; left > 1; left = (left + 1) / 2) {
    const int half = (left + 1) / 2;
    if (t + half < left) part[t] += part[t + half];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = part[0];
}

// Tiles of both factors in shared memory; the last ones are not full.
template <int SIDE>
__global__ void product(const int* a, const int* b, int* c, int n) {
  __shared__ int as[SIDE][SIDE], bs[SIDE][SIDE + 1];
  const int x = threadIdx.x, y = threadIdx.y, column = blockIdx.x * SIDE + x, row = blockIdx.y * SIDE + y;
  int sum = 0;
  for (int tile = 0; tile * SIDE < n; ++tile) {
    as[y][x] = row < n && tile * SIDE + x < n ? a[row * n + tile * SIDE + x] : 0;
    bs[y][x] = column < n && tile * SIDE + y < n ? b[(tile * SIDE + y) * n + column] : 0;
    __syncthreads();
    for (int k = 0; k < SIDE; ++k) sum += as[y][k] * bs[k][x];
    __syncthreads();
  }
  if (row < n && column < n) c[row * n + column] = sum;
}

// A stencil in shared memory, as many steps as memory says; an array of each thread's own keeps the last values.
__global__ void stencil(const int* in, int* out, const int* steps) {
  extern __shared__ int line[];
  const int t = threadIdx.x, size = blockDim.x, first = blockIdx.x * size;
  int last[4] = {};
  unsigned char order[8] = {7, 6, 5, 4, 3, 2, 1, 0};
  line[t] = in[first + t];
  __syncthreads();
  for (int step = 0; step < steps[blockIdx.x]; ++step) {
    const int value = line[(t + size - 1) % size] + 2 * line[t] + line[(t + 1) % size];
    last[step & 3] = value + order[(step + t) & 7];
    order[step & 7] ^= t;
    __syncthreads();
    line[t] = value % 1009;
    __syncthreads();
  }
  out[first + t] = last[0] + 3 * last[1] + 5 * last[2] + 7 * last[3] + line[t];
}

// Odd-even transposition, until no thread has exchanged anything.
__global__ void sorted(int* values, int* rounds) {
  __shared__ int row[most];
  const int t = threadIdx.x, first = blockIdx.x * blockDim.x;
  row[t] = values[first + t];
  __syncthreads();
  int round = 0, changed;
  do {
    changed = 0;
    for (int odd = 0; odd < 2; ++odd) {
      const int left = 2 * t + odd;
      if (left + 1 < blockDim.x && row[left] > row[left + 1]) {
        const int other = row[left];
        row[left] = row[left + 1];
        row[left + 1] = other;
        changed = 1;
      }
      __syncthreads();
    }
    ++round;
  } while (__syncthreads_or(changed));
  values[first + t] = row[t];
  if (t == 0) rounds[blockIdx.x] = round;
}

// Ways with and without barriers, chosen by the block.
__global__ void chosen(const int* in, int* out, const int* way) {
  __shared__ int row[most];
  const int t = threadIdx.z * 4 + threadIdx.y * 2 + threadIdx.x, first = blockIdx.x * 12;
  int mine = in[first + t];
  row[t] = mine;
  switch (way[blockIdx.x]) {
    case 0:
      __syncthreads();
      mine += row[11 - t];
      break;
    case 1:
      mine *= 3;
      break;
    case 2:
      for (int k = 0; k < 3; ++k) {
        __syncthreads();
        const int next = row[(t + 1) % 12];
        if (in[first] < 0) break;
        __syncthreads();
        row[t] = next + k;
        mine += next;
      }
      break;
    case 5:
    case 7:
      break;
    default:
      if (t % 2 == 0) mine = -mine;
  }
  if (way[blockIdx.x] > 1) {
    __syncthreads();
    row[t] = mine;
    __syncthreads();
    mine ^= row[(t + 5) % 12];
  }
  out[first + t] = mine;
}

// Threads return one by one between barriers; those left are counted.
__global__ void fewer(const int* life, int* out, int rounds) {
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  int seen = 0;
  if (life[i] < 0) return;
  for (int round = 0; round < rounds; ++round) {
    if (life[i] <= round) {
      out[i] = -seen;
      return;
    }
    const int left = __syncthreads_count(life[i] > round + 1);
    seen += left * (round + 1);
    __syncthreads();
  }
  out[i] = seen;
}

// Threads go through the loop as often as each has turns, and return then.
__global__ void by_turns(const int* in, int* out, const int* turns) {
  __shared__ int row[most];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  row[t] = in[i];
  for (int k = 0; k < turns[i]; ++k) {
    __syncthreads();
    const int next = row[(t + 1) % blockDim.x];
    __syncthreads();
    row[t] = next;
  }
  out[i] = row[t];
}

// Of threads that compute and others, all leave the loop together.
__global__ void narrowing(const int* in, int* out, int rounds) {
  __shared__ int row[most], next[most];
  const int t = threadIdx.x, size = blockDim.x, i = blockIdx.x * size + t;
  row[t] = in[i];
  __syncthreads();
  bool computed = false;
  for (int round = 0; round < rounds; ++round) {
    computed = false;
    if (t >= round && t + round < size) {
      computed = true;
      next[t] = row[t] + 2 * row[min(t + 1, size - 1)] % 1009;
    }
    __syncthreads();
    if (round == rounds - 1) break;
    if (computed) row[t] = next[t];
    __syncthreads();
  }
  if (computed) out[i] = next[t];
}

// All threads come to the barriers, which their text does not say.
__global__ void parted(const int* in, int* out, const int* turns) {
  __shared__ int row[most];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  row[t] = in[i];
  __syncthreads();
  if (turns[i] > 2) {
    const int next = row[(t + 1) % blockDim.x];
    __syncthreads();
    row[t] = next;
  }
  __syncthreads();
  out[i] = row[t] + row[(t + 1) % blockDim.x];
}

__noinline__ __device__ int behind(int* row, int t, int size) {
  __syncthreads();
  const int next = row[(t + 1) % size];
  __syncthreads();
  return next;
}

// A barrier in a function that stays one.
__global__ void called(const int* in, int* out) {
  __shared__ int row[most];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  row[t] = in[i];
  out[i] = behind(row, t, blockDim.x) + behind(row, t, blockDim.x);
}

struct Arrays {
  std::vector<int> in, out, more;
  int *device_in, *device_out, *device_more;
  explicit Arrays(int n) : in(n), out(n), more(n) {
    for (int i = 0; i < n; ++i) in[i] = i * 7919 % 1013 - 200;
    cudaMalloc(&device_in, n * sizeof(int));
    cudaMalloc(&device_out, n * sizeof(int));
    cudaMalloc(&device_more, n * sizeof(int));
  }
  ~Arrays() { cudaFree(device_in), cudaFree(device_out), cudaFree(device_more); }
  void up() {
    cudaMemcpy(device_in, in.data(), in.size() * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(device_out, out.data(), in.size() * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(device_more, more.data(), in.size() * sizeof(int), cudaMemcpyHostToDevice);
  }
  void down() {
    cudaMemcpy(out.data(), device_out, in.size() * sizeof(int), cudaMemcpyDeviceToHost);
    cudaMemcpy(more.data(), device_more, in.size() * sizeof(int), cudaMemcpyDeviceToHost);
  }
};

static bool differ(const char* name, int size, int i, int got, int expected) {
  if (got != expected) std::printf("FAIL: %s, size %d, element %d is %d, not %d\n", name, size, i, got, expected);
  return got != expected;
}

static bool test_trees(int size) {
  Arrays a(5 * size);
  a.up();
  const int n = 4 * size + size / 3 + 1;
  tree<<<5, size>>>(a.device_in, a.device_out, n);
  a.down();
  for (int b = 0; b < 5; ++b) {
    int sum = 0;
    for (int i = b * size; i < (b + 1) * size && i < n; ++i) sum += a.in[i];
    if (differ("tree", size, b, a.out[b], sum)) return false;
  }
  return true;
}

template <int SIDE>
static bool test_products(int n) {
  Arrays a(n * n);
  for (int i = 0; i < n * n; ++i) a.more[i] = i % 31 - 9;
  a.up();
  const int blocks = (n + SIDE - 1) / SIDE;
  product<SIDE><<<dim3(blocks, blocks), dim3(SIDE, SIDE)>>>(a.device_in, a.device_more, a.device_out, n);
  a.down();
  for (int i = 0; i < n * n; ++i) {
    int sum = 0;
    for (int k = 0; k < n; ++k) sum += a.in[i / n * n + k] * a.more[k * n + i % n];
    if (differ("product", n, i, a.out[i], sum)) return false;
  }
  return true;
}

static bool test_stencils(int size) {
  Arrays a(3 * size);
  const int steps[3] = {0, 5, 12};
  for (int b = 0; b < 3; ++b) a.more[b % a.more.size()] = steps[b];
  a.up();
  stencil<<<3, size, size * sizeof(int)>>>(a.device_in, a.device_out, a.device_more);
  a.down();
  for (int b = 0; b < 3; ++b) {
    std::vector<int> line(a.in.begin() + b * size, a.in.begin() + (b + 1) * size), last(4 * size), order(8 * size);
    for (int i = 0; i < 8 * size; ++i) order[i] = 7 - i % 8;
    for (int step = 0; step < steps[b]; ++step) {
      std::vector<int> next(size);
      for (int t = 0; t < size; ++t) {
        const int value = line[(t + size - 1) % size] + 2 * line[t] + line[(t + 1) % size];
        last[4 * t + (step & 3)] = value + order[8 * t + ((step + t) & 7)];
        order[8 * t + (step & 7)] = (order[8 * t + (step & 7)] ^ t) & 255;
        next[t] = value % 1009;
      }
      line = next;
    }
    for (int t = 0; t < size; ++t) {
      const int* const l = &last[4 * t];
      if (differ("stencil", size, b * size + t, a.out[b * size + t], l[0] + 3 * l[1] + 5 * l[2] + 7 * l[3] + line[t])) return false;
    }
  }
  return true;
}

static bool test_sorting(int size) {
  Arrays a(2 * size);
  a.out = a.in;
  a.up();
  sorted<<<2, size>>>(a.device_out, a.device_more);
  a.down();
  for (int b = 0; b < 2; ++b) {
    std::vector<int> row(a.in.begin() + b * size, a.in.begin() + (b + 1) * size);
    int rounds = 0;
    for (bool changed = true; changed; ++rounds) {
      changed = false;
      for (int odd = 0; odd < 2; ++odd)
        for (int left = odd; left + 1 < size; left += 2)
          if (row[left] > row[left + 1]) std::swap(row[left], row[left + 1]), changed = true;
    }
    if (differ("rounds", size, b, a.more[b], rounds)) return false;
    for (int t = 0; t < size; ++t)
      if (differ("sorted", size, b * size + t, a.out[b * size + t], row[t])) return false;
  }
  return true;
}

static int chosen_on_host(const int* in, int way, int t) {
  static int row[12], mine[12], next[12];
  for (int i = 0; i < 12; ++i) row[i] = mine[i] = in[i];
  for (int i = 0; i < 12; ++i)
    mine[i] = way == 0 ? in[i] + in[11 - i] : way == 1 ? in[i] * 3 : way > 2 && way != 5 && way != 7 && i % 2 == 0 ? -in[i] : in[i];
  for (int k = 0; way == 2 && in[0] >= 0 && k < 3; ++k) {
    for (int i = 0; i < 12; ++i) next[i] = row[(i + 1) % 12];
    for (int i = 0; i < 12; ++i) row[i] = next[i] + k, mine[i] += next[i];
  }
  return way > 1 ? mine[t] ^ mine[(t + 5) % 12] : mine[t];
}

static bool test_choices() {
  Arrays a(12 * 40);
  for (int b = 0; b < 40; ++b) a.more[b] = b % 8;
  a.up();
  chosen<<<40, dim3(2, 2, 3)>>>(a.device_in, a.device_out, a.device_more);
  a.down();
  for (int i = 0; i < 12 * 40; ++i)
    if (differ("chosen", 12, i, a.out[i], chosen_on_host(&a.in[i / 12 * 12], i / 12 % 8, i % 12))) return false;
  return true;
}

static bool test_returns(int size) {
  Arrays a(3 * size);
  const int rounds = 6;
  for (int i = 0; i < 3 * size; ++i) a.in[i] = i < size ? i * 31 % 9 - 1 : i < 2 * size ? 2 : 9, a.out[i] = 77;
  a.up();
  fewer<<<3, size>>>(a.device_in, a.device_out, rounds);
  a.down();
  for (int i = 0; i < 3 * size; ++i) {
    int seen = 0, expected = a.in[i] < 0 ? 77 : 0;
    for (int round = 0; round < rounds && round < a.in[i]; ++round) {
      int left = 0;
      for (int t = i / size * size; t < (i / size + 1) * size; ++t) left += a.in[t] > round + 1;
      seen += left * (round + 1);
      expected = seen;
    }
    if (a.in[i] >= 0 && a.in[i] < rounds) expected = -seen;
    if (differ("fewer", size, i, a.out[i], expected)) return false;
  }
  return true;
}

static bool test_narrowing(int size) {
  Arrays a(2 * size);
  const int rounds = 5;
  a.out = std::vector<int>(2 * size, 77);
  a.up();
  narrowing<<<2, size>>>(a.device_in, a.device_out, rounds);
  a.down();
  for (int b = 0; b < 2; ++b) {
    std::vector<int> row(a.in.begin() + b * size, a.in.begin() + (b + 1) * size), expected(size, 77);
    for (int round = 0; round < rounds; ++round) {
      const std::vector<int> before = row;
      for (int t = round; t + round < size; ++t) row[t] = before[t] + 2 * before[t + 1 < size ? t + 1 : size - 1] % 1009;
      if (round == rounds - 1)
        for (int t = round; t + round < size; ++t) expected[t] = row[t];
    }
    for (int t = 0; t < size; ++t)
      if (differ("narrowing", size, b * size + t, a.out[b * size + t], expected[t])) return false;
  }
  return true;
}

static bool test_on_stacks(int size) {
  Arrays a(2 * size);
  for (int i = 0; i < 2 * size; ++i) a.more[i] = i < size ? 3 : 5;
  a.up();
  by_turns<<<2, size>>>(a.device_in, a.device_out, a.device_more);
  a.down();
  for (int i = 0; i < 2 * size; ++i)
    if (differ("by_turns", size, i, a.out[i], a.in[i / size * size + (i % size + (i < size ? 3 : 5)) % size])) return false;
  parted<<<2, size>>>(a.device_in, a.device_out, a.device_more);
  a.down();
  for (int i = 0; i < 2 * size; ++i) {
    const int* const row = &a.in[i / size * size];
    if (differ("parted", size, i, a.out[i], row[(i % size + 1) % size] + row[(i % size + 2) % size])) return false;
  }
  called<<<2, size>>>(a.device_in, a.device_out);
  a.down();
  for (int i = 0; i < 2 * size; ++i)
    if (differ("called", size, i, a.out[i], 2 * a.in[i / size * size + (i % size + 1) % size])) return false;
  return true;
}

int main() {
  bool passed = test_choices() && test_products<16>(70) && test_products<5>(23) && test_products<32>(33);
  for (int size : {1, 2, 31, 33, 64, 256, 1000, 1024})
    passed = passed && test_trees(size) && test_stencils(size) && test_sorting(size) && test_returns(size) && test_narrowing(size) &&
             test_on_stacks(size);
  std::printf(passed ? "PASS\n" : "");
  return passed ? 0 : 1;
}
