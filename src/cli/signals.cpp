#include "cli/signals.hpp"

#include <unistd.h>

#include <atomic>
#include <csignal>

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

}  // namespace

void catch_stop_signal() {
  struct sigaction action{};
  action.sa_handler = note_stop;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  sigaction(SIGUSR1, &action, nullptr);
}

bool stop_was_requested() {
  return stop_requested != 0;
}

void install_signal_handlers() {
  struct sigaction action{};
  action.sa_handler = clean_up_and_die;
  sigfillset(&action.sa_mask);
  action.sa_flags = 0;
  for (const int signal : {SIGTERM, SIGINT, SIGHUP, SIGABRT}) {
    sigaction(signal, &action, nullptr);
  }
  std::signal(SIGPIPE, SIG_IGN);
}

}  // namespace phpc::cli
