// Included once for each NAME, ELEMENT and OPERATION.
__global__ void CONCAT(NAME, _kernel)(ELEMENT* data) {
  data[threadIdx.x] = data[threadIdx.x] OPERATION ELEMENT(3);
}

void CONCAT(run_, NAME)(ELEMENT* data) {
  CONCAT(NAME, _kernel)<<<1, n>>>(data);
}
