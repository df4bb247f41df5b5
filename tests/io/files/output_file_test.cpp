#include "phpc/io/output_file.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <filesystem>

#include "phpc/core/error.hpp"
#include "support/process.hpp"
#include "support/temporary_directory.hpp"

namespace phpc::io {
namespace {

using test::TemporaryDirectory;

/// The message of the Error that `action` throws; fails the test when it throws none of that kind.
template <class Action>
std::string error_of(ErrorKind kind, Action&& action) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "nothing was thrown";
  return {};
}

TEST(OutputFile, AppearsWithCommitOnly) {
  const TemporaryDirectory dir;
  OutputFile file(dir / "out.txt");
  file.write("first ");
  file.write(std::as_bytes(std::span<const char>("second", 6)));
  EXPECT_FALSE(std::filesystem::exists(dir / "out.txt"));
  EXPECT_EQ(dir.entries().size(), 1u) << "the temporary stands beside the target";
  file.commit();
  EXPECT_EQ(dir.entries(), std::vector<std::string>{"out.txt"});
  EXPECT_EQ(test::read_file(dir / "out.txt"), "first second");
}

TEST(OutputFile, LeavesNothingWithoutCommit) {
  const TemporaryDirectory dir;
  {
    OutputFile file(dir / "out.txt");
    file.write("lost");
  }
  EXPECT_TRUE(dir.entries().empty());
}

TEST(OutputFile, KeepsTheOldFileUntilCommit) {
  const TemporaryDirectory dir;
  test::write_file(dir / "out.txt", "old");
  {
    OutputFile file(dir / "out.txt");
    file.write("never committed");
  }
  EXPECT_EQ(test::read_file(dir / "out.txt"), "old");
  OutputFile file(dir / "out.txt");
  file.write("new");
  EXPECT_EQ(test::read_file(dir / "out.txt"), "old");
  file.commit();
  EXPECT_EQ(test::read_file(dir / "out.txt"), "new");
}

TEST(OutputFile, KeepsTheModeOfTheOldFileAndGivesNewOnesTheDefault) {
  const TemporaryDirectory dir;
  test::write_file(dir / "old.txt", "old");
  std::filesystem::permissions(dir / "old.txt", std::filesystem::perms(0640));
  const mode_t mask = umask(022);
  for (const char* const name : {"old.txt", "new.txt"}) {
    OutputFile file(dir / name);
    file.commit();
  }
  umask(mask);
  EXPECT_EQ(std::filesystem::status(dir / "old.txt").permissions(), std::filesystem::perms(0640));
  EXPECT_EQ(std::filesystem::status(dir / "new.txt").permissions(), std::filesystem::perms(0644));
}

mode_t mode_of(const std::string& path) {
  struct stat status{};
  EXPECT_EQ(stat(path.c_str(), &status), 0) << path;
  return status.st_mode & 07777;
}

TEST(OutputFile, IsNeverOpenToMoreThanTheOldFile) {
  const TemporaryDirectory dir;
  for (const mode_t mode : {0600U, 0640U, 0644U, 0666U, 0755U}) {
    test::write_file(dir / "out", "old");
    ASSERT_EQ(chmod((dir / "out").c_str(), mode), 0);
    const mode_t mask = umask(0);
    OutputFile file(dir / "out");
    umask(mask);
    EXPECT_EQ(mode_of(dir / dir.entries().front()) & ~mode, 0U) << std::oct << mode;
    file.commit();
    EXPECT_EQ(mode_of(dir / "out"), mode) << std::oct;
  }
}

TEST(OutputFile, IsNoProgramThatRunsAsItsOwner) {
  const TemporaryDirectory dir;
  test::write_file(dir / "out", "old");
  const bool is_anothers = chown((dir / "out").c_str(), 12345, 23456) == 0;  // as superuser
  ASSERT_EQ(chmod((dir / "out").c_str(), 06755), 0);
  OutputFile file(dir / "out");
  file.commit();
  EXPECT_EQ(mode_of(dir / "out"), 0755U);
  struct stat status{};
  ASSERT_EQ(stat((dir / "out").c_str(), &status), 0);
  EXPECT_EQ(status.st_uid, is_anothers ? 12345U : geteuid()) << "the owner is kept";
}

TEST(OutputFile, OfAnotherOwnerStaysHis) {
  if (geteuid() != 0) {
    GTEST_SKIP() << "only the superuser can make another's file";
  }
  const TemporaryDirectory dir;
  test::write_file(dir / "out", "an old and long text");
  ASSERT_EQ(chmod(dir.path().c_str(), 0777), 0);
  ASSERT_EQ(chmod((dir / "out").c_str(), 04666), 0);
  if (seteuid(65534) != 0 || faccessat(AT_FDCWD, (dir / "out").c_str(), W_OK, AT_EACCESS) != 0) {
    ASSERT_EQ(seteuid(0), 0);
    GTEST_SKIP() << "no other user can reach " << dir.path();
  }
  {
    OutputFile file(dir / "out");
    file.write("new");
    EXPECT_EQ(test::read_file(dir / "out"), "an old and long text");
    file.commit();
  }
  ASSERT_EQ(seteuid(0), 0);
  ASSERT_EQ(chmod(dir.path().c_str(), 0755), 0);
  ASSERT_EQ(seteuid(65534), 0);
  EXPECT_NE(error_of(ErrorKind::io, [&] { OutputFile file(dir / "out"); }).find("a temporary file beside '"), std::string::npos);
  ASSERT_EQ(seteuid(0), 0);
  EXPECT_EQ(dir.entries(), std::vector<std::string>{"out"});
  EXPECT_EQ(test::read_file(dir / "out"), "new");
  struct stat status{};
  ASSERT_EQ(stat((dir / "out").c_str(), &status), 0);
  EXPECT_EQ(status.st_uid, 0U);
  EXPECT_EQ(status.st_mode & 07777, 0666U);
}

TEST(OutputFile, KeepsHardLinks) {
  const TemporaryDirectory dir;
  for (const std::size_t bytes : {0u, 3u, 100u, 3u << 20}) {
    test::write_file(dir / "first", std::string(1000, 'o'));
    std::filesystem::create_hard_link(dir / "first", dir / "second");
    const std::string text(bytes, 'n');
    {
      OutputFile file(dir / "first");
      file.write(text);
    }
    EXPECT_EQ(test::read_file(dir / "second"), std::string(1000, 'o'));
    OutputFile file(dir / "first");
    file.write(text);
    file.commit();
    EXPECT_EQ(dir.entries(), (std::vector<std::string>{"first", "second"}));
    EXPECT_TRUE(std::filesystem::equivalent(dir / "first", dir / "second"));
    EXPECT_EQ(test::read_file(dir / "second"), text);
    std::filesystem::remove(dir / "first");
    std::filesystem::remove(dir / "second");
  }
}

TEST(OutputFile, AnOpenFileIsWrittenWhereItStands) {
  const TemporaryDirectory dir;
  const int log = open((dir / "log").c_str(), O_WRONLY | O_CREAT, 0600);
  ASSERT_GE(log, 0);
  ASSERT_EQ(write(log, "before ", 7), 7);
  std::filesystem::create_symlink("/dev/fd/" + std::to_string(log), dir / "link");
  for (const std::string& name :
       {"/dev/fd/" + std::to_string(log), "/proc/self/fd/" + std::to_string(log), std::string(dir / "link")}) {
    OutputFile file(name);
    file.write("this ");
    file.commit();
  }
  ASSERT_EQ(write(log, "after", 5), 5);
  EXPECT_EQ(test::read_file(dir / "log"), "before this this this after");
  close(log);
  EXPECT_NE(error_of(ErrorKind::io, [&] { OutputFile gone("/dev/fd/" + std::to_string(log)); }).find("No such file"),
            std::string::npos);
  const int input = open((dir / "log").c_str(), O_RDONLY);
  EXPECT_NE(error_of(ErrorKind::io, [&] { OutputFile file("/dev/fd/" + std::to_string(input)); }).find("Bad file descriptor"),
            std::string::npos);
  close(input);
}

TEST(OutputFile, AnotherProcessesOpenFileIsWrittenAtItsEnd) {
  const TemporaryDirectory dir;
  test::write_file(dir / "log", "before ");
  const test::Process other({"60"}, {.output_path = dir / "log", .program = "/bin/sleep"});
  OutputFile file("/proc/" + std::to_string(other.id()) + "/fd/1");
  file.write("this");
  file.commit();
  EXPECT_EQ(test::read_file(dir / "log"), "before this");
  EXPECT_EQ(dir.entries(), std::vector<std::string>{"log"});
}

TEST(OutputFile, WritesThroughASymbolicLink) {
  const TemporaryDirectory dir;
  test::write_file(dir / "real.txt", "old");
  std::filesystem::create_symlink(dir / "real.txt", dir / "link.txt");
  OutputFile file(dir / "link.txt");
  file.write("new");
  file.commit();
  EXPECT_TRUE(std::filesystem::is_symlink(dir / "link.txt"));
  EXPECT_EQ(test::read_file(dir / "real.txt"), "new");
}

TEST(OutputFile, TakesMoreThanItsBuffer) {
  const TemporaryDirectory dir;
  std::string expected;
  OutputFile file(dir / "out.bin");
  for (const std::size_t bytes : {1u, 1u << 20, 3u, (1u << 20) + 1, 5u << 20, 7u, 900'000u, 900'000u, 9u << 20, 11u, 17u << 20}) {
    const std::string block(bytes, static_cast<char>('a' + expected.size() % 26));
    expected += block;
    file.write(block);
  }
  file.commit();
  EXPECT_EQ(test::read_file(dir / "out.bin"), expected);
}

TEST(OutputFile, AnEmptyFileIsAFile) {
  const TemporaryDirectory dir;
  OutputFile file(dir / "out.txt");
  file.commit();
  EXPECT_EQ(test::read_file(dir / "out.txt"), "");
}

TEST(OutputFile, SaysWhyATargetCannotBeWritten) {
  const TemporaryDirectory dir;
  test::write_file(dir / "file", "");
  EXPECT_NE(error_of(ErrorKind::io, [&] { OutputFile file(dir.path().string()); }).find("Is a directory"), std::string::npos);
  EXPECT_NE(error_of(ErrorKind::io, [&] { OutputFile file(dir / "none/out"); }).find("No such file"), std::string::npos);
  EXPECT_NE(error_of(ErrorKind::io, [&] { OutputFile file(dir / "file/out"); }).find("Not a directory"), std::string::npos);
  error_of(ErrorKind::usage, [] { OutputFile file(""); });
  EXPECT_EQ(dir.entries(), std::vector<std::string>{"file"});
}

TEST(OutputFile, AFullDiskShowsAtTheLatestInCommit) {
  OutputFile file("/dev/full");
  file.write("text");
  EXPECT_NE(error_of(ErrorKind::io, [&] { file.commit(); }).find("No space left"), std::string::npos);
}

TEST(OutputFile, DevicesAndPipesAreWrittenInPlace) {
  const TemporaryDirectory dir;
  OutputFile null("/dev/null");
  null.write("gone");
  null.commit();
  ASSERT_EQ(mkfifo((dir / "pipe").c_str(), 0600), 0);
  const int reader = open((dir / "pipe").c_str(), O_RDONLY | O_NONBLOCK);
  OutputFile pipe(dir / "pipe");
  pipe.write("through");
  pipe.commit();
  std::array<char, 16> text{};
  EXPECT_EQ(read(reader, text.data(), text.size()), 7);
  EXPECT_STREQ(text.data(), "through");
  close(reader);
}

TEST(OutputFile, TemporariesAreHidden) {
  const TemporaryDirectory dir;
  const OutputFile file(dir / "out.part-00000-of-00002");
  ASSERT_EQ(dir.entries().size(), 1u);
  const std::string name = dir.entries().front();
  EXPECT_TRUE(name.starts_with(".out.part-00000-of-00002.") && name.ends_with(".tmp")) << name;
}

TEST(OutputFile, TakesNamesOfAnyLengthThatTheFileSystemTakes) {
  const TemporaryDirectory dir;
  for (const std::size_t length : {1u, 228u, 240u, 241u, 242u, 254u, 255u}) {
    const std::string name(length, 'n');
    OutputFile file(dir / name);
    file.write("text");
    EXPECT_EQ(remove_stale_temporaries(dir / name), 0);
    file.commit();
    EXPECT_EQ(test::read_file(dir / name), "text");
  }
  std::string of_two_bytes_each;
  while (of_two_bytes_each.size() < 254) {
    of_two_bytes_each += "\xc3\xa4";
  }
  for (const std::string& name : {of_two_bytes_each, "x" + of_two_bytes_each}) {
    const OutputFile file(dir / name);
    const std::string temporary = dir.entries().front();
    const std::size_t cut = temporary.size() - 13;  // ".RANDOM.tmp"
    EXPECT_EQ(temporary.substr(cut - 2, 2), "\xc3\xa4") << "cut within a character";
  }
  EXPECT_NE(error_of(ErrorKind::io, [&] { OutputFile file(dir / std::string(256, 'n')); }).find("File name too long"),
            std::string::npos);
}

TEST(OutputFile, StaleTemporariesAreToldFromThoseInUse) {
  const TemporaryDirectory dir;
  std::filesystem::create_directory(dir / "real");
  std::filesystem::create_directory_symlink(dir / "real", dir / "folder");
  std::filesystem::create_symlink("folder/out", dir / "link");
  const std::vector<std::string> others{".out.0123abcd.tmp.tmp", ".out.0123abcx.tmp", ".out.txt.0123abcd.tmp", "out.0123abcd.tmp",
                                        "out"};
  for (const std::string& name : others) {
    test::write_file(dir / ("real/" + name), "another's");
  }
  const auto leave_one = [&] { test::write_file(dir / "real/.out.0123abcd.tmp", "killed"); };
  OutputFile file(dir / "real/out");
  for (const char* const name : {"real/out", "folder/out", "link", "./real/../folder/out"}) {
    leave_one();
    EXPECT_EQ(remove_stale_temporaries(dir / name), 1) << name;
    EXPECT_EQ(remove_stale_temporaries(dir / name), 0) << name;
  }
  EXPECT_EQ(remove_stale_temporaries(dir / "none/out"), 0);
  file.write("new");
  file.commit();
  EXPECT_EQ(test::read_file(dir / "real/out"), "new");
  for (const std::string& name : others) {
    EXPECT_TRUE(std::filesystem::exists(dir / ("real/" + name))) << name;
  }
}

TEST(OutputFile, MakesTheFileThatALinkLeadsTo) {
  const TemporaryDirectory dir;
  std::filesystem::create_directory(dir / "folder");
  std::filesystem::create_symlink("folder/second", dir / "first");
  std::filesystem::create_symlink("../result", dir / "folder/second");
  OutputFile file(dir / "first");
  file.write("text");
  file.commit();
  EXPECT_TRUE(std::filesystem::is_symlink(dir / "first") && std::filesystem::is_symlink(dir / "folder/second"));
  EXPECT_EQ(test::read_file(dir / "result"), "text");
  std::filesystem::create_symlink("none/result", dir / "to-nowhere");
  EXPECT_NE(error_of(ErrorKind::io, [&] { OutputFile lost(dir / "to-nowhere"); }).find("No such file"), std::string::npos);
  std::filesystem::create_symlink("circle", dir / "circle");
  EXPECT_NE(error_of(ErrorKind::io, [&] { OutputFile lost(dir / "circle"); }).find("symbolic links"), std::string::npos);
}

TEST(OutputFile, AllTemporariesGoWhenASignalAsksForIt) {
  const TemporaryDirectory dir;
  OutputFile first(dir / "first");
  OutputFile second(dir / "second");
  EXPECT_EQ(dir.entries().size(), 2u);
  remove_temporaries();
  EXPECT_TRUE(dir.entries().empty());
}

}  // namespace
}  // namespace phpc::io
