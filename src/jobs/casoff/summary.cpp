#include "jobs/casoff/summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>
#include <tuple>

#include "phpc/core/error.hpp"
#include "phpc/io/svg_heat_map.hpp"

namespace phpc::jobs {

namespace {

constexpr std::string_view format_names[] = {"text", "tsv", "json"};

std::string as_text(const io::Cell& cell) {
  if (const auto* const text = std::get_if<std::string>(&cell); text != nullptr) {
    return *text;
  }
  if (const auto* const number = std::get_if<index_t>(&cell); number != nullptr) {
    return fmt::format("{}", *number);
  }
  const double real = std::get<double>(cell);
  return std::isnan(real) ? "." : fmt::format("{:.2f}", real);
}

/// Columns of equal width, two blanks apart: text to the left, numbers to the right.
std::string aligned(const std::vector<std::string>& names, const std::vector<std::vector<io::Cell>>& rows) {
  std::vector<std::size_t> widths;
  std::vector<std::vector<std::string>> texts{names};
  for (const std::vector<io::Cell>& row : rows) {
    texts.emplace_back();
    std::transform(row.begin(), row.end(), std::back_inserter(texts.back()), as_text);
  }
  for (std::size_t column = 0; column < names.size(); ++column) {
    std::size_t width = 0;
    for (const std::vector<std::string>& row : texts) {
      width = std::max(width, row[column].size());
    }
    widths.push_back(width);
  }
  std::string out;
  for (const std::vector<std::string>& row : texts) {
    std::string line;
    for (std::size_t column = 0; column < names.size(); ++column) {
      const bool is_text = !rows.empty() && std::holds_alternative<std::string>(rows.front()[column]);
      line += column == 0 ? "" : "  ";
      line += is_text ? fmt::format("{:<{}}", row[column], widths[column]) : fmt::format("{:>{}}", row[column], widths[column]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  }
  return out;
}

/// Whether a guide's sites have scores, which they have where its own target has one.
bool has_scores(const std::string& guide) {
  const std::size_t pam = 3;
  return guide.size() > pam && !std::isnan(casoff::cfd_score(guide, guide.substr(0, guide.size() - pam) + "AGG"));
}

}  // namespace

std::vector<std::string> summary_format_names() {
  return {std::begin(format_names), std::end(format_names)};
}

SummaryFormat parse_summary_format(std::string_view name) {
  const auto* const found = std::find(std::begin(format_names), std::end(format_names), name);
  PHPC_VALIDATE(found != std::end(format_names), ErrorKind::usage,
                fmt::format("unknown format '{}' of the summary; give {}", name, fmt::join(format_names, ", ")));
  return static_cast<SummaryFormat>(found - std::begin(format_names));
}

SiteSummary::SiteSummary(const casoff::Pattern& pattern, std::span<const casoff::Guide> guides, Scores scores)
    : guides_(guides), lines_(guides.size()) {
  for (std::size_t guide = 0; guide < guides.size(); ++guide) {
    lines_[guide].push_back({guide, io::Bulge::none, 0, {}});
  }
  if (scores == Scores::of_guides) {
    specificity_.resize(guides.size());
    for (const casoff::Guide& guide : guides) {
      has_specificity_.push_back(static_cast<char>(casoff::is_spcas9(pattern) && has_scores(guide.sequence.text())));
    }
  }
}

void SiteSummary::add(const io::SiteRow& row) {
  const auto guide = static_cast<std::size_t>(row.guide_number);
  std::vector<Line>& lines = lines_[guide];
  auto line = std::find_if(lines.begin(), lines.end(), [&](const Line& candidate) {
    return candidate.bulge == row.bulge && candidate.bulge_size == row.bulge_size;
  });
  if (line == lines.end()) {
    line = lines.insert(lines.end(), {guide, row.bulge, row.bulge_size, {}});
  }
  const auto mismatches = static_cast<std::size_t>(row.mismatches);
  if (line->counts.size() <= mismatches) {
    line->counts.resize(mismatches + 1);
  }
  ++line->counts[mismatches];
  if (!specificity_.empty()) {
    specificity_[guide].add(row.cfd, row.mit, row.mismatches);
  }
}

std::vector<const SiteSummary::Line*> SiteSummary::ordered() const {
  std::vector<const Line*> all;
  for (const std::vector<Line>& lines : lines_) {
    for (const Line& line : lines) {
      all.push_back(&line);
    }
  }
  std::sort(all.begin(), all.end(), [](const Line* a, const Line* b) {
    return std::tie(a->guide, a->bulge, a->bulge_size) < std::tie(b->guide, b->bulge, b->bulge_size);
  });
  return all;
}

std::size_t SiteSummary::mismatch_columns() const {
  // As many as the thresholds allow, so that a table of few sites has the columns of one of many.
  index_t most = 0;
  for (const casoff::Guide& guide : guides_) {
    most = std::max(most, std::min<index_t>(guide.threshold, guide.sequence.size()));
  }
  return static_cast<std::size_t>(most) + 1;
}

std::string SiteSummary::guide_name(std::size_t guide) const {
  return guides_[guide].id.empty() ? fmt::format("{}", guide) : guides_[guide].id;
}

std::vector<std::string> SiteSummary::column_names() const {
  std::vector<std::string> names{"id", "guide", "bulge", "bulge_size", "max_mm", "sites"};
  for (std::size_t mismatches = 0; mismatches < mismatch_columns(); ++mismatches) {
    names.push_back(fmt::format("mm{}", mismatches));
  }
  if (!specificity_.empty()) {
    names.insert(names.end(), {"cfd_specificity", "mit_specificity"});
  }
  return names;
}

std::vector<io::Cell> SiteSummary::cells(const Line& line) const {
  const casoff::Guide& guide = guides_[line.guide];
  index_t sites = 0;
  for (const index_t count : line.counts) {
    sites += count;
  }
  std::vector<io::Cell> cells{guide_name(line.guide), guide.sequence.text(), std::string(io::to_text(line.bulge)),
                              line.bulge_size,        guide.threshold,       sites};
  for (std::size_t mismatches = 0; mismatches < mismatch_columns(); ++mismatches) {
    cells.emplace_back(mismatches < line.counts.size() ? line.counts[mismatches] : index_t{0});
  }
  if (!specificity_.empty()) {
    const bool scored = has_specificity_[line.guide] != 0;
    cells.emplace_back(scored ? specificity_[line.guide].cfd() : casoff::no_score);
    cells.emplace_back(scored ? specificity_[line.guide].mit() : casoff::no_score);
  }
  return cells;
}

void SiteSummary::write(io::OutputFile& out, SummaryFormat format, const nlohmann::ordered_json& meta) const {
  if (format == SummaryFormat::text) {
    std::vector<std::vector<io::Cell>> rows;
    for (const Line* const line : ordered()) {
      rows.push_back(cells(*line));
    }
    out.write(aligned(column_names(), rows));
    return;
  }
  io::TableWriter table(out, format == SummaryFormat::tsv ? io::TableFormat::tsv : io::TableFormat::json, column_names(), meta);
  for (const Line* const line : ordered()) {
    table.row(cells(*line));
  }
  table.finish();
}

std::string SiteSummary::plot() const {
  io::HeatMap map{.title = "Sites by guide and mismatches", .row_label = "guide", .column_label = "mismatches"};
  for (std::size_t mismatches = 0; mismatches < mismatch_columns(); ++mismatches) {
    map.columns.push_back(fmt::format("{}", mismatches));
  }
  for (const Line* const line : ordered()) {
    const casoff::Guide& guide = guides_[line->guide];
    std::string name = guide.id.empty() ? guide.sequence.text() : guide.id;
    if (line->bulge != io::Bulge::none) {
      name += fmt::format(" {} {}", io::to_text(line->bulge), line->bulge_size);
    }
    map.rows.push_back(std::move(name));
    for (std::size_t mismatches = 0; mismatches < map.columns.size(); ++mismatches) {
      map.counts.push_back(mismatches < line->counts.size() ? static_cast<double>(line->counts[mismatches]) : 0);
    }
  }
  return to_svg(map);
}

}  // namespace phpc::jobs
