#pragma once
#include <cstdint>

#include "batch/math/value.hpp"

namespace phpc::batch {

/// History records the residual norms of a system (of one a lane), iteration by iteration. Cycles know neither the scale of their
/// residual nor the iterations before them; the loop around them gives both to begin_cycle().
template <int Lanes>
struct History {
  double* norms[Lanes];        ///< of each system
  double unit[Lanes];          ///< of the norms in the present cycle
  std::int32_t before[Lanes];  ///< iterations before the present cycle

  template <class Value>
  [[gnu::always_inline]] void begin_cycle(Value cycle_unit, CountOf<Value> iterations) {
    for (int lane = 0; lane < Lanes; ++lane) {
      unit[lane] = static_cast<double>(lane_of(cycle_unit, lane));
      before[lane] = static_cast<std::int32_t>(lane_of(iterations, lane));
    }
  }

  /// Records the norm after so many iterations of the cycle, from its square, where the mask holds.
  template <class Value>
  [[gnu::always_inline]] void record(CountOf<Value> iterations, MaskOf<Value> mask, Value squared) const {
    for (int lane = 0; lane < Lanes; ++lane) {
      if (lane_of(mask, lane) != 0) {
        norms[lane][before[lane] + lane_of(iterations, lane)] =
            unit[lane] * square_root(static_cast<double>(lane_of(squared, lane)));
      }
    }
  }

  /// Records the true norm after so many iterations of all cycles, where the mask holds.
  template <class Value>
  [[gnu::always_inline]] void record_true(CountOf<Value> iterations, MaskOf<Value> mask, Value norm) const {
    for (int lane = 0; lane < Lanes; ++lane) {
      if (lane_of(mask, lane) != 0) {
        norms[lane][lane_of(iterations, lane)] = static_cast<double>(lane_of(norm, lane));
      }
    }
  }
};

}  // namespace phpc::batch
