// What reaches the disk, and when, where the calls to it fail or wait.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "phpc/core/error.hpp"
#include "phpc/io/output_file.hpp"
#include "support/temporary_directory.hpp"

namespace {

int sync_error = 0;               // what fsync fails with; 0: it does its work
std::vector<std::string> synced;  // paths of what it was called for

}  // namespace

/// Stands for the C library's in this program and the libraries that it loads.
extern "C" int fsync(int descriptor) {
  std::error_code ignored;
  synced.push_back(std::filesystem::read_symlink("/proc/self/fd/" + std::to_string(descriptor), ignored).string());
  if (sync_error != 0) {
    errno = sync_error;
    return -1;
  }
  return static_cast<int>(syscall(SYS_fsync, descriptor));
}

namespace phpc::io {
namespace {

using test::TemporaryDirectory;

TEST(OutputSync, TheFileGoesToTheDiskAndThenItsName) {
  const TemporaryDirectory dir;
  OutputFile file(dir / "out");
  file.write("text");
  const std::filesystem::path folder = std::filesystem::canonical(dir.path());
  const std::string temporary = (folder / dir.entries().front()).string();
  synced.clear();
  file.commit();
  EXPECT_EQ(synced, (std::vector<std::string>{temporary, folder.string()}));
}

TEST(OutputSync, AFileThatStaysIsSyncedItself) {
  const TemporaryDirectory dir;
  test::write_file(dir / "out", "old");
  std::filesystem::create_hard_link(dir / "out", dir / "other");
  OutputFile file(dir / "out");
  file.write("new");
  synced.clear();
  file.commit();
  ASSERT_FALSE(synced.empty());
  EXPECT_EQ(synced.back(), std::filesystem::canonical(dir / "out").string());
}

TEST(OutputSync, AFileSystemWithoutItIsNoError) {
  const TemporaryDirectory dir;
  for (const int error : {ENOSYS, EINVAL, EROFS, ENOTSUP}) {
    sync_error = error;
    OutputFile file(dir / "out");
    file.write(std::to_string(error));
    EXPECT_NO_THROW(file.commit()) << error;
    EXPECT_EQ(test::read_file(dir / "out"), std::to_string(error));
  }
  sync_error = 0;
}

TEST(OutputSync, ADiskThatFailsIsAnErrorAndLeavesTheOldFile) {
  const TemporaryDirectory dir;
  test::write_file(dir / "out", "old");
  for (const int error : {EIO, ENOSPC, EDQUOT}) {
    OutputFile file(dir / "out");
    file.write("new");
    sync_error = error;
    EXPECT_THROW(file.commit(), Error) << error;
    sync_error = 0;
    EXPECT_EQ(test::read_file(dir / "out"), "old");
  }
  EXPECT_EQ(dir.entries(), std::vector<std::string>{"out"});
}

TEST(OutputSync, ANonBlockingPipeIsWaitedFor) {
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_NONBLOCK | O_CLOEXEC), 0);
  const std::string text(std::size_t{3} << 20, 't');
  std::string read_text;
  std::thread reader([&] {
    std::vector<char> block(65536);
    while (read_text.size() < text.size()) {
      if (const ssize_t got = read(ends[0], block.data(), block.size()); got > 0) {
        read_text.append(block.data(), static_cast<std::size_t>(got));
      } else {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
    }
  });
  OutputFile file("/dev/fd/" + std::to_string(ends[1]));
  file.write(text);
  file.commit();
  reader.join();
  EXPECT_TRUE(read_text == text);
  close(ends[0]);
  close(ends[1]);
}

}  // namespace
}  // namespace phpc::io
