#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "phpc/casoff/pattern.hpp"
#include "phpc/casoff/score.hpp"
#include "phpc/io/output_file.hpp"
#include "phpc/io/site_rows.hpp"
#include "phpc/io/table.hpp"

namespace phpc::jobs {

enum class SummaryFormat { text, tsv, json };

/// "text", "tsv", "json", in the order of SummaryFormat; Error(usage) for any other.
std::vector<std::string> summary_format_names();
SummaryFormat parse_summary_format(std::string_view name);

/// Sites of each guide by number of mismatches and by bulge. A line for each guide without bulges, and one more for each bulge
/// type and size that has sites.
class SiteSummary {
 public:
  /// The guides must outlive it. `scores`: with the specificity of each guide, for which every row's scores are summed.
  enum class Scores { none, of_guides };
  SiteSummary(const casoff::Pattern& pattern, std::span<const casoff::Guide> guides, Scores scores);

  void add(const io::SiteRow& row);

  /// Columns: id (or 0-based number), guide, bulge, bulge_size, max_mm (the guide's threshold), sites, then a column for each
  /// number of mismatches, then cfd_specificity and mit_specificity. Does not commit the file.
  void write(io::OutputFile& out, SummaryFormat format, const nlohmann::ordered_json& meta) const;
  /// The same as an SVG picture.
  [[nodiscard]] std::string plot() const;

 private:
  struct Line {
    std::size_t guide;
    io::Bulge bulge;
    index_t bulge_size;
    std::vector<index_t> counts;  ///< by mismatches; shorter than the table where the rest is 0
  };

  [[nodiscard]] std::vector<const Line*> ordered() const;
  [[nodiscard]] std::size_t mismatch_columns() const;
  [[nodiscard]] std::string guide_name(std::size_t guide) const;
  [[nodiscard]] std::vector<io::Cell> cells(const Line& line) const;
  [[nodiscard]] std::vector<std::string> column_names() const;

  std::span<const casoff::Guide> guides_;
  std::vector<std::vector<Line>> lines_;  ///< by guide; the one without bulges first
  std::vector<casoff::Specificity> specificity_;
  std::vector<char> has_specificity_;  ///< by guide
};

}  // namespace phpc::jobs
