// What help, man page, completions, README and headers must name.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "phpc/batch/solver.hpp"
#include "phpc/io/site_rows.hpp"
#include "rules/source_tree.hpp"
#include "support/process.hpp"

namespace phpc::test {
namespace {

std::string text_of(const SourceFile& file) {
  std::string text;
  for (const std::string& line : file.lines) {
    text += line + "\n";
  }
  return text;
}

/// Long names of the options that the sources of the command line define, without reading CLI11's tree: those whose path in `cli`
/// begins with `path`.
std::set<std::string> options_in_sources(const std::string& path = "") {
  static const std::regex definition(R"rx(add_(option|flag)(_function)?(<[^>]*>)?\(\s*"([^"]*)")rx");
  static const std::regex long_name(R"(--[a-z][a-z0-9-]*)");
  std::set<std::string> names;
  for (const SourceFile& file : source_files({"src/cli"})) {
    if (!file.path.starts_with("src/cli/" + path)) {
      continue;
    }
    const std::string text = text_of(file);
    for (std::sregex_iterator match(text.begin(), text.end(), definition), end; match != end; ++match) {
      const std::string option = (*match)[4];
      for (std::sregex_iterator name(option.begin(), option.end(), long_name); name != end; ++name) {
        names.insert(name->str());
      }
    }
  }
  names.erase("--generate");  // hidden: the build calls it
  return names;
}

std::string without_markup(const std::string& roff) {
  return std::regex_replace(std::regex_replace(roff, std::regex(R"(\\f.)"), ""), std::regex(R"(\\)"), "");
}

bool holds_option(const std::string& text, const std::string& option) {
  const std::regex whole(option + "(?![a-z0-9-])");
  return std::regex_search(text, whole);
}

TEST(Documents, EveryOptionIsInHelpManPageAndCompletions) {
  const std::string man = without_markup(run_program({"--generate", "man"}).out);
  const std::string bash = run_program({"--generate", "bash"}).out;
  const std::string zsh = run_program({"--generate", "zsh"}).out;
  std::string fish = run_program({"--generate", "fish"}).out;
  fish = std::regex_replace(fish, std::regex(" -l "), " --");
  std::string help = run_program({"--help"}).out;
  for (const char* const command : {"fft", "casoff", "batch", "devices", "port"}) {
    help += run_program({"help", command}).out;
  }
  const std::set<std::string> options = options_in_sources();
  EXPECT_TRUE(options.contains("--device") && options.contains("--version")) << "the search for options finds none";
  for (const std::string& option : options) {
    EXPECT_TRUE(holds_option(help, option)) << option << " in the help";
    EXPECT_TRUE(holds_option(man, option)) << option << " in the man page";
    EXPECT_TRUE(holds_option(bash, option)) << option << " in the bash completion";
    EXPECT_TRUE(holds_option(zsh, option)) << option << " in the zsh completion";
    EXPECT_TRUE(holds_option(fish, option)) << option << " in the fish completion";
  }
}

TEST(Documents, TheManPageRendersWithoutWarnings) {
  const auto page = run_program({"--generate", "man"});
  EXPECT_EQ(page.exit_code, 0);
  const auto rendered = run_program({"-man", "-ww", "-Tutf8"}, {.input = page.out, .program = "groff"});
  EXPECT_EQ(rendered.exit_code, 0);
  EXPECT_EQ(rendered.err, "");
  EXPECT_NE(rendered.out.find("portable-hpc"), std::string::npos);
  for (const char* const status : {"0", "1", "2", "75", "141"}) {
    EXPECT_NE(page.out.find(std::string("\n.B ") + status + "\n", page.out.find(".SH EXIT STATUS")), std::string::npos) << status;
  }
}

TEST(Documents, EveryVariableThatIsReadIsInTheManPage) {
  static const std::regex reading(R"rx((getenv|environment_number)\(\s*"([A-Z_]+)")rx");
  const std::set<std::string> other_programs = {"cuda", "port"};  // what translated programs read
  const std::string man = without_markup(run_program({"--generate", "man"}).out);
  std::set<std::string> variables;
  for (const SourceFile& file : source_files({"include", "src"})) {
    const std::string text = text_of(file);
    for (std::sregex_iterator match(text.begin(), text.end(), reading), end;
         match != end && !other_programs.contains(file.room()); ++match) {
      variables.insert((*match)[2]);
    }
  }
  EXPECT_TRUE(variables.contains("PHPC_TRACE") && variables.contains("SLURM_PROCID")) << "the search for variables finds none";
  for (const std::string& variable : variables) {
    EXPECT_NE(man.find("\n.B " + variable + "\n"), std::string::npos)
        << variable << " is read, and cli/session/environment.hpp does not name it";
  }
}

TEST(Documents, EveryMethodAndFormatIsDescribed) {
  const std::string readme = read_file(source_root() + "/README.md");
  const std::string solvers = read_file(source_root() + "/include/phpc/batch/solver.hpp");
  const std::string formats = read_file(source_root() + "/include/phpc/io/site_rows.hpp");
  std::vector<std::string> methods = batch::solver_names();
  for (const std::string& name : batch::preconditioner_names()) {
    methods.push_back(name);
  }
  for (const std::string& name : methods) {
    EXPECT_NE(readme.find("`" + name + "`"), std::string::npos) << name << " in README.md";
    EXPECT_TRUE(std::regex_search(solvers, std::regex("//.*[ (]" + name + "[ ,.;:\n]")))
        << name << " in the comment on batch::Options";
  }
  for (const io::SiteFormatEntry& format : io::site_formats()) {
    const std::string name(format.name);
    EXPECT_NE(readme.find("`" + name + "`"), std::string::npos) << name << " in README.md";
    EXPECT_NE(formats.find("\n///   " + name + " "), std::string::npos) << name << " in the comment on site_formats()";
  }
}

TEST(Documents, EveryExampleIsInTheReadme) {
  const std::string readme = read_file(source_root() + "/README.md");
  for (const std::string& path : files_below({"tests/examples"})) {
    const std::string name = path.substr(path.rfind('/') + 1);
    EXPECT_NE(readme.find(name.substr(0, name.rfind('.'))), std::string::npos) << path;
  }
}

/// What an option changes in the bytes of a result, parts say of their job: else --resume and merge would take parts of another
/// one.
TEST(Documents, PartsTellOfEveryOptionThatChangesBytes) {
  // Named otherwise there (guides, guesses and tolerances by what they hold), not to be had with --shard, or of no effect on
  // bytes.
  const std::map<std::string, std::set<std::string>> exempt_options = {
      {"batch",
       {"--allow-unconverged", "--bench", "--guess", "--matrix-name", "--memory", "--repeats", "--report", "--rhs-name",
        "--sweep", "--tolerances", "--values"}},
      {"casoff",
       {"--bench", "--explain", "--guide", "--guides-from", "--mismatches", "--opt", "--output", "--pack", "--repeats",
        "--summary", "--summary-format", "--with-host"}},
      {"fft",
       {"--amplitude", "--batch", "--bench", "--files-from", "--histogram", "--iterations", "--lengths", "--memory", "--output",
        "--precision", "--rate", "--spectra", "--spectrum", "--window", "--with-host"}}};
  for (const auto& [command, exempt] : exempt_options) {
    std::string jobs;
    for (const SourceFile& file : source_files({"src/jobs/" + command})) {
      jobs += text_of(file);
    }
    const std::set<std::string> options = options_in_sources("commands/" + command);
    EXPECT_GT(options.size(), 10U) << command;
    for (const std::string& option : options) {
      const bool told = jobs.find("{\"" + option.substr(2) + "\", ") != std::string::npos;
      EXPECT_NE(told, exempt.contains(option)) << option << " of " << command
                                               << (told ? " is told by parts: take it out of exempt_options"
                                                        : " is not among the parameters of a part's job: put it there, or into "
                                                          "exempt_options where no byte depends on it");
    }
  }
}

/// The rows of the tables of src/README.md that walk from `main` to a kernel: a file, and what it calls of the next one.
std::vector<std::vector<std::pair<std::string, std::string>>> walks() {
  static const std::regex row(R"(\| `([^`]+)` \|.*\| (?:`([^`]+)` )?\|)");
  std::vector<std::vector<std::pair<std::string, std::string>>> tables;
  bool is_inside = false;
  for (const std::string& line : lines(read_file(source_root() + "/src/README.md"))) {
    if (line == "| file | what it does | calls |") {
      tables.emplace_back();
      is_inside = true;
    }
    is_inside = is_inside && line.starts_with("|");
    if (std::smatch match; is_inside && std::regex_match(line, match, row)) {
      tables.back().emplace_back(match[1], match[2]);
    }
  }
  return tables;
}

TEST(Documents, AtMostTenFilesLieBetweenMainAndAKernel) {
  const auto text_of_path = [](const std::string& path) {
    const std::string file = source_root() + (path.starts_with("phpc/") ? "/include/" : "/src/") + path;
    return std::filesystem::exists(file) ? read_file(file) : "";
  };
  const auto tables = walks();
  EXPECT_EQ(tables.size(), 3U);
  for (const auto& walk : tables) {
    ASSERT_GE(walk.size(), 2U);
    EXPECT_LE(walk.size(), 11U) << walk.back().first;  // the kernel too
    EXPECT_EQ(walk.front().first, "cli/main.cpp");
    for (std::size_t i = 0; i < walk.size(); ++i) {
      const std::string text = text_of_path(walk[i].first);
      EXPECT_NE(text, "") << walk[i].first;
      EXPECT_EQ(walk[i].second.empty(), i + 1 == walk.size()) << walk[i].first;
      EXPECT_NE(text.find(walk[i].second), std::string::npos) << walk[i].first << " calls " << walk[i].second;
      EXPECT_TRUE(i == 0 || text.find(walk[i - 1].second) != std::string::npos) << walk[i].first << " has " << walk[i - 1].second;
    }
  }
}

}  // namespace
}  // namespace phpc::test
