#pragma once
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "jobs/caller.hpp"
#include "jobs/casoff/genome_reader.hpp"
#include "jobs/casoff/input.hpp"
#include "jobs/casoff/output.hpp"
#include "phpc/casoff/search.hpp"

namespace phpc::jobs {

/// A search as it was asked for; its devices are chosen when it runs.
struct CasoffJob {
  const CasoffInputOptions& input_options;
  const CasoffOutputOptions& row_options;  ///< with settled formats
  io::SearchInput input;
  casoff::SearchOptions how;
  ChooseDevices devices;
  std::string output;
  std::string command_line;                     ///< as files tell it
  std::chrono::steady_clock::time_point start;  ///< of the time that the user is told
};

/// Bases of the longest site that an alignment can have, less one: what chunks and shares reach beyond their end.
int reach_of(const casoff::Pattern& pattern, const io::SearchInput& input);

/// How sequences are called in the rows.
SequenceNames names_of_sequences(const CasoffInputOptions& options);

/// The version of Cas-OFFinder that the input is written for.
CasOffinderVersion version_of_rows(const io::SearchInput& input);

/// Where the time of a search went, in seconds. The thread that searches sets up, waits for chunks, works on the devices, makes
/// sites and hands them to those that make rows, one after the other, so that these add up to what has elapsed, but for the
/// little between them; on several devices, which work at the same time, to more. Reading goes on beside it.
struct SearchPhases {
  double set_up = 0;   ///< until all is ready for the first chunk, which is being read meanwhile
  double reading = 0;  ///< the reading thread reads, decompresses and packs the genome
  double waiting = 0;  ///< the search waits for chunks
  casoff::SearchTimes search;
  double rows = 0;     ///< the search waits for rows, which are made and written on other threads
  double elapsed = 0;  ///< from the first to the last
};

/// The phases as a line of text.
std::string to_string(const SearchPhases& phases);

/// A search of a whole genome, whose rows go wherever they are wanted.
class SearchRun {
 public:
  struct Request {
    casoff::Pattern pattern;
    std::vector<casoff::Guide> guides;
  };
  using MakeRows = std::function<std::unique_ptr<SiteWriter>(const SiteRowSource&)>;

  /// Begins to read, then chooses the devices. `job` and `source` must outlive it. Throws Error.
  SearchRun(Caller& caller, const CasoffJob& job, const io::GenomeSource& source, Request request, const MakeRows& make_rows);

  /// Searches all chunks, until all rows are put. Throws Error.
  void run();
  [[nodiscard]] SiteWriter& rows() { return *rows_; }
  [[nodiscard]] const GenomeReader& genome() const { return genome_; }
  [[nodiscard]] const std::vector<exec::Device>& devices() const { return devices_; }
  /// Until now, from the constructor on.
  [[nodiscard]] SearchPhases phases() const;

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  SearchPhases times_;
  Caller& caller_;
  GenomeReader genome_;
  std::vector<exec::Device> devices_;
  casoff::Search search_;
  std::unique_ptr<SiteWriter> rows_;  ///< last: it refers to all of the above
};

/// What a search is asked for, with warnings of letters that match everything.
SearchRun::Request request_of(const io::SearchInput& input, const Caller& caller);

/// Searches the whole genome and writes all that the options ask for. Throws Error.
void search_whole(Caller& caller, const CasoffJob& job);

}  // namespace phpc::jobs
