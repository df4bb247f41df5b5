#include "cli/session/session.hpp"

#include <fmt/format.h>
#include <omp.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "cli/options/number_check.hpp"
#include "cli/options/option_tree.hpp"
#include "cli/process/host_threads.hpp"
#include "cli/process/signals.hpp"
#include "cli/session/environment.hpp"
#include "cli/session/messages.hpp"
#include "cli/session/progress_bar.hpp"
#include "cli/session/version.hpp"
#include "jobs/output_format.hpp"
#include "phpc/core/error.hpp"
#include "phpc/core/parse.hpp"

namespace phpc::cli {

Session::Session(std::vector<std::string> command_line) : command_line_(std::move(command_line)) {}
Session::~Session() = default;

void Session::add_common_options(CLI::App& subcommand_app) {
  constexpr const char* group = "Where and how";
  static const std::string device_words[] = {"auto", "host", "all", "gpu", "nvidia", "amd", "x86_64", "0", "1"};
  subcommand_app
      .add_option(
          "--device", device_,
          "auto, host, all, a number or list of numbers as `portable-hpc devices` shows, or a name; also cpu, gpu, cuda:1, hip:0")
      ->capture_default_str()
      ->type_name(with_words("DEVICE", device_words))
      ->group(group);
  subcommand_app.add_option("--threads", threads_, "Host threads; 0 = what OpenMP would take (OMP_NUM_THREADS)")
      ->capture_default_str()
      ->transform(whole_number(0, most_host_threads))
      ->group(group);
  add_quiet_options(subcommand_app);
}

void Session::add_quiet_options(CLI::App& subcommand_app) {
  constexpr const char* group = "Where and how";
  subcommand_app.add_flag("-q,--quiet", quiet_, "Say nothing on standard error but errors")->group(group);
  subcommand_app.add_flag("-v,--verbose", verbose_, "Say more on standard error")->group(group);
}

void Session::add_format_option(CLI::App& subcommand_app) {
  subcommand_app.add_option("--format", format_, "Format of tables; without it by the name of the file, else tsv")
      ->check(CLI::IsMember({"tsv", "json"}))
      ->group("Output");
}

void Session::apply_threads() {
  if (threads_are_set_) {
    return;
  }
  threads_are_set_ = true;
  const int wanted = omp_get_max_threads();
  if (const int threads = set_host_threads(threads_); threads_ == 0 && threads < wanted) {
    warning(fmt::format("{} threads instead of {}: {}", threads, wanted,
                        threads == most_host_threads ? "no more are taken"
                                                     : "the system starts no more (ulimit -u, ulimit -v, the job's limit)"));
  }
  report_environment();
}

void Session::report_environment() const {
  std::string read;
  for (const EnvironmentVariable& variable : environment_read) {
    if (const char* const value = std::getenv(variable.name); value != nullptr) {
      read += fmt::format(" {}={}", variable.name, value);
    }
  }
  if (!read.empty()) {
    debug("environment:" + read);
  }
  const char* const text = std::getenv("SLURM_CPUS_PER_TASK");
  const index_t processors = text == nullptr ? 0 : parse_integer(text).value_or(0);
  if (const int threads = omp_get_max_threads(); processors > 0 && threads > processors) {
    warning(fmt::format("{} threads, and SLURM gave this task {} processor{} (SLURM_CPUS_PER_TASK); set OMP_NUM_THREADS to that",
                        threads, processors, processors == 1 ? "" : "s"));
  }
}

void Session::report_devices(const std::vector<exec::Device>& devices) const {
  for (const exec::Device device : devices) {
    const exec::DeviceProperties& properties = device.properties();
    const std::string line = device.is_host() ? fmt::format("running on the host ({} threads)", properties.compute_units)
                                              : fmt::format("running on device {} ({}, {})", device.label(), properties.name,
                                                            exec::to_string(properties.kind));
    device_ == "auto" ? info(line) : debug(line);
  }
  if (device_ == "auto" && devices.front().is_host()) {
    if (const std::string without_image = exec::gpus_without_image(); !without_image.empty()) {
      warning(without_image);
    }
  }
}

std::vector<exec::Device> Session::devices() {
  apply_threads();
  std::vector<exec::Device> devices = exec::select_devices(device_, [this](const std::string& why) { error(why); });
  report_devices(devices);
  return devices;
}

exec::Device Session::device() {
  apply_threads();
  const exec::Device device = exec::select_device(device_, [this](const std::string& why) { error(why); });
  report_devices({device});
  return device;
}

io::TableFormat Session::table_format(const std::string& path, const std::string& place) const {
  return jobs::table_format(path, format_, place);
}

Progress& Session::progress() {
  if (quiet_ || isatty(STDERR_FILENO) == 0) {
    return no_progress();
  }
  if (progress_ == nullptr) {
    progress_ = make_progress_bar();
  }
  return *progress_;
}

void Session::log(const std::string& message) const {
  log_line(fmt::format("portable-hpc{}{}: {}", subcommand.empty() ? "" : " ", subcommand, message));
}

void Session::error(const std::string& message) const {
  log(message);
}

void Session::warning(const std::string& message) const {
  if (!quiet_) {
    log(message);
  }
}

void Session::info(const std::string& message) const {
  if (!quiet_) {
    log(message);
  }
}

void Session::draw(const std::string& lines) const {
  if (!quiet_) {
    log_lines(lines);
  }
}

void Session::debug(const std::string& message) const {
  if (verbose_ && !quiet_) {
    log(message);
  }
}

void Session::debug(exec::Device device, const std::string& message) const {
  debug(fmt::format("{}: {}", device.is_host() ? "host" : "device " + device.label(), message));
}

std::string Session::version() const {
  return cli::version();
}

bool Session::stop_was_requested() const {
  return cli::stop_was_requested();
}

std::string Session::command_line() const {
  return fmt::format("{}", fmt::join(command_line_, " "));
}

nlohmann::ordered_json Session::meta(const std::vector<exec::Device>& devices) const {
  nlohmann::ordered_json meta;
  meta["program"] = "portable-hpc";
  meta["version"] = version();
  meta["command"] = command_line_;
  meta["devices"] = nlohmann::ordered_json::array();
  for (const exec::Device device : devices) {
    const exec::DeviceProperties& properties = device.properties();
    meta["devices"].push_back({{"label", device.label()}, {"kind", exec::to_string(properties.kind)}, {"name", properties.name}});
  }
  meta["environment"] = nlohmann::ordered_json::object();
  for (const EnvironmentVariable& variable : environment_read) {
    if (const char* const value = std::getenv(variable.name); value != nullptr) {
      meta["environment"][variable.name] = value;
    }
  }
  return meta;
}

}  // namespace phpc::cli
