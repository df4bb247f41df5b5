// Convolution by transforms: images blurred by a small filter, whose edges see zeros and not the opposite edge.
//
//     fft_convolution [DEVICE]       DEVICE as --device takes it; default: host
//
// fft::Convolution pads with zeros to a good length, transforms, multiplies and transforms back. Every element of the result is
// held against the definition, y[r][c] = sum over i and j of h[i][j] x[r - i][c - j].
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <span>
#include <vector>

#include "phpc/exec/buffer.hpp"
#include "phpc/exec/device.hpp"
#include "phpc/fft/convolution.hpp"

namespace {

using namespace phpc;

constexpr index_t images = 4;
constexpr index_t rows = 48;
constexpr index_t columns = 70;
constexpr index_t filter_rows = 5;
constexpr index_t filter_columns = 9;

float pixel(index_t image, index_t row, index_t column) {
  return static_cast<float>((image * 31 + row * row * 7 + column * 13) % 101) / 100;
}

/// A bell that is longer to one side, so that a filter that is turned round would be noticed.
float filter_at(index_t row, index_t column) {
  const double down = static_cast<double>(row - 2) / 2;
  const double right = static_cast<double>(column - 4) / (column < 4 ? 1.5 : 3.0);
  return static_cast<float>(std::exp(-down * down - right * right));
}

/// An element of the result by definition: of Extent::same, whose first element is the one that the filter's middle falls on.
double expected(index_t image, index_t row, index_t column) {
  double sum = 0;
  for (index_t i = 0; i < filter_rows; ++i) {
    for (index_t j = 0; j < filter_columns; ++j) {
      const index_t from_row = row + (filter_rows - 1) / 2 - i;
      const index_t from_column = column + (filter_columns - 1) / 2 - j;
      if (from_row >= 0 && from_row < rows && from_column >= 0 && from_column < columns) {
        sum += static_cast<double>(filter_at(i, j)) * static_cast<double>(pixel(image, from_row, from_column));
      }
    }
  }
  return sum;
}

int run(exec::Device device) {
  std::vector<float> pixels;
  for (index_t image = 0; image < images; ++image) {
    for (index_t row = 0; row < rows; ++row) {
      for (index_t column = 0; column < columns; ++column) {
        pixels.push_back(pixel(image, row, column));
      }
    }
  }
  std::vector<float> filter;
  for (index_t row = 0; row < filter_rows; ++row) {
    for (index_t column = 0; column < filter_columns; ++column) {
      filter.push_back(filter_at(row, column));
    }
  }

  const fft::Convolution convolution(
      {.lengths = {rows, columns}, .filter_lengths = {filter_rows, filter_columns}, .batch = images, .extent = fft::Extent::same},
      device, fft::Array<const float>(filter.data()));
  const exec::Buffer<float> in(device, std::span<const float>(pixels));
  exec::Buffer<float> out(device, in.size());
  convolution.execute(in.data(), out.data());
  std::vector<float> blurred(pixels.size());
  out.copy_to(blurred);

  double worst = 0;
  for (index_t i = 0; i < out.size(); ++i) {
    const index_t image = i / (rows * columns);
    const double value = expected(image, i / columns % rows, i % columns);
    worst = std::max(worst, std::abs(blurred[static_cast<std::size_t>(i)] - value));
  }
  std::printf("%d images of %d x %d blurred; largest error %.1e\n", static_cast<int>(images), static_cast<int>(rows),
              static_cast<int>(columns), worst);
  return worst < 1e-4 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(exec::select_device(argc > 1 ? argv[1] : "host"));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "fft_convolution: %s\n", error.what());
    return 1;
  }
}
