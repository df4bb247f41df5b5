#include "jobs/casoff/input.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "cli/number_check.hpp"
#include "cli/session.hpp"
#include "phpc/core/error.hpp"

namespace phpc::cli {

namespace {

casoff::Pattern sequence_at(const std::string& letters, const std::string& place) {
  try {
    return casoff::Pattern(letters);
  } catch (const Error& error) {
    io::fail_at(place, error.what());
  }
}

/// Says which letters match everything: of the first such sequence, and how many more there are.
class ForeignLetters {
 public:
  void look_at(const casoff::Pattern& sequence, const std::string& place) {
    if (!sequence.has_foreign_letters()) {
      return;
    }
    if (count_++ == 0) {
      // Of options and lists no U comes here: they are taken as DNA.
      const bool is_rna = sequence.text().find('U') != std::string::npos;
      first_ = fmt::format("{}: '{}' has {}, as in Cas-OFFinder{}", place, sequence.text(),
                           is_rna ? "U, which matches everything" : "letters that are no IUPAC code; they match everything",
                           is_rna ? "; write T for a guide of RNA" : "");
    }
  }
  void report(const Session& session) const {
    if (count_ > 0) {
      session.note(first_ + (count_ > 1 ? fmt::format(" (and {} more such)", count_ - 1) : ""));
    }
  }

 private:
  std::size_t count_ = 0;
  std::string first_;
};

io::SearchInput input_of_options(const CasoffInputOptions& options) {
  PHPC_VALIDATE(
      !options.genome.empty() && !options.pattern.empty(), ErrorKind::usage,
      "there is no input; give Cas-OFFinder's input file, or --genome, --pattern and --guide; see portable-hpc casoff --help");
  std::vector<io::GuideText> guides;
  guides.reserve(options.guides.size());
  for (const std::string& text : options.guides) {
    guides.push_back(io::parse_guide(text));
  }
  if (!options.guides_from.empty()) {
    PHPC_VALIDATE(options.guides_from != "-" || options.genome != "-", ErrorKind::usage,
                  "both the genome and the guides come from standard input; give a file for one");
    const std::vector<io::GuideText> listed = io::read_guides(options.guides_from);
    guides.insert(guides.end(), listed.begin(), listed.end());
  }
  PHPC_VALIDATE(!guides.empty(), ErrorKind::usage, "there is no guide; give --guide or --guides-from");
  return io::make_search_input(options.genome, options.pattern, guides, options.mismatches);
}

}  // namespace

io::SearchInput casoff_input(const CasoffInputOptions& options) {
  io::SearchInput input;
  if (options.input.empty()) {
    input = input_of_options(options);
  } else {
    PHPC_VALIDATE(
        options.genome.empty() && options.pattern.empty() && options.guides.empty() && options.guides_from.empty() &&
            !options.mismatches.has_value(),
        ErrorKind::usage,
        fmt::format("both the input file '{}' and --genome, --pattern, --guide, --guides-from or --mismatches; give the "
                    "file or the options",
                    options.input));
    input = io::read_search_input(options.input);
    PHPC_VALIDATE(options.input != "-" || input.genome_path != "-", ErrorKind::input,
                  "both the input file and its genome come from standard input; give a file for one");
  }
  if (options.dna_bulge.has_value() || options.rna_bulge.has_value()) {
    PHPC_VALIDATE(!input.has_bulge_fields, ErrorKind::usage,
                  fmt::format("sizes of bulges both at {} and as options; give them once", input.pattern_place));
    input.has_bulge_fields = true;
    input.dna_bulge = options.dna_bulge.value_or(0);
    input.rna_bulge = options.rna_bulge.value_or(0);
  }
  return input;
}

std::vector<FilePlace> genome_places(const io::GenomeSource& source) {
  std::vector<FilePlace> places;
  for (const io::GenomeSource::File& file : source.files()) {
    places.push_back({file.path, "the genome"});
  }
  return places;
}

std::vector<FilePlace> input_places(const CasoffInputOptions& options, const io::GenomeSource& source,
                                    const std::string& features) {
  std::vector<FilePlace> places = genome_places(source);
  places.insert(places.end(),
                {{options.input, "the input file"}, {options.guides_from, "--guides-from"}, {features, "--annotate"}});
  return places;
}

casoff::Pattern pattern_of(const io::SearchInput& input, const Session& session) {
  casoff::Pattern pattern = sequence_at(input.pattern, input.pattern_place);
  ForeignLetters foreign;
  foreign.look_at(pattern, input.pattern_place);
  foreign.report(session);
  return pattern;
}

std::vector<casoff::Guide> guides_of(const io::SearchInput& input, const Session& session) {
  std::vector<casoff::Guide> guides;
  guides.reserve(input.queries.size());
  ForeignLetters foreign;
  for (const io::SearchInput::Query& query : input.queries) {
    guides.push_back({sequence_at(query.sequence, query.place), query.mismatches, query.id});
    foreign.look_at(guides.back().sequence, query.place);
  }
  foreign.report(session);
  return guides;
}

void add_casoff_input_options(CLI::App& command, CasoffInputOptions& options) {
  constexpr const char* input_group = "Input without a file";
  command
      .add_option("--genome", options.genome,
                  "FASTA (plain, gzip or bgzip), .2bit or .phg (see --pack), a folder of such, or - for FASTA on standard input")
      ->group(input_group);
  command
      .add_option(
          "--pattern", options.pattern,
          "What a site must fit: N for the guide's letters, then the PAM, as in NNNNNNNNNNNNNNNNNNNNNRG, or the PAM first")
      ->group(input_group);
  command
      .add_option(
          "--guide", options.guides,
          "SEQUENCE[:MISMATCHES[:ID]]; may be given again; a guide without the PAM's letters is filled up with N, U is taken "
          "for T")
      ->allow_extra_args(false)
      ->group(input_group);
  command
      .add_option("--guides-from", options.guides_from,
                  "A file of guides, 'SEQUENCE [MISMATCHES [ID]]' a line; - = standard input")
      ->group(input_group);
  command.add_option("--mismatches", options.mismatches, "The most mismatches of guides that do not say it themselves")
      ->transform(whole_number(0))
      ->group(input_group);
  constexpr const char* search_group = "Search";
  command.add_option("--dna-bulge", options.dna_bulge, "The most bases that the site has and the guide has not")
      ->transform(whole_number(0))
      ->group(search_group);
  command.add_option("--rna-bulge", options.rna_bulge, "The most letters that the guide has and the site has not")
      ->transform(whole_number(0))
      ->group(search_group);
  command
      .add_option("--bulge-mode", options.bulge_mode, "single = one bulge of either kind a site; mixed = several, of both kinds")
      ->capture_default_str()
      ->check(CLI::IsMember({"single", "mixed"}))
      ->group(search_group);
  command.add_flag("--best-per-locus", options.best_per_locus, "Of the alignments of a guide at one place only the best")
      ->group(search_group);
  command
      .add_option(
          "--ambiguity", options.ambiguity,
          "Genome letters beside A, C, G, T: cas-offinder = they mismatch A, C, G, T and nothing else; strict = they match "
          "when all their bases do; any = when one does")
      ->capture_default_str()
      ->check(CLI::IsMember({"cas-offinder", "strict", "any"}))
      ->group(search_group);
  command
      .add_option("--region", options.regions,
                  "Search only NAME, NAME:FROM or NAME:FROM-TO (1-based, both included, as samtools has it); may be given again")
      ->allow_extra_args(false)
      ->group(search_group);
  command.add_option("--chrom-name", options.sequence_names, "Sequences are called by their full header or by its first word")
      ->capture_default_str()
      ->check(CLI::IsMember({"full", "first-word"}))
      ->group("Output");
}

}  // namespace phpc::cli
