// The completions of bash, zsh and fish, where these shells are there.
#include <gtest/gtest.h>

#include "support/process.hpp"

namespace phpc::test {
namespace {

bool is_there(const std::string& program) {
  return run_program({"-c", "command -v " + program}, {.program = "sh"}).exit_code == 0;
}

/// What bash offers for the last of these words.
std::string bash_offers(const std::string& words, const std::string& before = "") {
  const std::string script = run_program({"--generate", "bash"}).out + before + "\nCOMP_WORDS=(portable-hpc " + words +
                             ")\nCOMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n_portable_hpc\necho \"${COMPREPLY[*]}\"\n";
  const auto result = run_program({"--norc", "-s"}, {.input = script, .program = "bash"});
  EXPECT_EQ(result.err, "") << words;
  return result.out;
}

TEST(Completions, BashOffersCommandsOptionsAndValues) {
  EXPECT_EQ(bash_offers("dev"), "devices\n");
  EXPECT_EQ(bash_offers("--vers"), "--version\n");
  EXPECT_EQ(bash_offers("devices --for"), "--format\n");
  EXPECT_EQ(bash_offers("devices --format ''"), "text tsv json\n");
  EXPECT_EQ(bash_offers("devices --format j"), "json\n");
  EXPECT_EQ(bash_offers("devices --threads ''"), "\n");
  EXPECT_EQ(bash_offers("help d"), "devices\n");
  EXPECT_EQ(bash_offers("fft --device h"), "host\n");
  EXPECT_EQ(bash_offers("batch --problem st"), "stencil3:\n");
  EXPECT_EQ(bash_offers("batch --solver bi"), "bicgstab\n");
}

TEST(Completions, BashOffersValuesAfterAnEqualsSign) {
  EXPECT_EQ(bash_offers("fft --norm = ''"), "backward ortho forward\n");
  EXPECT_EQ(bash_offers("fft --norm ="), "backward ortho forward\n");
  EXPECT_EQ(bash_offers("fft --norm = or"), "ortho\n");
  // Where = is no break of words.
  EXPECT_EQ(bash_offers("fft --norm=or"), "--norm=ortho\n");
  EXPECT_EQ(bash_offers("fft --norm="), "--norm=backward --norm=ortho --norm=forward\n");
}

TEST(Completions, BashOffersFilesBesideWordsWhereBothWillDo) {
  const TemporaryDirectory dir;
  write_file(dir / "ones.npy", "");
  write_file(dir / "x.npy", "");
  const std::string there = "\ncd " + dir.path().string() + "\n";
  EXPECT_EQ(bash_offers("batch --rhs on", there), "ones ones.npy\n");
  EXPECT_EQ(bash_offers("batch -o x", there), "x.npy\n");
  EXPECT_EQ(bash_offers("fft x", there), "x.npy\n");
  EXPECT_EQ(bash_offers("fft --norm x", there), "\n");
}

TEST(Completions, FishOffersTheSame) {
  if (!is_there("fish")) {
    GTEST_SKIP() << "no fish";
  }
  const TemporaryDirectory dir;
  write_file(dir / "portable-hpc.fish", run_program({"--generate", "fish"}).out);
  const auto offers = [&](const std::string& line) {
    const std::string script =
        "source " + dir / "portable-hpc.fish" + "; complete -C '" + line + "' | string replace -r '\\t.*' ''";
    const auto result =
        run_program({"--no-config", "-c", script}, {.environment = {{"HOME", dir.path().string()}}, .program = "fish"});
    EXPECT_EQ(result.err, "") << line;
    return result.out;
  };
  EXPECT_EQ(offers("portable-hpc devices --format "), "json\ntext\ntsv\n");
  EXPECT_EQ(offers("portable-hpc fft --norm=or"), "--norm=ortho\n");
  EXPECT_EQ(offers("portable-hpc fft --device h"), "host\n");
  EXPECT_EQ(offers("portable-hpc help dev"), "devices\n");
}

TEST(Completions, ZshReadsItsScript) {
  const std::string script = run_program({"--generate", "zsh"}).out;
  EXPECT_NE(script.find("*--norm=["), std::string::npos) << script;
  EXPECT_NE(script.find("(backward ortho forward)"), std::string::npos) << script;
  EXPECT_NE(script.find("(stencil3\\: lesp\\: "), std::string::npos) << script;
  if (!is_there("zsh")) {
    GTEST_SKIP() << "no zsh";
  }
  const auto result = run_program({"-f", "-n", "/dev/stdin"}, {.input = script, .program = "zsh"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.err, "");
}

}  // namespace
}  // namespace phpc::test
