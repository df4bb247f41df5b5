#include "cli/commands/casoff_options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "cli/commands/job_options.hpp"
#include "cli/options/number_check.hpp"
#include "cli/options/plot_option.hpp"
#include "jobs/casoff/summary.hpp"

namespace phpc::cli {

void add_casoff_input_options(CLI::App& command, jobs::CasoffInputOptions& options) {
  command.option_defaults()->group("Input without a file");
  command.add_option(
      "--genome", options.genome,
      "FASTA (plain, gzip or bgzip), .2bit or .phg (see --pack), a folder of such, or - for FASTA on standard input");
  command.add_option(
      "--pattern", options.pattern,
      "What a site must fit: N for the guide's letters, then the PAM, as in NNNNNNNNNNNNNNNNNNNNNRG, or the PAM first");
  command
      .add_option(
          "--guide", options.guides,
          "SEQUENCE[:MISMATCHES[:ID]]; may be given again; a guide without the PAM's letters is filled up with N, U is taken "
          "for T")
      ->allow_extra_args(false);
  command.add_option("--guides-from", options.guides_from,
                     "A file of guides, 'SEQUENCE [MISMATCHES [ID]]' a line; - = standard input");
  command.add_option("--mismatches", options.mismatches, "The most mismatches of guides that do not say it themselves")
      ->transform(whole_number(0));
  command.option_defaults()->group("Search");
  command.add_option("--dna-bulge", options.dna_bulge, "The most bases that the site has and the guide has not")
      ->transform(whole_number(0));
  command.add_option("--rna-bulge", options.rna_bulge, "The most letters that the guide has and the site has not")
      ->transform(whole_number(0));
  command
      .add_option("--bulge-mode", options.bulge_mode, "single = one bulge of either kind a site; mixed = several, of both kinds")
      ->capture_default_str()
      ->check(CLI::IsMember({"single", "mixed"}));
  command.add_flag("--best-per-locus", options.best_per_locus, "Of the alignments of a guide at one place only the best");
  command
      .add_option(
          "--ambiguity", options.ambiguity,
          "Genome letters beside A, C, G, T: cas-offinder = they mismatch A, C, G, T and nothing else; strict = they match "
          "when all their bases do; any = when one does")
      ->capture_default_str()
      ->check(CLI::IsMember({"cas-offinder", "strict", "any"}));
  command
      .add_option("--region", options.regions,
                  "Search only NAME, NAME:FROM or NAME:FROM-TO (1-based, both included, as samtools has it); may be given again")
      ->allow_extra_args(false);
  command.option_defaults()->group("Output");
  command.add_option("--chrom-name", options.sequence_names, "Sequences are called by their full header or by its first word")
      ->capture_default_str()
      ->check(CLI::IsMember({"full", "first-word"}));
}

void add_casoff_output_options(CLI::App& command, jobs::CasoffOutputOptions& options) {
  command.option_defaults()->group("Output");
  std::string description =
      "Format of the rows: cas-offinder = Cas-OFFinder's, of the version that the input file is written for";
  for (const io::SiteFormatEntry& entry : io::site_formats()) {
    description += fmt::format("; {} = {}", entry.name, entry.description);
  }
  description += fmt::format(". Without it by the name of the file, else {}", jobs::rows_by_input);
  command.add_option("--format", options.format, description)->check(CLI::IsMember(jobs::row_formats()));
  command.add_flag(
      "--score", options.scores,
      "Score the sites of SpCas9 (20 letters, a 3' PAM that NGG fits): CFD (0 to 1) and MIT (0 to 100) in all formats "
      "but cas-offinder, where bulges and ambiguous letters have none; the summary gets the guides' specificity (0 to 100)");
  command.add_option("--annotate", options.features,
                     "Add the features that a site overlaps, from a .bed, .gff, .gff3 or .gtf file (.gz too), to all formats but "
                     "cas-offinder; sequences are found by their whole header or its first word");
  command
      .add_option("--annotate-types", options.feature_types,
                  "Types of GFF features to take, as in gene,exon; without it all but whole sequences")
      ->delimiter(',')
      ->allow_extra_args(false);
  command.add_option("--summary", options.summary,
                     "Write how many sites each guide has, by mismatches and bulges; - = standard output");
  command.add_option("--summary-format", options.summary_format, "text, tsv or json; without it by the file's ending, else text")
      ->check(CLI::IsMember(jobs::summary_format_names()));
  add_plot_option(command, options.plot, "Draw the summary as an SVG picture: a name that ends in .svg or has no ending");
}

void add_casoff_bench_options(CLI::App& command, CasoffBenchOptions& options) {
  const std::vector<std::string> names(casoff::comparer_names().begin(), casoff::comparer_names().end());
  CLI::Option* const bench =
      command
          .add_flag(
              "--bench", options.runs_bench,
              "Time the search instead of writing its rows, several times on each device by itself: a table (.tsv, .json) of "
              "where the time of the quickest run went, in seconds (reading, uploading, finder and comparer kernels, rows)")
          ->group(bench_group);
  command
      .add_option("--opt", options.comparers,
                  "Comparers to time, as in base,opt4,ours: ours = this program's; base = Cas-OFFinder's as Jin and Vetter moved "
                  "it to SYCL; opt1 to opt4 = their optimisations, each on top of those before it: pointers without aliases, "
                  "registers for what is read again, the guide copied by all work items, its letter in a register. All but "
                  "ours know no bulges and no --ambiguity but cas-offinder")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->capture_default_str()
      ->check(CLI::IsMember(names))
      ->needs(bench)
      ->group(bench_group);
  command.add_option("--repeats", options.repeats, "Searches to time, of which the quickest counts")
      ->capture_default_str()
      ->transform(whole_number(1, 1000000))
      ->needs(bench)
      ->group(bench_group);
  command.add_flag("--with-host", options.with_host, "Time the host too, after the devices of --device")
      ->needs(bench)
      ->group(bench_group);
  exclude_from_bench(*bench, command, [](const std::string& name, const std::string& group) {
    return group == "Output" && name != "--output" && name != "--chrom-name";
  });
}

}  // namespace phpc::cli
