#pragma once
#include <bit>
#include <cstddef>
#include <cstdint>

#include "fft/device/general/stages/stage.hpp"
#include "fft/device/pass/cache_hints.hpp"
#include "phpc/core/types.hpp"

/// Reads of the general kernel's tables and accesses to a team's scratch.
namespace phpc::fft {

/// Returns the same number, which the compiler of GPU code cannot know to be the same in each iteration of a loop: it would
/// otherwise compute the distances of all R elements of a butterfly once for all iterations and hold them in registers.
[[nodiscard, gnu::always_inline]] inline unsigned known_now(unsigned number) {
#if defined(__NVPTX__)
  unsigned same;
  asm volatile("mov.u32 %0, %1;" : "=r"(same) : "r"(number));
  return same;
#else
  return number;
#endif
}

[[nodiscard, gnu::always_inline]] inline GeneralItem table_entry(const GeneralItem* from) {
#if defined(__NVPTX__)
  unsigned word;
  unsigned offset;
  asm("ld.global.nc.v2.u32 {%0, %1}, [%2];" : "=r"(word), "=r"(offset) : "l"(from));
  return {static_cast<std::uint16_t>(word), static_cast<std::uint16_t>(word >> 16), offset};
#else
  return *from;
#endif
}

[[nodiscard, gnu::always_inline]] inline GeneralElement table_entry(const GeneralElement* from) {
#if defined(__NVPTX__)
  GeneralElement element;
  asm("ld.global.nc.v2.u32 {%0, %1}, [%2];" : "=r"(element.position), "=r"(element.number) : "l"(from));
  return element;
#else
  return *from;
#endif
}

[[nodiscard, gnu::always_inline]] inline unsigned table_entry(const std::uint16_t* from) {
#if defined(__NVPTX__)
  std::uint16_t value;
  asm("ld.global.nc.u16 %0, [%1];" : "=h"(value) : "l"(from));
  return value;
#else
  return *from;
#endif
}

#if defined(__NVPTX__)
/// The address of a team's scratch within shared memory.
[[gnu::always_inline]] inline unsigned shared_address(const void* data) {
  return static_cast<unsigned>(reinterpret_cast<std::uint64_t>((__attribute__((address_space(3))) const void*)(data)));
}
#endif

/// Reads a number of four or eight bytes in a team's scratch, at this place of the code: the compiler cannot read it earlier and
/// hold it in a register.
template <class Number>
[[nodiscard, gnu::always_inline]] inline Number scratch_now(const Number& from) {
#if defined(__NVPTX__)
  const unsigned address = shared_address(&from);
  if constexpr (sizeof(Number) == 4) {
    unsigned bits;
    asm volatile("ld.shared.u32 %0, [%1];" : "=r"(bits) : "r"(address) : "memory");
    return std::bit_cast<Number>(bits);
  } else {
    std::uint64_t bits;
    asm volatile("ld.shared.u64 %0, [%1];" : "=l"(bits) : "r"(address) : "memory");
    return std::bit_cast<Number>(bits);
  }
#else
  return from;
#endif
}

/// Elements of a team's scratch that lie `step` places apart. For NVIDIA's GPUs the accesses are written out, a number each by
/// its 32-bit address of shared memory: clang 19 made two of one where the step is known at run time only.
template <class Real>
class ScratchElements {
 public:
  [[gnu::always_inline]] ScratchElements(Complex<Real>* data, unsigned place, unsigned step) {
#if defined(__NVPTX__)
    first_ = shared_address(data) + place * element_bytes;
    step_ = step * element_bytes;
#else
    first_ = data + place;
    step_ = step;
#endif
  }

  [[nodiscard, gnu::always_inline]] Complex<Real> get(unsigned q) const {
#if defined(__NVPTX__)
    Complex<Real> value;
    if constexpr (sizeof(Real) == sizeof(float)) {
      asm volatile("ld.shared.v2.f32 {%0, %1}, [%2];" : "=f"(value.re), "=f"(value.im) : "r"(first_ + q * step_) : "memory");
    } else {
      asm volatile("ld.shared.v2.f64 {%0, %1}, [%2];" : "=d"(value.re), "=d"(value.im) : "r"(first_ + q * step_) : "memory");
    }
    return value;
#else
    return first_[std::size_t{q} * step_];
#endif
  }

  [[gnu::always_inline]] void set(unsigned q, Complex<Real> value) const {
#if defined(__NVPTX__)
    if constexpr (sizeof(Real) == sizeof(float)) {
      asm volatile("st.shared.v2.f32 [%2], {%0, %1};" : : "f"(value.re), "f"(value.im), "r"(first_ + q * step_) : "memory");
    } else {
      asm volatile("st.shared.v2.f64 [%2], {%0, %1};" : : "d"(value.re), "d"(value.im), "r"(first_ + q * step_) : "memory");
    }
#else
    first_[std::size_t{q} * step_] = value;
#endif
  }

 private:
#if defined(__NVPTX__)
  static constexpr unsigned element_bytes = sizeof(Complex<Real>);
  unsigned first_;
#else
  Complex<Real>* first_;
#endif
  unsigned step_;
};

/// A real number of a team's scratch, of which an element's place has two.
template <class Real>
class ScratchReal {
 public:
  [[gnu::always_inline]] ScratchReal(Complex<Real>* data, unsigned place) {
#if defined(__NVPTX__)
    first_ = shared_address(data) + place * sizeof(Real);
#else
    first_ = reinterpret_cast<Real*>(data) + place;
#endif
  }

  [[nodiscard, gnu::always_inline]] Real get() const {
#if defined(__NVPTX__)
    Real value;
    if constexpr (sizeof(Real) == sizeof(float)) {
      asm volatile("ld.shared.f32 %0, [%1];" : "=f"(value) : "r"(first_) : "memory");
    } else {
      asm volatile("ld.shared.f64 %0, [%1];" : "=d"(value) : "r"(first_) : "memory");
    }
    return value;
#else
    return *first_;
#endif
  }

  [[gnu::always_inline]] void set(Real value) const {
#if defined(__NVPTX__)
    if constexpr (sizeof(Real) == sizeof(float)) {
      asm volatile("st.shared.f32 [%1], %0;" : : "f"(value), "r"(first_) : "memory");
    } else {
      asm volatile("st.shared.f64 [%1], %0;" : : "d"(value), "r"(first_) : "memory");
    }
#else
    *first_ = value;
#endif
  }

 private:
#if defined(__NVPTX__)
  unsigned first_;
#else
  Real* first_;
#endif
};

}  // namespace phpc::fft
