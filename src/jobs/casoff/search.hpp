#pragma once
#include <chrono>
#include <string>

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

/// Searches the whole genome and writes all that the options ask for. Throws Error.
void search_whole(Caller& caller, const CasoffJob& job);

}  // namespace phpc::jobs
