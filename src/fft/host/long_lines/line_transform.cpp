#include "fft/host/long_lines/line_transform.hpp"

#include "fft/host/transforms/columns.hpp"
#include "fft/lines/describe.hpp"
#include "fft/math/bluestein_filter.hpp"
#include "fft/math/chirp.hpp"
#include "fft/math/factors.hpp"

namespace phpc::fft {

namespace {

void step(Prefetcher* prefetcher) {
  if (prefetcher != nullptr) {
    prefetcher->step();
  }
}

}  // namespace

template <class Real>
std::optional<HostLineTransform<Real>> HostLineTransform<Real>::make(index_t length, double scale, bool swapped) {
  const bool smooth = is_smooth(length);
  const auto split = four_step_split<Real>(smooth ? length : padded_length(2 * length - 1));
  if (!split) {
    return std::nullopt;
  }
  HostLineTransform transform(length, *split, smooth ? scale : 1, swapped);
  if (!smooth) {
    transform.add_convolution(scale);
  }
  return transform;
}

template <class Real>
HostLineTransform<Real>::HostLineTransform(index_t length, FourStepSplit split, double scale, bool swapped)
    : length_(length),
      split_(split),
      swapped_(swapped),
      column_transform_(split.n1),
      row_transform_(split.n2),
      matrix_(split.n1, split.n2),
      twiddles_(split.n1, split.n2, scale),
      back_matrix_(split.n2, split.n1) {}

template <class Real>
void HostLineTransform<Real>::add_convolution(double scale) {
  scale_ = static_cast<Real>(scale);
  back_twiddles_.emplace(split_.n2, split_.n1, 1);
  const std::vector<Complex<double>> chirp_values = chirp(length_);
  const std::vector<Complex<double>> spectrum = bluestein_filter_spectrum<Real>(chirp_values, split_.n1 * split_.n2);
  for (index_t block = 0; block < matrix_.blocks().count(); ++block) {
    for (index_t k2 = 0; k2 < matrix_.block_stride(); ++k2) {
      Value value{};
      for (int lane = 0; lane < lanes<Real> && k2 < split_.n2; ++lane) {
        const index_t k = matrix_.blocks().first(block) + lane + split_.n1 * k2;
        value.re[lane] = static_cast<Real>(spectrum[static_cast<std::size_t>(k)].re);
        value.im[lane] = static_cast<Real>(spectrum[static_cast<std::size_t>(k)].im);
      }
      bluestein_filter_.push_back(value);
    }
  }
  const auto padded = static_cast<std::size_t>(length_ + lanes<Real>);
  chirp_re_.resize(padded);
  chirp_im_.resize(padded);
  for (std::size_t j = 0; j < chirp_values.size(); ++j) {
    chirp_re_[j] = static_cast<Real>(chirp_values[j].re);
    chirp_im_[j] = static_cast<Real>(chirp_values[j].im);
  }
}

template <class Real>
std::size_t HostLineTransform<Real>::table_bytes() const {
  return column_transform_.table_bytes() + row_transform_.table_bytes() + twiddles_.table_bytes() +
         (back_twiddles_ ? back_twiddles_->table_bytes() : 0) + bluestein_filter_.size() * sizeof(Value) +
         (chirp_re_.size() + chirp_im_.size()) * sizeof(Real);
}

template <class Real>
std::string HostLineTransform<Real>::describe() const {
  const auto side = [](index_t n) { return std::to_string(n) + " (" + radix_text(host_radices(n).value()) + ")"; };
  const index_t whole = split_.n1 * split_.n2;
  return (is_convolution() ? "a convolution of " + std::to_string(whole) + ", " : "") + "in four steps: columns of " +
         side(split_.n1) + ", rows of " + side(split_.n2);
}

template <class Real>
index_t HostLineTransform<Real>::prefetch_steps() const {
  const index_t column_blocks = back_matrix_.blocks().count();
  return matrix_.blocks().count() + column_blocks * (is_convolution() ? 2 : 1);
}

template <class Real>
void HostLineTransform<Real>::run(const Crew& crew, const HostLine<Real>& line, const HostWork<Real>& work) const {
  if (is_convolution()) {
    chirped_columns(crew, line, work);
    crew.wait();
    filtered_rows(crew, line, work);
    crew.wait();
    back_columns(crew, line, work);
  } else {
    columns(crew, line, work);
    crew.wait();
    rows(crew, line, work);
  }
  crew.wait();
}

template <class Real>
void HostLineTransform<Real>::columns(const Crew& crew, const HostLine<Real>& line, const HostWork<Real>& work) const {
  const LaneBlocks<Real>& blocks = back_matrix_.blocks();
  const auto [first, last] = blocks.share(crew);
  if (has_short_columns<Real>(split_)) {
    Prefetcher none;
    Prefetcher& prefetcher = line.prefetcher == nullptr ? none : *line.prefetcher;
    const auto run = [&, begin = first, end = last]<int N1, bool Swapped>() {
      if constexpr (N1 % lanes<Real> == 0) {
        detail::twiddled_columns<N1, Swapped, Real>(line.from, split_.n2, begin, end, twiddles_.table(), work.shared,
                                                    matrix_.block_stride(), prefetcher);
      }
    };
    if (split_.n1 == 8) {
      swapped_ ? run.template operator()<8, true>() : run.template operator()<8, false>();
    } else {
      swapped_ ? run.template operator()<16, true>() : run.template operator()<16, false>();
    }
    return;
  }
  for (index_t block = first; block < last; ++block) {
    column_transform_.run({line.from + 2 * blocks.first(block), 2 * split_.n2, swapped_}, work.own);
    twiddles_.apply_twiddles_and_transpose(work.own, column_transform_.place(), block, work.shared);
    step(line.prefetcher);
  }
}

template <class Real>
void HostLineTransform<Real>::rows(const Crew& crew, const HostLine<Real>& line, const HostWork<Real>& work) const {
  const LaneBlocks<Real>& blocks = matrix_.blocks();
  const auto [first, last] = blocks.share(crew);
  for (index_t block = first; block < last; ++block) {
    row_transform_.run(work.shared + block * matrix_.block_stride(),
                       {line.to + 2 * blocks.first(block), 2 * split_.n1, swapped_, line.stores}, work.own);
    step(line.prefetcher);
  }
}

/// Returns elements element ... element + lanes - 1 of the line times the chirp, with zeros beyond the line's end.
template <class Real>
PackValue<Real> HostLineTransform<Real>::chirped(const Real* line, index_t element) const {
  const index_t left = length_ - element;
  if (left <= 0) {
    return Value{};
  }
  Value value{};
  if (left >= lanes<Real>) {
    value = load_interleaved(line + 2 * element);
  } else {
    for (int lane = 0; lane < left; ++lane) {
      value.re[lane] = line[2 * (element + lane)];
      value.im[lane] = line[2 * (element + lane) + 1];
    }
  }
  if (swapped_) {
    value = {value.im, value.re};
  }
  return value * Value{load_pack(chirp_re_.data() + element), load_pack(chirp_im_.data() + element)};
}

template <class Real>
void HostLineTransform<Real>::store_chirped(Real* line, index_t element, Value value) const {
  const index_t left = length_ - element;
  if (left <= 0) {
    return;
  }
  value = scaled(value * Value{load_pack(chirp_re_.data() + element), load_pack(chirp_im_.data() + element)}, scale_);
  if (swapped_) {
    value = {value.im, value.re};
  }
  if (left >= lanes<Real>) {
    store_interleaved(line + 2 * element, value);
    return;
  }
  for (int lane = 0; lane < left; ++lane) {
    line[2 * (element + lane)] = value.re[lane];
    line[2 * (element + lane) + 1] = value.im[lane];
  }
}

template <class Real>
void HostLineTransform<Real>::chirped_columns(const Crew& crew, const HostLine<Real>& line, const HostWork<Real>& work) const {
  const LaneBlocks<Real>& blocks = back_matrix_.blocks();
  Value* const scratch = work.own;
  const auto [first, last] = blocks.share(crew);
  for (index_t block = first; block < last; ++block) {
    for (index_t j1 = 0; j1 < split_.n1; ++j1) {
      scratch[j1] = chirped(line.from, j1 * split_.n2 + blocks.first(block));
    }
    column_transform_.run(scratch);
    twiddles_.apply_twiddles_and_transpose(scratch, column_transform_.place(), block, work.shared);
    step(line.prefetcher);
  }
}

/// The rows of both transforms of the convolution, with the product by the filter's spectrum between them. The result has real
/// and imaginary parts swapped, up to back_columns().
template <class Real>
void HostLineTransform<Real>::filtered_rows(const Crew& crew, const HostLine<Real>& line, const HostWork<Real>& work) const {
  Value* const values = work.own;
  Value* const scratch = work.own + split_.n2;
  const auto [first, last] = matrix_.blocks().share(crew);
  for (index_t block = first; block < last; ++block) {
    row_transform_.run(work.shared + block * matrix_.block_stride(), values, scratch);
    const Value* const filter = bluestein_filter_.data() + block * matrix_.block_stride();
    for (index_t k2 = 0; k2 < split_.n2; ++k2) {
      const Value product = values[k2] * filter[k2];
      scratch[k2] = {product.im, product.re};
    }
    row_transform_.run(scratch);
    back_twiddles_->apply_twiddles_and_transpose(scratch, row_transform_.place(), block, work.shared + matrix_.size());
    step(line.prefetcher);
  }
}

template <class Real>
void HostLineTransform<Real>::back_columns(const Crew& crew, const HostLine<Real>& line, const HostWork<Real>& work) const {
  const LaneBlocks<Real>& blocks = back_matrix_.blocks();
  Value* const values = work.own;
  Value* const scratch = work.own + split_.n1;
  const auto [first, last] = blocks.share(crew);
  for (index_t block = first; block < last; ++block) {
    column_transform_.run(work.shared + matrix_.size() + block * back_matrix_.block_stride(), values, scratch);
    for (index_t j1 = 0; j1 < split_.n1; ++j1) {
      store_chirped(line.to, j1 * split_.n2 + blocks.first(block), {values[j1].im, values[j1].re});
    }
    step(line.prefetcher);
  }
}

template class HostLineTransform<float>;
template class HostLineTransform<double>;

}  // namespace phpc::fft
