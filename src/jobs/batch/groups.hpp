#pragma once
#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "phpc/batch/matrix.hpp"
#include "phpc/core/progress.hpp"
#include "phpc/exec/split.hpp"
#include "phpc/io/batch_folder.hpp"

namespace phpc::jobs {

/// Systems of a piece of a batch that share a pattern.
struct BatchGroup {
  batch::CsrPattern pattern;
  std::vector<double> values;    ///< (sets, entries), of complex numbers two each; system i has set i modulo sets
  index_t count = 0;             ///< systems
  std::vector<index_t> systems;  ///< their numbers in the piece, ascending; empty: all of it
  int number = 0;                ///< of the pattern: 0 of system 0's, then as they are met
  /// The values of the first system of the whole batch that has the pattern, where that is asked for, the pattern is met for the
  /// first time, and the system is not the group's own first.
  std::vector<double> first_values{};
};

/// Matrices that may differ in their pattern, read when they are asked for: system i has set i modulo `sets`.
class BatchMatrices {
 public:
  using Read = std::function<std::vector<io::FolderMatrix>(index_t first, index_t count, Progress& progress)>;

  BatchMatrices() = default;
  BatchMatrices(index_t sets, const std::shared_ptr<const io::FolderPattern>& first_pattern, Read read)
      : sets_(sets), read_(std::move(read)) {
    state_->numbers.emplace(first_pattern, 0);
  }

  /// Whether matrices may differ in their pattern; else all systems have the one pattern of BatchInput.
  explicit operator bool() const { return static_cast<bool>(read_); }
  /// Keeps all sets from their first use on.
  void keep() { keeps_ = true; }
  /// Makes groups() give BatchGroup::first_values, so that what is chosen by them does not depend on where it begins.
  void give_first_values() { gives_first_values_ = true; }
  /// Makes groups() give real matrices as complex ones.
  void make_complex() { words_ = 2; }

  /// Reads the matrices of some systems, a group for each pattern. To be called for ascending systems, one call at a time.
  [[nodiscard]] std::vector<BatchGroup> groups(exec::Range systems, Progress& progress) const;

 private:
  /// What one call of groups() leaves to the next.
  struct State {
    std::map<std::shared_ptr<const io::FolderPattern>, int> numbers;
    std::vector<io::FolderMatrix> kept;
    bool began = false;
    bool began_at_0 = false;
  };
  [[nodiscard]] std::vector<io::FolderMatrix> read(index_t first, index_t count, Progress& progress) const;
  [[nodiscard]] std::vector<double> first_values_of(const std::shared_ptr<const io::FolderPattern>& pattern) const;

  index_t sets_ = 0;
  Read read_;
  index_t words_ = 1;  ///< values that a real number of a file becomes
  bool keeps_ = false;
  bool gives_first_values_ = false;
  std::shared_ptr<State> state_ = std::make_shared<State>();
};

/// The sets of `length` numbers of a group's systems, out of those of all systems of a piece.
std::vector<double> gathered(const BatchGroup& group, std::span<const double> all, index_t length);
/// Puts them back to their places.
void scatter(const BatchGroup& group, std::span<const double> own, index_t length, std::span<double> all);

}  // namespace phpc::jobs
