#pragma once
#include <algorithm>
#include <cmath>
#include <vector>

#include "batch/math/product_sums.hpp"
#include "batch/math/value.hpp"

namespace phpc::test {

/// Counts operations of Counted numbers and how often those in watched memory are read and written.
class Ledger {
 public:
  double flops = 0;

  /// How often numbers count that one step, a loop's row, touches again: not at all (each once for reading, unless the step has
  /// written it, and once for writing), or each time.
  enum class Again { no, yes };
  /// Counts in `count` what is touched of `bytes` of numbers from `first` on.
  void watch(const void* first, std::size_t bytes, double& count, Again again = Again::no) {
    const char* const begin = static_cast<const char*>(first);
    memory_.push_back({begin, begin + bytes, &count, again});
  }
  void next_step() {
    read_.clear();
    written_.clear();
  }
  void read(const void* number) {
    if (!contains(read_, number) && !contains(written_, number)) {
      count(number, read_);
    }
  }
  void write(const void* number) {
    if (!contains(written_, number)) {
      count(number, written_);
    }
  }

  static inline thread_local Ledger* present = nullptr;

 private:
  struct Memory {
    const char* begin;
    const char* end;
    double* count;
    Again again;
  };
  static bool contains(const std::vector<const void*>& numbers, const void* number) {
    return std::find(numbers.begin(), numbers.end(), number) != numbers.end();
  }
  void count(const void* number, std::vector<const void*>& seen) {
    for (const Memory& memory : memory_) {
      if (memory.begin <= number && number < memory.end) {
        ++*memory.count;
        if (memory.again == Again::no) {
          seen.push_back(number);
        }
        return;
      }
    }
  }

  std::vector<Memory> memory_;
  std::vector<const void*> read_;
  std::vector<const void*> written_;
};

/// A double that tells the present ledger of what is done with it.
class Counted {
 public:
  Counted() = default;
  Counted(double value) : value_(value) {}  // NOLINT(google-explicit-constructor): as a double converts itself
  Counted(const Counted& other) : value_(other.told()) {}
  Counted& operator=(const Counted& other) {  // NOLINT(cert-oop54-cpp): a number assigned to itself is read and written
    value_ = other.told();
    write();
    return *this;
  }
  ~Counted() = default;
  explicit operator double() const { return told(); }
  [[nodiscard]] double told() const {
    if (Ledger::present != nullptr) {
      Ledger::present->read(this);
    }
    return value_;
  }

  friend Counted operator+(const Counted& a, const Counted& b) { return result(a.told() + b.told()); }
  friend Counted operator-(const Counted& a, const Counted& b) { return result(a.told() - b.told()); }
  friend Counted operator*(const Counted& a, const Counted& b) { return result(a.told() * b.told()); }
  friend Counted operator/(const Counted& a, const Counted& b) { return result(a.told() / b.told()); }
  Counted operator-() const { return {-told()}; }
  Counted& operator+=(const Counted& b) { return become(told() + b.told()); }
  Counted& operator-=(const Counted& b) { return become(told() - b.told()); }
  Counted& operator*=(const Counted& b) { return become(told() * b.told()); }
  Counted& operator/=(const Counted& b) { return become(told() / b.told()); }
  friend bool operator<(const Counted& a, const Counted& b) { return a.told() < b.told(); }
  friend bool operator>(const Counted& a, const Counted& b) { return a.told() > b.told(); }
  friend bool operator<=(const Counted& a, const Counted& b) { return a.told() <= b.told(); }
  friend bool operator>=(const Counted& a, const Counted& b) { return a.told() >= b.told(); }
  friend bool operator==(const Counted& a, const Counted& b) { return a.told() == b.told(); }

  /// The result of so many operations.
  static Counted result(double value, int flops = 1) {
    if (Ledger::present != nullptr) {
      Ledger::present->flops += flops;
    }
    return {value};
  }

 private:
  void write() {
    if (Ledger::present != nullptr) {
      Ledger::present->write(this);
    }
  }
  Counted& become(double value) {
    value_ = result(value).value_;
    write();
    return *this;
  }

  double value_ = 0;
};

}  // namespace phpc::test

/// What methods call of numbers that are neither packs nor complex.
namespace phpc::batch {

template <>
struct ValueTraits<test::Counted> : ValueTraits<double> {};
template <>
inline test::Counted broadcast<test::Counted>(double scalar) {
  return {scalar};
}
template <>
inline test::Counted lanes_as<test::Counted>(test::Counted value) {
  return value;
}
template <>
inline test::Counted square_root(test::Counted value) {
  return test::Counted::result(std::sqrt(value.told()));
}
template <>
inline test::Counted absolute(test::Counted value) {
  return {std::fabs(value.told())};
}
template <>
inline test::Counted power_of_two(test::Counted value) {
  return {power_of_two(value.told())};
}
template <>
inline test::Counted fused_multiply_add(test::Counted a, test::Counted b, test::Counted c) {
  return test::Counted::result(std::fma(a.told(), b.told(), c.told()), 2);
}
template <>
inline test::Counted rounded_product(test::Counted a, test::Counted b) {
  return a * b;
}

}  // namespace phpc::batch
