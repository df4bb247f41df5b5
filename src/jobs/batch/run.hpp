#pragma once
#include <map>
#include <span>
#include <vector>

#include "jobs/batch/history.hpp"
#include "jobs/batch/input.hpp"
#include "jobs/batch/output.hpp"
#include "jobs/batch/precision.hpp"
#include "jobs/batch/report.hpp"
#include "jobs/batch/summary.hpp"
#include "jobs/caller.hpp"

namespace phpc::jobs {

/// Solves the systems of a range, piece by piece, and those of a piece pattern by pattern; the next piece is read meanwhile. All
/// reports are kept only where `kept` is given, histories taken only for curves.
class BatchRun {
 public:
  /// `curves` may be null. What is referred to must outlive the run.
  BatchRun(Caller& caller, const BatchOptions& options, const BatchInput& input, std::vector<exec::Device> devices,
           ConvergenceCurves* curves);

  /// Writes each piece to `streams` when it is solved. Throws Error, and Stopped.
  void run(exec::Range systems, const std::vector<BatchOutput*>& streams, std::vector<batch::Report>* kept);

  [[nodiscard]] const BatchSummary& summary() const { return summary_; }
  [[nodiscard]] const BatchMatrixCounts& matrices() const { return matrices_; }
  [[nodiscard]] const BatchTiming& timing() const { return timing_; }
  /// Systems whose guess is not finite.
  [[nodiscard]] index_t unusable_guesses() const { return unusable_guesses_; }

 private:
  struct PieceInWork;
  class Pieces;

  void validate_history() const;
  [[nodiscard]] index_t systems_of_piece() const;
  std::vector<double> starting_points(BatchPiece& piece);
  std::vector<batch::Report> solve(BatchPiece& piece, std::span<double> x);
  std::vector<batch::Report> solve_group(BatchGroup& group, const batch::Options& method, std::span<const double> rhs,
                                         std::span<double> x, std::span<const double> tolerances, std::span<double> history);
  void count(const BatchGroup& group);
  const batch::Options& method_for(const BatchGroup& group);

  Caller& caller_;
  const BatchOptions& options_;
  const BatchInput& input_;
  std::vector<exec::Device> devices_;
  BatchPrecision precision_;
  index_t words_;                          ///< values that a number is
  ConvergenceCurves* curves_;              ///< or none
  index_t history_length_;                 ///< of each system
  std::map<int, batch::Options> methods_;  ///< of patterns
  BatchSummary summary_;
  BatchMatrixCounts matrices_;
  BatchTiming timing_;
  index_t unusable_guesses_ = 0;
};

}  // namespace phpc::jobs
