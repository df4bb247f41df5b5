#pragma once
#include <memory>
#include <span>
#include <vector>

#include "casoff/kernels/program_view.hpp"
#include "phpc/casoff/comparer.hpp"
#include "phpc/casoff/search.hpp"
#include "phpc/exec/buffer.hpp"

namespace phpc::casoff {

/// The search of one device, with what it keeps there from chunk to chunk.
class ChunkSearch {
 public:
  virtual ~ChunkSearch();
  ChunkSearch(const ChunkSearch&) = delete;
  ChunkSearch& operator=(const ChunkSearch&) = delete;

  /// Compares the slots of `tiles` (ascending, not empty) in `words` of a chunk. Returns how many hits there are; when at most
  /// `limit`, `hits` holds them, in any order, else it is left empty.
  virtual std::uint64_t run(std::span<const BaseWord> words, std::span<const Tile> tiles, std::uint64_t limit,
                            std::vector<Hit>& hits) = 0;

  /// Of all calls of run().
  [[nodiscard]] const KernelTimes& times() const { return times_; }

 protected:
  ChunkSearch() = default;

  KernelTimes times_;
};

/// Makes a buffer at least so large; its content is lost where it grows.
template <class T>
void ensure_size(exec::Buffer<T>& buffer, index_t size) {
  if (buffer.size() < size) {
    const exec::Device device = buffer.device();
    buffer = exec::Buffer<T>(device, 0);  // the old one goes first, for the sake of memory
    buffer = exec::Buffer<T>(device, size);
  }
}

/// What the letterwise comparers search for.
struct LetterwiseQuery {
  const Pattern& pattern;
  std::span<const Guide> guides;
  double fitting_fraction;  ///< of QueryProgram
};

/// The search by a comparer that is not `ours` (src/casoff/letterwise): without bulges, variant i is that of guide i.
std::unique_ptr<ChunkSearch> make_letterwise_search(exec::Device device, Comparer comparer, const LetterwiseQuery& query);

}  // namespace phpc::casoff
