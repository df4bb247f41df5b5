#include "phpc/casoff/site_letters.hpp"

#include <gtest/gtest.h>

#include "phpc/casoff/search.hpp"
#include "support/casoff_oracle.hpp"

namespace phpc::casoff {
namespace {

/// All rows of sites everywhere in a genome are those that are made letter by letter.
void expect_rows_letter_by_letter(std::mt19937_64& random, test::GenomeLetters kind) {
  const std::vector<Contig> contigs = test::random_genome(random, 2, 500, kind);
  const std::size_t length = 8 + random() % 50;
  std::vector<Pattern> guides;
  for (int guide = 0; guide < 3; ++guide) {
    guides.emplace_back(test::random_letters(random, guide == 0 ? "ACGT" : "ACGTRYKMSWBDHVNUX", length));
  }
  const Pattern pattern(std::string(length, 'N'));
  const std::vector<Variant> variants = make_variants(pattern, guides, {.dna = 2, .rna = 3});
  const auto ambiguity = static_cast<Ambiguity>(random() % 3);
  const SiteLetters letters(variants, ambiguity);
  index_t rows = 0;
  GenomePacker packer(1 << 12, max_pattern_length - 1, [&](const GenomeChunk& chunk) {
    for (const Piece& piece : chunk.pieces()) {
      for (index_t first = 0; first < piece.length; ++first) {
        const auto number = random() % variants.size();
        const Variant& variant = variants[number];
        if (first + variant.site_length() > piece.length) {
          continue;
        }
        Site site{};
        site.offset = piece.offset + first;
        site.strand = random() % 2 == 0 ? Strand::plus : Strand::minus;
        site.variant = static_cast<std::int32_t>(number);
        std::string expected = aligned_letters(chunk, site, variant);
        mark_mismatches(expected, variant, ambiguity);
        SiteLetters::Row row;
        ASSERT_EQ(letters.marked_row(chunk, site, row), expected) << "at " << site.offset << " of " << variant.guide_row;
        ++rows;
      }
    }
  });
  for (const Contig& contig : contigs) {
    packer.begin_contig();
    packer.append(contig.letters);
  }
  packer.append(test::random_letters(random, "ACGT", 100));
  packer.finish();
  EXPECT_GT(rows, 0);
}

TEST(SiteLetters, AreThoseMadeLetterByLetter) {
  constexpr unsigned seed = 31;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  std::mt19937_64 random(seed);
  for (int repeat = 0; repeat < 40; ++repeat) {
    expect_rows_letter_by_letter(random, repeat % 2 == 0 ? test::GenomeLetters::acgt : test::GenomeLetters::ambiguous);
  }
}

TEST(SiteLetters, HoldTheLongestRow) {
  const std::string guide(max_pattern_length, 'A');
  const std::vector<Variant> variants = make_variants(Pattern(guide), std::vector{Pattern(guide)}, {});
  const SiteLetters letters(variants, Ambiguity::strict);
  GenomePacker packer(256, max_pattern_length - 1, [&](const GenomeChunk& chunk) {
    SiteLetters::Row row;
    Site site{};
    site.offset = 1;
    EXPECT_EQ(letters.marked_row(chunk, site, row), "c" + std::string(62, 'A') + "g");
    site.strand = Strand::minus;
    EXPECT_EQ(letters.marked_row(chunk, site, row), "c" + std::string(62, 't') + "g");
  });
  packer.begin_contig();
  packer.append("TC" + std::string(62, 'A') + "GT");
  packer.finish();
}

}  // namespace
}  // namespace phpc::casoff
