#include "cli/bench/casoff.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "cli/bench/measured_devices.hpp"
#include "jobs/file_places.hpp"
#include "jobs/output_format.hpp"
#include "measure/statistics.hpp"
#include "phpc/core/error.hpp"
#include "phpc/core/parse.hpp"

namespace phpc::cli {

namespace {

/// What a search found: how many sites, in how many bases, and the sum of its rows' bytes.
struct Findings {
  index_t sites = 0;
  index_t bases = 0;
  std::uint64_t sum = 0;
  bool operator==(const Findings&) const = default;
};

/// What is measured of one comparer on one device.
struct CasoffBenchResult {
  exec::Device device;
  casoff::SearchOptions how;
  std::vector<double> seconds{};  ///< elapsed, of each run; the first one loads code
  jobs::SearchPhases quickest{};  ///< of the run that took the least time
  Findings findings{};            ///< of the last run
};

/// Sums bytes up by FNV-1a: the same for the same bytes however they are divided.
class ByteSum {
 public:
  void add(std::string_view bytes) {
    for (const char byte : bytes) {
      sum_ = (sum_ ^ static_cast<unsigned char>(byte)) * 0x100'0000'01b3ULL;
    }
  }
  [[nodiscard]] std::uint64_t value() const { return sum_; }

 private:
  std::uint64_t sum_ = 0xcbf2'9ce4'8422'2325ULL;
};

/// Searches once more.
void measure(Session& session, const jobs::CasoffJob& job, const io::GenomeSource& source,
             const jobs::SearchRun::Request& request, CasoffBenchResult& result) {
  jobs::CasoffJob one = job;
  one.how = result.how;
  one.devices = [&] { return std::vector<exec::Device>{result.device}; };
  ByteSum sum;
  jobs::SearchRun search(session, one, source, request, [&](const jobs::SiteRowSource& rows) {
    return std::make_unique<jobs::SiteWriter>([&](std::string_view text) { sum.add(text); }, rows);
  });
  search.run();
  const jobs::SearchPhases phases = search.phases();
  if (result.seconds.empty() || phases.elapsed < result.quickest.elapsed) {
    result.quickest = phases;
  }
  result.seconds.push_back(phases.elapsed);
  result.findings = {search.rows().sites(), search.genome().bases(), sum.value()};
}

/// A comparer and its device as messages call them.
std::string on_device(const CasoffBenchResult& result) {
  return fmt::format("'{}' on {}", casoff::to_string(result.how.comparer),
                     result.device.is_host() ? std::string("the host") : "device " + result.device.label());
}

void expect_same(const CasoffBenchResult& result, const CasoffBenchResult& first) {
  PHPC_VALIDATE(result.findings == first.findings, ErrorKind::device,
                fmt::format("the comparer {} finds {} where {} finds {}, or has other rows; the times mean nothing",
                            on_device(result), counted(result.findings.sites, "site"), on_device(first), first.findings.sites));
}

struct CasoffColumn {
  std::string name;
  io::Cell (*value)(const CasoffBenchResult&);
};

using CasoffRow = const CasoffBenchResult&;
using Cell = io::Cell;

/// Seconds, rounded to the nanosecond: a search of a small genome takes less than a millisecond, of which the shares that are
/// printed beside it are to be found again to a hundredth of a per cent.
Cell rounded_seconds(double seconds) {
  return std::round(1e9 * seconds) / 1e9;
}

Cell percent(double part, double whole) {
  return whole > 0 ? std::round(1e4 * part / whole) / 100 : std::numeric_limits<double>::quiet_NaN();
}

double seconds_of_kernels(CasoffRow r) {
  return r.quickest.search.kernels.finder + r.quickest.search.kernels.comparer;
}

const std::vector<CasoffColumn>& casoff_columns() {
  static const std::vector<CasoffColumn> all{
      {"device", [](CasoffRow r) { return Cell(r.device.label()); }},
      {"comparer", [](CasoffRow r) { return Cell(std::string(casoff::to_string(r.how.comparer))); }},
      {"elapsed_s", [](CasoffRow r) { return rounded_seconds(r.quickest.elapsed); }},
      {"elapsed_median_s", [](CasoffRow r) { return rounded_seconds(bench::statistics(r.seconds).median); }},
      {"elapsed_first_s", [](CasoffRow r) { return rounded_seconds(r.seconds.front()); }},
      {"set_up_s", [](CasoffRow r) { return rounded_seconds(r.quickest.set_up); }},
      {"reading_s", [](CasoffRow r) { return rounded_seconds(r.quickest.reading); }},
      {"waiting_s", [](CasoffRow r) { return rounded_seconds(r.quickest.waiting); }},
      {"upload_s", [](CasoffRow r) { return rounded_seconds(r.quickest.search.kernels.upload); }},
      {"finder_s", [](CasoffRow r) { return rounded_seconds(r.quickest.search.kernels.finder); }},
      {"comparer_s", [](CasoffRow r) { return rounded_seconds(r.quickest.search.kernels.comparer); }},
      {"download_s", [](CasoffRow r) { return rounded_seconds(r.quickest.search.kernels.download); }},
      {"sites_s", [](CasoffRow r) { return rounded_seconds(r.quickest.search.sites); }},
      {"rows_s", [](CasoffRow r) { return rounded_seconds(r.quickest.rows); }},
      {"comparer_of_kernels_percent",
       [](CasoffRow r) { return percent(r.quickest.search.kernels.comparer, seconds_of_kernels(r)); }},
      {"kernels_of_elapsed_percent", [](CasoffRow r) { return percent(seconds_of_kernels(r), r.quickest.elapsed); }},
      {"comparer_of_elapsed_percent",
       [](CasoffRow r) { return percent(r.quickest.search.kernels.comparer, r.quickest.elapsed); }},
      {"bases", [](CasoffRow r) { return Cell(r.findings.bases); }},
      {"sites", [](CasoffRow r) { return Cell(r.findings.sites); }},
  };
  return all;
}

nlohmann::ordered_json described(const jobs::CasoffJob& job, const CasoffBenchOptions& options) {
  nlohmann::ordered_json json;
  json["pattern"] = job.input.pattern;
  json["queries"] = job.input.queries.size();
  json["runs"] = options.repeats;
  json["elapsed"] = "least of all runs, from opening the genome to the last row, which is made and not written; host clock";
  json["phases"] = "of that run; reading goes on beside the others";
  json["finder, comparer"] = "kernels, launched and waited for";
  return json;
}

void write_table(io::OutputFile& out, io::TableFormat format, const std::vector<CasoffBenchResult>& results,
                 const nlohmann::ordered_json& meta) {
  std::vector<std::string> names;
  for (const CasoffColumn& column : casoff_columns()) {
    names.push_back(column.name);
  }
  io::TableWriter table(out, format, names, meta);
  for (const CasoffBenchResult& result : results) {
    std::vector<Cell> cells;
    for (const CasoffColumn& column : casoff_columns()) {
      cells.push_back(column.value(result));
    }
    table.row(cells);
  }
  table.finish();
}

}  // namespace

int bench_casoff(Session& session, const jobs::CasoffJob& job, const CasoffBenchOptions& options) {
  std::vector<casoff::SearchOptions> searches;
  for (const std::string& name : options.comparers) {
    searches.push_back(job.how);
    searches.back().comparer = casoff::parse_comparer(name);
    casoff::validate_comparer(searches.back());
  }
  PHPC_VALIDATE(!jobs::can_be_read_but_once(job.input.genome_path), ErrorKind::usage,
                "--bench reads the genome several times, and standard input or a pipe gives it once; give a file");
  // By the name alone: --format is that of rows.
  const io::TableFormat format = io::parse_table_format(
      jobs::output_format(job.output, "", {.what = "tables", .place = "-o", .format_option = "", .formats = {"tsv", "json"}}));
  const jobs::SearchRun::Request request = jobs::request_of(job.input, session);
  const io::GenomeSource source(job.input.genome_path, [&](const std::string& warning) { session.warning(warning); });
  jobs::validate_places({{job.output, "-o"}}, jobs::input_places(job.input_options, source, ""));
  io::OutputFile table_file(job.output);
  const std::vector<exec::Device> devices = measured_devices(job.devices(), options.with_host);

  std::vector<CasoffBenchResult> results;
  for (const exec::Device device : devices) {
    for (const casoff::SearchOptions& how : searches) {
      results.push_back({device, how});
    }
  }
  // In turn, so that what else the machine does meets all alike.
  for (int repeat = 0; repeat < options.repeats; ++repeat) {
    for (CasoffBenchResult& result : results) {
      measure(session, job, source, request, result);
      expect_same(result, results.front());
    }
  }
  nlohmann::ordered_json meta = session.meta(devices);
  meta["bench"] = described(job, options);
  write_table(table_file, format, results, meta);
  table_file.commit();
  return exit_success;
}

}  // namespace phpc::cli
