#include "cli/commands/shard_options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <vector>

#include "cli/options/option_tree.hpp"

namespace phpc::cli {

void add_shard_options(CLI::App& command, jobs::ShardOptions& options) {
  constexpr const char* group = "Sharding";
  static const std::string words[] = {"srun"};
  CLI::Option* const shard =
      command
          .add_option("--shard", options.shard,
                      "Do share I of N, 0 <= I < N, and write OUTPUT.part-IIIII-of-NNNNN, to be put together by portable-hpc "
                      "merge; srun: the task's number and the tasks of the srun step that this is")
          ->type_name(with_words("I/N", words))
          ->group(group);
  command
      .add_flag("--resume", options.resume,
                "Leave out what an earlier run of this shard finished, and go on from its checkpoint. SIGUSR1 asks for a "
                "checkpoint: exit code 75")
      ->needs(shard)
      ->group(group);
  command
      .add_option("--fingerprint", options.fingerprint,
                  "How parts know their input again, so that merge and --resume refuse others. ends: size, time of the last "
                  "change, and first and last MiB; whole: size and sum of all bytes, which each shard reads for it, whatever "
                  "the time (copies on several machines)")
      ->capture_default_str()
      ->check(CLI::IsMember({"ends", "whole"}))
      ->needs(shard)
      ->group(group);
}

std::string command_line_of_whole(const Session& session) {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < session.words().size(); ++i) {
    const std::string& word = session.words()[i];
    if (word == "--shard" || word == "--fingerprint") {
      ++i;
    } else if (word != "--resume" && !word.starts_with("--shard=") && !word.starts_with("--fingerprint=")) {
      words.push_back(word);
    }
  }
  // Names that are no UTF-8 are told as far as their readable letters go, as in a part's description of its job.
  const nlohmann::ordered_json line = fmt::format("{}", fmt::join(words, " "));
  const std::string text = line.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  return nlohmann::ordered_json::parse(text).get<std::string>();
}

}  // namespace phpc::cli
