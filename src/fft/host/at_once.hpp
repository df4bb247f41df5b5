#pragma once
#include "fft/host/long_lines/long_line_fft.hpp"
#include "fft/host/narrow/narrow_column_fft.hpp"
#include "fft/host/narrow/narrow_line_fft.hpp"
#include "fft/host/short_lines/short_line_fft.hpp"
#include "fft/lines/line.hpp"

namespace phpc::fft {

/// Scratch of up to so many bytes is taken from the stack: a lease (scratch.hpp) takes 30 ns, as long as a transform of 64
/// elements.
inline constexpr std::size_t stack_bytes = std::size_t{40} << 10;

/// Transforms a few short lines of one loop on the calling thread, with scratch on the stack. It allocates nothing and does not
/// call the OpenMP run-time library, which would take longer than such transforms.
template <class Real>
class HostAtOnce {
 public:
  HostAtOnce(const NarrowLineFft<Real>& narrow, const LineProblem& problem, const LineLoop& loop)
      : narrow_(&narrow), loop_(in_numbers(problem, loop)) {
    if (loop.count == 1) {
      only_stage_ = narrow.only_stage();
    }
  }
  /// Of lines that are neighbours in the inner loop, repeated over the outer one.
  HostAtOnce(const NarrowColumnFft<Real>& columns, const LineLoop& outer, const LineLoop& inner)
      : columns_(&columns), loop_{outer.count, 2 * outer.from, 2 * outer.to}, neighbours_(inner.count) {}
  /// Of lines that go alone: group() is 1.
  HostAtOnce(const ShortLineFft<Real>& short_lines, const LineLoop& loop)
      : short_lines_(&short_lines), loop_{loop.count, 2 * loop.from, 2 * loop.to} {}
  HostAtOnce(const LongLineFft<Real>& long_lines, const LineLoop& loop)
      : long_lines_(&long_lines), loop_(loop), own_bytes_(aligned(long_lines.own_bytes())) {}

  /// Whether scratch for such lines is small enough.
  static bool fits(const NarrowLineFft<Real>& narrow) { return narrow.scratch_bytes() <= stack_bytes; }
  static bool fits(const NarrowColumnFft<Real>& columns) { return columns.scratch_bytes() <= stack_bytes; }
  static bool fits(const LongLineFft<Real>& long_lines) {
    return aligned(long_lines.own_bytes()) + long_lines.shared_bytes() <= stack_bytes;
  }

  void run(const Array<const Real>& from, const Array<Real>& to) const {
    if (only_stage_ != nullptr) {
      only_stage_->run(*only_stage_, from.first(), to.first());
    } else if (narrow_ != nullptr) {
      run_narrow(from.first(), to.first());
    } else if (short_lines_ != nullptr) {
      short_lines_->run({from.first(), loop_.from, to.first(), loop_.to, loop_.count, Stores::cached});
    } else if (columns_ != nullptr) {
      run_columns(from.first(), to.first());
    } else {
      run_long_lines(from, to);
    }
  }

 private:
  static std::size_t aligned(std::size_t bytes) {
    constexpr std::size_t each = alignof(PackValue<Real>);
    return (bytes + each - 1) / each * each;
  }
  static LineLoop in_numbers(const LineProblem& problem, const LineLoop& loop) {
    return {loop.count, loop.from * (problem.from == Elements::complex ? 2 : 1),
            loop.to * (problem.to == Elements::complex ? 2 : 1)};
  }
  void run_narrow(const Real* from, Real* to) const;
  void run_columns(const Real* from, Real* to) const;
  void run_long_lines(const Array<const Real>& from, const Array<Real>& to) const;

  const NarrowStage<Real>* only_stage_ = nullptr;  ///< of narrow_, where there is one line
  const NarrowLineFft<Real>* narrow_ = nullptr;    ///< one of these four
  const ShortLineFft<Real>* short_lines_ = nullptr;
  const NarrowColumnFft<Real>* columns_ = nullptr;
  const LongLineFft<Real>* long_lines_ = nullptr;
  LineLoop loop_;  ///< distances in real numbers, but those of long_lines_
  index_t neighbours_ = 1;
  std::size_t own_bytes_ = 0;
};

}  // namespace phpc::fft
