#include "fft/device/general/kernel.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>
#include <set>
#include <vector>

#include "fft/device/general/rule/rule.hpp"
#include "fft/device/general/rule/tables.hpp"
#include "fft/device/general/stages/classes.hpp"
#include "fft/device/general/stages/limits.hpp"
#include "fft/math/factors.hpp"
#include "phpc/exec/launch.hpp"
#include "phpc/fft/plan.hpp"
#include "support/devices.hpp"
#include "support/dft_oracle.hpp"
#include "support/launch_in_team.hpp"
#include "support/nd_oracle.hpp"

namespace phpc::fft {
namespace {

using exec::Device;

constexpr unsigned seed = 6;
constexpr std::size_t most_places = 28000;

/// A kernel that has all radices, on rows that lie apart, with a last tile that is not full.
template <class Real>
class GeneralRowsRun {
 public:
  GeneralRowsRun(Device device, index_t length, index_t batch, GeneralShape shape)
      : device_(device), length_(length), batch_(batch), shape_(std::move(shape)) {
    const GeneralTables tables = general_tables(length, shape_, {length + 3, length + 2}, sizeof(Complex<Real>), most_places);
    std::vector<Complex<Real>> twiddles;
    for (const Complex<double>& twiddle : tables.twiddles) {
      twiddles.push_back({static_cast<Real>(twiddle.re), static_cast<Real>(twiddle.im)});
    }
    twiddles_ = exec::Buffer<Complex<Real>>(device, std::span<const Complex<Real>>(twiddles));
    items_ = exec::Buffer<GeneralItem>(device, std::span<const GeneralItem>(tables.items));
    places_ = exec::Buffer<std::uint16_t>(device, std::span<const std::uint16_t>(tables.places));
    work_ = general_work<Real>(length, shape_, tables);
    work_.twiddles = twiddles_.data();
    work_.items = items_.data();
    work_.places = places_.data();
  }

  [[nodiscard]] const GeneralShape& shape() const { return shape_; }

  /// The transforms of `signal`, one directly after another in both.
  std::vector<Complex<Real>> run(const std::vector<Complex<Real>>& signal, bool is_inverse, Real scale, int team_size) {
    std::vector<Complex<Real>> spaced(static_cast<std::size_t>(batch_ * (length_ + 3)));
    for (index_t i = 0; i < batch_ * length_; ++i) {
      spaced[static_cast<std::size_t>(i / length_ * (length_ + 3) + i % length_)] = signal[static_cast<std::size_t>(i)];
    }
    const exec::Buffer<Complex<Real>> in(device_, std::span<const Complex<Real>>(spaced));
    exec::Buffer<Complex<Real>> out(device_, in.size());
    const exec::LaunchShape launched{
        .groups = ceil_div(batch_, shape_.width),
        .scratch_bytes = static_cast<std::size_t>(work_.pitch) * static_cast<std::size_t>(work_.width) * sizeof(Complex<Real>),
        .team_size = team_size};
    const Real sign = is_inverse ? -1 : 1;
    test::launch_in_team(
        device_, launched, team_size,
        GeneralKernel<Real, all_radices, RowEnds<Real>>{
            {in.data(), out.data(), length_ + 3, length_ + 2, sign, scale, sign * scale, static_cast<unsigned>(batch_)}, work_});
    std::vector<Complex<Real>> result(static_cast<std::size_t>(in.size()));
    out.copy_to(result);
    std::vector<Complex<Real>> dense;
    for (index_t i = 0; i < batch_ * length_; ++i) {
      dense.push_back(result[static_cast<std::size_t>(i / length_ * (length_ + 2) + i % length_)]);
    }
    return dense;
  }

 private:
  Device device_;
  index_t length_;
  index_t batch_;
  GeneralShape shape_;
  exec::Buffer<Complex<Real>> twiddles_;
  exec::Buffer<GeneralItem> items_;
  exec::Buffer<std::uint16_t> places_;
  GeneralWork<Real> work_;
};

template <class Real>
Descriptor problem(index_t length, index_t batch, bool is_inverse) {
  return {.lengths = {length},
          .batch = batch,
          .precision = sizeof(Real) == sizeof(float) ? Precision::f32 : Precision::f64,
          .direction = is_inverse ? Direction::inverse : Direction::forward,
          .scale = 0.5};
}

template <class Real>
void expect_near_host(const Descriptor& problem, const std::vector<Complex<Real>>& signal,
                      const std::vector<Complex<Real>>& result) {
  std::vector<Complex<Real>> expected(signal.size());
  Plan(problem, Device::host()).execute(signal.data(), expected.data());
  test::RelativeError error;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    error.add(result[i], {expected[i].re, expected[i].im});
  }
  EXPECT_LE(error.value(), 2 * test::tolerance<Real>(problem.elements())) << problem.elements() << " elements, seed " << seed;
}

template <class Real>
void check(Device device, index_t length, bool is_inverse, index_t most_width, int team_size) {
  SCOPED_TRACE(testing::Message() << "team of " << team_size);
  const index_t batch = 2 * most_width - 1;
  GeneralRowsRun<Real> rows(device, length, batch, general_shape<Real>(length, most_width));
  ASSERT_GT(rows.shape().team_size, 0) << "length " << length;
  const auto signal = test::random_signal<Real>(length * batch, seed);
  expect_near_host(problem<Real>(length, batch, is_inverse), signal, rows.run(signal, is_inverse, Real{0.5}, team_size));
}

/// Boxes of these lengths against the host's.
template <class Real>
void check_box(Device device, const std::vector<index_t>& box, index_t most_width, int team_size) {
  const index_t batch = 2 * most_width - 1;
  Descriptor wanted = problem<Real>(1, batch, false);
  wanted.lengths = box;
  std::string name;
  for (const index_t length : box) {
    name += " " + std::to_string(length);
  }
  SCOPED_TRACE("box" + name + ", team of " + std::to_string(team_size));
  const GeneralShape shape = general_box_shape<Real>(box, most_width);
  ASSERT_GT(shape.team_size, 0);
  GeneralRowsRun<Real> boxes(device, wanted.elements(), batch, shape);
  const auto signal = test::random_signal<Real>(wanted.elements() * batch, seed);
  expect_near_host(wanted, signal, boxes.run(signal, false, Real{0.5}, team_size));
}

/// Three signals over and over, so that each place of a tile and a last tile that is not full have each of them: near the host's
/// results, and the same to the last bit in every place and where a part of the batch is done alone.
template <class Real>
void check_plan(Device device, index_t length, index_t batch, bool is_inverse) {
  const auto three = test::random_signal<Real>(3 * length, seed);
  std::vector<Complex<Real>> signal;
  for (index_t i = 0; i < batch * length; ++i) {
    signal.push_back(three[static_cast<std::size_t>(i % (3 * length))]);
  }
  const exec::Buffer<Complex<Real>> in(device, std::span<const Complex<Real>>(signal));
  exec::Buffer<Complex<Real>> out(device, in.size());
  const Plan plan(problem<Real>(length, batch, is_inverse), device);
  plan.execute(in.data(), out.data());
  std::vector<Complex<Real>> result(signal.size());
  out.copy_to(result);
  const std::vector<Complex<Real>> first(result.begin(), result.begin() + 3 * length);
  expect_near_host(problem<Real>(length, 3, is_inverse), three, first);
  EXPECT_TRUE(std::equal(result.begin() + 3 * length, result.end(), result.begin())) << "length " << length;
  plan.execute(in.data() + length, out.data(), 1);
  std::vector<Complex<Real>> alone(static_cast<std::size_t>(length));
  out.copy_to(alone);
  EXPECT_TRUE(std::equal(alone.begin(), alone.end(), result.begin() + length)) << "length " << length;
}

class GeneralRowsTest : public testing::TestWithParam<Device> {};

TEST_P(GeneralRowsTest, AllSmoothLengths) {
  if (GetParam().is_gpu()) {
    GTEST_SKIP() << "teams of one thread, which the next test's are not";
  }
  for (index_t length = 1; length <= 4200; ++length) {
    if (is_smooth(length)) {
      check<float>(GetParam(), length, length % 2 == 0, 2, 1);
      check<double>(GetParam(), length, length % 2 == 1, 3, 1);
    }
  }
}

TEST_P(GeneralRowsTest, LengthsOfLargePrimes) {
  if (GetParam().is_gpu()) {
    GTEST_SKIP() << "teams of one thread";
  }
  for (const index_t length : {17, 31, 62, 17 * 16, 19 * 23, 23 * 18, 29 * 31, 31 * 8, 31 * 31, 31 * 25, 17 * 17 * 17}) {
    check<float>(GetParam(), length, length % 2 == 0, 2, 1);
    check<double>(GetParam(), length, length % 2 == 1, 3, 1);
  }
}

TEST_P(GeneralRowsTest, PlansOfAllSmoothLengths) {
  if (!GetParam().is_gpu()) {
    GTEST_SKIP() << "other devices do not take the kernel";
  }
  for (index_t length = 1; length <= 4200; ++length) {
    if (is_smooth(length)) {
      check_plan<float>(GetParam(), length, 5 + 400000 / length, length % 2 == 0);
      check_plan<double>(GetParam(), length, 5 + 400000 / length, length % 2 == 1);
    }
  }
  for (const index_t length : {5145, 6125, 6591, 7203, 7986, 8192, 10000, 13720, 16807, 24576}) {
    check_plan<float>(GetParam(), length, 5, false);
    check_plan<double>(GetParam(), length, 5, true);
  }
}

/// Radices up to 31, convolutions by Bluestein and Rader in one pass and in several, and in three passes of columns and rows.
TEST_P(GeneralRowsTest, PlansOfLengthsWithLargePrimes) {
  if (!GetParam().is_gpu()) {
    GTEST_SKIP() << "other devices do not take the kernel";
  }
  std::mt19937_64 random(seed);
  std::vector<index_t> lengths{17,   34,    87,    361,     529,   1628,  3220,  4199,   5053,   7337,
                               8191, 12635, 14187, 31 * 37, 37030, 43381, 88223, 104070, 130241, 999983};
  for (index_t length = 17; length <= 4200; length += 1 + static_cast<index_t>(random() % 60)) {
    lengths.push_back(length);
  }
  for (int drawn = 0; drawn < 40; ++drawn) {
    lengths.push_back(4200 + static_cast<index_t>(random() % 200000));
  }
  for (const index_t length : lengths) {
    SCOPED_TRACE(testing::Message() << "length " << length << ", seed " << seed);
    check_plan<float>(GetParam(), length, 4 + 400000 / length, length % 2 == 0);
    check_plan<double>(GetParam(), length, 4 + 400000 / length, length % 2 == 1);
  }
}

TEST_P(GeneralRowsTest, LongLengths) {
  for (const index_t length : {6125, 7203, 7986, 8192, 10000, 16807, 24576, 26364}) {
    check<float>(GetParam(), length, false, 1, 1);
  }
  for (const index_t length : {6591, 7203, 8192, 12288}) {
    check<double>(GetParam(), length, true, 1, 1);
  }
}

TEST_P(GeneralRowsTest, TeamsOfManySizes) {
  for (const int team_size : {2, 3, 7, 20}) {
    for (const index_t length : {1, 2, 9, 13, 16, 77, 360, 1001, 1250}) {
      check<float>(GetParam(), length, false, 3, team_size);
    }
    check<double>(GetParam(), 343, false, 2, team_size);
  }
}

const std::vector<std::vector<index_t>> boxes{{10, 8},    {8, 10},   {2, 2},          {2, 3, 5},   {1, 7, 1, 9},    {64, 64},
                                              {9, 1, 16}, {100, 27}, {3, 4, 5, 6, 7}, {13, 11, 7}, {512, 8},        {8, 512},
                                              {90, 60},   {60, 7},   {16, 16, 16},    {30, 4, 2},  {2, 2, 2, 2, 2}, {5, 96},
                                              {17, 125},  {125, 17}, {29, 125},       {31, 32}};

TEST_P(GeneralRowsTest, Boxes) {
  if (GetParam().is_gpu()) {
    GTEST_SKIP() << "teams of few threads, which the next test's are not";
  }
  for (const std::vector<index_t>& box : boxes) {
    check_box<float>(GetParam(), box, 1, 1);
    check_box<float>(GetParam(), box, 3, 7);
    check_box<double>(GetParam(), box, 2, 1);
  }
}

/// Of every device: on GPUs boxes, whole ones and beside further axes, also where arrays do not lie at whole elements.
TEST_P(GeneralRowsTest, PlansOfBoxes) {
  std::vector<std::vector<index_t>> shapes = boxes;
  shapes.insert(shapes.end(), {{20, 30, 40}, {400, 16, 12}, {17, 10, 8}, {300, 300}});
  for (const std::vector<index_t>& shape : shapes) {
    for (const bool is_inverse : {false, true}) {
      Descriptor wanted = problem<float>(1, 7, is_inverse);
      wanted.lengths = shape;
      const index_t count = wanted.elements() * wanted.batch;
      const auto signal = test::random_signal<float>(count, seed);
      Plan plan(wanted, GetParam());
      const exec::Buffer<Complex<float>> in(GetParam(), std::span<const Complex<float>>(signal));
      exec::Buffer<Complex<float>> out(GetParam(), count);
      plan.execute(in.data(), out.data());
      std::vector<Complex<float>> result(signal.size());
      out.copy_to(result);
      expect_near_host(wanted, signal, result);
    }
  }
}

/// Lengths of two axes or of three, up to 4000 elements.
std::vector<index_t> drawn_box(std::mt19937_64& random) {
  std::vector<index_t> box;
  index_t elements = 1;
  for (std::size_t axes = random() % 4 == 0 ? 3 : 2; box.size() < axes;) {
    const auto length = static_cast<index_t>(2 + random() % (axes == 2 ? 90 : 24));
    if (elements * length <= 4000) {
      box.push_back(length);
      elements *= length;
    }
  }
  return box;
}

/// A number of boxes that those of a team do not divide, by a plan on a GPU, against sums in long double: three boxes over and
/// over, which give the same to the last bit.
template <class Real>
void check_last_boxes(Device device, std::mt19937_64& random) {
  Descriptor wanted = problem<Real>(1, 3209, false);  // a prime; a GPU's teams have up to a dozen of as many
  const auto most_width = static_cast<index_t>(2 + random() % 7);
  GeneralShape shape;
  while (shape.width < 2) {
    wanted.lengths = drawn_box(random);
    shape = general_box_shape<Real>(wanted.lengths, most_width);
  }
  if (!device.is_gpu()) {
    wanted.batch = 2 * shape.width + 1 + static_cast<index_t>(random() % (shape.width - 1));
  }
  const index_t elements = wanted.elements();
  SCOPED_TRACE(testing::Message() << wanted.batch << " boxes of " << elements << ", " << shape.width << " a team, seed " << seed);
  const auto three = test::random_signal<Real>(3 * elements, static_cast<unsigned>(random()));
  std::vector<Complex<Real>> result;
  for (index_t i = 0; i < elements * wanted.batch; ++i) {
    result.push_back(three[static_cast<std::size_t>(i) % three.size()]);
  }
  if (device.is_gpu()) {
    exec::Buffer<Complex<Real>> values(device, std::span<const Complex<Real>>(result));
    Plan(wanted, device).execute(values.data(), values.data());
    values.copy_to(result);
  } else {
    result = GeneralRowsRun<Real>(device, elements, wanted.batch, shape)
                 .run(result, false, Real{0.5}, static_cast<int>(1 + random() % 4));
  }
  test::RelativeError error;
  for (index_t box = 0; box < 3; ++box) {
    const auto expected = test::transform_by_definition(wanted, test::widened(three, box * elements, elements));
    for (index_t i = 0; i < elements; ++i) {
      error.add(result[static_cast<std::size_t>(box * elements + i)], expected[static_cast<std::size_t>(i)]);
    }
  }
  EXPECT_LE(error.value(), test::tolerance<Real>(elements));
  EXPECT_TRUE(std::equal(result.begin() + 3 * elements, result.end(), result.begin()));
}

TEST_P(GeneralRowsTest, BoxesWhoseLastTeamHasFewer) {
  std::mt19937_64 random(seed);
  for (int round = 0; round < 40; ++round) {
    check_last_boxes<float>(GetParam(), random);
    check_last_boxes<double>(GetParam(), random);
  }
}

/// A plan whose arrays of `count` elements, all of which it transforms, may be planar.
template <class Real>
void check_storage(Device device, Descriptor wanted, index_t count) {
  const auto signal = test::random_signal<Real>(count, seed);
  const auto size = static_cast<std::size_t>(count);
  std::vector<Real> parts(2 * size);
  for (std::size_t i = 0; i < size; ++i) {
    parts[wanted.in.storage == Storage::planar ? i : 2 * i] = signal[i].re;
    parts[wanted.in.storage == Storage::planar ? size + i : 2 * i + 1] = signal[i].im;
  }
  const exec::Buffer<Real> in(device, std::span<const Real>(parts));
  exec::Buffer<Real> out(device, 2 * count);
  const auto array_of = [&]<class Part>(Part* first, const Layout& layout) {
    using Whole = std::conditional_t<std::is_const_v<Part>, const Complex<Real>, Complex<Real>>;
    return layout.storage == Storage::planar ? Array<Part>(first, first + count) : Array<Part>(reinterpret_cast<Whole*>(first));
  };
  Plan plan(wanted, device);
  plan.execute(array_of(in.data(), wanted.in), array_of(out.data(), wanted.out));
  out.copy_to(parts);
  std::vector<Complex<Real>> result;
  result.reserve(size);
  for (std::size_t i = 0; i < size; ++i) {
    result.push_back(wanted.out.storage == Storage::planar ? Complex<Real>{parts[i], parts[size + i]}
                                                           : Complex<Real>{parts[2 * i], parts[2 * i + 1]});
  }
  wanted.in.storage = Storage::interleaved;
  wanted.out.storage = Storage::interleaved;
  expect_near_host(wanted, signal, result);
}

TEST_P(GeneralRowsTest, MoreTilesThanALeagueOfOtherKernelsHas) {
  if (!GetParam().is_gpu()) {
    GTEST_SKIP() << "only GPUs have a team for each tile";
  }
  constexpr index_t side_by_side = 2;
  for (const Storage storage : {Storage::interleaved, Storage::planar}) {
    Descriptor wanted = problem<float>(3, 2'200'000, false);
    wanted.in = {.strides = {side_by_side}, .distance = 3 * side_by_side, .storage = storage};
    wanted.out = {.strides = {side_by_side}, .distance = 3 * side_by_side};
    wanted.repeats = {{side_by_side, 1, 1}};
    check_storage<float>(GetParam(), wanted, 3 * side_by_side * wanted.batch);
  }
}

/// Lengths drawn at random, of one pass and of several: rows and columns, planar on one side or on both.
TEST_P(GeneralRowsTest, PlansOfPlanarNumbers) {
  if (!GetParam().is_gpu()) {
    GTEST_SKIP() << "GPUs read planar numbers where other devices have one kernel for all (layouts_test.cpp)";
  }
  std::minstd_rand random(seed);
  const std::vector<index_t> of_kernels{64, 1000, 4096, 6400, 12800, 65536};  // which read interleaved numbers alone
  for (std::size_t round = 0; round < 120; ++round) {
    const auto drawn = static_cast<index_t>(std::exp(std::uniform_real_distribution<double>(0.7, 12)(random)));
    const index_t length = round < of_kernels.size() ? of_kernels[round] : drawn;
    const index_t columns = std::array<index_t, 3>{1, 3, 40}[random() % 3];
    const index_t batch = 3 + 20000 / length;
    Descriptor wanted = problem<float>(length, batch, random() % 2 == 0);
    wanted.in = {.strides = {columns}, .distance = length * columns};
    wanted.out = wanted.in;
    if (columns > 1) {
      wanted.repeats = {{columns, 1, 1}};
    }
    const auto sides = random() % 3;
    wanted.in.storage = sides != 1 ? Storage::planar : Storage::interleaved;
    wanted.out.storage = sides != 0 ? Storage::planar : Storage::interleaved;
    SCOPED_TRACE(std::to_string(length) + " x " + std::to_string(columns) + " x " + std::to_string(batch));
    check_storage<float>(GetParam(), wanted, length * columns * batch);
    wanted.precision = Precision::f64;
    check_storage<double>(GetParam(), wanted, length * columns * batch);
  }
}

/// What is left of a length without its prime factors up to 31.
index_t without_small_factors(index_t length) {
  for (index_t factor = 2; factor <= 31; ++factor) {
    while (length % factor == 0) {
      length /= factor;
    }
  }
  return length;
}

TEST(GeneralShape, HasTheRadicesOfEveryLengthWithoutLargerPrimes) {
  for (index_t length = 1; length <= 28000; ++length) {
    const GeneralShape shape = general_shape<double>(length, 100);
    ASSERT_EQ(shape.team_size > 0, without_small_factors(length) == 1) << length;
    if (shape.team_size > 0) {
      index_t product = 1;
      for (const int radix : shape.radices) {
        product *= radix;
      }
      ASSERT_EQ(product, length);
      ASSERT_TRUE(std::is_sorted(shape.radices.rbegin(), shape.radices.rend()));
    }
  }
}

/// The kernel of a shape's class has all of its radices.
template <class Real>
void expect_class(const GeneralShape& shape, const std::string& name) {
  if (shape.radices.empty()) {
    return;
  }
  const int largest = general_class<Real>(*std::max_element(shape.radices.begin(), shape.radices.end())).largest;
  for (const int radix : shape.radices) {
    EXPECT_TRUE(has_radix<GeneralClasses<Real>>(radix, largest)) << name << ": " << radix << " in class " << largest;
  }
}

TEST(GeneralShape, HasRadicesOfOneClass) {
  const auto check = [](auto number) {
    using Real = decltype(number);
    for (index_t length = 2; length <= 20000; ++length) {
      expect_class<Real>(general_shape<Real>(length, 100), std::to_string(length));
      expect_class<Real>(column_shape<Real>(length, {1000, 1000}, 232448).shape, std::to_string(length) + " in columns");
    }
    for (const std::vector<index_t>& box : boxes) {
      expect_class<Real>(general_box_shape<Real>(box, 10), std::to_string(box.front()) + " x " + std::to_string(box.back()));
    }
    for (index_t length = 37; length <= 2000; length += 7) {
      const GeneralShape shape = convolution_shape<Real>(length, {1000, 0}, true, 232448).columns.shape;
      for (const int radix : shape.radices) {
        EXPECT_TRUE(radix <= convolution_class<Real>(shape.radices.front()).largest && !is_large_prime(radix)) << length;
      }
    }
  };
  check(float{});
  check(double{});
}

TEST(GeneralTables, PutsNoTwoElementsInOnePlace) {
  for (const index_t length : {9, 16, 90, 360, 1024, 2401, 4096}) {
    const GeneralShape shape = general_shape<float>(length, 50);
    const GeneralTables tables = general_tables(length, shape, {length, length}, sizeof(Complex<float>), most_places);
    for (const GeneralStage& stage : tables.stages) {
      std::set<unsigned> places;
      const unsigned items = static_cast<unsigned>(shape.width) * stage.items();
      for (unsigned i = 0; i < items; ++i) {
        for (int q = 0; q < stage.radix(); ++q) {
          places.insert(tables.items[stage.table() + i].place + static_cast<unsigned>(q) * stage.step());
        }
      }
      EXPECT_EQ(places.size(), static_cast<std::size_t>(shape.width * length));
      EXPECT_LT(*places.rbegin(), static_cast<unsigned>(shape.width * tables.pitch));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, GeneralRowsTest, testing::ValuesIn(test::devices()),
                         [](const auto& tested) { return test::test_name(tested.param); });

}  // namespace
}  // namespace phpc::fft
