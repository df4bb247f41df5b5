#pragma once
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "jobs/caller.hpp"
#include "jobs/casoff/genome_reader.hpp"
#include "phpc/casoff/search.hpp"
#include "phpc/io/output_file.hpp"
#include "phpc/io/site_rows.hpp"

namespace phpc::jobs {

/// What the user wants to see of the sites.
struct CasoffOutputOptions {
  std::string format;  ///< empty = by the name of the file
  bool scores = false;
  std::string features;                      ///< path of a file of them; empty = none
  std::vector<std::string> feature_types{};  ///< of GFF; empty = read_features' choice
  std::string summary;                       ///< path; empty = none
  std::string summary_format;                ///< empty = by the path's ending
  std::string plot;                          ///< path; empty = none
};

/// The format of rows whose version is that of the input file.
inline constexpr const char* rows_by_input = "cas-offinder";
/// The names of the formats of rows, rows_by_input first.
std::vector<std::string> row_formats();

/// Chooses the formats that were not given by the names of the files, `output` that of the rows. Throws Error(usage) where a name
/// is one of a format that its file cannot have.
void settle_formats(CasoffOutputOptions& options, const std::string& output);

/// The version of Cas-OFFinder whose rows `--format cas-offinder` gives.
enum class CasOffinderVersion { two, three };

/// What every row depends on, beside the site.
struct SiteRowSource {
  const CasoffOutputOptions& options;
  const casoff::Search& search;
  CasOffinderVersion version;
  const Caller& caller;
  std::string command_line;           ///< as files tell it
  io::SiteRowWriter::NameOf name_of;  ///< the name of a sequence that was begun
  int threads;                        ///< that make rows
};

/// Turns sites into rows of a file, counts them, and scores them, on threads of its own.
class SiteWriter {
 public:
  /// Opens the other outputs, so that what cannot be written is told before the search. What `source` refers to and `out` must
  /// outlive it. Throws Error.
  SiteWriter(io::OutputFile& out, const SiteRowSource& source);
  /// Rows alone, for the shares of a search; there is neither summary nor plot. `put` is given whole rows, on another thread.
  SiteWriter(std::function<void(std::string_view)> put, const SiteRowSource& source);
  ~SiteWriter();
  SiteWriter(const SiteWriter&) = delete;
  SiteWriter& operator=(const SiteWriter&) = delete;

  /// In order; the chunk holds the sites' letters and is kept until their rows are made. Throws what writing earlier ones threw.
  void write(std::span<const casoff::Site> sites, const GenomeReader::Chunk& chunk);
  /// Waits until the rows of all sites are written. Throws Error.
  void flush();
  /// What a file of rows alone must begin with, from the lengths of all sequences in order.
  [[nodiscard]] std::string header(std::span<const index_t> contig_lengths);
  /// After the last site, with the lengths of all sequences in order. Commits summary and plot, not the file of the rows.
  void finish(std::span<const index_t> contig_lengths);
  [[nodiscard]] index_t sites() const;

 private:
  void check(const SiteRowSource& source);

  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace phpc::jobs
