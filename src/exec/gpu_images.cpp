#include "exec/gpu_images.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "exec/nvidia/devices.hpp"
#include "phpc/core/parse.hpp"
#include "phpc/exec/device.hpp"

namespace phpc::exec {

namespace {

/// The names in `targets` that begin with `prefix`, with the prefix taken off.
std::vector<std::string_view> names_with(std::string_view targets, std::string_view prefix) {
  std::vector<std::string_view> names;
  for (std::size_t at = targets.find(prefix); at != std::string_view::npos; at = targets.find(prefix, at + 1)) {
    const std::size_t start = at + prefix.size();
    names.push_back(targets.substr(start, targets.find_first_of(",)", start) - start));
  }
  return names;
}

/// gfx_target_version is 10000 major + 100 minor + step; the step is written in hexadecimal: 90010 is gfx90a.
std::string amd_name(index_t version) {
  constexpr std::string_view digits = "0123456789abcdef";
  return "gfx" + std::to_string(version / 10000) + std::to_string(version / 100 % 100) +
         digits[static_cast<std::size_t>(std::min<index_t>(version % 100, 15))];
}

/// GPUs as "A (sm_75), B (sm_86)" and their architectures as "sm_75,sm_86", each of them once.
struct Missing {
  std::string gpus{};
  std::string architectures{};

  void add(const std::string& name, const std::string& architecture) {
    const std::string gpu = name + " (" + architecture + ")";
    if (gpus.find(gpu) == std::string::npos) {
      gpus += (gpus.empty() ? "" : ", ") + gpu;
    }
    if (architectures.find(architecture) == std::string::npos) {
      architectures += (architectures.empty() ? "" : ",") + architecture;
    }
  }
};

}  // namespace

std::optional<int> nvidia_image(std::string_view targets, int major, int minor) {
  int place = 0;
  for (std::string_view name : names_with(targets, "sm_")) {
    const bool is_exact = name.ends_with('a') || name.ends_with('f');
    if (is_exact) {
      name.remove_suffix(1);
    }
    const auto built = parse_integer(name);
    if (built && *built / 10 == major && (is_exact ? *built % 10 == minor : *built % 10 <= minor)) {
      return place;
    }
    ++place;
  }
  return std::nullopt;
}

bool has_amd_image(std::string_view targets, std::string_view architecture) {
  const std::vector<std::string_view> names = names_with(targets, "gfx");
  return std::any_of(names.begin(), names.end(),
                     [&](std::string_view name) { return architecture == "gfx" + std::string(name.substr(0, name.find(':'))); });
}

std::vector<std::string> amd_architectures(const std::string& nodes) {
  std::vector<std::string> architectures;
  std::error_code ignored;
  for (const auto& node : std::filesystem::directory_iterator(nodes, ignored)) {
    std::ifstream properties(node.path() / "properties");
    for (std::string name, value; properties >> name >> value;) {
      const index_t version = name == "gfx_target_version" ? parse_integer(value).value_or(0) : 0;
      if (version > 0) {  // 0: a processor
        architectures.push_back(amd_name(version));
      }
    }
  }
  return architectures;
}

std::string gpus_without_image() {
  const std::string targets = offload_targets();
  Missing nvidia_gpus;
  for (int ordinal = 0; ordinal < nvidia::device_count(); ++ordinal) {
    const nvidia::Facts facts = nvidia::facts(ordinal);
    if (!nvidia_image(targets, facts.major, facts.minor)) {
      nvidia_gpus.add(facts.name, "sm_" + std::to_string(facts.major) + std::to_string(facts.minor));
    }
  }
  Missing amd_gpus;
  for (const std::string& architecture : amd_architectures()) {
    if (!has_amd_image(targets, architecture)) {
      amd_gpus.add("AMD GPU", architecture);
    }
  }
  if (nvidia_gpus.gpus.empty() && amd_gpus.gpus.empty()) {
    return "";
  }
  const bool both = !nvidia_gpus.gpus.empty() && !amd_gpus.gpus.empty();
  std::string ways;
  if (!nvidia_gpus.gpus.empty()) {
    ways += "`make gpu ARCH=" + nvidia_gpus.architectures + "`";
  }
  if (!amd_gpus.gpus.empty()) {
    ways += (both ? " or " : "") + ("`make gpu GPU=amdgcn ARCH=" + amd_gpus.architectures + "`");
  }
  return "no image for " + nvidia_gpus.gpus + (both ? ", " : "") + amd_gpus.gpus + " in this program (it holds " +
         (targets.empty() ? "none" : targets) + "); " + ways + " builds one";
}

}  // namespace phpc::exec
