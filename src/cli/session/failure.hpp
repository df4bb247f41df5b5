#pragma once
#include "cli/session/session.hpp"

namespace phpc::cli {

/// One line on standard error that begins with the program's name and the command's.
void report(const Session& session, const std::string& message);

/// Says what the exception that is being handled means, in a plain sentence, and returns its exit code; for a handler in main.
/// That nobody reads the output any more goes without saying.
int report_failure(const Session& session);

}  // namespace phpc::cli
