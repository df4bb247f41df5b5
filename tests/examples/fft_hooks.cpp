// Hooks: power spectra of 16-bit samples under a window, without arrays of floats in between.
//
//     fft_hooks [DEVICE]             DEVICE as --device takes it; default: host
//
// A load hook makes each element of the input out of what the user has, a store hook takes each element of the result: here a
// sample times Hann's window, and |X|^2. They become part of kernels, so that this source is compiled as kernels are. Line i is a
// tone of amplitude A at place k = 3 + i of its spectrum, so that |X[k]|^2 = (A n / 4)^2 is the largest and both neighbours are a
// quarter of it.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <numbers>
#include <span>
#include <vector>

#include "phpc/exec/buffer.hpp"
#include "phpc/exec/device.hpp"
#include "phpc/fft/hooks.hpp"

namespace {

using namespace phpc;

constexpr index_t lines = 100;
constexpr index_t n = 400;
constexpr index_t half = n / 2 + 1;
constexpr double amplitude = 20000;

/// Gives element `element` of line `line` to the transform.
struct WindowedSample {
  const std::int16_t* samples;
  const float* window;

  [[gnu::always_inline]] float operator()(index_t line, index_t element) const {
    return static_cast<float>(samples[line * n + element]) * window[element];
  }
};

/// Takes element `element` of its spectrum.
struct StorePower {
  float* power;

  [[gnu::always_inline]] void operator()(index_t line, index_t element, Complex<float> x) const {
    power[line * half + element] = x.re * x.re + x.im * x.im;
  }
};

bool is_right(std::span<const float> power, index_t place) {
  const double peak = std::pow(amplitude * n / 4, 2);
  const auto at = [&](index_t k) { return static_cast<double>(power[static_cast<std::size_t>(k)]) / peak; };
  const auto largest = std::max_element(power.begin(), power.end()) - power.begin();
  return largest == place && std::abs(at(place) - 1) < 1e-3 && std::abs(at(place - 1) - 0.25) < 1e-3 &&
         std::abs(at(place + 1) - 0.25) < 1e-3;
}

int run(exec::Device device) {
  std::vector<std::int16_t> samples;
  for (index_t i = 0; i < lines * n; ++i) {
    const auto turns = static_cast<double>((3 + i / n) * (i % n)) / n;
    samples.push_back(static_cast<std::int16_t>(std::lround(amplitude * std::cos(2 * std::numbers::pi * turns))));
  }
  std::vector<float> window;
  for (index_t i = 0; i < n; ++i) {
    window.push_back(static_cast<float>(0.5 - 0.5 * std::cos(2 * std::numbers::pi * static_cast<double>(i) / n)));
  }

  const exec::Buffer<std::int16_t> samples_there(device, std::span<const std::int16_t>(samples));
  const exec::Buffer<float> window_there(device, std::span<const float>(window));
  exec::Buffer<float> power_there(device, lines * half);
  fft::HookedPlan<float, WindowedSample, StorePower> plan({.lengths = {n}, .batch = lines, .kind = fft::Kind::real_to_complex},
                                                          device);
  plan.execute({samples_there.data(), window_there.data()}, {power_there.data()});
  std::vector<float> power(static_cast<std::size_t>(lines * half));
  power_there.copy_to(power);

  index_t right = 0;
  for (index_t line = 0; line < lines; ++line) {
    const std::span<const float> spectrum = std::span(power).subspan(static_cast<std::size_t>(line * half), half);
    right += is_right(spectrum, 3 + line) ? 1 : 0;
  }
  std::printf("%d of %d tones found where they are\n", static_cast<int>(right), static_cast<int>(lines));
  return right == lines ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(exec::select_device(argc > 1 ? argv[1] : "host"));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "fft_hooks: %s\n", error.what());
    return 1;
  }
}
