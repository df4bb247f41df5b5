#include "support/process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace phpc::test {

namespace {

[[noreturn]] void fail_with(const char* what, int error) {
  throw std::system_error(error, std::generic_category(), what);
}

std::vector<std::string> child_environment(const std::map<std::string, std::string>& changes) {
  std::map<std::string, std::string> variables;
  for (char** cursor = environ; *cursor != nullptr; ++cursor) {
    const char* const entry = *cursor;
    if (const char* const equals = std::strchr(entry, '='); equals != nullptr) {
      variables[std::string(entry, equals)] = equals + 1;
    }
  }
  variables.erase("OMP_NUM_THREADS");
  variables.erase("KMP_TEAMS_THREAD_LIMIT");
  for (const auto& [name, value] : changes) {
    variables[name] = value;
  }
  std::vector<std::string> lines;
  for (const auto& [name, value] : variables) {
    lines.push_back(name + "=" + value);
  }
  return lines;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> result;
  for (std::string& text : texts) {
    result.push_back(text.data());
  }
  result.push_back(nullptr);
  return result;
}

/// Captured output goes to a file in memory: unlike a pipe it cannot fill up and stall the program.
int capture_file(const char* name) {
  const int descriptor = memfd_create(name, MFD_CLOEXEC);
  if (descriptor < 0) {
    fail_with("memfd_create", errno);
  }
  return descriptor;
}

std::string content_of(int descriptor) {
  std::string content;
  char block[65536];
  ssize_t count = 0;
  while ((count = pread(descriptor, block, sizeof block, static_cast<off_t>(content.size()))) > 0) {
    content.append(block, static_cast<std::size_t>(count));
  }
  return content;
}

void feed(int descriptor, const std::string& input) {
  // A program that ends before it has read everything is no failure of the test: EPIPE, without the signal.
  sigset_t pipe_signal;
  sigemptyset(&pipe_signal);
  sigaddset(&pipe_signal, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &pipe_signal, nullptr);
  std::size_t done = 0;
  while (done < input.size()) {
    const ssize_t count = write(descriptor, input.data() + done, input.size() - done);
    if (count < 0 && errno != EINTR) {
      break;
    }
    done += count > 0 ? static_cast<std::size_t>(count) : 0;
  }
  close(descriptor);
}

}  // namespace

Process::Process(const std::vector<std::string>& arguments, const ProgramSetting& setting) {
  std::string program = setting.program;
  if (program.empty()) {
    const char* const binary = std::getenv("PHPC_BINARY");
    if (binary == nullptr) {
      throw std::runtime_error("PHPC_BINARY is not set: it names the portable-hpc to test; ctest sets it");
    }
    program = binary;
  }
  std::vector<std::string> command{program};
  command.insert(command.end(), arguments.begin(), arguments.end());
  std::vector<std::string> environment = child_environment(setting.environment);

  int input[2];
  int closed[2] = {-1, -1};
  if (pipe2(input, O_CLOEXEC) != 0 || (setting.output_closed && pipe2(closed, O_CLOEXEC) != 0)) {
    fail_with("pipe2", errno);
  }
  if (setting.output_closed) {
    close(closed[0]);
  }
  out_ = capture_file("out");
  err_ = capture_file("err");

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  if (!setting.directory.empty()) {
    posix_spawn_file_actions_addchdir_np(&actions, setting.directory.c_str());
  }
  posix_spawn_file_actions_adddup2(&actions, input[0], STDIN_FILENO);
  if (!setting.output_path.empty()) {
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, setting.output_path.c_str(), O_WRONLY | O_CREAT, 0666);
  } else {
    posix_spawn_file_actions_adddup2(&actions, setting.output_closed ? closed[1] : out_, STDOUT_FILENO);
  }
  posix_spawn_file_actions_adddup2(&actions, err_, STDERR_FILENO);
  const int error =
      posix_spawnp(&id_, program.c_str(), &actions, nullptr, pointers(command).data(), pointers(environment).data());
  posix_spawn_file_actions_destroy(&actions);
  close(input[0]);
  if (closed[1] >= 0) {
    close(closed[1]);
  }
  if (error != 0) {
    close(input[1]);
    close(out_);
    close(err_);
    fail_with(program.c_str(), error);
  }
  feeder_ = std::thread([descriptor = input[1], text = setting.input] { feed(descriptor, text); });
}

Process::~Process() {
  if (id_ > 0) {
    kill(id_, SIGKILL);
    waitpid(id_, nullptr, 0);
  }
  if (feeder_.joinable()) {
    feeder_.join();
  }
  close(out_);
  close(err_);
}

void Process::send_signal(int signal) const {
  kill(id_, signal);
}

bool Process::running() const {
  siginfo_t info{};
  return waitid(P_PID, static_cast<id_t>(id_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == 0;
}

bool Process::ends_within(std::chrono::milliseconds limit) const {
  const int descriptor = static_cast<int>(syscall(SYS_pidfd_open, id_, 0));
  if (descriptor < 0) {
    fail_with("pidfd_open", errno);
  }
  pollfd watched{.fd = descriptor, .events = POLLIN, .revents = 0};
  const int events = poll(&watched, 1, static_cast<int>(limit.count()));
  close(descriptor);
  return events > 0;
}

ProgramResult Process::wait() {
  int status = 0;
  rusage usage{};
  while (wait4(id_, &status, 0, &usage) < 0) {
    if (errno != EINTR) {
      fail_with("waitpid", errno);
    }
  }
  id_ = -1;
  feeder_.join();
  return {WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status), content_of(out_), content_of(err_),
          usage.ru_maxrss};
}

ProgramResult run_program(const std::vector<std::string>& arguments, const ProgramSetting& setting) {
  Process process(arguments, setting);
  return process.wait();
}

std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part);) {
    parts.push_back(part);
  }
  return parts;
}

}  // namespace phpc::test
