#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "fft/device/general/rule/rule.hpp"
#include "phpc/core/types.hpp"

namespace phpc::fft {

/// A digit of an element's number in the mixed radices of the stages, one for each stage.
struct Digit {
  unsigned radix;    ///< values that it has
  unsigned held;     ///< of these, those whose elements are in scratch: fewer of conjugate pairs
  unsigned in;       ///< elements of the input from one value to the next
  unsigned out;      ///< the same of the result
  unsigned pitch;    ///< the same of places in scratch
  std::size_t axis;  ///< along which axis it is
  unsigned stride;   ///< elements of the stage's sub-transform along that axis from one value to the next
};

/// The lengths of a shape's axes: of lines, that of the one.
std::vector<index_t> axis_lengths(index_t length, const GeneralShape& shape);

/// The digits of elements of a transform of this shape, stage by stage, without pitches in scratch.
std::vector<Digit> digits_of(index_t length, const GeneralShape& shape);

/// Elements of a transform in scratch.
unsigned held_elements(const std::vector<Digit>& digits);

/// The digits of the butterflies of each stage in the order that goes through memory: that of the input for the first stage, that
/// of the result for the others, so that neighbours share twiddles.
std::vector<std::vector<std::size_t>> digit_orders(const std::vector<Digit>& digits);

/// Where a butterfly finds its elements: the place of the first one in scratch, the number of its twiddle, and which transform of
/// the tile it belongs to.
struct Butterfly {
  unsigned place;
  unsigned twiddle;
  unsigned element;  ///< the first in memory, of the input for the first stage and of the result for others
  unsigned transform;
};

/// Transforms of a team: how many, how far apart in scratch, and whether neighbours in memory are those of different transforms.
struct ScratchTile {
  unsigned width;
  unsigned pitch;
  bool reads_across;
  bool writes_across;
};

/// Butterfly i of a stage's tile, whose other digits come in this order. Across transforms, those go first.
Butterfly butterfly_at(const std::vector<Digit>& digits, const std::vector<std::size_t>& order, std::size_t stage, unsigned i,
                       const ScratchTile& tile);

/// The digits of a second transform that takes the results of the first one where they lie: stage after stage from the last one
/// on, so that what a digit is in the first one's result it is in the second one's input, and the other way round.
std::vector<Digit> reversed_digits(const std::vector<Digit>& digits, unsigned length);

/// Which of a convolution's transforms is meant. The first stage of the second one is done together with the last stage of the
/// first one, whose butterflies have the same elements (reversed_digits).
enum class ConvolutionPart : std::uint8_t { none, first, second };

/// Sets the pitches of the digits, with the padding that makes the fewest threads meet at one bank of scratch memory, in at most
/// an eighth more of it than elements need. Returns the pitch of transforms.
unsigned choose_pitches(std::vector<Digit>& digits, ScratchTile tile, unsigned banks, std::size_t most_places,
                        bool is_convolution, unsigned least_between);

}  // namespace phpc::fft
