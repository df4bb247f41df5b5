// Signals that end the program, that are ignored, and that ask a shard for a checkpoint.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <thread>

#include "support/array_files.hpp"
#include "support/process.hpp"

namespace phpc::test {
namespace {

/// False when it takes more than a minute, or the program ends first.
bool wait_until(const Process& process, const std::function<bool()>& condition) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  while (!condition()) {
    if (!process.running() || std::chrono::steady_clock::now() > end) {
      return false;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

std::string zeros() {
  return npy_bytes("{'descr': '<c8', 'fortran_order': False, 'shape': (2048,), }", std::string(8 * 2048, '\0'));
}

/// Runs of `fft` that have made their temporary and wait for an input that comes from a named pipe.
class Signals : public ::testing::Test {
 protected:
  Signals() { mkfifo((directory_ / "in.npy").c_str(), 0600); }

  /// Faults are the program's to handle also where it is built with a sanitizer.
  [[nodiscard]] static ProgramSetting shell() {
    ProgramSetting setting{.program = "/bin/bash"};
    for (const char* const name : {"ASAN_OPTIONS", "TSAN_OPTIONS", "UBSAN_OPTIONS"}) {
      const char* const given = std::getenv(name);
      setting.environment[name] =
          std::string(given == nullptr ? "" : given) + ":handle_segv=0:handle_sigbus=0:handle_sigfpe=0:handle_sigill=0";
    }
    return setting;
  }
  /// `before` is shell code.
  [[nodiscard]] std::vector<std::string> command(const std::string& before) const {
    return {"-c", "ulimit -c 0; " + before + R"( exec "$PHPC_BINARY" fft --device host --quiet "$1" -o "$2")", "bash",
            directory_ / "in.npy", directory_ / "out.npy"};
  }
  [[nodiscard]] bool has_temporary() const { return directory_.entries().size() > 1; }

  TemporaryDirectory directory_;
};

TEST_F(Signals, LeaveNoTemporaryBehind) {
  for (const int signal : {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF,  SIGXCPU,
                           SIGIO,  SIGPWR, SIGSEGV, SIGBUS,  SIGFPE,  SIGILL,  SIGSYS,  SIGABRT,   SIGRTMIN, SIGRTMAX}) {
    Process process(command("trap - HUP INT QUIT;"), shell());
    ASSERT_TRUE(wait_until(process, [&] { return has_temporary(); })) << process.wait().err;
    process.send_signal(signal);
    EXPECT_EQ(process.wait().exit_code, 128 + signal);
    EXPECT_EQ(directory_.entries(), std::vector<std::string>{"in.npy"}) << strsignal(signal);
    for (const std::string& name : directory_.entries()) {
      if (name != "in.npy") {
        std::filesystem::remove(directory_ / name);
      }
    }
  }
}

TEST_F(Signals, ThatWereIgnoredAtTheStartStayIgnored) {
  Process process(command("trap '' HUP INT QUIT TERM USR1 USR2;"), shell());
  ASSERT_TRUE(wait_until(process, [&] { return has_temporary(); })) << process.wait().err;
  for (const int signal : {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2}) {
    process.send_signal(signal);
  }
  write_file(directory_ / "in.npy", zeros());
  const ProgramResult result = process.wait();
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(directory_.entries(), (std::vector<std::string>{"in.npy", "out.npy"}));
}

TEST_F(Signals, AFileThatMayNotGrowIsAWriteError) {
  Process process(command("ulimit -f 4;"), shell());
  ASSERT_TRUE(wait_until(process, [&] { return has_temporary(); })) << process.wait().err;
  write_file(directory_ / "in.npy", zeros());
  const ProgramResult result = process.wait();
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_NE(result.err.find("out.npy' (File too large)"), std::string::npos) << result.err;
  EXPECT_EQ(directory_.entries(), std::vector<std::string>{"in.npy"});
}

/// Whether the kernel says that a process handles a signal.
bool is_handled(pid_t process, int signal) {
  std::ifstream status("/proc/" + std::to_string(process) + "/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("SigCgt:")) {
      return (std::stoull(line.substr(7), nullptr, 16) >> (signal - 1) & 1) != 0;
    }
  }
  return false;
}

TEST_F(Signals, AShardIsAskedToStopBeforeItHasReadAnything) {
  for (const std::vector<std::string>& shard : {std::vector<std::string>{"--shard", "0/1"}, {"--shard=0/1"}}) {
    std::vector<std::string> arguments{"fft", "--device",         "host", "--files-from", directory_ / "in.npy",
                                       "-o",  directory_ / "out/"};
    arguments.insert(arguments.end(), shard.begin(), shard.end());
    Process process(arguments);
    ASSERT_TRUE(wait_until(process, [&] { return is_handled(process.id(), SIGUSR1); }));
    process.send_signal(SIGUSR1);
    write_file(directory_ / "in.npy", "first.npy\nsecond.npy\n");
    const ProgramResult result = process.wait();
    EXPECT_EQ(result.exit_code, 75) << result.err;
    EXPECT_NE(result.err.find("stopped before 'first.npy'; go on with --resume"), std::string::npos) << result.err;
  }
}

}  // namespace
}  // namespace phpc::test
