// What every subcommand shares: exit codes, streams, version and help.
#include <gtest/gtest.h>

#include <csignal>

#include "support/process.hpp"

namespace phpc::test {
namespace {

TEST(App, VersionIsOneLine) {
  const auto result = run_program({"--version"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.out, "portable-hpc 0.1.0\n");
  EXPECT_EQ(result.err, "");
}

TEST(App, UnknownFlagIsAUsageError) {
  const auto result = run_program({"devices", "--no-such-flag"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.out, "");
  EXPECT_NE(result.err.find("--no-such-flag"), std::string::npos) << result.err;
}

}  // namespace
}  // namespace phpc::test
