#include "fft/device/fixed/real_rows/real.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "fft/math/roots.hpp"
#include "phpc/exec/buffer.hpp"
#include "support/devices.hpp"
#include "support/dft_oracle.hpp"
#include "support/fixed_tables.hpp"
#include "support/launch_in_team.hpp"

namespace phpc::fft {
namespace {

constexpr unsigned seed = 12;
constexpr index_t gap = 3;  // complex numbers that lie between rows and belong to none

/// The kernels of rows of real numbers on every device: the library runs them on GPUs only.
template <class Real, class Shape>
class Rows {
 public:
  static constexpr index_t m = Shape::length;
  static constexpr index_t n = 2 * m;

  Rows(exec::Device device, index_t batch, int host_team_size)
      : device_(device), batch_(batch), host_team_size_(host_team_size), roots_(device, m + 1), twiddles_(device, 0) {
    const RootsOfUnity root(n);
    std::vector<Complex<Real>> roots;
    for (index_t k = 0; k <= m; ++k) {
      roots.push_back({static_cast<Real>(root(k).re), static_cast<Real>(root(k).im)});
    }
    roots_.copy_from(roots);
    const auto table = test::fixed_twiddles<Real, Shape>();
    twiddles_ = exec::Buffer<Complex<Real>>(device, std::span<const Complex<Real>>(table));
    const auto noise = test::random_signal<Real>(n * batch, seed);
    for (index_t row = 0; row < batch; ++row) {
      std::vector<test::Wide> line;
      for (index_t j = 0; j < n; ++j) {
        line.push_back({noise[static_cast<std::size_t>(row * n + j)].re, 0});
      }
      lines_.push_back(line);
      spectra_.push_back(test::dft(line, Direction::forward));
    }
  }

  void check_from_real() const {
    std::vector<Complex<Real>> pairs(static_cast<std::size_t>(batch_ * (m + gap)));
    for (index_t row = 0; row < batch_; ++row) {
      for (index_t j = 0; j < m; ++j) {
        pairs[at(row, m, j)] = pair(row, j);
      }
    }
    const exec::Buffer<Complex<Real>> in(device_, std::span<const Complex<Real>>(pairs));
    exec::Buffer<Complex<Real>> out(device_, batch_ * (m + 1 + gap));
    const FixedFromRealKernel<Real, Shape> kernel{in.data(), out.data(), twiddles_.data(), roots_.data(),
                                                  batch_,    m + gap,    m + 1 + gap,      Real{2}};
    test::launch_in_team(device_, {.groups = ceil_div(batch_, Shape::width)}, host_team_size_, kernel);
    std::vector<Complex<Real>> result(static_cast<std::size_t>(out.size()));
    out.copy_to(result);
    test::RelativeError error;
    for (index_t row = 0; row < batch_; ++row) {
      for (index_t k = 0; k <= m; ++k) {
        error.add(scaled(result[at(row, m + 1, k)], Real{0.5}),
                  spectra_[static_cast<std::size_t>(row)][static_cast<std::size_t>(k)]);
      }
    }
    EXPECT_LE(error.value(), test::tolerance<Real>(n)) << "length " << n << ", host team " << host_team_size_;
  }

  void check_to_real() const {
    std::vector<Complex<Real>> spectra(static_cast<std::size_t>(batch_ * (m + 1 + gap)));
    for (index_t row = 0; row < batch_; ++row) {
      for (index_t k = 0; k <= m; ++k) {
        const test::Wide value = spectra_[static_cast<std::size_t>(row)][static_cast<std::size_t>(k)];
        // The imaginary parts of the ends, which belong to no real line, are left out of account.
        const auto stray = static_cast<Real>(k == 0 || k == m ? 7 : 0);
        spectra[at(row, m + 1, k)] = {static_cast<Real>(value.re), static_cast<Real>(value.im) + stray};
      }
    }
    const exec::Buffer<Complex<Real>> in(device_, std::span<const Complex<Real>>(spectra));
    exec::Buffer<Complex<Real>> out(device_, batch_ * (m + gap));
    const FixedToRealKernel<Real, Shape> kernel{in.data(), out.data(),  twiddles_.data(), roots_.data(),
                                                batch_,    m + 1 + gap, m + gap,          Real{1} / static_cast<Real>(n)};
    test::launch_in_team(device_, {.groups = ceil_div(batch_, Shape::width)}, host_team_size_, kernel);
    std::vector<Complex<Real>> result(static_cast<std::size_t>(out.size()));
    out.copy_to(result);
    test::RelativeError error;
    for (index_t row = 0; row < batch_; ++row) {
      for (index_t j = 0; j < m; ++j) {
        const Complex<Real> expected = pair(row, j);
        error.add(result[at(row, m, j)], test::Wide{expected.re, expected.im});
      }
    }
    // What goes in is rounded as well.
    EXPECT_LE(error.value(), 1.5 * test::tolerance<Real>(n)) << "length " << n << ", host team " << host_team_size_;
  }

 private:
  static std::size_t at(index_t row, index_t length, index_t e) { return static_cast<std::size_t>(row * (length + gap) + e); }
  [[nodiscard]] Complex<Real> pair(index_t row, index_t j) const {
    const auto& line = lines_[static_cast<std::size_t>(row)];
    return {static_cast<Real>(line[static_cast<std::size_t>(2 * j)].re),
            static_cast<Real>(line[static_cast<std::size_t>(2 * j + 1)].re)};
  }

  exec::Device device_;
  index_t batch_;
  int host_team_size_;
  exec::Buffer<Complex<Real>> roots_;
  exec::Buffer<Complex<Real>> twiddles_;
  std::vector<std::vector<test::Wide>> lines_;
  std::vector<std::vector<test::Wide>> spectra_;
};

class FixedReal : public testing::TestWithParam<exec::Device> {
 protected:
  template <class Real, class Shape>
  void check() {
    for (const int host_team_size : {1, 3, Shape::threads * Shape::width}) {
      for (const index_t batch : {1, 3 * Shape::width, 3 * Shape::width + 1}) {
        const Rows<Real, Shape> rows(GetParam(), batch, host_team_size);
        rows.check_from_real();
        rows.check_to_real();
      }
      if (!GetParam().is_host()) {
        break;
      }
    }
  }
};

TEST_P(FixedReal, TwoStages) {
  check<float, FixedShape<2, 5, 0, 4, 2>>();
  check<double, FixedShape<5, 3, 0, 6, 4>>();
}
TEST_P(FixedReal, ThreeStages) {
  check<double, FixedShape<16, 2, 0, 8, 4, 6>>();
  check<float, FixedShape<21, 1, 0, 7, 2, 5>>();
}
TEST_P(FixedReal, FourStages) {
  check<float, FixedShape<9, 2, 0, 5, 2, 3, 4>>();
}

INSTANTIATE_TEST_SUITE_P(Devices, FixedReal, testing::ValuesIn(test::devices()), test::DeviceName());

}  // namespace
}  // namespace phpc::fft
