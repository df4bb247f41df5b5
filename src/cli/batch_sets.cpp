#include "cli/batch_sets.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "phpc/core/error.hpp"
#include "phpc/io/array_reader.hpp"

namespace phpc::cli {

BatchSets held_sets(std::vector<double> values, index_t length) {
  const index_t sets = length > 0 ? static_cast<index_t>(values.size()) / length : 0;
  return {length, sets, [values = std::move(values), length](index_t first, std::span<double> part, Progress&) {
            std::copy_n(values.begin() + first * length, part.size(), part.begin());
          }};
}

BatchSets npy_sets(const std::string& path, index_t length, const std::string& what) {
  const io::ArrayReader reader = io::open_npy(path);
  const std::vector<index_t>& shape = reader.shape();
  const bool fits = length == 0 ? shape.size() == 1 : !shape.empty() && shape.size() <= 2 && shape.back() == length;
  PHPC_VALIDATE(io::is_real(reader.type()) && fits, ErrorKind::input,
                fmt::format("'{}' holds {} of shape ({}); {} are real, of shape (systems{})", path, io::to_string(reader.type()),
                            fmt::join(shape, ", "), what, length == 0 ? "" : fmt::format(", {}", length)));
  const index_t each = std::max<index_t>(1, length);
  const index_t sets = length > 0 && shape.size() == 1 ? 1 : shape.front();
  return {each, sets, [path, each](index_t first, std::span<double> values, Progress&) {
            io::ArrayReader part = io::open_npy(path);
            part.keep_only(first * each, static_cast<index_t>(values.size()));
            io::read_real(part, values);
          }};
}

BatchSets kept_if_repeated(BatchSets sets, index_t systems) {
  constexpr index_t most_values = index_t{1} << 25;
  if (sets.sets == 0 || sets.sets >= systems || sets.sets > most_values / std::max<index_t>(1, sets.length)) {
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
  return {sets.length, sets.sets, read};
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

}  // namespace phpc::cli
