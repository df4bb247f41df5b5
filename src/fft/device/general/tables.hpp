#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "fft/device/general/rule.hpp"
#include "fft/device/general/stage.hpp"
#include "phpc/core/types.hpp"

namespace phpc::fft {

/// What GeneralWork points to, and the rest of it.
struct GeneralTables {
  std::vector<Complex<double>> twiddles{};
  std::vector<GeneralItem> items{};
  std::vector<std::uint16_t> places{};  ///< only of shapes in order, without pairs
  /// Where the pairs begin among the items: those of the input, then those of the result. Each has the places of both elements
  /// in scratch, and for an offset the number of its transform, times 2^16, and of its first element.
  std::uint32_t pairs = 0;
  int pitch = 1;  ///< places of a transform in scratch
  std::vector<GeneralStage> stages{};
};

/// Where transforms of a length lie: the distances between neighbours, and between the elements of one.
struct RowDistances {
  index_t from;
  index_t to;
  index_t from_step = 1;
  index_t to_step = 1;
};

/// The tables of a shape for rows of this length; element_bytes: of a complex number, most_places: of them in scratch. Places of
/// a transform's elements have gaps where those make the fewest threads meet at one bank of the scratch memory.
GeneralTables general_tables(index_t length, const GeneralShape& shape, const RowDistances& rows, std::size_t element_bytes,
                             std::size_t most_places);

}  // namespace phpc::fft
