#include "cli/bench/casoff.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/commands/casoff_devices.hpp"
#include "cli/commands/casoff_explain.hpp"
#include "cli/commands/casoff_options.hpp"
#include "cli/commands/commands.hpp"
#include "cli/commands/shard_options.hpp"
#include "jobs/casoff/pack.hpp"
#include "jobs/casoff/search.hpp"
#include "jobs/casoff/shard.hpp"
#include "phpc/core/error.hpp"

namespace phpc::cli {

namespace {

struct CasoffOptions {
  jobs::CasoffInputOptions input;
  std::string second;  ///< positional: device class, or the output where it is none
  std::string third;   ///< positional: output
  std::string output;  ///< -o
  std::string pack;    ///< --pack
  jobs::CasoffOutputOptions rows;
  jobs::ShardOptions sharding;
  CasoffBenchOptions bench;
  std::vector<std::string> explained;  ///< --explain: the guide's row, the site's
  bool device_was_given = false;
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

int search_genome(Session& session, CasoffOptions options) {
  const auto start = std::chrono::steady_clock::now();
  const Places where = places(options);
  if (options.bench.runs_bench) {
    options.rows.format = jobs::rows_by_input;  // the output is a table of times
  } else {
    jobs::settle_formats(options.rows, where.output);
  }
  io::SearchInput input = jobs::casoff_input(options.input);
  const casoff::SearchOptions how = jobs::search_options(input, options.input);
  const auto choose_devices = [&] {
    return where.device_class.empty() ? session.devices() : select_device_class(where.device_class);
  };
  const std::optional<jobs::Shard> shard = jobs::parse_shard(options.sharding);
  const jobs::CasoffJob job{.input_options = options.input,
                            .row_options = options.rows,
                            .input = std::move(input),
                            .how = how,
                            .devices = choose_devices,
                            .output = where.output,
                            .command_line = shard ? command_line_of_whole(session) : session.command_line(),
                            .start = start};
  if (options.bench.runs_bench) {
    return bench_casoff(session, job, options.bench);
  }
  shard ? jobs::search_share(session, job, *shard, options.sharding) : jobs::search_whole(session, job);
  return exit_success;
}

int explain(const CasoffOptions& options) {
  PHPC_VALIDATE(options.input.input.empty(), ErrorKind::usage, "both --explain and an input file; give one");
  fmt::print("{}", explain_site(options.explained[0], options.explained[1], options.input.pattern,
                                casoff::parse_ambiguity(options.input.ambiguity), coloring_of_standard_output()));
  return exit_success;
}

int run_casoff(Session& session, const CasoffOptions& options) {
  if (!options.explained.empty()) {
    return explain(options);
  }
  if (!options.pack.empty()) {
    jobs::pack_genome(session, options.pack, options.output);
    return exit_success;
  }
  return search_genome(session, options);
}

}  // namespace

void add_casoff_command(CLI::App& app, Session& session) {
  const auto options = std::make_shared<CasoffOptions>();
  CLI::App* const command =
      app.add_subcommand("casoff", "Find CRISPR off-target sites; takes Cas-OFFinder's input file and arguments");
  command->add_option("input", options->input.input,
                      "Cas-OFFinder's input file (genome path, pattern [DNA-bulge RNA-bulge], queries); - = standard input");
  command->add_option("device-class", options->second,
                      "Cas-OFFinder's device: C = host, G = GPU, A = other device (x86_64 offload), with ids of that class as in "
                      "G0,2 or G0:4 (4 excluded); without it --device counts");
  command->add_option(
      "output-file", options->third,
      "Where the rows go, in the format that its name ends in (.tsv, .bed, .sam, .vcf, .jsonl); - = standard output, also "
      "when absent");
  command->add_option("-o,--output", options->output, "The same as an option")->group("Output");
  add_casoff_input_options(*command, options->input);
  const std::vector<CLI::Option*> of_a_search = command->get_options([](const CLI::Option* option) {
    return option->get_positional() || option->get_group() == "Search" || option->get_group() == "Input without a file";
  });
  CLI::Option* const pack =
      command
          ->add_option(
              "--pack", options->pack,
              "Search nothing; write this genome packed to the file of -o (.phg), which is read faster than FASTA and holds "
              "all that a search needs")
          ->group("Output");
  add_shard_options(*command, options->sharding);
  for (CLI::Option* const option : of_a_search) {
    pack->excludes(option);
  }
  pack->excludes(command->get_option("--shard"));
  add_casoff_output_options(*command, options->rows);
  command
      ->add_option(
          "--explain", options->explained,
          "Search nothing; draw the alignment of a guide and a site, given as rows of the output (- for bulges), and with "
          "--pattern say whether the site fits it")
      ->expected(2)
      ->type_name("GUIDE SITE")
      ->excludes(pack)
      ->group("Output");
  add_casoff_bench_options(*command, options->bench);
  session.add_common_options(*command);
  command->footer(
      "Rows come in order of position. Cas-OFFinder 2's: query, sequence, position (0-based, leftmost on the + strand), site "
      "(mismatches in lower case), strand, mismatches[, id].\nExamples:\n  portable-hpc casoff data/casoff/input.txt C out.txt\n"
      "  portable-hpc casoff --genome hg38.fa.gz --pattern NNNNNNNNNNNNNNNNNNNNNRG --guide GGCCGACCTGTCGCTGACGC:5:one -o "
      "sites.tsv\n"
      "  portable-hpc casoff --pack hg38.fa.gz -o hg38.phg\n"
      "  portable-hpc casoff input.txt -o sites.txt --shard 0/16   (each of 16, then portable-hpc merge sites.txt.part-* -o "
      "...)\n  portable-hpc casoff --bench --opt base,opt4,ours data/casoff/input.txt C times.tsv");
  command->callback([command, options, &session] {
    options->device_was_given = command->count("--device") > 0;
    session.action = [options, &session] { return run_casoff(session, *options); };
  });
}

}  // namespace phpc::cli
