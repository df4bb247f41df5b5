// What the program says of a command line: help, and what is wrong with it.
#include <gtest/gtest.h>

#include "support/process.hpp"

namespace phpc::test {
namespace {

/// A usage error of one line, `said` after the program's name and the command's.
void expect_refusal(const std::vector<std::string>& command, const std::string& said) {
  const auto result = run_program(command);
  const std::string told = testing::PrintToString(command) + "\n" + result.err;
  EXPECT_EQ(result.exit_code, 2) << told;
  EXPECT_EQ(result.out, "") << told;
  EXPECT_EQ(lines(result.err).size(), 1u) << told;
  EXPECT_NE(result.err.find(": " + said), std::string::npos) << "not '" << said << "' but " << told;
  EXPECT_NE(result.err.find("; see portable-hpc "), std::string::npos) << told;
  EXPECT_NE(result.err.find("--help\n"), std::string::npos) << told;
}

const std::vector<std::string> commands = {"fft", "casoff", "batch", "devices", "merge", "help"};

TEST(Help, IsAskedForInEveryUsualWay) {
  const std::string program = run_program({"--help"}).out;
  EXPECT_NE(program.find("Usage: portable-hpc "), std::string::npos) << program;
  EXPECT_EQ(run_program({"-h"}).out, program);
  EXPECT_EQ(run_program({"help"}).out, program);
  for (const std::string& command : commands) {
    EXPECT_NE(program.find("\n  " + command), std::string::npos) << command;
    const std::string help = run_program({command, "--help"}).out;
    EXPECT_NE(help.find("Usage: portable-hpc " + command + " "), std::string::npos) << help;
    EXPECT_EQ(run_program({"help", command}).out, help) << command;
    EXPECT_EQ(run_program({"-h", command}).out, help) << command;
  }
}

TEST(Help, ShowsDefaultsLimitsAndAnExample) {
  for (const std::string command : {"fft", "casoff", "batch", "devices"}) {
    const std::string help = run_program({command, "--help"}, {.environment = {{"COLUMNS", "120"}}}).out;
    EXPECT_NE(help.find("--device DEVICE"), std::string::npos) << help;
    EXPECT_NE(help.find("default: auto)"), std::string::npos) << help;
    EXPECT_NE(help.find("(0 to 4096, default: 0)"), std::string::npos) << help;
    EXPECT_NE(help.find("portable-hpc " + command + " "), std::string::npos) << help;
  }
}

TEST(Help, HoldsNoWordOfTheLibraryThatParses) {
  for (const std::string& command : commands) {
    const std::string help = run_program({command, "--help"}).out;
    for (const char* const word :
         {"Excludes:", "Needs:", "INT", "FLOAT", "NONNEGATIVE", " in [0 -", " in [1 -", "{", "REQUIRED"}) {
      const bool is_pattern = std::string(word) == "{" && command == "fft";  // {stem}
      EXPECT_TRUE(is_pattern || help.find(word) == std::string::npos) << command << ": " << word;
    }
  }
}

TEST(Help, IsAsWideAsTheTerminal) {
  for (const int width : {40, 60, 80, 100, 120}) {
    for (const std::string& command : commands) {
      const auto result = run_program({command, "--help"}, {.environment = {{"COLUMNS", std::to_string(width)}}});
      for (const std::string& line : lines(result.out)) {
        // A word that is wider by itself is not broken.
        const bool is_one_word = line.find(' ', std::min(line.find_first_not_of(' '), line.size())) == std::string::npos;
        const bool is_head = line.starts_with("  -");
        EXPECT_TRUE(line.size() <= static_cast<std::size_t>(width) || is_one_word || is_head) << width << ": " << line;
      }
    }
  }
  const auto widest = [](const std::string& columns) {
    std::size_t most = 0;
    for (const std::string& line : lines(run_program({"fft", "--help"}, {.environment = {{"COLUMNS", columns}}}).out)) {
      most = std::max(most, line.size());
    }
    return most;
  };
  EXPECT_GT(widest("110"), 100u);
  // Neither COLUMNS nor a terminal.
  for (const std::string columns : {"", "wide", "0", "-5"}) {
    EXPECT_LE(widest(columns), 100u) << columns;
    EXPECT_GE(widest(columns), 75u) << columns;
  }
}

TEST(Help, ExamplesThatAreBrokenCanBePasted) {
  const auto result = run_program({"fft", "--help"}, {.environment = {{"COLUMNS", "50"}}});
  EXPECT_NE(result.out.find("Example: portable-hpc fft signal.npy -o \\\n    spectrum.npy"), std::string::npos) << result.out;
}

TEST(Version, HasAShortName) {
  EXPECT_EQ(run_program({"-V"}).out, run_program({"--version"}).out);
  EXPECT_EQ(run_program({"-V", "-v"}).out, run_program({"--version", "-v"}).out);
}

TEST(CommandLine, OptionsOfACommandMayStandBeforeIt) {
  for (const std::vector<std::string>& command : {std::vector<std::string>{"devices", "--threads", "3", "--format", "json"},
                                                  {"--threads", "3", "devices", "--format", "json"}}) {
    EXPECT_NE(run_program(command).out.find("\"compute_units\":3"), std::string::npos) << testing::PrintToString(command);
  }
  EXPECT_EQ(run_program({"--threads=3", "devices"}).exit_code, 0);
  EXPECT_EQ(run_program({"-q", "devices"}).exit_code, 0);
  EXPECT_EQ(run_program({"-qv", "--device", "host", "devices", "--format", "json"}).exit_code, 0);
  const TemporaryDirectory dir;
  // Quiet, and so without a word but the error.
  const auto result = run_program({"-q", "fft", dir / "x.npy", "-o", dir / "y.npy"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(lines(result.err).size(), 1u) << result.err;
  EXPECT_NE(result.err.find("x.npy"), std::string::npos) << result.err;
  const auto shown = run_program({"-v", "devices"}, {.environment = {{"SLURM_JOB_ID", "17"}}});
  EXPECT_NE(shown.err.find("SLURM_JOB_ID=17"), std::string::npos) << shown.err;
  expect_refusal({"--norm", "ortho", "devices"}, "no option '--norm'");
}

TEST(CommandLine, UnknownWordsAreToldInTheOrderTyped) {
  expect_refusal({"devices", "one", "--two", "three"}, "unexpected 'one', no option '--two', unexpected 'three'; see");
  expect_refusal({"--foo", "nothing", "--bar"}, "no option '--foo', no command 'nothing' (commands are fft, casoff, ");
}

TEST(CommandLine, WhatWasMeantIsSaid) {
  expect_refusal({"ftf", "x.npy"}, "no command 'ftf' (did you mean 'fft'?)");
  expect_refusal({"device"}, "no command 'device' (did you mean 'devices'?)");
  expect_refusal({"help", "bacth"},
                 "COMMAND: 'bacth' is none of fft, casoff, batch, devices, merge, port, help (did you mean 'batch'?)");
  expect_refusal({"fft", "x.npy", "--nrom", "ortho"}, "no option '--nrom' (did you mean '--norm'?)");
  expect_refusal({"fft", "x.npy", "--nrom=ortho"}, "no option '--nrom' (did you mean '--norm'?)");
  expect_refusal({"fft", "x.npy", "-device", "host"}, "no option '-device' (did you mean '--device'?)");
  expect_refusal({"--verison"}, "no option '--verison' (did you mean '--version'?)");
  // The unknown option is the cause, not what its value then stands for.
  expect_refusal({"batch", "--solvr", "cg", "--problem", "stencil3:8"}, "no option '--solvr' (did you mean '--solver'?)");
  expect_refusal({"batch", "--solver", "bicgstb"}, "--solver: 'bicgstb' is none of ");
  const std::vector<std::vector<std::string>> values = {
      {"batch", "--solver", "bicgstb", "bicgstab"}, {"batch", "--precond", "jacoby", "jacobi"},
      {"casoff", "--format", "bde", "bed"},         {"fft", "--norm", "otho", "ortho"},
      {"devices", "--format", "jsno", "json"},      {"fft", "--window", "hamm", "hamming"}};
  for (const auto& value : values) {
    const auto result = run_program({value[0], value[1], value[2]});
    EXPECT_NE(result.err.find("(did you mean '" + value[3] + "'?)"), std::string::npos) << result.err;
  }
  const auto device = run_program({"batch", "--problem", "stencil3:8", "--systems", "2", "--device", "hots"});
  EXPECT_EQ(device.exit_code, 1);
  EXPECT_NE(device.err.find("no device 'hots' (did you mean 'host'?)"), std::string::npos) << device.err;
}

TEST(CommandLine, WhatIsWrongIsSaidInPlainWords) {
  expect_refusal({"devices", "--format"}, "--format needs a value, text|tsv|json; see");
  expect_refusal({"devices", "--format", "tsv", "--format", "json"}, "--format is given 2 times; give it once; see");
  expect_refusal({"devices", "--threads", "-1"}, "--threads: '-1' is out of range; give 0 to 4096; see");
  expect_refusal({"devices", "--threads", "many"}, "--threads: 'many' is no whole number; give 0 to 4096; see");
  expect_refusal({"devices", "--threads", "1.5"}, "--threads: '1.5' is no whole number; give 0 to 4096; see");
  expect_refusal({"devices", "--threads", "99999999999999999999"},
                 "--threads: '99999999999999999999' is out of range; give 0 to 4096");
  expect_refusal({"devices", "--quiet=much"}, "--quiet takes no value, and has 'much'; see");
  expect_refusal({"fft", "x.npy", "--scale", "big"}, "--scale: 'big' is no number; see");
  expect_refusal({"fft", "x.npy", "--memory", "much"},
                 "--memory: 'much' is no size; give bytes, or a number with a unit, as in 500MB or 2GiB; see");
  expect_refusal({"fft", "x.npy", "--memory=12parsecs"},
                 "--memory: '12parsecs' is no size; give bytes, or a number with a unit, as in 500MB or 2GiB; see");
  expect_refusal({"fft", "x.npy", "--axes", ""}, "--axes is empty; see");
  expect_refusal({"fft", "x.npy", "--resume"}, "--resume is for --shard; give both or none; see");
  expect_refusal({"batch", "in", "--problem", "stencil3:8"}, "INPUT and --problem do not go together; give one; see");
  expect_refusal({"casoff", "--explain", "A"}, "--explain needs 2 values, GUIDE SITE, and has 1; see");
  expect_refusal({"merge"}, "no parts given; see");
  expect_refusal({"--generate", "novel"}, "--generate: 'novel' is none of man, bash, zsh, fish; see");
}

TEST(CommandLine, WrongCommandLinesAreUsageErrors) {
  const std::vector<std::vector<std::string>> wrong = {
      {"--no-such-flag"},
      {"no-such-command"},
      {"devices", "--no-such-flag"},
      {"devices", "extra"},
      {"devices", "--format"},
      {"devices", "--format", "x"},
      {"devices", "--threads", "-1"},
      {"devices", "--threads", "many"},
      {"devices", "fft"},
      {"fft"},
      {"casoff"},
      {"batch"},
      {"--generate", "novel"},
  };
  for (const auto& command : wrong) {
    const auto result = run_program(command);
    const std::string told = testing::PrintToString(command);
    EXPECT_EQ(result.exit_code, 2) << told << result.err;
    EXPECT_EQ(result.out, "") << told;
    EXPECT_EQ(lines(result.err).size(), 1u) << told;
    EXPECT_NE(result.err.find("--help"), std::string::npos) << told;
  }
}

}  // namespace
}  // namespace phpc::test
