#include "fft/device/fixed_passes.hpp"

#include <algorithm>
#include <limits>

#include "fft/device/fixed/loops.hpp"
#include "fft/device/fixed/shapes/lookup.hpp"
#include "fft/device/pass_choice.hpp"
#include "fft/device/smooth_passes.hpp"
#include "fft/math/bluestein_filter.hpp"
#include "fft/math/chirp.hpp"

namespace phpc::fft {

namespace {

// The ring of work memory of a fused four-step kernel: by how many bytes of transforms a phase lags behind the one before it, and
// for how many more there is room. Teams of an H200 hold about 17 MB at a time; what is written has to be read before it leaves
// the cache, of 50 MB.
constexpr index_t lag_bytes = index_t{8} << 20;
constexpr index_t ahead_bytes = index_t{16} << 20;

/// Whether lines are contiguous interleaved complex numbers on both sides, in one loop.
template <class Real>
bool are_plain_rows(const LinePasses<Real>& lines) {
  const auto is_plain = [](const LineSide& side) {
    return side.stride == 1 && side.pitch == 2 && side.second == 1 && side.distances.size() == 1;
  };
  return is_plain(lines.from) && is_plain(lines.to);
}

/// Returns the ends of lines that are multiplied by this chirp on their way in.
template <class Real>
LineEnds<Real> with_chirp(LinePasses<Real>& lines, LineEnds<Real> ends, const std::vector<Complex<double>>& chirp_values) {
  ends.load.count = static_cast<index_t>(chirp_values.size());
  ends.load.factors = lines.tables.keep(chirp_values);
  return ends;
}

/// The ring of a fused four-step kernel whose slots are of so many bytes, `most` of which there is work for.
struct Ring {
  Ring(index_t bytes, int phases, index_t most)
      : lag(static_cast<int>(std::max<index_t>(1, lag_bytes / (bytes * (phases - 1))))),
        slots(static_cast<int>(std::min((phases - 1) * lag + std::max<index_t>(1, ahead_bytes / bytes), most))) {}

  int lag;
  int slots;
};

/// Allocates the ring of a fused four-step kernel for transforms of n elements; returns how many of them it holds.
template <class Real>
int allocate_ring(LinePasses<Real>& lines, Pass<Real>& pass, index_t n, int phases) {
  const index_t most = std::max<index_t>(1, lines.loops.lines());
  const Ring ring(n * static_cast<index_t>(sizeof(Complex<Real>)), phases, most);
  // Tiles of at least 500 elements are counted in 31 bits.
  lines.work_lines = std::clamp<index_t>((index_t{1} << 39) / n, 1, most);
  lines.first_work = exec::Buffer<Complex<Real>>(lines.device, ring.slots * n);
  pass.four_step.lag = ring.lag;
  return ring.slots;
}

}  // namespace

template <class Real>
bool add_fused_four_step(LinePasses<Real>& lines, const LineEnds<Real>& ends, PassForm form, index_t n) {
  if (!are_plain_rows(lines) || !has_fused_four_step<Real>(form, n, lines.tables.fixed_scratch())) {
    return false;
  }
  Pass<Real> pass;
  const int slots = allocate_ring(lines, pass, n, 2);
  lines.tables.set_fused_four_step(pass, form, n, slots, lines.first_work.data());
  lines.add_whole(pass, ends);
  return true;
}

template <class Real>
bool add_fused_last_passes(LinePasses<Real>& lines, const LineEnds<Real>& ends, index_t n) {
  const LastPasses last =
      are_plain_rows(lines) ? last_passes<Real>(n, lines.capacity, lines.tables.fixed_scratch()) : LastPasses{};
  if (last.length == 0) {
    return false;
  }
  lines.allocate_work(n);
  add_pass(lines, ends, n, {n / last.length, last.length}, 0);
  Pass<Real> pass;
  pass.four_step.line_rows = static_cast<int>(n / last.length);
  const index_t groups = ceil_div(n / last.length, last.width);
  const Ring ring(last.width * last.length * static_cast<index_t>(sizeof(Complex<Real>)), 2, lines.work_lines * groups);
  lines.second_work = exec::Buffer<Complex<Real>>(lines.device, ring.slots * last.width * last.length);
  pass.four_step.lag = ring.lag;
  lines.tables.set_fused_four_step(pass, PassForm::fused_last_passes, last.length, ring.slots, lines.second_work.data());
  pass.store = ends.store;
  lines.add_loops(pass, lines.work, ends.to_side, {});
  lines.add(Place::first_work, ends.to, pass);
  return true;
}

template <class Real>
FixedConvolution fixed_convolution(index_t least, std::size_t scratch) {
  const index_t length = convolution_length<Real>(least, scratch, typename FixedConvolutions<Real>::Shapes{});
  const auto stages = static_cast<int>(fixed_radices<Real>(PassForm::convolution, length, scratch).size());
  return {length, fixed_convolution_cost<Real>(stages)};
}

template <class Real>
bool add_fused_bluestein(LinePasses<Real>& lines, const LineEnds<Real>& ends, index_t n) {
  const index_t padded = fixed_convolution<Real>(2 * n - 1, lines.tables.fixed_scratch()).length;
  if (padded == 0 || !are_plain_rows(lines)) {
    return false;
  }
  const std::vector<Complex<double>> chirp_values = chirp(n);
  Pass<Real> pass;
  lines.tables.set_transform(pass, PassForm::convolution, padded);
  pass.filter_spectrum = lines.tables.keep(bluestein_filter_spectrum<Real>(chirp_values, padded));
  LineEnds<Real> with_factors = with_chirp(lines, ends, chirp_values);
  with_factors.store.factors = with_factors.load.factors;
  lines.add_whole(pass, with_factors);
  return true;
}

template <class Real>
bool add_fused_four_step_bluestein(LinePasses<Real>& lines, const LineEnds<Real>& ends, index_t n) {
  const index_t padded =
      convolution_length<Real>(2 * n - 1, lines.tables.fixed_scratch(), typename FixedFourStepConvolutions<Real>::Shapes{});
  if (!are_plain_rows(lines) || padded == 0 || padded >= 4 * n) {
    return false;
  }
  const std::vector<Complex<double>> chirp_values = chirp(n);
  Pass<Real> pass;
  const int slots = allocate_ring(lines, pass, padded, 3);
  lines.tables.set_fused_four_step_convolution(pass, bluestein_filter_spectrum<Real>(chirp_values, padded), slots,
                                               lines.first_work.data());
  lines.add_whole(pass, with_chirp(lines, ends, chirp_values));
  return true;
}

template <class Real>
std::vector<ConvolvedRow> fixed_convolved_rows(const LinePasses<Real>& lines) {
  std::vector<ConvolvedRow> rows;
  // All rows lie one after the other in work memory: lines do, but where they lie side by side, or where a smaller batch than the
  // plan's leaves gaps between those of outer loops.
  if (!lines.keeps_columns && lines.loops.batch == 0 && lines.loops.loops.size() < most_fixed_loops) {
    const std::size_t scratch = lines.tables.fixed_scratch();
    const auto take = [&]<class... Shapes>(ShapeList<Shapes...> /*list*/) {
      ((scratch_bytes_of<Real, Shapes>() <= scratch
            ? rows.push_back({Shapes::length, fixed_convolved_row_cost<Real>(Shapes::stages)})
            : void()),
       ...);
    };
    take(typename FixedConvolvedRows<Real>::Shapes{});
  }
  return rows;
}

template <class Real>
bool has_fixed_convolved_rows(const LinePasses<Real>& lines, index_t k) {
  const std::vector<ConvolvedRow> rows = fixed_convolved_rows(lines);
  return std::any_of(rows.begin(), rows.end(), [&](const ConvolvedRow& row) { return row.length == k; });
}

template <class Real>
double cost_of_made_kernels(const LinePasses<Real>& lines, const LineEnds<Real>& ends, index_t n) {
  double least = std::numeric_limits<double>::max();
  if (!ends.is_plain || !are_plain_rows(lines)) {
    return least;
  }
  const auto take = [&](index_t padded, double cost) {
    least = padded > 0 ? std::min(least, cost * static_cast<double>(padded) / static_cast<double>(n)) : least;
  };
  const std::size_t scratch = lines.tables.fixed_scratch();
  if (column_radices<Real>(n).empty()) {  // else the general kernel's stages take less for any count of rows
    const FixedConvolution one = fixed_convolution<Real>(2 * n - 1, scratch);
    take(one.length, one.cost);
  }
  const index_t four_step = convolution_length<Real>(2 * n - 1, scratch, typename FixedFourStepConvolutions<Real>::Shapes{});
  if (four_step < 4 * n) {
    take(four_step, four_step <= 65536 ? 2.05 : 3.15);
  }
  return least;
}

template bool add_fused_four_step(LinePasses<float>&, const LineEnds<float>&, PassForm, index_t);
template bool add_fused_last_passes(LinePasses<float>&, const LineEnds<float>&, index_t);
template bool add_fused_bluestein(LinePasses<float>&, const LineEnds<float>&, index_t);
template bool add_fused_four_step_bluestein(LinePasses<float>&, const LineEnds<float>&, index_t);
template FixedConvolution fixed_convolution<float>(index_t, std::size_t);
template std::vector<ConvolvedRow> fixed_convolved_rows(const LinePasses<float>&);
template bool has_fixed_convolved_rows(const LinePasses<float>&, index_t);
template double cost_of_made_kernels(const LinePasses<float>&, const LineEnds<float>&, index_t);
template bool add_fused_four_step(LinePasses<double>&, const LineEnds<double>&, PassForm, index_t);
template bool add_fused_last_passes(LinePasses<double>&, const LineEnds<double>&, index_t);
template bool add_fused_bluestein(LinePasses<double>&, const LineEnds<double>&, index_t);
template bool add_fused_four_step_bluestein(LinePasses<double>&, const LineEnds<double>&, index_t);
template FixedConvolution fixed_convolution<double>(index_t, std::size_t);
template std::vector<ConvolvedRow> fixed_convolved_rows(const LinePasses<double>&);
template bool has_fixed_convolved_rows(const LinePasses<double>&, index_t);
template double cost_of_made_kernels(const LinePasses<double>&, const LineEnds<double>&, index_t);

}  // namespace phpc::fft
