#include "cli/option_tree.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

namespace phpc::cli {

namespace {

/// The words of "...{a,b,c}...", which is how CLI11 names a CLI::IsMember check.
std::vector<std::string> choices_in(const std::string& type_name) {
  const std::size_t open = type_name.find('{');
  const std::size_t close = type_name.find('}', open);
  if (open == std::string::npos || close == std::string::npos) {
    return {};
  }
  return CLI::detail::split(type_name.substr(open + 1, close - open - 1), ',');
}

OptionEntry describe_option(const CLI::Option& option) {
  OptionEntry entry;
  entry.positional = option.get_positional();
  if (entry.positional) {
    entry.names.push_back(option.get_name(true));
  } else {
    for (const std::string& name : option.get_snames()) {
      entry.names.push_back("-" + name);
    }
    for (const std::string& name : option.get_lnames()) {
      entry.names.push_back("--" + name);
    }
  }
  entry.required = option.get_required();
  entry.description = option.get_description();
  if (option.get_items_expected_max() == 0) {
    return entry;
  }
  entry.repeated = option.get_expected_max() > 1;
  entry.default_value = option.get_default_str();
  // "TEXT", "TEXT:FILE", "TEXT:{tsv,json}", "FLOAT:NONNEGATIVE", "INT:INT in [0 - 65536]"
  const std::string type_name = option.get_type_name();
  const std::size_t colon = type_name.find(':');
  entry.value = type_name.substr(0, colon);
  entry.choices = choices_in(type_name);
  if (!entry.choices.empty()) {
    entry.value = fmt::format("{}", fmt::join(entry.choices, "|"));
  } else if (colon != std::string::npos) {
    const std::string check = type_name.substr(colon + 1);
    (check == "FILE" || check == "DIR" ? entry.value : entry.limits) = check;
  }
  return entry;
}

}  // namespace

CommandEntry describe(const CLI::App& app) {
  CommandEntry command{app.get_name(), app.get_description(), app.get_footer(), {}, {}, {}};
  for (const std::string& group : app.get_groups()) {
    if (group.empty()) {
      continue;
    }
    OptionGroup entries{group, {}};
    for (const CLI::Option* const option : app.get_options()) {
      if (option->get_group() != group) {
        continue;
      }
      OptionEntry entry = describe_option(*option);
      (entry.positional ? command.positionals : entries.options).push_back(std::move(entry));
    }
    if (!entries.options.empty()) {
      command.groups.push_back(std::move(entries));
    }
  }
  for (const CLI::App* const subcommand : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (!subcommand->get_group().empty()) {
      command.subcommands.push_back(describe(*subcommand));
    }
  }
  return command;
}

}  // namespace phpc::cli
