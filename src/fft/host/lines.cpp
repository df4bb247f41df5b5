#include "fft/host/lines.hpp"

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fft/host/at_once.hpp"
#include "fft/host/batched_lines/batched_line_fft.hpp"
#include "fft/host/long_lines/blocks.hpp"
#include "fft/host/long_lines/long_line_fft.hpp"
#include "fft/host/memory/scratch.hpp"
#include "fft/host/narrow/narrow_pack.hpp"
#include "fft/host/transforms/radices.hpp"
#include "fft/math/factors.hpp"
#include "phpc/core/first_error.hpp"
#include "phpc/exec/buffer.hpp"

namespace phpc::fft {

namespace {

/// Fewer elements than this are transformed before other threads have woken up, and so by the calling thread alone.
constexpr index_t least_shared_elements = index_t{1} << 14;
/// From this size on, of both arrays together, results do not fit into the caches and are stored past them.
constexpr std::size_t streaming_bytes = std::size_t{16} << 20;
/// Lines that need more scratch than this are done by all threads together, one line at a time, so that it is needed once.
constexpr std::size_t largest_own_bytes = std::size_t{16} << 20;
/// From this length on the memory for a line is allocated and freed before the tables are made, which takes seconds and more: a
/// lack of it shows at once.
constexpr index_t probed_length = index_t{1} << 26;
/// Up to this length, in packs, a line in each lane is faster than four steps within a line; up to the other one it may be.
constexpr index_t longest_batched = 16;
constexpr index_t longest_smooth_batched = 64;

/// Whether a line in each lane takes less time than four steps within a line of a smooth length, by models of both: four steps
/// compute lanes in vain where their lengths are no multiples of a pack. That of lanes was fitted to 39 lengths of 90 to 960, on
/// the machine of host_stages_cost().
template <class Real>
bool takes_less_batched(index_t length) {
  const std::optional<FourStepSplit> split = four_step_split<Real>(length);
  const double transposed = sizeof(Real) == sizeof(float) ? 6.2 : 5.0;
  constexpr double of_doubling = 0.55;  // as a tile leaves the first-level cache
  return !split ||
         transposed + of_doubling * std::log2(static_cast<double>(length) / 128) + host_stages_cost(*host_radices(length)) <
             split->cost;
}

/// Up to so many lines take less time one after the other in narrow packs (NarrowLineFft) than in the lanes of a pack that is
/// mostly empty (BatchedLineFft). The count is that of the planned batch; both ways give the same bytes.
template <class Real>
constexpr index_t few_lines = lanes<Real> / 2 + 1;
/// The same of lines that are one butterfly each.
constexpr index_t few_butterflies = 16;
/// The same as few_lines of lines that are neighbours in memory (NarrowColumnFft).
template <class Real>
constexpr index_t few_columns = lanes<Real>;

}  // namespace

template <class Real>
class HostLines<Real>::Impl {
 public:
  explicit Impl(const LineProblem& problem) : problem_(problem), whole_(problem.loops) {
    if (problem.length >= probed_length) {
      const exec::Buffer<Complex<Real>> probe(exec::Device::host(), problem.length);
    }
    if (prefers_long_lines()) {
      long_lines_ = LongLineFft<Real>::make(problem);
    }
    // Lines that ShortLineFft does one at a time take less time there than in narrow packs.
    const bool are_in_registers =
        BatchedLineFft<Real>::takes_short_lines(problem) && ShortLineFft<Real>::group_of(problem.length) == 1;
    if (!long_lines_ && !are_in_registers && whole_.count() <= few_butterflies && NarrowLineFft<Real>::fits(problem)) {
      narrow_.emplace(problem);
      if (whole_.count() > few_lines<Real> && narrow_->only_stage() == nullptr) {
        narrow_.reset();
      }
    }
    if (!long_lines_ && !narrow_) {
      batched_lines_.emplace(problem);
    }
    const bool is_little_work = whole_.loops().size() == 1 && whole_.count() * problem.length < least_shared_elements;
    if (narrow_ && is_little_work && HostAtOnce<Real>::fits(*narrow_)) {
      at_once_.emplace(*narrow_, problem, whole_.loops().front());
    } else if (long_lines_ && is_little_work && HostAtOnce<Real>::fits(*long_lines_)) {
      at_once_.emplace(*long_lines_, whole_.loops().front());
    } else if (are_in_registers && is_little_work) {
      at_once_.emplace(*batched_lines_->short_lines(), whole_.loops().front());
    } else if (batched_lines_) {
      add_columns();
    }
  }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  [[nodiscard]] std::uint64_t table_bytes() const {
    return long_lines_ ? long_lines_->table_bytes()
           : narrow_   ? narrow_->table_bytes()
                       : batched_lines_->table_bytes() + (columns_ ? columns_->table_bytes() : 0);
  }

  [[nodiscard]] const HostAtOnce<Real>* at_once() const { return at_once_ ? &*at_once_ : nullptr; }

  [[nodiscard]] std::string describe() const {
    if (columns_ && at_once_) {
      return columns_->describe() + ", packs of " + std::to_string(narrow_width<Real>);
    }
    return (long_lines_ ? "a line at a time, " + long_lines_->describe()
            : narrow_   ? "a line at a time, " + narrow_->describe()
                        : batched_lines_->describe()) +
           ", packs of " + std::to_string(narrow_ ? narrow_width<Real> : lanes<Real>);
  }

  void run(Array<const Real> from, Array<Real> to, index_t batch) {
    if (at_once_ && batch == problem_.loops.front().count) {
      at_once_->run(from, to);
      return;
    }
    std::optional<LineOrder> partial;
    if (batch != problem_.loops.front().count) {
      std::vector<LineLoop> loops = problem_.loops;
      loops.front().count = batch;
      partial.emplace(std::move(loops));
    }
    const LineOrder& order = partial ? *partial : whole_;
    const index_t count = order.count();
    if (count == 0) {
      return;
    }
    if (narrow_) {
      run_narrow(order, from, to);
      return;
    }
    const index_t elements = count * problem_.length;
    const bool is_alone = elements < least_shared_elements || omp_in_parallel() != 0;
    const int threads = is_alone ? 1 : omp_get_max_threads();
    const bool in_place = static_cast<const void*>(from.first()) == static_cast<const void*>(to.first());
    const Stores stores = array_bytes(count) >= streaming_bytes && !in_place ? Stores::streamed : Stores::cached;
    if (batched_lines_) {
      run_batched_lines(order, from, to, stores, threads);
    } else if (count < threads || long_lines_->shared_bytes() > largest_own_bytes) {
      run_together(order, from, to, stores, threads);
    } else {
      run_apart(order, from, to, stores, threads);
    }
  }

 private:
  /// Makes NarrowColumnFft where the batch is a few neighbouring lines. It gives the bytes of BatchedLineFft, which remains for
  /// parts of the batch.
  void add_columns() {
    const std::vector<LineLoop>& loops = whole_.loops();
    const LineLoop& inner = loops.back();
    const bool are_few = inner.from == 1 && inner.to == 1 && inner.count <= few_columns<Real> && loops.size() <= 2 &&
                         whole_.count() * problem_.length < least_shared_elements;
    if (!are_few || !NarrowColumnFft<Real>::fits(problem_)) {
      return;
    }
    columns_.emplace(problem_);
    if (HostAtOnce<Real>::fits(*columns_)) {
      at_once_.emplace(*columns_, loops.size() == 2 ? loops.front() : LineLoop{1, 0, 0}, inner);
    }
  }

  /// Whether LongLineFft does the lines. It depends on how lines lie and how long they are, never on how many there are: a line
  /// gives the same bytes alone as in a batch.
  [[nodiscard]] bool prefers_long_lines() const {
    const index_t length = complex_length(problem_);
    if (length < longest_batched * lanes<Real>) {
      return false;
    }
    if (problem_.from_stride == 1 && problem_.to_stride == 1) {
      if (length < longest_smooth_batched * lanes<Real> && is_smooth(length) && takes_less_batched<Real>(length)) {
        return false;
      }
      return problem_.from != Elements::complex || problem_.to != Elements::complex || !ShortLineFft<Real>::fits(length);
    }
    // Where neighbours in memory are of different lines, lanes across these use the memory's lines whole.
    return std::none_of(problem_.loops.begin(), problem_.loops.end(), [this](const LineLoop& loop) {
      return loop.from < problem_.from_stride || loop.to < problem_.to_stride;
    });
  }

  /// Calls work(cursor, thread) on `threads` threads for all lines, in pieces of multiples of `unit` lines.
  template <class Work>
  void in_pieces(const LineOrder& order, int threads, index_t unit, const Work& work) const {
    const index_t count = order.count();
    if (threads == 1) {
      work(LineCursor(order, 0, count), 0);
      return;
    }
    const index_t units = ceil_div(count, unit);
    FirstError error;  // a cursor over several loops has memory of its own
    const auto in_share = [&](index_t part, index_t parts) {
      const index_t first = units * part / parts * unit;
      const index_t end = std::min(count, units * (part + 1) / parts * unit);
      if (first < end) {
        error.guard([&] { work(LineCursor(order, first, end), omp_get_thread_num()); });
      }
    };
    if (array_bytes(count) < streaming_bytes) {
      // Each thread has the same lines in every call, which its own cache then holds.
#pragma omp parallel num_threads(threads)
      in_share(omp_get_thread_num(), omp_get_num_threads());
      error.rethrow();
      return;
    }
    const index_t pieces = std::min<index_t>(units, index_t{8} * threads);
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1)
    for (index_t piece = 0; piece < pieces; ++piece) {
      in_share(piece, pieces);
    }
    error.rethrow();
  }

  /// Bytes of both arrays, for that many lines of complex elements.
  [[nodiscard]] std::size_t array_bytes(index_t lines) const {
    return static_cast<std::size_t>(lines * problem_.length) * 2 * sizeof(Complex<Real>);
  }

  /// Lines that are not done at once: in several loops, of part of a batch, or with much scratch.
  void run_narrow(const LineOrder& order, Array<const Real> from, Array<Real> to) {
    HostScratch::Lease scratch = scratch_.take(narrow_->scratch_bytes());
    for (LineCursor cursor(order, 0, order.count()); cursor.left() > 0; cursor.advance()) {
      narrow_->run(from.from(cursor.from()).first(), to.from(cursor.to()).first(), reinterpret_cast<Real*>(scratch.data()));
    }
  }

  void run_batched_lines(const LineOrder& order, Array<const Real> from, Array<Real> to, Stores stores, int threads) {
    if (threads == 1 && batched_lines_->scratch_bytes() <= stack_bytes) {
      alignas(PackValue<Real>) std::byte scratch[stack_bytes];
      batched_lines_->run(LineCursor(order, 0, order.count()), order, from, to, stores, scratch);
      return;
    }
    const std::size_t each = page_multiple(batched_lines_->scratch_bytes());
    HostScratch::Lease scratch = scratch_.take(each * static_cast<std::size_t>(threads));
    std::byte* const bytes = scratch.data();
    in_pieces(order, threads, lanes<Real>, [&](const LineCursor& cursor, int thread) {
      batched_lines_->run(cursor, order, from, to, stores, bytes + each * static_cast<std::size_t>(thread));
    });
  }

  void run_apart(const LineOrder& order, Array<const Real> from, Array<Real> to, Stores stores, int threads) {
    const std::size_t own = page_multiple(long_lines_->own_bytes());
    const std::size_t each = own + page_multiple(long_lines_->shared_bytes());
    HostScratch::Lease scratch = scratch_.take(each * static_cast<std::size_t>(threads));
    std::byte* const bytes = scratch.data();
    in_pieces(order, threads, 1, [&](const LineCursor& cursor, int thread) {
      std::byte* const mine = bytes + each * static_cast<std::size_t>(thread);
      long_lines_->run(Crew{}, cursor, from, to, stores, {mine + own, mine});
    });
  }

  void run_together(const LineOrder& order, Array<const Real> from, Array<Real> to, Stores stores, int threads) {
    const std::size_t own = page_multiple(long_lines_->own_bytes());
    const std::size_t all = own * static_cast<std::size_t>(threads);
    HostScratch::Lease scratch = scratch_.take(all + long_lines_->shared_bytes());
    std::byte* const bytes = scratch.data();
    const auto work = [&](const Crew& crew, LineCursor cursor) {
      long_lines_->run(crew, std::move(cursor), from, to, stores,
                       {bytes + all, bytes + own * static_cast<std::size_t>(crew.rank)});
    };
    const LineCursor cursor(order, 0, order.count());
    if (threads == 1) {
      work(Crew{}, cursor);
      return;
    }
    // Made before the region: a thread that found no memory for its own would leave the others waiting at a barrier.
    std::vector<LineCursor> cursors(static_cast<std::size_t>(threads), cursor);
#pragma omp parallel num_threads(threads)
    work(Crew{omp_get_thread_num(), omp_get_num_threads()}, std::move(cursors[static_cast<std::size_t>(omp_get_thread_num())]));
  }

  static std::size_t page_multiple(std::size_t bytes) { return (bytes + 4095) / 4096 * 4096; }

  LineProblem problem_;
  LineOrder whole_;
  std::optional<BatchedLineFft<Real>> batched_lines_;
  std::optional<LongLineFft<Real>> long_lines_;
  std::optional<NarrowLineFft<Real>> narrow_;
  std::optional<NarrowColumnFft<Real>> columns_;
  std::optional<HostAtOnce<Real>> at_once_;  ///< of narrow_, long_lines_, columns_ or batched_lines_
  HostScratch scratch_;
};

template <class Real>
HostLines<Real>::HostLines(const LineProblem& problem) : impl_(std::make_unique<Impl>(problem)) {}
template <class Real>
HostLines<Real>::HostLines(HostLines&&) noexcept = default;
template <class Real>
HostLines<Real>& HostLines<Real>::operator=(HostLines&&) noexcept = default;
template <class Real>
HostLines<Real>::~HostLines() = default;

template <class Real>
void HostLines<Real>::run(Array<const Real> from, Array<Real> to, index_t batch) const {
  impl_->run(from, to, batch);
}

template <class Real>
const HostAtOnce<Real>* HostLines<Real>::at_once() const {
  return impl_->at_once();
}

template <class Real>
std::uint64_t HostLines<Real>::table_bytes() const {
  return impl_->table_bytes();
}

template <class Real>
std::string HostLines<Real>::describe() const {
  return impl_->describe();
}

template class HostLines<float>;
template class HostLines<double>;

}  // namespace phpc::fft
