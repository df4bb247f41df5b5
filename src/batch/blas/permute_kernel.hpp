#pragma once
#include "batch/blas/blas_kernels.hpp"
#include "batch/blas/permute.hpp"

namespace phpc::batch {

/// The kernel of permute_values().
template <class T, int TeamSize>
struct PermuteKernel {
  static constexpr int team_size = TeamSize;
  struct Scratch {};
  index_t sets;
  index_t entries;
  const std::int32_t* order;
  index_t value_sets;
  index_t set_values;  ///< of `from`
  index_t first;       ///< below value_sets
  Conjugation conjugation;
  const T* from;
  T* to;

  [[gnu::always_inline]] void operator()(const exec::Team& team, Scratch& /*scratch*/) const {
    const PermuteKernel& own = *this;
    for_own_elements(team, sets * entries, entries, [&own](index_t set, index_t entry, index_t place) {
      const index_t source = own.first + set;
      const index_t wrapped = source < own.value_sets ? source : source - own.value_sets;
      const T value = own.from[wrapped * own.set_values + own.order[entry]];
      own.to[place] = own.conjugation == Conjugation::yes ? conjugate(value) : value;
    });
  }
};

}  // namespace phpc::batch
