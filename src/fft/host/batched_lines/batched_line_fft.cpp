#include "fft/host/batched_lines/batched_line_fft.hpp"

#include "fft/lines/describe.hpp"

namespace phpc::fft {

bool is_halved(const LineProblem& problem) {
  return problem.is_real() && problem.length % 2 == 0;
}

index_t complex_length(const LineProblem& problem) {
  return is_halved(problem) ? problem.length / 2 : problem.length;
}

namespace {

index_t line_elements(Elements elements, const LineProblem& problem) {
  return problem.is_real() && elements != Elements::real ? problem.length / 2 + 1 : problem.length;
}

}  // namespace

template <class Real>
BatchedLineFft<Real>::BatchedLineFft(const LineProblem& problem)
    : problem_(problem),
      length_(complex_length(problem)),
      from_count_(line_elements(problem.from, problem)),
      to_count_(line_elements(problem.to, problem)),
      swapped_(problem.direction == Direction::inverse),
      transform_(length_) {
  if (is_halved(problem)) {
    halves_.emplace(length_, problem.direction);
  }
  if (takes_short_lines(problem)) {
    short_lines_.emplace(length_, swapped_, problem.scale);
  }
  is_fused_ = problem.from == Elements::complex && problem.to == Elements::complex && problem.scale == 1 &&
              transform_.direct() != nullptr && std::any_of(problem.loops.begin(), problem.loops.end(), [](const LineLoop& loop) {
                return loop.from == 1 && loop.to == 1;
              });
  // One more for element n/2 of the halved line; never a power of two, lest both arrays take the same sets of a cache.
  values_ = std::max(transform_.values(), std::max(from_count_, to_count_)) + 2;
}

template <class Real>
bool BatchedLineFft<Real>::takes_short_lines(const LineProblem& problem) {
  return problem.from == Elements::complex && problem.to == Elements::complex && problem.from_stride == 1 &&
         problem.to_stride == 1 && ShortLineFft<Real>::fits(problem.length);
}

template <class Real>
std::size_t BatchedLineFft<Real>::table_bytes() const {
  return transform_.table_bytes() + (halves_ ? halves_->table_bytes() : 0) + (short_lines_ ? short_lines_->table_bytes() : 0);
}

template <class Real>
std::string BatchedLineFft<Real>::describe() const {
  if (short_lines_) {
    return std::to_string(short_lines_->group()) + (short_lines_->group() == 1 ? " line" : " lines") +
           " at a time in registers, " + radix_text(ShortLineFft<Real>::radices(length_));
  }
  return "a line in each lane, " + (halves_ ? "as " + std::to_string(length_) + " pairs of reals, " : "") + transform_.describe();
}

template <class Real>
std::size_t BatchedLineFft<Real>::scratch_bytes() const {
  return static_cast<std::size_t>(2 * values_) * sizeof(Value);
}

template <class Real>
typename BatchedLineFft<Real>::Output BatchedLineFft<Real>::output(const LineOrder& order, Array<Real> to, Stores stores) const {
  const index_t scale = problem_.to == Elements::complex ? 2 : 1;
  if (stores == Stores::cached || problem_.to_stride != 1 || problem_.to == Elements::planar) {
    return Output::direct;
  }
  bool aligned = problem_.to == Elements::complex && scale * to_count_ % lanes<Real> == 0 &&
                 reinterpret_cast<std::uintptr_t>(to.first()) % pack_bytes == 0;
  for (const LineLoop& loop : order.loops()) {
    aligned = aligned && scale * loop.to % lanes<Real> == 0;
  }
  if (aligned) {
    return Output::direct_streamed;
  }
  return order.loops().size() == 1 && order.loops()[0].to == to_count_ ? Output::packed_streamed : Output::direct;
}

/// Whether all lines of a tile are neighbours in both arrays.
template <class Real>
bool BatchedLineFft<Real>::are_neighbours(const TileLines<Real>& from, const TileLines<Real>& to) const {
  const int last = lanes<Real> - 1;
  return from.count == lanes<Real> && from.at[last] == from.at[0] + last && to.at[last] == to.at[0] + last;
}

/// Loads a tile into `first`, ready to be transformed.
template <class Real>
void BatchedLineFft<Real>::load(Array<const Real> from, const TileLines<Real>& lines, Value* first, Value* second,
                                Prefetcher& prefetcher) const {
  const index_t stride = problem_.from_stride;
  if (!problem_.is_real()) {
    load_tile(from, lines, stride, length_, swapped_, first, prefetcher);
  } else if (problem_.from == Elements::real) {
    if (halves_) {
      load_tile(from, lines, stride, length_, false, first, prefetcher);
    } else {
      load_real_tile(from.first(), lines, stride, length_, first);
    }
  } else if (halves_) {
    load_tile(from, lines, stride, from_count_, false, second, prefetcher);
    halves_->run_lanes(second, first);
    for (index_t k = 0; k < length_; ++k) {
      first[k] = {first[k].im, first[k].re};
    }
  } else {
    load_tile(from, lines, stride, from_count_, true, first, prefetcher);
    first[0].re = Pack<Real>{};  // of a real result element 0 is real
    for (index_t k = 1; k < from_count_; ++k) {
      first[length_ - k] = {-first[k].re, first[k].im};
    }
  }
}

template <class Real>
void BatchedLineFft<Real>::store(const Value* values, Array<Real> to, const TileLines<Real>& lines, Stores stores,
                                 Prefetcher& prefetcher) const {
  const auto scale = static_cast<Real>(problem_.scale);
  if (problem_.to == Elements::real && !halves_) {
    store_real_tile(values, true, scale, to.first(), lines, problem_.to_stride, length_);
  } else {
    const index_t count = problem_.to == Elements::real ? length_ : to_count_;
    store_tile(values, swapped_, scale, to, lines, problem_.to_stride, count, stores, prefetcher);
  }
}

/// Runs the next lines where fewer than a group follow one another: copied into a whole group, so that a line comes out with the
/// same bytes whatever lines are beside it.
template <class Real>
void BatchedLineFft<Real>::run_gathered_group(LineCursor& cursor, Array<const Real> from, Array<Real> to, Real* in,
                                              Real* out) const {
  const index_t line_size = 2 * length_;
  const index_t count = std::min(cursor.left(), short_lines_->group());
  if (count == 1) {
    // The whole group is that line: a group is read before it is written.
    short_lines_->run({from.from(cursor.from()).first(), 0, to.from(cursor.to()).first(), 0, 1, Stores::cached});
    cursor.advance();
    return;
  }
  index_t to_at[lanes<Real>];
  for (index_t line = 0; line < count; ++line) {
    std::copy_n(from.from(cursor.from()).first(), line_size, in + line * line_size);
    to_at[line] = cursor.to();
    cursor.advance();
  }
  std::fill(in + count * line_size, in + short_lines_->group() * line_size, Real{0});
  short_lines_->run({in, line_size, out, line_size, 1, Stores::cached});
  for (index_t line = 0; line < count; ++line) {
    std::copy_n(out + line * line_size, line_size, to.from(to_at[line]).first());
  }
}

/// Copies rows, of which row k holds element k of all lines of a tile, to where these lines lie.
template <class Real>
void BatchedLineFft<Real>::scatter_rows(const Real* rows, Array<Real> to, const TileLines<Real>& lines) const {
  for (index_t k = 0; k < length_; ++k) {
    for (int lane = 0; lane < lines.count; ++lane) {
      std::copy_n(rows + 2 * (k * lanes<Real> + lane), 2, to.first() + 2 * (lines.at[lane] + k * problem_.to_stride));
    }
  }
}

/// Runs whole groups of neighbouring lines where they lie, or else one group that is gathered first.
template <class Real>
void BatchedLineFft<Real>::run_short_lines(LineCursor& cursor, const LineLoop& inner, Array<const Real> from, Array<Real> to,
                                           Output way, Value* first, Value* second) const {
  const index_t groups = cursor.whole_groups(short_lines_->group());
  if (groups == 0) {
    run_gathered_group(cursor, from, to, reinterpret_cast<Real*>(first), reinterpret_cast<Real*>(second));
    return;
  }
  const Real* const in = from.from(cursor.from()).first();
  Real* const out = to.from(cursor.to()).first();
  if (way == Output::packed_streamed) {
    // The lines lie one after the other: a group is put together in scratch first.
    auto* const packed = reinterpret_cast<Real*>(first);
    const index_t group_size = 2 * length_ * short_lines_->group();
    for (index_t group = 0; group < groups; ++group) {
      short_lines_->run(
          {in + group * short_lines_->group() * 2 * inner.from, 2 * inner.from, packed, 2 * length_, 1, Stores::cached});
      copy_streamed(packed, out + group * group_size, group_size);
    }
  } else {
    short_lines_->run(
        {in, 2 * inner.from, out, 2 * inner.to, groups, way == Output::direct_streamed ? Stores::streamed : Stores::cached});
  }
  cursor.skip(groups * short_lines_->group());
}

/// Runs a tile whose last stage writes memory itself (is_fused_).
template <class Real>
void BatchedLineFft<Real>::run_fused(Array<const Real> from, const TileLines<Real>& from_lines, Array<Real> to,
                                     const TileLines<Real>& to_lines, Value* first, Value* second, Prefetcher& prefetcher) const {
  const HostTransform<Real>& transform = *transform_.direct();
  load_tile(from, from_lines, problem_.from_stride, length_, swapped_, first, prefetcher);
  if (are_neighbours(from_lines, to_lines)) {
    transform.run(first, {to.first() + 2 * to_lines.at[0], 2 * problem_.to_stride, swapped_}, first);
    return;
  }
  auto* const rows = reinterpret_cast<Real*>(second);
  transform.run(first, {rows, 2 * lanes<Real>, swapped_}, first);
  scatter_rows(rows, to, to_lines);
}

/// Stores a tile's lines one after the other in `packed`, and from there past the caches.
template <class Real>
void BatchedLineFft<Real>::store_packed(const Value* values, Real* packed, Array<Real> to, const TileLines<Real>& lines,
                                        Prefetcher& prefetcher) const {
  const index_t numbers = problem_.to == Elements::complex ? 2 : 1;
  TileLines<Real> there = lines;
  for (int lane = 0; lane < lanes<Real>; ++lane) {
    there.at[lane] = std::min(lane, lines.count - 1) * to_count_;
  }
  store(values, problem_.to == Elements::complex ? Array<Real>(reinterpret_cast<Complex<Real>*>(packed)) : Array<Real>(packed),
        there, Stores::cached, prefetcher);
  copy_streamed(packed, to.first() + numbers * lines.at[0], numbers * to_count_ * lines.count);
}

template <class Real>
void BatchedLineFft<Real>::run(LineCursor cursor, const LineOrder& order, Array<const Real> from, Array<Real> to, Stores stores,
                               std::byte* scratch) const {
  auto* const first = reinterpret_cast<Value*>(scratch);
  Value* const second = first + values_;
  const Output way = output(order, to, stores);
  const bool is_dense = problem_.from_stride == 1 && problem_.from != Elements::planar && order.loops().size() == 1 &&
                        order.loops()[0].from == from_count_;
  const std::size_t element_bytes = (problem_.from == Elements::complex ? 2 : 1) * sizeof(Real);
  const index_t steps = 4 * ceil_div(length_, lanes<Real>);  // those of a tile read and written
  const LineLoop inner = order.loops().back();
  while (cursor.left() > 0) {
    if (short_lines_) {
      run_short_lines(cursor, inner, from, to, way, first, second);
      continue;
    }
    TileLines<Real> from_lines;
    TileLines<Real> to_lines;
    cursor.take(from_lines, to_lines);
    Prefetcher prefetcher;
    if (is_dense && cursor.left() > 0) {
      const index_t count = std::min<index_t>(cursor.left(), lanes<Real>) * from_count_;
      prefetcher = Prefetcher(from.from(cursor.from()).first(), static_cast<std::size_t>(count) * element_bytes, steps);
    }
    if (is_fused_ && (to_lines.count == lanes<Real> || inner.to != 1)) {
      run_fused(from, from_lines, to, to_lines, first, second, prefetcher);
      continue;
    }
    load(from, from_lines, first, second, prefetcher);
    transform_.run(first, second);
    if (halves_ && problem_.from == Elements::real) {
      halves_->run_lanes(second, second);
    }
    if (way == Output::packed_streamed) {
      store_packed(second, reinterpret_cast<Real*>(first), to, to_lines, prefetcher);
    } else {
      store(second, to, to_lines, way == Output::direct ? Stores::cached : Stores::streamed, prefetcher);
    }
  }
  if (way != Output::direct) {
    finish_streamed_stores();
  }
}

template class BatchedLineFft<float>;
template class BatchedLineFft<double>;

}  // namespace phpc::fft
