#include <algorithm>
#include <limits>

#include "fft/device/fixed/loops.hpp"
#include "fft/device/fixed/shapes/lookup.hpp"
#include "fft/device/lines_ends.hpp"

/// The steps that the general kernel for GPUs does.
namespace phpc::fft {

namespace {

template <class Part>
HookedArray<Part> hooked_array(const Parts<Part>& parts) {
  return {parts.first, parts.second, static_cast<std::uint32_t>(parts.pitch), are_whole(parts) ? 1U : 0U};
}

}  // namespace

template <class Real>
bool takes_box(exec::Device device, const LineProblem& problem) {
  constexpr std::size_t teams = 2;
  const std::size_t bytes = static_cast<std::size_t>(problem.length) * sizeof(Complex<Real>);
  return device.is_gpu() && LineLoops(problem).loops.size() == 1 && teams * bytes <= device.properties().scratch_bytes &&
         problem.length <= std::numeric_limits<std::uint16_t>::max() && general_box_shape<Real>(problem.box, 1).team_size > 0;
}

/// Returns the most transforms of a team that leave two teams for every multiprocessor.
template <class Real>
index_t DeviceLines<Real>::most_general_width() const {
  return std::max<index_t>(1, loops_.lines() / (2 * static_cast<index_t>(device_.properties().compute_units)));
}

/// Whether rows of complex numbers go by the general kernel: those without a kernel of their length.
template <class Real>
bool DeviceLines<Real>::takes_general_rows(bool is_plain, index_t n) const {
  return is_plain && loops_.loops.size() == 1 && from_.stride == 1 && to_.stride == 1 && tables_.fixed_scratch() > 0 &&
         (n == 1 || !column_radices<Real>(n).empty()) &&
         fixed_radices<Real>(PassForm::rows, n, tables_.fixed_scratch()).empty() &&
         static_cast<std::size_t>(n) * sizeof(Complex<Real>) <= tables_.fixed_scratch();
}

/// The same for rows of real numbers beside interleaved complex ones, as transforms of n complex numbers.
template <class Real>
bool DeviceLines<Real>::takes_general_reals(const LineProblem& problem, index_t n) const {
  const bool is_even = problem.length % 2 == 0;
  const bool is_beside_complex = problem.is_real() && (problem.from == Elements::complex || problem.to == Elements::complex);
  const bool are_rows = loops_.loops.size() == 1 && from_.stride == 1 && to_.stride == 1;
  const bool are_pairs = from_.pitch == 2 && to_.pitch == 2;
  constexpr index_t most = std::numeric_limits<std::uint32_t>::max();
  return is_beside_complex && are_rows && (are_pairs || !is_even) && tables_.fixed_scratch() > 0 && n > 1 && is_smooth(n) &&
         (!is_even || fixed_radices<Real>(real_rows_form(problem), n, tables_.fixed_scratch()).empty()) &&
         static_cast<std::size_t>(n) * sizeof(Complex<Real>) <= tables_.fixed_scratch() &&
         std::max(from_.distances[0], to_.distances[0]) <= most && std::min(from_.distances[0], to_.distances[0]) >= 0;
}

template <class Real>
void DeviceLines<Real>::take_general_rows(Step& step, const RowDistances& distances) {
  step.general = tables_.general_rows(step.pass.length, most_general_width(), distances);
}

template <class Real>
void DeviceLines<Real>::add_box(const LineProblem& problem, const LoadHook<Real>& load, const StoreHook<Real>& store) {
  Pass<Real> pass;
  pass.length = static_cast<int>(problem.length);
  pass.load = load;
  pass.store = store;
  add_loops(pass, from_, to_, {});
  steps_.push_back({Place::input, Place::output, Action::transform, pass});
  steps_.back().box = problem.box;
  steps_.back().general = tables_.general_box(problem.box, most_general_width(), {from_.distances[0], to_.distances[0]});
}

template <class Real>
void DeviceLines<Real>::take_general_reals(Step& step, bool is_from_real, bool is_even) {
  const RealEnd reals = is_even ? RealEnd::direct : RealEnd::reals;
  const RealEnd half = is_even ? RealEnd::half : RealEnd::odd_half;
  step.general = tables_.general_reals(step.pass.length, most_general_width(), {from_.distances[0], to_.distances[0]},
                                       is_from_real ? reals : half, is_from_real ? half : reals);
}

/// Whether a step reads and writes interleaved complex numbers, which plans' arrays have at whole places but for odd ones.
template <class Real>
bool DeviceLines<Real>::is_whole(const Step& step) const {
  return (step.from != Place::input || is_interleaved(from_)) && (step.to != Place::output || is_interleaved(to_));
}

/// Lets the general kernel do a pass that no kernel of its length can do.
template <class Real>
void DeviceLines<Real>::take_general_pass(Step& step) {
  const bool is_transform = step.pass.form == PassForm::rows || step.pass.form == PassForm::columns;
  // Real numbers may begin between pairs, where only hooks find them; another kernel may take them if it knows the length.
  const bool is_alone = step.pass.stage_count == 0 && step.pass.length > 1;
  const bool is_surely_whole = is_whole(step) && !(is_alone && problem_.is_real());
  const PassNumbers numbers = is_surely_whole ? PassNumbers::whole : problem_.is_real() ? PassNumbers::any : PassNumbers::complex;
  if (tables_.fixed_scratch() > 0 && is_transform && step.pass.length > 1 &&
      !takes_fixed_kernel(step.pass, whole_window(step), is_whole(step))) {
    const bool is_convolution = column_radices<Real>(step.pass.length).empty();
    step.general = is_convolution ? tables_.general_convolution(step.pass, is_surely_whole, most_general_width())
                                  : tables_.general_pass(step.pass, numbers, most_general_width());
  }
}

/// Runs rows of real or of complex numbers.
template <class Real>
void DeviceLines<Real>::run_general_rows(const Step& step, const PassWindow& window, const Parts<const Real>& in,
                                         const Parts<Real>& out) const {
  const index_t from = from_.distances[0];
  const index_t to = to_.distances[0];
  if (step.general.form == GeneralForm::reals) {
    launch_general(
        device_, step.general,
        RealRowsInMemory<Real>{in.first, out.first, window.chunk_count, from, to, step.pass.store.scale, step.pass.load.swap});
    return;
  }
  launch_general(device_, step.general,
                 RowsInMemory<Real>{reinterpret_cast<const Complex<Real>*>(in.first), reinterpret_cast<Complex<Real>*>(out.first),
                                    window.chunk_count, from, to, step.pass.load.swap, step.pass.store.scale});
}

/// Does this part of a step by the general kernel, where the step has one and the arrays are as it needs them.
template <class Real>
bool DeviceLines<Real>::run_general(std::size_t index, const PassWindow& window, const Parts<const Real>& in,
                                    const Parts<Real>& out) const {
  const Step& step = steps_[index];
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
      launch_general(device_, general, whole);
      break;
    case GeneralForm::factors:
      launch_convolution(device_, general, whole);
      break;
    case GeneralForm::real_columns:
    case GeneralForm::conjugate_pairs:
    case GeneralForm::real_factors:
      launch_convolution(device_, general, real);
      break;
    case GeneralForm::hooks:
      launch_general(device_, general, part);
      break;
    default:
      launch_convolution(device_, general, part);
      break;
  }
  return true;
}

template bool takes_box<float>(exec::Device, const LineProblem&);
template bool takes_box<double>(exec::Device, const LineProblem&);
template class DeviceLines<float>;
template class DeviceLines<double>;

}  // namespace phpc::fft
