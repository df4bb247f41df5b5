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
  std::vector<std::uint16_t> places{};  ///< only of shapes in order
  int pitch = 1;                        ///< places of a transform in scratch
  std::vector<GeneralStage> stages{};
};

/// Where rows of a length lie: the distances between neighbours.
struct RowDistances {
  index_t from;
  index_t to;
};

/// The tables of a shape for rows of this length; element_bytes: of a complex number, most_places: of them in scratch. Places of
/// a transform's elements have gaps where those make the fewest threads meet at one bank of the scratch memory.
GeneralTables general_tables(index_t length, const GeneralShape& shape, const RowDistances& rows, std::size_t element_bytes,
                             std::size_t most_places);

}  // namespace phpc::fft
