#pragma once

namespace phpc::cli {

/// SIGTERM, SIGINT, SIGHUP and an abort inside a run-time library leave no temporary file behind; the process then ends as the
/// signal would have ended it (143 for SIGTERM). SIGPIPE becomes a write error.
void install_signal_handlers();

/// From here on SIGUSR1 does not end the program: stop_was_requested() tells that it came.
void catch_stop_signal();
bool stop_was_requested();

}  // namespace phpc::cli
