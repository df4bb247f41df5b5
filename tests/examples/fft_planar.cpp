// Planar complex numbers: real and imaginary parts in two arrays of their own, as receivers of radio signals deliver them.
//
//     fft_planar [DEVICE]            DEVICE as --device takes it; default: host
//
// Each side of a transform has a storage of its own. Line t is the tone exp(2 pi i (t j + 1/8) / n): forward, planar to planar,
// its spectrum is n exp(2 pi i / (8 n)) at place t and 0 elsewhere; back, planar to interleaved, the tone comes out again.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <numbers>
#include <span>
#include <vector>

#include "phpc/exec/buffer.hpp"
#include "phpc/exec/device.hpp"
#include "phpc/fft/plan.hpp"

namespace {

using namespace phpc;

constexpr index_t lines = 50;
constexpr index_t n = 480;

double angle(index_t turns) {
  return 2 * std::numbers::pi * (static_cast<double>(turns % n) + 0.125) / n;
}

std::vector<double> host_copy(const exec::Buffer<double>& buffer) {
  std::vector<double> values(static_cast<std::size_t>(buffer.size()));
  buffer.copy_to(values);
  return values;
}

int run(exec::Device device) {
  std::vector<double> re;
  std::vector<double> im;
  for (index_t i = 0; i < lines * n; ++i) {
    re.push_back(std::cos(angle(i / n * (i % n))));
    im.push_back(std::sin(angle(i / n * (i % n))));
  }
  exec::Buffer<double> re_there(device, std::span<const double>(re));
  exec::Buffer<double> im_there(device, std::span<const double>(im));
  exec::Buffer<Complex<double>> back_there(device, lines * n);

  const fft::Plan forward({.lengths = {n},
                           .batch = lines,
                           .precision = fft::Precision::f64,
                           .in = {.storage = fft::Storage::planar},
                           .out = {.storage = fft::Storage::planar}},
                          device);
  const fft::Plan inverse({.lengths = {n},
                           .batch = lines,
                           .precision = fft::Precision::f64,
                           .direction = fft::Direction::inverse,
                           .scale = 1.0 / n,
                           .in = {.storage = fft::Storage::planar}},
                          device);
  const fft::Array<double> planar(re_there.data(), im_there.data());
  forward.execute(planar, planar);  // in place
  const std::vector<double> spectrum_re = host_copy(re_there);
  const std::vector<double> spectrum_im = host_copy(im_there);
  inverse.execute(planar, back_there.data());
  std::vector<Complex<double>> back(re.size());
  back_there.copy_to(back);

  double worst = 0;
  for (std::size_t i = 0; i < back.size(); ++i) {
    const bool is_tone = static_cast<index_t>(i) % n == static_cast<index_t>(i) / n;
    const double expected_re = is_tone ? std::cos(angle(0)) : 0;
    const double expected_im = is_tone ? std::sin(angle(0)) : 0;
    worst = std::max({worst, std::abs(spectrum_re[i] / n - expected_re), std::abs(spectrum_im[i] / n - expected_im),
                      std::abs(back[i].re - re[i]), std::abs(back[i].im - im[i])});
  }
  std::printf("%d planar lines of %d there and back; largest error %.1e\n", static_cast<int>(lines), static_cast<int>(n), worst);
  return worst < 1e-13 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(exec::select_device(argc > 1 ? argv[1] : "host"));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "fft_planar: %s\n", error.what());
    return 1;
  }
}
