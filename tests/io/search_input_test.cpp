#include "phpc/io/search_input.hpp"

#include <gtest/gtest.h>

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
  EXPECT_EQ(plain.queries[1].line, 4);
  const SearchInput bulges = read("  my genome.fa \r\nNNNRG 2 1\r\n\r\nACGNN 65537 first\r\n");
  EXPECT_EQ(bulges.genome_path, "my genome.fa");
  EXPECT_TRUE(bulges.has_bulge_fields);
  EXPECT_EQ(bulges.dna_bulge, 2);
  EXPECT_EQ(bulges.rna_bulge, 1);
  EXPECT_EQ(bulges.queries[0].mismatches, 65537);
  EXPECT_EQ(bulges.queries[0].id, "first");
  EXPECT_EQ(bulges.queries[0].line, 4);
}

TEST_F(SearchInputFile, GoesOnAfterBlankLinesAndWithoutALastLineEnd) {
  EXPECT_EQ(read("g\nNN\nAA 0\n\n\nCC 1").queries.size(), 2U);
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

}  // namespace
}  // namespace phpc::io
