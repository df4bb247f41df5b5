#pragma once
#include <gtest/gtest.h>

#include "phpc/io/npy.hpp"
#include "support/dft_oracle.hpp"
#include "support/process.hpp"
#include "support/tsv.hpp"

namespace phpc::test {

/// Runs `portable-hpc fft` on arrays in a directory of the test.
class FftCommand : public ::testing::Test {
 protected:
  /// Writes an array; returns its path.
  template <class T>
  std::string array(const std::string& name, const std::vector<index_t>& shape, const std::vector<T>& values) {
    const std::string path = directory_ / name;
    io::OutputFile out(path);
    io::write_npy(out, io::npy_type_of<T>, shape, std::as_bytes(std::span(values)));
    out.commit();
    return path;
  }

  ProgramResult fft(std::vector<std::string> arguments, const ProgramSetting& setting = {}) {
    arguments.insert(arguments.begin(), {"fft", "--device", "host"});
    return run_program(arguments, setting);
  }

  /// The transform of the last axis by the definition, times `scale`.
  template <class Real>
  static std::vector<Wide> expected(const std::vector<Complex<Real>>& values, index_t length, fft::Direction direction,
                                    long double scale) {
    std::vector<Wide> all;
    for (index_t first = 0; first < static_cast<index_t>(values.size()); first += length) {
      for (const Wide value : dft(widened(values, first, length), direction)) {
        all.push_back(scaled(value, scale));
      }
    }
    return all;
  }

  /// Within what transforms of `length` elements in all may differ by.
  template <class Real>
  static void expect_near(const io::NpyArray& array, const std::vector<Wide>& expected, index_t length) {
    RelativeError error;
    ASSERT_EQ(static_cast<std::size_t>(array.size()), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
      error.add(array.values<Complex<Real>>()[i], expected[i]);
    }
    EXPECT_LE(error.value(), 2 * tolerance<Real>(length));
  }

  /// An array in C order cropped or padded with zeros to other lengths.
  static std::vector<Wide> resized(const std::vector<Wide>& values, const std::vector<index_t>& from,
                                   const std::vector<index_t>& to) {
    std::vector<Wide> result;
    std::vector<index_t> at(to.size(), 0);
    for (;;) {
      bool inside = true;
      index_t place = 0;
      for (std::size_t axis = 0; axis < from.size(); ++axis) {
        inside = inside && at[axis] < from[axis];
        place = place * from[axis] + at[axis];
      }
      result.push_back(inside ? values[static_cast<std::size_t>(place)] : Wide{0, 0});
      std::size_t axis = to.size();
      while (axis > 0 && ++at[axis - 1] == to[axis - 1]) {
        at[--axis] = 0;
      }
      if (axis == 0) {
        return result;
      }
    }
  }

  /// The transform over some axes, line by line by the definition, without scale.
  static std::vector<Wide> transform_axes(std::vector<Wide> values, const std::vector<index_t>& shape,
                                          const std::vector<std::size_t>& axes, fft::Direction direction) {
    for (const std::size_t axis : axes) {
      index_t stride = 1;
      for (std::size_t inner = axis + 1; inner < shape.size(); ++inner) {
        stride *= shape[inner];
      }
      for (index_t first = 0; first < static_cast<index_t>(values.size()); ++first) {
        if (first / stride % shape[axis] != 0) {
          continue;
        }
        std::vector<Wide> line;
        for (index_t k = 0; k < shape[axis]; ++k) {
          line.push_back(values[static_cast<std::size_t>(first + k * stride)]);
        }
        line = dft(line, direction);
        for (index_t k = 0; k < shape[axis]; ++k) {
          values[static_cast<std::size_t>(first + k * stride)] = line[static_cast<std::size_t>(k)];
        }
      }
    }
    return values;
  }

  TemporaryDirectory directory_;
};

}  // namespace phpc::test
