#include "fft/device/general/rule/digits.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace phpc::fft {

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
    const auto stride = static_cast<unsigned>(blocks[axis]);
    const bool is_halved = (shape.odd_reals == OddReals::from && stage == 0) ||
                           (shape.odd_reals == OddReals::to && stage + 1 == shape.radices.size());
    const unsigned held = is_halved ? (radix + 1) / 2 : radix;
    digits.push_back({radix, held, stride * steps[axis], done[axis], 0, axis, stride});
    done[axis] *= radix;
  }
  return digits;
}

unsigned held_elements(const std::vector<Digit>& digits) {
  unsigned elements = 1;
  for (const Digit& digit : digits) {
    elements *= digit.held;
  }
  return elements;
}

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

Butterfly butterfly_at(const std::vector<Digit>& digits, const std::vector<std::size_t>& order, std::size_t stage, unsigned i,
                       const ScratchTile& tile) {
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
    at.twiddle += d > stage && digit.axis == digits[stage].axis ? value * digit.stride : 0;
    at.element += value * (stage == 0 ? digit.in : digit.out);
  }
  if (!is_across) {
    at.transform = i;
  }
  at.place += at.transform * tile.pitch;
  return at;
}

std::vector<Digit> reversed_digits(const std::vector<Digit>& digits, unsigned length) {
  std::vector<Digit> back(digits.rbegin(), digits.rend());
  unsigned block = length;
  unsigned done = 1;
  for (Digit& digit : back) {
    block /= digit.radix;
    digit.in = block;
    digit.stride = block;
    digit.out = done;
    done *= digit.radix;
  }
  return back;
}

namespace {

/// Padding of scratch: unused places after the blocks of the first two digits, and between transforms.
struct Padding {
  unsigned first;
  unsigned second;
  unsigned between;

  [[nodiscard]] unsigned all() const { return first + second + between; }
};

/// Sets the pitches of the digits; returns that of transforms.
unsigned set_pitches(std::vector<Digit>& digits, const Padding& padding) {
  unsigned pitch = 1;
  for (std::size_t s = digits.size(); s-- > 0;) {
    if (s + 1 < digits.size()) {
      pitch += s == 0 ? padding.first : s == 1 ? padding.second : 0;
    }
    digits[s].pitch = pitch;
    pitch *= digits[s].held;
  }
  return pitch + padding.between;
}

/// Returns how many threads of those that access scratch together meet at one bank, on the average over the first butterflies of
/// each stage; stages that read and write count twice.
double conflicts(const std::vector<Digit>& digits, const std::vector<std::vector<std::size_t>>& orders, const ScratchTile& tile,
                 const std::vector<unsigned>& counts, unsigned banks, ConvolutionPart part) {
  double cost = 0;
  for (std::size_t stage = part == ConvolutionPart::second ? 1 : 0; stage < digits.size(); ++stage) {
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
    const bool is_middle = stage > 0 && (stage + 1 < digits.size() || part == ConvolutionPart::first);
    const unsigned fewest = (count + banks - 1) / banks;
    cost += (is_middle ? 2.0 : 1.0) * static_cast<double>(steps) / static_cast<double>(fewest);
  }
  return cost;
}

}  // namespace

unsigned choose_pitches(std::vector<Digit>& digits, ScratchTile tile, unsigned banks, std::size_t most_places,
                        bool is_convolution, unsigned least_between) {
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
  const std::vector<std::vector<std::size_t>> back_orders = digit_orders(reversed_digits(digits, length));
  std::vector<Digit> tried = digits;
  unsigned best_pitch = length;
  double least = std::numeric_limits<double>::max();
  for (unsigned between = least_between; between <= most_between; ++between) {
    for (unsigned second = 0; second < (digits.size() > 2 ? 2U : 1U); ++second) {
      for (unsigned first = 0; first < (digits.size() > 1 ? 17U : 1U); ++first) {
        const Padding padding{first, second, between};
        const unsigned pitch = set_pitches(tried, padding);
        tile.pitch = pitch;
        const bool fits =
            pitch * width <= most_places && (pitch <= length + length / 8 + 2 + (is_across ? between : 0) || padding.all() <= 1);
        const ConvolutionPart part = is_convolution ? ConvolutionPart::first : ConvolutionPart::none;
        double cost = 0.002 * padding.all() + conflicts(tried, orders, tile, counts, banks, part);
        if (is_convolution) {
          const std::vector<Digit> back = reversed_digits(tried, length);
          cost += conflicts(back, back_orders, tile, back_counts, banks, ConvolutionPart::second);
        }
        if (padding.all() == least_between || (fits && cost < least)) {
          least = cost;
          digits = tried;
          best_pitch = pitch;
        }
      }
    }
  }
  return best_pitch;
}

}  // namespace phpc::fft
