#pragma once
#include <optional>
#include <string>

#include "fft/host/long_lines/line_transform.hpp"
#include "fft/host/memory/cursor.hpp"
#include "fft/host/transforms/halves.hpp"
#include "fft/lines/line.hpp"

namespace phpc::fft {

/// Transforms lines one after the other, with the lanes of packs filled from within each line: for long lines, and for few.
template <class Real>
class LongLineFft {
 public:
  /// nullopt where lines are too short for that.
  static std::optional<LongLineFft> make(const LineProblem& problem);

  [[nodiscard]] std::size_t table_bytes() const;
  [[nodiscard]] std::string describe() const;  ///< see HostLines
  /// Scratch of a crew, and of each of its threads.
  [[nodiscard]] std::size_t shared_bytes() const;
  [[nodiscard]] std::size_t own_bytes() const;
  /// Scratch: shared_bytes() of a crew, own_bytes() of each of its threads.
  struct Scratch {
    std::byte* shared;
    std::byte* own;
  };
  /// Does one line, which begins where the arrays do; every thread of the crew calls it. What is streamed is to be finished.
  void run_line(const Crew& crew, const Array<const Real>& from, const Array<Real>& to, Stores stores, Prefetcher& prefetcher,
                const Scratch& scratch) const;
  /// Takes all lines that the cursor has left; every thread of the crew calls it with the same lines.
  void run(const Crew& crew, LineCursor cursor, Array<const Real> from, Array<Real> to, Stores stores,
           const Scratch& scratch) const;

 private:
  using Value = PackValue<Real>;

  LongLineFft(const LineProblem& problem, HostLineTransform<Real> transform);
  void gather(const Crew& crew, Array<const Real> from, Real* line) const;
  void scatter(const Crew& crew, const Real* line, Array<Real> to, Stores stores) const;

  LineProblem problem_;
  index_t length_;  ///< of the complex transform
  HostLineTransform<Real> transform_;
  std::optional<HostHalves<Real>> halves_;
  bool reads_in_place_;   ///< the transform reads the array itself
  bool writes_in_place_;  ///< and writes it
};

}  // namespace phpc::fft
