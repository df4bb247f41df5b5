#include "io/text_lines.hpp"

#include <gtest/gtest.h>
#include <zlib.h>

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
  EXPECT_EQ(read_text("a\r\n\r\nb\rc\n\nd"), (Lines{"a", "", "b\rc", "", "d"}));
}

TEST_F(TextLinesTest, AreOfAnyLength) {
  std::vector<std::string> lines;
  std::string text;
  for (const std::size_t length : {131071U, 0U, 131072U, 131073U, 1U, 400000U, 5U}) {
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
