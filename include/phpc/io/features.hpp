#pragma once
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "phpc/core/types.hpp"

namespace phpc::io {

/// Features of a genome (genes, exons, ...), found by place.
class FeatureIndex {
 public:
  /// The stretch [begin, end), 0-based. One without length overlaps nothing.
  void add(std::string_view sequence, index_t begin, index_t end, std::string_view name);
  /// To be called once, after the last add().
  void build();

  /// Names of the features that share a base with [begin, end), each once, in order of the feature's begin, then of adding. They
  /// live as long as the index. `names` is replaced.
  void overlapping(std::string_view sequence, index_t begin, index_t end, std::vector<std::string_view>& names) const;
  [[nodiscard]] bool has_sequence(std::string_view sequence) const { return sequences_.contains(sequence); }
  [[nodiscard]] index_t size() const { return size_; }

 private:
  struct Interval {
    index_t begin;
    index_t end;
    index_t highest_end;  ///< in the subtree whose root this is
    std::uint32_t name;
  };
  /// In order of begin. The middle of a range is the root of a tree whose subtrees are the ranges before and behind it, so that
  /// the order is the tree and a search costs O(log n + found).
  using Intervals = std::vector<Interval>;

  static index_t set_highest_end(std::span<Interval> range);
  static void collect(std::span<const Interval> range, index_t begin, index_t end, std::vector<std::uint32_t>& found);

  std::map<std::string, Intervals, std::less<>> sequences_;
  std::unordered_map<std::string, std::uint32_t> numbers_;
  std::vector<std::string_view> names_;  ///< by number; keys of numbers_
  index_t size_ = 0;
};

/// Reads features from a BED, GFF3, GFF2 or GTF file, told apart by the name's ending (.bed, .gff, .gff3, .gtf, each also with
/// .gz behind), plain or compressed with gzip.
///   BED  0-based, half open; name: column 4, or sequence:begin-end without one
///   GFF  1-based, both ends included; name: type:value, the value of the first attribute there is among gene_name, Name, gene,
///        gene_id, ID, Parent, transcript_id, or the type alone
/// `types` are the GFF types (column 3) to take; empty = all but those of whole sequences (region, chromosome, scaffold, contig,
/// supercontig). Comments, `track` and `browser` lines, and what follows ##FASTA, are skipped. Throws Error(io), Error(input)
/// with file and line for a line that does not fit, and for a compressed file that is damaged, cut short or not compressed,
/// Error(usage) for another ending and for types with BED.
FeatureIndex read_features(const std::string& path, std::span<const std::string> types);

}  // namespace phpc::io
