// refused: 3: cuSPARSE
// The library cuSPARSE.
#include <cusparse.h>

int main() {
  cusparseHandle_t handle;
  cusparseCreate(&handle);
  return cusparseDestroy(handle);
}
