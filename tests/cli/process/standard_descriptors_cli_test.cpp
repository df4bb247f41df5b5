// Descriptors 0, 1 and 2 closed by who started the program: `P ... 2>&-`.
#include <gtest/gtest.h>

#include <cstdlib>

#include "support/array_files.hpp"
#include "support/process.hpp"

namespace phpc::test {
namespace {

/// Runs a shell's command line, in which "$P" is the program, in a folder with a small array, a small batch and a small search.
class ClosedDescriptors : public ::testing::Test {
 protected:
  ClosedDescriptors() {
    write_file(directory_ / "in.npy",
               npy_bytes("{'descr': '<f8', 'fortran_order': False, 'shape': (4,), }", bytes_of<double>({1, 2, 3, 4})));
    std::string letters;
    for (int i = 0; i < 100; ++i) {
      letters += "ACGTTGCAAC";
    }
    write_file(directory_ / "genome.fa", ">one\n" + letters + "\n");
    write_file(directory_ / "input.txt", "genome.fa\nNNNNRG\nACGTNN 3\nTTGCNN 3\n");
  }

  [[nodiscard]] ProgramResult shell(const std::string& line) const {
    return run_program(
        {"-c", line},
        {.environment = {{"P", std::getenv("PHPC_BINARY")}}, .directory = directory_.path().string(), .program = "/bin/bash"});
  }

  TemporaryDirectory directory_;
};

TEST_F(ClosedDescriptors, GetNoResultAndNoMessage) {
  for (const std::string command : {"fft in.npy -o ", "casoff input.txt -o ", "batch --problem stencil3:8 -o ",
                                    "casoff --pack genome.fa -o ", "batch --problem stencil3:8 -v --report "}) {
    ASSERT_EQ(shell("\"$P\" " + command + "expected --device host").exit_code, 0) << command;
    for (const std::string closed : {"2>&-", "<&-", ">&-", "<&- >&-", "<&- 2>&-", ">&- 2>&-", "<&- >&- 2>&-"}) {
      const ProgramResult result = shell("\"$P\" " + command + "out --device host " + closed);
      EXPECT_EQ(result.exit_code, 0) << command << closed << result.err;
      EXPECT_EQ(read_file(directory_ / "out"), read_file(directory_ / "expected")) << command << closed;
    }
  }
}

TEST_F(ClosedDescriptors, AreErrorsWhereDataIsLost) {
  for (const std::string line : {"\"$P\" fft in.npy --device host >&-", "\"$P\" casoff input.txt --device host <&- >&-",
                                 "\"$P\" devices >&-", "\"$P\" --version >&-", "\"$P\" fft --help <&- >&-",
                                 "\"$P\" fft - -o out --device host <&-", "\"$P\" casoff - -o out <&-"}) {
    const ProgramResult result = shell(line);
    EXPECT_EQ(result.exit_code, 1) << line;
    EXPECT_NE(result.err.find("(Bad file descriptor)"), std::string::npos) << line << '\n' << result.err;
    EXPECT_EQ(directory_.entries(), (std::vector<std::string>{"genome.fa", "in.npy", "input.txt"})) << line;
  }
}

}  // namespace
}  // namespace phpc::test
