#pragma once
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "jobs/caller.hpp"
#include "phpc/core/progress.hpp"
#include "phpc/exec/device.hpp"
#include "phpc/io/table.hpp"

namespace CLI {
class App;
}

namespace phpc::cli {

/// Exit codes of the program. An empty result is success; exit_unread is what a shell shows for SIGPIPE.
enum ExitCode : int { exit_success = 0, exit_failure = 1, exit_usage = 2, exit_checkpoint = 75, exit_unread = 141 };

/// What every subcommand shares: the options that all of them take, the devices and the log that follow from these. Jobs know it
/// as their caller. Data goes to standard output or a file; the log goes to standard error.
class Session final : public jobs::Caller {
 public:
  explicit Session(std::vector<std::string> command_line);
  ~Session() override;

  /// Adds --device, --threads, --quiet, --verbose to a subcommand.
  void add_common_options(CLI::App& subcommand);
  /// Adds --quiet and --verbose alone.
  void add_quiet_options(CLI::App& subcommand);
  /// Adds --format tsv|json.
  void add_format_option(CLI::App& subcommand);

  /// The devices that --device names; logs what `auto` took. Applies --threads. Throws Error.
  std::vector<exec::Device> devices();
  /// The same where only one device can serve.
  exec::Device device();
  /// Applies --threads where no device is asked for. The first time, logs what was read of the environment (debug), and warns of
  /// more threads than SLURM gave processors.
  void apply_threads() override;

  /// What --format says; empty where it was not given.
  [[nodiscard]] const std::string& format() const { return format_; }
  /// The same, else the name of the table's file, which the option `place` gives. Throws Error(usage) for a name of
  /// something else than a table.
  [[nodiscard]] io::TableFormat table_format(const std::string& path = "-", const std::string& place = "-o") const;
  /// Draws a bar on standard error when that is a terminal and --quiet is absent.
  Progress& progress() override;
  /// One line on standard error, --quiet or not.
  void error(const std::string& message) const override;
  /// One line on standard error, unless --quiet.
  void warning(const std::string& message) const override;
  /// The same.
  void info(const std::string& message) const override;
  /// A drawing of several lines on standard error, unless --quiet.
  void draw(const std::string& lines) const override;
  /// One line on standard error with --verbose, unless --quiet.
  void debug(const std::string& message) const;
  /// The same of what runs on a device.
  void debug(exec::Device device, const std::string& message) const override;
  [[nodiscard]] bool wants_debug() const override { return verbose_; }
  /// The words of the command line.
  [[nodiscard]] const std::vector<std::string>& words() const { return command_line_; }
  /// The same with blanks between.
  [[nodiscard]] std::string command_line() const;
  /// Program, version, command line, device names, and the environment variables read: the meta block of JSON output.
  [[nodiscard]] nlohmann::ordered_json meta(const std::vector<exec::Device>& devices) const override;
  /// The program's version.
  [[nodiscard]] std::string version() const override;
  /// Whether SIGUSR1 has come.
  [[nodiscard]] bool stop_was_requested() const override;

  /// What the chosen subcommand does, set by its callback and run by main after parsing; returns the exit code.
  std::function<int()> action;
  /// The subcommand's name, for the prefix of messages.
  std::string subcommand;
  /// `portable-hpc --version [-v]`.
  bool show_version = false;
  bool show_version_detail = false;
  /// `portable-hpc --generate man|bash|zsh|fish` (hidden: the build calls it).
  std::string document;

 private:
  /// Logs a line that begins with the program's name and the subcommand's.
  void log(const std::string& message) const;
  void report_environment() const;
  void report_devices(const std::vector<exec::Device>& devices) const;

  std::vector<std::string> command_line_;
  std::string device_ = "auto";
  std::string format_;  ///< empty = by the name of the file
  int threads_ = 0;
  bool quiet_ = false;
  bool verbose_ = false;
  bool threads_are_set_ = false;
  std::unique_ptr<Progress> progress_;
};

}  // namespace phpc::cli
