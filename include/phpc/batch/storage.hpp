#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "phpc/batch/matrix.hpp"
#include "phpc/core/types.hpp"

/// How the values of a batch's matrices lie in memory. Index arrays are there once for the batch, so that ELL and dense storage
/// pay for places without an entry in every system.
namespace phpc::batch {

enum class Storage : std::int32_t {
  csr,    ///< (sets, entries), in the order of the pattern
  ell,    ///< (sets, width, rows): entry k of each row side by side; width is that of the longest row
  dense,  ///< (sets, rows, rows), row-major: no indices are read
};

/// Where the entries of a pattern lie in a storage.
struct StoredPattern {
  Storage storage = Storage::csr;
  index_t values = 0;  ///< of a set, places without an entry included
  /// (entries): entry e of the pattern is value places[e] of a set; empty for csr, whose order is the pattern's.
  std::vector<std::int32_t> places;
  std::vector<std::int32_t> columns;  ///< of ELL (width, rows): of each place the column, -1 where there is no entry
};

/// Throws Error(input) for a malformed pattern, and for sets of more than 2^31 - 1 values.
StoredPattern stored_pattern(const CsrPattern& pattern, Storage storage);

/// `sets` sets of the pattern's values, (sets, entries), as they lie in the storage: zeros where there is no entry.
template <class T>
std::vector<T> stored_values(const StoredPattern& stored, index_t sets, std::span<const T> values);

/// Bytes of a batch: values of `value_bytes` and the pattern's indices of 32 bits.
std::uint64_t stored_bytes(const CsrPattern& pattern, Storage storage, index_t sets, std::size_t value_bytes);

/// The storage that is read quickest: dense where all elements are entries, whose values lie as those of CSR do; else CSR.
Storage choose_storage(const CsrPattern& pattern);

/// "csr", "ell", "dense", in the order of Storage; Error(usage) for any other.
std::vector<std::string> storage_names();
Storage parse_storage(std::string_view name);
std::string_view to_string(Storage storage);

extern template std::vector<float> stored_values(const StoredPattern&, index_t, std::span<const float>);
extern template std::vector<double> stored_values(const StoredPattern&, index_t, std::span<const double>);
extern template std::vector<Complex<float>> stored_values(const StoredPattern&, index_t, std::span<const Complex<float>>);
extern template std::vector<Complex<double>> stored_values(const StoredPattern&, index_t, std::span<const Complex<double>>);

}  // namespace phpc::batch
