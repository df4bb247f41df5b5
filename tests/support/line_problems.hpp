#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "fft/host/lines.hpp"
#include "support/fast_dft.hpp"

/// Line problems of any layout against the oracle.
namespace phpc::test {

using fft::Array;
using fft::Direction;
using fft::Elements;
using fft::HostLines;
using fft::LineLoop;
using fft::LineProblem;

inline index_t line_elements(const LineProblem& problem, Elements elements) {
  return problem.is_real() && elements != Elements::real ? problem.length / 2 + 1 : problem.length;
}

inline index_t extent(const LineProblem& problem, Elements elements, index_t stride, index_t LineLoop::* distance) {
  index_t last = (line_elements(problem, elements) - 1) * stride;
  for (const LineLoop& loop : problem.loops) {
    last += std::max<index_t>(loop.count - 1, 0) * loop.*distance;
  }
  return last + 1;
}

/// Numbers of one array: of planar ones, two planes after one another.
template <class Real>
struct Numbers {
  Numbers(Elements elements_of, index_t count_of)
      : elements(elements_of),
        count(count_of),
        values(static_cast<std::size_t>(elements == Elements::real ? count : 2 * count)) {}

  template <class Pointer>
  [[nodiscard]] Array<Pointer> array(Pointer* first) const {
    if (elements == Elements::planar) {
      return {first, first + count};
    }
    if (elements == Elements::real) {
      return {first};
    }
    return {reinterpret_cast<typename Array<Pointer>::Value*>(first)};
  }
  [[nodiscard]] Array<const Real> read() const { return array<const Real>(values.data()); }
  Array<Real> write() { return array<Real>(values.data()); }

  [[nodiscard]] Wide at(index_t i) const {
    const auto number = [this](index_t place) -> long double { return values[static_cast<std::size_t>(place)]; };
    switch (elements) {
      case Elements::complex:
        return {number(2 * i), number(2 * i + 1)};
      case Elements::planar:
        return {number(i), number(count + i)};
      default:
        return {number(i), 0};
    }
  }

  Elements elements;
  index_t count;
  std::vector<Real> values;
};

template <class Real>
void fill(Numbers<Real>& numbers, unsigned seed) {
  std::mt19937 random(seed);
  for (Real& value : numbers.values) {
    value = static_cast<Real>(static_cast<double>(random() >> 8) / static_cast<double>(1 << 23) - 1);
  }
}

inline std::string described(const LineProblem& problem) {
  std::ostringstream text;
  text << "n " << problem.length << " direction " << static_cast<int>(problem.direction) << " forms "
       << static_cast<int>(problem.from) << "->" << static_cast<int>(problem.to) << " strides " << problem.from_stride << "->"
       << problem.to_stride << " scale " << problem.scale << " loops";
  for (const LineLoop& loop : problem.loops) {
    text << " " << loop.count << " (" << loop.from << ", " << loop.to << ")";
  }
  return text.str();
}

/// The line that a transform reads, in full.
template <class Real>
std::vector<Wide> line_at(const Numbers<Real>& numbers, const LineProblem& problem, index_t first) {
  const index_t n = problem.length;
  std::vector<Wide> line(static_cast<std::size_t>(n));
  for (index_t j = 0; j < line_elements(problem, problem.from); ++j) {
    Wide value = numbers.at(first + j * problem.from_stride);
    if (problem.to == Elements::real) {
      if (j == 0 || 2 * j == n) {
        value.im = 0;
      }
      line[static_cast<std::size_t>((n - j) % n)] = conj(value);
    }
    line[static_cast<std::size_t>(j)] = value;
  }
  return line;
}

/// Runs a problem and compares every line, or those of every `step`-th index and the last one, with the oracle; all else stays
/// as it was.
template <class Real>
void check(const LineProblem& problem, index_t batch, unsigned seed, bool in_place = false, index_t step = 1) {
  SCOPED_TRACE(described(problem) + " batch " + std::to_string(batch) + " seed " + std::to_string(seed) +
               (in_place ? " in place" : ""));
  Numbers<Real> from(problem.from, extent(problem, problem.from, problem.from_stride, &LineLoop::from));
  fill(from, seed);
  Numbers<Real> to(problem.to, extent(problem, problem.to, problem.to_stride, &LineLoop::to));
  const Real untouched = 77;
  std::fill(to.values.begin(), to.values.end(), untouched);
  const HostLines<Real> lines(problem);
  if (in_place) {
    // The larger of two arrays that share their bytes.
    std::vector<Real> bytes = from.values;
    bytes.resize(std::max(from.values.size(), to.values.size()));
    lines.run(from.template array<const Real>(bytes.data()), to.template array<Real>(bytes.data()), batch);
    to.values.assign(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(to.values.size()));
  } else {
    lines.run(from.read(), to.write(), batch);
  }
  std::vector<bool> written(static_cast<std::size_t>(to.count));
  index_t count = batch;
  for (std::size_t i = 1; i < problem.loops.size(); ++i) {
    count *= problem.loops[i].count;
  }
  RelativeError error;
  for (index_t index = 0; index < count; ++index) {
    index_t from_first = 0;
    index_t to_first = 0;
    index_t rest = index;
    for (std::size_t i = problem.loops.size(); i-- > 0;) {
      const LineLoop& loop = problem.loops[i];
      const index_t place = i == 0 ? rest : rest % loop.count;
      rest /= i == 0 ? 1 : loop.count;
      from_first += place * loop.from;
      to_first += place * loop.to;
    }
    const bool counts = index % step == 0 || index + 1 == count;
    const std::vector<Wide> expected =
        counts ? fast_dft(line_at(from, problem, from_first), problem.direction) : std::vector<Wide>{};
    for (index_t k = 0; k < line_elements(problem, problem.to); ++k) {
      const index_t place = to_first + k * problem.to_stride;
      written[static_cast<std::size_t>(place)] = true;
      if (counts) {
        Wide want = scaled(expected[static_cast<std::size_t>(k)], static_cast<long double>(problem.scale));
        if (problem.to == Elements::real) {
          want.im = 0;
        }
        const Wide got = to.at(place);
        error.add(Complex<double>{static_cast<double>(got.re), static_cast<double>(got.im)}, want);
      }
    }
  }
  if (count > 0) {
    EXPECT_LE(error.value(), tolerance<Real>(problem.length));
  }
  for (index_t i = 0; i < to.count && !in_place; ++i) {
    if (!written[static_cast<std::size_t>(i)]) {
      const Wide value = to.at(i);
      ASSERT_TRUE(value.re == untouched && (problem.to == Elements::real || value.im == untouched)) << "element " << i;
    }
  }
}

inline LineProblem dense(index_t n, index_t batch, Direction direction = Direction::forward) {
  LineProblem problem;
  problem.length = n;
  problem.direction = direction;
  problem.loops = {{batch, n, n}};
  return problem;
}

inline LineProblem dense_real(index_t n, index_t batch, Direction direction, Elements complex_form = Elements::complex) {
  LineProblem problem = dense(n, batch, direction);
  const index_t half = n / 2 + 1;
  if (direction == Direction::forward) {
    problem.from = Elements::real;
    problem.to = complex_form;
    problem.loops = {{batch, n, half}};
  } else {
    problem.from = complex_form;
    problem.to = Elements::real;
    problem.loops = {{batch, half, n}};
  }
  return problem;
}

}  // namespace phpc::test
