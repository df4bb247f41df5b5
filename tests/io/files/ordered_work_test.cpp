#include "phpc/io/ordered_work.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace phpc::io {
namespace {

struct Number {
  int value = 0;
};

/// Squares 0, 1, ... count - 1; throws in a stage of its own at one of them.
class Squares final : public OrderedWork<Number> {
 public:
  enum class Where { nowhere, begin, work, deliver };
  Squares(int count, Where where = Where::nowhere, int at = 0) : count_(count), where_(where), at_(at) {}
  std::vector<int> delivered;

 private:
  void maybe_throw(Where where, int value) const {
    if (where == where_ && value == at_) {
      throw std::runtime_error("at " + std::to_string(value));
    }
  }
  bool begin(Number& number) override {
    if (next_ == count_) {
      return false;
    }
    number.value = next_++;
    maybe_throw(Where::begin, number.value);
    return true;
  }
  void work(Number& number) override {
    maybe_throw(Where::work, number.value);
    number.value *= number.value;
  }
  void deliver(Number& number) override {
    maybe_throw(Where::deliver, static_cast<int>(delivered.size()));
    delivered.push_back(number.value);
  }

  int count_;
  Where where_;
  int at_;
  int next_ = 0;
};

TEST(OrderedWork, DeliversEverythingInOrder) {
  for (const int threads : {1, 2, 3, 8}) {
    for (const int count : {0, 1, 5, 1000}) {
      Squares squares(count);
      squares.run(threads);
      ASSERT_EQ(squares.delivered.size(), static_cast<std::size_t>(count));
      for (int i = 0; i < count; ++i) {
        EXPECT_EQ(squares.delivered[static_cast<std::size_t>(i)], i * i);
      }
    }
  }
}

TEST(OrderedWork, ThrowsWhatAStageThrewAfterWhatCameBefore) {
  for (const int threads : {1, 2, 8}) {
    for (const auto where : {Squares::Where::begin, Squares::Where::work, Squares::Where::deliver}) {
      for (const int at : {0, 1, 57}) {
        Squares squares(100, where, at);
        try {
          squares.run(threads);
          ADD_FAILURE() << "no error";
        } catch (const std::runtime_error& error) {
          EXPECT_EQ(error.what(), "at " + std::to_string(at));
        }
        EXPECT_EQ(squares.delivered.size(), static_cast<std::size_t>(at));
      }
    }
  }
}

}  // namespace
}  // namespace phpc::io
