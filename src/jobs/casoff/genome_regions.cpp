#include "jobs/casoff/genome_regions.hpp"

#include <algorithm>
#include <limits>

#include "phpc/core/error.hpp"
#include "phpc/core/parse.hpp"

namespace phpc::jobs {

namespace {

constexpr index_t no_end = std::numeric_limits<index_t>::max();

/// A number of 1 or more, commas ignored.
std::optional<index_t> parse_position(std::string_view text) {
  std::string digits(text);
  std::erase(digits, ',');
  const auto value = parse_integer(digits);
  return value.has_value() && *value >= 1 ? value : std::nullopt;
}

/// What stands after the colon; nullopt where it is no "from", "from-" or "from-to".
std::optional<GenomeRegions::Interval> parse_interval(std::string_view text) {
  const std::size_t dash = text.find('-');
  const auto from = parse_position(text.substr(0, dash));
  if (!from.has_value()) {
    return std::nullopt;
  }
  if (dash == std::string_view::npos || dash + 1 == text.size()) {
    return GenomeRegions::Interval{*from - 1, no_end};
  }
  const auto to = parse_position(text.substr(dash + 1));
  return to.has_value() ? std::optional(GenomeRegions::Interval{*from - 1, *to}) : std::nullopt;
}

bool is_name(std::string_view name, std::string_view header) {
  return name == header || name == first_word(header);
}

}  // namespace

std::string_view first_word(std::string_view header) {
  return header.substr(0, header.find_first_of(" \t"));
}

GenomeRegions::GenomeRegions(const std::vector<std::string>& texts) {
  for (const std::string& text : texts) {
    PHPC_VALIDATE(!text.empty(), ErrorKind::usage, "a region is empty; write name, name:from or name:from-to");
    Region region{text, text, {0, no_end}, false};
    const std::size_t colon = text.rfind(':');
    if (colon != std::string::npos) {
      if (const auto interval = parse_interval(std::string_view(text).substr(colon + 1))) {
        PHPC_VALIDATE(interval->begin < interval->end, ErrorKind::usage,
                      "the region '" + text + "' ends before it begins; write name:from-to, 1-based, both included");
        region.name = text.substr(0, colon);
        region.interval = *interval;
        region.has_interval = true;
      }
    }
    regions_.push_back(region);
  }
}

std::optional<std::vector<GenomeRegions::Interval>> GenomeRegions::parts_of(std::string_view header) {
  if (regions_.empty()) {
    return std::nullopt;
  }
  std::vector<Interval> parts;
  for (Region& region : regions_) {
    if (is_name(region.text, header)) {
      parts.push_back({0, no_end});
      region.found = true;
    } else if (region.has_interval && is_name(region.name, header)) {
      parts.push_back(region.interval);
      region.found = true;
    }
  }
  std::sort(parts.begin(), parts.end(), [](const Interval& a, const Interval& b) { return a.begin < b.begin; });
  std::vector<Interval> apart;
  for (const Interval& part : parts) {
    if (!apart.empty() && part.begin <= apart.back().end) {
      apart.back().end = std::max(apart.back().end, part.end);
    } else {
      apart.push_back(part);
    }
  }
  return apart;
}

void GenomeRegions::check_length(std::string_view header, index_t length) const {
  for (const Region& region : regions_) {
    if (region.has_interval && !is_name(region.text, header) && is_name(region.name, header)) {
      PHPC_VALIDATE(region.interval.begin < length, ErrorKind::input,
                    "the region '" + region.text + "' begins beyond the end of the sequence (" + counted(length, "base") +
                        "); give a smaller number");
    }
  }
}

void GenomeRegions::check_all_found() const {
  for (const Region& region : regions_) {
    PHPC_VALIDATE(region.found, ErrorKind::input,
                  "the genome has no sequence for the region '" + region.text +
                      "'; give a header, or its first word, and after a colon from-to, 1-based, both included");
  }
}

}  // namespace phpc::jobs
