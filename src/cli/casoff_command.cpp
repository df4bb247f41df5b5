#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>

#include "cli/app.hpp"
#include "cli/casoff_devices.hpp"
#include "cli/casoff_explain.hpp"
#include "cli/casoff_output.hpp"
#include "phpc/casoff/search.hpp"
#include "phpc/core/error.hpp"
#include "phpc/io/genome_source.hpp"
#include "phpc/io/search_input.hpp"

namespace phpc::cli {

namespace {

struct CasoffOptions {
  std::string input;
  std::string second;  ///< positional: device class, or the output where it is none
  std::string third;   ///< positional: output
  std::string output;  ///< -o
  std::string ambiguity = "cas-offinder";
  bool device_was_given = false;
  CasoffOutputOptions rows;
  std::vector<std::string> explained;  ///< --explain: the guide's row, the site's
  std::string pattern;                 ///< of --explain
};

/// The two optional positionals told apart.
struct Places {
  std::string device_class;  ///< empty: --device
  std::string output;
};

Places places(const CasoffOptions& options) {
  Places chosen;
  const bool has_class = is_device_class(options.second);
  PHPC_VALIDATE(
      has_class || options.third.empty(), ErrorKind::usage,
      fmt::format("'{}' is no device class; give C (host), G (GPU) or A (other device), with ids as in G0,2", options.second));
  if (has_class) {
    chosen.device_class = options.second;
    chosen.output = options.third;
  } else {
    chosen.output = options.second;
  }
  PHPC_VALIDATE(chosen.output.empty() || options.output.empty(), ErrorKind::usage,
                fmt::format("two outputs, '{}' and -o '{}'; give one", chosen.output, options.output));
  PHPC_VALIDATE(chosen.device_class.empty() || !options.device_was_given, ErrorKind::usage,
                fmt::format("both --device and the device class '{}'; give one", chosen.device_class));
  if (chosen.output.empty()) {
    chosen.output = options.output.empty() ? "-" : options.output;
  }
  return chosen;
}

/// A sequence of the input file as the search takes it, with the line in the message when it does not.
casoff::Pattern sequence_at(const std::string& letters, const io::SearchInput& input, index_t line, const Session& session) {
  try {
    casoff::Pattern sequence(letters);
    if (sequence.has_foreign_letters()) {
      session.note(fmt::format("{}:{}: '{}' has letters that are no IUPAC code; they match everything, as in Cas-OFFinder",
                               input.file, line, sequence.text()));
    }
    return sequence;
  } catch (const Error& error) {
    io::fail_at_line(input.file, line, error.what());
  }
}

casoff::Search make_search(const io::SearchInput& input, const std::vector<exec::Device>& devices, casoff::SearchOptions options,
                           Session& session) {
  casoff::Pattern pattern = sequence_at(input.pattern, input, input.pattern_line, session);
  std::vector<casoff::Guide> guides;
  guides.reserve(input.queries.size());
  for (const io::SearchInput::Query& query : input.queries) {
    guides.push_back({sequence_at(query.sequence, input, query.line, session), query.mismatches, query.id});
  }
  return {std::move(pattern), std::move(guides), devices, options, session.progress()};
}

/// Packs the genome as it is read, searches each chunk when it is full, and hands its sites on.
class GenomeSearch final : public io::SequenceConsumer {
 public:
  GenomeSearch(casoff::Search& search, const casoff::SiteSink& sink)
      : packer_(search.options().chunk_bases, search.overlap(),
                [&search, sink](const casoff::GenomeChunk& chunk) { search.run(chunk, sink); }) {}

  void begin_sequence(std::string_view name) override {
    packer_.begin_contig();
    names_.emplace_back(name);
    lengths_.push_back(0);
  }
  void letters(std::string_view block) override {
    packer_.append(block);
    lengths_.back() += static_cast<index_t>(block.size());
  }
  void end_sequence() override {}
  void finish() { packer_.finish(); }

  [[nodiscard]] index_t bases() const { return packer_.bases(); }
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  [[nodiscard]] const std::vector<index_t>& lengths() const { return lengths_; }

 private:
  casoff::GenomePacker packer_;
  std::vector<std::string> names_;
  std::vector<index_t> lengths_;
};

int explain(const CasoffOptions& options) {
  PHPC_VALIDATE(options.input.empty(), ErrorKind::usage, "both --explain and an input file; give one");
  fmt::print("{}", explain_site(options.explained[0], options.explained[1], options.pattern,
                                casoff::parse_ambiguity(options.ambiguity), coloring_of_standard_output()));
  return exit_success;
}

int search_genome(Session& session, const CasoffOptions& options) {
  PHPC_VALIDATE(!options.input.empty(), ErrorKind::usage, "there is no input file; give one, or - for standard input");
  const auto start = std::chrono::steady_clock::now();
  const Places where = places(options);
  const io::SearchInput input = io::read_search_input(options.input);
  if (input.dna_bulge != 0 || input.rna_bulge != 0) {
    io::fail_at_line(input.file, input.pattern_line,
                     "bulges are not supported by this version; write the pattern alone, or '0 0' after it");
  }
  const io::GenomeSource genome(input.genome_path, [&](const std::string& warning) { session.note(warning); });
  io::OutputFile out(where.output);
  std::vector<exec::Device> devices;
  if (where.device_class.empty()) {
    devices = session.devices();
  } else {
    session.apply_threads();
    devices = select_device_class(where.device_class);
  }
  casoff::Search search = make_search(input, devices, {.ambiguity = casoff::parse_ambiguity(options.ambiguity)}, session);
  std::unique_ptr<SiteWriter> rows;
  GenomeSearch work(search, [&](auto sites, const casoff::GenomeChunk& chunk) { rows->write(sites, chunk); });
  rows = std::make_unique<SiteWriter>(
      out, options.rows, search, input.has_bulge_fields ? CasOffinderVersion::three : CasOffinderVersion::two, session,
      [&](index_t contig) { return std::string_view(work.names()[static_cast<std::size_t>(contig)]); });
  session.progress().begin("bases", genome.estimated_letters());
  genome.read(work);
  work.finish();
  session.progress().end();
  rows->finish(work.lengths());
  out.commit();
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  session.note(fmt::format("{} sites of {} queries in {} bases of {} sequences, {:.2f} s", rows->sites(), input.queries.size(),
                           work.bases(), work.names().size(), seconds));
  return exit_success;
}

}  // namespace

void add_casoff_command(CLI::App& app, Session& session) {
  const auto options = std::make_shared<CasoffOptions>();
  CLI::App* const command =
      app.add_subcommand("casoff", "Find CRISPR off-target sites; takes Cas-OFFinder's input file and arguments");
  command->add_option("input", options->input, "Cas-OFFinder's input file (genome path, pattern, queries); - = standard input");
  command->add_option("device-class", options->second,
                      "Cas-OFFinder's device: C = host, G = GPU, A = other device (x86_64 offload), with ids of that class as in "
                      "G0,2 or G0:4 (4 excluded); without it --device counts");
  command->add_option("output-file", options->third, "Where the rows go; - = standard output, also when absent");
  command->add_option("-o,--output", options->output, "The same as an option")->group("Output");
  command
      ->add_option(
          "--ambiguity", options->ambiguity,
          "Genome letters beside A, C, G, T: cas-offinder = they mismatch A, C, G, T and nothing else; strict = they match "
          "when all their bases do; any = when one does")
      ->capture_default_str()
      ->check(CLI::IsMember({"cas-offinder", "strict", "any"}))
      ->group("Search");
  add_casoff_output_options(*command, options->rows);
  auto* const explained = command
                              ->add_option("--explain", options->explained,
                                           "Draw the alignment of a guide and a site, given as rows of the output (- for bulges)")
                              ->expected(2)
                              ->type_name("GUIDE SITE")
                              ->group("Instead of a search");
  command->add_option("--pattern", options->pattern, "What the site should fit, as in NNNNNNNNNNNNNNNNNNNNNRG")
      ->needs(explained)
      ->group("Instead of a search");
  session.add_common_options(*command);
  command->footer(
      "Rows come in order of position. Cas-OFFinder 2's: query, sequence, position (0-based, leftmost on the + strand), site "
      "(mismatches in lower case), strand, mismatches[, id].\nExample: portable-hpc casoff data/casoff/input.txt C out.txt");
  command->callback([command, options, &session] {
    options->device_was_given = command->count("--device") > 0;
    session.action = [options, &session] {
      return options->explained.empty() ? search_genome(session, *options) : explain(*options);
    };
  });
}

}  // namespace phpc::cli
