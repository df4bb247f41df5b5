#pragma once
#include <cstdint>

#include "batch/system/strided_range.hpp"

namespace phpc::batch {

/// The base of system contexts whose vectors lie in registers, Count elements a thread. Their kernels solve neither scaled
/// systems nor histories.
template <class T, int Count>
class ContextInRegisters {
 public:
  using Value = T;
  static constexpr int count = Count;  ///< rows of a thread

  struct Vector {
    T element[count];
    [[nodiscard, gnu::always_inline]] T& operator[](int i) { return element[i]; }
    [[nodiscard, gnu::always_inline]] const T& operator[](int i) const { return element[i]; }
  };

  [[nodiscard, gnu::always_inline]] static constexpr StridedRange my_rows() { return {0, count, 1}; }
  [[nodiscard, gnu::always_inline]] static Vector vector(int /*number*/) { return {}; }
  [[nodiscard, gnu::always_inline]] static Vector preparation(int /*number*/) { return {}; }

  [[nodiscard, gnu::always_inline]] static constexpr bool scaled() { return false; }
  [[nodiscard, gnu::always_inline]] static T unscaled(int /*i*/, T r) { return r; }
  [[gnu::always_inline]] static void begin_cycle(T /*unit*/, std::int32_t /*iterations*/) {}
  [[gnu::always_inline]] static void record(std::int32_t /*iterations*/, bool /*mask*/, T /*squared*/) {}
  [[gnu::always_inline]] static void record_true(std::int32_t /*iterations*/, bool /*mask*/, T /*norm*/) {}
};

}  // namespace phpc::batch
