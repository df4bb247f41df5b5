#include "cli/options/plot_option.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <filesystem>

namespace phpc::cli {

namespace {

/// What is wrong with the place of a picture; empty = nothing.
std::string complaint_about(const std::string& place) {
  namespace fs = std::filesystem;
  if (place.empty()) {
    return "is empty";
  }
  const fs::path path(place);
  std::string ending = path.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(), [](unsigned char letter) { return std::tolower(letter); });
  std::error_code ignored;
  if (ending.size() < 2 || ending == ".svg" || fs::is_directory(path, ignored)) {
    return "";
  }
  const std::string svg = fs::path(path).replace_extension(".svg").string();
  const bool converts = ending == ".png" || ending == ".pdf" || ending == ".ps" || ending == ".eps";
  return fmt::format(
      "cannot write '{}' (plots are SVG pictures); give '{}'{}", place, svg,
      converts ? fmt::format(", and make the other of it: rsvg-convert -f {} '{}' -o '{}'", ending.substr(1), svg, place) : "");
}

}  // namespace

CLI::Option* add_plot_option(CLI::App& command, std::string& place, const std::string& description) {
  static const CLI::Validator check(complaint_about, "", "");
  return command.add_option("--plot", place, description)->type_name("FILE.svg")->check(check);
}

}  // namespace phpc::cli
