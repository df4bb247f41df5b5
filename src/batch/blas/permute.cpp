#include "batch/blas/permute.hpp"

#include "batch/blas/permute_kernel.hpp"

namespace phpc::batch {

template <class T>
void permute_values(exec::Device device, index_t sets, index_t entries, const std::int32_t* order, index_t value_sets,
                    index_t set_values, index_t first, Conjugation conjugation, const T* from, T* to) {
  if (sets * entries == 0) {
    return;
  }
  exec::launch(device, {.groups = ceil_div(sets * entries, blas_run)},
               PermuteKernel<T, 64>{sets, entries, order, value_sets, set_values, first % value_sets, conjugation, from, to});
}

template void permute_values(exec::Device, index_t, index_t, const std::int32_t*, index_t, index_t, index_t, Conjugation,
                             const float*, float*);
template void permute_values(exec::Device, index_t, index_t, const std::int32_t*, index_t, index_t, index_t, Conjugation,
                             const double*, double*);
template void permute_values(exec::Device, index_t, index_t, const std::int32_t*, index_t, index_t, index_t, Conjugation,
                             const Complex<float>*, Complex<float>*);
template void permute_values(exec::Device, index_t, index_t, const std::int32_t*, index_t, index_t, index_t, Conjugation,
                             const Complex<double>*, Complex<double>*);

}  // namespace phpc::batch
