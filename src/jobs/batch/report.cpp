#include "jobs/batch/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace phpc::jobs {

namespace {

constexpr std::array statuses{batch::Status::converged, batch::Status::max_iterations, batch::Status::breakdown,
                              batch::Status::stagnated, batch::Status::not_finite};

/// The larger of two norms; NaN if one of them is.
double worse(double a, double b) {
  return std::isnan(a) || a >= b ? a : b;
}

}  // namespace

void BatchSummary::add(std::span<const batch::Report> reports) {
  solves_ += static_cast<index_t>(reports.size());
  for (const batch::Report& report : reports) {
    ++statuses_[static_cast<std::size_t>(report.status)];
    ++iterations_[report.iterations];
    worst_residual_ = worse(worst_residual_, report.residual_norm);
    worst_relative_residual_ = worse(worst_relative_residual_, report.relative_residual());
  }
}

std::int32_t BatchSummary::iterations_at(double share) const {
  const index_t place = std::min(static_cast<index_t>(share * static_cast<double>(solves_)), solves_ - 1);
  index_t before = 0;
  for (const auto& [iterations, count] : iterations_) {
    before += count;
    if (place < before) {
      return iterations;
    }
  }
  return 0;
}

double BatchSummary::iterations_mean() const {
  double sum = 0;
  for (const auto& [iterations, count] : iterations_) {
    sum += static_cast<double>(iterations) * static_cast<double>(count);
  }
  return solves_ > 0 ? sum / static_cast<double>(solves_) : 0;
}

std::string BatchSummary::failures() const {
  std::string text;
  for (const batch::Status status : statuses) {
    if (const index_t number = number_of(status); number > 0 && status != batch::Status::converged) {
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", number, batch::to_string(status));
    }
  }
  return text;
}

std::string BatchSummary::histogram() const {
  if (iterations_.size() < 2) {
    return "";
  }
  constexpr std::int32_t most_lines = 10;
  constexpr double widest = 50;
  const std::int32_t first = iterations_.begin()->first;
  const std::int32_t width = (iterations_.rbegin()->first - first) / most_lines + 1;
  std::vector<index_t> counts(static_cast<std::size_t>((iterations_.rbegin()->first - first) / width + 1), 0);
  for (const auto& [iterations, count] : iterations_) {
    counts[static_cast<std::size_t>((iterations - first) / width)] += count;
  }
  const auto most = static_cast<double>(*std::max_element(counts.begin(), counts.end()));
  const std::size_t digits = fmt::formatted_size("{}", first + width * static_cast<std::int32_t>(counts.size()));
  std::string text;
  for (std::size_t line = 0; line < counts.size(); ++line) {
    const std::int32_t low = first + width * static_cast<std::int32_t>(line);
    const std::string range =
        width == 1 ? fmt::format("{:>{}}", low, digits) : fmt::format("{:>{}} ... {:>{}}", low, digits, low + width - 1, digits);
    const auto length = static_cast<std::size_t>(std::ceil(widest * static_cast<double>(counts[line]) / most));
    text += fmt::format("{}  {} {:>9}{}{}", line == 0 ? "" : "\n", range, counts[line], length > 0 ? " " : "",
                        std::string(length, '#'));
  }
  return text;
}

std::vector<std::string> report_columns(index_t sides) {
  std::vector<std::string> columns{"system", "iterations", "residual", "relative_residual", "status"};
  if (sides > 1) {
    columns.insert(columns.begin() + 1, "rhs");
  }
  return columns;
}

std::vector<io::Cell> report_cells(index_t system, index_t side, index_t sides, const batch::Report& report) {
  std::vector<io::Cell> cells{system, static_cast<index_t>(report.iterations), report.residual_norm, report.relative_residual(),
                              std::string(batch::to_string(report.status))};
  if (sides > 1) {
    cells.insert(cells.begin() + 1, side);
  }
  return cells;
}

std::string report_header(index_t sides) {
  return fmt::format("{}\n", fmt::join(report_columns(sides), "\t"));
}

std::string report_lines(index_t first, std::span<const batch::Report> reports, index_t sides) {
  std::string text;
  index_t side = 0;
  for (const batch::Report& report : reports) {
    fmt::format_to(std::back_inserter(text), "{}\t", first);
    if (sides > 1) {
      fmt::format_to(std::back_inserter(text), "{}\t", side);
    }
    fmt::format_to(std::back_inserter(text), "{}\t{}\t{}\t{}\n", report.iterations, report.residual_norm,
                   report.relative_residual(), batch::to_string(report.status));
    if (++side == sides) {
      side = 0;
      ++first;
    }
  }
  return text;
}

void write_json_report(io::OutputFile& out, const std::vector<batch::Report>& reports, index_t sides,
                       const nlohmann::ordered_json& meta) {
  io::TableWriter table(out, io::TableFormat::json, report_columns(sides), meta);
  index_t number = 0;
  for (const batch::Report& report : reports) {
    table.row(report_cells(number / sides, number % sides, sides, report));
    ++number;
  }
  table.finish();
}

}  // namespace phpc::jobs
