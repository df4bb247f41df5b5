#pragma once
#include <vector>

#include "fft/device/general/rule/rule.hpp"
#include "fft/lines/row_kind.hpp"

namespace phpc::fft {

/// A shape of the general kernel for rows that was measured to be quicker than the rule's.
struct MeasuredShape {
  index_t line = 0;  ///< elements of a row, complex or real ones
  int width = 0;     ///< transforms of a team
  int team_size = 0;
  std::vector<int> radices{};  ///< of the row's elements, or of its pairs of real numbers where they are an even number
};

/// Returns the measured shapes of these rows, by lines.
template <class Real>
const std::vector<MeasuredShape>& measured_shapes(RowKind kind);

/// Returns the measured shape of a line, as far as it has no more transforms a team than `most_width`, or else the rule's.
template <class Real>
GeneralShape with_measured(GeneralShape rule, RowKind kind, index_t line, index_t most_width);

}  // namespace phpc::fft
