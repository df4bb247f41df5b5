#pragma once
#include "phpc/core/types.hpp"

/// Accesses to device memory that is gone through once: they leave a GPU's cache to what is used again.
namespace phpc::fft {

template <class Real>
[[gnu::always_inline]] inline Complex<Real> streamed(const Complex<Real>* from) {
#if defined(__NVPTX__)
  Complex<Real> value;
  if constexpr (sizeof(Real) == sizeof(float)) {
    asm volatile("ld.global.cs.v2.f32 {%0, %1}, [%2];" : "=f"(value.re), "=f"(value.im) : "l"(from));
  } else {
    asm volatile("ld.global.cs.v2.f64 {%0, %1}, [%2];" : "=d"(value.re), "=d"(value.im) : "l"(from));
  }
  return value;
#else
  return *from;
#endif
}

template <class Real>
[[gnu::always_inline]] inline void stream(Complex<Real>* to, Complex<Real> value) {
#if defined(__NVPTX__)
  if constexpr (sizeof(Real) == sizeof(float)) {
    asm volatile("st.global.cs.v2.f32 [%2], {%0, %1};" : : "f"(value.re), "f"(value.im), "l"(to) : "memory");
  } else {
    asm volatile("st.global.cs.v2.f64 [%2], {%0, %1};" : : "d"(value.re), "d"(value.im), "l"(to) : "memory");
  }
#else
  *to = value;
#endif
}

}  // namespace phpc::fft
