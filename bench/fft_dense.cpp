// Calls as TensorFlow.js' benchmark makes them: ten lines of 10 n ones go to the device, are transformed, and come back; by its
// way, the definition of the transform (a product with the matrix of roots, any length), and by the FFT. Both take the same
// copies.
#include <benchmark/benchmark.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "phpc/exec/buffer.hpp"
#include "phpc/exec/launch.hpp"
#include "phpc/fft/plan.hpp"
#include "support.hpp"

namespace phpc::bench {
namespace {

using Value = Complex<float>;
constexpr index_t lines = 10;

/// X_k = sum of x_j w^(j k) for each k of a line; a team does a line. Element j k of the matrix is the root of that number modulo
/// the length, so that a table of as many roots as a line is long serves all of it.
struct DenseTransform {
  static constexpr int team_size = 64;
  struct Scratch {};
  const Value* in;
  const Value* roots;
  Value* out;
  index_t length;

  [[gnu::always_inline]] void operator()(const exec::Team& team, Scratch& /*scratch*/) const {
    const index_t first = team.league_rank() * length;
    for (index_t k = team.rank(); k < length; k += team.size()) {
      float re = 0;
      float im = 0;
      index_t place = 0;
      for (index_t j = 0; j < length; ++j) {
        const Value x = in[first + j];
        const Value root = roots[place];
        re += x.re * root.re - x.im * root.im;
        im += x.re * root.im + x.im * root.re;
        place += k;
        place -= place >= length ? length : 0;
      }
      out[first + k] = {re, im};
    }
  }
};

std::vector<Value> roots_of_unity(index_t length) {
  std::vector<Value> roots;
  for (index_t j = 0; j < length; ++j) {
    const double angle = -2 * std::numbers::pi * static_cast<double>(j) / static_cast<double>(length);
    roots.push_back({static_cast<float>(std::cos(angle)), static_cast<float>(std::sin(angle))});
  }
  return roots;
}

/// Whether the transform of a line of ones came out: their number at frequency 0, nothing at others.
bool is_right(const std::vector<Value>& spectrum, index_t length) {
  bool right = true;
  for (std::size_t i = 0; i < spectrum.size(); ++i) {
    const auto number = static_cast<float>(length);
    const float expected = static_cast<index_t>(i) % length == 0 ? number : 0.0F;
    right = right && std::abs(spectrum[i].re - expected) <= 1e-5F * number && std::abs(spectrum[i].im) <= 1e-5F * number;
  }
  return right;
}

/// A call is what comes between two looks at the result: both copies and `transform`.
template <class Transform>
void time_calls(benchmark::State& state, index_t length, const Transform& transform) {
  const std::vector<Value> ones(static_cast<std::size_t>(lines * length), Value{1, 0});
  std::vector<Value> spectrum(ones.size());
  exec::Buffer<Value> in(device(), lines * length);
  exec::Buffer<Value> out(device(), lines * length);
  for (auto _ : state) {
    in.copy_from(std::span<const Value>(ones));
    transform(in, out);
    out.copy_to(spectrum);
  }
  if (!is_right(spectrum, length)) {
    state.SkipWithError("the transform of ones is wrong");
  }
}

void dense_call(benchmark::State& state) {
  const index_t length = 10 * state.range(0);
  const std::vector<Value> table = roots_of_unity(length);
  const exec::Buffer<Value> roots(device(), std::span<const Value>(table));
  time_calls(state, length, [&](const exec::Buffer<Value>& in, exec::Buffer<Value>& out) {
    exec::launch(device(), {.groups = lines}, DenseTransform{in.data(), roots.data(), out.data(), length});
  });
}
BENCHMARK(dense_call)->DenseRange(1, 10)->Unit(benchmark::kMicrosecond)->UseRealTime();

void fft_call(benchmark::State& state) {
  const index_t length = 10 * state.range(0);
  const fft::Plan plan({.lengths = {length}, .batch = lines}, device());
  time_calls(state, length,
             [&](const exec::Buffer<Value>& in, exec::Buffer<Value>& out) { plan.execute(in.data(), out.data()); });
}
BENCHMARK(fft_call)->DenseRange(1, 10)->Unit(benchmark::kMicrosecond)->UseRealTime();

}  // namespace
}  // namespace phpc::bench
