#pragma once

namespace phpc::cli {

/// SIGTERM, SIGINT, SIGHUP and an abort inside a run-time library leave no temporary file behind; the process then ends as the
/// signal would have ended it (143 for SIGTERM). SIGPIPE becomes a write error.
void install_signal_handlers();

}  // namespace phpc::cli
