#pragma once
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "phpc/core/progress.hpp"
#include "phpc/exec/device.hpp"

namespace phpc::jobs {

/// The program that runs a job, as the job sees it: it hears what the job has to say, and answers what results tell of it. A job
/// itself never writes to a terminal.
class Caller {
 public:
  virtual ~Caller() = default;

  /// A line for the user about what was chosen or done.
  virtual void note(const std::string& message) const = 0;
  /// A drawing of several lines for the user.
  virtual void draw(const std::string& lines) const = 0;
  /// A line about an error that does not end the job.
  virtual void complain(const std::string& message) const = 0;
  /// Whether the user wants to know how the devices work. Only then is detail_of() called.
  [[nodiscard]] virtual bool wants_details() const = 0;
  /// A line about how a device works. Called by several threads, one after the other.
  virtual void detail_of(exec::Device device, const std::string& message) const = 0;
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
