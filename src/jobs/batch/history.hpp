#pragma once
#include <limits>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "phpc/batch/solver.hpp"
#include "phpc/io/svg_plot.hpp"

namespace phpc::jobs {

/// How the residuals of a batch fell from iteration to iteration, added up piece by piece: of each iteration the distribution
/// over all systems, to a fiftieth of a decade. A system that has ended keeps its last residual.
class ConvergenceCurves {
 public:
  ConvergenceCurves(double tolerance, batch::ToleranceKind kind) : tolerance_(tolerance), kind_(kind) {}

  /// `histories` of shape (systems, length): residual norms by iteration, NaN after a system's last. They are taken relative to
  /// the norm of each system's right-hand side. `tolerances` (systems), or empty: the same for all.
  void add(std::span<const double> histories, index_t length, std::span<const batch::Report> reports,
           std::span<const double> tolerances = {});

  /// The median, in bands of the middle eight tenths and of all, and the tolerance; where it differs between systems the loosest
  /// and the tightest.
  [[nodiscard]] io::Plot plot(const std::string& title) const;

 private:
  using Distribution = std::map<int, index_t>;  ///< by rounded logarithm

  double tolerance_;
  batch::ToleranceKind kind_;
  double tightest_ =
      std::numeric_limits<double>::infinity();  ///< tolerance of a system, relative to the norm of its right-hand side
  double loosest_ = 0;
  std::vector<Distribution> going_;  ///< by iteration, of systems that go on after it
  std::vector<Distribution> ended_;  ///< by iteration, of systems whose last one it is
};

}  // namespace phpc::jobs
