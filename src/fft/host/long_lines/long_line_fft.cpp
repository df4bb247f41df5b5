#include "fft/host/long_lines/long_line_fft.hpp"

#include "fft/host/batched_lines/batched_line_fft.hpp"

namespace phpc::fft {

/// Lines that take no more than this, in and out together, stay in a core's own cache from one call to the next: to fetch them
/// ahead would only take time.
constexpr std::size_t near_bytes = std::size_t{2} << 20;

template <class Real>
std::optional<LongLineFft<Real>> LongLineFft<Real>::make(const LineProblem& problem) {
  auto transform = HostLineTransform<Real>::make(complex_length(problem), problem.scale, problem.direction == Direction::inverse);
  if (!transform) {
    return std::nullopt;
  }
  return LongLineFft(problem, *std::move(transform));
}

template <class Real>
LongLineFft<Real>::LongLineFft(const LineProblem& problem, HostLineTransform<Real> transform)
    : problem_(problem), length_(complex_length(problem)), transform_(std::move(transform)) {
  if (is_halved(problem)) {
    halves_.emplace(length_, problem.direction);
  }
  const bool dense_from = problem.from_stride == 1 && problem.from != Elements::planar;
  const bool dense_to = problem.to_stride == 1 && problem.to != Elements::planar;
  const bool is_whole = !problem.is_real() || halves_.has_value();
  reads_in_place_ = dense_from && is_whole;
  writes_in_place_ = dense_to && is_whole;
}

template <class Real>
std::size_t LongLineFft<Real>::table_bytes() const {
  return transform_.table_bytes() + (halves_ ? halves_->table_bytes() : 0);
}

template <class Real>
std::string LongLineFft<Real>::describe() const {
  return (halves_ ? "as " + std::to_string(length_) + " pairs of reals, " : "") + transform_.describe();
}

template <class Real>
std::size_t LongLineFft<Real>::shared_bytes() const {
  // The line that is gathered, transformed and scattered, after what the transform needs.
  return static_cast<std::size_t>(transform_.shared_values()) * sizeof(Value) +
         static_cast<std::size_t>(length_ + 1) * sizeof(Complex<Real>);
}

template <class Real>
std::size_t LongLineFft<Real>::own_bytes() const {
  return static_cast<std::size_t>(transform_.own_values()) * sizeof(Value);
}

/// A line, of whatever kind, as interleaved numbers one after the other.
template <class Real>
void LongLineFft<Real>::gather(const Crew& crew, Array<const Real> from, Real* line) const {
  const index_t stride = problem_.from_stride;
  const Real* const first = from.first();
  const bool adds_conjugates = problem_.to == Elements::real && !halves_;
  if (problem_.from == Elements::real) {
    const auto [begin, end] = crew.share(problem_.length);
    for (index_t j = begin; j < end; ++j) {
      if (halves_) {
        line[j] = first[j * stride];
      } else {
        line[2 * j] = first[j * stride];
        line[2 * j + 1] = 0;
      }
    }
  } else {
    const Real* const re = first;
    const Real* const im = problem_.from == Elements::planar ? from.second() : first + 1;
    const index_t step = problem_.from == Elements::planar ? stride : 2 * stride;
    const index_t count = problem_.is_real() ? problem_.length / 2 + 1 : problem_.length;
    const auto [begin, end] = crew.share(count);
    for (index_t k = begin; k < end; ++k) {
      line[2 * k] = re[k * step];
      line[2 * k + 1] = im[k * step];
      if (adds_conjugates && k > 0) {
        line[2 * (length_ - k)] = re[k * step];
        line[2 * (length_ - k) + 1] = -im[k * step];
      }
    }
    if (adds_conjugates && begin == 0 && end > 0) {
      line[1] = 0;  // of a real result element 0 is real
    }
  }
  crew.wait();
}

template <class Real>
void LongLineFft<Real>::scatter(const Crew& crew, const Real* line, Array<Real> to, Stores stores) const {
  const index_t stride = problem_.to_stride;
  Real* const first = to.first();
  const index_t count = problem_.is_real() && problem_.to != Elements::real ? problem_.length / 2 + 1 : problem_.length;
  const auto [begin, end] = crew.share(count);
  if (problem_.to == Elements::real) {
    const index_t step = halves_ ? 1 : 2;
    for (index_t j = begin; j < end; ++j) {
      first[j * stride] = line[step * j];
    }
  } else if (problem_.to == Elements::complex && stride == 1) {
    if (stores == Stores::streamed) {
      copy_streamed(line + 2 * begin, first + 2 * begin, 2 * (end - begin));
    } else {
      std::copy(line + 2 * begin, line + 2 * end, first + 2 * begin);
    }
  } else {
    Real* const im = problem_.to == Elements::planar ? to.second() : first + 1;
    const index_t step = problem_.to == Elements::planar ? stride : 2 * stride;
    for (index_t k = begin; k < end; ++k) {
      first[k * step] = line[2 * k];
      im[k * step] = line[2 * k + 1];
    }
  }
  crew.wait();
}

template <class Real>
void LongLineFft<Real>::run_line(const Crew& crew, const Array<const Real>& from, const Array<Real>& to, Stores stores,
                                 Prefetcher& prefetcher, const Scratch& scratch) const {
  const HostWork<Real> work{reinterpret_cast<Value*>(scratch.shared), reinterpret_cast<Value*>(scratch.own)};
  auto* const line = reinterpret_cast<Real*>(work.shared + transform_.shared_values());
  const Real* in = from.first();
  if (!reads_in_place_) {
    gather(crew, from, line);
    in = line;
  }
  if (halves_ && problem_.to == Elements::real) {
    halves_->run_line(crew, in, line);
    in = line;
  }
  const bool makes_halves = halves_ && problem_.from == Elements::real;
  // What is streamed must be in whole packs, and not read again.
  const bool is_aligned = reinterpret_cast<std::uintptr_t>(to.first()) % pack_bytes == 0 && transform_.writes_aligned();
  const bool streams_later = stores == Stores::streamed && (!is_aligned || makes_halves);
  Real* const out = writes_in_place_ && !streams_later ? to.first() : line;
  transform_.run(crew, {in, out, out == line ? Stores::cached : stores, &prefetcher}, work);
  if (makes_halves) {
    halves_->run_line(crew, out, out);
  }
  if (out == line) {
    scatter(crew, line, to, stores);
  }
}

template <class Real>
void LongLineFft<Real>::run(const Crew& crew, LineCursor cursor, Array<const Real> from, Array<Real> to, Stores stores,
                            const Scratch& scratch) const {
  const auto line_bytes = static_cast<std::size_t>(length_) * sizeof(Complex<Real>);
  const bool is_far = stores == Stores::streamed || static_cast<std::size_t>(cursor.left()) * 2 * line_bytes > near_bytes;
  const bool prefetches = is_far && reads_in_place_ && crew.size == 1;
  while (cursor.left() > 0) {
    const Array<const Real> from_line = from.from(cursor.from());
    const Array<Real> to_line = to.from(cursor.to());
    cursor.advance();
    Prefetcher prefetcher;
    if (prefetches && cursor.left() > 0) {
      prefetcher = Prefetcher(from.from(cursor.from()).first(), line_bytes, transform_.prefetch_steps());
    }
    run_line(crew, from_line, to_line, stores, prefetcher, scratch);
  }
  if (stores == Stores::streamed) {
    finish_streamed_stores();
  }
}

template class LongLineFft<float>;
template class LongLineFft<double>;

}  // namespace phpc::fft
