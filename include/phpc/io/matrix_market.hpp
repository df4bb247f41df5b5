#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "phpc/core/types.hpp"
#include "phpc/io/output_file.hpp"

/// MatrixMarket files (Boisvert, Pozo, Remington: The Matrix Market Exchange Formats, NISTIR 5935).
namespace phpc::io {

/// A matrix in compressed sparse rows, 0-based, columns ascending within a row. What the file lists is an entry, zeros too.
struct CsrMatrix {
  index_t rows = 0;
  index_t columns = 0;
  std::vector<std::int32_t> row_offsets;     ///< rows + 1
  std::vector<std::int32_t> column_indices;  ///< of each entry
  std::vector<double> values;                ///< of each entry; of a complex matrix two each
  bool is_complex = false;
};

/// Dense vectors of one length, one after the other: a value an element, or two of complex ones.
struct MarketVectors {
  index_t columns = 0;
  std::vector<double> values;
  bool is_complex = false;
};

/// Reads a matrix file: coordinate or array; real, integer, complex or pattern (all ones); general, symmetric, skew-symmetric or
/// (of complex numbers) Hermitian, of which the other triangle is filled in. Entries given twice are summed, as SciPy and PETSc
/// do. Comments, blank lines, CRLF and any case of the header's words are taken. Anything else is Error(input) "file:line: what";
/// an entry that is infinite, not a number or beyond double is too, and so are thousands of rows with fewer entries than rows.
/// Error(io) when the file cannot be read. Rows, columns and entries end at 2^31 - 1.
CsrMatrix read_matrix_market(const std::string& path);

/// Reads the columns, one at least, of so many rows as dense vectors: an array, or coordinates with zeros for what is not listed,
/// and then several columns only where entries are as many. Errors as above.
MarketVectors read_matrix_market_vectors(const std::string& path, index_t rows);

/// Writes a dense matrix as "array real general". `values` has shape (columns, rows): column after column, as the format has it.
/// Values read back as the same doubles. Does not commit the file.
void write_matrix_market_array(OutputFile& out, index_t rows, index_t columns, std::span<const double> values);

/// The parts of such a file for those who write it piece by piece: what it begins with, and then the lines of values, of which
/// a complex number has two.
enum class MarketField { real, complex };
std::string matrix_market_array_header(index_t rows, index_t columns, MarketField field = MarketField::real);
std::string matrix_market_lines(std::span<const double> values, MarketField field = MarketField::real);

}  // namespace phpc::io
