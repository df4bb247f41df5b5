#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "phpc/core/error.hpp"
#include "phpc/io/matrix_market.hpp"

namespace phpc::io {

std::string matrix_market_array_header(index_t rows, index_t columns, MarketField field) {
  return fmt::format("%%MatrixMarket matrix array {} general\n{} {}\n", field == MarketField::complex ? "complex" : "real", rows,
                     columns);
}

std::string matrix_market_lines(std::span<const double> values, MarketField field) {
  fmt::memory_buffer text;
  const std::size_t words = field == MarketField::complex ? 2 : 1;
  for (std::size_t i = 0; i < values.size(); ++i) {
    fmt::format_to(std::back_inserter(text), "{}{}", values[i], (i + 1) % words == 0 ? '\n' : ' ');
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
