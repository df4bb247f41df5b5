#include "phpc/io/features.hpp"

#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
#include <random>
#include <tuple>

#include "phpc/core/error.hpp"
#include "support/compressed.hpp"
#include "support/temporary_directory.hpp"

namespace phpc::io {
namespace {

using Names = std::vector<std::string>;

Names overlapping(const FeatureIndex& index, std::string_view sequence, index_t begin, index_t end) {
  std::vector<std::string_view> names{"left from before"};
  index.overlapping(sequence, begin, end, names);
  return {names.begin(), names.end()};
}

FeatureIndex read_text(const std::string& file, const std::string& text, const std::vector<std::string>& types = {}) {
  const test::TemporaryDirectory directory;
  test::write_file(directory / file, text);
  return read_features(directory / file, types);
}

TEST(FeatureIndex, FindsWhatTheDefinitionFinds) {
  const std::uint64_t seed = std::random_device{}();
  SCOPED_TRACE(seed);
  std::mt19937_64 random(seed);
  struct Feature {
    std::string sequence;
    index_t begin;
    index_t end;
    std::string name;
    std::size_t number;
  };
  for (int round = 0; round < 200; ++round) {
    std::vector<Feature> features;
    FeatureIndex index;
    const std::size_t count = random() % 60;
    for (std::size_t i = 0; i < count; ++i) {
      const auto begin = static_cast<index_t>(random() % 40);
      features.push_back({random() % 2 == 0 ? "a" : "b", begin,
                          begin + static_cast<index_t>(random() % (random() % 4 == 0 ? 40 : 5)),
                          "f" + std::to_string(random() % 30), i});
      index.add(features.back().sequence, begin, features.back().end, features.back().name);
    }
    index.build();
    EXPECT_EQ(index.size(), static_cast<index_t>(count));
    std::sort(features.begin(), features.end(),
              [](const Feature& a, const Feature& b) { return std::tie(a.begin, a.number) < std::tie(b.begin, b.number); });
    for (int query = 0; query < 50; ++query) {
      const std::string sequence = query % 3 == 0 ? "a" : query % 3 == 1 ? "b" : "c";
      const auto begin = static_cast<index_t>(random() % 45);
      const index_t end = begin + static_cast<index_t>(random() % 12);
      Names expected;
      for (const Feature& feature : features) {
        bool shares = false;
        for (index_t base = begin; base < end; ++base) {
          shares = shares || (base >= feature.begin && base < feature.end);
        }
        if (feature.sequence == sequence && shares &&
            std::find(expected.begin(), expected.end(), feature.name) == expected.end()) {
          expected.push_back(feature.name);
        }
      }
      EXPECT_EQ(overlapping(index, sequence, begin, end), expected) << sequence << ' ' << begin << ' ' << end;
    }
  }
}

TEST(Features, OfBedAreHalfOpen) {
  const FeatureIndex index = read_text("x.bed",
                                       "# comment\ntrack name=x\nbrowser position chr1\n\n"
                                       "chr1\t10\t20\tone\t0\t+\r\nchr1\t19\t21\nchr1\t15\t15\tempty\nchr2 0 5 two words\n"
                                       "chr 3\t0\t1\tthree\n");
  EXPECT_EQ(index.size(), 5);
  EXPECT_EQ(overlapping(index, "chr1", 0, 10), Names{});
  EXPECT_EQ(overlapping(index, "chr1", 0, 11), Names{"one"});
  EXPECT_EQ(overlapping(index, "chr1", 14, 16), Names{"one"});
  EXPECT_EQ(overlapping(index, "chr1", 19, 20), (Names{"one", "chr1:19-21"}));
  EXPECT_EQ(overlapping(index, "chr1", 20, 30), Names{"chr1:19-21"});
  EXPECT_EQ(overlapping(index, "chr1", 21, 30), Names{});
  EXPECT_EQ(overlapping(index, "chr2", 0, 100), Names{"two"});
  EXPECT_EQ(overlapping(index, "chr 3", 0, 100), Names{"three"});
  EXPECT_TRUE(index.has_sequence("chr2"));
  EXPECT_FALSE(index.has_sequence("2"));
}

TEST(Features, OfGffIncludeBothEnds) {
  const std::string text =
      "##gff-version 3\n"
      "1\tsrc\tchromosome\t1\t1000\t.\t.\t.\tID=chromosome:1\n"
      "1\tsrc\tgene\t11\t20\t.\t+\t.\tID=gene:E1;Name=A%3BB;biotype=x\n"
      "1\tsrc\texon\t11\t12\t.\t+\t.\tParent=transcript:T1\n"
      "1\tsrc\tmotif\t30\t30\t.\t+\t.\n"
      "##FASTA\n>1\nACGT\n";
  const FeatureIndex index = read_text("x.gff3", text);
  EXPECT_EQ(overlapping(index, "1", 0, 10), Names{});
  EXPECT_EQ(overlapping(index, "1", 10, 11), (Names{"gene:A;B", "exon:transcript:T1"}));
  EXPECT_EQ(overlapping(index, "1", 12, 13), Names{"gene:A;B"});
  EXPECT_EQ(overlapping(index, "1", 19, 25), Names{"gene:A;B"});
  EXPECT_EQ(overlapping(index, "1", 20, 25), Names{});
  EXPECT_EQ(overlapping(index, "1", 29, 30), Names{"motif"});
  EXPECT_EQ(overlapping(read_text("X.GFF", text, {"exon", "chromosome"}), "1", 0, 100),
            (Names{"chromosome:chromosome:1", "exon:transcript:T1"}));
}

TEST(Features, OfGtfAreNamedForTheirGenes) {
  const std::string attributes = "gene_id \"E1\"; transcript_id \"T1\"; gene_name \"TP;53\"; level 2;";
  const FeatureIndex index =
      read_text("x.gtf", "chr1\tsrc\tgene\t1\t9\t.\t+\t.\t" + attributes + "\nchr1\tsrc\texon\t1\t4\t.\t+\t.\t" + attributes +
                             "\nchr1\tsrc\texon\t2\t5\t.\t+\t.\t" + attributes + "\n");
  EXPECT_EQ(overlapping(index, "chr1", 0, 9), (Names{"gene:TP;53", "exon:TP;53"}));
}

TEST(Features, MayBeCompressed) {
  const test::TemporaryDirectory directory;
  gzFile file = gzopen((directory / "x.bed.gz").c_str(), "wb");
  gzputs(file, "chr1\t0\t5\tone\n");
  gzclose(file);
  EXPECT_EQ(overlapping(read_features(directory / "x.bed.gz", {}), "chr1", 4, 5), Names{"one"});
}

/// Whatever byte of a compressed file is lost or changed: an error, or all features.
TEST(Features, AreNeverSomeOfADamagedFilesFeatures) {
  const test::TemporaryDirectory directory;
  std::string text;
  for (int i = 0; i < 12; ++i) {
    text += "chr1\t" + std::to_string(10 * i) + "\t" + std::to_string(10 * i + 5) + "\tf" + std::to_string(i) + "\n";
  }
  // Two members of gzip, and blocks of bgzip.
  const std::string members = test::gzip(text.substr(0, text.size() / 2)) + test::gzip(text.substr(text.size() / 2));
  for (const std::string& whole : {members, test::bgzip(text, 80)}) {
    const auto is_all_or_nothing = [&](const std::string& bytes) {
      test::write_file(directory / "x.bed.gz", bytes);
      try {
        return read_features(directory / "x.bed.gz", {}).size() == 12;
      } catch (const Error& error) {
        return error.kind() == ErrorKind::input && std::string(error.what()).find("x.bed.gz") != std::string::npos;
      }
    };
    ASSERT_TRUE(is_all_or_nothing(whole));
    for (std::size_t length = 0; length < whole.size(); ++length) {
      if (length != test::gzip(text.substr(0, text.size() / 2)).size()) {  // a member less leaves a whole file
        EXPECT_TRUE(is_all_or_nothing(whole.substr(0, length))) << length << " of " << whole.size();
      }
    }
    for (std::size_t at = 0; at < whole.size(); ++at) {
      std::string damaged = whole;
      damaged[at] = static_cast<char>(damaged[at] ^ (1 << at % 8));
      EXPECT_TRUE(is_all_or_nothing(damaged)) << "byte " << at << " of " << whole.size();
    }
  }
}

TEST(Features, MayLieOnSequencesCalledLikeSettings) {
  const FeatureIndex index = read_text("x.bed", "track name=x\ntrack1\t0\t5\tone\nbrowser\t0\t5\ttwo\nbrowser hide all\ntrack\n");
  EXPECT_EQ(index.size(), 2);
  EXPECT_EQ(overlapping(index, "track1", 0, 1), Names{"one"});
  EXPECT_EQ(overlapping(index, "browser", 0, 1), Names{"two"});
}

TEST(Features, AreReadOrRefusedWhateverTheBytes) {
  const std::uint64_t seed = std::random_device{}();
  SCOPED_TRACE(seed);
  std::mt19937_64 random(seed);
  const std::string bed = "track x\nchr1\t0\t5\tone\nchr2\t9223372036854775807\t9223372036854775807\n#\nchr1 3 4\r\n";
  const std::string gff =
      "##gff\nchr1\ts\tgene\t1\t5\t.\t+\t.\tID=a%20b;Name=c\nchr1\ts\texon\t2\t3\t.\t+\t.\tgene_id \"x;y\"; gene_name \"z\"\n";
  for (int round = 0; round < 300; ++round) {
    const bool is_bed = round % 2 == 0;
    std::string text = is_bed ? bed : gff;
    for (std::size_t change = random() % 6; change > 0; --change) {
      const std::size_t at = random() % text.size();
      switch (random() % 3) {
        case 0:
          text[at] = static_cast<char>(random());
          break;
        case 1:
          text.insert(at, 1, "\t\n%\";=-0"[random() % 8]);
          break;
        default:
          text.resize(at + 1);
      }
    }
    try {
      const FeatureIndex index = read_text(is_bed ? "x.bed" : "x.gff", text);
      overlapping(index, "chr1", 0, 10);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::input) << error.what();
    }
  }
}

TEST(Features, RefuseWhatDoesNotFit) {
  const auto message = [](const std::string& file, const std::string& text, const std::vector<std::string>& types = {}) {
    try {
      read_text(file, text, types);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_NE(message("x.bed", "a\t0\t1\na\t5\n").find("x.bed:2: no BED line"), std::string::npos);
  EXPECT_NE(message("x.bed", "a\t-1\t1\n").find("x.bed:1: '-1' is no position"), std::string::npos);
  EXPECT_NE(message("x.bed", "a\t5\t4\n").find("x.bed:1: '4' is no position"), std::string::npos);
  EXPECT_NE(message("x.bed", "a\tx\t4\n").find("x.bed:1: 'x'"), std::string::npos);
  EXPECT_NE(message("x.gff", "a\tb\tc\t0\t4\t.\t.\t.\n").find("x.gff:1: '0' is no position"), std::string::npos);
  EXPECT_NE(message("x.gff", "a b c 0 4 . . .\n").find("x.gff:1: no GFF line"), std::string::npos);
  EXPECT_NE(message("x.txt", "").find("ending"), std::string::npos);
  EXPECT_NE(message("x.bed", "", {"gene"}).find("have no type"), std::string::npos);
}

}  // namespace
}  // namespace phpc::io
