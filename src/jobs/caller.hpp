#pragma once
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "phpc/core/progress.hpp"
#include "phpc/exec/device.hpp"

namespace phpc::jobs {

/// The program that runs a job, as the job sees it: it takes the job's log and shows its progress, and tells what results say of
/// the program. A job itself never writes to a terminal. Messages are one line each, without a prefix.
class Caller {
 public:
  virtual ~Caller() = default;

  /// What failed without ending the job: one input of many.
  virtual void error(const std::string& message) const = 0;
  /// What the user may not have meant, or may want to know before trusting the result.
  virtual void warning(const std::string& message) const = 0;
  /// What was chosen or done.
  virtual void info(const std::string& message) const = 0;
  /// A drawing of several lines, of the level of info().
  virtual void draw(const std::string& lines) const = 0;
  /// How a device works: the kernels of a plan. Called by several threads, one after the other, and only where wants_debug().
  virtual void debug(exec::Device device, const std::string& message) const = 0;
  [[nodiscard]] virtual bool wants_debug() const = 0;
  /// Where the job reports how far it is.
  virtual Progress& progress() = 0;

  /// Sets the number of host threads that the user wants. A job that asks for no devices calls it before it starts threads.
  virtual void apply_threads() = 0;
  /// Whether the job is to stop at its next checkpoint.
  [[nodiscard]] virtual bool stop_was_requested() const = 0;

  /// The program's version, which results name: "0.1.0".
  [[nodiscard]] virtual std::string version() const = 0;
  /// The meta block of results in JSON: program, version, command line, devices and environment.
  [[nodiscard]] virtual nlohmann::ordered_json meta(const std::vector<exec::Device>& devices) const = 0;
};

/// Gives the devices that a job is to run on, and tells the user of them. A job calls it once, when it knows that there is
/// something to do.
using ChooseDevices = std::function<std::vector<exec::Device>()>;

}  // namespace phpc::jobs
