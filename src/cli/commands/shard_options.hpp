#pragma once
#include <string>

#include "cli/session/session.hpp"
#include "jobs/shard.hpp"

namespace phpc::cli {

/// Adds --shard, --resume and --fingerprint to a subcommand.
void add_shard_options(CLI::App& command, jobs::ShardOptions& options);

/// What a run of the whole would have been called with: the command line without --shard, --resume and --fingerprint.
std::string command_line_of_whole(const Session& session);

}  // namespace phpc::cli
