#include "cli/options/command_line.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "cli/options/option_tree.hpp"
#include "phpc/core/nearest_word.hpp"
#include "phpc/core/parse.hpp"

namespace phpc::cli {

namespace {

bool is_option(const std::string& word) {
  return word.size() > 1 && word.front() == '-' && word != "--";
}

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

/// The option of a command that a word on the command line names: "--threads=4", "-q", "-qv".
const CLI::Option* option_named(const CLI::App& command, const std::string& word) {
  const bool is_long = word.starts_with("--");
  return command.get_option_no_throw(is_long ? word.substr(0, word.find('=')) : word.substr(0, 2));
}

/// The first command's option of that name: those that stand before a command's name as a rule are common to all.
const CLI::Option* option_of_any_command(const CLI::App& app, const std::string& word) {
  for (const CLI::App* const command : commands_of(app)) {
    if (const CLI::Option* const option = option_named(*command, word); option != nullptr) {
      return option;
    }
  }
  return nullptr;
}

bool holds_its_value(const std::string& word) {
  return word.starts_with("--") ? word.find('=') != std::string::npos : word.size() > 2;
}

std::string name_of(const CLI::Option& option) {
  return describe(option).names.back();  // the long one where there are two
}

std::vector<std::string> option_names(const CLI::App& command) {
  std::vector<std::string> names;
  const CommandEntry entry = describe(command);
  for (const OptionGroup& group : entry.groups) {
    for (const OptionEntry& option : group.options) {
      names.insert(names.end(), option.names.begin(), option.names.end());
    }
  }
  return names;
}

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* const command : commands_of(app)) {
    names.push_back(command->get_name());
  }
  return names;
}

/// Words that nothing takes, in the order in which they were typed.
std::string unknown_words(const CLI::App& app, const std::vector<std::string>& words) {
  const CLI::App& command = chosen_command(app);
  std::string out;
  for (const std::string& word : words) {
    out += out.empty() ? "" : ", ";
    if (is_option(word)) {
      const std::string name = word.substr(0, word.starts_with("--") ? word.find('=') : std::string::npos);
      out += fmt::format("no option '{}'{}", name, did_you_mean(name, option_names(command)));
    } else if (&command == &app) {
      const std::vector<std::string> names = command_names(app);
      const std::string meant = did_you_mean(word, names);
      out += fmt::format("no command '{}'{}", word,
                         meant.empty() ? fmt::format(" (commands are {})", fmt::join(names, ", ")) : meant);
      break;  // what follows is for that command
    } else {
      out += fmt::format("unexpected '{}'", word);
    }
  }
  return out;
}

bool is_of_choices(const OptionEntry& entry, const std::string& value) {
  return std::find(entry.choices.begin(), entry.choices.end(), value) != entry.choices.end();
}

/// What is wrong with an option's values; `own` is what the option's own check said of them.
std::string value_complaint(const CLI::Option& option, const std::string& own) {
  const OptionEntry entry = describe(option);
  const std::string name = name_of(option);
  if (own.starts_with('\'')) {  // the house's checks: "'x' is no ...", CLI11's do not begin so
    return fmt::format("{}: {}", name, own);
  }
  for (const std::string& value : option.results()) {
    if (entry.value.empty()) {
      return fmt::format("{} takes no value, and has '{}'", name, value);
    }
    if (entry.is_closed && !is_of_choices(entry, value)) {
      return fmt::format("{}: '{}' is none of {}{}", name, value, fmt::join(entry.choices, ", "),
                         did_you_mean(value, entry.choices));
    }
    const bool is_whole = value.find_first_not_of("+-0123456789") == std::string::npos;
    if (takes_number(entry) && (!parse_real(value) || (entry.value == "N" && !is_whole))) {
      return fmt::format("{}: '{}' is no {}", name, value, entry.value == "N" ? "whole number" : "number");
    }
  }
  if (takes_number(entry) && (!entry.limits.empty() || own.empty())) {
    return fmt::format("{}: {} is out of range{}", name, fmt::join(option.results(), " "),
                       entry.limits.empty() ? "" : "; give " + entry.limits);
  }
  return own.empty() ? fmt::format("{}: '{}' is no value of it", name, fmt::join(option.results(), " "))
                     : fmt::format("{} {}", name, own);
}

std::string count_complaint(const CLI::Option& option) {
  const OptionEntry entry = describe(option);
  const int wanted = option.get_items_expected_min();
  if (static_cast<int>(option.count()) > wanted) {
    return fmt::format("{} is given {} times; give it once", name_of(option), option.count());
  }
  return wanted == 1 ? fmt::format("{} needs a value, {}", name_of(option), entry.value)
                     : fmt::format("{} needs {} values, {}, and has {}", name_of(option), wanted, entry.value, option.count());
}

/// The option that CLI11's message is about: it begins with the name, as "--norm: x not in {...}" or "Could not convert: --rate =
/// x".
const CLI::Option* option_in(const CLI::App& command, std::string_view message, std::string& rest) {
  constexpr std::string_view conversion = "Could not convert: ";
  if (message.starts_with(conversion)) {
    message.remove_prefix(conversion.size());
  }
  for (const CLI::Option* const option : command.get_options()) {
    const std::string name = option->get_name();  // nothing for a hidden one
    if (message.starts_with(name + ": ") || message.starts_with(name + " = ")) {
      const std::size_t start = message.find(": ");
      rest = start == std::string_view::npos ? "" : std::string(message.substr(start + 2));
      return option;
    }
  }
  return nullptr;
}

/// What options ask of one another, or nothing where that is fulfilled.
std::string relation_complaint(const CLI::App& command) {
  for (const CLI::Option* const option : command.get_options()) {
    if (option->get_required() && option->count() == 0) {
      return fmt::format("no {} given", name_of(*option));
    }
    for (const CLI::Option* const other : option->get_needs()) {
      if (option->count() > 0 && other->count() == 0) {
        return fmt::format("{} is for {}; give both or none", name_of(*option), name_of(*other));
      }
    }
    for (const CLI::Option* const other : option->get_excludes()) {
      if (option->count() > 0 && other->count() > 0) {
        return fmt::format("{} and {} do not go together; give one", name_of(*option), name_of(*other));
      }
    }
  }
  return "";
}

}  // namespace

std::vector<std::string> arranged(const CLI::App& app, const std::vector<std::string>& words) {
  std::vector<std::string> of_program;
  std::vector<std::string> of_command;
  std::size_t i = 0;
  while (i < words.size() && is_option(words[i])) {
    const CLI::Option* const option = option_of_any_command(app, words[i]);
    const bool is_for_command = option != nullptr && (option_named(app, words[i]) == nullptr || words[i] == "-v");
    std::vector<std::string>& taken = is_for_command ? of_command : of_program;
    const bool has_value = is_for_command && option->get_items_expected_max() > 0 && !holds_its_value(words[i]);
    taken.push_back(words[i++]);
    if (has_value && i < words.size()) {
      taken.push_back(words[i++]);
    }
  }
  const std::vector<std::string> commands = command_names(app);
  if (i == words.size() || std::find(commands.begin(), commands.end(), words[i]) == commands.end()) {
    return words;
  }
  std::vector<std::string> out = std::move(of_program);
  out.push_back(words[i++]);
  out.insert(out.end(), of_command.begin(), of_command.end());
  out.insert(out.end(), words.begin() + static_cast<std::ptrdiff_t>(i), words.end());
  return out;
}

const CLI::App& chosen_command(const CLI::App& app) {
  const auto parsed = app.get_subcommands();
  return parsed.empty() ? app : *parsed.front();
}

std::string complaint(const CLI::App& app, const CLI::ParseError& error) {
  const CLI::App& command = chosen_command(app);
  const std::vector<std::string> unknown = app.remaining(true);
  const bool has_unknown_option = std::any_of(unknown.begin(), unknown.end(), is_option);
  // An unknown option explains what else went wrong, as its value then stands for something else.
  if (has_unknown_option || dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
    return unknown_words(app, unknown);
  }
  std::string rest;
  const CLI::Option* option = option_in(command, error.what(), rest);
  if (option == nullptr) {
    option = option_in(app, error.what(), rest);
  }
  if (option != nullptr && dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr) {
    return count_complaint(*option);
  }
  if (option != nullptr) {
    return value_complaint(*option, dynamic_cast<const CLI::ValidationError*>(&error) != nullptr ? rest : "");
  }
  const std::string relation = relation_complaint(command);
  return relation.empty() ? error.what() : relation;
}

}  // namespace phpc::cli
