// The stages of an off-target search on a generated genome: packing letters; the search of a packed chunk (copy to the device,
// kernels, hits back, sorted) by number of guides, threshold, bulges and pattern; and its kernels by the way slots come to them.
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <random>

#include "casoff/search/device_search.hpp"
#include "phpc/casoff/search.hpp"
#include "phpc/io/fasta.hpp"
#include "phpc/io/output_file.hpp"
#include "support.hpp"

namespace phpc::bench {
namespace {

using namespace phpc::casoff;

/// Enough to fill the device.
const std::size_t genome_bases = std::size_t{device().is_gpu() ? 256U : 32U} << 20;

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

/// The genome as one chunk.
const GenomeChunk& genome_chunk() {
  static const GenomeChunk chunk = [] {
    GenomeChunk whole;
    GenomePacker packer(static_cast<index_t>(genome_bases), 63, [&](const GenomeChunk& full) { whole = full; });
    packer.begin_contig();
    packer.append(genome());
    packer.finish();
    return whole;
  }();
  return chunk;
}

std::vector<Guide> random_guides(std::int64_t count, index_t threshold) {
  std::vector<Guide> guides;
  for (unsigned guide = 0; guide < count; ++guide) {
    guides.push_back({Pattern(random_bases(20, 100 + guide) + "NNN"), threshold, ""});
  }
  return guides;
}

/// 0: an eighth of all slots and strands fit, 1: a sixteenth, 2: all.
const std::string pams[] = {"NRG", "NGG", "NNN"};

void count_guides(benchmark::State& state, std::int64_t guides) {
  count_bases(state);
  state.counters["bases*guides/s"] = benchmark::Counter(
      static_cast<double>(genome_bases) * static_cast<double>(guides) * static_cast<double>(state.iterations()),
      benchmark::Counter::kIsRate);
}

void run_search(benchmark::State& state, const std::string& pam, std::int64_t guides, index_t threshold, SearchOptions options) {
  options.batch_sites = index_t{1} << 28;
  Search engine(Pattern(std::string(20, 'N') + pam), random_guides(guides, threshold), {device()}, options);
  index_t sites = 0;
  for (auto _ : state) {
    engine.run(genome_chunk(),
               [&](std::span<const Site> found, const GenomeChunk&) { sites += static_cast<index_t>(found.size()); });
  }
  count_guides(state, guides);
  state.counters["sites"] = static_cast<double>(sites) / static_cast<double>(state.iterations());
  state.SetLabel(pam);
}

void search(benchmark::State& state) {
  run_search(state, pams[state.range(1)], state.range(0), 5, {});
}
BENCHMARK(search)
    ->ArgsProduct({{1, 3, 10, 30, 100, 1000}, {0}})
    ->ArgsProduct({{1, 100}, {1, 2}})
    ->ArgNames({"guides", "pam"})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

void search_mismatches(benchmark::State& state) {
  run_search(state, "NRG", 3, state.range(0), {});
}
BENCHMARK(search_mismatches)->DenseRange(0, 8)->ArgName("mm")->Unit(benchmark::kMillisecond)->UseRealTime();

void search_bulges(benchmark::State& state) {
  SearchOptions options;
  options.dna_bulge = static_cast<int>(state.range(1));
  options.rna_bulge = static_cast<int>(state.range(2));
  options.bulge_mode = state.range(3) == 0 ? BulgeMode::single : BulgeMode::mixed;
  run_search(state, "NRG", state.range(0), 3, options);
}
BENCHMARK(search_bulges)
    ->Args({1, 1, 1, 0})
    ->Args({10, 1, 1, 0})
    ->Args({1, 2, 2, 0})
    ->Args({1, 1, 1, 1})
    ->ArgNames({"guides", "dna", "rna", "mixed"})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

/// The kernels alone, over words that are on the device: which way is taken should be the faster.
void compare(benchmark::State& state) {
  const Pattern pattern(std::string(20, 'N') + pams[state.range(1)]);
  const std::vector<Guide> guides = random_guides(state.range(0), 5);
  std::vector<Pattern> sequences;
  for (const Guide& guide : guides) {
    sequences.push_back(guide.sequence);
  }
  const QueryProgram program = make_program(pattern, guides, make_variants(pattern, sequences, {}), Ambiguity::cas_offinder);
  const std::unique_ptr<DeviceSearch> search = DeviceSearch::make(device(), program);
  const Comparison chosen = search->comparison();
  const Comparison taken = state.range(2) == 0 ? Comparison::all_slots : Comparison::candidates;
  search->set_comparison(taken);
  std::vector<Tile> tiles;
  for (std::uint32_t word = 0; (word + tile_words) * bases_per_word < genome_bases; word += tile_words) {
    tiles.push_back({word, tile_words * bases_per_word});
  }
  std::vector<Hit> hits;
  constexpr std::uint64_t all = std::uint64_t{1} << 28;
  search->run(genome_chunk().words(), tiles, all, hits);
  for (auto _ : state) {
    search->repeat();
  }
  count_guides(state, state.range(0));
  state.counters["s/guide/3.1Gbp"] = benchmark::Counter(
      static_cast<double>(genome_bases) / 3.1e9 * static_cast<double>(state.range(0)) * static_cast<double>(state.iterations()),
      benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
  state.SetLabel(pams[state.range(1)] + (taken == chosen ? ", chosen" : ""));
}
BENCHMARK(compare)
    ->ArgsProduct({{1, 3, 10, 30, 100, 1000}, {0}, {0, 1}})
    ->ArgsProduct({{10, 30, 100}, {1}, {0, 1}})
    ->ArgNames({"guides", "pam", "lists"})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

}  // namespace
}  // namespace phpc::bench
