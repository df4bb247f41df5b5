#include "fft/device/register_row_steps.hpp"

namespace phpc::fft {

namespace {

/// Whether the rows of one side are as the kernel finds them: interleaved complex numbers, pairs of real ones, or an odd number
/// of real ones.
bool are_found(const LineSide& side, bool are_odd) {
  return side.stride == 1 && (is_interleaved(side) || (are_odd && side.pitch == 1 && side.second == 0));
}

}  // namespace

template <class Real>
void take_register_rows(LinePasses<Real>& lines) {
  const LineProblem& problem = lines.problem;
  const RowKind numbers = problem.from == Elements::real ? RowKind::from_reals
                          : problem.to == Elements::real ? RowKind::to_reals
                                                         : RowKind::complex;
  const bool are_rows = lines.tables.fixed_scratch() > 0 && lines.steps.size() == 1 && problem.box.empty() &&
                        lines.loops.loops.size() == 1 && register_row_class<Real>(numbers, problem.length) >= 0;
  const bool are_odd_reals = problem.is_real() && problem.length % 2 == 1;
  if (!are_rows || !are_found(lines.from, are_odd_reals) || !are_found(lines.to, are_odd_reals)) {
    return;
  }
  // A kernel of its length is up to 1.04 times as fast, or up to 1.1 times as slow where real numbers in f32 are the result.
  const bool has_kernel =
      lines.steps.front().fixed.launch != nullptr && !(numbers == RowKind::to_reals && sizeof(Real) == sizeof(float));
  // Fewer teams do not fill the multiprocessors: with 82 on an H200 (25 complex numbers, 2 MiB) another kernel took 7 us, not 10.
  const index_t teams = lines.loops.lines() / register_rows_of_team(numbers, static_cast<unsigned>(problem.length));
  if (has_kernel || teams < 4 * static_cast<index_t>(lines.device.properties().compute_units)) {
    return;
  }
  lines.steps.front().register_rows = {static_cast<unsigned>(problem.length), numbers};
}

template void take_register_rows(LinePasses<float>&);
template void take_register_rows(LinePasses<double>&);

}  // namespace phpc::fft
