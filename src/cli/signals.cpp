#include "cli/signals.hpp"

#include <unistd.h>

#include <csignal>

#include "phpc/io/output_file.hpp"

namespace phpc::cli {

namespace {

extern "C" void clean_up_and_die(int signal) {
  io::remove_temporaries();
  // SA_RESETHAND restored the default action; the signal is blocked until this returns, then it ends the process.
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
  sigemptyset(&action.sa_mask);
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  for (const int signal : {SIGTERM, SIGINT, SIGHUP, SIGABRT}) {
    sigaction(signal, &action, nullptr);
  }
  std::signal(SIGPIPE, SIG_IGN);
}

}  // namespace phpc::cli
