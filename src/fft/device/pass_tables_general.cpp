#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <span>
#include <string>
#include <utility>

#include "fft/device/fixed/loops.hpp"
#include "fft/device/general/rule/measured_shapes.hpp"
#include "fft/device/general/rule/single_stage.hpp"
#include "fft/device/general/stages/classes.hpp"
#include "fft/device/general/stages/limits.hpp"
#include "fft/device/general/stages/prime_class.hpp"
#include "fft/device/pass_tables.hpp"
#include "fft/math/bluestein_filter.hpp"
#include "fft/math/chirp.hpp"
#include "fft/math/factors.hpp"
#include "fft/math/long_double_transform.hpp"
#include "fft/math/rader.hpp"
#include "phpc/core/error.hpp"

/// The tables of the general kernel for GPUs.
namespace phpc::fft {

namespace {

/// Returns the elements between the rows of memory of transforms that lie side by side on either side or on both; 0 where they do
/// not.
template <class Real>
index_t common_step(const Pass<Real>& pass) {
  const PassLoop& inner = pass.loops[pass.loop_count - 1];
  return std::gcd(pass.from_step > inner.from ? pass.from_step : 0, pass.to_step > inner.to ? pass.to_step : 0);
}

template <class Real>
RowDistances distances_of(const Pass<Real>& pass) {
  const PassLoop& inner = pass.loops[pass.loop_count - 1];
  return {inner.from, inner.to, pass.from_step, pass.to_step, inner, pass.from_position, pass.to_position};
}

/// Whether FactorTiles can do the hooks of a pass: factors, and counts of elements that are read.
template <class Real>
bool has_factors_alone(const Pass<Real>& pass) {
  return pass.load.half == HalfSpectrum::none && pass.store.r2c_roots == nullptr &&
         (pass.load.factors != nullptr || pass.load.count == std::numeric_limits<index_t>::max());
}

/// Returns the form in which the general kernel does a pass.
template <class Real>
GeneralForm form_of(const Pass<Real>& pass, const GeneralShape& shape, PassNumbers numbers) {
  const PassLoop& inner = pass.loops[pass.loop_count - 1];
  constexpr int most_shift = 15;  // twiddles between passes are counted in 32 bits
  if (numbers == PassNumbers::any || pass.fine_shift > most_shift || !has_factors_alone(pass)) {
    return GeneralForm::hooks;
  }
  if (has_plain_hooks(pass)) {
    if (shape.is_in_order) {
      return GeneralForm::hooks;
    }
    if (shape.radices.size() > 1 || inner.from == inner.to) {
      return GeneralForm::tiles;
    }
  }
  return numbers == PassNumbers::whole ? GeneralForm::factors : GeneralForm::hooks;
}

GeneralForm form_of_convolution(const GeneralShape& shape) {
  return shape.has_factors ? GeneralForm::factors : GeneralForm::convolutions;
}

/// Returns the class of convolutions that has these radices.
template <class Real>
int class_of_convolutions(const GeneralShape& shape) {
  return convolution_class<Real>(*std::max_element(shape.radices.begin(), shape.radices.end())).largest;
}

}  // namespace

template <class Real>
GeneralRows<Real> PassTables<Real>::general_rows(index_t length, index_t most_width, const RowDistances& rows) {
  const GeneralShape rule = general_shape<Real>(length, most_width);
  return general_rows(length, with_measured<Real>(rule, RowKind::complex, length, most_width), rows);
}

template <class Real>
GeneralRows<Real> PassTables<Real>::general_rows(index_t length, const GeneralShape& shape, const RowDistances& rows) {
  return keep_general(length, shape, rows);
}

template <class Real>
GeneralRows<Real> PassTables<Real>::general_box(const std::vector<index_t>& box, index_t most_width, const RowDistances& boxes) {
  const index_t elements = std::accumulate(box.begin(), box.end(), index_t{1}, std::multiplies<>());
  return keep_general(elements, general_box_shape<Real>(box, most_width), boxes);
}

template <class Real>
GeneralRows<Real> PassTables<Real>::general_reals(index_t length, index_t most_width, const RowDistances& rows, RealEnd load,
                                                  RealEnd store) {
  const OddReals odd = load == RealEnd::reals ? OddReals::from : store == RealEnd::reals ? OddReals::to : OddReals::none;
  GeneralShape shape =
      odd == OddReals::none ? general_shape<Real>(length, most_width) : odd_real_shape<Real>(length, most_width, odd);
  if (load == RealEnd::direct && reads_pairs_in_stage<Real>(length)) {
    shape.is_in_order = false;
  }
  const RowKind kind = load == RealEnd::direct || load == RealEnd::reals ? RowKind::from_reals : RowKind::to_reals;
  const index_t line = odd == OddReals::none ? 2 * length : length;
  return general_reals(length, with_measured<Real>(std::move(shape), kind, line, most_width), rows, load, store);
}

template <class Real>
GeneralRows<Real> PassTables<Real>::general_reals(index_t length, GeneralShape shape, const RowDistances& rows, RealEnd load,
                                                  RealEnd store) {
  shape.has_pairs = true;
  GeneralRows<Real> plan = keep_general(length, shape, rows);
  plan.form = GeneralForm::reals;
  const RealEnd direct = shape.is_in_order ? RealEnd::whole : RealEnd::direct;
  plan.load = load == RealEnd::direct ? direct : load;
  plan.store = store == RealEnd::direct ? direct : store;
  // What a radix of 9 in f64 writes itself takes its stage more registers than it has: 10 to 20 % more time on an H100.
  constexpr int in_order = sizeof(Real) == sizeof(double) ? 9 : 0;
  plan.reads_reals = !shape.is_in_order && load == RealEnd::reals;
  plan.writes_reals = !shape.is_in_order && store == RealEnd::reals && shape.radices.back() != in_order;
  if (load == RealEnd::half || store == RealEnd::half) {
    plan.roots = keep_roots(2 * length, length / 2 + 1);
  }
  return plan;
}

template <class Real>
GeneralRows<Real> PassTables<Real>::general_pass(const Pass<Real>& pass, PassNumbers numbers, index_t most_width) {
  const PassLoop& inner = pass.loops[pass.loop_count - 1];
  const index_t step = common_step(pass);
  const auto shape_of = [&](index_t most) {
    return step > 0 ? column_shape<Real>(pass.length, {most, step}, fixed_scratch_).shape
                    : general_shape<Real>(pass.length, std::min(most, most_width));
  };
  GeneralShape shape = shape_of(inner.count);
  if (pass.stage_count == 0 && !fits_32_bits(pass, shape.width)) {  // no other kernel does it
    shape = shape_of(1);
  }
  // Twiddles between passes are those of passes before the last one, hooks of a store those of the last.
  PHPC_EXPECT(pass.fine == nullptr || (pass.store.factors == nullptr && !pass.store.swap_first));
  const bool may_be_far = pass.stage_count == 0 && shape.width == 1;  // the distance to a neighbour does not count then
  if (shape.team_size == 0 || shape.radices.empty() || (!may_be_far && !fits_32_bits(pass, shape.width))) {
    return {};
  }
  GeneralForm form = form_of(pass, shape, numbers);
  if (form == GeneralForm::factors && std::any_of(shape.radices.begin(), shape.radices.end(), is_large_prime)) {
    form = GeneralForm::hooks;  // its kernel has no such radices
  }
  shape.has_elements = form == GeneralForm::hooks;
  shape.has_factors = form == GeneralForm::factors;
  shape.is_in_order = false;
  return keep_tiled(form, pass.length, shape, distances_of(pass));
}

template <class Real>
GeneralRows<Real> PassTables<Real>::general_convolution(const Pass<Real>& pass, PassNumbers numbers, index_t most_width) {
  const PassLoop& inner = pass.loops[pass.loop_count - 1];
  PHPC_EXPECT(pass.load.factors == nullptr && pass.store.factors == nullptr);
  const bool is_direct = numbers == PassNumbers::whole && form_of(pass, {}, PassNumbers::whole) != GeneralForm::hooks &&
                         pass.store.count == std::numeric_limits<index_t>::max();
  const index_t step = common_step(pass);
  const index_t most = step > 0 ? inner.count : std::min(inner.count, most_width);
  ConvolutionShape best = convolution_shape<Real>(pass.length, {most, step}, is_direct, fixed_scratch_);
  if (!fits_32_bits(pass, best.columns.shape.width)) {
    best = convolution_shape<Real>(pass.length, {1, step}, is_direct, fixed_scratch_);
  }
  ColumnShape by_definition = prime_shape<Real>(pass.length, {most, step}, fixed_scratch_);
  if (!fits_32_bits(pass, by_definition.shape.width)) {
    by_definition = prime_shape<Real>(pass.length, {1, step}, fixed_scratch_);
  }
  if (by_definition.cost < best.columns.cost && form_of(pass, by_definition.shape, numbers) == GeneralForm::tiles) {
    return keep_tiled(GeneralForm::tiles, pass.length, by_definition.shape, distances_of(pass));
  }
  const GeneralShape& shape = best.columns.shape;
  PHPC_VALIDATE(shape.team_size > 0, ErrorKind::usage,
                "no kernel of this device transforms lines of length " + std::to_string(pass.length) + " that lie so");
  const bool is_rader = shape.is_rader;
  const std::vector<Complex<double>> chirp_values = is_rader ? std::vector<Complex<double>>{} : chirp(pass.length);
  GeneralRows<Real> plan = keep_tiled(form_of_convolution(shape), best.length, shape, distances_of(pass), chirp_values);
  plan.convolution.is_rader = is_rader;
  plan.convolution.spectrum = keep(is_rader ? long_double_transform(rader_filter(primitive_powers(pass.length)))
                                            : bluestein_filter_spectrum<Real>(chirp_values, best.length));
  return plan;
}

template <class Real>
GeneralRows<Real> PassTables<Real>::general_convolution(const Pass<Real>& pass, const std::vector<Complex<double>>& by_rows) {
  const GeneralShape shape = row_convolution_shape<Real>(pass.length, fixed_scratch_).shape;
  GeneralRows<Real> plan = keep_tiled(form_of_convolution(shape), pass.length, shape, distances_of(pass));
  plan.convolution.spectrum = keep(by_rows);
  plan.convolution.spectrum_step = static_cast<unsigned>(pass.length);
  return plan;
}

template <class Real>
GeneralRows<Real> PassTables<Real>::general_real_columns(const Pass<Real>& pass, index_t columns, index_t apart,
                                                         bool is_from_reals) {
  const ColumnPlaces places{ceil_div(columns, index_t{2}), apart};
  GeneralShape shape = column_shape<Real>(pass.length, places, fixed_scratch_).shape;
  PHPC_EXPECT(shape.team_size > 0);
  shape.has_factors = true;
  shape.has_pairs = true;
  // Elements of a column lie across rows of memory, but for those of rows that are read for their columns' spectra.
  const RowDistances distances = is_from_reals ? RowDistances{1, 1, apart, apart} : RowDistances{apart, 1, 1, apart};
  GeneralRows<Real> plan = keep_tiled(GeneralForm::real_columns, pass.length, shape, distances);
  plan.load = is_from_reals ? RealEnd::reals : RealEnd::whole;
  plan.store = is_from_reals ? RealEnd::whole : RealEnd::reals;
  plan.columns = static_cast<unsigned>(columns);
  return plan;
}

template <class Real>
GeneralRows<Real> PassTables<Real>::general_conjugate_pairs(const Pass<Real>& pass, index_t n, index_t rows, bool is_read) {
  const ColumnPlaces places{pass.loops[pass.loop_count - 1].count, common_step(pass)};
  GeneralRows<Real> plan;
  if (is_smooth(pass.length)) {
    GeneralShape shape = column_shape<Real>(pass.length, places, fixed_scratch_).shape;
    PHPC_EXPECT(shape.team_size > 0);
    shape.has_factors = true;
    plan = keep_tiled(GeneralForm::conjugate_pairs, pass.length, shape, distances_of(pass));
  } else {
    const ConvolutionShape shape = bluestein_shape<Real>(pass.length, places, fixed_scratch_);
    PHPC_EXPECT(shape.columns.shape.team_size > 0);
    const std::vector<Complex<double>> chirp_values = chirp(pass.length);
    plan = keep_tiled(GeneralForm::conjugate_pairs, shape.length, shape.columns.shape, distances_of(pass), chirp_values);
    plan.convolution.spectrum = keep(bluestein_filter_spectrum<Real>(chirp_values, shape.length));
  }
  plan.load = is_read ? RealEnd::half : RealEnd::whole;
  plan.store = is_read ? RealEnd::whole : RealEnd::half;
  plan.line = static_cast<unsigned>(n);
  plan.rows = static_cast<unsigned>(rows);
  return plan;
}

template <class Real>
GeneralRows<Real> PassTables<Real>::general_real_factors(const Pass<Real>& pass, RealEnd load, RealEnd store) {
  const index_t count = pass.loops[pass.loop_count - 1].count;
  GeneralShape shape = column_shape<Real>(pass.length, {count, common_step(pass)}, fixed_scratch_).shape;
  PHPC_EXPECT(shape.team_size > 0);
  shape.has_factors = true;
  GeneralRows<Real> plan = keep_tiled(GeneralForm::real_factors, pass.length, shape, distances_of(pass));
  plan.load = load;
  plan.store = store;
  return plan;
}

template <class Real>
GeneralRows<Real> PassTables<Real>::general_real_convolution(const Pass<Real>& pass, const ConvolutionShape& shape,
                                                             const std::vector<Complex<double>>& spectrum, RealEnd load,
                                                             RealEnd store) {
  GeneralRows<Real> plan = keep_tiled(GeneralForm::real_factors, shape.length, shape.columns.shape, distances_of(pass));
  plan.convolution.spectrum = keep(spectrum);
  plan.load = load;
  plan.store = store;
  return plan;
}

/// Whether the elements of a tile lie, and have positions, less than 2^32 apart, none before the first.
template <class Real>
bool PassTables<Real>::fits_32_bits(const Pass<Real>& pass, index_t width) {
  const PassLoop& inner = pass.loops[pass.loop_count - 1];
  const auto fits = [&](index_t apart, index_t distance) {
    return apart >= 0 && distance >= 0 &&
           pass.length * apart + width * distance <= index_t{std::numeric_limits<std::uint32_t>::max()};
  };
  return fits(pass.from_step, inner.from) && fits(pass.to_step, inner.to) && fits(pass.from_position, inner.from_position) &&
         fits(pass.to_position, inner.to_position);
}

/// Keeps the tables of a kernel with tiles; of a convolution all but the spectrum.
template <class Real>
GeneralRows<Real> PassTables<Real>::keep_tiled(GeneralForm form, index_t length, const GeneralShape& shape,
                                               const RowDistances& distances, const std::vector<Complex<double>>& chirp_values) {
  GeneralRows<Real> plan = keep_general(length, shape, distances, chirp_values);
  plan.form = form;
  plan.largest = plan.is_of_convolutions() ? class_of_convolutions<Real>(shape) : plan.largest;
  plan.scratch_bytes += place_bytes;
  return plan;
}

template <class Real>
GeneralRows<Real> PassTables<Real>::keep_general(index_t length, const GeneralShape& shape, const RowDistances& rows,
                                                 const std::vector<Complex<double>>& chirp_values) {
  const GeneralTables tables =
      general_tables(length, shape, rows, sizeof(Complex<Real>), (fixed_scratch_ - place_bytes) / sizeof(Complex<Real>));
  GeneralRows<Real> plan;
  plan.work = general_work<Real>(length, shape, tables);
  plan.work.twiddles = keep(tables.twiddles);
  item_tables_.emplace_back(device_, std::span<const GeneralItem>(tables.items));
  plan.work.items = item_tables_.back().data();
  place_tables_.emplace_back(device_, std::span<const std::uint16_t>(tables.places));
  plan.work.places = place_tables_.back().data();
  plan.elements = tables.elements;
  number_tables_.emplace_back(device_, std::span<const GeneralElement>(tables.numbers));
  plan.numbers = number_tables_.back().data();
  std::copy(tables.back.begin(), tables.back.end(), std::begin(plan.convolution.back));
  if (shape.has_factors && !chirp_values.empty()) {
    plan.convolution.chirp = keep(chirp_values);
  } else if (!chirp_values.empty()) {
    std::vector<Complex<double>> by_items;
    by_items.reserve(tables.numbers.size());
    for (const GeneralElement& element : tables.numbers) {
      by_items.push_back(chirp_values[element.number & 0xffff]);
    }
    plan.convolution.chirp = keep(by_items);
  }
  plan.largest =
      shape.prime_pairs > 0
          ? most_defined_prime
          : general_class<Real>(shape.radices.empty() ? 1 : *std::max_element(shape.radices.begin(), shape.radices.end()))
                .largest;
  PHPC_EXPECT(shape.prime_pairs > 0 || shape.convolved > 0 || shape.has_factors ||
              std::all_of(shape.radices.begin(), shape.radices.end(),
                          [&](int radix) { return has_radix<GeneralClasses<Real>>(radix, plan.largest); }));
  plan.team_size = shape.team_size;
  plan.scratch_bytes = static_cast<std::size_t>(tables.pitch) * static_cast<std::size_t>(shape.width) * sizeof(Complex<Real>);
  return plan;
}

template class PassTables<float>;
template class PassTables<double>;

}  // namespace phpc::fft
