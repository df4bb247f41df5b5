#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "phpc/core/error.hpp"
#include "phpc/io/matrix_market.hpp"

namespace phpc::io {

std::string matrix_market_array_header(index_t rows, index_t columns) {
  return fmt::format("%%MatrixMarket matrix array real general\n{} {}\n", rows, columns);
}

std::string matrix_market_lines(std::span<const double> values) {
  fmt::memory_buffer text;
  for (const double value : values) {
    fmt::format_to(std::back_inserter(text), "{}\n", value);
  }
  return {text.data(), text.size()};
}

void write_matrix_market_array(OutputFile& out, index_t rows, index_t columns, std::span<const double> values) {
  PHPC_EXPECT(static_cast<index_t>(values.size()) == rows * columns);
  out.write(matrix_market_array_header(rows, columns));
  constexpr std::size_t piece = std::size_t{1} << 12;
  for (std::size_t done = 0; done < values.size(); done += piece) {
    out.write(matrix_market_lines(values.subspan(done, std::min(piece, values.size() - done))));
  }
}

}  // namespace phpc::io
