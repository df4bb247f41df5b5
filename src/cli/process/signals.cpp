#include "cli/process/signals.hpp"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <string_view>

#include "phpc/io/output_file.hpp"

namespace phpc::cli {

namespace {

std::atomic_flag cleaning_up = ATOMIC_FLAG_INIT;

// One thread cleans up and ends the process. A second signal must not end it first, whichever thread it comes to: a cancelled
// SLURM job gets two SIGTERM, of slurmd and of its script.
extern "C" void clean_up_and_die(int signal) {
  if (cleaning_up.test_and_set()) {
    while (true) {
      pause();
    }
  }
  io::remove_temporaries();
  // The signal is blocked until this returns; its default action then ends the process.
  std::signal(signal, SIG_DFL);
  raise(signal);
}

volatile std::sig_atomic_t stop_requested = 0;

extern "C" void note_stop(int /*signal*/) {
  stop_requested = 1;
}

/// Whether a signal that nobody handles ends a process.
bool ends_a_process(int signal) {
  constexpr int others[] = {SIGCHLD, SIGCONT, SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU, SIGURG, SIGWINCH, SIGKILL};
  return std::find(std::begin(others), std::end(others), signal) == std::end(others);
}

/// Leaves alone what is ignored or handled already: by who started the program, or by a sanitizer or a profiler.
void handle(int signal, void (*handler)(int), int flags) {
  struct sigaction action{};
  if (sigaction(signal, nullptr, &action) != 0 || action.sa_handler != SIG_DFL) {
    return;
  }
  action.sa_handler = handler;
  sigfillset(&action.sa_mask);
  action.sa_flags = flags;
  sigaction(signal, &action, nullptr);
}

bool has_shard(int argc, const char* const* argv) {
  return std::any_of(argv, argv + argc, [](const char* text) {
    const std::string_view word(text);
    return word == "--shard" || word.starts_with("--shard=");
  });
}

}  // namespace

bool stop_was_requested() {
  return stop_requested != 0;
}

void install_signal_handlers(int argc, const char* const* argv) {
  if (has_shard(argc, argv)) {
    handle(SIGUSR1, note_stop, SA_RESTART);
  }
  handle(SIGPIPE, SIG_IGN, 0);
  handle(SIGXFSZ, SIG_IGN, 0);
  for (int signal = 1; signal <= SIGRTMAX; ++signal) {
    if (ends_a_process(signal)) {
      handle(signal, clean_up_and_die, 0);
    }
  }
}

}  // namespace phpc::cli
