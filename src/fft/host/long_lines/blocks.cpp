#include "fft/host/long_lines/blocks.hpp"

#include <cmath>

#include "fft/host/transforms/radices.hpp"
#include "fft/math/factors.hpp"
#include "fft/math/roots.hpp"

namespace phpc::fft {

/// Up to this length there is a table of all twiddles, which saves a multiplication; of longer lines it would drive the data from
/// the cache.
constexpr index_t whole_table_limit = 8192;

template <class Real>
bool has_short_columns(const FourStepSplit& split) {
  return (split.n1 == 8 || split.n1 == 16) && split.n1 % lanes<Real> == 0 && split.n2 % lanes<Real> == 0 &&
         split.n1 * split.n2 <= whole_table_limit;
}

namespace {

/// Returns a model's time for a pack of elements, as that of host_stages_cost() and fitted with it: of what all transforms take,
/// of columns and of rows, each by the lanes that are computed for one that counts. Longer passes cost more beyond the cache.
template <class Real>
double split_cost(const FourStepSplit& split, double column_stages, double row_stages) {
  constexpr double common = 2.7;
  constexpr double columns = 1.9;
  constexpr double short_columns = 0.1;
  constexpr double rows = 1.7;
  constexpr double of_doubling = 0.15;
  const auto waste = [](index_t count) {
    return static_cast<double>(ceil_div(count, lanes<Real>) * lanes<Real>) / static_cast<double>(count);
  };
  const double column_cost = has_short_columns<Real>(split) ? short_columns : columns + column_stages;
  return common * waste(split.n1) * waste(split.n2) + waste(split.n2) * column_cost + waste(split.n1) * (rows + row_stages) +
         of_doubling * std::log2(static_cast<double>(split.n2) / static_cast<double>(split.n1));
}

}  // namespace

template <class Real>
std::optional<FourStepSplit> four_step_split(index_t n) {
  std::optional<FourStepSplit> best;
  for (index_t n1 = lanes<Real>; n1 * n1 <= n; ++n1) {
    const index_t n2 = n / n1;
    if (n % n1 != 0 || !is_smooth(n1) || !is_smooth(n2)) {
      continue;
    }
    FourStepSplit split{n1, n2};
    split.cost = split_cost<Real>(split, host_stages_cost(*host_radices(n1)), host_stages_cost(*host_radices(n2)));
    if (!best || split.cost < best->cost) {
      best = split;
    }
  }
  return best;
}

template <class Real>
BlockTwiddles<Real>::BlockTwiddles(index_t rows, index_t columns, double scale)
    : rows_(rows), column_blocks_(columns), layout_(rows, columns) {
  const index_t n = rows * columns;
  if (n <= whole_table_limit) {
    const std::vector<Complex<double>> roots = all_roots_of_unity(n);
    add_fine(column_blocks_.count(), scale, [&roots](index_t t) { return roots[static_cast<std::size_t>(t)]; });
    return;
  }
  const RootsOfUnity root(n);
  add_fine(1, scale, root);
  coarse_.reserve(static_cast<std::size_t>(column_blocks_.count() * rows));
  for (index_t block = 0; block < column_blocks_.count(); ++block) {
    for (index_t row = 0; row < rows; ++row) {
      const Complex<double> w = root(row * column_blocks_.first(block));
      coarse_.push_back({static_cast<Real>(w.re), static_cast<Real>(w.im)});
    }
  }
}

/// Adds the twiddles of the first `blocks` blocks; root(t) is root t.
template <class Real>
template <class Roots>
void BlockTwiddles<Real>::add_fine(index_t blocks, double scale, const Roots& root) {
  fine_.reserve(static_cast<std::size_t>(blocks * rows_));
  for (index_t block = 0; block < blocks; ++block) {
    for (index_t row = 0; row < rows_; ++row) {
      PackValue<Real> value{};
      for (int lane = 0; lane < lanes<Real>; ++lane) {
        const Complex<double> w = scaled(root(row * (column_blocks_.first(block) + lane)), scale);
        value.re[lane] = static_cast<Real>(w.re);
        value.im[lane] = static_cast<Real>(w.im);
      }
      fine_.push_back(value);
    }
  }
}

template <class Real>
std::size_t BlockTwiddles<Real>::table_bytes() const {
  return fine_.size() * sizeof(PackValue<Real>) + coarse_.size() * sizeof(Complex<Real>);
}

template <class Real>
void BlockTwiddles<Real>::apply_twiddles_and_transpose(const PackValue<Real>* values, const std::int32_t* place, index_t block,
                                                       PackValue<Real>* matrix) const {
  constexpr int count = lanes<Real>;
  const bool whole = coarse_.empty();
  const PackValue<Real>* const fine = fine_.data() + (whole ? block * rows_ : 0);
  const Complex<Real>* const coarse = whole ? nullptr : coarse_.data() + block * rows_;
  PackValue<Real>* const column = matrix + column_blocks_.first(block);
  for (index_t row_block = 0; row_block < layout_.blocks().count(); ++row_block) {
    const index_t row = layout_.blocks().first(row_block);
    PackValue<Real>* const to = column + row_block * layout_.block_stride();
    Pack<Real> re[count];
    Pack<Real> im[count];
    if (whole) {
#pragma GCC unroll 16
      for (int i = 0; i < count; ++i) {
        const PackValue<Real> value = values[place[row + i]] * fine[row + i];
        re[i] = value.re;
        im[i] = value.im;
      }
    } else {
#pragma GCC unroll 16
      for (int i = 0; i < count; ++i) {
        const PackValue<Real> value = values[place[row + i]] * (fine[row + i] * coarse[row + i]);
        re[i] = value.re;
        im[i] = value.im;
      }
    }
    store_transposed<Real>(re, reinterpret_cast<Real*>(&to->re), 2 * count);
    store_transposed<Real>(im, reinterpret_cast<Real*>(&to->im), 2 * count);
  }
}

template bool has_short_columns<float>(const FourStepSplit& split);
template bool has_short_columns<double>(const FourStepSplit& split);
template std::optional<FourStepSplit> four_step_split<float>(index_t n);
template std::optional<FourStepSplit> four_step_split<double>(index_t n);
template class BlockTwiddles<float>;
template class BlockTwiddles<double>;

}  // namespace phpc::fft
