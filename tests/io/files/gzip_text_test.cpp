#include "io/files/gzip_text.hpp"

#include <gtest/gtest.h>

#include <random>

#include "phpc/core/error.hpp"
#include "phpc/io/fasta.hpp"
#include "support/compressed.hpp"
#include "support/genome_files.hpp"
#include "support/temporary_directory.hpp"

namespace phpc::io {
namespace {

using test::bgzip;
using test::gzip;

class Gzip : public testing::Test {
 protected:
  /// The text of a file of these bytes.
  std::string text_of(std::string_view bytes) {
    const std::string path = directory_ / "x.gz";
    test::write_file(path, bytes);
    const auto source = open_text_file(path);
    std::string text;
    TextBlock block;
    while (source->begin(block)) {
      source->fill(block);
      text += block.text();
    }
    return text;
  }

  /// The error's text, or "" when the file was read.
  std::string error_of(std::string_view bytes) {
    try {
      text_of(bytes);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::input);
      EXPECT_NE(std::string(error.what()).find("x.gz"), std::string::npos);
      return error.what();
    }
    return "";
  }

  static std::string some_text(std::size_t length, unsigned seed = 1) {
    std::mt19937_64 random(seed);
    std::string text(length, ' ');
    for (char& letter : text) {
      letter = "ACGT\n"[random() % 5];
    }
    return text;
  }

  test::TemporaryDirectory directory_;
};

TEST_F(Gzip, IsReadInAnyNumberOfMembersOfBothKinds) {
  const std::string text = some_text(3'000'000);
  EXPECT_TRUE(text_of(gzip(text)) == text);
  EXPECT_TRUE(text_of(bgzip(text)) == text);
  EXPECT_TRUE(text_of(bgzip(text, 1000)) == text);
  std::string members;
  for (std::size_t at = 0; at < text.size(); at += 300'000) {
    members += gzip(text.substr(at, 300'000));
  }
  EXPECT_TRUE(text_of(members) == text);
  EXPECT_EQ(text_of(gzip("")), "");
  EXPECT_EQ(text_of(gzip("") + gzip("a") + gzip("") + gzip("bc")), "abc");
  EXPECT_EQ(text_of(bgzip("abc") + gzip("d") + bgzip("e") + bgzip("f")), "abcdef");
  EXPECT_EQ(text_of(gzip("abc") + bgzip("d")), "abcd");
  EXPECT_EQ(text_of(test::bgzip_end()), "");
  EXPECT_EQ(text_of(gzip("abc") + std::string(1'000'000, '\0')), "abc") << "padding of zero bytes";
}

TEST_F(Gzip, RefusesEveryTruncation) {
  const std::string text = some_text(150);
  for (const std::string& whole : {gzip(text), bgzip(text, 100), gzip(text) + gzip(text)}) {
    const std::size_t member = gzip(text).size();
    for (std::size_t length = 2; length < whole.size(); ++length) {
      if (length == member && whole.size() == 2 * member) {
        continue;  // a whole file as well
      }
      EXPECT_NE(error_of(whole.substr(0, length)), "") << length << " of " << whole.size();
    }
  }
}

TEST_F(Gzip, RefusesWhatIsDamaged) {
  const std::string text = some_text(3000);
  for (const std::string& whole : {gzip(text), bgzip(text, 700)}) {
    EXPECT_NE(error_of(whole + "rubbish").find("damaged"), std::string::npos);
    constexpr unsigned seed = 4;
    std::mt19937_64 random(seed);
    for (int repeat = 0; repeat < 150; ++repeat) {
      std::string changed = whole;
      const std::size_t at = 20 + random() % (changed.size() - 20);
      changed[at] = static_cast<char>(changed[at] ^ (1 << (random() % 8)));
      if (error_of(changed).empty()) {
        EXPECT_EQ(text_of(changed), text) << "seed " << seed << ", byte " << at;  // a byte that means nothing
      }
    }
  }
}

TEST_F(Gzip, SurvivesAnyChangedBytes) {
  const std::string whole = bgzip(some_text(500), 100) + gzip(some_text(500));
  constexpr unsigned seed = 6;
  std::mt19937_64 random(seed);
  for (int repeat = 0; repeat < 250; ++repeat) {
    std::string changed = whole;
    for (int change = 0; change < 3; ++change) {
      changed[2 + random() % (changed.size() - 2)] = static_cast<char>(random());
    }
    error_of(changed);  // read or refused, and nothing else
  }
}

TEST_F(Gzip, HoldsFastaThatIsReadBySeveralThreads) {
  const std::string letters = some_text(2'000'000, 9);
  const std::string fasta = ">a b\n" + letters + "\n>c\nACGT\n";
  std::string expected;
  for (const char letter : letters) {
    expected += letter == '\n' ? "" : std::string(1, letter);
  }
  for (const int threads : {1, 4}) {
    for (const std::string& packed : {gzip(fasta), bgzip(fasta)}) {
      test::write_file(directory_ / "g.fa.gz", packed);
      test::CollectingConsumer consumer;
      read_fasta(directory_ / "g.fa.gz", consumer, threads);
      ASSERT_EQ(consumer.sequences.size(), 2U);
      EXPECT_EQ(consumer.sequences[0].first, "a b");
      EXPECT_TRUE(consumer.sequences[0].second == expected);
      EXPECT_EQ(consumer.sequences[1].second, "ACGT");
    }
  }
}

}  // namespace
}  // namespace phpc::io
