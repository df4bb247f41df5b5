#pragma once
#include <algorithm>
#include <utility>
#include <vector>

#include "fft/host/memory/tile_io.hpp"
#include "fft/lines/line.hpp"

namespace phpc::fft {

/// The loops over the lines of a problem, sorted for memory: the loop whose lines lie closest together is innermost, and loops
/// that continue one another are joined.
class LineOrder {
 public:
  explicit LineOrder(std::vector<LineLoop> loops) : loops_(std::move(loops)) {
    std::erase_if(loops_, [](const LineLoop& loop) { return loop.count == 1; });
    if (loops_.empty()) {
      loops_.push_back({1, 0, 0});
    }
    std::sort(loops_.begin(), loops_.end(), [](const LineLoop& a, const LineLoop& b) { return a.from + a.to > b.from + b.to; });
    for (std::size_t outer = loops_.size() - 1; outer-- > 0;) {
      const LineLoop inner = loops_[outer + 1];
      if (loops_[outer].from == inner.count * inner.from && loops_[outer].to == inner.count * inner.to) {
        loops_[outer] = {loops_[outer].count * inner.count, inner.from, inner.to};
        loops_.erase(loops_.begin() + static_cast<std::ptrdiff_t>(outer) + 1);
      }
    }
  }

  /// The innermost loop last.
  [[nodiscard]] const std::vector<LineLoop>& loops() const { return loops_; }
  [[nodiscard]] index_t count() const {
    index_t product = 1;
    for (const LineLoop& loop : loops_) {
      product *= loop.count;
    }
    return product;
  }

 private:
  std::vector<LineLoop> loops_;
};

/// A position among the lines [first, end) of an order, the innermost loop first.
class LineCursor {
 public:
  LineCursor(const LineOrder& order, index_t first, index_t end)
      : loops_(order.loops()), inner_(loops_.back()), left_(end - first), outer_done_(loops_.size() - 1) {
    inner_done_ = start(inner_, first);
    for (std::size_t i = outer_done_.size(); i-- > 0;) {
      outer_done_[i] = start(loops_[i], first);
    }
  }

  [[nodiscard]] index_t left() const { return left_; }
  /// Where the next line begins, in elements of each array.
  [[nodiscard]] index_t from() const { return from_; }
  [[nodiscard]] index_t to() const { return to_; }

  void advance() { skip(1); }

  /// How many of the next lines follow one another in the innermost loop, in whole groups of so many lines.
  [[nodiscard]] index_t whole_groups(index_t lines) const { return std::min(left_, inner_.count - inner_done_) / lines; }
  /// Goes on by that many lines of the innermost loop.
  void skip(index_t count) {
    left_ -= count;
    inner_done_ += count;
    from_ += count * inner_.from;
    to_ += count * inner_.to;
    if (inner_done_ == inner_.count && !outer_done_.empty()) {
      wrap(inner_, inner_done_);
      carry();
    }
  }

  /// Takes the next lines, as many as there are lanes.
  template <class Real>
  void take(TileLines<Real>& from, TileLines<Real>& to) {
    const int count = static_cast<int>(std::min<index_t>(left_, lanes<Real>));
    from.count = to.count = count;
    for (int lane = 0; lane < count;) {
      const int run = static_cast<int>(std::min<index_t>(inner_.count - inner_done_, count - lane));
      for (int i = 0; i < run; ++i) {
        from.at[lane + i] = from_ + i * inner_.from;
        to.at[lane + i] = to_ + i * inner_.to;
      }
      lane += run;
      skip(run);
    }
    for (int lane = count; lane < lanes<Real>; ++lane) {
      from.at[lane] = from.at[count - 1];
      to.at[lane] = to.at[count - 1];
    }
  }

 private:
  /// Goes to where line `first` begins in a loop; leaves what is for the loops around it.
  index_t start(const LineLoop& loop, index_t& first) {
    const index_t done = first % loop.count;
    first /= loop.count;
    from_ += done * loop.from;
    to_ += done * loop.to;
    return done;
  }
  /// Back to the beginning of a loop.
  void wrap(const LineLoop& loop, index_t& done) {
    from_ -= done * loop.from;
    to_ -= done * loop.to;
    done = 0;
  }
  /// On by one in the loops around the innermost; the outermost ends past its last.
  void carry() {
    for (std::size_t i = outer_done_.size(); i-- > 0;) {
      ++outer_done_[i];
      from_ += loops_[i].from;
      to_ += loops_[i].to;
      if (i == 0 || outer_done_[i] < loops_[i].count) {
        return;
      }
      wrap(loops_[i], outer_done_[i]);
    }
  }

  const std::vector<LineLoop>& loops_;
  LineLoop inner_;
  index_t left_;
  index_t inner_done_ = 0;
  std::vector<index_t> outer_done_;  ///< empty, and so without memory of its own, for lines of one loop
  index_t from_ = 0;
  index_t to_ = 0;
};

}  // namespace phpc::fft
