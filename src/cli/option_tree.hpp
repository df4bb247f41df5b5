#pragma once
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace phpc::cli {

/// One option, flag or positional argument as documentation shows it.
struct OptionEntry {
  std::vector<std::string> names;  ///< with dashes, short ones first; the bare name for a positional argument
  bool positional = false;
  bool required = false;
  bool repeated = false;             ///< takes more than one value
  std::string value;                 ///< what stands for its value ("FILE", "tsv|json"); empty for a flag
  std::vector<std::string> choices;  ///< the values it can have, where these are few and known
  std::string default_value;
  std::string limits;  ///< what else its value must fulfil ("INT in [0 - 65536]", "NONNEGATIVE")
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

/// The command-line tree without what is hidden: the one source of the man page and of the shells' completions.
CommandEntry describe(const CLI::App& app);

}  // namespace phpc::cli
