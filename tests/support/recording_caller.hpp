#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "jobs/caller.hpp"

namespace phpc::test {

/// A program that runs jobs, keeps their log, and asks for a stop when it is told to.
class RecordingCaller final : public jobs::Caller {
 public:
  void error(const std::string& message) const override { errors.push_back(message); }
  void warning(const std::string& message) const override { warnings.push_back(message); }
  void info(const std::string& message) const override { infos.push_back(message); }
  void draw(const std::string& lines) const override { infos.push_back(lines); }
  void debug(exec::Device /*device*/, const std::string& message) const override { debugs.push_back(message); }
  [[nodiscard]] bool wants_debug() const override { return true; }
  Progress& progress() override { return no_progress(); }
  void apply_threads() override {}
  [[nodiscard]] bool stop_was_requested() const override { return stops; }
  [[nodiscard]] std::string version() const override { return "of a test"; }
  [[nodiscard]] nlohmann::ordered_json meta(const std::vector<exec::Device>& /*devices*/) const override {
    return {{"program", "a test"}};
  }

  static std::vector<exec::Device> choose_host() { return {exec::Device::host()}; }

  mutable std::vector<std::string> errors;
  mutable std::vector<std::string> warnings;
  mutable std::vector<std::string> infos;
  mutable std::vector<std::string> debugs;
  bool stops = false;
};

}  // namespace phpc::test
