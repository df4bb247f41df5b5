#include "fft/device/general/rule/rule.hpp"

#include <algorithm>
#include <utility>

#include "fft/device/general/rule/single_stage.hpp"
#include "fft/device/general/rule/team.hpp"
#include "fft/device/general/stages/classes.hpp"
#include "fft/device/general/stages/limits.hpp"
#include "fft/device/general/stages/stage.hpp"
#include "fft/math/rader.hpp"
#include "phpc/core/error.hpp"

namespace phpc::fft {

namespace {

/// The rank of radices among as many others, of which the least is the best: the smallest largest radix, then the largest
/// smallest one.
std::pair<int, int> rank(const std::vector<int>& ascending) {
  return {ascending.back(), -ascending.front()};
}

index_t power(index_t base, std::size_t exponent) {
  return exponent == 0 ? 1 : base * power(base, exponent - 1);
}

template <int... R>
std::vector<int> listed(std::integer_sequence<int, R...> /*list*/) {
  return {R...};
}

/// Sets `best` to the best ascending radices of an ascending list, `count` more after those of `now`, whose product is n; `best`
/// stays as it is where there are no better ones.
void find_radices(index_t n, const std::vector<int>& radices, std::size_t count, std::vector<int>& now, std::vector<int>& best) {
  if (count == 0) {
    if (best.empty() || rank(now) < rank(best)) {
      best = now;
    }
    return;
  }
  const int most = best.empty() ? radices.back() : best.back();
  for (const int radix : radices) {
    if (power(radix, count) > n) {
      break;
    }
    if (n % radix == 0 && (now.empty() || radix >= now.back()) && n / radix <= power(most, count - 1)) {
      now.push_back(radix);
      find_radices(n / radix, radices, count - 1, now, best);
      now.pop_back();
    }
  }
}

/// Whether one stage does a transform, with reads and writes in the order of memory around it: there are no other radices, or it
/// is quicker so.
bool is_single(index_t length) {
  return length < 8 || (length > 8 && length < 12) || length == 13;
}

/// Limits of the radices of a length: of all, and of those that are no large primes.
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

/// Radices of 28 to 31 in f32, whose elements nearly fill the registers of their class (that they spill was not looked at): rows
/// of these lengths are quicker with one stage more then, of radices up to `most_beside_spills`. An H100 took 11, 7, 12 and 10 %
/// less time of 10976, 5488, 14112 and 13552 so, all of radix 28, and 6 % more of 9856. Longer ones have large radices in all
/// three stages, and would take 6 to 15 % more time with four: 14560, 18200, 18816, 19500, 19600, 20160, 20384.
constexpr bool spills(int radix) {
  return radix >= 28 && radix < 32 && !is_large_prime(radix);
}
constexpr int most_beside_spills = 16;
constexpr index_t longest_with_spills = 4096;
constexpr index_t longest_beside_spills = 14336;

template <class Real>
std::vector<int> radices_of(index_t length) {
  if (length <= 1) {
    return {};
  }
  const auto [all, composite] = radix_limits<Real>(has_large_prime(length));
  int most = all;
  if (is_single(length)) {
    most = 16;
  } else {
    most = static_cast<int>(std::min<index_t>(length <= 1024 ? std::min(most, 30) : most, length - 1));
  }
  std::vector<int> best = radices_up_to(length, most, composite);
  if (best.empty()) {
    best = radices_up_to(length, all, composite);
  }
  if (length > longest_with_spills && length <= longest_beside_spills && !best.empty() && spills(best.front())) {
    std::vector<int> smaller = radices_up_to(length, most_beside_spills);
    if (!smaller.empty() && smaller.size() <= best.size() + 1) {
      best = std::move(smaller);
    }
  }
  return best;
}

}  // namespace

std::vector<int> radices_up_to(index_t n, int most, int composite) {
  PHPC_EXPECT(n > 0);
  static const std::vector<int> all = listed(GeneralRadices{});
  std::vector<int> radices;
  index_t rest = n;  // without the prime factors that are radices
  for (const int radix : all) {
    if (radix <= (is_large_prime(radix) ? most : std::min(most, composite)) && n % radix == 0) {
      radices.push_back(radix);
      while (rest % radix == 0) {
        rest /= radix;
      }
    }
  }
  std::vector<int> best;
  for (std::size_t count = 1; rest == 1 && !radices.empty() && best.empty() && count <= most_general_stages; ++count) {
    std::vector<int> now;
    find_radices(n, radices, count, now, best);
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

/// Sets how many transforms of a team there are, and its threads: each transform has so many elements in scratch, of which a
/// butterfly of a stage has as many as `held` says. A thread copies 8 numbers of lines that are no longer than one.
template <class Real>
void choose_team(GeneralShape& shape, index_t elements, const std::vector<int>& held, index_t most_width) {
  constexpr int copied = 8;
  const int largest = shape.radices.empty() ? copied : *std::max_element(shape.radices.begin(), shape.radices.end());
  const index_t registers = general_class<Real>(largest).registers;
  const TeamOfRows team = team_of_rows<Real>(elements, held.empty() ? std::vector<int>{copied} : held, registers, most_width);
  shape.width = static_cast<int>(team.width);
  shape.team_size = static_cast<int>(team.threads);
}

}  // namespace

template <class Real>
GeneralShape general_shape(index_t length, index_t most_width) {
  GeneralShape shape;
  shape.radices = radices_of<Real>(length);
  if (length > 1 && shape.radices.empty()) {
    return shape;
  }
  shape.is_in_order = shape.radices.size() < 2;
  choose_team<Real>(shape, length, shape.radices, most_width);
  return shape;
}

template <class Real>
bool reads_pairs_in_stage(index_t length) {
  constexpr index_t least = sizeof(Real) == sizeof(float) ? 2 : 11;
  return length >= least;
}

template <class Real>
GeneralShape odd_real_shape(index_t length, index_t most_width, OddReals reals) {
  PHPC_EXPECT(length % 2 == 1 && length > 1 && reals != OddReals::none);
  constexpr bool is_single = sizeof(Real) == sizeof(float);
  constexpr index_t longest_stage = is_single ? 27 : 15;
  constexpr int most = 16;
  GeneralShape shape;
  shape.odd_reals = reals;
  shape.radices = radices_of<Real>(length);
  if (shape.radices.empty()) {
    return shape;
  }
  if (is_large_prime(shape.radices.front())) {
    // The stage of pairs has a composite radix, the largest one.
    const auto composite = std::find_if_not(shape.radices.begin(), shape.radices.end(), is_large_prime);
    if (composite == shape.radices.end()) {
      return {};
    }
    std::rotate(shape.radices.begin(), composite, composite + 1);
  } else if (reals == OddReals::to && length <= longest_stage) {
    shape.radices = {static_cast<int>(length)};
  } else if (shape.radices.front() > most && !(is_single && reals == OddReals::from)) {
    std::vector<int> smaller = radices_up_to(length, most);
    if (!smaller.empty() && smaller.size() <= shape.radices.size() + 1) {
      shape.radices = std::move(smaller);
    }
  }
  shape.is_in_order = reals == OddReals::to && shape.radices.size() < 2;
  std::vector<int> held = shape.radices;
  held.front() = (held.front() + 1) / 2;
  const index_t elements = length / shape.radices.front() * held.front();
  if (reals == OddReals::to) {
    std::reverse(shape.radices.begin(), shape.radices.end());
  }
  choose_team<Real>(shape, elements, held, most_width);
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
  choose_team<Real>(shape, elements, shape.radices, most_width);
  return shape;
}

template std::vector<int> column_radices<float>(index_t);
template std::vector<int> column_radices<double>(index_t);
template GeneralShape general_shape<float>(index_t, index_t);
template GeneralShape general_shape<double>(index_t, index_t);
template bool reads_pairs_in_stage<float>(index_t);
template bool reads_pairs_in_stage<double>(index_t);
template GeneralShape odd_real_shape<float>(index_t, index_t, OddReals);
template GeneralShape odd_real_shape<double>(index_t, index_t, OddReals);
template GeneralShape general_box_shape<float>(const std::vector<index_t>&, index_t);
template GeneralShape general_box_shape<double>(const std::vector<index_t>&, index_t);

}  // namespace phpc::fft
