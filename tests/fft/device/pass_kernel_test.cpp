#include "fft/device/pass_kernel.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "fft/device/pass_tables.hpp"
#include "phpc/exec/launch.hpp"
#include "support/devices.hpp"
#include "support/dft_oracle.hpp"
#include "support/launch_in_team.hpp"

namespace phpc::fft {
namespace {

using exec::Device;

constexpr unsigned seed = 5;

/// The kernel at team sizes and on layouts that a plan would not choose.
class PassKernelTest : public testing::TestWithParam<Device> {
 protected:
  template <class Real, int TeamSize>
  void check(index_t length, index_t batch, int width, int host_team_size) {
    const Device device = GetParam();
    PassTables<Real> tables(device);
    Pass<Real> pass;
    tables.set_transform(pass, PassForm::rows, length);
    pass.width = width;
    // The result is stored transposed: element k of transform i at k * batch + i.
    pass.to_step = batch;
    pass.add_loop({.count = batch, .from = length, .to = 1});
    const PassWindow window{0, 0, batch, batch};
    const exec::Buffer<Pass<Real>> on_device(device, std::span<const Pass<Real>>(&pass, 1));
    const auto signal = test::random_signal<Real>(length * batch, seed);
    const exec::Buffer<Complex<Real>> in(device, std::span<const Complex<Real>>(signal));
    exec::Buffer<Complex<Real>> out(device, in.size());
    const exec::LaunchShape shape{.groups = pass_groups(pass, window),
                                  .scratch_bytes = static_cast<std::size_t>(tile_bytes<Real>(width * length))};
    using Kernel = PassKernel<Real, test::kernel_team_size(TeamSize), PlainLoad<Real>, PlainStore<Real>>;
    test::launch_in_team(device, shape, host_team_size, Kernel{on_device.data(), window, {in.data()}, {out.data()}});
    std::vector<Complex<Real>> result(signal.size());
    out.copy_to(result);
    test::RelativeError error;
    for (index_t transform = 0; transform < batch; ++transform) {
      const auto expected = test::dft(test::widened(signal, transform * length, length), Direction::forward);
      for (index_t k = 0; k < length; ++k) {
        error.add(result[static_cast<std::size_t>(k * batch + transform)], expected[static_cast<std::size_t>(k)]);
      }
    }
    EXPECT_LE(error.value(), test::tolerance<Real>(length)) << "length " << length << ", team " << TeamSize << ", seed " << seed;
  }

  template <int TeamSize>
  void check_lengths() {
    for (const int host_team_size : {1, TeamSize}) {
      SCOPED_TRACE(testing::Message() << "host team of " << host_team_size);
      for (const index_t length : {1, 5, 16, 26, 144, 1155}) {
        check<float, TeamSize>(length, 7, 3, host_team_size);
      }
      if (!GetParam().is_host()) {
        break;
      }
    }
  }
};

TEST_P(PassKernelTest, TeamsOf1) {
  check_lengths<1>();
}
TEST_P(PassKernelTest, TeamsOf3) {
  check_lengths<3>();
}
TEST_P(PassKernelTest, TeamsOf32) {
  check_lengths<32>();
}
TEST_P(PassKernelTest, TeamsOf65) {
  check_lengths<65>();
}
TEST_P(PassKernelTest, TeamsOf256) {
  check_lengths<256>();
}

TEST_P(PassKernelTest, Doubles) {
  check<double, 65>(1000, 9, 4, 1);
  check<double, 65>(3000, 3, 1, 65);
}

TEST(TilePlace, LeavesNoPlaceTwice) {
  for (unsigned i = 1; i < 30000; ++i) {
    ASSERT_GT(tile_place(i), tile_place(i - 1));
  }
  EXPECT_EQ(tile_elements<float>(static_cast<index_t>(static_tile_bytes)), 4096);
  EXPECT_EQ(tile_elements<double>(static_cast<index_t>(static_tile_bytes)), 2048);
}

INSTANTIATE_TEST_SUITE_P(Devices, PassKernelTest, testing::ValuesIn(test::devices()),
                         [](const auto& tested) { return test::test_name(tested.param); });

}  // namespace
}  // namespace phpc::fft
