#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "jobs/batch/groups.hpp"
#include "jobs/batch/options.hpp"
#include "jobs/batch/sets.hpp"
#include "jobs/fingerprints.hpp"
#include "phpc/batch/matrix.hpp"
#include "phpc/core/progress.hpp"
#include "phpc/exec/split.hpp"

namespace phpc::jobs {

/// A batch of systems wherever it comes from, of which pieces are read when they are asked for.
struct BatchInput {
  batch::CsrPattern pattern;  ///< of all systems, or of system 0 where they may differ
  index_t systems = 0;
  BatchSets values;                                     ///< of the pattern's entries
  BatchMatrices matrices;                               ///< in place of `values` where patterns may differ
  BatchSets rhs;                                        ///< (columns, rows)
  BatchSets guesses;                                    ///< the same; none: zeros
  BatchSets tolerances;                                 ///< a number each; none: the method's
  bool is_complex = false;                              ///< all of values, right-hand sides and guesses, if any of them is
  nlohmann::ordered_json identity;                      ///< tells one batch from another
  std::vector<std::string> files;                       ///< all that is read
  Fingerprints fingerprints{Fingerprints::Kind::ends};  ///< of the files that `identity` has
};

/// What --problem, or the folder or file, --rhs, --guess, --tolerances and --systems say. Reads the pattern. Throws Error.
BatchInput open_batch_input(const BatchOptions& options);

/// Some systems of a batch.
struct BatchPiece {
  std::vector<BatchGroup> groups;  ///< of two values a number where the input is complex, as are right-hand sides and guesses
  std::vector<double> rhs;         ///< (systems, columns, rows)
  std::vector<double> guesses;     ///< the same; empty: zeros
  std::vector<double> tolerances;  ///< (systems, columns); empty: the method's
};

BatchPiece read_piece(const BatchInput& input, exec::Range systems, Progress& progress);

/// The most systems, of as many entries as system 0, that fit into `bytes` bytes with all that belongs to them: `copies` copies
/// of their values, and `values_more` numbers of each system beside matrix, b and x; at least one.
index_t systems_in(const BatchInput& input, std::uint64_t bytes, index_t values_more, index_t copies);

}  // namespace phpc::jobs
