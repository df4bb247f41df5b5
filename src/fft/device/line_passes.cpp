#include "fft/device/line_passes.hpp"

#include <algorithm>

#include "fft/device/pass_choice.hpp"

namespace phpc::fft {

namespace {

/// The most work memory that a problem takes, unless one line needs more.
constexpr index_t line_work_bytes_limit = index_t{256} << 20;

/// A host team's tile stays in its core's second-level cache beside what it reads and writes.
constexpr std::size_t host_tile_bytes = std::size_t{256} << 10;

template <class Real>
index_t team_capacity(exec::Device device) {
  const std::size_t scratch = device.properties().scratch_bytes;
  const std::size_t bytes = device.is_gpu() ? scratch : std::min(scratch, host_tile_bytes);
  return tile_elements<Real>(static_cast<index_t>(std::max(bytes, static_tile_bytes)));
}

/// How lines of n elements lie in work memory.
template <class Real>
LineSide work_side(const LinePasses<Real>& lines, index_t n) {
  LineSide side{1, std::vector<index_t>(lines.loops.loops.size()), 1, 2};
  index_t distance = n;
  for (std::size_t index = lines.loops.loops.size(); index-- > 0;) {
    const index_t count = lines.loops.loops[index].count;
    if (lines.keeps_columns && index + 1 == lines.loops.loops.size()) {
      side.stride = std::min(count, lines.work_lines);
      side.distances[index] = 1;
    } else {
      side.distances[index] = distance;
    }
    distance *= count;
  }
  return side;
}

}  // namespace

template <class Real>
LinePasses<Real>::LinePasses(exec::Device on, const LineProblem& of, bool may_take_real_passes)
    : device(on),
      problem(of),
      capacity(team_capacity<Real>(on)),
      loops(of),
      from(from_side(of, loops)),
      to(to_side(of, loops)),
      keeps_columns(lie_side_by_side(from) || lie_side_by_side(to)),
      takes_real_passes(may_take_real_passes),
      tables(on) {}

template <class Real>
LineStep<Real>& LinePasses<Real>::add(Place source, Place target, const Pass<Real>& pass) {
  LineStep<Real>& step = steps.emplace_back(LineStep<Real>{source, target, pass});
  step.fixed = find_fixed_kernel(pass, whole_window(step), is_whole(step));
  return step;
}

template <class Real>
LineStep<Real>& LinePasses<Real>::add_whole(Pass<Real> pass, const LineEnds<Real>& ends) {
  pass.load = ends.load;
  pass.store = ends.store;
  add_loops(pass, from, to, {});
  return add(Place::input, Place::output, pass);
}

template <class Real>
void LinePasses<Real>::add_loops(Pass<Real>& pass, const LineSide& source, const LineSide& target,
                                 std::initializer_list<PassLoop> within) const {
  const std::size_t count = loops.loops.size();
  const std::size_t hidden = hidden_loops(count);
  const auto add_line_loop = [&](std::size_t index) {
    if (index == loops.batch) {
      pass.batch_loop = pass.loop_count;
    }
    pass.add_loop({.count = loops.loops[index].count, .from = source.distances[index], .to = target.distances[index]});
  };
  pass.batch_loop = -1;
  for (std::size_t index = hidden; index + 1 < count; ++index) {
    add_line_loop(index);
  }
  if (!keeps_columns) {
    add_line_loop(count - 1);
  }
  for (const PassLoop& loop : within) {
    pass.add_loop(loop);
  }
  if (keeps_columns) {
    add_line_loop(count - 1);
  }
}

template <class Real>
void LinePasses<Real>::allocate_work(index_t n) {
  const index_t fitting = line_work_bytes_limit / (n * static_cast<index_t>(sizeof(Complex<Real>)));
  const index_t inner = neighbours();
  // Where not all neighbours fit, work memory holds whole lines of memory of them at a time.
  constexpr index_t whole = 2 * columns_of_line;
  keeps_columns = keeps_columns && fitting >= std::min(inner, whole);
  const index_t fitting_lines = keeps_columns && fitting < inner ? fitting / whole * whole : fitting;
  work_lines = std::clamp<index_t>(fitting_lines, 1, loops.lines());
  work = work_side(*this, n);
  first_work = exec::Buffer<Complex<Real>>(device, work_lines * n);
}

template <class Real>
void LinePasses<Real>::take_general_pass(LineStep<Real>& step) {
  const bool is_transform = step.pass.form == PassForm::rows || step.pass.form == PassForm::columns;
  if (tables.fixed_scratch() == 0 || !is_transform || step.pass.length == 1 || step.fixed.launch != nullptr) {
    return;
  }
  // Real numbers may begin between pairs, where only hooks find them; another kernel may take them if it knows the length.
  const bool is_outer = step.from == Place::input || step.to == Place::output;
  const bool are_pairs = is_whole(step) && problem.is_real() && is_outer && step.pass.stage_count == 0;
  needs_whole_from = needs_whole_from || (are_pairs && takes_real_passes && step.from == Place::input);
  needs_whole_to = needs_whole_to || (are_pairs && takes_real_passes && step.to == Place::output);
  const bool is_surely_whole = is_whole(step) && (!are_pairs || takes_real_passes);
  const PassNumbers numbers = is_surely_whole ? PassNumbers::whole : problem.is_real() ? PassNumbers::any : PassNumbers::complex;
  const bool is_convolution = column_radices<Real>(step.pass.length).empty();
  step.general = is_convolution ? tables.general_convolution(step.pass, numbers, most_general_width())
                                : tables.general_pass(step.pass, numbers, most_general_width());
}

template <class Real>
int LinePasses<Real>::row_width(index_t length) const {
  const index_t inner = neighbours();
  const index_t usual = tile_elements<Real>(static_cast<index_t>(static_tile_bytes)) / length;
  const index_t enough = ceil_div(index_t{1024}, length);
  const index_t spread = ceil_div(loops.lines(), 2 * static_cast<index_t>(device.properties().compute_units));
  return static_cast<int>(std::clamp<index_t>(std::min(usual, std::max(enough, spread)), 1, inner));
}

template <class Real>
int LinePasses<Real>::column_width(index_t length, index_t inner) const {
  const index_t usual = tile_elements<Real>(static_cast<index_t>(static_tile_bytes)) / length;
  const index_t width = usual >= columns_of_line ? usual : std::min(columns_of_line, capacity / length);
  return static_cast<int>(std::clamp<index_t>(width, 1, inner));
}

template <class Real>
index_t LinePasses<Real>::most_general_width() const {
  return std::max<index_t>(1, loops.lines() / (2 * static_cast<index_t>(device.properties().compute_units)));
}

template <class Real>
typename LinePasses<Real>::Chunks LinePasses<Real>::chunks_of(const std::vector<index_t>& counts) const {
  Chunks chunks{hidden_loops(counts.size()), 1};
  for (std::size_t index = chunks.loop + 1; index < counts.size(); ++index) {
    chunks.inside *= counts[index];
  }
  while (work_lines > 0 && chunks.inside > work_lines) {
    chunks.inside /= counts[++chunks.loop];
  }
  return chunks;
}

template <class Real>
PassWindow LinePasses<Real>::window_of(const LineStep<Real>& step, std::size_t chunk_loop, index_t chunk, index_t batch) const {
  const std::size_t count = loops.loops.size();
  const std::size_t hidden = hidden_loops(count);
  const auto first = static_cast<int>(chunk_loop - hidden);
  const bool is_last_column = keeps_columns && chunk_loop + 1 == count;
  return {first, is_last_column ? step.pass.loop_count - 1 : first, chunk, batch};
}

template <class Real>
PassWindow LinePasses<Real>::whole_window(const LineStep<Real>& step) const {
  std::vector<index_t> counts;
  counts.reserve(loops.loops.size());
  for (const LineLoop& loop : loops.loops) {
    counts.push_back(loop.count);
  }
  const std::size_t chunk_loop = chunks_of(counts).loop;
  return window_of(step, chunk_loop, counts[chunk_loop], counts[loops.batch]);
}

template <class Real>
bool LinePasses<Real>::is_whole(const LineStep<Real>& step) const {
  return (step.from != Place::input || is_interleaved(from)) && (step.to != Place::output || is_interleaved(to));
}

template <class Real>
std::uint64_t LinePasses<Real>::device_bytes() const {
  return tables.bytes() + static_cast<std::uint64_t>(first_work.size() + second_work.size()) * sizeof(Complex<Real>);
}

template struct LinePasses<float>;
template struct LinePasses<double>;

}  // namespace phpc::fft
