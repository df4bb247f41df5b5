#include "cli/documents/help_text.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <string_view>

#include "phpc/core/parse.hpp"

namespace phpc::cli {

namespace {

constexpr std::size_t narrowest_columns = 70;  ///< below this, descriptions stand under what they describe
constexpr std::size_t heads = 28;              ///< columns of the left side where there are two
constexpr std::size_t widest_choices = 24;     ///< longer lists of words stand in the description

/// Lines of at most `width` columns, all but the first after `indent` blanks; `ends` is put at the end of a line that goes on.
std::string wrapped(std::string_view text, std::size_t width, std::size_t indent, std::string_view ends = "") {
  std::string out;
  std::size_t column = indent;
  const std::size_t most = width - ends.size();
  for (const std::string_view word : split_blanks(text)) {
    const bool is_first = out.empty();
    if (!is_first && column + 1 + word.size() > most) {
      out += fmt::format("{}\n{:{}}", ends, "", indent);
      column = indent;
    } else if (!is_first) {
      out += ' ';
      ++column;
    }
    out += word;
    column += word.size();
  }
  return out;
}

/// "  HEAD      text", the text in a column of its own.
std::string row(const std::string& head, const std::string& text, std::size_t width) {
  const bool has_columns = width >= narrowest_columns;
  const std::size_t indent = has_columns ? heads : 6;
  std::string out = "  " + head;
  if (has_columns && out.size() + 2 <= heads) {
    out.resize(heads, ' ');
  } else {
    out += fmt::format("\n{:{}}", "", indent);
  }
  return out + wrapped(text, width, indent) + "\n";
}

bool names_all(const std::string& text, const std::vector<std::string>& words) {
  return std::all_of(words.begin(), words.end(), [&](const std::string& word) { return text.find(word) != std::string::npos; });
}

std::string option_row(const OptionEntry& entry, std::size_t width) {
  std::string head = fmt::format("{}", fmt::join(entry.names, ", "));
  std::string text = entry.description;
  const bool lists_choices = !entry.choices.empty() && entry.value.size() > widest_choices;
  if (!entry.positional && !entry.value.empty()) {
    head += " " + (lists_choices ? "WORD" : entry.value);
  }
  head += entry.repeated ? "..." : "";
  if (entry.is_closed && (lists_choices || entry.positional) && !names_all(entry.description, entry.choices)) {
    text += fmt::format("; one of {}", fmt::join(entry.choices, ", "));
  }
  std::vector<std::string> notes;
  if (!entry.limits.empty()) {
    notes.push_back(entry.limits);
  }
  if (entry.required) {
    notes.emplace_back("required");
  } else if (!entry.default_value.empty()) {
    notes.push_back("default: " + entry.default_value);
  }
  return row(head, notes.empty() ? text : fmt::format("{} ({})", text, fmt::join(notes, ", ")), width);
}

/// Footers hold sentences, and examples: lines that begin with "Example:" or blanks and go on after a backslash.
std::string footer(const std::string& text, std::size_t width) {
  std::string out;
  std::string sentences;
  const auto end_sentences = [&] {
    out += sentences.empty() ? "" : wrapped(sentences, width, 0) + "\n";
    sentences.clear();
  };
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const bool is_indented = line.starts_with("  ");
    if (is_indented || line.starts_with("Example")) {
      end_sentences();
      out += (is_indented ? "  " : "") + wrapped(line, is_indented ? width - 2 : width, 4, " \\") + "\n";
    } else {
      sentences += line + " ";
    }
  }
  end_sentences();
  return out;
}

std::string groups(const CommandEntry& command, std::size_t width) {
  std::string out;
  for (const OptionGroup& group : command.groups) {
    out += fmt::format("\n{}:\n", group.name);
    for (const OptionEntry& entry : group.options) {
      out += option_row(entry, width);
    }
  }
  if (!command.footer.empty()) {
    out += "\n" + footer(command.footer, width);
  }
  return out;
}

}  // namespace

int text_width(int descriptor) {
  constexpr index_t narrowest = 40;
  constexpr index_t widest = 120;
  index_t columns = 0;
  if (const char* const text = std::getenv("COLUMNS"); text != nullptr) {
    columns = parse_integer(text).value_or(0);
  }
  winsize window{};
  if (columns <= 0 && isatty(descriptor) != 0 && ioctl(descriptor, TIOCGWINSZ, &window) == 0) {
    columns = window.ws_col;
  }
  return static_cast<int>(columns <= 0 ? 80 : std::clamp(columns, narrowest, widest));
}

std::string help_text(const CommandEntry& program, int width) {
  const auto columns = static_cast<std::size_t>(width);
  std::string out =
      wrapped(program.description, columns, 0) + "\n\nUsage: " + program.name + " [options] COMMAND ...\n\nCommands:\n";
  for (const CommandEntry& command : program.subcommands) {
    out += row(command.name, command.description, columns);
  }
  return out + groups(program, columns);
}

std::string help_text(const CommandEntry& program, const CommandEntry& command, int width) {
  const auto columns = static_cast<std::size_t>(width);
  std::string usage = fmt::format("Usage: {} {} [options]", program.name, command.name);
  for (const OptionEntry& entry : command.positionals) {
    const std::string name = entry.names.front() + (entry.repeated ? "..." : "");
    usage += entry.required ? " " + name : " [" + name + "]";
  }
  std::string out = wrapped(command.description, columns, 0) + "\n\n" + wrapped(usage, columns, 4) + "\n";
  if (!command.positionals.empty()) {
    out += "\nArguments:\n";
  }
  for (const OptionEntry& entry : command.positionals) {
    out += option_row(entry, columns);
  }
  return out + groups(command, columns);
}

void print_help(const CLI::App& app, const CLI::App& chosen) {
  const int width = text_width(STDOUT_FILENO);
  const CommandEntry program = describe(app);
  fmt::print("{}", &chosen == &app ? help_text(program, width) : help_text(program, describe(chosen), width));
}

}  // namespace phpc::cli
