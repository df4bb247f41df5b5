#include "fft/device/general/tables.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <utility>

#include "fft/rader.hpp"
#include "fft/roots.hpp"
#include "phpc/core/error.hpp"

namespace phpc::fft {

namespace {

/// A digit of an element's number, one for each stage: how many values it has, and of how many of these scratch holds elements,
/// what one step of it is in the input, in the result and in scratch, along which axis, and what one step of it is among the
/// stage's elements of the input along that axis.
struct Digit {
  unsigned radix;
  unsigned held;
  unsigned in;
  unsigned out;
  unsigned pitch;
  std::size_t axis;
  unsigned turn;
};

/// The lengths of a shape's axes: of lines, that of the one.
std::vector<index_t> axis_lengths(index_t length, const GeneralShape& shape) {
  return shape.box.empty() ? std::vector<index_t>{length} : shape.box;
}

std::vector<Digit> digits_of(index_t length, const GeneralShape& shape) {
  std::vector<index_t> blocks = axis_lengths(length, shape);
  std::vector<unsigned> steps(blocks.size(), 1);
  for (std::size_t axis = blocks.size() - 1; axis-- > 0;) {
    steps[axis] = steps[axis + 1] * static_cast<unsigned>(blocks[axis + 1]);
  }
  std::vector<unsigned> done = steps;
  std::vector<Digit> digits;
  for (std::size_t stage = 0; stage < shape.radices.size(); ++stage) {
    const auto radix = static_cast<unsigned>(shape.radices[stage]);
    const std::size_t axis = shape.axes.empty() ? 0 : shape.axes[stage];
    blocks[axis] /= radix;
    const auto turn = static_cast<unsigned>(blocks[axis]);
    const bool is_halved = (shape.odd_reals == OddReals::from && stage == 0) ||
                           (shape.odd_reals == OddReals::to && stage + 1 == shape.radices.size());
    const unsigned held = is_halved ? (radix + 1) / 2 : radix;
    digits.push_back({radix, held, turn * steps[axis], done[axis], 0, axis, turn});
    done[axis] *= radix;
  }
  return digits;
}

/// Elements of a transform in scratch.
unsigned held_elements(const std::vector<Digit>& digits) {
  unsigned elements = 1;
  for (const Digit& digit : digits) {
    elements *= digit.held;
  }
  return elements;
}

/// The digits of the butterflies of each stage in the order that goes through memory: that of the input for the first stage, that
/// of the result for the others, so that neighbours share twiddles.
std::vector<std::vector<std::size_t>> digit_orders(const std::vector<Digit>& digits) {
  std::vector<std::vector<std::size_t>> orders(digits.size());
  for (std::size_t stage = 0; stage < digits.size(); ++stage) {
    for (std::size_t d = 0; d < digits.size(); ++d) {
      if (d != stage) {
        orders[stage].push_back(d);
      }
    }
    std::sort(orders[stage].begin(), orders[stage].end(), [&](std::size_t a, std::size_t b) {
      return stage == 0 ? digits[a].in < digits[b].in : digits[a].out < digits[b].out;
    });
  }
  return orders;
}

struct Butterfly {
  unsigned place;
  unsigned twiddle;
  unsigned element;  ///< the first in memory, of the input for the first stage and of the result for others
  unsigned transform;
};

/// Transforms of a team: how many, how far apart in scratch, and whether neighbours in memory are those of different transforms.
struct Tile {
  unsigned width;
  unsigned pitch;
  bool reads_across;
  bool writes_across;
};

/// Butterfly i of a stage's tile, whose other digits come in this order. Across transforms, those go first.
Butterfly butterfly_at(const std::vector<Digit>& digits, const std::vector<std::size_t>& order, std::size_t stage, unsigned i,
                       const Tile& tile) {
  Butterfly at{};
  const bool is_across = stage == 0 ? tile.reads_across : tile.writes_across;
  if (is_across) {
    at.transform = i % tile.width;
    i /= tile.width;
  }
  for (const std::size_t d : order) {
    const Digit& digit = digits[d];
    const unsigned value = i % digit.held;
    i /= digit.held;
    at.place += value * digit.pitch;
    at.twiddle += d > stage && digit.axis == digits[stage].axis ? value * digit.turn : 0;
    at.element += value * (stage == 0 ? digit.in : digit.out);
  }
  if (!is_across) {
    at.transform = i;
  }
  at.place += at.transform * tile.pitch;
  return at;
}

/// Gaps after the blocks of the first two digits, and between transforms.
struct Gaps {
  unsigned first;
  unsigned second;
  unsigned between;

  [[nodiscard]] unsigned all() const { return first + second + between; }
};

/// Sets the pitches of the digits; returns that of transforms.
unsigned set_pitches(std::vector<Digit>& digits, const Gaps& gaps) {
  unsigned pitch = 1;
  for (std::size_t s = digits.size(); s-- > 0;) {
    if (s + 1 < digits.size()) {
      pitch += s == 0 ? gaps.first : s == 1 ? gaps.second : 0;
    }
    digits[s].pitch = pitch;
    pitch *= digits[s].held;
  }
  return pitch + gaps.between;
}

/// How often a bank of scratch is asked for by threads that go at a time, on the average over the first butterflies of each
/// stage: middle stages read and write.
double conflicts(const std::vector<Digit>& digits, const std::vector<std::vector<std::size_t>>& orders, const Tile& tile,
                 const std::vector<unsigned>& counts, unsigned banks) {
  double cost = 0;
  for (std::size_t stage = 0; stage < digits.size(); ++stage) {
    const unsigned count = std::min(counts[stage], 64U);
    unsigned steps = 0;
    for (unsigned begin = 0; begin < count; begin += banks) {
      std::array<unsigned, 32> busy{};
      unsigned most = 0;
      for (unsigned i = begin; i < std::min(begin + banks, count); ++i) {
        most = std::max(most, ++busy[butterfly_at(digits, orders[stage], stage, i, tile).place % banks]);
      }
      steps += most;
    }
    const bool is_middle = stage > 0 && stage + 1 < digits.size();
    const unsigned fewest = (count + banks - 1) / banks;
    cost += (is_middle ? 2.0 : 1.0) * static_cast<double>(steps) / static_cast<double>(fewest);
  }
  return cost;
}

/// The digits of a second transform that takes the results of the first one where they lie: stage after stage from the last one
/// on, so that what a digit is in the first one's result it is in the second one's input, and the other way round.
std::vector<Digit> reversed(const std::vector<Digit>& digits, unsigned length) {
  std::vector<Digit> back(digits.rbegin(), digits.rend());
  unsigned block = length;
  unsigned done = 1;
  for (Digit& digit : back) {
    block /= digit.radix;
    digit.in = block;
    digit.turn = block;
    digit.out = done;
    done *= digit.radix;
  }
  return back;
}

/// Chooses the gaps: those with the fewest conflicts in at most an eighth more scratch. Returns the pitch of transforms.
unsigned choose_pitches(std::vector<Digit>& digits, Tile tile, unsigned banks, std::size_t most_places, bool is_convolution,
                        unsigned least_between) {
  const unsigned length = held_elements(digits);
  const unsigned width = tile.width;
  const bool is_across = tile.reads_across || tile.writes_across;
  const unsigned most_between = width == 1 ? least_between : is_across ? 16 : 5;
  std::vector<unsigned> counts;
  counts.reserve(digits.size());
  for (const Digit& digit : digits) {
    counts.push_back(width * length / digit.held);
  }
  const std::vector<unsigned> back_counts(counts.rbegin(), counts.rend());
  const std::vector<std::vector<std::size_t>> orders = digit_orders(digits);
  const std::vector<std::vector<std::size_t>> back_orders = digit_orders(reversed(digits, length));
  std::vector<Digit> tried = digits;
  unsigned best_pitch = length;
  double least = std::numeric_limits<double>::max();
  for (unsigned between = least_between; between <= most_between; ++between) {
    for (unsigned second = 0; second < (digits.size() > 2 ? 2U : 1U); ++second) {
      for (unsigned first = 0; first < (digits.size() > 1 ? 17U : 1U); ++first) {
        const Gaps gaps{first, second, between};
        const unsigned pitch = set_pitches(tried, gaps);
        tile.pitch = pitch;
        const bool fits =
            pitch * width <= most_places && (pitch <= length + length / 8 + 2 + (is_across ? between : 0) || gaps.all() <= 1);
        double cost = 0.002 * gaps.all() + conflicts(tried, orders, tile, counts, banks);
        if (is_convolution) {
          const std::vector<Digit> back = reversed(tried, length);
          cost += conflicts(back, back_orders, tile, back_counts, banks);
        }
        if (gaps.all() == least_between || (fits && cost < least)) {
          least = cost;
          digits = tried;
          best_pitch = pitch;
        }
      }
    }
  }
  return best_pitch;
}

/// Where the elements of a tile lie in scratch, by their order in the input and then in the result.
std::vector<std::uint16_t> places_in_order(const std::vector<Digit>& digits, unsigned length, unsigned width, unsigned pitch) {
  std::vector<std::uint16_t> places;
  for (const bool is_input : {true, false}) {
    for (unsigned e = 0; e < width * length; ++e) {
      unsigned place = e / length * pitch;
      for (const Digit& digit : digits) {
        place += e % length / (is_input ? digit.in : digit.out) % digit.radix * digit.pitch;
      }
      places.push_back(static_cast<std::uint16_t>(place));
    }
  }
  return places;
}

/// Elements k and length - k of the transforms of a tile; see GeneralTables.
void add_pairs(std::vector<GeneralItem>& items, const std::vector<std::uint16_t>& places, unsigned length, unsigned width) {
  for (const unsigned side : {0U, 1U}) {
    for (unsigned transform = 0; transform < width; ++transform) {
      const std::uint16_t* const line = places.data() + std::size_t{side * width + transform} * length;
      for (unsigned k = 0; k <= length / 2; ++k) {
        items.push_back({line[k], line[(length - k) % length], transform << 16 | k});
      }
    }
  }
}

/// Where element e of a transform lies in scratch, by its order in the input or in the result; is_folded: of a digit of which
/// scratch holds half, the element has a value of the other half, and the place is that of this value less what is held.
struct FoldedPlace {
  unsigned place;
  bool is_folded;
};
FoldedPlace folded_place(const std::vector<Digit>& digits, unsigned e, bool is_input) {
  FoldedPlace found{0, false};
  for (const Digit& digit : digits) {
    const unsigned value = e / (is_input ? digit.in : digit.out) % digit.radix;
    found.is_folded = found.is_folded || value >= digit.held;
    found.place += (value >= digit.held ? value - digit.held : value) * digit.pitch;
  }
  return found;
}

/// The same of lines of an odd number of real numbers, whose spectrum scratch holds for one element of each conjugate pair.
/// Places of real numbers, on the side of the first stage of lines that come so and of the last one of those that go so, are
/// counted in real numbers: the number with a folded place is the imaginary part there. An element of the spectrum without a
/// place has that of the one that mirrors it (mirrored_item), or both have one.
void add_odd_pairs(std::vector<GeneralItem>& items, const std::vector<Digit>& digits, unsigned length, const Tile& tile,
                   OddReals reals) {
  for (const bool is_input : {true, false}) {
    const bool are_reals = is_input == (reals == OddReals::from);
    for (unsigned transform = 0; transform < tile.width; ++transform) {
      const unsigned first = transform * tile.pitch;
      for (unsigned k = 0; k <= length / 2; ++k) {
        const FoldedPlace here = folded_place(digits, k, is_input);
        const FoldedPlace there = folded_place(digits, (length - k) % length, is_input);
        GeneralItem item{0, 0, transform << 16 | k};
        if (are_reals) {
          item.place = static_cast<std::uint16_t>(2 * (first + here.place) + (here.is_folded ? 1 : 0));
          item.twiddle = static_cast<std::uint16_t>(2 * (first + there.place) + (there.is_folded ? 1 : 0));
        } else {
          PHPC_EXPECT(!here.is_folded || !there.is_folded);
          item.place = static_cast<std::uint16_t>(first + (here.is_folded ? there : here).place);
          item.twiddle = there.is_folded ? item.place : static_cast<std::uint16_t>(first + there.place);
          item.offset |= here.is_folded ? mirrored_item : 0;
        }
        items.push_back(item);
      }
    }
  }
}

std::uint32_t in_32_bits(index_t number) {
  PHPC_EXPECT(number >= 0 && number <= std::numeric_limits<std::uint32_t>::max());
  return static_cast<std::uint32_t>(number);
}

/// All elements of a tile in the order of the input and then of the result, each with the place of the one that mirrors it in
/// its line; see GeneralTables.
void add_elements(GeneralTables& tables, const std::vector<std::uint16_t>& places, unsigned length, const Tile& tile,
                  const RowDistances& rows) {
  const unsigned all = tile.width * length;
  for (const bool is_input : {true, false}) {
    const bool is_across = is_input ? tile.reads_across : tile.writes_across;
    for (unsigned i = 0; i < all; ++i) {
      const unsigned transform = is_across ? i % tile.width : i / length;
      const unsigned element = is_across ? i / tile.width : i % length;
      const index_t offset =
          is_input ? transform * rows.from + element * rows.from_step : transform * rows.to + element * rows.to_step;
      const index_t position = is_input ? transform * rows.positions.from_position + element * rows.from_position_step
                                        : transform * rows.positions.to_position + element * rows.to_position_step;
      const auto line = places.begin() + ((is_input ? 0 : all) + transform * length);
      tables.items.push_back({line[element], line[(length - element) % length], in_32_bits(offset)});
      tables.numbers.push_back({in_32_bits(position), transform << 16 | element});
    }
  }
}

/// Of a convolution, by transforms: the places of a line's elements as they come and then as they go, and of zeros behind them.
struct LinePlaces {
  std::vector<std::uint16_t> elements{};
  std::vector<std::uint16_t> zeros{};
};
/// `places`: of the convolution's elements, by transforms; the second transform leaves its results where the first one finds its
/// elements. By Rader's algorithm element 0 has the last place of its transform.
LinePlaces line_places(const std::vector<std::uint16_t>& places, unsigned length, const GeneralShape& shape, const Tile& tile) {
  LinePlaces made;
  const auto line = static_cast<unsigned>(shape.convolved);
  std::vector<unsigned> logs(line);  // of element g^j: j
  if (shape.is_rader) {
    const std::vector<index_t> powers = primitive_powers(line);
    for (unsigned j = 0; j < length; ++j) {
      logs[static_cast<std::size_t>(powers[j])] = j;
    }
  }
  for (const bool is_input : {true, false}) {
    for (unsigned transform = 0; transform < tile.width; ++transform) {
      const auto first = places.begin() + transform * length;
      if (!shape.is_rader) {
        made.elements.insert(made.elements.end(), first, first + line);
        continue;
      }
      made.elements.push_back(static_cast<std::uint16_t>((transform + 1) * tile.pitch - 1));
      for (unsigned element = 1; element < line; ++element) {
        made.elements.push_back(first[is_input ? logs[element] : (length - logs[element]) % length]);
      }
    }
  }
  for (unsigned transform = 0; transform < tile.width && line < length; ++transform) {
    const auto first = places.begin() + transform * length;
    made.zeros.insert(made.zeros.end(), first + line, first + length);
  }
  return made;
}

/// Powers 1, 4 and 16 of the twiddles of a stage, so far as its radix needs them.
void add_twiddles(std::vector<Complex<double>>& twiddles, const RootsOfUnity& root, index_t length, const Digit& digit) {
  const index_t block = index_t{digit.radix} * digit.turn;
  for (unsigned power = 1; power < digit.radix; power *= 4) {
    for (unsigned j = 0; j < digit.turn; ++j) {
      twiddles.push_back(root(power * j * (length / block)));
    }
  }
}

/// The stages of these digits with their twiddles and items; of stages that read or write memory, with the items' places there.
std::vector<GeneralStage> add_stages(GeneralTables& tables, const std::vector<Digit>& digits, index_t length,
                                     const GeneralShape& shape, const Tile& tile, const RowDistances& rows) {
  std::vector<RootsOfUnity> roots;
  for (const index_t axis : axis_lengths(length, shape)) {
    roots.emplace_back(axis);
  }
  std::vector<GeneralStage> stages;
  const std::vector<std::vector<std::size_t>> orders = digit_orders(digits);
  for (std::size_t s = 0; s < digits.size(); ++s) {
    const Digit& digit = digits[s];
    const unsigned items = held_elements(digits) / digit.held;
    stages.emplace_back(digit.radix, items, digit.pitch, digit.turn > 1 ? digit.turn : 0,
                        static_cast<std::uint32_t>(tables.items.size()), static_cast<std::uint32_t>(tables.twiddles.size()));
    if (digit.turn > 1) {
      add_twiddles(tables.twiddles, roots[digit.axis], axis_lengths(length, shape)[digit.axis], digit);
    }
    for (unsigned i = 0; i < tile.width * items; ++i) {
      Butterfly at = butterfly_at(digits, orders[s], s, i, tile);
      const bool has_numbers = shape.convolved > 0 || shape.has_factors;
      const index_t offset = has_numbers          ? at.transform
                             : shape.has_elements ? 0
                             : s == 0             ? at.transform * rows.from + at.element * rows.from_step
                                                  : at.transform * rows.to + at.element * rows.to_step;
      if (s + 1 == digits.size()) {
        at.twiddle = has_numbers ? at.element : s == 0 ? at.transform : at.element * std::bit_ceil(tile.width) + at.transform;
      }
      tables.items.push_back({static_cast<std::uint16_t>(at.place), static_cast<std::uint16_t>(at.twiddle), in_32_bits(offset)});
    }
  }
  return stages;
}

}  // namespace

GeneralTables general_tables(index_t length, const GeneralShape& shape, const RowDistances& rows, std::size_t element_bytes,
                             std::size_t most_places) {
  GeneralTables tables;
  std::vector<Digit> digits = digits_of(length, shape);
  const auto elements = static_cast<unsigned>(length);
  const auto width = static_cast<unsigned>(shape.width);
  const auto banks = static_cast<unsigned>(128 / element_bytes);
  Tile tile{width, 0, rows.from_step > rows.from, rows.to_step > rows.to};
  tile.pitch =
      choose_pitches(digits, tile, banks, std::min<std::size_t>(most_places, 65535), shape.convolved > 0, shape.is_rader ? 1 : 0);
  PHPC_EXPECT(digits.size() > 1 || shape.is_in_order || shape.has_elements || shape.has_factors || rows.from == rows.to);
  tables.pitch = static_cast<int>(tile.pitch);
  tables.stages = add_stages(tables, digits, length, shape, tile, rows);
  if (shape.convolved > 0) {
    PHPC_EXPECT(shape.has_elements != shape.has_factors && shape.box.empty() && !digits.empty());
    tables.back = add_stages(tables, reversed(digits, elements), length, shape, tile, rows);
  }
  if (!digits.empty()) {
    tables.read_step = static_cast<int>(digits.front().in);
    tables.write_step = static_cast<int>(digits.back().out);
  }
  tables.elements = static_cast<std::uint32_t>(tables.items.size());
  if (shape.odd_reals != OddReals::none) {
    PHPC_EXPECT(shape.has_pairs && 2 * tile.width * tile.pitch <= std::numeric_limits<std::uint16_t>::max());
    add_odd_pairs(tables.items, digits, elements, tile, shape.odd_reals);
    return tables;
  }
  if (shape.has_pairs || shape.has_elements || shape.is_in_order) {
    tables.places = places_in_order(digits, elements, width, tile.pitch);
  }
  if (shape.has_pairs) {
    add_pairs(tables.items, std::exchange(tables.places, {}), elements, width);
  } else if (shape.convolved > 0 && shape.has_elements) {
    LinePlaces places = line_places(tables.places, elements, shape, tile);
    add_elements(tables, places.elements, static_cast<unsigned>(shape.convolved), tile, rows);
    tables.places = std::move(places.zeros);
  } else if (shape.has_elements) {
    add_elements(tables, std::exchange(tables.places, {}), elements, tile, rows);
  }
  return tables;
}

}  // namespace phpc::fft
