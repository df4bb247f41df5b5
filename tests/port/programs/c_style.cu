// An older C style: declarations at the top, macros for sizes, dim3 by assignment, pointers to pointers, a goto, printf on the
// host.
#include <cuda.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N 301
#define THREADS 33
#define IDX(row, column) ((row) * N + (column))

typedef struct {
  int rows, columns;
  float* elements;
} Matrix;

__global__ void row_norms(Matrix m, float* norms);

static Matrix allocate(int rows, int columns) {
  Matrix m;
  m.rows = rows;
  m.columns = columns;
  cudaMalloc((void**)&m.elements, rows * columns * sizeof(float));
  return m;
}

int main(int argc, char** argv) {
  int i, j, status = 1;
  int rows = argc > 1 ? atoi(argv[1]) : 20;
  float *elements = (float*)malloc(sizeof(float) * rows * N), *norms = (float*)calloc(rows, sizeof(float));
  float* device_norms;
  Matrix m = allocate(rows, N);
  dim3 grid, block;
  for (i = 0; i < rows; i++)
    for (j = 0; j < N; j++)
      elements[IDX(i, j)] = (float)((i + j) % 5 - 2);
  cudaMalloc((void**)&device_norms, rows * sizeof(float));
  cudaMemcpy(m.elements, elements, sizeof(float) * rows * N, cudaMemcpyHostToDevice);
  grid.x = rows;
  block.x = THREADS;
  row_norms<<<grid, block, THREADS * sizeof(float)>>>(m, device_norms);
  if (cudaDeviceSynchronize() != cudaSuccess)
    goto end;
  cudaMemcpy(norms, device_norms, rows * sizeof(float), cudaMemcpyDeviceToHost);
  for (i = 0; i < rows; i++) {
    float sum = 0;
    for (j = 0; j < N; j++)
      sum += elements[IDX(i, j)] * elements[IDX(i, j)];
    if (fabs(norms[i] - sqrt(sum)) > 1e-4)
      goto end;
  }
  status = 0;
end:
  cudaFree(m.elements);
  cudaFree(device_norms);
  free(elements);
  free(norms);
  printf(status ? "FAIL: norms\n" : "PASS\n");
  return status;
}

__global__ void row_norms(Matrix m, float* norms) {
  extern __shared__ float partial[];
  int tid = threadIdx.x, k;
  float sum = 0.f, value;
  for (k = tid; k < m.columns; k += blockDim.x) {
    value = m.elements[IDX(blockIdx.x, k)];
    sum += value * value;
  }
  partial[tid] = sum;
  __syncthreads();
  if (tid == 0) {
    for (k = 1; k < blockDim.x; k++)
      sum += partial[k];
    norms[blockIdx.x] = sqrtf(sum);
  }
}
