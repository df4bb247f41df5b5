#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "phpc/batch/matrix.hpp"

namespace phpc::batch {

/// A family of linear systems that are made by a rule, for trials and timings. Any system can be made by itself; what comes out
/// depends on the name, the seed and the system's number alone, and is the same, bit for bit, on every machine: the random
/// numbers are raw words of std::mt19937_64, seeded anew for each system, and only sums, products, quotients and roots are taken
/// of them, so that none is rounded in two ways.
///
///   stencil3:N        3-point stencils as Nguyen et al. (2023) have them: 2 / h on the diagonal, h ~ N(0.5, 0.1) for each row,
///                     and -1 beside it; symmetric positive definite. b is constant within a system, ~ N(0.5, 0.1).
///   lesp:N            MATLAB's gallery('lesp', N) (Lenferink and Spijker): tridiagonal, diagonal -5, -7, ..., -(2 N + 3),
///                     above it 2, 3, ..., N, below it 1/2, 1/3, ..., 1/N; its eigenvalues are real and sensitive. All systems
///                     have this one matrix; b is uniform in [-1, 1).
///   random-spd:N,NNZ  N rows and NNZ entries at random places of a symmetric pattern, uniform in [-1, 1), under a diagonal that
///                     exceeds the sum of their magnitudes by 0.5 to 1.5: symmetric positive definite. b is uniform in [-1, 1).
///   chemistry:N       like the Newton matrices I - gamma J of a chemical mechanism (the Pele sets): nine tenths full, not
///                     symmetric, a diagonal in [1, 2.5), and couplings in proportion to the amounts of their two species, which
///                     range over seven orders of magnitude: ill-conditioned as it stands, tame when scaled. b is 1.
///
/// N(m, s) stands for m + s z, where z is the sum of twelve uniform numbers less 6; an h below 0.05 is drawn again.
class Problem {
 public:
  /// Throws Error(usage) for a text of another form, or sizes that make no sense.
  Problem(std::string_view text, std::uint64_t seed);

  [[nodiscard]] const CsrPattern& pattern() const { return pattern_; }
  /// Different sets of values among the first `systems` systems: as many, or one; system i has set i modulo their number.
  [[nodiscard]] index_t value_sets(index_t systems) const;
  /// The values of one set, pattern().entries() of them.
  void fill_values(index_t set, std::span<double> values) const;
  /// The right-hand side of one system, pattern().rows() values.
  void fill_rhs(index_t system, std::span<double> rhs) const;

 private:
  enum class Kind { stencil3, lesp, random_spd, chemistry };

  void make_band();
  void make_random_symmetric(index_t entries);
  void make_nearly_full();
  void fill_stencil(index_t set, std::span<double> values) const;
  void fill_lesp(std::span<double> values) const;
  void fill_symmetric(index_t set, std::span<double> values) const;
  void fill_chemistry(index_t set, std::span<double> values) const;

  Kind kind_;
  std::uint64_t seed_;
  CsrPattern pattern_;
  std::vector<std::int32_t> mirrors_;  ///< random-spd: of each entry, where its mirror image stands
  std::vector<double> amounts_;        ///< chemistry: of each species
};

/// What a problem's text says of its size.
struct ProblemSize {
  index_t rows = 0;
  index_t most_entries = 0;  ///< of the matrix; of nearly full ones not all are there
};

/// Throws as Problem's constructor, and makes nothing.
ProblemSize problem_size(std::string_view text);

/// How Problem's texts are written, for help and messages.
std::vector<std::string> problem_forms();

/// A right-hand side for system `system`: uniform in [-1, 1), as reproducible as Problem.
void fill_random_rhs(std::uint64_t seed, index_t system, std::span<double> rhs);

}  // namespace phpc::batch
