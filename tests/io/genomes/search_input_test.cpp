#include "phpc/io/search_input.hpp"

#include <gtest/gtest.h>

#include <random>

#include "phpc/core/error.hpp"
#include "support/temporary_directory.hpp"

namespace phpc::io {
namespace {

class SearchInputFile : public testing::Test {
 protected:
  SearchInput read(std::string_view text) {
    test::write_file(directory_ / "input.txt", text);
    return read_search_input(directory_ / "input.txt");
  }

  std::string error_of(std::string_view text) {
    try {
      read(text);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::input);
      const std::string message = error.what();
      const std::size_t name = message.find("input.txt");
      return name == std::string::npos ? message : message.substr(name);
    }
    return "no error";
  }

  test::TemporaryDirectory directory_;
};

TEST_F(SearchInputFile, IsReadInVersion2And3) {
  const SearchInput plain = read("genome.fa\nNNNRG\nACGNN 2\nacgnn\t10\n");
  EXPECT_EQ(plain.genome_path, "genome.fa");
  EXPECT_EQ(plain.pattern, "NNNRG");
  EXPECT_FALSE(plain.has_bulge_fields);
  ASSERT_EQ(plain.queries.size(), 2U);
  EXPECT_EQ(plain.queries[1].sequence, "acgnn");
  EXPECT_EQ(plain.queries[1].mismatches, 10);
  EXPECT_EQ(plain.queries[1].id, "");
  EXPECT_TRUE(plain.queries[1].place.ends_with("input.txt:4"));
  const SearchInput bulges = read("  my genome.fa \r\nNNNRG 2 1\r\n\r\nACGNN 65537 first\r\n");
  EXPECT_EQ(bulges.genome_path, "my genome.fa");
  EXPECT_TRUE(bulges.has_bulge_fields);
  EXPECT_EQ(bulges.dna_bulge, 2);
  EXPECT_EQ(bulges.rna_bulge, 1);
  EXPECT_EQ(bulges.queries[0].mismatches, 65537);
  EXPECT_EQ(bulges.queries[0].id, "first");
  EXPECT_TRUE(bulges.queries[0].place.ends_with("input.txt:4"));
  EXPECT_TRUE(bulges.pattern_place.ends_with("input.txt:2"));
}

TEST_F(SearchInputFile, GoesOnAfterBlankLinesAndWithoutALastLineEnd) {
  EXPECT_EQ(read("g\nNN\nAA 0\n\n\nCC 1").queries.size(), 2U);
}

TEST_F(SearchInputFile, TakesLinesThatEndInReturnsAlone) {
  const SearchInput input = read("g\rNN\rAA 0 a\r\rCC 1 b\r");
  ASSERT_EQ(input.queries.size(), 2U);
  EXPECT_TRUE(input.queries[1].place.ends_with("input.txt:5"));
}

TEST_F(SearchInputFile, NamesTheLineOfWhatIsMalformed) {
  EXPECT_EQ(error_of("g\nNNNRG\nACGNN\n").substr(0, 12), "input.txt:3:");
  EXPECT_EQ(error_of("g\nNNNRG\nACGNN 1\nACGNN 1 a b\n").substr(0, 12), "input.txt:4:");
  EXPECT_EQ(error_of("g\nNNNRG\nACGN 1\n").substr(0, 12), "input.txt:3:");
  EXPECT_EQ(error_of("g\nNNNRG\nACG7N 1\n").substr(0, 12), "input.txt:3:");
  for (const std::string number : {"abc", "2.9", "-1", "1e2", "99999999999999999999", "+1", "0x1"}) {
    EXPECT_EQ(error_of("g\nNNNRG\nACGNN " + number + "\n").substr(0, 12), "input.txt:3:") << number;
  }
  EXPECT_EQ(error_of("g\nNNNRG 1\nACGNN 1\n").substr(0, 12), "input.txt:2:");
  EXPECT_EQ(error_of("g\nNNNRG 1 x\nACGNN 1\n").substr(0, 12), "input.txt:2:");
  EXPECT_EQ(error_of("g\nNN?RG\nACGNN 1\n").substr(0, 12), "input.txt:2:");
  EXPECT_EQ(error_of("g\nNNNRG\nACGNN 1\nACGNN 1 id\n").substr(0, 12), "input.txt:4:");
  EXPECT_EQ(error_of("g\nNNNRG\nACGNN 1 id\nACGNN 1\n").substr(0, 12), "input.txt:4:");
  EXPECT_EQ(error_of(std::string("g\nNNN\0G\nACGNN 1\n", 16)).substr(0, 12), "input.txt:2:");
}

TEST_F(SearchInputFile, SaysWhatIsMissing) {
  EXPECT_NE(error_of("").find("is empty"), std::string::npos);
  EXPECT_NE(error_of("\n \r\n").find("is empty"), std::string::npos);
  EXPECT_NE(error_of("g\n").find("no pattern"), std::string::npos);
  EXPECT_NE(error_of("g\nNNN\n\n").find("no query"), std::string::npos);
  EXPECT_THROW(read_search_input(directory_ / "absent.txt"), Error);
  EXPECT_THROW(read_search_input(directory_.path().string()), Error);
}

TEST_F(SearchInputFile, SurvivesAnyChangedByte) {
  const std::string whole = "genome.fa\nNNNRG 1 2\r\nACGNN 2 a\nacgnn\t10 b\n";
  constexpr unsigned seed = 8;
  std::mt19937_64 random(seed);
  for (int repeat = 0; repeat < 200; ++repeat) {
    std::string changed = whole;
    for (int change = 0; change < 3; ++change) {
      changed[random() % changed.size()] = static_cast<char>(random());
    }
    error_of(changed);  // read or refused, and nothing else
  }
}

class GuideList : public SearchInputFile {
 protected:
  std::vector<GuideText> guides(std::string_view text) {
    test::write_file(directory_ / "guides.txt", text);
    return read_guides(directory_ / "guides.txt");
  }
};

TEST_F(GuideList, IsReadWithAndWithoutMismatchesAndIds) {
  const std::vector<GuideText> some = guides("ACG\r\n\nACT 3\nAGG\t4 x:y\n");
  ASSERT_EQ(some.size(), 3U);
  EXPECT_FALSE(some[0].mismatches.has_value());
  EXPECT_EQ(some[1].mismatches, 3);
  EXPECT_EQ(some[2].id, "x:y");
  EXPECT_TRUE(some[2].place.ends_with("guides.txt:4"));
  EXPECT_THROW(guides(""), Error);
  EXPECT_THROW(guides("ACG 1 a b\n"), Error);
  EXPECT_THROW(guides("ACG x\n"), Error);
}

/// Refused before any guide takes memory, hundreds of bytes for each of these lines.
TEST_F(GuideList, IsRefusedWhereItIsTooLong) {
  std::string text;
  for (int i = 0; i < (1 << 22) + 3; ++i) {
    text += "A\n";
  }
  try {
    guides(text);
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("guides.txt' has 4194307 lines, more than a search takes"), std::string::npos)
        << error.what();
  }
  EXPECT_NE(error_of(text).find("input.txt' has 4194307 lines"), std::string::npos) << error_of(text);
}

TEST(GuideArgument, IsSequenceMismatchesAndId) {
  EXPECT_EQ(parse_guide("ACG").sequence, "ACG");
  EXPECT_FALSE(parse_guide("ACG").mismatches.has_value());
  EXPECT_EQ(parse_guide("ACG:0").mismatches, 0);
  EXPECT_EQ(parse_guide("ACG:2:a:b").id, "a:b");
  for (const std::string text : {"ACG:", "ACG:x", "ACG:-1", "ACG::a", "ACG:1:a b", "ACG:1:a\vb"}) {
    EXPECT_THROW(parse_guide(text), Error) << text;
  }
}

TEST(CommandLineInput, FillsUpGuidesOnThePamsSide) {
  const auto query = [](const std::string& pattern, const std::string& guide) {
    return make_search_input("g", pattern, {parse_guide(guide)}, 3).queries.at(0);
  };
  EXPECT_EQ(query("NNNNRG", "ACG:1").sequence, "ACGNNN");
  EXPECT_EQ(query("NNNNRG", "ACG:1").mismatches, 1);
  EXPECT_EQ(query("NNNNRG", "ACG").mismatches, 3);
  EXPECT_EQ(query("TTTVNNN", "ACG").sequence, "NNNNACG");
  EXPECT_EQ(query("NNNNRG", "ACGTNN").sequence, "ACGTNN");
  EXPECT_EQ(query("NNNNRG", "GuUACU").sequence, "GtTACT");
  EXPECT_EQ(query("uuuVNNN", "AUG").sequence, "NNNNATG");
  EXPECT_THROW(query("NNNN", "ACG"), Error);
  EXPECT_THROW(query("TNNG", "ACG"), Error);
  EXPECT_THROW(query("NNRG", "ACGTA"), Error);
  EXPECT_THROW(query("NN?", "ACG"), Error);
  EXPECT_THROW(query("NNNG", ""), Error);
  EXPECT_THROW(make_search_input("g", "NNG", {parse_guide("ACG")}, std::nullopt), Error);
  EXPECT_THROW(make_search_input("g", "NNG", {parse_guide("ACG:1:a"), parse_guide("ACG:1")}, 3), Error);
}

}  // namespace
}  // namespace phpc::io
