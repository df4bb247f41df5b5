#include "fft/host/lines.hpp"

#include <omp.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fft/host/scratch.hpp"
#include "fft/host/singles.hpp"
#include "fft/host/tiles.hpp"
#include "phpc/core/first_error.hpp"
#include "phpc/exec/buffer.hpp"

namespace phpc::fft {

namespace {

/// Less work than this many elements is done before other threads have woken up.
constexpr index_t least_shared_elements = index_t{1} << 14;
/// From this size on, in and out together, the result does not stay in the caches whatever one does.
constexpr std::size_t streaming_bytes = std::size_t{16} << 20;
/// Transforms in more scratch than this are done by all threads together, so that they need it once.
constexpr std::size_t largest_own_bytes = std::size_t{16} << 20;
/// From here on it is seen whether there is memory for a line before the tables are made, which takes seconds and more.
constexpr index_t probed_length = index_t{1} << 26;
/// Scratch up to this is taken from the stack by one thread: a lease (scratch.hpp) costs 30 ns, a transform of 64 elements 200.
constexpr std::size_t stack_bytes = std::size_t{40} << 10;
/// The longest line whose tile is sure to be faster than four steps within it, in packs.
constexpr index_t tile_lengths = 16;

}  // namespace

template <class Real>
class HostLines<Real>::Impl {
 public:
  explicit Impl(const LineProblem& problem) : problem_(problem), whole_(problem.loops) {
    if (problem.length >= probed_length) {
      const exec::Buffer<Complex<Real>> probe(exec::Device::host(), problem.length);
    }
    if (prefers_singles()) {
      singles_ = HostSingles<Real>::make(problem);
    }
    if (!singles_) {
      tiles_.emplace(problem);
    }
  }

  [[nodiscard]] std::uint64_t table_bytes() const { return singles_ ? singles_->table_bytes() : tiles_->table_bytes(); }

  [[nodiscard]] std::string describe() const {
    return (singles_ ? "a line at a time, " + singles_->describe() : tiles_->describe()) + ", packs of " +
           std::to_string(lanes<Real>);
  }

  void run(Array<const Real> from, Array<Real> to, index_t batch) {
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
    const index_t elements = count * problem_.length;
    const bool is_alone = elements < least_shared_elements || omp_in_parallel() != 0;
    const int threads = is_alone ? 1 : omp_get_max_threads();
    const bool in_place = static_cast<const void*>(from.first()) == static_cast<const void*>(to.first());
    const Stores stores = array_bytes(count) >= streaming_bytes && !in_place ? Stores::streamed : Stores::cached;
    if (tiles_) {
      run_tiles(order, from, to, stores, threads);
    } else if (count < threads || singles_->shared_bytes() > largest_own_bytes) {
      run_together(order, from, to, stores, threads);
    } else {
      run_apart(order, from, to, stores, threads);
    }
  }

 private:
  /// By how lines lie and how long they are, never by how many there are: the parts of a batch give the same bytes as the whole.
  [[nodiscard]] bool prefers_singles() const {
    const index_t length = complex_length(problem_);
    if (length < tile_lengths * lanes<Real>) {
      return false;
    }
    if (problem_.from_stride == 1 && problem_.to_stride == 1) {
      return problem_.from != Elements::complex || problem_.to != Elements::complex || !HostShort<Real>::fits(length);
    }
    // Where neighbours in memory are of different lines, lanes across these use the memory's lines whole.
    return std::none_of(problem_.loops.begin(), problem_.loops.end(), [this](const LineLoop& loop) {
      return loop.from < problem_.from_stride || loop.to < problem_.to_stride;
    });
  }

  /// Calls work(cursor, thread) for all lines, in pieces of whole tiles.
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

  /// Of both arrays, for that many lines of complex elements.
  [[nodiscard]] std::size_t array_bytes(index_t lines) const {
    return static_cast<std::size_t>(lines * problem_.length) * 2 * sizeof(Complex<Real>);
  }

  void run_tiles(const LineOrder& order, Array<const Real> from, Array<Real> to, Stores stores, int threads) {
    if (threads == 1 && tiles_->scratch_bytes() <= stack_bytes) {
      alignas(PackValue<Real>) std::byte scratch[stack_bytes];
      tiles_->run(LineCursor(order, 0, order.count()), order, from, to, stores, scratch);
      return;
    }
    const std::size_t each = page_multiple(tiles_->scratch_bytes());
    HostScratch::Lease scratch = scratch_.take(each * static_cast<std::size_t>(threads));
    std::byte* const bytes = scratch.data();
    in_pieces(order, threads, lanes<Real>, [&](const LineCursor& cursor, int thread) {
      tiles_->run(cursor, order, from, to, stores, bytes + each * static_cast<std::size_t>(thread));
    });
  }

  void run_apart(const LineOrder& order, Array<const Real> from, Array<Real> to, Stores stores, int threads) {
    const std::size_t own = page_multiple(singles_->own_bytes());
    const std::size_t each = own + page_multiple(singles_->shared_bytes());
    HostScratch::Lease scratch = scratch_.take(each * static_cast<std::size_t>(threads));
    std::byte* const bytes = scratch.data();
    in_pieces(order, threads, 1, [&](const LineCursor& cursor, int thread) {
      std::byte* const mine = bytes + each * static_cast<std::size_t>(thread);
      singles_->run(Crew{}, cursor, from, to, stores, mine + own, mine);
    });
  }

  void run_together(const LineOrder& order, Array<const Real> from, Array<Real> to, Stores stores, int threads) {
    const std::size_t own = page_multiple(singles_->own_bytes());
    const std::size_t all = own * static_cast<std::size_t>(threads);
    HostScratch::Lease scratch = scratch_.take(all + singles_->shared_bytes());
    std::byte* const bytes = scratch.data();
    const auto work = [&](const Crew& crew, LineCursor cursor) {
      singles_->run(crew, std::move(cursor), from, to, stores, bytes + all, bytes + own * static_cast<std::size_t>(crew.rank));
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
  std::optional<HostTiles<Real>> tiles_;
  std::optional<HostSingles<Real>> singles_;
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
