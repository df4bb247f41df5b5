#include "fft/device/pass_tables.hpp"

#include <algorithm>
#include <span>

#include "fft/device/fixed/four_step/phase_schedule.hpp"
#include "fft/device/fixed/shapes/lookup.hpp"
#include "fft/device/general/stages/classes.hpp"
#include "fft/device/general/stages/limits.hpp"
#include "fft/math/bluestein_filter.hpp"
#include "fft/math/chirp.hpp"
#include "fft/math/long_double_transform.hpp"
#include "fft/math/roots.hpp"
#include "phpc/core/error.hpp"

namespace phpc::fft {

namespace {

/// The twiddles of all stages, as Pass::twiddles orders them: length - 1 of them.
std::vector<Complex<double>> stage_twiddles(index_t length, const std::vector<int>& radices) {
  const RootsOfUnity root(length);
  std::vector<Complex<double>> twiddles;
  twiddles.reserve(static_cast<std::size_t>(length));
  index_t block = length;
  for (const int radix : radices) {
    const index_t stride = block / radix;
    for (int r = 1; r < radix; ++r) {
      for (index_t j = 0; j < stride; ++j) {
        twiddles.push_back(root(j * r * (length / block)));
      }
    }
    block = stride;
  }
  return twiddles;
}

/// Some powers of each of those, as FixedShape orders them.
std::vector<Complex<double>> fixed_twiddles(index_t length, const std::vector<int>& radices) {
  const RootsOfUnity root(length);
  std::vector<Complex<double>> twiddles;
  twiddles.reserve(static_cast<std::size_t>(length));
  index_t block = length;
  for (const int radix : radices) {
    for (int power = 0, exponent = 1; power < stored_powers(radix); ++power, exponent *= 4) {
      for (index_t j = 0; j < block / radix; ++j) {
        twiddles.push_back(root(j * exponent * (length / block)));
      }
    }
    block /= radix;
  }
  return twiddles;
}

/// Writes roots 0, step, ..., (count - 1) step, exact enough for Real. For float those behind the first block are products in
/// double of the first root of theirs and one of that block, good to 3e-16.
template <class Real>
void write_multiples(const RootsOfUnity& root, index_t step, index_t count, Complex<double>* to) {
  constexpr index_t block = 32;
  for (index_t i = 0; i < count; i += block) {
    const bool are_products = i > 0 && sizeof(Real) == sizeof(float);
    const Complex<double> begin = root(i * step);
    for (index_t k = 0; k < std::min(block, count - i); ++k) {
      to[i + k] = are_products ? begin * to[k] : root((i + k) * step);
    }
  }
}

/// In-place stages leave X[k] at the place whose digits are those of k in reverse: k = k1 + R1 (k2 + R2 (k3 + ...)) is at
/// ((k1 R2 + k2) R3 + k3) ...; this is the place of the k whose last digit is 0, for every k without its last digit.
std::vector<int> digit_reversal(index_t length, const std::vector<int>& radices) {
  std::vector<int> places(static_cast<std::size_t>(length / radices.back()));
  for (std::size_t u = 0; u < places.size(); ++u) {
    auto rest = static_cast<int>(u);
    int place = 0;
    for (std::size_t stage = 0; stage + 1 < radices.size(); ++stage) {
      place = place * radices[stage] + rest % radices[stage];
      rest /= radices[stage];
    }
    places[u] = place * radices.back();
  }
  return places;
}

}  // namespace

template <class Real>
void PassTables<Real>::set_transform(Pass<Real>& pass, PassForm form, index_t length) {
  auto found = transforms_.find({form, length});
  if (found == transforms_.end()) {
    // A length that only a kernel of its own can do (37, say) has none.
    const std::vector<int> radices = stage_radices(length).value_or(std::vector<int>{});
    PHPC_EXPECT(radices.size() <= static_cast<std::size_t>(max_stages));
    Pass<Real> made{};
    made.length = static_cast<int>(length);
    made.stage_count = static_cast<int>(radices.size());
    for (int stage = 0; stage < made.stage_count; ++stage) {
      made.radices.set(stage, radices[static_cast<std::size_t>(stage)]);
    }
    made.twiddles = keep(stage_twiddles(length, radices));
    if (!radices.empty()) {
      order_tables_.emplace_back(device_, std::span<const int>(digit_reversal(length, radices)));
      made.digit_reversal = order_tables_.back().data();
    }
    if (const std::vector<int> fixed = fixed_radices<Real>(form, length, fixed_scratch_); !fixed.empty()) {
      made.fixed_twiddles = keep(fixed_twiddles(length, fixed));
    }
    found = transforms_.emplace(std::pair{form, length}, made).first;
  }
  const Pass<Real>& made = found->second;
  pass.length = made.length;
  pass.stage_count = made.stage_count;
  pass.radices = made.radices;
  pass.twiddles = made.twiddles;
  pass.digit_reversal = made.digit_reversal;
  pass.form = form;
  pass.fixed_twiddles = made.fixed_twiddles;
}

template <class Real>
void PassTables<Real>::set_four_step_twiddles(Pass<Real>& pass, index_t n) {
  const RootsOfUnity root(n);
  int shift = 0;
  while ((index_t{1} << (2 * shift)) < n) {
    ++shift;
  }
  const index_t fine_count = index_t{1} << shift;
  std::vector<Complex<double>> fine;
  std::vector<Complex<double>> coarse;
  for (index_t t = 0; t < fine_count && t < n; ++t) {
    fine.push_back(root(t));
  }
  for (index_t t = 0; t < n; t += fine_count) {
    coarse.push_back(root(t));
  }
  pass.fine = keep(fine);
  pass.coarse = keep(coarse);
  pass.fine_shift = shift;
}

template <class Real>
void PassTables<Real>::set_fused_four_step(Pass<Real>& pass, PassForm form, index_t length, int slots, Complex<Real>* ring) {
  with_four_step<Real>(form, length, [&](auto shape) {
    using First = typename decltype(shape)::First;
    using Second = typename decltype(shape)::Second;
    set_four_step_shape<decltype(shape)>(pass, slots, ring);
    if (form == PassForm::fused_four_step_from_real || form == PassForm::fused_four_step_to_real) {
      const int radix = form == PassForm::fused_four_step_to_real ? First::radix[0] : Second::radix[Second::stages - 1];
      pass.four_step.roots = keep_roots(2 * length, length / radix);
    }
  });
  pass.form = form;
  keep_words(pass, schedule_words(2, slots));
}

template <class Real>
void PassTables<Real>::set_fused_four_step_convolution(Pass<Real>& pass, const std::vector<Complex<double>>& spectrum, int slots,
                                                       Complex<Real>* ring) {
  with_shape(static_cast<index_t>(spectrum.size()), typename FixedFourStepConvolutions<Real>::Shapes{}, [&](auto shape) {
    using First = typename decltype(shape)::First;
    set_four_step_shape<decltype(shape)>(pass, slots, ring);
    pass.filter_spectrum = keep(spectrum_by_rows(spectrum, First::length));
  });
  pass.form = PassForm::fused_four_step_convolution;
  keep_words(pass, schedule_words(3, slots));
}

template <class Real>
template <class Shape>
void PassTables<Real>::set_four_step_shape(Pass<Real>& pass, int slots, Complex<Real>* ring) {
  using First = typename Shape::First;
  using Second = typename Shape::Second;
  constexpr int last = First::radix[First::stages - 1];
  constexpr index_t columns = Second::length;
  pass.length = Shape::length;
  pass.fixed_twiddles = keep(fixed_twiddles(First::length, {std::begin(First::radix), std::end(First::radix)}));
  pass.four_step.second_twiddles = keep(fixed_twiddles(columns, {std::begin(Second::radix), std::end(Second::radix)}));
  const RootsOfUnity root(Shape::length);
  std::vector<Complex<double>> four_step_twiddles(static_cast<std::size_t>(First::length / last * columns));
  for (index_t u = 0; u < First::length / last; ++u) {
    write_multiples<Real>(root, u, columns, four_step_twiddles.data() + u * columns);
  }
  pass.four_step_twiddles = keep(four_step_twiddles);
  std::vector<Complex<double>> steps;
  steps.reserve(static_cast<std::size_t>(stored_powers(last) * columns));
  for (index_t power = 0, exponent = 1; power < stored_powers(last); ++power, exponent *= 4) {
    for (index_t column = 0; column < columns; ++column) {
      steps.push_back(root(column * exponent % (columns * last) * (First::length / last)));
    }
  }
  pass.four_step.four_step_powers = keep(steps);
  pass.four_step.ring = ring;
  pass.four_step.slots = slots;
}

template <class Real>
void PassTables<Real>::keep_words(Pass<Real>& pass, int count) {
  const std::vector<std::uint32_t> zeros(static_cast<std::size_t>(count));
  words_.emplace_back(device_, std::span<const std::uint32_t>(zeros));
  pass.four_step.words = words_.back().data();
}

template <class Real>
const Complex<Real>* PassTables<Real>::keep(const std::vector<Complex<double>>& values) {
  std::vector<Complex<Real>> rounded(values.size());
  std::transform(values.begin(), values.end(), rounded.begin(),
                 [](Complex<double> value) { return Complex<Real>{static_cast<Real>(value.re), static_cast<Real>(value.im)}; });
  complex_tables_.emplace_back(device_, std::span<const Complex<Real>>(rounded));
  return complex_tables_.back().data();
}

template <class Real>
const Complex<Real>* PassTables<Real>::keep_roots(index_t n, index_t count) {
  const RootsOfUnity root(n);
  std::vector<Complex<double>> values;
  values.reserve(static_cast<std::size_t>(count));
  for (index_t k = 0; k < count; ++k) {
    values.push_back(root(k));
  }
  return keep(values);
}

template <class Real>
std::uint64_t PassTables<Real>::bytes() const {
  std::uint64_t total = 0;
  for (const auto& table : complex_tables_) {
    total += static_cast<std::uint64_t>(table.size()) * sizeof(Complex<Real>);
  }
  for (const auto& table : words_) {
    total += static_cast<std::uint64_t>(table.size()) * sizeof(std::uint32_t);
  }
  for (const auto& table : item_tables_) {
    total += static_cast<std::uint64_t>(table.size()) * sizeof(GeneralItem);
  }
  for (const auto& table : number_tables_) {
    total += static_cast<std::uint64_t>(table.size()) * sizeof(GeneralElement);
  }
  for (const auto& table : place_tables_) {
    total += static_cast<std::uint64_t>(table.size()) * sizeof(std::uint16_t);
  }
  for (const auto& table : order_tables_) {
    total += static_cast<std::uint64_t>(table.size()) * sizeof(int);
  }
  return total;
}

template class PassTables<float>;
template class PassTables<double>;

}  // namespace phpc::fft
