// Streams, events and launches: what waits for what, and what becomes of failures.
#include "phpc/cuda/launch_queue.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "phpc/cuda/runtime_api.hpp"
#include "phpc/exec/launch.hpp"

namespace phpc::test {
namespace {

using cuda::Grid;
using cuda::detail::enqueue_launch;

/// value = value * factor + summand
struct AffineKernel {
  static constexpr int team_size = 4;
  struct Scratch {};
  int* value;
  int factor;
  int summand;

  [[gnu::always_inline]] void operator()(const exec::Team& team, Scratch& /*scratch*/) const {
    if (team.rank() == 0) {
      *value = *value * factor + summand;
    }
  }
};

void launch_affine(cudaStream_t stream, int* value, int factor, int summand, int delay_ms = 0) {
  enqueue_launch(Grid(1, 4, 0, stream), [=](exec::Device device) {
    std::this_thread::sleep_for(std::chrono::milliseconds(delay_ms));
    exec::launch(device, {.groups = 1}, AffineKernel{value, factor, summand});
  });
}

class CudaStreams : public testing::Test {
 protected:
  void SetUp() override {
    cudaGetLastError();
    ASSERT_EQ(cudaMalloc(&value_, sizeof(int)), cudaSuccess);
    ASSERT_EQ(cudaMemset(value_, 0, sizeof(int)), cudaSuccess);
    for (cudaStream_t& stream : streams_) {
      ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
    }
    ASSERT_EQ(cudaStreamCreateWithFlags(&free_, cudaStreamNonBlocking), cudaSuccess);
  }
  void TearDown() override {
    for (const cudaStream_t stream : streams_) {
      EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
    }
    EXPECT_EQ(cudaStreamDestroy(free_), cudaSuccess);
    EXPECT_EQ(cudaFree(value_), cudaSuccess);
    cudaGetLastError();
  }
  [[nodiscard]] int value() const {
    int host = -1;
    EXPECT_EQ(cudaMemcpy(&host, value_, sizeof host, cudaMemcpyDeviceToHost), cudaSuccess);
    return host;
  }
  int* value_ = nullptr;
  cudaStream_t streams_[2]{};
  cudaStream_t free_ = nullptr;
};

TEST_F(CudaStreams, DoTheirWorkInOrder) {
  launch_affine(streams_[0], value_, 1, 1, 20);
  launch_affine(streams_[0], value_, 3, 0);
  launch_affine(streams_[0], value_, 1, 2);
  EXPECT_EQ(cudaStreamSynchronize(streams_[0]), cudaSuccess);
  EXPECT_EQ(value(), 5);
}

/// value = value * 3 + the sum of the words in memory of the device
struct SumKernel {
  static constexpr int team_size = 4;
  struct Scratch {};
  int* value;
  const int* words;
  int count;

  [[gnu::always_inline]] void operator()(const exec::Team& team, Scratch& /*scratch*/) const {
    if (team.rank() == 0) {
      unsigned sum = 0;
      for (int i = 0; i < count; ++i) {
        sum += static_cast<unsigned>(words[i]);
      }
      *value = static_cast<int>(static_cast<unsigned>(*value) * 3 + sum);
    }
  }
};

// One launch's parameters lie where those of the one before did.
TEST_F(CudaStreams, KeepParametersInDeviceMemoryUntilTheLaunchHasReadThem) {
  const unsigned seed = std::random_device()();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  unsigned expected = 0;
  for (int i = 0; i < 300; ++i) {
    std::vector<int> words(1 + random() % (i % 100 == 99 ? 10000 : 500));
    unsigned sum = 0;
    for (int& word : words) {
      word = static_cast<int>(random() % 1000);
      sum += static_cast<unsigned>(word);
    }
    const cudaStream_t stream = random() % 8 != 0 ? streams_[0] : nullptr;  // each waits for the other
    enqueue_launch(Grid(1, 4, 0, stream), [=, value = value_](exec::Device device) {
      const cuda::detail::RemoteParameters there(device, words.data(), words.size() * sizeof(int));
      exec::launch(device, {.groups = 1}, SumKernel{value, static_cast<const int*>(there.get()), static_cast<int>(words.size())});
    });
    expected = expected * 3 + sum;
  }
  EXPECT_EQ(cudaStreamSynchronize(streams_[0]), cudaSuccess);
  EXPECT_EQ(static_cast<unsigned>(value()), expected);
}

TEST_F(CudaStreams, TheLegacyStreamIsOrderedWithThem) {
  launch_affine(streams_[0], value_, 1, 1, 20);
  launch_affine(nullptr, value_, 3, 0, 20);
  launch_affine(streams_[1], value_, 1, 2);
  launch_affine(cudaStreamLegacy, value_, 10, 0);
  launch_affine(cudaStreamPerThread, value_, 1, 7, 20);
  EXPECT_EQ(value(), 57) << "a copy waits as the legacy stream does";
}

TEST_F(CudaStreams, OneThatDoesNotBlockGoesOn) {
  struct Gate {
    std::atomic<bool> open = false;
    std::atomic<bool> done = false;
  } gate;
  launch_affine(free_, value_, 1, 1, 50);
  const bool has_queues = cudaStreamQuery(free_) == cudaErrorNotReady;  // the host has none
  EXPECT_EQ(cudaStreamSynchronize(free_), cudaSuccess);
  if (has_queues) {
    const auto wait = [](void* at) {
      auto& its = *static_cast<Gate*>(at);
      while (!its.open) {
        std::this_thread::yield();
      }
      its.done = true;
    };
    EXPECT_EQ(cudaLaunchHostFunc(nullptr, wait, &gate), cudaSuccess);
    launch_affine(free_, value_, 1, 1);
    EXPECT_EQ(cudaStreamSynchronize(free_), cudaSuccess);  // for ever, if it waited
    EXPECT_FALSE(gate.done);
    EXPECT_EQ(cudaStreamQuery(streams_[0]), cudaSuccess);
    EXPECT_EQ(cudaStreamQuery(nullptr), cudaErrorNotReady);
    gate.open = true;
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    EXPECT_TRUE(gate.done);
    EXPECT_EQ(cudaStreamQuery(nullptr), cudaSuccess);
  }
}

TEST_F(CudaStreams, WaitForEvents) {
  cudaEvent_t event = nullptr;
  ASSERT_EQ(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), cudaSuccess);
  EXPECT_EQ(cudaEventQuery(event), cudaSuccess) << "never recorded";
  launch_affine(free_, value_, 1, 4, 20);
  EXPECT_EQ(cudaEventRecord(event, free_), cudaSuccess);
  EXPECT_EQ(cudaStreamWaitEvent(streams_[0], event), cudaSuccess);
  launch_affine(streams_[0], value_, 5, 0);
  EXPECT_EQ(cudaEventDestroy(event), cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(streams_[0]), cudaSuccess);
  EXPECT_EQ(value(), 20);
}

TEST_F(CudaStreams, AreTimedByEvents) {
  cudaEvent_t begin = nullptr;
  cudaEvent_t end = nullptr;
  cudaEvent_t untimed = nullptr;
  ASSERT_EQ(cudaEventCreate(&begin), cudaSuccess);
  ASSERT_EQ(cudaEventCreate(&end), cudaSuccess);
  ASSERT_EQ(cudaEventCreate(&untimed, cudaEventDisableTiming), cudaSuccess);
  float milliseconds = -1;
  EXPECT_EQ(cudaEventElapsedTime(&milliseconds, begin, end), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaEventRecord(begin), cudaSuccess);
  launch_affine(nullptr, value_, 1, 1, 30);
  EXPECT_EQ(cudaEventRecord(end), cudaSuccess);
  const cudaError_t early = cudaEventElapsedTime(&milliseconds, begin, end);
  EXPECT_TRUE(early == cudaSuccess || early == cudaErrorNotReady);
  EXPECT_EQ(cudaEventSynchronize(end), cudaSuccess);
  EXPECT_EQ(cudaEventQuery(end), cudaSuccess);
  EXPECT_EQ(cudaEventElapsedTime(&milliseconds, begin, end), cudaSuccess);
  EXPECT_GE(milliseconds, 30.0f);
  EXPECT_LT(milliseconds, 30000.0f);
  EXPECT_EQ(cudaEventRecord(untimed), cudaSuccess);
  EXPECT_EQ(cudaEventElapsedTime(&milliseconds, begin, untimed), cudaErrorInvalidResourceHandle);
  for (const cudaEvent_t event : {begin, end, untimed}) {
    EXPECT_EQ(cudaEventDestroy(event), cudaSuccess);
  }
}

TEST_F(CudaStreams, CallFunctionsOfTheHost) {
  std::vector<int> calls;
  launch_affine(streams_[0], value_, 1, 1, 10);
  EXPECT_EQ(cudaLaunchHostFunc(
                streams_[0],
                [](void* of) {
                  static_cast<std::vector<int>*>(of)->push_back(1);
                  EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorNotPermitted);
                },
                &calls),
            cudaSuccess);
  EXPECT_EQ(cudaStreamAddCallback(
                streams_[0],
                [](cudaStream_t, cudaError_t status, void* of) {
                  EXPECT_EQ(status, cudaSuccess);
                  static_cast<std::vector<int>*>(of)->push_back(2);
                },
                &calls, 0),
            cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(streams_[0]), cudaSuccess);
  EXPECT_EQ(calls, (std::vector{1, 2}));
}

TEST_F(CudaStreams, CopyFromPinnedMemory) {
  int* host = nullptr;
  ASSERT_EQ(cudaMallocHost(&host, 2 * sizeof(int)), cudaSuccess);
  host[0] = 6;
  EXPECT_EQ(cudaMemcpyAsync(value_, host, sizeof(int), cudaMemcpyHostToDevice, streams_[0]), cudaSuccess);
  launch_affine(streams_[0], value_, 7, 0, 10);
  EXPECT_EQ(cudaMemcpyAsync(host + 1, value_, sizeof(int), cudaMemcpyDeviceToHost, streams_[0]), cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(streams_[0]), cudaSuccess);
  EXPECT_EQ(host[1], 42);
  EXPECT_EQ(cudaFreeHost(host), cudaSuccess);
}

TEST_F(CudaStreams, CopyFromMemoryThatIsWrittenAfterwards) {
  for (const std::size_t count : {std::size_t{1}, std::size_t{5000}, std::size_t{1} << 20}) {
    int* there = nullptr;
    ASSERT_EQ(cudaMalloc(&there, count * sizeof(int)), cudaSuccess);
    std::vector<int> host(count);
    for (int times = 1; times <= 20; ++times) {
      std::fill(host.begin(), host.end(), times);
      launch_affine(nullptr, there, 0, -5);  // before the copy
      EXPECT_EQ(cudaMemcpy(there, host.data(), count * sizeof(int), cudaMemcpyHostToDevice), cudaSuccess);
      std::fill(host.begin(), host.end(), -1);
      launch_affine(nullptr, there, 3, 1);
      EXPECT_EQ(cudaMemcpy(host.data(), there, count * sizeof(int), cudaMemcpyDeviceToHost), cudaSuccess);
      EXPECT_EQ(host.front(), 3 * times + 1);
      EXPECT_EQ(std::count(host.begin() + 1, host.end(), times), static_cast<std::ptrdiff_t>(count) - 1);
    }
    EXPECT_EQ(cudaFree(there), cudaSuccess);
  }
}

TEST_F(CudaStreams, ACopyThatWaitsReturnsWhenEarlierLaunchesAreDone) {
  int* shared = nullptr;
  ASSERT_EQ(cudaMallocManaged(&shared, sizeof(int)), cudaSuccess);
  std::vector<int> host(1 << 18, 7);
  int* there = nullptr;
  ASSERT_EQ(cudaMalloc(&there, host.size() * sizeof(int)), cudaSuccess);
  for (const std::size_t count : {std::size_t{1}, host.size()}) {
    *shared = 0;
    for (int times = 0; times < 300; ++times) {
      launch_affine(nullptr, shared, 1, 1);
    }
    EXPECT_EQ(cudaMemcpy(there, host.data(), count * sizeof(int), cudaMemcpyHostToDevice), cudaSuccess);
    EXPECT_EQ(*shared, 300);
    launch_affine(nullptr, there, 1, 1);
    EXPECT_EQ(cudaMemcpy(host.data(), there, count * sizeof(int), cudaMemcpyDeviceToHost), cudaSuccess);
    EXPECT_EQ(host.front(), 8);
    EXPECT_EQ(cudaStreamQuery(nullptr), cudaSuccess) << "nothing is left to do";
    host.front() = 7;
  }
  EXPECT_EQ(cudaFree(there), cudaSuccess);
  EXPECT_EQ(cudaFree(shared), cudaSuccess);
}

TEST_F(CudaStreams, LaunchesWaitForTheCopiesOfAnotherThread) {
  constexpr int times = 200;
  int* there = nullptr;
  ASSERT_EQ(cudaMalloc(&there, 1 << 20), cudaSuccess);
  std::thread copies([&] {
    const std::vector<char> host(1 << 20);
    for (int i = 0; i < times; ++i) {  // in the legacy stream, and the last is not waited for
      EXPECT_EQ(cudaMemcpyAsync(there, host.data(), host.size(), cudaMemcpyHostToDevice, nullptr), cudaSuccess);
    }
  });
  for (int i = 0; i < times; ++i) {
    launch_affine(streams_[0], value_, 1, 1);
    EXPECT_EQ(cudaStreamSynchronize(streams_[0]), cudaSuccess);
  }
  copies.join();
  EXPECT_EQ(value(), times);
  EXPECT_EQ(cudaFree(there), cudaSuccess);
}

TEST_F(CudaStreams, AnEventIsReachedBeforeWhatIsLaunchedLater) {
  cudaEvent_t begin = nullptr;
  cudaEvent_t end = nullptr;
  ASSERT_EQ(cudaEventCreate(&begin), cudaSuccess);
  ASSERT_EQ(cudaEventCreate(&end), cudaSuccess);
  for (const cudaStream_t stream : {cudaStream_t{nullptr}, streams_[0], free_}) {
    EXPECT_EQ(cudaMemset(value_, 0, sizeof(int)), cudaSuccess);
    for (int times = 0; times < 300; ++times) {
      launch_affine(stream, value_, 1, 1);
    }
    EXPECT_EQ(cudaEventRecord(begin, stream), cudaSuccess);
    launch_affine(stream, value_, 2, 0);
    EXPECT_EQ(cudaEventRecord(end, stream), cudaSuccess);
    launch_affine(stream, value_, 1, 5);
    while (cudaEventQuery(begin) == cudaErrorNotReady) {
      std::this_thread::yield();
    }
    EXPECT_EQ(cudaEventQuery(begin), cudaSuccess);
    EXPECT_EQ(cudaEventSynchronize(end), cudaSuccess);
    float milliseconds = -1;
    EXPECT_EQ(cudaEventElapsedTime(&milliseconds, begin, end), cudaSuccess);
    EXPECT_GE(milliseconds, 0.0f);
    EXPECT_LT(milliseconds, 30000.0f);
    EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
    EXPECT_EQ(value(), 605);
  }
  EXPECT_EQ(cudaEventDestroy(begin), cudaSuccess);
  EXPECT_EQ(cudaEventDestroy(end), cudaSuccess);
}

TEST_F(CudaStreams, MayBeUsedByManyThreads) {
  std::vector<std::thread> threads;
  threads.reserve(4);
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([this] {
      for (int times = 0; times < 25; ++times) {
        launch_affine(streams_[times % 2], value_, 1, 0);
        launch_affine(nullptr, value_, 1, 1);
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(value(), 100);
}

/// A call drawn at random, of a stream and an event that other threads use too. `counter` is the stream's, of its launches.
void call_at_random(std::mt19937& random, cudaStream_t stream, cudaEvent_t event, int* counter, std::atomic<int>& launches) {
  int host[2] = {1, 2};
  const auto is_well = [](cudaError_t code) { return code == cudaSuccess || code == cudaErrorNotReady; };
  switch (random() % 10) {
    case 0:
      EXPECT_EQ(cudaEventRecord(event, stream), cudaSuccess);
      break;
    case 1:
      EXPECT_EQ(cudaStreamWaitEvent(stream, event), cudaSuccess);
      break;
    case 2:
      EXPECT_PRED1(is_well, cudaEventQuery(event));
      break;
    case 3:
      EXPECT_PRED1(is_well, cudaStreamQuery(stream));
      break;
    case 4:
      EXPECT_EQ(random() % 2 == 0 ? cudaEventSynchronize(event) : cudaStreamSynchronize(stream), cudaSuccess);
      break;
    case 5:
      EXPECT_EQ(cudaMemcpyAsync(counter + 1, host, sizeof host, cudaMemcpyHostToDevice, stream), cudaSuccess);
      break;
    case 6:
      EXPECT_EQ(cudaMemcpyAsync(host, counter + 1, sizeof host, cudaMemcpyDeviceToHost, stream), cudaSuccess);
      break;
    case 7:
      EXPECT_EQ(cudaMemcpy(counter + 1, host, sizeof host, cudaMemcpyHostToDevice), cudaSuccess);
      break;
    default:
      launch_affine(stream, counter, 1, 1);
      ++launches;
  }
}

TEST_F(CudaStreams, AndEventsMayBeUsedByManyThreads) {
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  const cudaStream_t streams[] = {nullptr, streams_[0], streams_[1], free_};
  constexpr int words = 3;  // of each stream
  int* counters = nullptr;
  std::atomic<int> launches[4]{};
  cudaEvent_t events[3]{};
  ASSERT_EQ(cudaMalloc(&counters, 4 * words * sizeof(int)), cudaSuccess);
  ASSERT_EQ(cudaMemset(counters, 0, 4 * words * sizeof(int)), cudaSuccess);
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  for (cudaEvent_t& event : events) {
    ASSERT_EQ(cudaEventCreate(&event), cudaSuccess);
  }
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < 4; ++i) {
    threads.emplace_back([&, random = std::mt19937(seed + i)]() mutable {
      for (int times = 0; times < 300; ++times) {
        const unsigned which = random() % 4;
        call_at_random(random, streams[which], events[random() % 3], counters + which * words, launches[which]);
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  int host[4 * words]{};
  EXPECT_EQ(cudaMemcpy(host, counters, sizeof host, cudaMemcpyDeviceToHost), cudaSuccess);
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(host[i * words], launches[i]) << "stream " << i;
  }
  for (const cudaEvent_t event : events) {
    EXPECT_EQ(cudaEventDestroy(event), cudaSuccess);
  }
  EXPECT_EQ(cudaFree(counters), cudaSuccess);
}

TEST_F(CudaStreams, OfOneThreadAreWaitedForByAnother) {
  int launched = 0;
  for (int times = 0; times < 20; ++times) {
    for (int i = 0; i < 5; ++i) {
      launch_affine(nullptr, value_, 1, 1);
    }
    launched += 5;
    std::thread([&] {
      EXPECT_EQ(cudaStreamSynchronize(nullptr), cudaSuccess);
      EXPECT_EQ(cudaStreamQuery(nullptr), cudaSuccess);
      launch_affine(nullptr, value_, 1, 1);
      EXPECT_EQ(value(), ++launched);
    }).join();
  }
}

TEST_F(CudaStreams, OfLaunchesAndFillsAreAskedUntilTheyAreDone) {
  for (int times = 0; times < 20; ++times) {
    launch_affine(nullptr, value_, 1, 1);
    EXPECT_EQ(cudaMemset(value_, 0, sizeof(int)), cudaSuccess);
    launch_affine(nullptr, value_, 1, 3);
    launch_affine(streams_[0], value_, 2, 0);
    launch_affine(nullptr, value_, 1, 1);
    while (cudaStreamQuery(nullptr) == cudaErrorNotReady) {
      std::this_thread::yield();
    }
    EXPECT_EQ(cudaStreamQuery(nullptr), cudaSuccess);
    EXPECT_EQ(value(), 7);
  }
}

TEST_F(CudaStreams, AFailedKernelStaysUntilReset) {
  enqueue_launch(Grid(1, 1, 0, streams_[0]), [](exec::Device) { fail(ErrorKind::device, "a launch that a test lets fail"); });
  launch_affine(streams_[0], value_, 1, 1);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorLaunchFailure);
  EXPECT_EQ(cudaGetLastError(), cudaErrorLaunchFailure);
  EXPECT_EQ(cudaGetLastError(), cudaErrorLaunchFailure);
  int host = 0;
  EXPECT_EQ(cudaMemcpy(&host, value_, sizeof host, cudaMemcpyDeviceToHost), cudaErrorLaunchFailure);
  EXPECT_EQ(cudaDeviceReset(), cudaSuccess);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  ASSERT_EQ(cudaMalloc(&value_, sizeof(int)), cudaSuccess);  // the reset has freed it
}

TEST_F(CudaStreams, ALaunchWithoutResourcesIsToldOnce) {
  enqueue_launch(Grid(1, 1), [](exec::Device) { fail(ErrorKind::memory, "a launch for which a test has no memory"); });
  const cudaError_t launched = cudaGetLastError();
  const cudaError_t waited = cudaDeviceSynchronize();
  EXPECT_EQ(launched != cudaSuccess ? launched : waited, cudaErrorLaunchOutOfResources);
  EXPECT_TRUE(launched == cudaSuccess || waited == cudaSuccess);
  cudaGetLastError();
  launch_affine(nullptr, value_, 1, 1);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  EXPECT_EQ(value(), 1);
}

}  // namespace
}  // namespace phpc::test
