#include "fft/device/general/rule.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "fft/device/general/classes.hpp"
#include "fft/device/general/limits.hpp"
#include "fft/device/general/stage.hpp"
#include "fft/rader.hpp"

namespace phpc::fft {

namespace {

constexpr int usual_threads = 256;      ///< the most of one that does several
constexpr double largest_tile = 32768;  ///< of several transforms

/// The least rank is the best: fewest stages, then the smallest largest radix, then the largest smallest one.
std::tuple<std::size_t, int, int> rank(const std::vector<int>& ascending) {
  return {ascending.size(), ascending.back(), -ascending.front()};
}

template <int... R>
std::vector<int> listed(std::integer_sequence<int, R...> /*list*/) {
  return {R...};
}

/// The best ascending radices up to `most`, but for large primes no larger than `composite`, whose product is n, after those of
/// `now`; `best` stays empty where there are none.
void find_radices(index_t n, int most, int composite, std::vector<int>& now, std::vector<int>& best) {
  static const std::vector<int> radices = listed(GeneralRadices{});
  if (n == 1) {
    if (best.empty() || rank(now) < rank(best)) {
      best = now;
    }
    return;
  }
  if (now.size() == most_general_stages || (!best.empty() && now.size() >= best.size())) {
    return;
  }
  for (const int radix : radices) {
    const bool is_known = radix <= (is_large_prime(radix) ? most : std::min(most, composite));
    if (is_known && n % radix == 0 && (now.empty() || radix >= now.back())) {
      now.push_back(radix);
      find_radices(n / radix, most, composite, now, best);
      now.pop_back();
    }
  }
}

/// Whether one stage does a transform, between reads and writes in order: it has no others, or is quicker so.
bool is_single(index_t length) {
  return length < 8 || (length > 8 && length < 12) || length == 13;
}

/// The most that radices of a length may be, and the most of those that are no large primes.
struct RadixLimits {
  int all;
  int composite;
};
bool has_large_prime(index_t length) {
  for (int radix = most_beside_primes; radix <= 31; ++radix) {
    if (is_large_prime(radix) && length % radix == 0) {
      return true;
    }
  }
  return false;
}
template <class Real>
RadixLimits radix_limits(bool has_primes) {
  return has_primes ? RadixLimits{31, most_beside_primes} : RadixLimits{most_composite<Real>(), most_composite<Real>()};
}

template <class Real>
std::vector<int> radices_of(index_t length) {
  std::vector<int> now;
  std::vector<int> best;
  if (length > 1) {
    const auto [all, composite] = radix_limits<Real>(has_large_prime(length));
    int most = all;
    if (is_single(length)) {
      most = 16;
    } else {
      most = static_cast<int>(std::min<index_t>(length <= 1024 ? std::min(most, 30) : most, length - 1));
    }
    find_radices(length, most, composite, now, best);
    if (best.empty()) {
      find_radices(length, all, composite, now, best);
    }
  }
  return {best.rbegin(), best.rend()};
}

}  // namespace

std::vector<int> radices_up_to(index_t length, int most, int composite) {
  std::vector<int> now;
  std::vector<int> best;
  if (length > 1) {
    find_radices(length, most, composite, now, best);
  }
  return {best.rbegin(), best.rend()};
}
std::vector<int> radices_up_to(index_t length, int most) {
  return radices_up_to(length, most, most);
}

/// Of a kernel that has large primes, or not.
template <class Real>
std::vector<int> column_radices(index_t length, bool has_primes) {
  const auto [most, composite] = radix_limits<Real>(has_primes);
  const bool is_one_stage = length <= 16 || (length <= most && is_prime(length));
  return radices_up_to(length, static_cast<int>(is_one_stage ? length : std::min<index_t>(most, length - 1)), composite);
}
template <class Real>
std::vector<int> column_radices(index_t length) {
  return column_radices<Real>(length, has_large_prime(length));
}

namespace {

/// How much of what the threads of full warps could do is work, less for tiles far from the usual size.
template <class Real>
double score(index_t elements, const std::vector<int>& radices) {
  double work = 0;
  double paid = 0;
  for (const int radix : radices) {
    work += static_cast<double>(elements);
    paid += static_cast<double>(radix * full_warps(ceil_div(elements, radix)));
  }
  const double size = std::log2(static_cast<double>(elements * static_cast<index_t>(sizeof(Complex<Real>))) / usual_tile);
  return (paid > 0 ? work / paid : 1) - 0.03 * size * size;
}

}  // namespace

namespace {

/// Sets how many transforms of so many elements a team has, and its threads.
template <class Real>
void choose_width(GeneralShape& shape, index_t elements, index_t most_width) {
  const int largest = shape.radices.empty() ? 8 : *std::max_element(shape.radices.begin(), shape.radices.end());
  const index_t limit = most_threads_of(general_class<Real>(largest).registers);
  const auto most_elements = static_cast<index_t>(largest_tile / sizeof(Complex<Real>));
  double best = 0;
  for (index_t width = 1; width == 1 || (width <= most_width && width * elements <= most_elements); ++width) {
    const index_t threads = full_warps(ceil_div(width * elements, largest));
    if (width > 1 && threads > std::min<index_t>(limit, usual_threads)) {
      break;
    }
    const double now = score<Real>(width * elements, shape.radices);
    if (width == 1 || now > best) {
      best = now;
      shape.width = static_cast<int>(width);
      shape.team_size = static_cast<int>(std::min(threads, limit));
    }
  }
}

}  // namespace

template <class Real>
GeneralShape general_shape(index_t length, index_t most_width, bool goes_through_scratch) {
  GeneralShape shape;
  shape.radices = radices_of<Real>(length);
  if (goes_through_scratch && !shape.radices.empty() && shape.radices.front() > 16) {
    std::vector<int> smaller = radices_up_to(length, 16);
    if (!smaller.empty() && smaller.size() <= shape.radices.size() + 1) {
      shape.radices = std::move(smaller);
    }
  }
  if (length > 1 && shape.radices.empty()) {
    return shape;
  }
  shape.is_in_order = shape.radices.size() < 2;
  choose_width<Real>(shape, length, most_width);
  return shape;
}

template <class Real>
GeneralShape general_box_shape(const std::vector<index_t>& box, index_t most_width) {
  GeneralShape shape;
  shape.box = box;
  index_t elements = 1;
  std::vector<int> first;
  const bool has_primes = std::any_of(box.begin(), box.end(), has_large_prime);
  for (std::size_t axis = 0; axis < box.size(); ++axis) {
    const std::vector<int> radices = column_radices<Real>(box[axis], has_primes);
    if (box[axis] > 1 && radices.empty()) {
      return {};
    }
    elements *= box[axis];
    if (first.empty()) {
      first = radices;
      shape.radices.assign(first.begin(), first.begin() + (first.empty() ? 0 : 1));
    } else {
      shape.radices.insert(shape.radices.end(), radices.begin(), radices.end());
    }
    shape.axes.resize(shape.radices.size(), axis);
  }
  const std::size_t first_axis = shape.axes.empty() ? 0 : shape.axes.front();
  for (std::size_t stage = 1; stage < first.size(); ++stage) {
    shape.radices.push_back(first[stage]);
    shape.axes.push_back(first_axis);
  }
  if (shape.radices.empty() || shape.radices.size() > most_general_stages) {
    return {};
  }
  // What the last stage writes side by side are the results of earlier ones along its axis and those behind it.
  index_t side_by_side = 1;
  for (std::size_t stage = 0; stage + 1 < shape.radices.size(); ++stage) {
    side_by_side *= shape.axes[stage] >= shape.axes.back() ? shape.radices[stage] : 1;
  }
  shape.is_in_order = side_by_side * static_cast<index_t>(sizeof(Complex<Real>)) < sector_bytes;
  choose_width<Real>(shape, elements, most_width);
  return shape;
}

template std::vector<int> column_radices<float>(index_t);
template std::vector<int> column_radices<double>(index_t);
template GeneralShape general_shape<float>(index_t, index_t, bool);
template GeneralShape general_shape<double>(index_t, index_t, bool);
template GeneralShape general_box_shape<float>(const std::vector<index_t>&, index_t);
template GeneralShape general_box_shape<double>(const std::vector<index_t>&, index_t);

}  // namespace phpc::fft
