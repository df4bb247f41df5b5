#pragma once
#include <array>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "phpc/batch/solver.hpp"
#include "phpc/io/table.hpp"

namespace phpc::jobs {

/// What the reports of a batch come to, added up piece by piece.
class BatchSummary {
 public:
  void add(std::span<const batch::Report> reports);

  /// Right-hand sides: one a system, or several.
  [[nodiscard]] index_t solves() const { return solves_; }
  [[nodiscard]] index_t converged() const { return number_of(batch::Status::converged); }
  /// The most iterations of the `share` of systems with the fewest: 0 the minimum, 0.5 the median, 1 the maximum.
  [[nodiscard]] std::int32_t iterations_at(double share) const;
  [[nodiscard]] double iterations_mean() const;
  /// The largest norm of a residual, and the largest beside its ||b||. NaN when a system has none.
  [[nodiscard]] double worst_residual() const { return worst_residual_; }
  [[nodiscard]] double worst_relative_residual() const { return worst_relative_residual_; }
  /// "3 stagnated, 1 breakdown"; empty when all converged.
  [[nodiscard]] std::string failures() const;
  /// A line for each of at most ten ranges of iterations, "  5 ...  6      120 ########"; empty when all took as many.
  [[nodiscard]] std::string histogram() const;

 private:
  [[nodiscard]] index_t number_of(batch::Status status) const { return statuses_[static_cast<std::size_t>(status)]; }

  index_t solves_ = 0;
  std::array<index_t, 5> statuses_{};
  std::map<std::int32_t, index_t> iterations_;  ///< how many systems took as many
  double worst_residual_ = 0;
  double worst_relative_residual_ = 0;
};

/// The columns of the table of reports, of systems with `sides` right-hand sides each, and its row of a right-hand side. Their
/// numbers have a column where there are several.
std::vector<std::string> report_columns(index_t sides);
std::vector<io::Cell> report_cells(index_t system, index_t side, index_t sides, const batch::Report& report);

/// The table as TSV: its first line, and the lines of systems from `first` on.
std::string report_header(index_t sides);
std::string report_lines(index_t first, std::span<const batch::Report> reports, index_t sides);
/// The table as JSON, which says first what all of its rows come to.
void write_json_report(io::OutputFile& out, const std::vector<batch::Report>& reports, index_t sides,
                       const nlohmann::ordered_json& meta);

}  // namespace phpc::jobs
