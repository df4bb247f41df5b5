#pragma once
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "jobs/casoff/genome_regions.hpp"
#include "phpc/casoff/genome.hpp"
#include "phpc/core/bounded_queue.hpp"
#include "phpc/io/genome_source.hpp"

namespace phpc::jobs {

/// How sequences are called in the output.
enum class SequenceNames { whole_header, first_word };

/// How many threads read a genome: those that the program has, of which a few are as fast as all.
int reading_threads();

/// Bases [begin, end) of a sequence, 0-based.
struct GenomeStretch {
  index_t contig;
  index_t begin;
  index_t end;
  bool operator==(const GenomeStretch&) const = default;
};

struct GenomeReaderOptions {
  index_t chunk_bases;
  int overlap;  ///< of chunks
  int threads;  ///< that read, decompress and pack
  SequenceNames names = SequenceNames::whole_header;
  std::vector<std::string> regions;  ///< see GenomeRegions; none: everything
  /// Nothing but these, ascending and apart, in place of regions; reading ends after the last.
  std::optional<std::vector<GenomeStretch>> stretches{};
};

/// A genome in packed chunks, read and packed by other threads while the caller works on the chunk before: one chunk is being
/// worked on, one before it may still be kept, one waits, one is being packed.
class GenomeReader {
 public:
  /// Begins to read. `source` must outlive it. Throws Error(usage) for regions that make no sense.
  GenomeReader(const io::GenomeSource& source, GenomeReaderOptions options);
  /// Stops reading.
  ~GenomeReader();
  GenomeReader(const GenomeReader&) = delete;
  GenomeReader& operator=(const GenomeReader&) = delete;

  using Chunk = std::shared_ptr<const casoff::GenomeChunk>;

  /// Calls `work` for every chunk, in order, on the caller's thread. `work` may keep a chunk: the next one then comes all the
  /// same, but the one after that waits until it is let go. Throws what reading threw, after the chunks before it.
  void for_each_chunk(const std::function<void(const Chunk&)>& work);

  /// Of the sequences begun in the chunks worked on until now, that in work included.
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  /// Of all sequences, in bases, after the last chunk; also what no region holds. Not with stretches.
  [[nodiscard]] const std::vector<index_t>& lengths() const { return lengths_; }
  /// How many sequences are searched, in part at least, after the last chunk.
  [[nodiscard]] index_t searched_sequences() const { return searched_; }
  /// Bases in all chunks, after the last one.
  [[nodiscard]] index_t bases() const { return bases_; }
  /// Seconds that the reading thread worked, after the last chunk: not those in which it waited for room for a chunk.
  [[nodiscard]] double reading_seconds() const { return read_seconds_ - blocked_seconds_; }
  /// Seconds that for_each_chunk() waited for chunks.
  [[nodiscard]] double waiting_seconds() const { return waiting_seconds_; }

 private:
  class Packing;
  struct Load {
    casoff::GenomeChunk chunk;
    std::vector<std::string> new_names;
  };
  /// Chunks that were handed out, and those that came back, whose memory can be used again. It outlives the reader where a chunk
  /// does.
  struct Lending {
    std::mutex mutex;
    std::condition_variable returned;
    std::vector<casoff::GenomeChunk> emptied;
    int lent = 0;
  };
  /// Thrown through the reader when nobody wants more chunks.
  struct Stopped {};
  /// Thrown through the reader after the last of the stretches.
  struct Complete {};

  void read();
  void read_all(Packing& packing);
  [[nodiscard]] bool wants(index_t contig, index_t first, index_t end) const;
  void hand_over(casoff::GenomeChunk& chunk, std::vector<std::string>& new_names);
  [[nodiscard]] Chunk lend(casoff::GenomeChunk&& chunk) const;

  const io::GenomeSource& source_;
  const GenomeReaderOptions options_;
  GenomeRegions regions_;
  std::vector<std::string> names_;
  // Of the reading thread until it is done.
  std::vector<index_t> lengths_;
  std::vector<std::string> last_names_;
  index_t bases_ = 0;
  index_t searched_ = 0;
  double read_seconds_ = 0;
  double blocked_seconds_ = 0;

  double waiting_seconds_ = 0;

  const std::shared_ptr<Lending> lending_ = std::make_shared<Lending>();
  BoundedQueue<Load> loads_{1};
  std::thread thread_;  ///< last: it uses all of the above
};

}  // namespace phpc::jobs
