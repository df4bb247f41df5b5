#pragma once
#include <cstdint>
#include <string>

namespace phpc::casoff {

/// One way to lay a guide along the genome: without bulges, or with letters left out on either side. Both rows are as long as the
/// alignment and oriented like the guide, its PAM included:
///
///     guide_row  GAT-ACANGG    '-' where the genome has a base that the guide has not (a DNA bulge)
///     site_gaps  .....-....    '-' where the guide has a letter that the genome has not (an RNA bulge), '.' elsewhere
struct Variant {
  std::int32_t guide = 0;  ///< 0-based number of the guide
  std::string guide_row;   ///< upper-case letters and '-'
  std::string site_gaps;   ///< '.' and '-'; never '-' where guide_row has one
  int dna_bulge = 0;       ///< number of '-' in guide_row
  int rna_bulge = 0;       ///< number of '-' in site_gaps

  /// Bases of the genome that the alignment covers.
  [[nodiscard]] int site_length() const { return static_cast<int>(guide_row.size()) - rna_bulge; }
};

}  // namespace phpc::casoff
