// refused: 3: cuFFT
// A Fourier transform by the library cuFFT.
#include <cufft.h>

int main() {
  cufftHandle plan;
  cufftPlan1d(&plan, 256, CUFFT_C2C, 1);
  return cufftDestroy(plan);
}
