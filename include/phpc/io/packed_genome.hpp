#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "phpc/io/input_file.hpp"
#include "phpc/io/output_file.hpp"
#include "phpc/io/sequence.hpp"

/// Packed genome files (.phg): what FASTA holds but for case and line breaks, in a quarter of a byte a base.
///
/// All numbers are little-endian.
///
///     "\x89PHG\r\n\x1a\n"  uint32 version = 1  uint32 0
///     sections' data, one after another
///     index:   uint64 sections, uint64 sequences
///              a section: uint32 bases (1 to 2^20), uint32 kind, uint32 bytes and uint32 CRC-32 of its data
///              a sequence: uint64 bases, uint32 length of its name, the name
///     footer:  uint64 where the index begins, uint64 its bytes, uint32 its CRC-32, uint32 0, the first eight bytes once more
///
/// A section holds bases of one sequence, in order. Kind 0, A, C, G, T and N: per 64 bases two uint64, bit i of the first and the
/// second the lower and the higher bit of base i's number in "ACGT"; then for each run of N, in order and apart, uint32 its first
/// base in the section and uint32 its length. Kind 1, IUPAC letters: per 64 bases four uint64, as BaseWord, bits after the last
/// base 0. Kind 2, anything: the letters, upper-case.
namespace phpc::io {

/// Whether the first bytes of a file are a packed genome's.
bool is_packed_genome(std::span<const char> first_bytes);

/// Delivers a packed genome by `threads` threads beside the caller's (1: by the caller's alone). Throws Error(input) for a file
/// that is truncated, damaged or of another version, Error(io) when it is not a regular file.
void read_packed_genome(const InputFile& file, SequenceConsumer& consumer, int threads, const Wanted& wanted = {});

/// Writes what it is given as a packed genome.
class PackedGenomeWriter final : public SequenceConsumer {
 public:
  /// Writes the file's beginning.
  explicit PackedGenomeWriter(OutputFile& out);

  void begin_sequence(std::string_view name) override;
  void letters(std::string_view block) override;
  void bases(std::span<const BaseWord> words, index_t count) override;
  void end_sequence() override {}
  /// Writes the index. The file's commit() is the caller's.
  void finish();

  [[nodiscard]] index_t base_count() const { return base_count_; }
  [[nodiscard]] index_t sequence_count() const { return sequence_count_; }

 private:
  struct NonIupacLetter {
    index_t at;  ///< in the section
    char letter;
  };

  void end_section();
  void put(std::span<const std::byte> bytes);

  OutputFile& out_;
  std::vector<BaseWord> words_;            ///< those of the section at hand
  std::vector<BaseWord> packed_;           ///< letters on their way there
  std::vector<NonIupacLetter> non_iupac_;  ///< of the section at hand
  std::string sections_;                   ///< the index's rows
  std::string sequences_;
  std::string name_;
  index_t fill_ = 0;    ///< bases of the section at hand
  index_t length_ = 0;  ///< of the sequence at hand, in whole sections
  std::uint64_t written_ = 0;
  index_t base_count_ = 0;
  index_t sequence_count_ = 0;
  index_t section_count_ = 0;
};

}  // namespace phpc::io
