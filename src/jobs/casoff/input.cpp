#include "jobs/casoff/input.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "phpc/core/error.hpp"

namespace phpc::jobs {

namespace {

casoff::Pattern sequence_at(const std::string& letters, const std::string& place) {
  try {
    return casoff::Pattern(letters);
  } catch (const Error& error) {
    io::fail_at(place, error.what());
  }
}

/// Warns of letters that match everything: of the first sequence that has some, and how many more there are.
class NonIupacLetters {
 public:
  void look_at(const casoff::Pattern& sequence, const std::string& place) {
    if (!sequence.has_non_iupac_letters()) {
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
  void report(const Caller& caller) const {
    if (count_ > 0) {
      caller.warning(first_ + (count_ > 1 ? fmt::format(" (and {} more such)", count_ - 1) : ""));
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

casoff::SearchOptions search_options(const io::SearchInput& input, const CasoffInputOptions& options) {
  const auto size = [](index_t bulge) { return static_cast<int>(std::min<index_t>(bulge, casoff::max_pattern_length)); };
  return {.ambiguity = casoff::parse_ambiguity(options.ambiguity),
          .dna_bulge = size(input.dna_bulge),
          .rna_bulge = size(input.rna_bulge),
          .bulge_mode = options.bulge_mode == "mixed" ? casoff::BulgeMode::mixed : casoff::BulgeMode::single,
          .best_per_locus = options.best_per_locus};
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

bool can_be_read_but_once(const std::string& genome) {
  std::error_code error;
  return genome == "-" || (std::filesystem::exists(genome, error) && !std::filesystem::is_regular_file(genome, error) &&
                           !std::filesystem::is_directory(genome, error));
}

casoff::Pattern pattern_of(const io::SearchInput& input, const Caller& caller) {
  casoff::Pattern pattern = sequence_at(input.pattern, input.pattern_place);
  NonIupacLetters non_iupac;
  non_iupac.look_at(pattern, input.pattern_place);
  non_iupac.report(caller);
  return pattern;
}

std::vector<casoff::Guide> guides_of(const io::SearchInput& input, const Caller& caller) {
  std::vector<casoff::Guide> guides;
  guides.reserve(input.queries.size());
  NonIupacLetters non_iupac;
  for (const io::SearchInput::Query& query : input.queries) {
    guides.push_back({sequence_at(query.sequence, query.place), query.mismatches, query.id});
    non_iupac.look_at(guides.back().sequence, query.place);
  }
  non_iupac.report(caller);
  return guides;
}

}  // namespace phpc::jobs
