#pragma once

namespace phpc::batch {

/// The integers first, first + step, ... below end, for range-for: the elements of a vector that a thread has.
class StridedRange {
 public:
  class Iterator {
   public:
    [[gnu::always_inline]] constexpr Iterator(int at, int step) : at_(at), step_(step) {}
    [[nodiscard, gnu::always_inline]] constexpr int operator*() const { return at_; }
    [[gnu::always_inline]] constexpr Iterator& operator++() {
      at_ += step_;
      return *this;
    }
    /// Whether there is more before `end`; the only comparison that a loop makes.
    [[nodiscard, gnu::always_inline]] constexpr bool operator!=(const Iterator& end) const { return at_ < end.at_; }

   private:
    int at_;
    int step_;
  };

  [[gnu::always_inline]] constexpr StridedRange(int first, int end, int step) : first_(first), end_(end), step_(step) {}
  [[nodiscard, gnu::always_inline]] constexpr Iterator begin() const { return {first_, step_}; }
  [[nodiscard, gnu::always_inline]] constexpr Iterator end() const { return {end_, step_}; }

 private:
  int first_;
  int end_;
  int step_;
};

}  // namespace phpc::batch
