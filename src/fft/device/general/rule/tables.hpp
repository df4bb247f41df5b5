#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <vector>

#include "fft/device/general/rule/rule.hpp"
#include "fft/device/general/stages/prime_class.hpp"
#include "fft/device/general/stages/stage.hpp"
#include "fft/device/pass/pass.hpp"
#include "phpc/core/types.hpp"

namespace phpc::fft {

/// What GeneralWork points to, and the rest of it.
struct GeneralTables {
  std::vector<Complex<double>> twiddles{};
  std::vector<GeneralItem> items{};
  std::vector<std::uint16_t> places{};  ///< of shapes in order, without pairs or elements; of convolutions, those of zeros
  /// Where the pairs, or the elements one by one, begin among the items: those of the input, then those of the result. A pair has
  /// the places of both elements in scratch, and for an offset the number of its transform, times 2^16, and of its first element.
  std::uint32_t elements = 0;
  std::vector<GeneralElement> numbers{};  ///< of the elements one by one
  int pitch = 1;                          ///< places of a transform in scratch
  int read_step = 0;                      ///< see GeneralWork
  int write_step = 0;
  std::vector<GeneralStage> stages{};
  /// Of a convolution: the stages of its second transform, which finds its elements where the first one leaves them and leaves
  /// its results where the first one finds its elements. The first one of these has the items of the first transform's last
  /// stage.
  std::vector<GeneralStage> back{};
};

/// Where transforms of a length lie: the distances between neighbours, and between the elements of one; and the same in positions
/// of lines, where hooks count these.
struct RowDistances {
  index_t from;
  index_t to;
  index_t from_step = 1;
  index_t to_step = 1;
  PassLoop positions{};  ///< from_position and to_position count
  index_t from_position_step = 0;
  index_t to_position_step = 0;
};

/// The tables of a shape for rows of this length (of a convolution, its length); element_bytes: of a complex number, most_places:
/// of them in scratch. Places of a transform's elements have padding where that makes the fewest threads meet at one bank of the
/// scratch memory.
GeneralTables general_tables(index_t length, const GeneralShape& shape, const RowDistances& rows, std::size_t element_bytes,
                             std::size_t most_places);

/// The work that these tables are for, but for where they lie on the device.
template <class Real>
GeneralWork<Real> general_work(index_t length, const GeneralShape& shape, const GeneralTables& tables) {
  GeneralWork<Real> work;
  work.length = static_cast<std::uint16_t>(shape.convolved > 0 ? shape.convolved : length);
  work.width = static_cast<std::uint16_t>(shape.width);
  work.pitch = static_cast<std::uint16_t>(tables.pitch);
  work.read_step = static_cast<std::uint16_t>(tables.read_step);
  work.write_step = static_cast<std::uint16_t>(tables.write_step);
  work.stage_count = static_cast<std::uint8_t>(shape.radices.size());
  work.is_in_order = shape.is_in_order;
  if (shape.prime_pairs > 0) {  // the last stage and then the first one behind those that are counted
    const bool has_first = is_defined(shape.radices.front());
    work.stage_count = static_cast<std::uint8_t>(work.stage_count - (has_first ? 2 : 1));
    std::copy(tables.stages.begin() + (has_first ? 1 : 0), tables.stages.end(), std::begin(work.stages));
    work.stages[work.stage_count + 1] = has_first ? tables.stages.front() : GeneralStage();
    return work;
  }
  std::copy(tables.stages.begin(), tables.stages.end(), std::begin(work.stages));
  return work;
}

}  // namespace phpc::fft
