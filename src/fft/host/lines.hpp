#pragma once
#include <cstdint>
#include <memory>
#include <string>

#include "fft/host/at_once.hpp"
#include "fft/lines/line.hpp"

namespace phpc::fft {

/// Transforms lines along an axis on the host's threads, by one of the ways in the folders beside. Real is float or double.
template <class Real>
class HostLines {
 public:
  /// Throws Error(memory) when the tables do not fit.
  explicit HostLines(const LineProblem& problem);
  HostLines(HostLines&&) noexcept;
  HostLines& operator=(HostLines&&) noexcept;
  ~HostLines();

  /// Does the first `batch` of loops[0], and all of the other loops. Threads may share it.
  void run(Array<const Real> from, Array<Real> to, index_t batch) const;
  /// What does the whole batch, where that is little work; else nullptr. It gives the same bytes as run().
  [[nodiscard]] const HostAtOnce<Real>* at_once() const;
  [[nodiscard]] std::uint64_t table_bytes() const;
  /// Says how a line is done, for the text of Plan::describe().
  [[nodiscard]] std::string describe() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace phpc::fft
