#pragma once
#include "cli/session/session.hpp"

namespace phpc::cli {

/// Logs what the exception that is being handled means, in a plain sentence, and returns its exit code; for a handler in main.
/// Logs nothing of OutputUnread.
int report_failure(const Session& session);

}  // namespace phpc::cli
