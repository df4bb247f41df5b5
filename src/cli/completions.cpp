#include "cli/completions.hpp"

#include <fmt/format.h>

namespace phpc::cli {

namespace {

std::vector<OptionEntry> all_options(const CommandEntry& command) {
  std::vector<OptionEntry> options;
  for (const OptionGroup& group : command.groups) {
    options.insert(options.end(), group.options.begin(), group.options.end());
  }
  return options;
}

/// Whether file names may stand for the value: neither a number nor one of a few words.
bool takes_file(const OptionEntry& entry) {
  return entry.choices.empty() && entry.value != "INT" && entry.value != "UINT" && entry.value != "FLOAT";
}

/// `text` within single quotes of a shell; fish and the POSIX shells agree on this form.
std::string shell_quoted(const std::string& text) {
  std::string out = "'";
  for (const char letter : text) {
    if (letter == '\'') {
      out += "'\\''";
    } else {
      out += letter;
    }
  }
  return out + "'";
}

/// Text of a zsh _arguments specification, where brackets and colons have a meaning.
std::string zsh_text(const std::string& text) {
  std::string out;
  for (const char letter : text) {
    if (letter == '[' || letter == ']' || letter == ':' || letter == '\\') {
      out += '\\';
    }
    out += letter;
  }
  return out;
}

std::string zsh_action(const OptionEntry& entry) {
  return takes_file(entry) ? "_files" : fmt::format("({})", fmt::join(entry.choices, " "));
}

std::string zsh_option(const OptionEntry& entry) {
  std::string lines;
  for (const std::string& name : entry.names) {
    std::string spec = fmt::format("*{}[{}]", name, zsh_text(entry.description));
    if (!entry.value.empty()) {
      spec += fmt::format(":{}:{}", zsh_text(entry.value), zsh_action(entry));
    }
    lines += fmt::format("        {} \\\n", shell_quoted(spec));
  }
  return lines;
}

std::string zsh_command(const CommandEntry& command) {
  std::string out = fmt::format("    ({})\n      _arguments -S \\\n", command.name);
  for (const OptionEntry& entry : all_options(command)) {
    out += zsh_option(entry);
  }
  return out + "        '*:file:_files'\n      ;;\n";
}

void append_fish_options(std::string& out, const CommandEntry& command, const std::string& condition) {
  for (const OptionEntry& entry : all_options(command)) {
    out += fmt::format("complete -c portable-hpc -n {}", shell_quoted(condition));
    for (const std::string& name : entry.names) {
      out += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
    }
    if (!entry.value.empty() && !takes_file(entry)) {
      out += " -x -a " + shell_quoted(fmt::format("{}", fmt::join(entry.choices, " ")));
    } else if (!entry.value.empty()) {
      out += " -r";
    }
    out += fmt::format(" -d {}\n", shell_quoted(entry.description));
  }
}

}  // namespace

std::string bash_completion(const CommandEntry& program) {
  std::string names;
  std::string patterns;
  std::string cases;
  const auto add_command = [&cases](const CommandEntry& command, const std::string& pattern, const std::string& words) {
    std::string flags;
    std::string values;
    for (const OptionEntry& entry : all_options(command)) {
      flags += fmt::format("{}{}", flags.empty() ? "" : " ", fmt::join(entry.names, " "));
      if (!entry.value.empty()) {
        values += fmt::format("        {}) {} ;;\n", fmt::join(entry.names, "|"),
                              takes_file(entry) ? "files=1" : fmt::format("flags='{}'; only=1", fmt::join(entry.choices, " ")));
      }
    }
    cases += fmt::format("    {})\n      flags='{}'; words='{}'\n", pattern, flags, words);
    if (!values.empty()) {
      cases += fmt::format("      case $previous in\n{}      esac\n", values);
    }
    cases += "      ;;\n";
  };
  for (const CommandEntry& command : program.subcommands) {
    names += (names.empty() ? "" : " ") + command.name;
    patterns += (patterns.empty() ? "" : "|") + command.name;
    add_command(command, command.name, "");
  }
  add_command(program, "*", names);
  return fmt::format(R"(# bash completion for portable-hpc
_portable_hpc() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD - 1]}} command='' i
  local flags='' words='' files='' only=''
  for ((i = 1; i < COMP_CWORD; ++i)); do
    case ${{COMP_WORDS[i]}} in {}) command=${{COMP_WORDS[i]}}; break ;; esac
  done
  case $command in
{}  esac
  COMPREPLY=()
  if [[ -n $only || ( -z $files && $word == -* ) ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$flags" -- "$word")
  elif [[ -z $files && -n $words ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
  else
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -f -- "$word")
  fi
}}
complete -F _portable_hpc portable-hpc
)",
                     patterns, cases);
}

std::string zsh_completion(const CommandEntry& program) {
  std::string commands;
  std::string cases;
  for (const CommandEntry& command : program.subcommands) {
    commands += fmt::format("    {}\n", shell_quoted(command.name + ":" + command.description));
    cases += zsh_command(command);
  }
  std::string options;
  for (const OptionEntry& entry : all_options(program)) {
    options += zsh_option(entry);
  }
  return fmt::format(R"(#compdef portable-hpc
_portable_hpc() {{
  local context state state_descr line
  typeset -A opt_args
  local -a commands
  commands=(
{})
  _arguments -C -S \
{}    '1:command:->command' \
    '*::argument:->argument'
  case $state in
    (command) _describe command commands ;;
    (argument)
  case $line[1] in
{}  esac
  esac
}}
_portable_hpc "$@"
)",
                     commands, options, cases);
}

std::string fish_completion(const CommandEntry& program) {
  std::string out = "# fish completion for portable-hpc\ncomplete -c portable-hpc -n __fish_use_subcommand -f\n";
  append_fish_options(out, program, "__fish_use_subcommand");
  for (const CommandEntry& command : program.subcommands) {
    out += fmt::format("complete -c portable-hpc -n __fish_use_subcommand -a {} -d {}\n", command.name,
                       shell_quoted(command.description));
    append_fish_options(out, command, "__fish_seen_subcommand_from " + command.name);
  }
  return out;
}

}  // namespace phpc::cli
