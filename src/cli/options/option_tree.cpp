#include "cli/options/option_tree.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iterator>

#include "phpc/core/parse.hpp"

namespace phpc::cli {

namespace {

constexpr std::string_view whole_number_name = "N";
constexpr std::string_view any_number_name = "NUMBER";
// The last of the words between braces where there are others.
constexpr std::string_view and_others = "...";

/// The words of "...{a,b,c}...", which is how CLI11 names a CLI::IsMember check.
std::vector<std::string> choices_in(const std::string& type_name) {
  const std::size_t open = type_name.find('{');
  const std::size_t close = type_name.find('}', open);
  if (open == std::string::npos || close == std::string::npos) {
    return {};
  }
  return CLI::detail::split(type_name.substr(open + 1, close - open - 1), ',');
}

/// What CLI11's checks of numbers are called, in words: "INT in [0 - 65536]", "NONNEGATIVE".
std::string limits_in(const std::string& check) {
  const std::size_t open = check.find('[');
  const std::size_t dash = check.find(" - ", open);
  const std::size_t close = check.find(']', dash);
  if (open != std::string::npos && dash != std::string::npos && close != std::string::npos) {
    return check.substr(open + 1, dash - open - 1) + " to " + check.substr(dash + 3, close - dash - 3);
  }
  if (check == "NONNEGATIVE") {
    return "0 or more";
  }
  return check == "POSITIVE" ? "more than 0" : lower_case(check);
}

std::string plain_value(const std::string& type) {
  if (type == "INT" || type == "UINT") {
    return std::string(whole_number_name);
  }
  return type == "FLOAT" ? std::string(any_number_name) : type;
}

}  // namespace

std::string with_words(std::string_view value, std::span<const std::string> words) {
  return fmt::format("{}:{{{},{}}}", value, fmt::join(words, ","), and_others);
}

bool takes_number(const OptionEntry& entry) {
  return entry.value == whole_number_name || entry.value == any_number_name;
}

bool takes_file(const OptionEntry& entry) {
  static constexpr std::string_view file_values[] = {"TEXT", "FILE", "DIR", "INPUT", "OUTPUT", "LIST", "PART", "OUT.svg", "RHS"};
  return !entry.is_closed && std::find(std::begin(file_values), std::end(file_values), entry.value) != std::end(file_values);
}

OptionEntry describe(const CLI::Option& option) {
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
  entry.repeated = option.get_expected_max() > 1 && option.get_expected_min() <= 1;
  entry.default_value = option.get_default_str();
  // "TEXT", "TEXT:FILE", "TEXT:{tsv,json}", "FLOAT:NONNEGATIVE", "INT:INT in [0 - 65536]"
  const std::string type_name = option.get_type_name();
  const std::size_t colon = type_name.find(':');
  entry.value = plain_value(type_name.substr(0, colon));
  entry.choices = choices_in(type_name);
  if (!entry.choices.empty() && entry.choices.back() == and_others) {
    entry.choices.pop_back();
  } else if (!entry.choices.empty()) {
    entry.is_closed = true;
    entry.value = fmt::format("{}", fmt::join(entry.choices, "|"));
  } else if (colon != std::string::npos) {
    const std::string check = type_name.substr(colon + 1);
    if (check == "FILE" || check == "DIR") {
      entry.value = check;
    } else {
      entry.limits = limits_in(check);
    }
  }
  return entry;
}

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
      OptionEntry entry = describe(*option);
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
