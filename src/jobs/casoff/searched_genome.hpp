#pragma once
#include <span>
#include <string>
#include <vector>

#include "jobs/casoff/genome_reader.hpp"

namespace phpc::jobs {

/// All bases of a genome that are searched, numbered from 0 in their order over all sequences, whatever regions leave out not
/// counted: what shares of a search are shares of.
class SearchedGenome {
 public:
  /// Reads names and lengths, which takes as long as reading the genome where that is FASTA. Throws as GenomeReader does.
  SearchedGenome(const io::GenomeSource& source, SequenceNames names, const std::vector<std::string>& regions, int threads);

  /// Of all sequences, searched or not.
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  [[nodiscard]] const std::vector<index_t>& lengths() const { return lengths_; }
  /// How many bases there are.
  [[nodiscard]] index_t bases() const { return bases_; }
  /// How many of them lie before a place.
  [[nodiscard]] index_t bases_before(index_t contig, index_t position) const;
  /// Bases [begin, end), and up to `margin` more on both sides, as far as windows reach: not beyond ends of sequences and
  /// regions.
  [[nodiscard]] std::vector<GenomeStretch> stretches(index_t begin, index_t end, index_t margin) const;

 private:
  struct Numbered {
    GenomeStretch stretch;
    index_t number;  ///< of its first base
  };

  std::vector<std::string> names_;
  std::vector<index_t> lengths_;
  std::vector<Numbered> all_;
  index_t bases_ = 0;
};

}  // namespace phpc::jobs
