#include <algorithm>

#include "fft/device/fixed/shapes/lookup.hpp"
#include "fft/device/lines.hpp"
#include "fft/math/bluestein_filter.hpp"
#include "fft/math/chirp.hpp"

namespace phpc::fft {

namespace {

// The ring of work memory of a fused four-step kernel: by how many bytes of transforms a phase lags behind the one before it, and
// for how many more there is room. Teams of an H200 hold about 17 MB at a time; what is written has to be read before it leaves
// the cache, of 50 MB.
constexpr index_t lag_bytes = index_t{8} << 20;
constexpr index_t ahead_bytes = index_t{16} << 20;

}  // namespace

/// Whether lines are contiguous interleaved complex numbers on both sides, in one loop.
template <class Real>
bool DeviceLines<Real>::are_plain_rows() const {
  const auto is_plain = [](const LineSide& side) {
    return side.stride == 1 && side.pitch == 2 && side.second == 1 && side.distances.size() == 1;
  };
  return is_plain(from_) && is_plain(to_);
}

/// Whether lines are rows of n elements, one directly after the other.
template <class Real>
bool DeviceLines<Real>::are_dense_rows(index_t n) const {
  return loops_.loops.size() == 1 && from_.stride == 1 && to_.stride == 1 && from_.distances[0] == n && to_.distances[0] == n;
}

/// Adds Rader's transform in one kernel, for primes that have one.
template <class Real>
bool DeviceLines<Real>::add_rader(index_t n, const LoadHook<Real>& load, const StoreHook<Real>& store) {
  if (!are_plain_rows() || fixed_radices<Real>(PassForm::rader, n - 1, tables_.fixed_scratch()).empty()) {
    return false;
  }
  Pass<Real> pass;
  tables_.set_rader(pass, n);
  pass.load = load;
  pass.store = store;
  add_loops(pass, from_, to_, {});
  steps_.push_back({Place::input, Place::output, Action::transform, pass});
  return true;
}

/// Adds a fused four-step kernel, for lengths that have one: of n elements, or of n pairs of real numbers.
template <class Real>
bool DeviceLines<Real>::add_fused_four_step(PassForm form, index_t n, const LoadHook<Real>& load, const StoreHook<Real>& store) {
  if (!are_plain_rows() || !has_fused_four_step<Real>(form, n, tables_.fixed_scratch())) {
    return false;
  }
  Pass<Real> pass;
  const int slots = allocate_ring(pass, n, 2);
  tables_.set_fused_four_step(pass, form, n, slots, first_work_.data());
  pass.load = load;
  pass.store = store;
  add_loops(pass, from_, to_, {});
  steps_.push_back({Place::input, Place::output, Action::transform, pass});
  return true;
}

/// Adds Bluestein's transform by a fused four-step kernel, the shortest that is long enough and less than twice as long as
/// needed.
template <class Real>
bool DeviceLines<Real>::add_fused_four_step_bluestein(index_t n, const LoadHook<Real>& load, const StoreHook<Real>& store) {
  const index_t padded =
      convolution_length<Real>(2 * n - 1, tables_.fixed_scratch(), typename FixedFourStepConvolutions<Real>::Shapes{});
  if (!are_plain_rows() || padded == 0 || padded >= 4 * n) {
    return false;
  }
  const std::vector<Complex<double>> chirp_values = chirp(n);
  Pass<Real> pass;
  const int slots = allocate_ring(pass, padded, 3);
  tables_.set_fused_four_step_convolution(pass, bluestein_filter_spectrum<Real>(chirp_values, padded), slots, first_work_.data());
  pass.load = load;
  pass.load.count = n;
  pass.load.factors = tables_.keep(chirp_values);
  pass.store = store;
  add_loops(pass, from_, to_, {});
  steps_.push_back({Place::input, Place::output, Action::transform, pass});
  return true;
}

/// Allocates the ring of a fused four-step kernel for transforms of n elements; returns how many of them it holds.
template <class Real>
int DeviceLines<Real>::allocate_ring(Pass<Real>& pass, index_t n, int phases) {
  const index_t bytes = n * static_cast<index_t>(sizeof(Complex<Real>));
  const index_t lag = std::max<index_t>(1, lag_bytes / (bytes * (phases - 1)));
  const index_t lines = std::max<index_t>(1, loops_.lines());
  const index_t slots = std::min((phases - 1) * lag + std::max<index_t>(1, ahead_bytes / bytes), lines);
  // Tiles of at least 500 elements are counted in 31 bits.
  work_lines_ = std::clamp<index_t>((index_t{1} << 39) / n, 1, lines);
  first_work_ = exec::Buffer<Complex<Real>>(device_, slots * n);
  pass.four_step.lag = static_cast<int>(lag);
  return static_cast<int>(slots);
}

template class DeviceLines<float>;
template class DeviceLines<double>;

}  // namespace phpc::fft
