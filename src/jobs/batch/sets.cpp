#include "jobs/batch/sets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>

#include "phpc/core/error.hpp"
#include "phpc/io/array_reader.hpp"

namespace phpc::jobs {

BatchSets held_sets(std::vector<double> values, index_t length) {
  const index_t sets = length > 0 ? static_cast<index_t>(values.size()) / length : 0;
  return {length, sets, [values = std::move(values), length](index_t first, std::span<double> part, Progress&) {
            std::copy_n(values.begin() + first * length, part.size(), part.begin());
          }};
}

BatchSets as_complex(BatchSets sets) {
  if (sets.is_complex || sets.sets == 0) {
    sets.is_complex = true;
    return sets;
  }
  const auto read = [real = sets.read](index_t first, std::span<double> values, Progress& progress) {
    std::vector<double> numbers(values.size() / 2);
    real(first, numbers, progress);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      values[2 * i] = numbers[i];
      values[2 * i + 1] = 0;
    }
  };
  return {2 * sets.length, sets.sets, read, sets.columns, true};
}

void transpose_blocks(std::span<double> values, index_t rows, index_t columns, index_t words) {
  if (rows == 1 || columns == 1) {
    return;
  }
  std::vector<double> block(static_cast<std::size_t>(rows * columns * words));
  for (std::size_t begin = 0; begin < values.size(); begin += block.size()) {
    const std::span<double> own = values.subspan(begin, block.size());
    std::copy(own.begin(), own.end(), block.begin());
    for (index_t column = 0; column < columns; ++column) {
      for (index_t row = 0; row < rows; ++row) {
        std::copy_n(block.begin() + (row * columns + column) * words, words, own.begin() + (column * rows + row) * words);
      }
    }
  }
}

namespace {

void read_sets_of(const std::string& path, index_t first_element, std::span<double> values) {
  io::ArrayReader part = io::open_npy(path);
  part.keep_only(first_element, static_cast<index_t>(values.size()) / (io::is_complex(part.type()) ? 2 : 1));
  io::read_numbers(part, values);
}

[[noreturn]] void refuse(const io::ArrayReader& reader, const std::string& what, const std::string& wanted) {
  fail(ErrorKind::input, fmt::format("'{}' holds {} of shape ({}); {} are {}", reader.name(), io::to_string(reader.type()),
                                     fmt::join(reader.shape(), ", "), what, wanted));
}

}  // namespace

BatchSets npy_numbers(const std::string& path, const std::string& what) {
  const io::ArrayReader reader = io::open_npy(path);
  if (io::is_complex(reader.type()) || reader.shape().size() != 1) {
    refuse(reader, what, "real, of shape (systems)");
  }
  return {1, reader.shape().front(),
          [path](index_t first, std::span<double> values, Progress&) { read_sets_of(path, first, values); }};
}

BatchSets npy_vectors(const std::string& path, index_t rows, const std::string& what) {
  const io::ArrayReader reader = io::open_npy(path);
  const std::vector<index_t>& shape = reader.shape();
  const index_t columns = shape.size() == 3 ? shape.back() : 1;
  const std::size_t axis = shape.size() == 1 ? 0 : 1;
  const bool fits = !shape.empty() && shape.size() <= 3 && shape[axis] == rows && columns > 0 &&
                    columns <= std::numeric_limits<std::int32_t>::max();
  if (!fits) {
    refuse(reader, what, fmt::format("of shape (systems, {}), or (systems, {}, columns)", rows, rows));
  }
  const index_t words = io::is_complex(reader.type()) ? 2 : 1;
  const auto read = [path, rows, columns, words](index_t first, std::span<double> values, Progress&) {
    read_sets_of(path, first * rows * columns, values);
    transpose_blocks(values, rows, columns, words);
  };
  return {rows * columns * words, shape.size() == 1 ? 1 : shape.front(), read, columns, words == 2};
}

bool is_kept_if_repeated(const BatchSets& sets, index_t systems) {
  constexpr index_t most_values = index_t{1} << 25;
  return sets.sets > 0 && sets.sets < systems && sets.sets <= most_values / std::max<index_t>(1, sets.length);
}

BatchSets kept_if_repeated(BatchSets sets, index_t systems) {
  if (!is_kept_if_repeated(sets, systems)) {
    return sets;
  }
  const auto all = std::make_shared<std::vector<double>>();
  const auto read = [original = sets, all](index_t first, std::span<double> values, Progress& progress) {
    if (all->empty()) {
      all->resize(static_cast<std::size_t>(original.sets * original.length));
      original.read(0, *all, progress);
    }
    std::copy_n(all->begin() + first * original.length, values.size(), values.begin());
  };
  return {sets.length, sets.sets, read, sets.columns, sets.is_complex};
}

std::vector<double> read_sets(const BatchSets& sets, exec::Range systems, Progress& progress) {
  const index_t count = std::min(sets.sets, systems.size());
  std::vector<double> values(static_cast<std::size_t>(count * sets.length));
  if (values.empty()) {
    return values;
  }
  const index_t first = systems.begin % sets.sets;
  const index_t before_wrap = std::min(count, sets.sets - first);
  const std::span<double> all(values);
  sets.read(first, all.first(static_cast<std::size_t>(before_wrap * sets.length)), progress);
  if (before_wrap < count) {
    sets.read(0, all.subspan(static_cast<std::size_t>(before_wrap * sets.length)), progress);
  }
  return values;
}

std::vector<double> read_for_each(const BatchSets& sets, exec::Range systems, Progress& progress) {
  std::vector<double> values = read_sets(sets, systems, progress);
  const std::size_t own = values.size();
  values.resize(own == 0 ? 0 : static_cast<std::size_t>(systems.size() * sets.length));
  for (std::size_t at = own; at < values.size(); ++at) {
    values[at] = values[at - own];
  }
  return values;
}

}  // namespace phpc::jobs
