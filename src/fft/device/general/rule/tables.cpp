#include "fft/device/general/rule/tables.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

#include "fft/device/general/rule/digits.hpp"
#include "fft/math/rader.hpp"
#include "fft/math/roots.hpp"
#include "phpc/core/error.hpp"

namespace phpc::fft {

namespace {

/// Returns where the elements of a tile lie in scratch, by their order in the input and then in the result.
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
/// place has that of the element that it is the conjugate of (conjugate_item), or both have one.
void add_odd_pairs(std::vector<GeneralItem>& items, const std::vector<Digit>& digits, unsigned length, const ScratchTile& tile,
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
          item.offset |= here.is_folded ? conjugate_item : 0;
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

/// All elements of a tile in the order of the input and then of the result, each with the place of the opposite element of its
/// line; see GeneralTables.
void add_elements(GeneralTables& tables, const std::vector<std::uint16_t>& places, unsigned length, const ScratchTile& tile,
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

/// The places in scratch of a convolution, by transforms: those of a line's elements as they are loaded and then as they are
/// stored, and those of the zeros behind them.
struct LinePlaces {
  std::vector<std::uint16_t> elements{};
  std::vector<std::uint16_t> zeros{};
};
/// `places`: of the convolution's elements, by transforms; the second transform leaves its results where the first one finds its
/// elements. By Rader's algorithm element 0 has the last place of its transform.
LinePlaces line_places(const std::vector<std::uint16_t>& places, unsigned length, const GeneralShape& shape,
                       const ScratchTile& tile) {
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

/// Appends powers 1, 4 and 16 of the twiddles of a stage, so far as its radix needs them.
void add_twiddles(std::vector<Complex<double>>& twiddles, const RootsOfUnity& root, index_t length, const Digit& digit) {
  const index_t block = index_t{digit.radix} * digit.stride;
  for (unsigned power = 1; power < digit.radix; power *= 4) {
    for (unsigned j = 0; j < digit.stride; ++j) {
      twiddles.push_back(root(power * j * (length / block)));
    }
  }
}

/// Appends the cosines and sines of a stage that is a transform by its definition (PrimeTiles): of each thread's results k, by j,
/// those of 2 pi j k / p.
void add_prime_roots(std::vector<Complex<double>>& twiddles, unsigned radix, unsigned pairs) {
  const RootsOfUnity root(radix);
  const unsigned half = radix / 2;
  for (unsigned first = 0; first <= half; first += pairs) {
    for (unsigned j = 1; j <= half; ++j) {
      for (unsigned k = first; k < first + pairs; ++k) {
        const Complex<double> value = root(index_t{j} * k % radix);
        twiddles.push_back(k <= half ? Complex<double>{value.re, -value.im} : Complex<double>{});
      }
    }
  }
}

/// The stages of these digits with their twiddles and items; of stages that read or write memory, with the items' places there.
std::vector<GeneralStage> add_stages(GeneralTables& tables, const std::vector<Digit>& digits, index_t length,
                                     const GeneralShape& shape, const ScratchTile& tile, const RowDistances& rows,
                                     ConvolutionPart part) {
  std::vector<RootsOfUnity> roots;
  for (const index_t axis : axis_lengths(length, shape)) {
    roots.emplace_back(axis);
  }
  std::vector<GeneralStage> stages;
  const std::vector<std::vector<std::size_t>> orders = digit_orders(digits);
  for (std::size_t s = 0; s < digits.size(); ++s) {
    const Digit& digit = digits[s];
    const unsigned items = held_elements(digits) / digit.held;
    const bool by_definition = shape.prime_pairs > 0 && is_defined(shape.radices[s]);
    if (by_definition && tables.twiddles.size() % 2 != 0) {
      tables.twiddles.emplace_back();  // two are read at once
    }
    stages.emplace_back(digit.radix, items, digit.pitch, digit.stride > 1 ? digit.stride : 0,
                        static_cast<std::uint32_t>(tables.items.size()), static_cast<std::uint32_t>(tables.twiddles.size()));
    if (by_definition) {
      add_prime_roots(tables.twiddles, digit.radix, static_cast<unsigned>(shape.prime_pairs));
      for (unsigned k = 0; digit.stride > 1 && k < digit.radix; ++k) {
        for (unsigned j = 0; j < digit.stride; ++j) {
          tables.twiddles.push_back(roots[digit.axis](index_t{j} * k));
        }
      }
    } else if (digit.stride > 1) {
      add_twiddles(tables.twiddles, roots[digit.axis], axis_lengths(length, shape)[digit.axis], digit);
    }
    const bool has_items = s > 0 || part != ConvolutionPart::second;
    for (unsigned i = 0; has_items && i < tile.width * items; ++i) {
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
  ScratchTile tile{width, 0, rows.from_step > rows.from, rows.to_step > rows.to};
  tile.pitch =
      choose_pitches(digits, tile, banks, std::min<std::size_t>(most_places, 65535), shape.convolved > 0, shape.is_rader ? 1 : 0);
  PHPC_EXPECT(digits.size() > 1 || shape.is_in_order || shape.has_elements || shape.has_factors || shape.has_pairs ||
              rows.from == rows.to);
  tables.pitch = static_cast<int>(tile.pitch);
  const bool is_convolution = shape.convolved > 0;
  tables.stages =
      add_stages(tables, digits, length, shape, tile, rows, is_convolution ? ConvolutionPart::first : ConvolutionPart::none);
  if (is_convolution) {
    PHPC_EXPECT(shape.has_elements != shape.has_factors && shape.box.empty() && !digits.empty());
    tables.back = add_stages(tables, reversed_digits(digits, elements), length, shape, tile, rows, ConvolutionPart::second);
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
  // Of passes with factors, the pairs of one transform stand for those of all.
  const unsigned listed = shape.has_pairs && shape.has_factors ? 1 : width;
  if (shape.has_pairs || shape.has_elements || shape.is_in_order) {
    tables.places = places_in_order(digits, elements, listed, tile.pitch);
  }
  if (shape.has_pairs) {
    add_pairs(tables.items, std::exchange(tables.places, {}), elements, listed);
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
