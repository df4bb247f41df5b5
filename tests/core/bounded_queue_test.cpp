#include "phpc/core/bounded_queue.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <random>
#include <stdexcept>
#include <thread>
#include <vector>

#include "phpc/core/threads.hpp"

namespace phpc {
namespace {

TEST(BoundedQueue, GivesElementsInOrderAndHoldsNoMoreThanItsCapacity) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    constexpr int count = 200;
    const std::size_t capacity = 1 + seed % 4;
    BoundedQueue<int> queue(capacity);
    std::atomic<int> taken = 0;
    std::atomic<int> most_held = 0;
    Threads pusher;
    pusher.start(1, [&] {
      std::mt19937_64 random(seed);
      for (int i = 0; i < count; ++i) {
        if (random() % 10 == 0) {
          std::this_thread::sleep_for(std::chrono::microseconds(random() % 200));
        }
        if (seed % 2 == 0) {
          EXPECT_TRUE(queue.wait_for_room());
        }
        EXPECT_TRUE(queue.push(i));
        most_held = std::max(most_held.load(), i + 1 - taken);
      }
      queue.close();
    });
    std::mt19937_64 random(1000 + seed);
    int expected = 0;
    while (const std::optional<int> number = queue.pop()) {
      EXPECT_EQ(*number, expected++);
      ++taken;
      if (random() % 10 == 0) {
        std::this_thread::sleep_for(std::chrono::microseconds(random() % 200));
      }
    }
    EXPECT_EQ(expected, count);
    EXPECT_LE(most_held, static_cast<int>(capacity) + 1) << "one may be taken out and not counted yet";
    EXPECT_FALSE(queue.pop());
  }
}

TEST(BoundedQueue, ThrowsTheErrorThatItWasClosedWithAfterItsElements) {
  BoundedQueue<int> queue(3);
  EXPECT_TRUE(queue.push(1));
  queue.close(std::make_exception_ptr(std::runtime_error("no more")));
  queue.close();  // it has ended
  EXPECT_FALSE(queue.push(2));
  EXPECT_FALSE(queue.wait_for_room());
  EXPECT_EQ(queue.pop(), 1);
  EXPECT_THROW(queue.pop(), std::runtime_error);
  EXPECT_THROW(queue.pop(), std::runtime_error);
  EXPECT_FALSE(queue.cancel());
}

TEST(BoundedQueue, CancelDropsElementsAndWakesWhoPushesAndWhoPops) {
  BoundedQueue<std::shared_ptr<int>> full(1);
  const auto element = std::make_shared<int>(1);
  EXPECT_TRUE(full.push(element));
  BoundedQueue<int> empty(1);
  {
    Threads waiting;
    waiting.start(1, [&] { EXPECT_FALSE(full.push(element)); });
    waiting.start(1, [&] { EXPECT_FALSE(full.wait_for_room()); });
    waiting.start(1, [&] { EXPECT_FALSE(empty.pop()); });
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    EXPECT_TRUE(full.cancel());
    EXPECT_TRUE(empty.cancel());
  }
  EXPECT_EQ(element.use_count(), 1);
  EXPECT_FALSE(full.pop());
}

}  // namespace
}  // namespace phpc
