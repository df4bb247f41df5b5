#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace phpc::cli {

/// One option, flag or positional argument as documentation shows it.
struct OptionEntry {
  std::vector<std::string> names;  ///< with dashes, short ones first; the bare name for a positional argument
  bool positional = false;
  bool required = false;
  bool repeated = false;             ///< takes more than one value
  std::string value;                 ///< what stands for its value ("FILE", "N", "tsv|json"); empty for a flag
  std::vector<std::string> choices;  ///< words that it can have as value
  bool is_closed = false;            ///< it can have no others
  std::string default_value;
  std::string limits;  ///< of a number: "0 to 65536", "0 or more"
  std::string description;
};

/// Options under one heading, in the order of the help.
struct OptionGroup {
  std::string name;
  std::vector<OptionEntry> options;
};

/// One subcommand, or the program itself.
struct CommandEntry {
  std::string name;
  std::string description;
  std::string footer;
  std::vector<OptionEntry> positionals;
  std::vector<OptionGroup> groups;
  std::vector<CommandEntry> subcommands;
};

/// The command-line tree without what is hidden: the one source of the help, the man page, the shells' completions and of what is
/// said of a wrong command line.
CommandEntry describe(const CLI::App& app);
OptionEntry describe(const CLI::Option& option);

/// For CLI::Option::type_name: `value` stands for the option's value, and these words are some of those that it can have.
std::string with_words(std::string_view value, std::span<const std::string> words);

/// Whether the option's value is a number.
bool takes_number(const OptionEntry& entry);
/// Whether file names may stand for the value.
bool takes_file(const OptionEntry& entry);

}  // namespace phpc::cli
