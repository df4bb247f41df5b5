// refused: 3: thrust
// A sort by the library Thrust.
#include <thrust/device_vector.h>
#include <thrust/sort.h>

#include <cstdlib>

int main() {
  thrust::device_vector<int> values(100, 1);
  thrust::sort(values.begin(), values.end());
  return EXIT_SUCCESS;
}
