#include "fft/device/lines.hpp"

#include <algorithm>
#include <limits>
#include <span>
#include <vector>

#include "fft/device/convolution_passes.hpp"
#include "fft/device/describe_passes.hpp"
#include "fft/device/fixed/shapes/lookup.hpp"
#include "fft/device/fixed_passes.hpp"
#include "fft/device/real_passes.hpp"
#include "fft/device/register_row_steps.hpp"
#include "fft/device/smooth_passes.hpp"
#include "phpc/core/error.hpp"

namespace phpc::fft {

namespace {

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

template <class Part>
HookedArray<Part> hooked_array(const Parts<Part>& parts) {
  return {parts.first, parts.second, static_cast<std::uint32_t>(parts.pitch), are_whole(parts) ? 1U : 0U};
}

/// Adds the pass of boxes of several axes.
template <class Real>
void add_box(LinePasses<Real>& lines, const LineEnds<Real>& ends) {
  Pass<Real> pass;
  pass.length = static_cast<int>(lines.problem.length);
  LineStep<Real>& step = lines.add_whole(pass, ends);
  step.box = lines.problem.box;
  step.general = lines.tables.general_box(step.box, lines.most_general_width(), {lines.from.distances[0], lines.to.distances[0]});
}

/// Adds the passes of a problem, by the first of the ways that can do them.
template <class Real>
void add_passes(LinePasses<Real>& lines) {
  const LineProblem& problem = lines.problem;
  const bool is_even = problem.length % 2 == 0;
  const bool from_reals = problem.from == Elements::real;
  const bool to_reals = problem.to == Elements::real;
  const index_t n = problem.is_real() && is_even ? problem.length / 2 : problem.length;
  LineEnds<Real> ends{Place::input, Place::output, lines.from, lines.to};
  ends.load.swap = problem.direction == Direction::inverse;
  ends.store.swap_last = ends.load.swap;
  ends.store.scale = static_cast<Real>(problem.scale);
  ends.is_plain = problem.from == Elements::complex && problem.to == Elements::complex;
  ends.is_real = problem.is_real() && is_even;
  if (!problem.box.empty()) {
    add_box(lines, ends);
    return;
  }
  const PassForm form = from_reals ? PassForm::fused_four_step_from_real
                        : to_reals ? PassForm::fused_four_step_to_real
                                   : PassForm::fused_four_step;
  if ((ends.is_plain || ends.is_real) && add_fused_four_step(lines, ends, form, n)) {
    return;
  }
  if (ends.is_plain && add_fused_last_passes(lines, ends, n)) {
    return;
  }
  if (add_short_reals(lines, ends)) {
    return;
  }
  if (to_reals) {
    ends.load.half = is_even ? HalfSpectrum::even : HalfSpectrum::odd;
    ends.load.half_length = n;
    ends.load.stride = lines.from.stride;
    ends.load.roots = is_even ? lines.tables.keep_roots(2 * n, n) : nullptr;
  }
  if (from_reals && !is_even) {
    ends.store.count = n / 2 + 1;
  }
  const bool postprocesses = from_reals && is_even;
  ends.r2c_roots = postprocesses ? lines.tables.keep_roots(2 * n, n + 1) : nullptr;
  ends.takes_general_reals = takes_general_reals(lines, n);
  const bool are_rows = ends.is_plain && lines.loops.loops.size() == 1 && lines.from.stride == 1 && lines.to.stride == 1;
  const bool has_kernel = are_rows && !fixed_radices<Real>(PassForm::rows, n, lines.tables.fixed_scratch()).empty();
  const bool is_one_pass = does_one_pass(lines, ends, n);
  if (is_smooth(n) || has_kernel || (ends.takes_general_reals && is_one_pass)) {
    if (!is_one_pass && add_real_passes(lines, ends)) {
      return;
    }
    const std::vector<index_t> lengths = is_one_pass ? std::vector{n} : smooth_pass_lengths(lines, ends, n);
    if (lengths.size() > 1) {
      lines.allocate_work(n);
    }
    add_smooth(lines, ends, n, lengths);
  } else if (add_fixed_real_convolution(lines, ends) || add_real_passes(lines, ends) || add_real_convolution(lines, ends)) {
    return;
  } else {
    add_convolution(lines, ends, n);
  }
  if (postprocesses && lines.steps.back().pass.store.r2c_roots == nullptr) {
    add_r2c_postprocess(lines, ends, n);
  }
}

}  // namespace

template <class Real>
bool takes_box(exec::Device device, const LineProblem& problem) {
  constexpr std::size_t teams = 2;
  const std::size_t bytes = static_cast<std::size_t>(problem.length) * sizeof(Complex<Real>);
  return device.is_gpu() && LineLoops(problem).loops.size() == 1 && teams * bytes <= device.properties().scratch_bytes &&
         problem.length <= std::numeric_limits<std::uint16_t>::max() && general_box_shape<Real>(problem.box, 1).team_size > 0;
}

template <class Real>
DeviceLines<Real>::DeviceLines(exec::Device device, const LineProblem& problem, bool takes_real_passes)
    : lines_(device, problem, takes_real_passes) {
  add_passes(lines_);
  take_register_rows(lines_);
  std::vector<Pass<Real>> passes;
  passes.reserve(lines_.steps.size());
  for (const LineStep<Real>& step : lines_.steps) {
    passes.push_back(step.pass);
  }
  passes_ = exec::Buffer<Pass<Real>>(device, std::span<const Pass<Real>>(passes));
}

template <class Real>
void DeviceLines<Real>::run(Array<const Real> from, Array<Real> to, index_t batch) const {
  std::vector<index_t> counts;
  index_t lines = 1;
  for (std::size_t index = 0; index < lines_.loops.loops.size(); ++index) {
    counts.push_back(index == lines_.loops.batch ? batch * lines_.loops.per_batch : lines_.loops.loops[index].count);
    lines *= counts.back();
  }
  if (lines == 0) {
    return;
  }
  if ((lines_.needs_whole_from && !are_whole(parts_of(lines_.from, from))) ||
      (lines_.needs_whole_to && !are_whole(parts_of(lines_.to, to)))) {
    if (at_any_place_ == nullptr) {
      at_any_place_ = std::make_unique<DeviceLines>(lines_.device, lines_.problem, false);
    }
    at_any_place_->run(from, to, batch);
    return;
  }
  // The loop of the chunks is done in chunks, those within it wholly by the kernels, those around it here.
  const auto chunks = lines_.chunks_of(counts);
  const index_t count = counts[chunks.loop];
  const index_t chunk = lines_.work_lines > 0 ? std::min(count, lines_.work_lines / chunks.inside) : count;
  index_t around = 1;
  for (std::size_t index = 0; index < chunks.loop; ++index) {
    around *= counts[index];
  }
  for (index_t outer = 0; outer < around; ++outer) {
    index_t from_offset = 0;
    index_t to_offset = 0;
    index_t rest = outer;
    for (std::size_t index = chunks.loop; index-- > 0;) {
      from_offset += rest % counts[index] * lines_.from.distances[index];
      to_offset += rest % counts[index] * lines_.to.distances[index];
      rest /= counts[index];
    }
    for (index_t done = 0; done < count; done += chunk) {
      run_chunk(parts_of(lines_.from, from).from(from_offset + done * lines_.from.distances[chunks.loop]),
                parts_of(lines_.to, to).from(to_offset + done * lines_.to.distances[chunks.loop]), chunks.loop,
                std::min(chunk, count - done), batch);
    }
  }
}

template <class Real>
void DeviceLines<Real>::run_chunk(const Parts<const Real>& in, const Parts<Real>& out, std::size_t chunk_loop, index_t count,
                                  index_t batch) const {
  const auto parts = [&](Place place) {
    return parts_of(place == Place::first_work ? lines_.first_work.data() : lines_.second_work.data());
  };
  for (std::size_t index = 0; index < lines_.steps.size(); ++index) {
    const LineStep<Real>& step = lines_.steps[index];
    const PassWindow window = lines_.window_of(step, chunk_loop, count, batch * lines_.loops.per_batch);
    const Parts<Real> target = step.to == Place::output ? out : parts(step.to);
    if (step.is_r2c_postprocess) {
      launch_r2c_postprocess(lines_.device, step.pass, passes_.data() + index, window, target);
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
  const LineStep<Real>& step = lines_.steps[index];
  if (run_register_rows(step, window, in, out)) {
    return;
  }
  if (step.short_reals.length > 0) {
    launch_short_reals(lines_.device, step.short_reals,
                       ShortRealRows<Real>{in.first, out.first, window.chunk_count, lines_.from.pitch * lines_.from.distances[0],
                                           lines_.to.pitch * lines_.to.distances[0], step.pass.store.scale});
    return;
  }
  if (run_general(index, window, in, out)) {
    return;
  }
  if (step.general.is_alone()) {
    fail(ErrorKind::usage, "too many transforms of length " + std::to_string(step.pass.length) + " for one call on this device");
  }
  launch_pass(lines_.device, step.pass, passes_.data() + index, window, in, out, step.fixed);
}

template <class Real>
bool DeviceLines<Real>::run_register_rows(const LineStep<Real>& step, const PassWindow& window, const Parts<const Real>& in,
                                          const Parts<Real>& out) const {
  const RegisterRows& rows = step.register_rows;
  const auto is_found = [](const auto& parts) { return are_whole(parts) || parts.second == nullptr; };
  if (rows.length == 0 || !is_found(in) || !is_found(out)) {
    return false;
  }
  launch_register_rows(
      lines_.device, rows,
      RegisterRowsInMemory<Real>{in.first, out.first, window.chunk_count, lines_.from.pitch * lines_.from.distances[0],
                                 lines_.to.pitch * lines_.to.distances[0], static_cast<Real>(lines_.problem.scale),
                                 lines_.problem.direction == Direction::inverse});
  return true;
}

template <class Real>
void DeviceLines<Real>::run_general_rows(const LineStep<Real>& step, const PassWindow& window, const Parts<const Real>& in,
                                         const Parts<Real>& out) const {
  const index_t from = lines_.from.distances[0];
  const index_t to = lines_.to.distances[0];
  if (step.general.form == GeneralForm::reals) {
    launch_general(
        lines_.device, step.general,
        RealRowsInMemory<Real>{in.first, out.first, window.chunk_count, from, to, step.pass.store.scale, step.pass.load.swap});
    return;
  }
  launch_general(lines_.device, step.general,
                 RowsInMemory<Real>{reinterpret_cast<const Complex<Real>*>(in.first), reinterpret_cast<Complex<Real>*>(out.first),
                                    window.chunk_count, from, to, step.pass.load.swap, step.pass.store.scale});
}

template <class Real>
bool DeviceLines<Real>::run_general(std::size_t index, const PassWindow& window, const Parts<const Real>& in,
                                    const Parts<Real>& out) const {
  const LineStep<Real>& step = lines_.steps[index];
  const GeneralRows<Real>& general = step.general;
  const auto is_found = [&](const auto& parts, RealEnd end) {
    return end != RealEnd::reals ? are_whole(parts) || (general.form == GeneralForm::tiles && are_planar(parts))
                                 : general.form == GeneralForm::real_columns || (parts.pitch == 1 && parts.second == nullptr);
  };
  const bool takes_any = general.form == GeneralForm::hooks || general.form == GeneralForm::convolutions;
  if (general.largest == 0 || (!takes_any && (!is_found(in, general.load) || !is_found(out, general.store)))) {
    return false;
  }
  const auto* const from = reinterpret_cast<const Complex<Real>*>(in.first);
  auto* const to = reinterpret_cast<Complex<Real>*>(out.first);
  if (general.form == GeneralForm::reals || general.form == GeneralForm::rows) {
    run_general_rows(step, window, in, out);
    return true;
  }
  Pass<Real> tiled = step.pass;
  tiled.width = general.work.width;
  const index_t groups = pass_groups(tiled, window);
  const TileLoops loops = tile_loops(tiled, window, tiled.width);
  if (groups > std::numeric_limits<int>::max() || (!takes_any && loops.tiles == 0)) {  // more than a launch has
    return false;
  }
  const PassOfParts<Real> part{hooked_array(in), hooked_array(out), passes_.data() + index, window, groups};
  const PassInMemory<Real> whole{from,
                                 to,
                                 passes_.data() + index,
                                 loops,
                                 groups,
                                 are_planar(in) ? in.second : nullptr,
                                 are_planar(out) ? out.second : nullptr};
  const RealPassInMemory<Real> real{in.first, out.first, passes_.data() + index, loops, groups};
  switch (general.form) {
    case GeneralForm::tiles:
      launch_general(lines_.device, general, whole);
      break;
    case GeneralForm::factors:
      launch_convolution(lines_.device, general, whole);
      break;
    case GeneralForm::real_columns:
    case GeneralForm::conjugate_pairs:
    case GeneralForm::real_factors:
      launch_convolution(lines_.device, general, real);
      break;
    case GeneralForm::hooks:
      launch_general(lines_.device, general, part);
      break;
    default:
      launch_convolution(lines_.device, general, part);
      break;
  }
  return true;
}

template <class Real>
std::uint64_t DeviceLines<Real>::device_bytes() const {
  return lines_.device_bytes() + (at_any_place_ != nullptr ? at_any_place_->device_bytes() : 0);
}

template <class Real>
std::string DeviceLines<Real>::describe() const {
  return describe_passes(lines_);
}

template bool takes_box<float>(exec::Device, const LineProblem&);
template bool takes_box<double>(exec::Device, const LineProblem&);
template class DeviceLines<float>;
template class DeviceLines<double>;

}  // namespace phpc::fft
