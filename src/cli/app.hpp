#pragma once
#include <memory>

#include "cli/session/session.hpp"

namespace phpc::cli {

/// The whole command-line tree. Options write into `session` or into state that the subcommand's callback owns; parsing runs
/// nothing but those callbacks, which set session.action.
std::unique_ptr<CLI::App> make_app(Session& session);

// One function a subcommand, each in its own file: adds the subcommand to the tree.
void add_fft_command(CLI::App& app, Session& session);
void add_casoff_command(CLI::App& app, Session& session);
void add_batch_command(CLI::App& app, Session& session);
void add_devices_command(CLI::App& app, Session& session);
void add_merge_command(CLI::App& app, Session& session);
void add_port_command(CLI::App& app, Session& session);

}  // namespace phpc::cli
