#include "support/nd_oracle.hpp"

#include <algorithm>

#include "support/fast_dft.hpp"

namespace phpc::test {

namespace {

index_t product(const std::vector<index_t>& lengths) {
  index_t all = 1;
  for (const index_t length : lengths) {
    all *= length;
  }
  return all;
}

/// Replaces each line along `axis` by line_of(line).
template <class LineOf>
std::vector<Wide> along(std::size_t axis, std::vector<index_t>& lengths, const std::vector<Wide>& values, const LineOf& line_of) {
  const index_t n = lengths[axis];
  index_t inner = 1;
  for (std::size_t other = axis + 1; other < lengths.size(); ++other) {
    inner *= lengths[other];
  }
  const index_t lines = product(lengths) / n;
  std::vector<Wide> result;
  index_t m = 0;
  for (index_t line = 0; line < lines; ++line) {
    const index_t outer = line / inner;
    std::vector<Wide> one;
    for (index_t e = 0; e < n; ++e) {
      one.push_back(values[static_cast<std::size_t>((outer * n + e) * inner + line % inner)]);
    }
    one = line_of(one);
    m = static_cast<index_t>(one.size());
    result.resize(static_cast<std::size_t>(lines * m));
    for (index_t e = 0; e < m; ++e) {
      result[static_cast<std::size_t>((outer * m + e) * inner + line % inner)] = one[static_cast<std::size_t>(e)];
    }
  }
  lengths[axis] = m;
  return result;
}

}  // namespace

std::vector<Wide> transform_by_definition(const fft::Descriptor& descriptor, std::vector<Wide> values) {
  std::vector<index_t> lengths = descriptor.in_lengths();
  const std::size_t last = lengths.size() - 1;
  const auto whole = [&](const std::vector<Wide>& line) { return fast_dft(line, descriptor.direction); };
  const auto halved = [&](const std::vector<Wide>& line) {
    std::vector<Wide> spectrum = fast_dft(line, descriptor.direction);
    spectrum.resize(line.size() / 2 + 1);
    return spectrum;
  };
  const auto to_real = [&](const std::vector<Wide>& line) {
    const auto n = static_cast<std::size_t>(descriptor.lengths.back());
    std::vector<Wide> spectrum(n);
    for (std::size_t k = 0; k < n; ++k) {
      spectrum[k] = 2 * k <= n ? line[k] : conj(line[n - k]);
    }
    spectrum[0].im = 0;
    if (n % 2 == 0) {
      spectrum[n / 2].im = 0;
    }
    return fast_dft(spectrum, descriptor.direction);
  };
  if (descriptor.kind == fft::Kind::real_to_complex) {
    values = along(last, lengths, values, halved);
  }
  for (std::size_t axis = 0; axis < lengths.size(); ++axis) {
    if (axis != last || descriptor.kind == fft::Kind::complex_to_complex) {
      values = along(axis, lengths, values, whole);
    }
  }
  if (descriptor.kind == fft::Kind::complex_to_real) {
    values = along(last, lengths, values, to_real);
  }
  for (Wide& value : values) {
    value = scaled(value, static_cast<long double>(descriptor.scale));
  }
  return values;
}

std::vector<index_t> places_of(const fft::Descriptor& descriptor, index_t batch, bool is_in) {
  const fft::Layout& layout = is_in ? descriptor.in : descriptor.out;
  const std::vector<index_t> lengths = is_in ? descriptor.in_lengths() : descriptor.out_lengths();
  std::vector<index_t> strides = layout.strides;
  index_t extent = 1;
  if (strides.empty()) {
    strides.resize(lengths.size());
    index_t dense = 1;
    for (std::size_t axis = lengths.size(); axis-- > 0;) {
      strides[axis] = dense;
      dense *= lengths[axis];
    }
  }
  for (std::size_t axis = 0; axis < lengths.size(); ++axis) {
    extent += (lengths[axis] - 1) * strides[axis];
  }
  std::vector<index_t> places{batch * (layout.distance != 0 ? layout.distance : extent)};
  const auto spread = [&places](index_t count, index_t distance) {
    std::vector<index_t> more;
    for (const index_t place : places) {
      for (index_t i = 0; i < count; ++i) {
        more.push_back(place + i * distance);
      }
    }
    places = more;
  };
  for (const fft::Repeat& repeat : descriptor.repeats) {
    spread(repeat.count, is_in ? repeat.in_distance : repeat.out_distance);
  }
  for (std::size_t axis = 0; axis < lengths.size(); ++axis) {
    spread(lengths[axis], strides[axis]);
  }
  return places;
}

index_t array_size(const fft::Descriptor& descriptor, bool is_in) {
  index_t size = 0;
  for (const index_t place : places_of(descriptor, std::max<index_t>(descriptor.batch, 1) - 1, is_in)) {
    size = std::max(size, place + 1);
  }
  return size;
}

}  // namespace phpc::test
