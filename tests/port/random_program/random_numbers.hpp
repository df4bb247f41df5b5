// A small generator of random numbers whose sequence is the same everywhere.
#pragma once
#include <cstdint>

namespace phpc::test {

/// splitmix64 (Steele, Lea and Flood, 2014).
class RandomNumbers {
 public:
  explicit RandomNumbers(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }

  /// A number of 0 .. count - 1.
  int below(int count) { return static_cast<int>(next() % static_cast<std::uint64_t>(count)); }

  /// A number of first .. last.
  int between(int first, int last) { return first + below(last - first + 1); }

  /// True in `percent` of 100 cases.
  bool chance(int percent) { return below(100) < percent; }

 private:
  std::uint64_t state_;
};

}  // namespace phpc::test
