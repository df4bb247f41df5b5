#pragma once
#include <memory>

#include "cli/session/session.hpp"

namespace phpc::cli {

/// The whole command-line tree. Options write into `session` or into state that the subcommand's callback owns; parsing runs
/// nothing but those callbacks, which set session.action.
std::unique_ptr<CLI::App> make_app(Session& session);

}  // namespace phpc::cli
