#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "jobs/caller.hpp"

namespace phpc::test {

/// A program that runs jobs, keeps what they say, and asks for a stop when it is told to.
class RecordingCaller final : public jobs::Caller {
 public:
  void note(const std::string& message) const override { notes.push_back(message); }
  void draw(const std::string& lines) const override { notes.push_back(lines); }
  void complain(const std::string& message) const override { complaints.push_back(message); }
  [[nodiscard]] bool wants_details() const override { return true; }
  void detail_of(exec::Device /*device*/, const std::string& message) const override { details.push_back(message); }
  Progress& progress() override { return no_progress(); }
  void apply_threads() override {}
  [[nodiscard]] bool stop_was_requested() const override { return stops; }
  [[nodiscard]] std::string version() const override { return "of a test"; }
  [[nodiscard]] nlohmann::ordered_json meta(const std::vector<exec::Device>& /*devices*/) const override {
    return {{"program", "a test"}};
  }

  static std::vector<exec::Device> choose_host() { return {exec::Device::host()}; }

  mutable std::vector<std::string> notes;
  mutable std::vector<std::string> complaints;
  mutable std::vector<std::string> details;
  bool stops = false;
};

}  // namespace phpc::test
