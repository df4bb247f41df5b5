#include "support/casoff_oracle.hpp"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <map>
#include <tuple>

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

bool mismatch_by_sets(char query, char letter, casoff::Ambiguity ambiguity) {
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

/// The same, remembered for all pairs of letters.
bool mismatch(char query, char letter, casoff::Ambiguity ambiguity) {
  static const std::vector<bool> remembered = [] {
    std::vector<bool> all;
    for (const auto policy : {casoff::Ambiguity::cas_offinder, casoff::Ambiguity::strict, casoff::Ambiguity::any}) {
      for (int pair = 0; pair < 65536; ++pair) {
        all.push_back(mismatch_by_sets(static_cast<char>(pair / 256), static_cast<char>(pair % 256), policy));
      }
    }
    return all;
  }();
  return remembered[static_cast<std::size_t>(ambiguity) * 65536 + static_cast<unsigned char>(query) * 256U +
                    static_cast<unsigned char>(letter)];
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
             << site.mismatches << " mismatches " << site.guide_row << '/' << site.letters;
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
            sites.push_back({static_cast<index_t>(contig), static_cast<index_t>(position), strand, static_cast<int>(guide), count,
                             shown, "", ""});
          }
        }
      }
    }
  }
  return sites;
}

namespace {

/// Appends to `rows` every row of steps for guide letters [at, end): 'M' a letter over a base, 'D' a base without letter, 'R' a
/// letter without base.
void write_rows(std::size_t letters, int dna, int rna, const std::string& so_far, std::vector<std::string>& rows) {
  if (letters == 0) {
    rows.push_back(so_far);
  } else {
    write_rows(letters - 1, dna, rna, so_far + 'M', rows);
    if (rna > 0) {
      write_rows(letters - 1, dna, rna - 1, so_far + 'R', rows);
    }
  }
  if (dna > 0) {
    write_rows(letters, dna - 1, rna, so_far + 'D', rows);
  }
}

std::size_t runs_of(const std::string& row, char step) {
  std::size_t runs = 0;
  for (std::size_t i = 0; i < row.size(); ++i) {
    runs += row[i] == step && (i == 0 || row[i - 1] != step) ? 1U : 0U;
  }
  return runs;
}

bool is_allowed(const std::string& row, bool pam_is_last, const OracleBulges& bulges) {
  const std::size_t runs = runs_of(row, 'D') + runs_of(row, 'R');
  const bool touch = row.find("DR") != std::string::npos || row.find("RD") != std::string::npos;
  // After the guide's last letter only bases may come.
  const bool last_letter_stays = row.find_last_of("MR") != std::string::npos && row[row.find_last_of("MR")] == 'M';
  const bool idle = pam_is_last ? row.front() == 'D' : row.back() == 'D';
  return (bulges.mixed || runs <= 1) && !touch && last_letter_stays && !idle;
}

struct OracleRow {
  std::string guide_row;
  std::string steps;
};

std::vector<OracleRow> oracle_rows(const std::string& guide, bool pam_is_last, const OracleBulges& bulges) {
  const std::size_t first = guide.find_first_not_of('N');
  std::vector<OracleRow> made;
  std::vector<std::string> rows;
  std::size_t end = 0;
  if (first == std::string::npos) {
    rows = {""};
  } else {
    end = guide.find_last_not_of('N') + 1;
    write_rows(end - first, bulges.dna, bulges.mixed ? bulges.rna : 0, "", rows);
    if (!bulges.mixed) {
      std::vector<std::string> others;
      write_rows(end - first, 0, bulges.rna, "", others);
      std::copy_if(others.begin(), others.end(), std::back_inserter(rows),
                   [](const std::string& row) { return row.find('R') != std::string::npos; });
    }
    std::erase_if(rows, [&](const std::string& row) { return !is_allowed(row, pam_is_last, bulges); });
  }
  for (const std::string& row : rows) {
    OracleRow one{guide.substr(0, end == 0 ? 0 : first), std::string(end == 0 ? 0 : first, 'M')};
    std::size_t letter = end == 0 ? 0 : first;
    for (const char step : row) {
      one.guide_row += step == 'D' ? '-' : guide[letter++];
      one.steps += step;
    }
    one.guide_row += guide.substr(letter);
    one.steps += std::string(guide.size() - letter, 'M');
    made.push_back(one);
  }
  return made;
}

}  // namespace

std::vector<OracleSite> oracle_bulge_search(std::span<const casoff::Contig> contigs, const std::string& pattern_as_given,
                                            std::span<const OracleGuide> guides, const OracleBulges& bulges,
                                            casoff::Ambiguity ambiguity) {
  const std::string pattern = upper(pattern_as_given);
  const bool pam_is_last = pattern[0] == 'N';
  std::vector<OracleSite> sites;
  for (std::size_t guide = 0; guide < guides.size(); ++guide) {
    for (const OracleRow& row : oracle_rows(upper(guides[guide].sequence), pam_is_last, bulges)) {
      const auto length = row.steps.size() - static_cast<std::size_t>(std::count(row.steps.begin(), row.steps.end(), 'R'));
      std::string required = pattern;  // over the window's letters
      while (required.size() < length) {
        required.insert(pam_is_last ? 0 : required.size(), 1, 'N');
      }
      while (required.size() > length) {
        required.erase(pam_is_last ? 0 : required.size() - 1, 1);
      }
      for (std::size_t contig = 0; contig < contigs.size(); ++contig) {
        const std::string letters = upper(contigs[contig].letters);
        for (std::size_t position = 0; position + length <= letters.size(); ++position) {
          for (const char strand : {'+', '-'}) {
            std::string window = letters.substr(position, length);
            if (strand == '-') {
              std::reverse(window.begin(), window.end());
              std::transform(window.begin(), window.end(), window.begin(), complement_of);
            }
            bool fits = true;
            for (std::size_t i = 0; i < length; ++i) {
              fits = fits && !mismatch(required[i], window[i], ambiguity);
            }
            if (!fits) {
              continue;
            }
            std::string shown;
            int count = 0;
            std::size_t base = 0;
            for (std::size_t i = 0; i < row.steps.size(); ++i) {
              if (row.steps[i] == 'R') {
                shown += '-';
                continue;
              }
              const char letter = window[base++];
              const bool differs = row.steps[i] == 'M' && mismatch(row.guide_row[i], letter, ambiguity);
              count += differs ? 1 : 0;
              shown += static_cast<char>(differs ? letter + 32 : letter);
            }
            if (count <= guides[guide].threshold) {
              sites.push_back({static_cast<index_t>(contig), static_cast<index_t>(position), strand, static_cast<int>(guide),
                               count, shown, row.guide_row, row.steps});
            }
          }
        }
      }
    }
  }
  std::sort(sites.begin(), sites.end());
  return sites;
}

std::vector<OracleSite> oracle_best(std::vector<OracleSite> sites, const std::string& pattern) {
  const bool pam_is_last = pattern[0] == 'N' || pattern[0] == 'n';
  const auto steps_of = [](const OracleSite& site, char step) { return std::count(site.steps.begin(), site.steps.end(), step); };
  // Gaps in the guide's row first, then gaps in the site's row, then letters.
  const auto places = [](std::string steps) {
    std::replace(steps.begin(), steps.end(), 'R', 'E');
    return steps;
  };
  const auto locus = [&](const OracleSite& site) {
    const bool pam_is_right = pam_is_last == (site.strand == '+');
    const index_t length = static_cast<index_t>(site.steps.size()) - steps_of(site, 'R');
    return std::tuple(site.contig, site.position + (pam_is_right ? length : 0), site.strand, site.guide);
  };
  const auto rank = [&](const OracleSite& site) {
    const auto gaps = steps_of(site, 'D') + steps_of(site, 'R');
    return std::tuple(site.mismatches + gaps, gaps, steps_of(site, 'R'), places(site.steps));
  };
  std::map<decltype(locus(sites.front())), OracleSite> best;
  for (const OracleSite& site : sites) {
    const auto [place, is_new] = best.try_emplace(locus(site), site);
    if (!is_new && rank(site) < rank(place->second)) {
      place->second = site;
    }
  }
  std::vector<OracleSite> kept;
  for (const auto& [at, site] : best) {
    kept.push_back(site);
  }
  std::sort(kept.begin(), kept.end());
  return kept;
}

std::vector<OracleSite> as_oracle_sites(std::span<const casoff::FoundSite> found, const casoff::Search& search, GuideRows rows) {
  std::vector<OracleSite> sites;
  for (const casoff::FoundSite& one : found) {
    sites.push_back({one.site.contig, one.site.position, casoff::to_char(one.site.strand), one.site.guide, one.site.mismatches,
                     one.letters, "", ""});
    if (rows == GuideRows::kept) {
      const casoff::Variant& variant = search.variants()[static_cast<std::size_t>(one.site.variant)];
      sites.back().guide_row = variant.guide_row;
      for (std::size_t i = 0; i < variant.guide_row.size(); ++i) {
        sites.back().steps += variant.guide_row[i] == '-' ? 'D' : variant.site_gaps[i] == '-' ? 'R' : 'M';
      }
    }
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
