#include "fft/schedule.hpp"

#include <algorithm>
#include <span>
#include <string>

#include "fft/pass_launch.hpp"
#include "fft/roots.hpp"
#include "fft/wide_transform.hpp"
#include "phpc/core/error.hpp"
#include "phpc/exec/buffer.hpp"

namespace phpc::fft {

namespace {

/// Transforms side by side in a pass with strides: 64 bytes of f32, 128 of f64 in a row, whole lines of a cache.
constexpr index_t columns = 8;

/// A host team's tile stays in its core's second-level cache beside what it reads and writes.
constexpr std::size_t host_tile_bytes = std::size_t{256} << 10;

template <class Real>
index_t team_capacity(exec::Device device) {
  const std::size_t scratch = device.properties().scratch_bytes;
  const std::size_t bytes = device.is_gpu() ? scratch : std::min(scratch, host_tile_bytes);
  return tile_elements<Real>(static_cast<index_t>(std::max(bytes, static_tile_bytes)));
}

template <class Real>
std::vector<index_t> passes_for(index_t n, index_t capacity, std::size_t fixed_scratch) {
  if (fixed_radices<Real>(PassForm::rows, n, fixed_scratch).empty()) {
    // Two passes of kernels for their length beat one of the general kernel.
    const auto pair = column_pair<Real>(n, fixed_scratch, typename FixedColumns<Real>::Shapes{});
    if (!pair.empty()) {
      return pair;
    }
  }
  if (n <= capacity) {
    return {n};
  }
  if (const auto roomy = pass_lengths(n, capacity / columns)) {
    return *roomy;
  }
  if (const auto tight = pass_lengths(n, capacity)) {
    return *tight;
  }
  fail(ErrorKind::usage, "cannot plan a transform of length " + std::to_string(n) +
                             " (three passes over memory do not reach that far on this device); give a shorter one");
}

}  // namespace

/// What the first pass of a smooth transform reads and the last one writes.
template <class Real>
struct Schedule<Real>::Ends {
  Place from;
  Place to;
  index_t from_distance;
  index_t to_distance;
  LoadHook<Real> load;
  StoreHook<Real> store;
};

template <class Real>
Schedule<Real>::Schedule(exec::Device device, const TransformRequest& request)
    : device_(device), length_(request.length), capacity_(team_capacity<Real>(device)), tables_(device) {
  const bool has_kernel = !fixed_radices<Real>(PassForm::rows, length_, tables_.fixed_scratch()).empty();
  if (is_smooth(length_) || has_kernel) {
    add_plain(request);
  } else {
    add_bluestein(request);
  }
  std::vector<Pass<Real>> passes;
  passes.reserve(steps_.size());
  for (const Step<Real>& step : steps_) {
    passes.push_back(step.pass);
  }
  passes_ = exec::Buffer<Pass<Real>>(device, std::span<const Pass<Real>>(passes));
}

template <class Real>
void Schedule<Real>::add_plain(const TransformRequest& request) {
  const std::vector<index_t> lengths = passes_for<Real>(length_, capacity_, tables_.fixed_scratch());
  work_elements_ = lengths.size() > 1 ? length_ : 0;
  Ends ends{Place::input, Place::output, length_, length_, {}, {}};
  ends.load.swap = request.inverse;
  ends.store.swap_last = request.inverse;
  ends.store.scale = static_cast<Real>(request.scale);
  add_smooth(ends, length_, lengths, request.batch);
}

/// Whole transforms in a row: a full tile, unless a small batch would then leave processors without a team.
template <class Real>
int Schedule<Real>::row_width(index_t length, index_t batch) const {
  const index_t usual = tile_elements<Real>(static_cast<index_t>(static_tile_bytes)) / length;
  const index_t enough = ceil_div(index_t{1024}, length);
  const index_t spread = ceil_div(batch, 2 * static_cast<index_t>(device_.properties().compute_units));
  return static_cast<int>(std::clamp<index_t>(std::min(usual, std::max(enough, spread)), 1, std::max<index_t>(batch, 1)));
}

/// Transforms side by side: the usual tile where it takes whole lines of memory, else as much scratch as that needs.
template <class Real>
int Schedule<Real>::column_width(index_t length, index_t inner) const {
  const index_t usual = tile_elements<Real>(static_cast<index_t>(static_tile_bytes)) / length;
  const index_t width = usual >= columns ? usual : std::min(columns, capacity_ / length);
  return static_cast<int>(std::clamp<index_t>(width, 1, inner));
}

template <class Real>
void Schedule<Real>::add_smooth(const Ends& ends, index_t n, const std::vector<index_t>& lengths, index_t batch) {
  Pass<Real> pass;
  if (lengths.size() == 1) {
    tables_.set_transform(pass, PassForm::rows, n);
    pass.from = {0, 0, ends.from_distance, 1, 0};
    pass.to = {0, 0, ends.to_distance, 1, 0};
    pass.width = row_width(n, batch);
    pass.load = ends.load;
    pass.store = ends.store;
    steps_.push_back({ends.from, ends.to, BatchIndex::inner, pass});
    return;
  }
  // All passes but the last work on columns and stay where they are, so that they may run in place in work memory; the last
  // reads rows and writes columns, which puts the result into natural order.
  const Place between = ends.from == Place::input ? Place::first_work : ends.from;
  index_t done = 1;  // product of the lengths of earlier passes
  for (std::size_t index = 0; index < lengths.size(); ++index) {
    const bool is_first = index == 0;
    const bool is_last = index + 1 == lengths.size();
    const index_t length = lengths[index];
    const index_t rest = n / done / length;  // product of the lengths of later passes
    pass = {};
    tables_.set_transform(pass, PassForm::columns, length);
    if (is_last) {
      const index_t first = lengths.front();
      pass.middle_count = done / first;
      pass.inner_count = first;
      pass.from = {n, length, n / first, 1, n / first};
      pass.to = {ends.to_distance, first, 1, done, 1};
      pass.store = ends.store;
    } else {
      pass.middle_count = done;
      pass.inner_count = rest;
      pass.from = {is_first ? ends.from_distance : n, rest * length, 1, rest, 1};
      pass.to = {n, rest * length, 1, rest, 1};
      tables_.set_four_step(pass, rest * length);
    }
    if (is_first) {
      pass.load = ends.load;
    }
    pass.width = column_width(length, pass.inner_count);
    steps_.push_back({is_first ? ends.from : between, is_last ? ends.to : between, BatchIndex::outer, pass});
    done *= length;
  }
}

// X[k] = c[k] sum_j (x[j] c[j]) / c[k - j] with the chirp c[j] = exp(-pi i j^2 / n), since 2jk = j^2 + k^2 - (k - j)^2: a
// convolution with 1/c = conj(c), done cyclically at a smooth length that leaves room for all k - j.
template <class Real>
void Schedule<Real>::add_bluestein(const TransformRequest& request) {
  const index_t fused =
      convolution_length<Real>(2 * length_ - 1, tables_.fixed_scratch(), typename FixedConvolutions<Real>::Shapes{});
  if (fused > 0) {
    add_fused_bluestein(request, fused);
    return;
  }
  const index_t padded = padded_length(2 * length_ - 1);
  const std::vector<index_t> lengths = passes_for<Real>(padded, capacity_, tables_.fixed_scratch());
  const std::vector<Complex<double>> chirp_values = chirp(length_);
  const Complex<Real>* const chirp_table = tables_.keep(chirp_values);
  const Complex<Real>* const spectrum = tables_.keep(filter_spectrum(chirp_values, padded));
  work_elements_ = padded;

  const Place spectrum_place = lengths.size() == 1 ? Place::first_work : Place::second_work;
  Ends forth{Place::input, spectrum_place, length_, padded, {}, {}};
  forth.load = {.count = length_, .swap = request.inverse, .factors = chirp_table};
  forth.store.factors = spectrum;
  forth.store.swap_last = true;  // what follows is an inverse transform
  add_smooth(forth, padded, lengths, request.batch);

  Ends back{spectrum_place, Place::output, padded, length_, {}, {}};
  back.store = {.swap_first = true,
                .factors = chirp_table,
                .swap_last = request.inverse,
                .scale = static_cast<Real>(request.scale),
                .count = length_};
  add_smooth(back, padded, lengths, request.batch);
}

template <class Real>
void Schedule<Real>::add_fused_bluestein(const TransformRequest& request, index_t padded) {
  const std::vector<Complex<double>> chirp_values = chirp(length_);
  Pass<Real> pass;
  tables_.set_transform(pass, PassForm::convolution, padded);
  tables_.set_filter(pass, filter_spectrum(chirp_values, padded));
  pass.load = {.count = length_, .swap = request.inverse, .factors = tables_.keep(chirp_values)};
  pass.store.scale = static_cast<Real>(request.scale);
  steps_.push_back({Place::input, Place::output, BatchIndex::inner, pass});
}

template <class Real>
std::vector<Complex<double>> Schedule<Real>::chirp(index_t n) const {
  // exp(-pi i j^2/n) is the (j^2 mod 2n)-th of 2n roots of unity: reduced in integers, from one square to the next, so that the
  // angle is exact for every j.
  const RootsOfUnity root(2 * n);
  std::vector<Complex<double>> values(static_cast<std::size_t>(n));
  index_t square = 0;
  for (index_t j = 0; j < n; ++j) {
    values[static_cast<std::size_t>(j)] = root(square);
    square = (square + 2 * j + 1) % (2 * n);
  }
  return values;
}

/// The transform of conj(chirp) laid out cyclically, over its length.
template <class Real>
std::vector<Complex<double>> Schedule<Real>::filter_spectrum(const std::vector<Complex<double>>& chirp, index_t padded) const {
  std::vector<Complex<double>> filter(static_cast<std::size_t>(padded), Complex<double>{0, 0});
  const double scale = 1 / static_cast<double>(padded);
  for (std::size_t j = 0; j < chirp.size(); ++j) {
    filter[j] = scaled(conj(chirp[j]), scale);
    filter[(filter.size() - j) % filter.size()] = filter[j];
  }
  // In f64 an ordinary transform's errors would be a quarter of the result's (relative L2 error 4.2e-16 instead of 3.3e-16 at
  // 1009, 4.0e-16 at 17). They matter less as the length grows, while the wide transform takes 30 ms at the limit.
  constexpr index_t widest = index_t{1} << 17;
  if (padded <= widest && sizeof(Real) == sizeof(double)) {
    return wide_transform(filter);
  }
  const exec::Device host = exec::Device::host();
  const Schedule<double> forward(host, {padded, 1, false, 1});
  exec::Buffer<Complex<double>> work(host, forward.work_elements());
  forward.run(filter.data(), filter.data(), 1, work.data(), nullptr);
  return filter;
}

template <class Real>
bool Schedule<Real>::uses(Place place) const {
  return std::any_of(steps_.begin(), steps_.end(),
                     [place](const Step<Real>& step) { return step.from == place || step.to == place; });
}

template <class Real>
void Schedule<Real>::run(const Complex<Real>* in, Complex<Real>* out, index_t batch, Complex<Real>* first_work,
                         Complex<Real>* second_work) const {
  Complex<Real>* const works[] = {first_work, second_work};
  const auto work = [&](Place place) { return works[place == Place::first_work ? 0 : 1]; };
  for (std::size_t index = 0; index < steps_.size(); ++index) {
    const Step<Real>& step = steps_[index];
    launch_pass(device_, step.pass, passes_.data() + index, step.batch_index, batch,
                step.from == Place::input ? in : work(step.from), step.to == Place::output ? out : work(step.to));
  }
}

template class Schedule<float>;
template class Schedule<double>;

}  // namespace phpc::fft
