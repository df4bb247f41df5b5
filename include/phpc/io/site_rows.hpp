#pragma once
#include <string>
#include <string_view>

#include "phpc/core/types.hpp"

namespace phpc::io {

/// One hit of an off-target search, as writers take it.
struct SiteRow {
  std::string_view query;     ///< upper-case, with its Ns
  std::string_view sequence;  ///< name of the genome's sequence: its whole header
  index_t position;           ///< 0-based, leftmost base on the + strand
  std::string_view letters;   ///< oriented like the query, mismatches in lower case
  char strand;                ///< '+' or '-'
  index_t mismatches;
  std::string_view id;  ///< empty = none: the column is then left out
};

/// Appends Cas-OFFinder 2's row, tab-separated: query, sequence, position, letters, strand, mismatches[, id].
/// A tab within the sequence's name stays, as Cas-OFFinder writes it.
void append_cas_offinder2(std::string& text, const SiteRow& row);

}  // namespace phpc::io
