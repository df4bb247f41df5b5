#include "cli/documents/man_page.hpp"

#include <fmt/format.h>

#include "cli/session/environment.hpp"
#include "cli/session/session.hpp"

namespace phpc::cli {

namespace {

struct ExitStatus {
  ExitCode code;
  std::string_view meaning;
};
constexpr ExitStatus exit_statuses[] = {
    {exit_success, "Success; an empty result is one."},
    {exit_failure, "A failure at run time: a file, a device, memory, or the content of the input."},
    {exit_usage, "The command line is wrong."},
    {exit_checkpoint, "Stopped at a checkpoint, as SIGUSR1 asked; the same command with --resume goes on from there."},
    {exit_unread, "Nobody reads the output any more, as after | head; nothing is said of it."},
};

/// Text in roff: backslashes and hyphens keep their own look, and no line of text starts a request.
std::string roff(std::string_view text) {
  std::string out;
  for (const char letter : text) {
    const bool line_start = out.empty() || out.back() == '\n';
    if (line_start && (letter == '.' || letter == '\'')) {
      out += "\\&";
    }
    if (letter == '\\') {
      out += "\\e";
    } else if (letter == '-') {
      out += "\\-";
    } else {
      out += letter;
    }
  }
  return out;
}

/// A man(7) macro's argument.
std::string roff_quoted(std::string_view text) {
  std::string out = "\"";
  for (const char letter : roff(text)) {
    out += letter;
    if (letter == '"') {
      out += '"';
    }
  }
  return out + "\"";
}

std::string sentence(const std::string& text) {
  return text.empty() || text.back() == '.' ? text : text + ".";
}

std::string option(const OptionEntry& entry) {
  std::string head;
  for (const std::string& name : entry.names) {
    head += fmt::format("{}{}{}\\fR", head.empty() ? "" : ", ", entry.positional ? "\\fI" : "\\fB", roff(name));
  }
  if (!entry.value.empty() && !entry.positional) {
    head += fmt::format(" \\fI{}\\fR{}", roff(entry.value), entry.repeated ? "..." : "");
  }
  std::string text = sentence(entry.description);
  if (entry.positional && entry.is_closed) {
    text += fmt::format(" One of {}.", fmt::join(entry.choices, ", "));
  }
  if (!entry.limits.empty()) {
    text += fmt::format(" Must be {}.", entry.limits);
  }
  if (entry.required) {
    text += " Required.";
  } else if (!entry.default_value.empty()) {
    text += fmt::format(" Default: {}.", entry.default_value);
  }
  return fmt::format(".TP\n{}\n{}\n", head, roff(text));
}

std::string options(const CommandEntry& command) {
  std::string out;
  for (const OptionEntry& entry : command.positionals) {
    out += option(entry);
  }
  for (const OptionGroup& group : command.groups) {
    out += fmt::format(".PP\n\\fI{}:\\fR\n", roff(group.name));
    for (const OptionEntry& entry : group.options) {
      out += option(entry);
    }
  }
  return out;
}

std::string synopsis(const CommandEntry& command) {
  std::string line = ".B portable\\-hpc " + roff(command.name) + "\n";
  for (const OptionEntry& entry : command.positionals) {
    const std::string name = roff(entry.names.front()) + (entry.repeated ? "..." : "");
    line += entry.required ? fmt::format(".I {}\n", name) : fmt::format(".RI [ {} ]\n", name);
  }
  return line + ".RI [ options ]\n";
}

}  // namespace

std::string man_page(const CommandEntry& program, const std::string& version) {
  std::string page = fmt::format(".TH PORTABLE\\-HPC 1 \"\" {} \"User Commands\"\n", roff_quoted("portable-hpc " + version));
  page += fmt::format(".SH NAME\nportable\\-hpc \\- {}\n.SH SYNOPSIS\n", roff(program.description));
  for (const CommandEntry& command : program.subcommands) {
    page += synopsis(command) + ".br\n";
  }
  page += ".B portable\\-hpc\n.RI [ options ]\n.SH DESCRIPTION\n";
  page += roff(
      "Kernels run as OpenMP target regions on NVIDIA and AMD GPUs and on LLVM's x86_64 offload device, or on host threads.\n");
  page += ".PP\n";
  page += roff(
      "Data goes to standard output or to the named file, everything else to standard error. A file name of - stands for "
      "standard input or standard output. An output file appears whole or not at all: it is written beside its target and "
      "renamed at the end.\n");
  page += ".SH OPTIONS\n" + options(program) + ".SH COMMANDS\n";
  for (const CommandEntry& command : program.subcommands) {
    page += fmt::format(".SS {}\n{}\n{}", roff_quoted("portable-hpc " + command.name), roff(sentence(command.description)),
                        options(command));
  }
  page += ".SH ENVIRONMENT\n";
  for (const EnvironmentVariable& variable : environment_read) {
    page += fmt::format(".TP\n.B {}\n{}\n", roff(variable.name), roff(variable.meaning));
  }
  page += ".SH EXIT STATUS\n";
  for (const ExitStatus& status : exit_statuses) {
    page += fmt::format(".TP\n.B {}\n{}\n", static_cast<int>(status.code), roff(status.meaning));
  }
  page += ".SH EXAMPLES\n";
  for (const CommandEntry& command : program.subcommands) {
    if (!command.footer.empty()) {
      page += fmt::format(".PP\n.nf\n{}\n.fi\n", roff(command.footer));
    }
  }
  return page;
}

}  // namespace phpc::cli
