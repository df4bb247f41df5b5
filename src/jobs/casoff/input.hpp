#pragma once
#include <optional>
#include <string>
#include <vector>

#include "jobs/caller.hpp"
#include "jobs/file_places.hpp"
#include "phpc/casoff/pattern.hpp"
#include "phpc/casoff/search.hpp"
#include "phpc/io/genome_source.hpp"
#include "phpc/io/search_input.hpp"

namespace phpc::jobs {

/// What a user asks of a search: what is searched for, and in which genome.
struct CasoffInputOptions {
  std::string input;  ///< positional: Cas-OFFinder's input file; empty: the options below
  std::string genome;
  std::string pattern;
  std::vector<std::string> guides;
  std::string guides_from;
  std::optional<index_t> mismatches;
  std::optional<index_t> dna_bulge;
  std::optional<index_t> rna_bulge;
  std::string bulge_mode = "single";
  bool best_per_locus = false;
  std::string ambiguity = "cas-offinder";
  std::vector<std::string> regions;
  std::string sequence_names = "full";
};

/// The search that the options ask for. Throws Error.
io::SearchInput casoff_input(const CasoffInputOptions& options);

/// How the search is to go, by the input and the options. Throws Error(usage).
casoff::SearchOptions search_options(const io::SearchInput& input, const CasoffInputOptions& options);

/// The genome's files, and all files that a search reads.
std::vector<FilePlace> genome_places(const io::GenomeSource& source);
std::vector<FilePlace> input_places(const CasoffInputOptions& options, const io::GenomeSource& source,
                                    const std::string& features);

/// Whether a genome is what can be read but once: standard input, a pipe, a socket, a device.
bool can_be_read_but_once(const std::string& genome);

/// The pattern and the guides as the search takes them, with their places in messages; warns of letters that match everything.
casoff::Pattern pattern_of(const io::SearchInput& input, const Caller& caller);
std::vector<casoff::Guide> guides_of(const io::SearchInput& input, const Caller& caller);

}  // namespace phpc::jobs
