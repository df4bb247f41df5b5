// Programs that use two devices: memory, streams, events and launches of both, in one thread and in several.
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "phpc/cuda/launch_queue.hpp"
#include "phpc/cuda/runtime_api.hpp"
#include "phpc/exec/launch.hpp"

namespace phpc::test {
namespace {

using cuda::Grid;
using cuda::detail::enqueue_launch;

/// values[i] = values[i] * factor + summand + parameters[i % 2]
struct ParametrisedKernel {
  static constexpr int team_size = 32;
  struct Scratch {};
  unsigned* values;
  const unsigned* parameters;
  int count;
  unsigned factor;
  unsigned summand;

  [[gnu::always_inline]] void operator()(const exec::Team& team, Scratch& /*scratch*/) const {
    for (int i = team.rank(); i < count; i += team.size()) {
      values[i] = values[i] * factor + summand + parameters[i % 2];
    }
  }
};

using Wide = std::array<unsigned, 256>;  // more than what travels with a launch

void launch_affine(cudaStream_t stream, unsigned* values, int count, unsigned factor, unsigned summand, const Wide& wide) {
  enqueue_launch(Grid(1, 32, 0, stream), [=](exec::Device device) {
    const cuda::detail::RemoteParameters there(device, &wide, sizeof wide);
    exec::launch(device, {.groups = 1},
                 ParametrisedKernel{values, static_cast<const unsigned*>(there.get()), count, factor, summand});
  });
}

constexpr int count = 1000;
constexpr std::size_t bytes = count * sizeof(unsigned);

/// What one device has, and what should be in its memory.
struct Half {
  int device = 0;
  unsigned* values = nullptr;
  std::array<cudaStream_t, 2> streams{};
  std::vector<unsigned> expected = std::vector<unsigned>(count);

  explicit Half(int number) : device(number) {
    EXPECT_EQ(cudaSetDevice(device), cudaSuccess);
    EXPECT_EQ(cudaMalloc(&values, bytes), cudaSuccess);
    EXPECT_EQ(cudaMemset(values, 0, bytes), cudaSuccess);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);  // streams that do not block would not wait for it
    EXPECT_EQ(cudaStreamCreate(&streams[0]), cudaSuccess);
    EXPECT_EQ(cudaStreamCreateWithFlags(&streams[1], cudaStreamNonBlocking), cudaSuccess);
  }
  Half(const Half&) = delete;
  Half& operator=(const Half&) = delete;
  ~Half() {
    EXPECT_EQ(cudaSetDevice(device), cudaSuccess);
    for (const cudaStream_t stream : streams) {
      EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
    }
    EXPECT_EQ(cudaFree(values), cudaSuccess);
  }

  void launch(std::mt19937& random) {
    const auto factor = static_cast<unsigned>(random() | 1);
    const auto summand = static_cast<unsigned>(random());
    Wide wide{};
    wide[0] = static_cast<unsigned>(random());
    wide[1] = static_cast<unsigned>(random());
    EXPECT_EQ(cudaSetDevice(device), cudaSuccess);
    launch_affine(streams[random() % 2], values, count, factor, summand, wide);
    for (int i = 0; i < count; ++i) {
      unsigned& value = expected[static_cast<std::size_t>(i)];
      value = value * factor + summand + wide[static_cast<std::size_t>(i % 2)];
    }
  }

  void expect_values() const {
    std::vector<unsigned> is(count);
    EXPECT_EQ(cudaMemcpy(is.data(), values, bytes, cudaMemcpyDeviceToHost), cudaSuccess);
    EXPECT_EQ(is, expected) << "on device " << device;
  }
};

class CudaTwoDevices : public testing::Test {
 protected:
  void SetUp() override {
    int devices = 0;
    ASSERT_EQ(cudaGetDeviceCount(&devices), cudaSuccess);
    if (devices < 2) {
      GTEST_SKIP() << "there is one device; two are needed";
    }
    cudaGetLastError();
  }
  void TearDown() override {
    EXPECT_EQ(cudaSetDevice(0), cudaSuccess);
    EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  }
};

TEST_F(CudaTwoDevices, HaveLaunchesInTurn) {
  const unsigned seed = std::random_device()();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  std::array<Half, 2> halves{Half(0), Half(1)};
  for (int i = 0; i < 200; ++i) {
    Half& half = halves[random() % 2];
    half.launch(random);
    ASSERT_EQ(cudaStreamSynchronize(half.streams[0]), cudaSuccess);
    ASSERT_EQ(cudaStreamSynchronize(half.streams[1]), cudaSuccess);
  }
  halves[0].expect_values();  // while the other is the current device
  halves[1].expect_values();
}

TEST_F(CudaTwoDevices, WaitForEachOthersEventsAndCopyToEachOther) {
  const unsigned seed = std::random_device()();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  std::array<Half, 2> halves{Half(0), Half(1)};
  std::array<cudaEvent_t, 2> events{};
  for (int device = 0; device < 2; ++device) {
    ASSERT_EQ(cudaSetDevice(device), cudaSuccess);
    ASSERT_EQ(cudaEventCreate(&events[static_cast<std::size_t>(device)]), cudaSuccess);
  }
  cudaEvent_t last = nullptr;
  // One thing after another, in streams of both: each waits for the event behind the one before.
  for (int i = 0; i < 300; ++i) {
    const std::size_t number = random() % 2;
    Half& half = halves[number];
    Half& other = halves[1 - number];
    ASSERT_EQ(cudaSetDevice(half.device), cudaSuccess);
    for (const cudaStream_t stream : half.streams) {
      ASSERT_TRUE(last == nullptr || cudaStreamWaitEvent(stream, last, 0) == cudaSuccess);
    }
    const cudaStream_t stream = half.streams[random() % 2];
    switch (random() % 4) {
      case 0:
        ASSERT_EQ(cudaMemcpyPeerAsync(half.values, half.device, other.values, other.device, bytes, stream), cudaSuccess);
        half.expected = other.expected;
        break;
      case 1:
        ASSERT_EQ(cudaMemcpyAsync(other.values, half.values, bytes, cudaMemcpyDefault, stream), cudaSuccess);
        other.expected = half.expected;
        break;
      case 2: {
        std::vector<unsigned> drawn(count);
        for (unsigned& value : drawn) {
          value = static_cast<unsigned>(random());
        }
        ASSERT_EQ(cudaMemcpyAsync(half.values, drawn.data(), bytes, cudaMemcpyHostToDevice, stream), cudaSuccess);
        half.expected = std::move(drawn);  // was read, for it is not pinned
        break;
      }
      default: {
        const std::array<cudaStream_t, 2> kept = std::exchange(half.streams, {stream, stream});
        half.launch(random);
        half.streams = kept;
      }
    }
    last = events[number];
    ASSERT_EQ(cudaEventRecord(last, stream), cudaSuccess);
  }
  for (const Half& half : halves) {
    ASSERT_EQ(cudaSetDevice(half.device), cudaSuccess);
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    half.expect_values();
  }
  for (const cudaEvent_t event : events) {
    EXPECT_EQ(cudaEventDestroy(event), cudaSuccess);
  }
}

TEST_F(CudaTwoDevices, AreUsedByThreadsEachWithItsOwn) {
  const unsigned seed = std::random_device()();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::vector<std::thread> threads;
  for (unsigned number = 0; number < 6; ++number) {
    threads.emplace_back([=] {
      std::mt19937 random(seed + number);
      Half half(static_cast<int>(number % 2));
      for (int i = 0; i < 100; ++i) {
        const cudaStream_t stream = half.streams[random() % 2];
        const std::array<cudaStream_t, 2> kept = std::exchange(half.streams, {stream, stream});
        half.launch(random);
        half.streams = kept;
        EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
        if (i % 10 == 0) {
          half.expect_values();
          unsigned* more = nullptr;
          EXPECT_EQ(cudaMalloc(&more, bytes * (1 + random() % 100)), cudaSuccess);
          EXPECT_EQ(cudaMemcpy(more, half.values, bytes, cudaMemcpyDeviceToDevice), cudaSuccess);
          EXPECT_EQ(cudaFree(more), cudaSuccess);
        }
      }
      half.expect_values();
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
}

TEST_F(CudaTwoDevices, RefuseStreamsAndEventsOfTheOther) {
  std::array<Half, 2> halves{Half(0), Half(1)};
  ASSERT_EQ(cudaSetDevice(0), cudaSuccess);
  EXPECT_FALSE(cuda::detail::check_launch(Grid(1, 32, 0, halves[1].streams[0]), 1024));
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidResourceHandle);
  std::array<cudaEvent_t, 2> events{};
  ASSERT_EQ(cudaEventCreate(&events[0]), cudaSuccess);
  ASSERT_EQ(cudaSetDevice(1), cudaSuccess);
  ASSERT_EQ(cudaEventCreate(&events[1]), cudaSuccess);
  EXPECT_EQ(cudaEventRecord(events[0], halves[1].streams[0]), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaEventRecord(events[0], halves[0].streams[0]), cudaSuccess);
  EXPECT_EQ(cudaEventRecord(events[1], halves[1].streams[0]), cudaSuccess);
  EXPECT_EQ(cudaEventSynchronize(events[0]), cudaSuccess);
  EXPECT_EQ(cudaEventSynchronize(events[1]), cudaSuccess);
  float milliseconds = 0;
  EXPECT_EQ(cudaEventElapsedTime(&milliseconds, events[0], events[1]), cudaErrorInvalidResourceHandle);
  for (const cudaEvent_t event : events) {
    EXPECT_EQ(cudaEventDestroy(event), cudaSuccess);
  }
  cudaPointerAttributes attributes{};
  EXPECT_EQ(cudaPointerGetAttributes(&attributes, halves[1].values + 5), cudaSuccess);
  EXPECT_EQ(attributes.device, 1);
  cudaGetLastError();
}

}  // namespace
}  // namespace phpc::test
