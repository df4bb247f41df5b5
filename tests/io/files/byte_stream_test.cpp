#include "io/files/byte_stream.hpp"

#include <gtest/gtest.h>

#include "phpc/core/error.hpp"
#include "support/array_files.hpp"
#include "support/temporary_directory.hpp"

namespace phpc::io {
namespace {

std::string read_text(ByteStream& stream, std::size_t bytes) {
  std::string text(bytes, '\0');
  text.resize(stream.read(std::as_writable_bytes(std::span(text))));
  return text;
}

TEST(ByteStream, LooksAheadWithoutReading) {
  const test::TemporaryDirectory dir;
  test::write_file(dir / "file", "0123456789");
  ByteStream stream(dir / "file");
  EXPECT_EQ(stream.peek(3), "012");
  EXPECT_EQ(stream.position(), 0U);
  EXPECT_EQ(stream.left(), 10U);
  EXPECT_EQ(read_text(stream, 2), "01");
  EXPECT_EQ(stream.peek(4), "2345");
  EXPECT_EQ(read_text(stream, 5), "23456");
  EXPECT_EQ(stream.left(), 3U);
  EXPECT_EQ(stream.peek(9), "789");
  EXPECT_EQ(read_text(stream, 9), "789");
  EXPECT_EQ(stream.peek(1), "");
}

TEST(ByteStream, SkipsAndSeeks) {
  const test::TemporaryDirectory dir;
  std::string content(10000, 'a');
  content.replace(9000, 3, "end");
  test::write_file(dir / "file", content);
  ByteStream stream(dir / "file");
  EXPECT_EQ(stream.peek(4), "aaaa");
  stream.skip(9000, "letters");
  EXPECT_EQ(read_text(stream, 3), "end");
  EXPECT_THROW(stream.skip(998, "letters"), Error);
  stream.seek(9001);
  EXPECT_EQ(read_text(stream, 2), "nd");
  EXPECT_EQ(stream.left(), 997U);
}

TEST(ByteStream, HoldsAPipeUpToALimit) {
  const test::TemporaryDirectory dir;
  const std::string content(200000, 'x');
  {
    const test::FeedingPipe pipe(dir / "pipe", content);
    ByteStream stream(dir / "pipe");
    EXPECT_EQ(stream.left(), std::nullopt);
    EXPECT_EQ(stream.hold_rest(1 << 20), content.size());
    EXPECT_EQ(stream.left(), content.size());
    EXPECT_EQ(read_text(stream, 300000), content);
    EXPECT_EQ(stream.left(), 0U);
  }
  const test::FeedingPipe pipe(dir / "pipe", content);
  ByteStream stream(dir / "pipe");
  try {
    stream.hold_rest(1000);
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::memory);
  }
}

}  // namespace
}  // namespace phpc::io
