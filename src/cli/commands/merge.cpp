#include "jobs/merge.hpp"

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/commands/commands.hpp"

namespace phpc::cli {

namespace {

struct MergeOptions {
  std::vector<std::string> parts;
  std::string output = "-";
};

}  // namespace

void add_merge_command(CLI::App& app, Session& session) {
  CLI::App* const command =
      app.add_subcommand("merge", "Put the parts that --shard wrote together: byte for byte what one run would have written");
  const auto options = std::make_shared<MergeOptions>();
  command->add_option("parts", options->parts, "All parts of one job, in any order")->required()->type_name("PART");
  command->add_option("-o,--output", options->output, "The whole result; - is standard output")
      ->capture_default_str()
      ->type_name("OUTPUT");
  session.add_quiet_options(*command);
  command->footer("Example: portable-hpc merge spectrum.npy.part-* -o spectrum.npy");
  command->callback([options, &session] {
    session.action = [options, &session] {
      jobs::merge(session, options->parts, options->output);
      return exit_success;
    };
  });
}

}  // namespace phpc::cli
