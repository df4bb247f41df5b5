#pragma once
#include <sys/types.h>

#include <chrono>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "support/temporary_directory.hpp"

namespace phpc::test {

/// How a program ended and what it said.
struct ProgramResult {
  int exit_code;  ///< 128 + signal number when a signal ended it, as a shell says it
  std::string out;
  std::string err;
  long peak_kib = 0;  ///< the most memory that was in use, in KiB
};

/// What a program is started with beside its arguments.
struct ProgramSetting {
  /// Bytes on standard input, through a pipe; it ends after them.
  std::string input{};
  /// Variables set over those of the test process. What the test suite sets for itself (OMP_NUM_THREADS, which is large there)
  /// is not passed on.
  std::map<std::string, std::string> environment{};
  /// Where standard output goes instead of ProgramResult::out ("/dev/full"); opened for writing.
  std::string output_path{};
  /// Standard output is a pipe that nobody reads any more.
  bool output_closed = false;
  /// Working directory; empty = that of the test.
  std::string directory{};
  /// The program; empty = portable-hpc of this build ($PHPC_BINARY).
  std::string program{};
};

/// A started program. Its destructor kills what still runs.
class Process {
 public:
  explicit Process(const std::vector<std::string>& arguments, const ProgramSetting& setting = {});
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  [[nodiscard]] pid_t id() const { return id_; }
  void send_signal(int signal) const;
  /// False once the program has ended (it still has to be waited for).
  [[nodiscard]] bool running() const;
  /// Waits for its end, but no longer than that; false when it still runs.
  [[nodiscard]] bool ends_within(std::chrono::milliseconds limit) const;
  ProgramResult wait();

 private:
  pid_t id_ = -1;
  int out_ = -1;
  int err_ = -1;
  std::thread feeder_;
};

/// Starts a program, portable-hpc as a rule, and waits for its end:
///   const auto result = run_program({"fft", dir / "in.npy", "-o", dir / "out.npy"});
ProgramResult run_program(const std::vector<std::string>& arguments, const ProgramSetting& setting = {});

/// The lines of a text, without their ends.
std::vector<std::string> lines(const std::string& text);

}  // namespace phpc::test
