#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "phpc/io/sequence.hpp"

namespace phpc::io {

class ByteStream;

/// What a genome's file is, by its first bytes; of gzip and bgzip, by the first bytes of what is compressed.
enum class GenomeFormat { fasta, gzip_fasta, twobit, packed, gzip_twobit, foreign, empty };

/// A genome as one file, as a folder of files, or as what comes through standard input ("-") or another pipe: FASTA (plain, gzip,
/// bgzip), .2bit or a packed genome, the last two from regular files only.
///
/// A folder's regular files, and symbolic links to such, are taken in the order of their names' bytes; folders within it are not
/// entered. Files that are empty or no genome, links that lead nowhere, and compressed files in a folder that has others as well
/// (as a rule they are copies of these) are left out with a warning each; a file that cannot be opened, or that begins like a
/// genome and is malformed, is an error: a result that lacks a chromosome is worse than none.
class GenomeSource {
 public:
  /// Looks at the files' beginnings; reads no sequence yet. Throws Error(io) for a path that cannot be read and Error(input) when
  /// there is no genome at it.
  GenomeSource(const std::string& path, const std::function<void(const std::string&)>& warn);

  /// Delivers all sequences, with the help of `threads` threads (1: none beside the caller's); of a pipe, once. Of .2bit and
  /// packed genomes, what is not `wanted` is not read. Throws Error(input) when there is not a single letter in them.
  void read(SequenceConsumer& consumer, int threads, const Wanted& wanted = {}) const;

  /// Ends a read() on another thread that waits for a pipe, with Error(io).
  void interrupt() const;

  struct File {
    std::string path;
    GenomeFormat format;
    std::uint64_t bytes;                 ///< 0 = not known
    std::shared_ptr<ByteStream> stream;  ///< of what is no regular file: it has been looked at, and can be read but once
  };
  [[nodiscard]] const std::vector<File>& files() const { return files_; }
  /// About how many letters there are, from the files' sizes; 0 = not known. For progress.
  [[nodiscard]] std::uint64_t estimated_letters() const;

 private:
  std::string path_;
  std::vector<File> files_;
};

}  // namespace phpc::io
