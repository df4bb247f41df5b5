#include "cli/documents/completions.hpp"

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
  const std::string words = fmt::format("({})", fmt::join(entry.choices, " "));
  if (!takes_file(entry)) {
    return zsh_text(words);
  }
  return entry.choices.empty() ? "_files"
                               : zsh_text(fmt::format(R"({{_alternative "words:word:{}" "files:file:_files"}})", words));
}

std::string zsh_option(const OptionEntry& entry) {
  std::string lines;
  for (const std::string& name : entry.names) {
    const bool takes_equals_sign = !entry.value.empty() && name.starts_with("--");
    std::string spec = fmt::format("*{}{}[{}]", name, takes_equals_sign ? "=" : "", zsh_text(entry.description));
    if (!entry.value.empty()) {
      spec += fmt::format(":{}:{}", zsh_text(entry.value), zsh_action(entry));
    }
    lines += fmt::format("        {} \\\n", shell_quoted(spec));
  }
  return lines;
}

/// Words that stand for a command's arguments, where they are known.
std::string argument_words(const CommandEntry& command) {
  std::string words;
  for (const OptionEntry& entry : command.positionals) {
    words += fmt::format("{}", fmt::join(entry.choices, " "));
  }
  return words;
}

std::string zsh_command(const CommandEntry& command) {
  std::string out = fmt::format("    ({})\n      _arguments -S \\\n", command.name);
  for (const OptionEntry& entry : all_options(command)) {
    out += zsh_option(entry);
  }
  const std::string words = argument_words(command);
  return out + fmt::format("        '*:{}'\n      ;;\n", words.empty() ? "file:_files" : "word:(" + words + ")");
}

void append_fish_options(std::string& out, const CommandEntry& command, const std::string& condition) {
  for (const OptionEntry& entry : all_options(command)) {
    out += fmt::format("complete -c portable-hpc -n {}", shell_quoted(condition));
    for (const std::string& name : entry.names) {
      out += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
    }
    if (!entry.value.empty()) {
      out += takes_file(entry) ? " -r" : " -x";
      out += entry.choices.empty() ? "" : " -a " + shell_quoted(fmt::format("{}", fmt::join(entry.choices, " ")));
    }
    out += fmt::format(" -d {}\n", shell_quoted(entry.description));
  }
}

/// What the bash function knows of a command, or of the program itself: the case of its `case` for words that match `pattern`.
std::string bash_case(const CommandEntry& command, const std::string& pattern, const std::string& words) {
  std::string flags;
  std::string values;
  for (const OptionEntry& entry : all_options(command)) {
    flags += fmt::format("{}{}", flags.empty() ? "" : " ", fmt::join(entry.names, " "));
    if (!entry.value.empty()) {
      values +=
          fmt::format("        {}) takes='{}{}'; values='{}' ;;\n", fmt::join(entry.names, "|"), takes_file(entry) ? "files" : "",
                      entry.choices.empty() ? "" : "words", fmt::join(entry.choices, " "));
    }
  }
  std::string text = fmt::format("    {})\n      flags='{}'; words='{}'\n", pattern, flags, words);
  if (!values.empty()) {
    text += fmt::format("      case $previous in\n{}      esac\n", values);
  }
  return text + "      ;;\n";
}

}  // namespace

std::string bash_completion(const CommandEntry& program) {
  std::string names;
  std::string patterns;
  std::string cases;
  for (const CommandEntry& command : program.subcommands) {
    names += (names.empty() ? "" : " ") + command.name;
    patterns += (patterns.empty() ? "" : "|") + command.name;
    cases += bash_case(command, command.name, argument_words(command));
  }
  cases += bash_case(program, "*", names);
  return fmt::format(R"(# bash completion for portable-hpc
_portable_hpc() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD - 1]}} command='' prefix='' i
  # --option=value: three words where = is in COMP_WORDBREAKS, as bash has it, else one.
  if [[ $word == --*=* ]]; then
    previous=${{word%%=*}}; prefix=$previous=; word=${{word#*=}}
  elif [[ $word == '=' ]]; then
    word=''
  elif [[ $previous == '=' ]]; then
    previous=${{COMP_WORDS[COMP_CWORD - 2]}}
  fi
  # takes: what the option before the cursor takes, words, files, both or (empty) something else; none: there is no such option
  local flags='' words='' values='' takes=none
  for ((i = 1; i < COMP_CWORD; ++i)); do
    case ${{COMP_WORDS[i]}} in {}) command=${{COMP_WORDS[i]}}; break ;; esac
  done
  case $command in
{}  esac
  if [[ $takes == none ]]; then
    if [[ $word == -* ]]; then
      takes=words values=$flags
    elif [[ -n $words ]]; then
      takes=words values=$words
    else
      takes=files
    fi
  fi
  COMPREPLY=()
  if [[ $takes == *words ]]; then
    mapfile -t COMPREPLY < <(compgen -P "$prefix" -W "$values" -- "$word")
  fi
  if [[ $takes == files* ]]; then
    compopt -o filenames 2>/dev/null
    mapfile -t -O "${{#COMPREPLY[@]}}" COMPREPLY < <(compgen -P "$prefix" -f -- "$word")
  fi
  if [[ ${{#COMPREPLY[@]}} == 1 && ${{COMPREPLY[0]}} == *: ]]; then
    compopt -o nospace 2>/dev/null
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
    const std::string condition = "__fish_seen_subcommand_from " + command.name;
    append_fish_options(out, command, condition);
    if (const std::string words = argument_words(command); !words.empty()) {
      out += fmt::format("complete -c portable-hpc -n {} -f -a {}\n", shell_quoted(condition), shell_quoted(words));
    }
  }
  return out;
}

}  // namespace phpc::cli
