#include "phpc/io/output_target.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "support/temporary_directory.hpp"

namespace phpc::io {
namespace {

using test::TemporaryDirectory;

TEST(OutputTarget, FollowsLinksToWhatNeedNotExist) {
  const TemporaryDirectory dir;
  std::filesystem::create_symlink("second", dir / "first");
  std::filesystem::create_symlink(dir / "third", dir / "second");
  EXPECT_EQ(output_target(dir / "first").path, dir / "third");
  EXPECT_EQ(output_target("none").path, "none");
  EXPECT_EQ(output_target("none").descriptor, -1);
}

TEST(OutputTarget, KnowsTheNamesOfOpenFiles) {
  const TemporaryDirectory dir;
  const int descriptor = open((dir / "file").c_str(), O_WRONLY | O_CREAT, 0600);
  const std::string number = std::to_string(descriptor);
  std::filesystem::create_symlink("/dev/fd/" + number, dir / "link");
  for (const std::string& name : {"/dev/fd/" + number, "/proc/self/fd/" + number, "/proc/thread-self/fd/" + number,
                                  "/proc/" + std::to_string(getpid()) + "/fd/" + number, std::string(dir / "link")}) {
    EXPECT_EQ(output_target(name).descriptor, descriptor) << name;
  }
  EXPECT_EQ(output_target("-").descriptor, STDOUT_FILENO);
  EXPECT_EQ(output_target("/dev/stdout").descriptor, STDOUT_FILENO);
  EXPECT_EQ(output_target("/dev/stderr").descriptor, STDERR_FILENO);
  EXPECT_EQ(output_target(dir / "file").descriptor, -1);
  close(descriptor);
  EXPECT_FALSE(output_target("/dev/fd/" + number).is_open_file);
}

TEST(FileIdentity, IsTheSameUnderAllNames) {
  const TemporaryDirectory dir;
  test::write_file(dir / "folder/file", "");
  std::filesystem::create_directory_symlink("folder", dir / "other");
  std::filesystem::create_symlink("folder/file", dir / "link");
  std::filesystem::create_hard_link(dir / "folder/file", dir / "hard");
  std::filesystem::create_symlink("folder/none", dir / "to-none");
  const auto file = identity_of_input(dir / "folder/file");
  ASSERT_TRUE(file);
  for (const char* const name : {"other/file", "link", "hard", "./folder/../other//file"}) {
    EXPECT_EQ(identity_of_input(dir / name), file) << name;
    EXPECT_EQ(identity_of_output(dir / name), file) << name;
  }
  const auto none = identity_of_output(dir / "folder/none");
  ASSERT_TRUE(none);
  EXPECT_NE(none, file);
  for (const char* const name : {"other/none", "to-none", "./folder//none"}) {
    EXPECT_EQ(identity_of_output(dir / name), none) << name;
  }
  EXPECT_NE(identity_of_output(dir / "folder/nothing"), none);
  EXPECT_FALSE(identity_of_input(dir / "folder/none"));
  EXPECT_FALSE(identity_of_output(dir / "nowhere/none"));
  EXPECT_FALSE(identity_of_output("/dev/null")) << "may be read and written at once";
  ASSERT_EQ(mkfifo((dir / "pipe").c_str(), 0600), 0);
  EXPECT_EQ(identity_of_output(dir / "pipe"), identity_of_input(dir / "pipe"));
}

}  // namespace
}  // namespace phpc::io
