#include "support/casoff_oracle.hpp"

#include <algorithm>
#include <cctype>
#include <map>

namespace phpc::test {

namespace {

/// The bases of an IUPAC letter; "" for any other character.
std::string bases_of(char letter) {
  static const std::map<char, std::string> meaning = {{'A', "A"},   {'C', "C"},   {'G', "G"},   {'T', "T"},   {'R', "AG"},
                                                      {'Y', "CT"},  {'K', "GT"},  {'M', "AC"},  {'S', "CG"},  {'W', "AT"},
                                                      {'B', "CGT"}, {'D', "AGT"}, {'H', "ACT"}, {'V', "ACG"}, {'N', "ACGT"}};
  const auto found = meaning.find(letter);
  return found == meaning.end() ? "" : found->second;
}

char complement_of(char letter) {
  const std::string from = "ACGTRYKMSWBDHVN";
  const std::string to = "TGCAYRMKSWVHDBN";
  const std::size_t at = from.find(letter);
  return at == std::string::npos ? letter : to[at];
}

bool contains(const std::string& set, char letter) {
  return set.find(letter) != std::string::npos;
}

bool mismatch(char query, char letter, casoff::Ambiguity ambiguity) {
  const std::string wanted = bases_of(query);
  if (wanted.empty() || query == 'N') {
    return false;
  }
  const std::string given = bases_of(letter);
  switch (ambiguity) {
    case casoff::Ambiguity::cas_offinder:
      return wanted.size() == 1 ? letter != query : given.size() == 1 && !contains(wanted, letter);
    case casoff::Ambiguity::strict:
      return given.empty() || !std::all_of(given.begin(), given.end(), [&](char base) { return contains(wanted, base); });
    case casoff::Ambiguity::any:
      return std::none_of(given.begin(), given.end(), [&](char base) { return contains(wanted, base); });
  }
  return true;
}

std::string upper(std::string text) {
  for (char& letter : text) {
    letter = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
  }
  return text;
}

}  // namespace

std::ostream& operator<<(std::ostream& out, const OracleSite& site) {
  return out << "contig " << site.contig << " position " << site.position << ' ' << site.strand << " guide " << site.guide << ' '
             << site.mismatches << " mismatches " << site.letters;
}

std::vector<OracleSite> oracle_search(std::span<const casoff::Contig> contigs, const std::string& pattern_as_given,
                                      std::span<const OracleGuide> guides, casoff::Ambiguity ambiguity) {
  const std::string pattern = upper(pattern_as_given);
  std::vector<OracleSite> sites;
  for (std::size_t contig = 0; contig < contigs.size(); ++contig) {
    const std::string letters = upper(contigs[contig].letters);
    for (std::size_t position = 0; position + pattern.size() <= letters.size(); ++position) {
      for (const char strand : {'+', '-'}) {
        std::string window = letters.substr(position, pattern.size());
        if (strand == '-') {
          std::reverse(window.begin(), window.end());
          std::transform(window.begin(), window.end(), window.begin(), complement_of);
        }
        bool fits = true;
        for (std::size_t i = 0; i < window.size(); ++i) {
          fits = fits && !mismatch(pattern[i], window[i], ambiguity);
        }
        for (std::size_t guide = 0; fits && guide < guides.size(); ++guide) {
          const std::string query = upper(guides[guide].sequence);
          std::string shown = window;
          int count = 0;
          for (std::size_t i = 0; i < window.size(); ++i) {
            if (mismatch(query[i], window[i], ambiguity)) {
              ++count;
              shown[i] = static_cast<char>(window[i] + 32);
            }
          }
          if (count <= guides[guide].threshold) {
            sites.push_back(
                {static_cast<index_t>(contig), static_cast<index_t>(position), strand, static_cast<int>(guide), count, shown});
          }
        }
      }
    }
  }
  return sites;
}

std::vector<OracleSite> as_oracle_sites(std::span<const casoff::FoundSite> found) {
  std::vector<OracleSite> sites;
  for (const casoff::FoundSite& one : found) {
    sites.push_back(
        {one.site.contig, one.site.position, casoff::to_char(one.site.strand), one.site.guide, one.site.mismatches, one.letters});
  }
  return sites;
}

std::vector<casoff::Guide> as_guides(std::span<const OracleGuide> guides) {
  std::vector<casoff::Guide> made;
  for (const OracleGuide& guide : guides) {
    made.push_back({casoff::Pattern(guide.sequence), guide.threshold, ""});
  }
  return made;
}

std::string random_letters(std::mt19937_64& random, std::string_view alphabet, std::size_t length) {
  std::string letters(length, ' ');
  for (char& letter : letters) {
    letter = alphabet[random() % alphabet.size()];
  }
  return letters;
}

std::vector<casoff::Contig> random_genome(std::mt19937_64& random, int contigs, std::size_t longest, GenomeLetters letters) {
  std::vector<casoff::Contig> genome;
  for (int contig = 0; contig < contigs; ++contig) {
    const std::size_t length = random() % 4 == 0 ? random() % 30 : random() % (longest + 1);
    std::string own = random_letters(random, "ACGTACGTacgt", length);
    for (std::size_t i = 0; letters == GenomeLetters::ambiguous && i < length; ++i) {
      if (random() % 8 == 0) {
        own[i] = "RYKMSWBDHVNrykmswbdhvnXU-*ux"[random() % 28];
      }
    }
    if (length > 40 && random() % 2 == 0) {
      own.replace(random() % (length - 30), 30, std::string(30, 'N'));
    }
    genome.push_back({"contig" + std::to_string(contig), own});
  }
  return genome;
}

}  // namespace phpc::test
