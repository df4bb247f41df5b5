#include "phpc/batch/storage.hpp"

#include <algorithm>
#include <iterator>
#include <limits>

#include "phpc/core/error.hpp"

namespace phpc::batch {

namespace {

constexpr std::string_view storage_words[] = {"csr", "ell", "dense"};

constexpr std::size_t offset_of(index_t place) {
  return static_cast<std::size_t>(place);
}

index_t entries_of_row(const CsrPattern& pattern, index_t row) {
  return pattern.row_offsets[offset_of(row) + 1] - pattern.row_offsets[offset_of(row)];
}

/// The number of entries of the longest row, at least 1, so that matrices without entries have values too.
index_t ell_width(const CsrPattern& pattern) {
  index_t width = 1;
  for (index_t row = 0; row < pattern.rows(); ++row) {
    width = std::max(width, entries_of_row(pattern, row));
  }
  return width;
}

index_t set_values_of(const CsrPattern& pattern, Storage storage) {
  switch (storage) {
    case Storage::ell:
      return ell_width(pattern) * pattern.rows();
    case Storage::dense:
      return pattern.rows() * pattern.rows();
    case Storage::csr:
      break;
  }
  return pattern.entries();
}

}  // namespace

StoredPattern stored_pattern(const CsrPattern& pattern, Storage storage) {
  pattern.validate();
  const index_t rows = pattern.rows();
  StoredPattern stored{storage, set_values_of(pattern, storage), {}, {}};
  PHPC_VALIDATE(stored.values <= std::numeric_limits<std::int32_t>::max(), ErrorKind::input,
                "a matrix of " + std::to_string(rows) + " rows with " + std::to_string(stored.values) + " values in " +
                    std::string(to_string(storage)) + " storage, which takes up to 2^31 - 1; keep it in csr");
  if (storage == Storage::csr) {
    return stored;
  }
  if (storage == Storage::ell) {
    stored.columns.assign(offset_of(stored.values), -1);
  }
  stored.places.reserve(pattern.columns.size());
  for (index_t row = 0; row < rows; ++row) {
    const index_t first = pattern.row_offsets[offset_of(row)];
    for (index_t k = 0; k < entries_of_row(pattern, row); ++k) {
      const std::int32_t column = pattern.columns[offset_of(first + k)];
      const index_t place = storage == Storage::ell ? k * rows + row : row * rows + column;
      stored.places.push_back(static_cast<std::int32_t>(place));
      if (storage == Storage::ell) {
        stored.columns[offset_of(place)] = column;
      }
    }
  }
  return stored;
}

template <class T>
std::vector<T> stored_values(const StoredPattern& stored, index_t sets, std::span<const T> values) {
  if (stored.storage == Storage::csr) {
    return {values.begin(), values.end()};
  }
  const auto entries = static_cast<index_t>(stored.places.size());
  std::vector<T> result(offset_of(sets * stored.values), T{});
  for (index_t set = 0; set < sets; ++set) {
    const std::span<const T> from = values.subspan(offset_of(set * entries), offset_of(entries));
    T* const to = result.data() + set * stored.values;
    for (std::size_t entry = 0; entry < from.size(); ++entry) {
      to[stored.places[entry]] = from[entry];
    }
  }
  return result;
}

std::uint64_t stored_bytes(const CsrPattern& pattern, Storage storage, index_t sets, std::size_t value_bytes) {
  const auto values = static_cast<std::uint64_t>(set_values_of(pattern, storage));
  const auto rows = static_cast<std::uint64_t>(pattern.rows());
  const std::uint64_t indices = storage == Storage::csr ? values + rows + 1 : storage == Storage::ell ? values : 0;
  return static_cast<std::uint64_t>(sets) * values * value_bytes + indices * sizeof(std::int32_t);
}

Storage choose_storage(const CsrPattern& pattern) {
  return pattern.rows() > 0 && pattern.entries() / pattern.rows() == pattern.rows() ? Storage::dense : Storage::csr;
}

std::vector<std::string> storage_names() {
  return {std::begin(storage_words), std::end(storage_words)};
}

Storage parse_storage(std::string_view name) {
  const auto* const found = std::find(std::begin(storage_words), std::end(storage_words), name);
  PHPC_VALIDATE(found != std::end(storage_words), ErrorKind::usage,
                "unknown matrix format '" + std::string(name) + "'; give csr, ell or dense");
  return static_cast<Storage>(found - std::begin(storage_words));
}

std::string_view to_string(Storage storage) {
  return storage_words[static_cast<int>(storage)];
}

template std::vector<float> stored_values(const StoredPattern&, index_t, std::span<const float>);
template std::vector<double> stored_values(const StoredPattern&, index_t, std::span<const double>);
template std::vector<Complex<float>> stored_values(const StoredPattern&, index_t, std::span<const Complex<float>>);
template std::vector<Complex<double>> stored_values(const StoredPattern&, index_t, std::span<const Complex<double>>);

}  // namespace phpc::batch
