#pragma once
#include "cli/session/session.hpp"

namespace phpc::cli {

// One function a subcommand, each in its own file: adds the subcommand to the tree.
void add_fft_command(CLI::App& app, Session& session);
void add_casoff_command(CLI::App& app, Session& session);
void add_batch_command(CLI::App& app, Session& session);
void add_devices_command(CLI::App& app, Session& session);
void add_merge_command(CLI::App& app, Session& session);
void add_port_command(CLI::App& app, Session& session);

}  // namespace phpc::cli
