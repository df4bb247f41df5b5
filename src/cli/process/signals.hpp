#pragma once

namespace phpc::cli {

/// A signal that ends the process leaves no temporary file behind, be it sent from outside, a limit's or a fault's; the process
/// then ends as the signal would have ended it (143 for SIGTERM). A closed pipe and a file that may not grow further (SIGPIPE,
/// SIGXFSZ) become write errors. What was ignored when the program started (nohup, `trap ''`, a job in the background) stays so.
/// Where the command line has --shard, SIGUSR1 asks for a checkpoint: stop_was_requested() tells that it came.
void install_signal_handlers(int argc, const char* const* argv);
bool stop_was_requested();

}  // namespace phpc::cli
