// The stages of an off-target search on a generated genome: packing letters, and the search of a packed chunk (copy to the
// device, finder, comparer, hits back, sorted), by number of guides and by how many starts fit the pattern.
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <random>

#include "phpc/casoff/search.hpp"
#include "phpc/io/fasta.hpp"
#include "phpc/io/output_file.hpp"
#include "support.hpp"

namespace phpc::bench {
namespace {

using namespace phpc::casoff;

constexpr std::size_t genome_bases = std::size_t{32} << 20;

std::string random_bases(std::size_t count, unsigned seed) {
  std::mt19937_64 random(seed);
  std::string letters(count, 'A');
  for (char& letter : letters) {
    letter = "ACGT"[random() >> 62];
  }
  return letters;
}

const std::string& genome() {
  static const std::string letters = random_bases(genome_bases, 1);
  return letters;
}

void count_bases(benchmark::State& state) {
  state.counters["bases/s"] = benchmark::Counter(static_cast<double>(genome_bases) * static_cast<double>(state.iterations()),
                                                 benchmark::Counter::kIsRate);
}

void pack(benchmark::State& state) {
  for (auto _ : state) {
    GenomePacker packer(index_t{1} << 24, 22, [](const GenomeChunk& chunk) { benchmark::DoNotOptimize(chunk.words().data()); });
    packer.begin_contig();
    packer.append(genome());
    packer.finish();
  }
  count_bases(state);
}
BENCHMARK(pack)->Unit(benchmark::kMillisecond);

/// Reads FASTA of 60 letters a line from a file in memory (as far as the system caches it) and drops the packed bases.
void read_fasta_lines(benchmark::State& state) {
  struct Sink final : io::SequenceConsumer {
    void begin_sequence(std::string_view) override {}
    void letters(std::string_view block) override { benchmark::DoNotOptimize(block.data()); }
    void bases(std::span<const BaseWord> words, index_t /*count*/) override { benchmark::DoNotOptimize(words.data()); }
    void end_sequence() override {}
  } sink;
  const std::string path = (std::filesystem::temp_directory_path() / ("phpc_bench_" + std::to_string(getpid()) + ".fa")).string();
  {
    io::OutputFile out(path);
    out.write(">genome\n");
    for (std::size_t at = 0; at < genome_bases; at += 60) {
      out.write(std::string_view(genome()).substr(at, 60));
      out.write("\n");
    }
    out.commit();
  }
  for (auto _ : state) {
    io::read_fasta(path, sink, 1);
  }
  std::filesystem::remove(path);
  count_bases(state);
}
BENCHMARK(read_fasta_lines)->Unit(benchmark::kMillisecond);

/// guides x pattern: 0 = 20 N + NRG (an eighth of all starts and strands), 1 = NGG (a sixteenth), 2 = no PAM (all).
void search(benchmark::State& state) {
  const std::string pams[] = {"NRG", "NGG", "NNN"};
  const std::string& pam = pams[state.range(1)];
  std::vector<Guide> guides;
  for (unsigned guide = 0; guide < state.range(0); ++guide) {
    guides.push_back({Pattern(random_bases(20, 100 + guide) + "NNN"), 5, ""});
  }
  Search engine(Pattern(std::string(20, 'N') + pam), guides, {device()});
  index_t sites = 0;
  GenomePacker packer(index_t{1} << 26, engine.overlap(), [&](const GenomeChunk& chunk) {
    for (auto _ : state) {
      engine.run(chunk, [&](std::span<const Site> found, const GenomeChunk&) { sites += static_cast<index_t>(found.size()); });
    }
  });
  packer.begin_contig();
  packer.append(genome());
  packer.finish();
  count_bases(state);
  state.counters["bases*guides/s"] = benchmark::Counter(
      static_cast<double>(genome_bases) * static_cast<double>(state.range(0)) * static_cast<double>(state.iterations()),
      benchmark::Counter::kIsRate);
  state.counters["sites"] = static_cast<double>(sites) / static_cast<double>(state.iterations());
  state.SetLabel(pam);
}
BENCHMARK(search)
    ->ArgsProduct({{1, 3, 10, 30, 100, 1000}, {0}})
    ->ArgsProduct({{1, 100}, {1, 2}})
    ->ArgNames({"guides", "pam"})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

}  // namespace
}  // namespace phpc::bench
