#include <algorithm>
#include <memory>
#include <span>
#include <string>

#include "fft/device/fixed/shapes/lookup.hpp"
#include "fft/device/lines_ends.hpp"
#include "fft/device/pass_choice.hpp"
#include "fft/device/r2c_postprocess.hpp"
#include "phpc/core/error.hpp"

namespace phpc::fft {

namespace {

/// The most work memory that a problem takes, unless one line needs more.
constexpr index_t work_bytes_limit = index_t{256} << 20;

/// A host team's tile stays in its core's second-level cache beside what it reads and writes.
constexpr std::size_t host_tile_bytes = std::size_t{256} << 10;

template <class Real>
index_t team_capacity(exec::Device device) {
  const std::size_t scratch = device.properties().scratch_bytes;
  const std::size_t bytes = device.is_gpu() ? scratch : std::min(scratch, host_tile_bytes);
  return tile_elements<Real>(static_cast<index_t>(std::max(bytes, static_tile_bytes)));
}

/// Elements of a tile of which several stay in the scratch of a multiprocessor.
template <class Real>
index_t teams_capacity(std::size_t scratch, int teams) {
  return static_cast<index_t>(scratch / (static_cast<std::size_t>(teams) * sizeof(Complex<Real>)));
}

/// An array as passes see it, from its first element on.
template <class Real>
Parts<Real> parts_of(const LineSide& side, Array<Real> array) {
  return {array.first(), side.second != 0 ? array.first() + side.second : array.second(), side.pitch};
}

template <class Real>
Parts<Real> parts_of(Complex<Real>* values) {
  auto* const first = reinterpret_cast<Real*>(values);
  return {first, first + 1, 2};
}

}  // namespace

template <class Real>
DeviceLines<Real>::DeviceLines(exec::Device device, const LineProblem& problem, bool takes_real_passes)
    : device_(device),
      capacity_(team_capacity<Real>(device)),
      loops_(problem),
      from_(from_side(problem, loops_)),
      to_(to_side(problem, loops_)),
      keeps_columns_(lie_side_by_side(from_) || lie_side_by_side(to_)),
      takes_real_passes_(takes_real_passes),
      problem_(problem),
      tables_(device) {
  add_lines(problem);
  std::vector<Pass<Real>> passes;
  passes.reserve(steps_.size());
  for (const Step& step : steps_) {
    passes.push_back(step.pass);
  }
  passes_ = exec::Buffer<Pass<Real>>(device, std::span<const Pass<Real>>(passes));
}

template <class Real>
void DeviceLines<Real>::add_lines(const LineProblem& problem) {
  const bool is_even = problem.length % 2 == 0;
  const bool from_reals = problem.from == Elements::real;
  const bool to_reals = problem.to == Elements::real;
  const index_t n = problem.is_real() && is_even ? problem.length / 2 : problem.length;
  Ends ends{Place::input, Place::output, from_, to_};
  ends.load.swap = problem.direction == Direction::inverse;
  ends.store.swap_last = ends.load.swap;
  ends.store.scale = static_cast<Real>(problem.scale);
  ends.is_plain = problem.from == Elements::complex && problem.to == Elements::complex;
  ends.is_real = problem.is_real() && is_even;
  if (!problem.box.empty()) {
    add_box(problem, ends.load, ends.store);
    return;
  }
  const PassForm form = from_reals ? PassForm::fused_four_step_from_real
                        : to_reals ? PassForm::fused_four_step_to_real
                                   : PassForm::fused_four_step;
  if ((ends.is_plain || ends.is_real) && add_fused_four_step(form, n, ends.load, ends.store)) {
    return;
  }
  if (add_short_reals(problem, ends)) {
    return;
  }
  if (to_reals) {
    ends.load.half = is_even ? HalfSpectrum::even : HalfSpectrum::odd;
    ends.load.half_length = n;
    ends.load.stride = from_.stride;
    ends.load.roots = is_even ? tables_.keep_roots(2 * n, n) : nullptr;
  }
  if (from_reals && !is_even) {
    ends.store.count = n / 2 + 1;
  }
  const bool postprocesses = from_reals && is_even;
  ends.r2c_roots = postprocesses ? tables_.keep_roots(2 * n, n + 1) : nullptr;
  ends.takes_general_reals = takes_general_reals(problem, n);
  const bool are_rows = ends.is_plain && loops_.loops.size() == 1 && from_.stride == 1 && to_.stride == 1;
  const bool has_kernel = are_rows && !fixed_radices<Real>(PassForm::rows, n, tables_.fixed_scratch()).empty();
  if (is_smooth(n) || has_kernel) {
    const bool is_one_pass = does_one_pass(problem, ends, n);
    if (!is_one_pass && add_real_passes(problem, ends)) {
      return;
    }
    const std::vector<index_t> lengths = is_one_pass ? std::vector{n} : smooth_passes(problem, ends, n);
    if (lengths.size() > 1) {
      allocate_work(n);
    }
    add_smooth(ends, n, lengths);
  } else if (add_real_convolution(problem, ends)) {
    return;
  } else {
    add_bluestein(ends, n);
  }
  if (postprocesses && steps_.back().pass.store.r2c_roots == nullptr) {
    add_r2c_postprocess(ends, n);
  }
}

/// Whether a GPU has a kernel that does lines of n smooth elements in one pass: one of their length, or the general one.
template <class Real>
bool DeviceLines<Real>::does_one_pass(const LineProblem& problem, const Ends& ends, index_t n) const {
  if (ends.is_real && !fixed_radices<Real>(real_rows_form(problem), n, tables_.fixed_scratch()).empty()) {
    return true;
  }
  return (ends.takes_general_reals || takes_general_rows(ends.is_plain, n)) &&
         n <= std::min(capacity_, teams_capacity<Real>(tables_.fixed_scratch(), ends.takes_general_reals ? 1 : 2));
}

/// The lengths of the passes of lines of n smooth elements. Of complex numbers, planar ones too, columns of any length go by the
/// general kernel.
template <class Real>
std::vector<index_t> DeviceLines<Real>::smooth_passes(const LineProblem& problem, const Ends& ends, index_t n) const {
  const bool is_complex = !problem.is_real();
  const ColumnPlaces columns = is_complex ? column_places(from_, to_, loops_.loops.back().count) : ColumnPlaces{};
  return chosen_passes<Real>(n, capacity_, is_complex || ends.is_real ? tables_.fixed_scratch() : 0, columns,
                             !is_complex || ends.is_plain);
}

/// Whole transforms in a row: a full tile, unless a small batch would then leave processors without a team.
template <class Real>
int DeviceLines<Real>::row_width(index_t length) const {
  const index_t inner = loops_.loops.back().count;
  const index_t usual = tile_elements<Real>(static_cast<index_t>(static_tile_bytes)) / length;
  const index_t enough = ceil_div(index_t{1024}, length);
  const index_t spread = ceil_div(loops_.lines(), 2 * static_cast<index_t>(device_.properties().compute_units));
  return static_cast<int>(std::clamp<index_t>(std::min(usual, std::max(enough, spread)), 1, inner));
}

/// Transforms side by side: the usual tile where it takes whole lines of memory, else as much scratch as that needs.
template <class Real>
int DeviceLines<Real>::column_width(index_t length, index_t inner) const {
  const index_t usual = tile_elements<Real>(static_cast<index_t>(static_tile_bytes)) / length;
  const index_t width = usual >= columns_of_line ? usual : std::min(columns_of_line, capacity_ / length);
  return static_cast<int>(std::clamp<index_t>(width, 1, inner));
}

/// How lines of n elements lie in work memory.
template <class Real>
LineSide DeviceLines<Real>::work_side(index_t n) const {
  LineSide side{1, std::vector<index_t>(loops_.loops.size()), 1, 2};
  index_t distance = n;
  for (std::size_t index = loops_.loops.size(); index-- > 0;) {
    const index_t count = loops_.loops[index].count;
    if (keeps_columns_ && index + 1 == loops_.loops.size()) {
      side.stride = std::min(count, work_lines_);
      side.distances[index] = 1;
    } else {
      side.distances[index] = distance;
    }
    distance *= count;
  }
  return side;
}

template <class Real>
void DeviceLines<Real>::allocate_work(index_t n) {
  const index_t fitting = work_bytes_limit / (n * static_cast<index_t>(sizeof(Complex<Real>)));
  const index_t inner = loops_.loops.back().count;
  // Where not all neighbours fit, work memory holds whole lines of memory of them at a time.
  constexpr index_t whole = 2 * columns_of_line;
  keeps_columns_ = keeps_columns_ && fitting >= std::min(inner, whole);
  const index_t lines = keeps_columns_ && fitting < inner ? fitting / whole * whole : fitting;
  work_lines_ = std::clamp<index_t>(lines, 1, loops_.lines());
  work_ = work_side(n);
  first_work_ = exec::Buffer<Complex<Real>>(device_, work_lines_ * n);
}

/// The loops over lines, and those within a line: outside of the last one where lines are neighbours.
template <class Real>
void DeviceLines<Real>::add_loops(Pass<Real>& pass, const LineSide& from, const LineSide& to,
                                  std::initializer_list<PassLoop> within) const {
  const std::size_t count = loops_.loops.size();
  const std::size_t hidden = hidden_loops(count);
  const auto add_line_loop = [&](std::size_t index) {
    if (index == loops_.batch) {
      pass.batch_loop = pass.loop_count;
    }
    pass.add_loop({.count = loops_.loops[index].count, .from = from.distances[index], .to = to.distances[index]});
  };
  pass.batch_loop = -1;
  for (std::size_t index = hidden; index + 1 < count; ++index) {
    add_line_loop(index);
  }
  if (!keeps_columns_) {
    add_line_loop(count - 1);
  }
  for (const PassLoop& loop : within) {
    pass.add_loop(loop);
  }
  if (keeps_columns_) {
    add_line_loop(count - 1);
  }
}

template <class Real>
void DeviceLines<Real>::add_smooth(const Ends& ends, index_t n, const std::vector<index_t>& lengths) {
  if (lengths.size() > 1) {
    for (std::size_t index = 0; index < lengths.size(); ++index) {
      add_pass(ends, n, lengths, index);
    }
    return;
  }
  Pass<Real> pass;
  const bool are_rows = ends.from_side.stride == 1 && ends.to_side.stride == 1;
  // Kernels of rows know interleaved complex numbers, or whole lines of real ones.
  const PassForm rows = ends.is_real ? real_rows_form(problem_) : ends.is_plain ? PassForm::rows : PassForm::columns;
  tables_.set_transform(pass, are_rows ? rows : PassForm::columns, n);
  pass.from_step = ends.from_side.stride;
  pass.to_step = ends.to_side.stride;
  pass.load = ends.load;
  pass.store = ends.store;
  pass.store.r2c_roots = ends.r2c_roots;
  pass.width = are_rows ? row_width(n) : column_width(n, loops_.loops.back().count);
  add_loops(pass, ends.from_side, ends.to_side, {});
  steps_.push_back({ends.from, ends.to, Action::transform, pass});
  if (ends.takes_general_reals) {
    take_general_reals(steps_.back(), pass.load.half == HalfSpectrum::none, ends.is_real);
  } else if (takes_general_rows(ends.is_plain, n)) {
    take_general_rows(steps_.back(), {ends.from_side.distances[0], ends.to_side.distances[0]});
  } else {
    take_general_pass(steps_.back());
  }
}

/// All passes but the last work on columns and stay where they are, so that they may run in place in work memory; the last reads
/// rows and writes columns, which puts the result into natural order (Bailey, "FFTs in external or hierarchical memory", 1990).
template <class Real>
void DeviceLines<Real>::add_pass(const Ends& ends, index_t n, const std::vector<index_t>& lengths, std::size_t index) {
  const bool is_first = index == 0;
  const bool is_last = index + 1 == lengths.size();
  index_t done = 1;  // product of the lengths of earlier passes
  for (std::size_t earlier = 0; earlier < index; ++earlier) {
    done *= lengths[earlier];
  }
  const index_t length = lengths[index];
  const index_t rest = n / done / length;  // product of the lengths of later passes
  const Place between = ends.from == Place::input ? Place::first_work : ends.from;
  const LineSide& from = is_first ? ends.from_side : work_;
  const LineSide& to = is_last ? ends.to_side : work_;

  Pass<Real> pass;
  tables_.set_transform(pass, PassForm::columns, length);
  // Loops within a line, by positions: the distances follow.
  PassLoop middle;
  PassLoop inner;
  if (is_last) {
    const index_t first = lengths.front();
    middle = {.count = done / first, .from_position = length, .to_position = first};
    inner = {.count = first, .from_position = n / first, .to_position = 1};
    pass.from_position = 1;
    pass.to_position = done;
    pass.store = ends.store;
  } else {
    middle = {.count = done, .from_position = rest * length, .to_position = rest * length};
    inner = {.count = rest, .from_position = 1, .to_position = 1, .twiddle_step = 1};
    pass.from_position = rest;
    pass.to_position = rest;
    tables_.set_four_step_twiddles(pass, rest * length);
  }
  for (PassLoop* const loop : {&middle, &inner}) {
    loop->from = loop->from_position * from.stride;
    loop->to = loop->to_position * to.stride;
  }
  pass.from_step = pass.from_position * from.stride;
  pass.to_step = pass.to_position * to.stride;
  if (is_first) {
    pass.load = ends.load;
  }
  if (middle.count == 1) {
    add_loops(pass, from, to, {inner});
  } else {
    add_loops(pass, from, to, {middle, inner});
  }
  pass.width = column_width(length, pass.loops[pass.loop_count - 1].count);
  steps_.push_back({is_first ? ends.from : between, is_last ? ends.to : between, Action::transform, pass});
  take_general_pass(steps_.back());
}

template <class Real>
void DeviceLines<Real>::add_r2c_postprocess(const Ends& ends, index_t m) {
  Pass<Real> pass;
  pass.to_step = ends.to_side.stride;
  pass.store.r2c_roots = ends.r2c_roots;
  pass.store.count = m;
  const index_t last = loops_.loops.back().count;
  const index_t pairs = m / 2 + 1;
  const index_t block = r2c_postprocess_block;
  if (pairs <= block) {
    add_loops(pass, ends.to_side, ends.to_side, {});
    pass.width = static_cast<int>(std::min(last, block / pairs));
  } else {
    const PassLoop blocks{.count = ceil_div(pairs, block), .to_position = block};
    add_loops(pass, ends.to_side, ends.to_side, {blocks});
    pass.width = keeps_columns_ ? static_cast<int>(std::min<index_t>(last, columns_of_line)) : 1;
  }
  steps_.push_back({Place::output, Place::output, Action::r2c_postprocess, pass});
}

template <class Real>
typename DeviceLines<Real>::Chunks DeviceLines<Real>::chunks_of(const std::vector<index_t>& counts) const {
  Chunks chunks{hidden_loops(counts.size()), 1};
  for (std::size_t index = chunks.loop + 1; index < counts.size(); ++index) {
    chunks.inside *= counts[index];
  }
  while (work_lines_ > 0 && chunks.inside > work_lines_) {
    chunks.inside /= counts[++chunks.loop];
  }
  return chunks;
}

template <class Real>
PassWindow DeviceLines<Real>::window_of(const Step& step, std::size_t chunk_loop, index_t chunk, index_t batch) const {
  const std::size_t count = loops_.loops.size();
  const std::size_t hidden = hidden_loops(count);
  const auto first = static_cast<int>(chunk_loop - hidden);
  const bool is_last_column = keeps_columns_ && chunk_loop + 1 == count;
  return {first, is_last_column ? step.pass.loop_count - 1 : first, chunk, batch};
}

template <class Real>
PassWindow DeviceLines<Real>::whole_window(const Step& step) const {
  std::vector<index_t> counts;
  counts.reserve(loops_.loops.size());
  for (const LineLoop& loop : loops_.loops) {
    counts.push_back(loop.count);
  }
  const std::size_t chunk_loop = chunks_of(counts).loop;
  return window_of(step, chunk_loop, counts[chunk_loop], counts[loops_.batch]);
}

template <class Real>
void DeviceLines<Real>::run(Array<const Real> from, Array<Real> to, index_t batch) const {
  std::vector<index_t> counts;
  index_t lines = 1;
  for (std::size_t index = 0; index < loops_.loops.size(); ++index) {
    counts.push_back(index == loops_.batch ? batch * loops_.per_batch : loops_.loops[index].count);
    lines *= counts.back();
  }
  if (lines == 0) {
    return;
  }
  if (needs_whole_ && !(problem_.from == Elements::real ? are_whole(parts_of(to_, to)) : are_whole(parts_of(from_, from)))) {
    if (at_any_place_ == nullptr) {
      at_any_place_ = std::make_unique<DeviceLines>(device_, problem_, false);
    }
    at_any_place_->run(from, to, batch);
    return;
  }
  // The loop of the chunks is done in chunks, those within it wholly by the kernels, those around it here.
  const Chunks chunks = chunks_of(counts);
  const index_t count = counts[chunks.loop];
  const index_t chunk = work_lines_ > 0 ? std::min(count, work_lines_ / chunks.inside) : count;
  index_t around = 1;
  for (std::size_t index = 0; index < chunks.loop; ++index) {
    around *= counts[index];
  }
  for (index_t outer = 0; outer < around; ++outer) {
    index_t from_offset = 0;
    index_t to_offset = 0;
    index_t rest = outer;
    for (std::size_t index = chunks.loop; index-- > 0;) {
      from_offset += rest % counts[index] * from_.distances[index];
      to_offset += rest % counts[index] * to_.distances[index];
      rest /= counts[index];
    }
    for (index_t done = 0; done < count; done += chunk) {
      run_chunk(parts_of(from_, from).from(from_offset + done * from_.distances[chunks.loop]),
                parts_of(to_, to).from(to_offset + done * to_.distances[chunks.loop]), chunks.loop, std::min(chunk, count - done),
                batch);
    }
  }
}

template <class Real>
void DeviceLines<Real>::run_chunk(const Parts<const Real>& in, const Parts<Real>& out, std::size_t chunk_loop, index_t count,
                                  index_t batch) const {
  const auto parts = [&](Place place) { return parts_of(place == Place::first_work ? first_work_.data() : second_work_.data()); };
  for (std::size_t index = 0; index < steps_.size(); ++index) {
    const Step& step = steps_[index];
    const PassWindow window = window_of(step, chunk_loop, count, batch * loops_.per_batch);
    const Parts<Real> target = step.to == Place::output ? out : parts(step.to);
    if (step.action == Action::r2c_postprocess) {
      launch_r2c_postprocess(device_, step.pass, passes_.data() + index, window, target);
      continue;
    }
    const Parts<Real> work = step.from == Place::input ? target : parts(step.from);
    run_transforms(index, window, step.from == Place::input ? in : Parts<const Real>{work.first, work.second, work.pitch},
                   target);
  }
}

template <class Real>
void DeviceLines<Real>::run_transforms(std::size_t index, const PassWindow& window, const Parts<const Real>& in,
                                       const Parts<Real>& out) const {
  const Step& step = steps_[index];
  if (step.short_reals.length > 0) {
    launch_short_reals(device_, step.short_reals,
                       ShortRealRows<Real>{in.first, out.first, window.chunk_count, from_.pitch * from_.distances[0],
                                           to_.pitch * to_.distances[0], step.pass.store.scale});
    return;
  }
  if (run_general(index, window, in, out)) {
    return;
  }
  if (step.general.is_alone()) {
    fail(ErrorKind::usage, "too many transforms of length " + std::to_string(step.pass.length) + " for one call on this device");
  }
  launch_pass(device_, step.pass, passes_.data() + index, window, in, out);
}

template <class Real>
std::uint64_t DeviceLines<Real>::device_bytes() const {
  return tables_.bytes() + static_cast<std::uint64_t>(first_work_.size() + second_work_.size()) * sizeof(Complex<Real>) +
         (at_any_place_ != nullptr ? at_any_place_->device_bytes() : 0);
}

template class DeviceLines<float>;
template class DeviceLines<double>;

}  // namespace phpc::fft
