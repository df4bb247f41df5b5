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

}  // namespace

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
