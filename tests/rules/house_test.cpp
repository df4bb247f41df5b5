// Sizes and names of the house, and what its documents must name.
#include <gtest/gtest.h>

#include <filesystem>
#include <regex>
#include <set>

#include "rules/source_tree.hpp"
#include "support/process.hpp"

namespace phpc::test {
namespace {

TEST(House, NoFileIsLongerThan500Lines) {
  for (const SourceFile& file : source_files({"include", "src", "tests", "bench"})) {
    EXPECT_LE(file.lines.size(), 500u) << file.path;
  }
}

TEST(House, NoPlaceIsNamedForNothing) {
  static const std::set<std::string> empty_names = {"util", "utils", "common", "helper", "helpers", "misc"};
  for (const std::string& path : files_below({"include", "src", "tests", "bench", "data"})) {
    for (const std::filesystem::path& part : std::filesystem::path(path)) {
      EXPECT_FALSE(empty_names.contains(part.stem().string())) << path;
    }
  }
}

TEST(House, TheDataReadmeNamesEveryFile) {
  const std::string readme = read_file(source_root() + "/data/README.md");
  for (const std::string& path : files_below({"data"})) {
    // A file is named itself or by its folder ("batch/pele/"), where a folder holds many of a kind.
    std::string name = path.substr(5);
    bool named = readme.find("`" + name + "`") != std::string::npos;
    while (!named && name.find('/') != std::string::npos) {
      name = name.substr(0, name.rfind('/'));
      named = readme.find("`" + name + "/`") != std::string::npos;
    }
    EXPECT_TRUE(named || path == "data/README.md") << path;
  }
}

/// Long names of the options that the sources of the command line define, without reading CLI11's tree.
std::set<std::string> options_in_sources() {
  static const std::regex definition(R"rx(add_(option|flag)(_function)?(<[^>]*>)?\(\s*"([^"]*)")rx");
  static const std::regex long_name(R"(--[a-z][a-z0-9-]*)");
  std::set<std::string> names;
  for (const SourceFile& file : source_files({"src/cli"})) {
    std::string text;
    for (const std::string& line : file.lines) {
      text += line + "\n";
    }
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

}  // namespace
}  // namespace phpc::test
