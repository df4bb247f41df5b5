#include "fft/host/at_once.hpp"

#include <gtest/gtest.h>
#include <omp.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <new>
#include <random>
#include <vector>

#include "phpc/fft/plan.hpp"
#include "support/random_rounds.hpp"

namespace {

std::atomic<long> allocations = 0;

void* counted(std::size_t bytes, std::size_t alignment) {
  ++allocations;
  void* const memory = std::aligned_alloc(alignment, (bytes / alignment + 1) * alignment);
  if (memory == nullptr) {
    throw std::bad_alloc();
  }
  return memory;
}

}  // namespace

// Those of this program, which count. Not inlined: g++ sees free() and no longer that it belongs to this operator new.
[[gnu::noinline]] void* operator new(std::size_t bytes) {
  return counted(bytes, alignof(std::max_align_t));
}
[[gnu::noinline]] void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return counted(bytes, static_cast<std::size_t>(alignment));
}
[[gnu::noinline]] void operator delete(void* memory) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t /*bytes*/) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::align_val_t /*alignment*/) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t /*bytes*/, std::align_val_t /*alignment*/) noexcept {
  std::free(memory);
}

namespace phpc::fft {
namespace {

/// A kind of transform of lines, drawn.
struct Drawn {
  template <class Real>
  static Drawn draw(std::vector<index_t> lengths, std::mt19937& random) {
    Descriptor descriptor{.lengths = std::move(lengths)};
    descriptor.precision = sizeof(Real) == sizeof(float) ? Precision::f32 : Precision::f64;
    descriptor.kind = static_cast<Kind>(random() % 3);
    descriptor.direction = descriptor.kind == Kind::complex_to_complex ? static_cast<Direction>(random() % 2)
                           : descriptor.kind == Kind::real_to_complex  ? Direction::forward
                                                                       : Direction::inverse;
    descriptor.scale = random() % 2 == 0 ? 1 : 0.3;
    return {descriptor};
  }

  [[nodiscard]] std::size_t in_numbers() const { return numbers(descriptor.in_lengths(), Kind::real_to_complex); }
  [[nodiscard]] std::size_t out_numbers() const { return numbers(descriptor.out_lengths(), Kind::complex_to_real); }

  template <class Real>
  void execute(const Plan& plan, const Real* in, Real* out) const {
    if (descriptor.kind == Kind::real_to_complex) {
      plan.execute(in, reinterpret_cast<Complex<Real>*>(out));
    } else if (descriptor.kind == Kind::complex_to_real) {
      plan.execute(reinterpret_cast<const Complex<Real>*>(in), out);
    } else {
      plan.execute(reinterpret_cast<const Complex<Real>*>(in), reinterpret_cast<Complex<Real>*>(out));
    }
  }

  [[nodiscard]] std::string text(index_t few, unsigned seed) const {
    std::string sides;
    for (const index_t length : descriptor.lengths) {
      sides += (sides.empty() ? "" : " x ") + std::to_string(length);
    }
    return "seed " + std::to_string(seed) + ", " + sides + ", kind " + std::to_string(static_cast<int>(descriptor.kind)) +
           ", direction " + std::to_string(static_cast<int>(descriptor.direction)) + ", scale " +
           std::to_string(descriptor.scale) + ", " + std::to_string(few) + " lines";
  }

  Descriptor descriptor;

 private:
  [[nodiscard]] std::size_t numbers(const std::vector<index_t>& lengths, Kind real) const {
    index_t elements = descriptor.kind == real ? 1 : 2;
    for (const index_t length : lengths) {
      elements *= length;
    }
    return static_cast<std::size_t>(elements);
  }
};

template <class Real>
std::vector<Real> drawn_numbers(std::size_t count, std::mt19937& random) {
  std::vector<Real> numbers(count);
  for (Real& number : numbers) {
    // Zeros too, whose signs are bits as well.
    number = random() % 8 == 0 ? Real{0} : static_cast<Real>(random() >> 8) / static_cast<Real>(1 << 23) - 1;
  }
  return numbers;
}

template <class Real>
class HostAtOnceTest : public testing::Test {};
using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(HostAtOnceTest, Precisions);

/// Whether every transform of a batch gives the bytes that it gives among `few` of them.
template <class Real>
testing::AssertionResult gives_the_same_bytes(Drawn drawn, index_t batch, index_t few, unsigned seed, std::mt19937& random) {
  const auto in = drawn_numbers<Real>(drawn.in_numbers() * static_cast<std::size_t>(batch), random);
  std::vector<Real> together(drawn.out_numbers() * static_cast<std::size_t>(batch));
  std::vector<Real> apart(together.size());
  drawn.descriptor.batch = batch;
  drawn.execute(Plan(drawn.descriptor, exec::Device::host()), in.data(), together.data());
  drawn.descriptor.batch = few;
  const Plan plan(drawn.descriptor, exec::Device::host());
  const auto compared = static_cast<std::size_t>(batch / few * few);
  for (std::size_t first = 0; first < compared; first += static_cast<std::size_t>(few)) {
    drawn.execute(plan, in.data() + first * drawn.in_numbers(), apart.data() + first * drawn.out_numbers());
  }
  if (std::memcmp(apart.data(), together.data(), compared * drawn.out_numbers() * sizeof(Real)) == 0) {
    return testing::AssertionSuccess();
  }
  return testing::AssertionFailure() << drawn.text(few, seed);
}

/// Few lines go one by one, many with one in each lane of a pack, and nobody can tell.
TYPED_TEST(HostAtOnceTest, ALineGivesTheSameBytesInAnyCompany) {
  const unsigned seed = std::random_device{}();
  std::mt19937 random(seed);
  for (int round = 0; round < test::random_rounds(400); ++round) {
    const auto length = static_cast<index_t>(round < test::random_rounds(150) ? round + 1 : 1 + random() % 2500);
    const auto few = static_cast<index_t>(1 + random() % 9);
    ASSERT_TRUE(gives_the_same_bytes<TypeParam>(Drawn::draw<TypeParam>({length}, random), 40, few, seed, random));
  }
}

/// The same of lines that are neighbours: a batch of these sizes is too much work to be done at once.
TYPED_TEST(HostAtOnceTest, APlaneGivesTheSameBytesInAnyCompany) {
  const unsigned seed = std::random_device{}();
  std::mt19937 random(seed);
  for (int round = 0; round < test::random_rounds(200); ++round) {
    const auto rows = static_cast<index_t>(1 + random() % 70);
    const auto columns = static_cast<index_t>(1 + random() % 40);
    const index_t batch = (index_t{1} << 15) / (rows * columns) + 2;
    const auto few = static_cast<index_t>(1 + random() % 2);
    ASSERT_TRUE(gives_the_same_bytes<TypeParam>(Drawn::draw<TypeParam>({rows, columns}, random), batch, few, seed, random));
  }
}

TYPED_TEST(HostAtOnceTest, LittleWorkAllocatesNothing) {
  using Real = TypeParam;
  const unsigned seed = std::random_device{}();
  std::mt19937 random(seed);
  for (int round = 0; round < 200; ++round) {
    Drawn drawn = Drawn::draw<Real>({static_cast<index_t>(1 + random() % 1024)}, random);
    drawn.descriptor.batch = static_cast<index_t>(1 + random() % 4);
    const auto lines = static_cast<std::size_t>(drawn.descriptor.batch);
    const auto in = drawn_numbers<Real>(drawn.in_numbers() * lines, random);
    std::vector<Real> out(drawn.out_numbers() * lines);
    const Plan plan(drawn.descriptor, exec::Device::host());
    if (drawn.descriptor.lengths[0] > 256) {
      drawn.execute(plan, in.data(), out.data());  // the plan keeps what does not fit into the stack
    }
    const long before = allocations;
    drawn.execute(plan, in.data(), out.data());
    ASSERT_EQ(allocations - before, 0) << drawn.text(drawn.descriptor.batch, seed);
  }
}

index_t threads_of_this_process() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/task"), std::filesystem::directory_iterator());
}

/// A process of its own, where no parallel region has left threads.
TEST(HostAtOnce, LittleWorkOpensNoParallelRegion) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto threads_after = [](index_t length, index_t batch) {
    omp_set_num_threads(3);
    std::vector<Complex<float>> values(static_cast<std::size_t>(length * batch));
    const Plan plan({.lengths = {length}, .batch = batch}, exec::Device::host());
    plan.execute(values.data(), values.data());
    return threads_of_this_process();
  };
  EXPECT_EXIT(std::_Exit(static_cast<int>(threads_after(1000, 4))), testing::ExitedWithCode(1), "");
  EXPECT_EXIT(std::_Exit(static_cast<int>(threads_after(1000, 400))), testing::ExitedWithCode(3), "")
      << "else this shows nothing";
}

}  // namespace
}  // namespace phpc::fft
