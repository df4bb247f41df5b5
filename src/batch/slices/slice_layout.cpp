#include "batch/slices/slice_layout.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace phpc::batch {

namespace {

constexpr std::size_t row_of_banks = 128;  // bytes that scratch serves in one turn

using Rows = std::vector<std::int32_t>;  // the row at each position, -1 for none

/// Orders the entries of the rows of one request (as many lanes as scratch serves at a time) such that lanes that read together
/// find their operands in different banks, or at the same place. A row's sum may be taken in any order; a greedy one is made, and
/// kept where it takes fewer turns than the given one: rows of 30 random columns take 1.2 turns a request instead of 3.
class BankSchedule {
 public:
  explicit BankSchedule(std::size_t value_bytes) : banks_(static_cast<int>(row_of_banks / value_bytes)) {}

  [[nodiscard]] int lanes() const { return banks_; }

  /// The entries of a lane's row, as pairs of column and entry.
  using Row = std::vector<std::pair<int, int>>;

  /// Puts the rows of all lanes into their new order. Returns the turns that all requests take.
  int arrange(std::vector<Row>& rows) {
    const int as_given = turns(rows);
    std::vector<Row> arranged = greedy(rows);
    const int then = turns(arranged);
    if (then < as_given) {
      rows = std::move(arranged);
    }
    return std::min(then, as_given);
  }

 private:
  /// Of each bank the columns that lanes read there in one request, without repetition.
  using Taken = std::vector<std::vector<int>>;

  /// Gives each request in turn one entry of every lane that has any left, to lanes with longer rows first: the entry whose
  /// column is read already, or whose bank is least in use and most in demand.
  [[nodiscard]] std::vector<Row> greedy(std::vector<Row> left) const {
    std::vector<int> demand(static_cast<std::size_t>(banks_), 0);
    for (const Row& row : left) {
      for (const auto& [column, entry] : row) {
        ++demand[bank(column)];
      }
    }
    std::vector<Row> arranged(left.size());
    for (;;) {
      const std::vector<std::size_t> order = longest_first(left);
      if (order.empty() || left[order.front()].empty()) {
        return arranged;
      }
      Taken taken(static_cast<std::size_t>(banks_));
      for (const std::size_t lane : order) {
        Row& row = left[lane];
        if (row.empty()) {
          break;
        }
        const std::size_t best = best_entry(row, taken, demand);
        take(taken, row[best].first);
        --demand[bank(row[best].first)];
        arranged[lane].push_back(row[best]);
        row.erase(row.begin() + static_cast<std::ptrdiff_t>(best));
      }
    }
  }

  [[nodiscard]] static std::vector<std::size_t> longest_first(const std::vector<Row>& rows) {
    std::vector<std::size_t> order(rows.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(),
              [&](auto a, auto b) { return rows[a].size() != rows[b].size() ? rows[a].size() > rows[b].size() : a < b; });
    return order;
  }

  [[nodiscard]] std::size_t best_entry(const Row& row, const Taken& taken, const std::vector<int>& demand) const {
    std::size_t best = 0;
    int best_worth = -1 << 30;
    for (std::size_t k = 0; k < row.size(); ++k) {
      const int column = row[k].first;
      const int load = is_taken(taken, column) ? 0 : static_cast<int>(taken[bank(column)].size());
      const int worth = demand[bank(column)] - load * (1 << 20);
      if (worth > best_worth) {
        best = k;
        best_worth = worth;
      }
    }
    return best;
  }

  [[nodiscard]] std::size_t bank(int column) const { return static_cast<std::size_t>(column % banks_); }
  [[nodiscard]] bool is_taken(const Taken& taken, int column) const {
    const std::vector<int>& columns = taken[bank(column)];
    return std::find(columns.begin(), columns.end(), column) != columns.end();
  }
  void take(Taken& taken, int column) const {
    if (!is_taken(taken, column)) {
      taken[bank(column)].push_back(column);
    }
  }

  /// The turns that all requests take: for each, the most columns in one bank.
  [[nodiscard]] int turns(const std::vector<Row>& rows) const {
    std::size_t longest = 0;
    for (const Row& row : rows) {
      longest = std::max(longest, row.size());
    }
    std::size_t sum = 0;
    for (std::size_t k = 0; k < longest; ++k) {
      Taken taken(static_cast<std::size_t>(banks_));
      for (const Row& row : rows) {
        if (k < row.size()) {
          take(taken, row[k].first);
        }
      }
      const auto most =
          std::max_element(taken.begin(), taken.end(), [](const auto& a, const auto& b) { return a.size() < b.size(); });
      sum += most->size();
    }
    return static_cast<int>(sum);
  }

  int banks_;
};

/// Entries of a row beside its diagonal.
int others_of(const CsrPattern& pattern, std::int32_t row) {
  const auto first = pattern.columns.begin() + pattern.row_offsets[static_cast<std::size_t>(row)];
  const auto last = pattern.columns.begin() + pattern.row_offsets[static_cast<std::size_t>(row) + 1];
  return static_cast<int>(last - first) - static_cast<int>(std::count(first, last, row));
}

/// The first slot in scratch of each slice, and at the end the number of all slots, if rows keep at most `most` entries beside
/// the diagonal outside of their tails.
std::vector<std::int32_t> slices_of(const std::vector<int>& others, const Rows& rows, const SliceShape& shape, int lanes,
                                    int most) {
  std::vector<std::int32_t> slices{0};
  for (std::size_t first = 0; first < rows.size(); first += static_cast<std::size_t>(lanes)) {
    int slots = 0;
    for (std::size_t p = first; p < first + static_cast<std::size_t>(lanes); ++p) {
      if (rows[p] >= 0) {
        slots = std::max(slots, std::min(others[static_cast<std::size_t>(rows[p])], most) - shape.slots);
      }
    }
    slices.push_back(slices.back() + (slots + 1) / 2 * 2);
  }
  return slices;
}

/// The row at each position: rows in the given order or, where that saves a sixteenth of the values in scratch, by their length,
/// so that equally long ones share a slice.
Rows ordered_rows(const std::vector<int>& others, const SliceShape& shape, int lanes, int longest) {
  Rows as_given(static_cast<std::size_t>(shape.positions()), -1);
  const auto last = as_given.begin() + static_cast<std::ptrdiff_t>(others.size());
  std::iota(as_given.begin(), last, 0);
  Rows sorted = as_given;
  std::sort(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(others.size()), [&](std::int32_t a, std::int32_t b) {
    const auto length = [&](std::int32_t row) { return others[static_cast<std::size_t>(row)]; };
    return length(a) != length(b) ? length(a) > length(b) : a < b;
  });
  const auto values = [&](const Rows& rows) { return slices_of(others, rows, shape, lanes, longest).back(); };
  return values(sorted) * 16 < values(as_given) * 15 ? sorted : as_given;
}

/// The binary logarithm of how many lanes share the reading of a row of so many entries.
int shift_for(int entries, int lanes) {
  int shift = 0;
  while ((1 << shift) * tail_flight < entries && (2 << shift) <= lanes) {
    ++shift;
  }
  return shift;
}

/// Makes the layout of a pattern in a shape, step by step.
class LayoutMaker {
 public:
  LayoutMaker(const CsrPattern& pattern, const SliceShape& shape, int lanes, std::size_t value_bytes)
      : pattern_(pattern), value_bytes_(value_bytes), others_(static_cast<std::size_t>(pattern.rows())) {
    layout_.shape = shape;
    layout_.lanes = lanes;
    for (std::size_t row = 0; row < others_.size(); ++row) {
      others_[row] = others_of(pattern, static_cast<std::int32_t>(row));
    }
    longest_ = *std::max_element(others_.begin(), others_.end());
    rows_ = ordered_rows(others_, shape, lanes, longest_);
  }

  /// The layout with at most `room` values in scratch.
  [[nodiscard]] SliceLayout made(std::int32_t room) && {
    limit_rows(room);
    find_columns();
    place_rows();
    place_entries();
    list_pads();
    return std::move(layout_);
  }

 private:
  /// Chooses the most entries beside the diagonal that a row keeps outside of its tail: as many as there is room for, and at
  /// least those in registers.
  void limit_rows(std::int32_t room) {
    const SliceShape& shape = layout_.shape;
    const std::int32_t numbers = no_place - layout_.register_values();
    const auto slices = [&] { return slices_of(others_, rows_, shape, layout_.lanes, most_); };
    most_ = longest_;
    while (most_ > shape.slots && slices().back() * (layout_.lanes + 1) > std::min(room, numbers)) {
      --most_;
    }
    most_ = std::max(most_, shape.slots);
    layout_.slices = slices();
    layout_.staged_slots = std::min(shape.slots, longest_) + 1;
  }

  /// The position of each entry's column.
  void find_columns() {
    std::vector<std::uint16_t> position_of(others_.size());
    for (std::size_t p = 0; p < rows_.size(); ++p) {
      if (rows_[p] >= 0) {
        position_of[static_cast<std::size_t>(rows_[p])] = static_cast<std::uint16_t>(p);
      }
    }
    layout_.columns.resize(pattern_.columns.size());
    for (std::size_t entry = 0; entry < layout_.columns.size(); ++entry) {
      layout_.columns[entry] = position_of[static_cast<std::size_t>(pattern_.columns[entry])];
    }
  }

  /// The row at each position and its tail; the lanes that share a tail.
  void place_rows() {
    layout_.positions.resize(rows_.size());
    std::int32_t tails = 0;
    std::int32_t tailed_rows = 0;
    for (std::size_t p = 0; p < rows_.size(); ++p) {
      if (rows_[p] >= 0) {
        SlicePosition& position = layout_.positions[p];
        position = position_of_row(rows_[p]);
        tails += position.end - position.tail;
        tailed_rows += position.end > position.tail ? 1 : 0;
      }
    }
    layout_.tail_shift = tails > 0 ? shift_for(tails / tailed_rows, layout_.lanes) : -1;
    layout_.row_shift = shift_for(static_cast<int>(pattern_.entries() / pattern_.rows()), layout_.lanes);
  }

  [[nodiscard]] SlicePosition position_of_row(std::int32_t row) const {
    const auto is_diagonal = [&](std::int32_t entry) { return pattern_.columns[static_cast<std::size_t>(entry)] == row; };
    SlicePosition position;
    position.row = row;
    position.begin = pattern_.row_offsets[static_cast<std::size_t>(row)];
    position.end = pattern_.row_offsets[static_cast<std::size_t>(row) + 1];
    position.tail = position.begin;
    for (int taken = 0; position.tail < position.end; ++position.tail) {
      if (!is_diagonal(position.tail) && taken++ == most_) {
        break;
      }
    }
    for (std::int32_t entry = position.begin; entry < position.end; ++entry) {
      if (is_diagonal(entry)) {
        position.diagonal = entry;
      }
    }
    return position;
  }

  /// The place of each entry, in the order that spreads the operands of a request over the banks.
  void place_entries() {
    const std::size_t count = rows_.size();
    const auto slots = static_cast<std::size_t>(layout_.shape.slots);
    const auto width = static_cast<std::size_t>(layout_.lanes);
    layout_.places.assign(layout_.columns.size(), no_place);
    layout_.register_columns.assign((slots + 1) / 2 * count, 0);
    layout_.scratch_columns.assign(static_cast<std::size_t>(layout_.slices.back()) / 2 * width, 0);
    filled_.assign(static_cast<std::size_t>(layout_.scratch_values()), false);
    BankSchedule schedule(value_bytes_);
    const std::size_t request = std::min(width, static_cast<std::size_t>(schedule.lanes()));
    int turns = 0;
    for (std::size_t first = 0; first < count; first += request) {
      std::vector<BankSchedule::Row> of_lane(request);
      for (std::size_t lane = 0; lane < request; ++lane) {
        of_lane[lane] = others_to_place(first + lane);
      }
      turns += schedule.arrange(of_lane);
      for (std::size_t lane = 0; lane < request; ++lane) {
        for (std::size_t k = 0; k < of_lane[lane].size(); ++k) {
          const auto [column, entry] = of_lane[lane][k];
          place_entry(first + lane, k, column, entry);
        }
      }
    }
    layout_.cost = turns;
  }

  /// Places the diagonal of the row at a position; the columns and entries of the row's others that are not in its tail.
  [[nodiscard]] BankSchedule::Row others_to_place(std::size_t p) {
    BankSchedule::Row others;
    const SlicePosition& position = layout_.positions[p];
    for (std::int32_t entry = position.begin; entry < position.tail; ++entry) {
      if (entry == position.diagonal) {
        layout_.places[static_cast<std::size_t>(entry)] = static_cast<std::uint16_t>(p);
      } else {
        others.emplace_back(layout_.columns[static_cast<std::size_t>(entry)], entry);
      }
    }
    return others;
  }

  /// Places the k-th entry beside the diagonal of the row at position p: in a slot of registers, or in one of the slice in
  /// scratch.
  void place_entry(std::size_t p, std::size_t k, int column, int entry) {
    const std::size_t count = rows_.size();
    const auto slots = static_cast<std::size_t>(layout_.shape.slots);
    const auto width = static_cast<std::size_t>(layout_.lanes);
    const auto offset = static_cast<std::uint32_t>(static_cast<std::size_t>(column) * value_bytes_);
    std::size_t place = 0;
    if (k < slots) {
      place = (k + 1) * (count + 1) + p;
      layout_.register_columns[k / 2 * count + p] |= offset << (16 * (k % 2));
    } else {
      const std::size_t slot = static_cast<std::size_t>(layout_.slices[p / width]) + k - slots;
      const std::size_t value = slot * (width + 1) + p % width;
      place = static_cast<std::size_t>(layout_.register_values()) + value;
      filled_[value] = true;
      layout_.scratch_columns[slot / 2 * width + p % width] |= offset << (16 * (slot % 2));
    }
    layout_.places[static_cast<std::size_t>(entry)] = static_cast<std::uint16_t>(place);
  }

  /// The values in scratch that no entry fills, but for those that are left out of each slot.
  void list_pads() {
    const auto width = static_cast<std::size_t>(layout_.lanes);
    for (std::size_t value = 0; value < filled_.size(); ++value) {
      if (!filled_[value] && value % (width + 1) != width) {
        layout_.pads.push_back(static_cast<std::uint16_t>(value));
      }
    }
  }

  const CsrPattern& pattern_;
  std::size_t value_bytes_;
  std::vector<int> others_;  ///< entries of each row beside its diagonal
  int longest_ = 0;          ///< of them
  int most_ = 0;             ///< entries beside the diagonal that a row keeps outside of its tail
  Rows rows_;
  std::vector<bool> filled_;  ///< whether each value in scratch has an entry
  SliceLayout layout_;
};

}  // namespace

SliceLayout slice_layout(const CsrPattern& pattern, const SliceShape& shape, int lanes, std::size_t value_bytes,
                         std::int32_t room) {
  return LayoutMaker(pattern, shape, lanes, value_bytes).made(room);
}

}  // namespace phpc::batch
