#pragma once
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "phpc/core/progress.hpp"
#include "phpc/core/types.hpp"
#include "phpc/exec/split.hpp"

namespace phpc::jobs {

/// Numbers that belong to the systems of a batch, in sets of `length`, read when they are asked for: system i has set
/// i modulo `sets`.
struct BatchSets {
  /// Sets from a number on, as many as the span holds.
  using Read = std::function<void(index_t first, std::span<double> values, Progress& progress)>;

  index_t length = 0;  ///< values of a set, two a complex number
  index_t sets = 0;
  Read read;
  index_t columns = 1;  ///< vectors of a set, one after the other
  bool is_complex = false;
};

/// Sets that lie in memory.
BatchSets held_sets(std::vector<double> values, index_t length);

/// Real sets as complex ones; complex ones as they are.
BatchSets as_complex(BatchSets sets);

/// Each block of shape (rows, columns), row-major, becomes one of shape (columns, rows), of elements of `words` values each.
void transpose_blocks(std::span<double> values, index_t rows, index_t columns, index_t words = 1);

/// The numbers of a .npy file, of shape (systems), one a set. Throws Error(input) for another shape, or elements that are not
/// real; `what` names them in the plural.
BatchSets npy_numbers(const std::string& path, const std::string& what);

/// The vectors of a .npy file, of shape (systems, rows), or (rows): one for all; or (systems, rows, columns): several a set.
/// Real or complex. Throws Error(input) for another shape.
BatchSets npy_vectors(const std::string& path, index_t rows, const std::string& what);

/// Whether `systems` systems need sets again and again, and they are few enough to be kept.
bool is_kept_if_repeated(const BatchSets& sets, index_t systems);
/// The same sets, kept in memory from their first use on where is_kept_if_repeated().
BatchSets kept_if_repeated(BatchSets sets, index_t systems);

/// The sets that systems from `systems.begin` on have, each once: as many as there are, or as systems.
std::vector<double> read_sets(const BatchSets& sets, exec::Range systems, Progress& progress);

/// A set for each of the systems: read_sets(), repeated.
std::vector<double> read_for_each(const BatchSets& sets, exec::Range systems, Progress& progress);

}  // namespace phpc::jobs
