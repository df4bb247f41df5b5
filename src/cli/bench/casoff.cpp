#include "cli/bench/casoff.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

#include "jobs/file_places.hpp"
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
  exec::Device device = exec::Device::host();
  std::string comparer;
  double first = 0;             ///< seconds of the first run, which loads code
  bench::Statistics elapsed;    ///< seconds of all runs
  jobs::SearchPhases quickest;  ///< of the run that took the least time
  Findings findings;
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

CasoffBenchResult measure(Session& session, const jobs::CasoffJob& job, const io::GenomeSource& source,
                          const jobs::SearchRun::Request& request, int repeats) {
  CasoffBenchResult result{.device = job.devices().front(),
                           .comparer = std::string(casoff::to_string(job.how.comparer)),
                           .elapsed = {},
                           .quickest = {},
                           .findings = {}};
  std::vector<double> seconds;
  for (int repeat = 0; repeat < repeats; ++repeat) {
    ByteSum sum;
    jobs::SearchRun search(session, job, source, request, [&](const jobs::SiteRowSource& rows) {
      return std::make_unique<jobs::SiteWriter>([&](std::string_view text) { sum.add(text); }, rows);
    });
    search.run();
    const jobs::SearchPhases phases = search.phases();
    if (seconds.empty() || phases.elapsed < result.quickest.elapsed) {
      result.quickest = phases;
    }
    seconds.push_back(phases.elapsed);
    result.findings = {search.rows().sites(), search.genome().bases(), sum.value()};
  }
  result.first = seconds.front();
  result.elapsed = bench::statistics(std::move(seconds));
  return result;
}

/// The device of a row as messages call it.
std::string on_device(const CasoffBenchResult& result) {
  return fmt::format("'{}' on {}", result.comparer,
                     result.device.is_host() ? std::string("the host") : "device " + result.device.label());
}

void expect_same(const CasoffBenchResult& result, const CasoffBenchResult& first) {
  PHPC_VALIDATE(result.findings == first.findings, ErrorKind::device,
                fmt::format("the comparer {} finds {} where {} finds {}, or has other rows; the times mean nothing",
                            on_device(result), counted(result.findings.sites, "site"), on_device(first), first.findings.sites));
}

struct TableColumn {
  std::string name;
  io::Cell (*value)(const CasoffBenchResult&);
};

using Row = const CasoffBenchResult&;
using Cell = io::Cell;

/// Seconds, rounded to the microsecond.
Cell time(double seconds) {
  return std::round(1e6 * seconds) / 1e6;
}

Cell percent(double part, double whole) {
  return whole > 0 ? std::round(1e4 * part / whole) / 100 : std::numeric_limits<double>::quiet_NaN();
}

double seconds_of_kernels(Row r) {
  return r.quickest.search.kernels.finder + r.quickest.search.kernels.comparer;
}

const std::vector<TableColumn>& columns() {
  static const std::vector<TableColumn> all{
      {"device", [](Row r) { return Cell(r.device.label()); }},
      {"comparer", [](Row r) { return Cell(r.comparer); }},
      {"elapsed_s", [](Row r) { return time(r.quickest.elapsed); }},
      {"elapsed_median_s", [](Row r) { return time(r.elapsed.median); }},
      {"elapsed_first_s", [](Row r) { return time(r.first); }},
      {"set_up_s", [](Row r) { return time(r.quickest.set_up); }},
      {"reading_s", [](Row r) { return time(r.quickest.reading); }},
      {"waiting_s", [](Row r) { return time(r.quickest.waiting); }},
      {"upload_s", [](Row r) { return time(r.quickest.search.kernels.upload); }},
      {"finder_s", [](Row r) { return time(r.quickest.search.kernels.finder); }},
      {"comparer_s", [](Row r) { return time(r.quickest.search.kernels.comparer); }},
      {"download_s", [](Row r) { return time(r.quickest.search.kernels.download); }},
      {"sites_s", [](Row r) { return time(r.quickest.search.sites); }},
      {"rows_s", [](Row r) { return time(r.quickest.rows); }},
      {"comparer_of_kernels_percent", [](Row r) { return percent(r.quickest.search.kernels.comparer, seconds_of_kernels(r)); }},
      {"kernels_of_elapsed_percent", [](Row r) { return percent(seconds_of_kernels(r), r.quickest.elapsed); }},
      {"comparer_of_elapsed_percent", [](Row r) { return percent(r.quickest.search.kernels.comparer, r.quickest.elapsed); }},
      {"bases", [](Row r) { return Cell(r.findings.bases); }},
      {"sites", [](Row r) { return Cell(r.findings.sites); }},
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
  for (const TableColumn& column : columns()) {
    names.push_back(column.name);
  }
  io::TableWriter table(out, format, names, meta);
  for (const CasoffBenchResult& result : results) {
    std::vector<Cell> cells;
    for (const TableColumn& column : columns()) {
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
  const io::TableFormat format = session.table_format(job.output);
  const jobs::SearchRun::Request request = jobs::request_of(job.input, session);
  const io::GenomeSource source(job.input.genome_path, [&](const std::string& warning) { session.warning(warning); });
  jobs::validate_places({{job.output, "-o"}}, jobs::input_places(job.input_options, source, ""));
  io::OutputFile table_file(job.output);
  const std::vector<exec::Device> devices = job.devices();

  std::vector<CasoffBenchResult> results;
  for (const exec::Device device : devices) {
    for (const casoff::SearchOptions& how : searches) {
      jobs::CasoffJob one = job;
      one.how = how;
      one.devices = [device] { return std::vector<exec::Device>{device}; };
      results.push_back(measure(session, one, source, request, options.repeats));
      expect_same(results.back(), results.front());
    }
  }
  nlohmann::ordered_json meta = session.meta(devices);
  meta["bench"] = described(job, options);
  write_table(table_file, format, results, meta);
  table_file.commit();
  return exit_success;
}

}  // namespace phpc::cli
