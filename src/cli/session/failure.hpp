#pragma once
#include "cli/session/session.hpp"

namespace phpc::cli {

/// Logs one line that begins with the program's name and the command's.
void report(const Session& session, const std::string& message);

/// Logs what the exception that is being handled means, in a plain sentence, and returns its exit code; for a handler in main.
/// Logs nothing of OutputUnread.
int report_failure(const Session& session);

}  // namespace phpc::cli
