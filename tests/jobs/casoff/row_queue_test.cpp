#include "jobs/casoff/row_queue.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <random>
#include <stdexcept>

namespace phpc::jobs {
namespace {

std::shared_ptr<const casoff::GenomeChunk> some_chunk() {
  return std::make_shared<const casoff::GenomeChunk>();
}

/// Sites numbered by their position, from `first` on.
std::vector<casoff::Site> sites_from(index_t first, std::size_t count) {
  std::vector<casoff::Site> sites(count);
  for (casoff::Site& site : sites) {
    site.position = first++;
  }
  return sites;
}

void make_numbers(RowBlock& block, const casoff::GenomeChunk& /*chunk*/) {
  block.text.clear();
  for (const casoff::Site& site : block.sites) {
    block.text += std::to_string(site.position) + "\n";
  }
}

void do_nothing(RowBlock& /*block*/) {}

TEST(RowQueue, PutsRowsOutInOrderWithAnyNumberOfThreads) {
  constexpr unsigned seed = 3;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  std::mt19937_64 random(seed);
  for (const int threads : {1, 2, 3, 7}) {
    index_t sites = 0;
    index_t begun = 0;
    std::string text;
    {
      RowQueue queue(threads, {[&](RowBlock& block) {
                                 ASSERT_EQ(block.sites.front().position, begun);
                                 begun += static_cast<index_t>(block.sites.size());
                               },
                               make_numbers, [&](RowBlock& block) { text += block.text; }});
      for (int chunk = 0; chunk < 20; ++chunk) {
        const std::vector<casoff::Site> some = sites_from(sites, random() % 3 == 0 ? random() % 30000 : random() % 10);
        queue.push(some, some_chunk());
        sites += static_cast<index_t>(some.size());
        if (random() % 4 == 0) {
          queue.flush();
          EXPECT_EQ(begun, sites);
        }
      }
      queue.flush();
    }
    std::string expected;
    for (index_t site = 0; site < sites; ++site) {
      expected += std::to_string(site) + "\n";
    }
    EXPECT_TRUE(text == expected) << threads << " threads";
  }
}

TEST(RowQueue, LetsChunksGoWhenTheirRowsAreMade) {
  RowQueue queue(2, {do_nothing, make_numbers, do_nothing});
  std::weak_ptr<const casoff::GenomeChunk> watched;
  {
    const auto chunk = some_chunk();
    watched = chunk;
    queue.push(sites_from(0, 10000), chunk);
  }
  queue.flush();
  EXPECT_TRUE(watched.expired());
}

/// What any step throws reaches the caller, whatever waits, and every chunk is let go, so that nobody waits for one.
void expect_error_reaches(const RowQueue::Steps& steps, int threads) {
  RowQueue queue(threads, steps);
  std::vector<std::weak_ptr<const casoff::GenomeChunk>> watched;
  const auto push_all = [&] {
    for (int chunk = 0; chunk < 100; ++chunk) {
      const auto lent = some_chunk();
      watched.emplace_back(lent);
      queue.push(sites_from(chunk, 5000), lent);
    }
    queue.flush();
  };
  EXPECT_THROW(push_all(), std::runtime_error);
  EXPECT_THROW(queue.flush(), std::runtime_error);
  EXPECT_THROW(queue.push(sites_from(0, 1), some_chunk()), std::runtime_error);
  for (const auto& chunk : watched) {
    EXPECT_TRUE(chunk.expired());
  }
}

/// Blocks whose rows are made a part at a time come whole and in order, and nothing of a chunk is kept after an error.
TEST(RowQueue, MakesLongRowsAPartAtATime) {
  for (const int threads : {1, 2, 5}) {
    const auto make_some = [](RowBlock& block, const casoff::GenomeChunk&) {
      block.text.clear();
      for (int i = 0; i < 700 && block.made < block.sites.size(); ++i) {
        block.text += std::to_string(block.sites[block.made++].position) + " ";
      }
      block.is_partial = block.made < block.sites.size();
    };
    std::string text;
    std::string expected;
    for (index_t i = 0; i < 10'000; ++i) {
      expected += std::to_string(i) + " ";
    }
    {
      RowQueue queue(threads, {do_nothing, make_some, [&](RowBlock& block) { text += block.text; }});
      queue.push(sites_from(0, 10'000), some_chunk());
      queue.flush();
    }
    EXPECT_EQ(text, expected) << threads << " threads";
    const std::shared_ptr<const casoff::GenomeChunk> chunk = some_chunk();
    RowQueue queue(threads, {do_nothing, make_some, [](RowBlock&) { throw std::runtime_error("enough"); }});
    EXPECT_THROW(
        {
          queue.push(sites_from(0, 10'000), chunk);
          queue.flush();
        },
        std::runtime_error);
    EXPECT_EQ(chunk.use_count(), 1) << threads << " threads";
  }
}

TEST(RowQueue, ThrowsWhatAStepThrew) {
  for (const int threads : {1, 2, 5}) {
    for (int failing = 0; failing < 3; ++failing) {
      SCOPED_TRACE(testing::Message() << threads << " threads, step " << failing);
      std::atomic<int> calls = 0;
      const auto fail_at_step = [&calls, failing](int step) {
        if (step == failing && ++calls == 5) {
          throw std::runtime_error("enough");
        }
      };
      expect_error_reaches({[&](RowBlock&) { fail_at_step(0); },
                            [&](RowBlock& block, const casoff::GenomeChunk& chunk) {
                              fail_at_step(1);
                              make_numbers(block, chunk);
                            },
                            [&](RowBlock&) { fail_at_step(2); }},
                           threads);
    }
  }
}

TEST(RowQueue, DropsWhatWaitsWhenItGoes) {
  std::atomic<index_t> put = 0;
  {
    RowQueue queue(1, {do_nothing, make_numbers, [&](RowBlock& block) {
                         std::this_thread::sleep_for(std::chrono::milliseconds(20));
                         put += static_cast<index_t>(block.sites.size());
                       }});
    queue.push(sites_from(0, 100000), some_chunk());
  }
  EXPECT_LT(put, 100000);
}

}  // namespace
}  // namespace phpc::jobs
