#pragma once
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "phpc/casoff/genome.hpp"
#include "phpc/casoff/site.hpp"
#include "phpc/core/bounded_queue.hpp"
#include "phpc/core/pipeline.hpp"

namespace phpc::jobs {

/// Some sites, one after another, on their way to the file.
struct RowBlock {
  std::shared_ptr<const casoff::GenomeChunk> chunk;  ///< that holds the sites' letters; kept until all rows are made
  std::vector<casoff::Site> sites;
  std::vector<char> repeats_name;  ///< by site: SiteRow's
  struct Scores {
    double cfd;
    double mit;
  };
  std::size_t made = 0;        ///< sites whose rows are made, the last ones' in `text`
  std::vector<Scores> scores;  ///< of those in `text`, where they are summed
  std::string text;            ///< rows
  bool is_partial = false;     ///< set by make: other rows follow, and it is to be called again when these are put out
};

/// Makes rows of sites on threads of its own, and puts them out in order, while the caller finds more: at most a fixed number of
/// sites waits.
class RowQueue final : private Pipeline<RowBlock> {
 public:
  struct Steps {
    std::function<void(RowBlock&)> begin;  ///< one block after another, in order
    /// Several at once, with the chunk that holds the sites' letters. Rows that are long are made a part at a time
    /// (RowBlock::is_partial), all parts but the first in order.
    std::function<void(RowBlock&, const casoff::GenomeChunk&)> make;
    std::function<void(RowBlock&)> put;  ///< one after another, in order
  };

  /// `threads` threads make rows. They begin with the first sites.
  RowQueue(int threads, Steps steps);
  /// Drops what waits.
  ~RowQueue() override;

  /// Waits where there is no room. Throws what a step threw.
  void push(std::span<const casoff::Site> sites, const std::shared_ptr<const casoff::GenomeChunk>& chunk);
  /// Waits until all rows are put out. Throws what a step threw.
  void flush();

 private:
  bool read(RowBlock& rows) override;
  void work(RowBlock& rows) override;
  void write(RowBlock& rows) override;
  void interrupt() override;

  struct Waiting {
    std::shared_ptr<const casoff::GenomeChunk> chunk;
    std::vector<casoff::Site> sites;
  };
  void run_all();
  /// Returns when so many blocks are put out. Throws what a step threw.
  void wait_until_put(std::size_t blocks);

  const int threads_;
  const Steps steps_;
  BoundedQueue<Waiting> waiting_;
  std::size_t pushed_ = 0;  ///< blocks; of the caller's thread
  std::mutex mutex_;        ///< guards put_, finished_ and error_
  std::condition_variable changed_;
  std::size_t put_ = 0;    ///< blocks
  bool finished_ = false;  ///< all threads are done
  std::exception_ptr error_;
  std::thread putter_;  ///< last: it uses all of the above
};

}  // namespace phpc::jobs
