#include "io/files/text_lines.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <chrono>
#include <csignal>
#include <thread>

#include "phpc/core/error.hpp"
#include "support/temporary_directory.hpp"

namespace phpc::io {
namespace {

class TextLinesTest : public testing::Test {
 protected:
  std::vector<std::string> read(const std::string& path) {
    TextLines lines(path);
    std::vector<std::string> all;
    for (std::string_view line; lines.next(line);) {
      all.emplace_back(line);
      EXPECT_EQ(lines.number(), static_cast<index_t>(all.size()));
    }
    std::string_view line;
    EXPECT_FALSE(lines.next(line)) << "a line after the last one";
    return all;
  }

  std::vector<std::string> read_text(const std::string& text) {
    test::write_file(directory_ / "text", text);
    return read(directory_ / "text");
  }

  /// Appends a member.
  void compress(const std::string& name, const std::string& text) {
    gzFile file = gzopen((directory_ / name).c_str(), "ab");
    EXPECT_EQ(gzwrite(file, text.data(), static_cast<unsigned>(text.size())), static_cast<int>(text.size()));
    gzclose(file);
  }

  test::TemporaryDirectory directory_;
};

TEST_F(TextLinesTest, EndWithLineFeedsOrBoth) {
  using Lines = std::vector<std::string>;
  EXPECT_EQ(read_text(""), Lines{});
  EXPECT_EQ(read_text("\n"), Lines{""});
  EXPECT_EQ(read_text("a\r\n\r\nb\rc\n\nd"), (Lines{"a", "", "b", "c", "", "d"}));
  EXPECT_EQ(read_text("\r\r\n\n\r"), (Lines{"", "", "", ""}));
}

/// Whatever the place of a line's end in the blocks that text is read in.
TEST_F(TextLinesTest, EndAnywhere) {
  constexpr std::size_t block = TextBlock::most_bytes;
  for (const std::string end : {"\n", "\r", "\r\n"}) {
    for (std::size_t length = block - 3; length <= block + 1; ++length) {
      const std::string first(length, 'x');
      EXPECT_EQ(read_text(first + end + "b" + end), (std::vector<std::string>{first, "b"})) << length;
      EXPECT_EQ(read_text(first + end), std::vector<std::string>{first}) << length;
    }
  }
}

/// Two kilobytes of gzip can hold a line of any length.
TEST_F(TextLinesTest, RefuseLinesWithoutEnd) {
  const std::string longest(TextLines::longest, 'x');
  EXPECT_EQ(read_text(longest + "\n" + longest).size(), 2U);
  const auto message = [this](const std::string& name) {
    try {
      read(directory_ / name);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::input);
      return std::string(error.what());
    }
    return std::string();
  };
  test::write_file(directory_ / "text", "a\n" + longest + "x\n");
  EXPECT_NE(message("text").find("text:2: the line is longer"), std::string::npos) << message("text");
  compress("text.gz", "a\nb\n" + std::string(std::size_t{1} << 24, 'x'));
  EXPECT_NE(message("text.gz").find("text.gz:3: the line is longer"), std::string::npos) << message("text.gz");
  test::write_file(directory_ / "text", std::string("a\n\nb\0c\n", 7));
  EXPECT_NE(message("text").find("text:3: a zero byte"), std::string::npos) << message("text");
}

/// A signal that ends a system call early ends no text early, and is no error.
TEST_F(TextLinesTest, SurviveSignals) {
  struct sigaction before{};
  struct sigaction quiet{};
  quiet.sa_handler = [](int) {};  // without SA_RESTART
  ASSERT_EQ(sigaction(SIGUSR2, &quiet, &before), 0);
  const std::string path = directory_ / "pipe";
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  const pthread_t reader = pthread_self();
  std::thread writer([&] {
    const int descriptor = open(path.c_str(), O_WRONLY);
    for (int i = 0; i < 20; ++i) {
      EXPECT_EQ(write(descriptor, "line\n", 5), 5);
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      pthread_kill(reader, SIGUSR2);
    }
    close(descriptor);
  });
  std::vector<std::string> lines;
  EXPECT_NO_THROW(lines = read(path));
  writer.join();
  EXPECT_EQ(lines, std::vector<std::string>(20, "line"));
  sigaction(SIGUSR2, &before, nullptr);
}

TEST_F(TextLinesTest, AreLongerThanBlocks) {
  std::vector<std::string> lines;
  std::string text;
  for (const std::size_t length : {131071U, 0U, 131072U, 524289U, 1U, 700000U, 5U}) {
    lines.emplace_back(length, static_cast<char>('a' + lines.size()));
    text += lines.back() + "\n";
  }
  EXPECT_EQ(read_text(text), lines);
  text.pop_back();
  EXPECT_EQ(read_text(text), lines);
  compress("text.gz", text);
  EXPECT_EQ(read(directory_ / "text.gz"), lines);
}

TEST_F(TextLinesTest, GoOnInTheNextMember) {
  compress("text.gz", "one\ntw");
  compress("text.gz", "o\nthree");
  EXPECT_EQ(read(directory_ / "text.gz"), (std::vector<std::string>{"one", "two", "three"}));
}

TEST_F(TextLinesTest, RefuseWhatIsCutShortOrDamaged) {
  std::string text;
  for (int i = 0; i < 10000; ++i) {
    text += std::to_string(i * 7919) + "\n";
  }
  compress("text.gz", text);
  const std::string whole = test::read_file(directory_ / "text.gz");
  for (const std::size_t kept : {whole.size() - 1, whole.size() - 9, whole.size() / 2, std::size_t{12}}) {
    test::write_file(directory_ / "cut.gz", whole.substr(0, kept));
    EXPECT_THROW(read(directory_ / "cut.gz"), Error) << kept;
  }
  std::string damaged = whole;
  damaged[whole.size() / 2] = static_cast<char>(damaged[whole.size() / 2] ^ 0x55);
  test::write_file(directory_ / "damaged.gz", damaged);
  EXPECT_THROW(read(directory_ / "damaged.gz"), Error);
}

TEST_F(TextLinesTest, RefuseWhatIsNoFile) {
  EXPECT_THROW(TextLines(directory_ / "absent"), Error);
  EXPECT_THROW(read(directory_.path().string()), Error);
}

}  // namespace
}  // namespace phpc::io
