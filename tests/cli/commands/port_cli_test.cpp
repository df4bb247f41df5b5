// portable-hpc port: the program that is started for it, and what is said where there is none.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <regex>
#include <set>

#include "support/process.hpp"

namespace phpc::test {
namespace {

namespace fs = std::filesystem;

/// The build folder, which is laid out as an installation is.
fs::path prefix() {
  const char* const program = std::getenv("PHPC_BINARY");
  return program == nullptr ? fs::path() : fs::path(program).parent_path().parent_path();
}

/// A copy of the program in a prefix of its own, which has room for a translator.
std::string copied_program(const TemporaryDirectory& dir) {
  fs::create_directories(dir / "bin");
  fs::create_directories(dir / "libexec/portable-hpc");
  fs::create_directory_symlink(prefix() / "lib", dir / "lib");
  fs::copy_file(prefix() / "bin/portable-hpc", dir / "bin/portable-hpc");
  return dir / "bin/portable-hpc";
}

/// A translator that says what it was given.
void write_stub(const TemporaryDirectory& dir) {
  const std::string path = dir / "libexec/portable-hpc/port";
  write_file(path, "#!/bin/sh\nfor word; do echo \"<$word>\"; done\necho \"$PHPC_STUB\"\ncat\nexit 7\n");
  fs::permissions(path, fs::perms::owner_all);
}

TEST(Port, TheTranslatorGetsTheRestOfTheCommandLine) {
  const TemporaryDirectory dir;
  const std::string program = copied_program(dir);
  write_stub(dir);
  const auto result = run_program({"port", "a b.cu", "--device", "-x", ""},
                                  {.input = "text\n", .environment = {{"PHPC_STUB", "from outside"}}, .program = program});
  EXPECT_EQ(result.exit_code, 7) << result.err;
  EXPECT_EQ(result.out, "<a b.cu>\n<--device>\n<-x>\n<>\nfrom outside\ntext\n");
  EXPECT_EQ(result.err, "");
  const auto help = run_program({"port", "--help"}, {.program = program});
  EXPECT_EQ(help.out, "<--help>\n\n");
}

TEST(Port, WithoutATranslatorOneLineSaysHowToGetIt) {
  const TemporaryDirectory dir;
  const std::string program = copied_program(dir);
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"port"}, {"port", "--help"}, {"port", "a.cu", "-o", "a.cpp"}}) {
    const auto result = run_program(words, {.program = program});
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(lines(result.err).size(), 1u) << result.err;
    EXPECT_TRUE(result.err.starts_with("portable-hpc port: ")) << result.err;
    EXPECT_NE(result.err.find("make port"), std::string::npos) << result.err;
  }
}

TEST(Port, ItsHelpIsThereWithoutATranslator) {
  const auto help = run_program({"help", "port"});
  EXPECT_EQ(help.exit_code, 0);
  EXPECT_NE(help.out.find("--out-dir"), std::string::npos) << help.out;
  EXPECT_NE(run_program({"--help"}).out.find("\n  port "), std::string::npos);
}

std::set<std::string> options_in(const std::string& text) {
  static const std::regex option("(^|[\\s,])(--?[A-Za-z][a-z-]*)");
  std::set<std::string> names;
  for (std::sregex_iterator match(text.begin(), text.end(), option), end; match != end; ++match) {
    names.insert((*match)[2]);
  }
  return names;
}

TEST(Port, HelpNamesTheTranslatorsOptions) {
  if (!fs::exists(prefix() / "libexec/portable-hpc/port")) {
    GTEST_SKIP() << "the translator is not built (make port)";
  }
  const auto own = run_program({"port", "--help"});
  EXPECT_EQ(own.exit_code, 0) << own.err;
  EXPECT_TRUE(options_in(own.out).contains("--keep-going")) << own.out;
  std::string documented = run_program({"help", "port"}).out;
  documented.resize(documented.find("\nExample"));
  EXPECT_EQ(options_in(documented), options_in(own.out));
}

}  // namespace
}  // namespace phpc::test
