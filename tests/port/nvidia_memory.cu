// Which loads may be ld.global.nc: of memory that a parameter says nobody writes, in functions that the kernel calls as well.
// Copies of float4 are loads and stores of 16 bytes. An array of a thread's own is in registers, though loops over it are long.
// Parameters too large for a launch are read in place, but where the kernel writes to its own. What is set or copied as a whole is no
// loop over bytes.
__device__ float sum_of(const float *terms, int count) {
  float sum = 0;
  for (int i = 0; i < count; ++i) sum += terms[i];
  return sum;
}

__global__ void reads(const float *__restrict__ in, float *__restrict__ out, int count) {
  out[threadIdx.x] = sum_of(in + threadIdx.x, count);
}

__global__ void may_change(const float *in, float *out, int count) {
  out[threadIdx.x] = sum_of(in + threadIdx.x, count);
}

__global__ void writes(const float *__restrict__ in, int count) {
  float *out = const_cast<float *>(in);
  out[threadIdx.x] = sum_of(in + 32, count);
}

__global__ void either(const float *__restrict__ in, const float *other, float *out, int which) {
  const float *chosen = which > 0 ? in : other;
  out[threadIdx.x] = chosen[threadIdx.x] / out[threadIdx.x];
}

__device__ void exchange(float4 *a, float4 *b) {
  const float4 kept = *a;
  *a = *b;
  *b = kept;
}

__global__ void copies(const float4 *__restrict__ in, float4 *out, int count) {
  __shared__ float4 part[64];
  part[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  for (int i = 0; i < count; ++i) exchange(&part[threadIdx.x], &part[32 + (threadIdx.x + i) % 32]);
  out[threadIdx.x] = part[threadIdx.x];
}

__global__ void own_array(const float *in, float *out) {
  float row[24];
  for (int i = 0; i < 24; ++i) row[i] = in[i * 32 + threadIdx.x];
  for (int k = 1; k < 24; ++k) {
    const float scale = 1.0f / (row[k - 1] + 2.0f);
    float sum = row[k];
    for (int i = 0; i < 24; ++i) sum += row[i] * scale;
    row[k] = sum;
  }
  for (int i = 0; i < 24; ++i) out[i * 32 + threadIdx.x] = row[i];
}

struct Table {
  int entries[300];
};

__device__ __noinline__ int last_of(const Table &table, int count) { return table.entries[count - 1]; }

__global__ void picks(Table table, int *out, int count) {
  const Table copy = table;
  out[threadIdx.x] = table.entries[threadIdx.x % 300] + copy.entries[(threadIdx.x + 1) % 300] + last_of(table, count);
}

__global__ void changes(Table table, int *out, int at) {
  table.entries[at] = 7;
  out[threadIdx.x] = table.entries[threadIdx.x % 300];
}

__global__ void counts(const unsigned char *in, int *out, int count) {
  int of[64] = {};
  for (int i = 0; i < count; ++i) ++of[in[i] % 64];
  out[threadIdx.x] = of[threadIdx.x];
}

__device__ float as_float(unsigned word) {
  float value;
  memcpy(&value, &word, sizeof value);
  return value;
}

__global__ void pairs(const unsigned long long *in, const unsigned long long *weights, float *out) {
  const unsigned long long a = in[threadIdx.x], b = weights[threadIdx.x];
  out[threadIdx.x] = as_float(a) * as_float(b) + as_float(a >> 32) * as_float(b >> 32);
}

int main() {
  picks<<<1, 32>>>(Table{}, nullptr, 1);
  changes<<<1, 32>>>(Table{}, nullptr, 1);
  counts<<<1, 32>>>(nullptr, nullptr, 0);
  pairs<<<1, 32>>>(nullptr, nullptr, nullptr);
  reads<<<1, 32>>>(nullptr, nullptr, 0);
  may_change<<<1, 32>>>(nullptr, nullptr, 0);
  writes<<<1, 32>>>(nullptr, 0);
  either<<<1, 32>>>(nullptr, nullptr, nullptr, 0);
  copies<<<1, 32>>>(nullptr, nullptr, 0);
  own_array<<<1, 32>>>(nullptr, nullptr);
}
