#include "phpc/io/input_file.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <thread>

#include "phpc/core/error.hpp"
#include "support/temporary_directory.hpp"

namespace phpc::io {
namespace {

/// It would take all memory.
TEST(InputFile, PipesWithoutEndAreRefused) {
  try {
    InputFile("/dev/zero").read_rest();
    ADD_FAILURE() << "read to the end of /dev/zero";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::memory);
    EXPECT_NE(std::string(error.what()).find("'/dev/zero' holds 1.0 GiB or more"), std::string::npos) << error.what();
  }
}

std::string error_of(const std::string& path) {
  try {
    const InputFile file(path);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::io);
    return error.what();
  }
  return "no error";
}

TEST(InputFile, ReadsInBlocksOfTheCallersSize) {
  const test::TemporaryDirectory dir;
  test::write_file(dir / "in", "abcdefgh");
  InputFile file(dir / "in");
  EXPECT_EQ(file.size(), 8u);
  std::array<char, 5> block{};
  EXPECT_EQ(file.read(block), 5u);
  EXPECT_EQ(std::string(block.data(), 5), "abcde");
  EXPECT_EQ(file.read(block), 3u);
  EXPECT_EQ(std::string(block.data(), 3), "fgh");
  EXPECT_EQ(file.read(block), 0u);
}

TEST(InputFile, ReadsAtAnOffsetWithoutMoving) {
  const test::TemporaryDirectory dir;
  test::write_file(dir / "in", "abcdefgh");
  InputFile file(dir / "in");
  std::array<char, 4> block{};
  EXPECT_EQ(file.read_at(6, block), 2u);
  EXPECT_EQ(std::string(block.data(), 2), "gh");
  EXPECT_EQ(file.read_at(100, block), 0u);
  EXPECT_EQ(file.read(block), 4u);
  EXPECT_EQ(std::string(block.data(), 4), "abcd");
}

TEST(InputFile, ReadsTheRest) {
  const test::TemporaryDirectory dir;
  for (const std::size_t size : {0, 1, 4096, 65535, 65536, 300000}) {
    std::string text(size, '\0');
    for (std::size_t i = 0; i < size; ++i) {
      text[i] = static_cast<char>('a' + i * 7 % 26);
    }
    test::write_file(dir / "in", text);
    EXPECT_EQ(InputFile(dir / "in").read_rest(), text) << size;
    InputFile file(dir / "in");
    std::array<char, 3> start{};
    EXPECT_EQ(file.read(start), std::min<std::size_t>(3, size));
    EXPECT_EQ(file.read_rest(), text.substr(std::min<std::size_t>(3, size))) << size;
  }
}

TEST(InputFile, ReadsTheRestOfAPipeWhoseSizeIsUnknown) {
  const test::TemporaryDirectory dir;
  const std::string text(200001, 'x');
  ASSERT_EQ(mkfifo((dir / "pipe").c_str(), 0600), 0);
  std::thread writer([&] { test::write_file(dir / "pipe", text); });
  InputFile file(dir / "pipe");
  EXPECT_FALSE(file.size().has_value());
  EXPECT_EQ(file.read_rest(), text);
  writer.join();
}

TEST(InputFile, NamesWhatItCannotOpen) {
  const test::TemporaryDirectory dir;
  EXPECT_EQ(error_of(dir / "none"), "cannot open '" + (dir / "none") + "' (No such file or directory)");
  EXPECT_EQ(error_of(dir.path().string()), "cannot read '" + dir.path().string() + "' (Is a directory)");
}

TEST(InputFile, ReadsNoMoreOfTheRestThanIsAllowed) {
  const test::TemporaryDirectory directory;
  test::write_file(directory / "in", "12345");
  EXPECT_EQ(InputFile(directory / "in").read_rest(5), "12345");
  EXPECT_THROW(InputFile(directory / "in").read_rest(4), Error);
  EXPECT_THROW(InputFile("/dev/zero").read_rest(1'000'000), Error);
}

TEST(InputFile, AReadOfAPipeCanBeInterrupted) {
  const test::TemporaryDirectory directory;
  const std::string path = directory / "pipe";
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  const int writer = open(path.c_str(), O_RDWR);
  ASSERT_EQ(write(writer, "abc", 3), 3);
  InputFile file(path);
  std::array<char, 3> bytes{};
  EXPECT_EQ(file.read(bytes), 3U);
  std::thread interrupter([&file] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    file.interrupt();
  });
  EXPECT_THROW(file.read(bytes), Error);
  interrupter.join();
  EXPECT_THROW(file.read(bytes), Error) << "one that comes later";
  close(writer);
}

}  // namespace
}  // namespace phpc::io
