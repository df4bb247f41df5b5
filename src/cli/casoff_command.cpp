#include <CLI/CLI.hpp>

#include "cli/app.hpp"

namespace phpc::cli {

void add_casoff_command(CLI::App& app, Session& session) {
  static_cast<void>(app), static_cast<void>(session);
}

}  // namespace phpc::cli
