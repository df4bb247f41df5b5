#pragma once
#include <type_traits>

#include "phpc/core/types.hpp"
#include "phpc/fft/descriptor.hpp"

namespace phpc::fft {

/// How the elements of an array are made of real numbers.
enum class Elements { complex, planar, real };

/// The first elements of an array of `Real` (const for arrays that are read). It remembers which form it was made from.
template <class Real>
class Array {
 public:
  using Value = std::conditional_t<std::is_const_v<Real>, const Complex<std::remove_const_t<Real>>, Complex<Real>>;

  /// Interleaved complex numbers.
  Array(Value* values) : elements_(Elements::complex), first_(reinterpret_cast<Real*>(values)) {}  // NOLINT(*-explicit-*)
  /// Real numbers.
  Array(Real* values) : elements_(Elements::real), first_(values) {}  // NOLINT(*-explicit-*)
  /// Planar complex numbers.
  Array(Real* real_parts, Real* imaginary_parts) : elements_(Elements::planar), first_(real_parts), second_(imaginary_parts) {}
  /// An array that may be written may be read.
  template <class Other>
    requires std::is_same_v<const Other, Real>
  Array(Array<Other> other)  // NOLINT(*-explicit-*)
      : elements_(other.elements()), first_(other.first()), second_(other.second()) {}

  [[nodiscard]] Elements elements() const { return elements_; }
  /// The real numbers, the real parts, or the first of the pairs.
  [[nodiscard]] Real* first() const { return first_; }
  /// The imaginary parts of planar numbers, else nullptr.
  [[nodiscard]] Real* second() const { return second_; }
  [[nodiscard]] Value* values() const { return reinterpret_cast<Value*>(first_); }

  /// The same array from another element on.
  [[nodiscard]] Array from(index_t element) const {
    Array moved = *this;
    moved.first_ += elements_ == Elements::complex ? 2 * element : element;
    moved.second_ = second_ == nullptr ? nullptr : second_ + element;
    return moved;
  }

 private:
  Elements elements_;
  Real* first_;
  Real* second_ = nullptr;
};

}  // namespace phpc::fft
