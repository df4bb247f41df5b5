#pragma once
/// CUDA's mathematical functions beyond those of the C library, in the global namespace.
///
/// The C library's (sinf, exp, fmaf, ...) come with <math.h>. On GPUs clang's own headers define most of what is here by the
/// vendor's device library; those names are left out there.
#include "phpc/cuda/detail/math_special.hpp"
#include "phpc/cuda/words.hpp"

/// 1 where the C library has the functions of a later C standard under the same names: half turns (2.41), 1 / square root (2.42).
#if defined(__GLIBC__) && defined(__GLIBC_PREREQ)
#define PHPC_CUDA_LIBC_HALF_TURNS __GLIBC_PREREQ(2, 41)
#define PHPC_CUDA_LIBC_RSQRT __GLIBC_PREREQ(2, 42)
#else
#define PHPC_CUDA_LIBC_HALF_TURNS 0
#define PHPC_CUDA_LIBC_RSQRT 0
#endif

PHPC_CUDA_BEGIN

// Minima and maxima: CUDA's overloads, no more and no fewer, so that a call is ambiguous where it is in CUDA. A NaN loses against
// a number, as in fmin.
namespace phpc::cuda::detail {

template <class T>
PHPC_CUDA_FN constexpr T min_of(T a, T b) {
  return a < b || b != b ? a : b;
}

template <class T>
PHPC_CUDA_FN constexpr T max_of(T a, T b) {
  return a > b || b != b ? a : b;
}

}  // namespace phpc::cuda::detail

#if !PHPC_CUDA_DEVICE_MATH
PHPC_CUDA_FN constexpr int min(int a, int b) {
  return phpc::cuda::detail::min_of<int>(a, b);
}
PHPC_CUDA_FN constexpr int max(int a, int b) {
  return phpc::cuda::detail::max_of<int>(a, b);
}
#endif
#if !PHPC_CUDA_NVPTX
PHPC_CUDA_FN constexpr unsigned int umin(unsigned int a, unsigned int b) {
  return phpc::cuda::detail::min_of<unsigned int>(a, b);
}
PHPC_CUDA_FN constexpr unsigned int umax(unsigned int a, unsigned int b) {
  return phpc::cuda::detail::max_of<unsigned int>(a, b);
}
PHPC_CUDA_FN constexpr long long int llmin(long long int a, long long int b) {
  return phpc::cuda::detail::min_of<long long int>(a, b);
}
PHPC_CUDA_FN constexpr long long int llmax(long long int a, long long int b) {
  return phpc::cuda::detail::max_of<long long int>(a, b);
}
PHPC_CUDA_FN constexpr unsigned long long int ullmin(unsigned long long int a, unsigned long long int b) {
  return phpc::cuda::detail::min_of<unsigned long long int>(a, b);
}
PHPC_CUDA_FN constexpr unsigned long long int ullmax(unsigned long long int a, unsigned long long int b) {
  return phpc::cuda::detail::max_of<unsigned long long int>(a, b);
}
#endif
PHPC_CUDA_FN constexpr unsigned int min(unsigned int a, unsigned int b) {
  return phpc::cuda::detail::min_of<unsigned int>(a, b);
}
PHPC_CUDA_FN constexpr unsigned int max(unsigned int a, unsigned int b) {
  return phpc::cuda::detail::max_of<unsigned int>(a, b);
}
PHPC_CUDA_FN constexpr unsigned int min(int a, unsigned int b) {
  return phpc::cuda::detail::min_of<unsigned int>(static_cast<unsigned int>(a), static_cast<unsigned int>(b));
}
PHPC_CUDA_FN constexpr unsigned int max(int a, unsigned int b) {
  return phpc::cuda::detail::max_of<unsigned int>(static_cast<unsigned int>(a), static_cast<unsigned int>(b));
}
PHPC_CUDA_FN constexpr unsigned int min(unsigned int a, int b) {
  return phpc::cuda::detail::min_of<unsigned int>(static_cast<unsigned int>(a), static_cast<unsigned int>(b));
}
PHPC_CUDA_FN constexpr unsigned int max(unsigned int a, int b) {
  return phpc::cuda::detail::max_of<unsigned int>(static_cast<unsigned int>(a), static_cast<unsigned int>(b));
}
PHPC_CUDA_FN constexpr unsigned long int min(unsigned long int a, unsigned long int b) {
  return phpc::cuda::detail::min_of<unsigned long int>(a, b);
}
PHPC_CUDA_FN constexpr unsigned long int max(unsigned long int a, unsigned long int b) {
  return phpc::cuda::detail::max_of<unsigned long int>(a, b);
}
PHPC_CUDA_FN constexpr unsigned long int min(long int a, unsigned long int b) {
  return phpc::cuda::detail::min_of<unsigned long int>(static_cast<unsigned long int>(a), static_cast<unsigned long int>(b));
}
PHPC_CUDA_FN constexpr unsigned long int max(long int a, unsigned long int b) {
  return phpc::cuda::detail::max_of<unsigned long int>(static_cast<unsigned long int>(a), static_cast<unsigned long int>(b));
}
PHPC_CUDA_FN constexpr unsigned long int min(unsigned long int a, long int b) {
  return phpc::cuda::detail::min_of<unsigned long int>(static_cast<unsigned long int>(a), static_cast<unsigned long int>(b));
}
PHPC_CUDA_FN constexpr unsigned long int max(unsigned long int a, long int b) {
  return phpc::cuda::detail::max_of<unsigned long int>(static_cast<unsigned long int>(a), static_cast<unsigned long int>(b));
}
PHPC_CUDA_FN constexpr unsigned long long int min(unsigned long long int a, unsigned long long int b) {
  return phpc::cuda::detail::min_of<unsigned long long int>(a, b);
}
PHPC_CUDA_FN constexpr unsigned long long int max(unsigned long long int a, unsigned long long int b) {
  return phpc::cuda::detail::max_of<unsigned long long int>(a, b);
}
PHPC_CUDA_FN constexpr unsigned long long int min(long long int a, unsigned long long int b) {
  return phpc::cuda::detail::min_of<unsigned long long int>(static_cast<unsigned long long int>(a),
                                                            static_cast<unsigned long long int>(b));
}
PHPC_CUDA_FN constexpr unsigned long long int max(long long int a, unsigned long long int b) {
  return phpc::cuda::detail::max_of<unsigned long long int>(static_cast<unsigned long long int>(a),
                                                            static_cast<unsigned long long int>(b));
}
PHPC_CUDA_FN constexpr unsigned long long int min(unsigned long long int a, long long int b) {
  return phpc::cuda::detail::min_of<unsigned long long int>(static_cast<unsigned long long int>(a),
                                                            static_cast<unsigned long long int>(b));
}
PHPC_CUDA_FN constexpr unsigned long long int max(unsigned long long int a, long long int b) {
  return phpc::cuda::detail::max_of<unsigned long long int>(static_cast<unsigned long long int>(a),
                                                            static_cast<unsigned long long int>(b));
}
PHPC_CUDA_FN constexpr long int min(long int a, long int b) {
  return phpc::cuda::detail::min_of<long int>(a, b);
}
PHPC_CUDA_FN constexpr long int max(long int a, long int b) {
  return phpc::cuda::detail::max_of<long int>(a, b);
}
PHPC_CUDA_FN constexpr long long int min(long long int a, long long int b) {
  return phpc::cuda::detail::min_of<long long int>(a, b);
}
PHPC_CUDA_FN constexpr long long int max(long long int a, long long int b) {
  return phpc::cuda::detail::max_of<long long int>(a, b);
}
#if !PHPC_CUDA_DEVICE_MATH || PHPC_CUDA_NVPTX  // clang has these for AMD's GPUs
PHPC_CUDA_FN constexpr float min(float a, float b) {
  return phpc::cuda::detail::min_of<float>(a, b);
}
PHPC_CUDA_FN constexpr float max(float a, float b) {
  return phpc::cuda::detail::max_of<float>(a, b);
}
PHPC_CUDA_FN constexpr double min(double a, double b) {
  return phpc::cuda::detail::min_of<double>(a, b);
}
PHPC_CUDA_FN constexpr double max(double a, double b) {
  return phpc::cuda::detail::max_of<double>(a, b);
}
#endif
PHPC_CUDA_FN constexpr double min(float a, double b) {
  return phpc::cuda::detail::min_of<double>(a, b);
}
PHPC_CUDA_FN constexpr double max(float a, double b) {
  return phpc::cuda::detail::max_of<double>(a, b);
}
PHPC_CUDA_FN constexpr double min(double a, float b) {
  return phpc::cuda::detail::min_of<double>(a, b);
}
PHPC_CUDA_FN constexpr double max(double a, float b) {
  return phpc::cuda::detail::max_of<double>(a, b);
}

// What hosts lack.
#if !PHPC_CUDA_DEVICE_MATH
#if !PHPC_CUDA_LIBC_RSQRT
PHPC_CUDA_FN double rsqrt(double x) {
  return 1.0 / ::sqrt(x);
}
PHPC_CUDA_FN float rsqrtf(float x) {
  return 1.0f / ::sqrtf(x);
}
#endif
PHPC_CUDA_FN double rcbrt(double x) {
  return 1.0 / ::cbrt(x);
}
PHPC_CUDA_FN float rcbrtf(float x) {
  return static_cast<float>(1.0 / ::cbrt(static_cast<double>(x)));
}

#if !PHPC_CUDA_LIBC_HALF_TURNS
inline double sinpi(double x) {
  return phpc::cuda::detail::sin_of_pi(x);
}
inline float sinpif(float x) {
  return static_cast<float>(phpc::cuda::detail::sin_of_pi(x));
}
inline double cospi(double x) {
  return phpc::cuda::detail::cos_of_pi(x);
}
inline float cospif(float x) {
  return static_cast<float>(phpc::cuda::detail::cos_of_pi(x));
}
#endif
inline void sincospi(double x, double* sine, double* cosine) {
  *sine = phpc::cuda::detail::sin_of_pi(x);
  *cosine = phpc::cuda::detail::cos_of_pi(x);
}
inline void sincospif(float x, float* sine, float* cosine) {
  *sine = static_cast<float>(phpc::cuda::detail::sin_of_pi(x));
  *cosine = static_cast<float>(phpc::cuda::detail::cos_of_pi(x));
}

inline double erfinv(double x) {
  return phpc::cuda::detail::erf_inverse(x);
}
inline float erfinvf(float x) {
  return static_cast<float>(phpc::cuda::detail::erf_inverse(x));
}
inline double erfcinv(double x) {
  return phpc::cuda::detail::erfc_inverse(x);
}
inline float erfcinvf(float x) {
  return static_cast<float>(phpc::cuda::detail::erfc_inverse(x));
}
inline double erfcx(double x) {
  return phpc::cuda::detail::scaled_erfc(x);
}
inline float erfcxf(float x) {
  return static_cast<float>(phpc::cuda::detail::scaled_erfc(x));
}
inline double normcdf(double x) {
  return phpc::cuda::detail::normal_cdf(x);
}
inline float normcdff(float x) {
  return static_cast<float>(phpc::cuda::detail::normal_cdf(x));
}
inline double normcdfinv(double x) {
  return phpc::cuda::detail::normal_cdf_inverse(x);
}
inline float normcdfinvf(float x) {
  return static_cast<float>(phpc::cuda::detail::normal_cdf_inverse(x));
}

inline double cyl_bessel_i0(double x) {
  return phpc::cuda::detail::bessel_i(0, __builtin_fabs(x));
}
inline float cyl_bessel_i0f(float x) {
  return static_cast<float>(cyl_bessel_i0(static_cast<double>(x)));
}
inline double cyl_bessel_i1(double x) {
  return __builtin_copysign(phpc::cuda::detail::bessel_i(1, __builtin_fabs(x)), x);
}
inline float cyl_bessel_i1f(float x) {
  return static_cast<float>(cyl_bessel_i1(static_cast<double>(x)));
}

inline double norm(int size, const double* v) {
  return phpc::cuda::detail::length(size, v);
}
inline float normf(int size, const float* v) {
  return static_cast<float>(phpc::cuda::detail::length(size, v));
}
inline double rnorm(int size, const double* v) {
  return 1 / phpc::cuda::detail::length(size, v);
}
inline float rnormf(int size, const float* v) {
  return static_cast<float>(1 / phpc::cuda::detail::length(size, v));
}
inline double norm3d(double a, double b, double c) {
  const double v[] = {a, b, c};
  return norm(3, v);
}
inline float norm3df(float a, float b, float c) {
  const float v[] = {a, b, c};
  return normf(3, v);
}
inline double norm4d(double a, double b, double c, double d) {
  const double v[] = {a, b, c, d};
  return norm(4, v);
}
inline float norm4df(float a, float b, float c, float d) {
  const float v[] = {a, b, c, d};
  return normf(4, v);
}
inline double rnorm3d(double a, double b, double c) {
  return 1 / norm3d(a, b, c);
}
inline float rnorm3df(float a, float b, float c) {
  const float v[] = {a, b, c};
  return rnormf(3, v);
}
inline double rnorm4d(double a, double b, double c, double d) {
  return 1 / norm4d(a, b, c, d);
}
inline float rnorm4df(float a, float b, float c, float d) {
  const float v[] = {a, b, c, d};
  return rnormf(4, v);
}
inline double rhypot(double a, double b) {
  return 1 / ::hypot(a, b);
}
inline float rhypotf(float a, float b) {
  return static_cast<float>(1 / ::hypot(static_cast<double>(a), static_cast<double>(b)));
}
#endif
#if !PHPC_CUDA_NVPTX
PHPC_CUDA_FN double fdivide(double a, double b) {
  return a / b;
}
#endif
#if !PHPC_CUDA_DEVICE_MATH
PHPC_CUDA_FN float fdividef(float a, float b) {
  return a / b;
}
#endif

// CUDA's overloads for float of the names above and of the C library's that C++ does not overload.
PHPC_CUDA_FN float rsqrt(float x) {
  return ::rsqrtf(x);
}
PHPC_CUDA_FN float rcbrt(float x) {
  return ::rcbrtf(x);
}
PHPC_CUDA_FN float sinpi(float x) {
  return ::sinpif(x);
}
PHPC_CUDA_FN float cospi(float x) {
  return ::cospif(x);
}
PHPC_CUDA_FN float exp10(float x) {
  return ::exp10f(x);
}
PHPC_CUDA_FN float erfinv(float x) {
  return ::erfinvf(x);
}
PHPC_CUDA_FN float erfcinv(float x) {
  return ::erfcinvf(x);
}
PHPC_CUDA_FN float erfcx(float x) {
  return ::erfcxf(x);
}
PHPC_CUDA_FN float normcdf(float x) {
  return ::normcdff(x);
}
PHPC_CUDA_FN float normcdfinv(float x) {
  return ::normcdfinvf(x);
}
PHPC_CUDA_FN float cyl_bessel_i0(float x) {
  return ::cyl_bessel_i0f(x);
}
PHPC_CUDA_FN float cyl_bessel_i1(float x) {
  return ::cyl_bessel_i1f(x);
}
PHPC_CUDA_FN float j0(float x) {
  return ::j0f(x);
}
PHPC_CUDA_FN float j1(float x) {
  return ::j1f(x);
}
PHPC_CUDA_FN float y0(float x) {
  return ::y0f(x);
}
PHPC_CUDA_FN float y1(float x) {
  return ::y1f(x);
}
PHPC_CUDA_FN float jn(int n, float x) {
  return ::jnf(n, x);
}
PHPC_CUDA_FN float yn(int n, float x) {
  return ::ynf(n, x);
}
PHPC_CUDA_FN float fdivide(float a, float b) {
  return ::fdividef(a, b);
}
PHPC_CUDA_FN void sincos(float x, float* sine, float* cosine) {
  ::sincosf(x, sine, cosine);
}
PHPC_CUDA_FN void sincospi(float x, float* sine, float* cosine) {
  ::sincospif(x, sine, cosine);
}

PHPC_CUDA_END

#undef PHPC_CUDA_LIBC_HALF_TURNS
#undef PHPC_CUDA_LIBC_RSQRT
