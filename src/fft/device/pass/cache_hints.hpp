#pragma once
#include "phpc/core/types.hpp"

/// Loads and stores with a cache hint (ld.global.cs, st.global.cs), for device memory that is read or written once: such lines
/// leave a GPU's cache first; and reads of tables that nothing writes while a kernel runs (ld.global.nc): a GPU may keep them in
/// its nearest cache. Elsewhere they are ordinary ones.
namespace phpc::fft {

/// Loads a complex number.
template <class Real>
[[gnu::always_inline]] inline Complex<Real> load_streaming(const Complex<Real>* from) {
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

/// Loads a real number.
template <class Real>
[[gnu::always_inline]] inline Real load_streaming(const Real* from) {
#if defined(__NVPTX__)
  Real value;
  if constexpr (sizeof(Real) == sizeof(float)) {
    asm volatile("ld.global.cs.f32 %0, [%1];" : "=f"(value) : "l"(from));
  } else {
    asm volatile("ld.global.cs.f64 %0, [%1];" : "=d"(value) : "l"(from));
  }
  return value;
#else
  return *from;
#endif
}

/// Loads a complex number where `is_there`, by a predicate and not by a branch; else returns 0.
template <class Real>
[[gnu::always_inline]] inline Complex<Real> load_streaming_if(bool is_there, const Complex<Real>* from) {
#if defined(__NVPTX__)
  Complex<Real> value{};
  if constexpr (sizeof(Real) == sizeof(float)) {
    asm volatile("{ .reg .pred p; setp.ne.u32 p, %3, 0; @p ld.global.cs.v2.f32 {%0, %1}, [%2]; }"
                 : "+f"(value.re), "+f"(value.im)
                 : "l"(from), "r"(static_cast<unsigned>(is_there)));
  } else {
    asm volatile("{ .reg .pred p; setp.ne.u32 p, %3, 0; @p ld.global.cs.v2.f64 {%0, %1}, [%2]; }"
                 : "+d"(value.re), "+d"(value.im)
                 : "l"(from), "r"(static_cast<unsigned>(is_there)));
  }
  return value;
#else
  return is_there ? *from : Complex<Real>{};
#endif
}

/// Reads a complex number of a table.
template <class Real>
[[nodiscard, gnu::always_inline]] inline Complex<Real> table_entry(const Complex<Real>* from) {
#if defined(__NVPTX__)
  Complex<Real> value;
  if constexpr (sizeof(Real) == sizeof(float)) {
    asm("ld.global.nc.v2.f32 {%0, %1}, [%2];" : "=f"(value.re), "=f"(value.im) : "l"(from));
  } else {
    asm("ld.global.nc.v2.f64 {%0, %1}, [%2];" : "=d"(value.re), "=d"(value.im) : "l"(from));
  }
  return value;
#else
  return *from;
#endif
}

/// The same where `is_there`, by a predicate and not by a branch; else returns 0.
template <class Real>
[[nodiscard, gnu::always_inline]] inline Complex<Real> table_entry_if(bool is_there, const Complex<Real>* from) {
#if defined(__NVPTX__)
  Complex<Real> value{};
  if constexpr (sizeof(Real) == sizeof(float)) {
    asm("{ .reg .pred p; setp.ne.u32 p, %3, 0; @p ld.global.nc.v2.f32 {%0, %1}, [%2]; }"
        : "+f"(value.re), "+f"(value.im)
        : "l"(from), "r"(static_cast<unsigned>(is_there)));
  } else {
    asm("{ .reg .pred p; setp.ne.u32 p, %3, 0; @p ld.global.nc.v2.f64 {%0, %1}, [%2]; }"
        : "+d"(value.re), "+d"(value.im)
        : "l"(from), "r"(static_cast<unsigned>(is_there)));
  }
  return value;
#else
  return is_there ? *from : Complex<Real>{};
#endif
}

/// Stores a complex number.
template <class Real>
[[gnu::always_inline]] inline void store_streaming(Complex<Real>* to, Complex<Real> value) {
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

/// Stores a real number.
template <class Real>
[[gnu::always_inline]] inline void store_streaming(Real* to, Real value) {
#if defined(__NVPTX__)
  if constexpr (sizeof(Real) == sizeof(float)) {
    asm volatile("st.global.cs.f32 [%1], %0;" : : "f"(value), "l"(to) : "memory");
  } else {
    asm volatile("st.global.cs.f64 [%1], %0;" : : "d"(value), "l"(to) : "memory");
  }
#else
  *to = value;
#endif
}

/// Stores a complex number where `is_wanted`, by a predicate and not by a branch.
template <class Real>
[[gnu::always_inline]] inline void store_streaming_if(bool is_wanted, Complex<Real>* to, Complex<Real> value) {
#if defined(__NVPTX__)
  if constexpr (sizeof(Real) == sizeof(float)) {
    asm volatile("{ .reg .pred p; setp.ne.u32 p, %3, 0; @p st.global.cs.v2.f32 [%2], {%0, %1}; }"
                 :
                 : "f"(value.re), "f"(value.im), "l"(to), "r"(static_cast<unsigned>(is_wanted))
                 : "memory");
  } else {
    asm volatile("{ .reg .pred p; setp.ne.u32 p, %3, 0; @p st.global.cs.v2.f64 [%2], {%0, %1}; }"
                 :
                 : "d"(value.re), "d"(value.im), "l"(to), "r"(static_cast<unsigned>(is_wanted))
                 : "memory");
  }
#else
  if (is_wanted) {
    *to = value;
  }
#endif
}

}  // namespace phpc::fft
