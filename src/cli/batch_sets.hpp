#pragma once
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "phpc/core/progress.hpp"
#include "phpc/core/types.hpp"
#include "phpc/exec/split.hpp"

namespace phpc::cli {

/// Numbers that belong to the systems of a batch, in sets of `length`, read when they are asked for: system i has set
/// i modulo `sets`.
struct BatchSets {
  /// Sets from a number on, as many as the span holds.
  using Read = std::function<void(index_t first, std::span<double> values, Progress& progress)>;

  index_t length = 0;
  index_t sets = 0;
  Read read;
};

/// Sets that all are in memory.
BatchSets held_sets(std::vector<double> values, index_t length);

/// The sets of a .npy file of real numbers, of shape (systems, length), or (length): one for all; where each set is a single
/// number
/// (`length` 0) of shape (systems). Throws Error(input) for another shape or type; `what` names them in the plural.
BatchSets npy_sets(const std::string& path, index_t length, const std::string& what);

/// The same sets, kept from their first use on, where `systems` need them again and again and they are few.
BatchSets kept_if_repeated(BatchSets sets, index_t systems);

/// The sets that systems from `systems.begin` on have, each once: as many as there are, or as systems.
std::vector<double> read_sets(const BatchSets& sets, exec::Range systems, Progress& progress);

/// A set for each of the systems: read_sets(), repeated.
std::vector<double> read_for_each(const BatchSets& sets, exec::Range systems, Progress& progress);

}  // namespace phpc::cli
