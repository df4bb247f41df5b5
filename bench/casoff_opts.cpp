// Cas-OFFinder's comparer as Jin and Vetter describe it (SYCL port, Tables VIII to X, Figure 2), with their four optimisations
// one upon another, so that those figures can be had on today's devices beside the project's own kernels. One work item takes one
// site that fits the PAM and compares it letter by letter with one guide: a letter is a byte, and one launch serves one guide.
#include <benchmark/benchmark.h>

#include <random>
#include <string>
#include <vector>

#include "phpc/exec/buffer.hpp"
#include "phpc/exec/launch.hpp"
#include "support.hpp"

namespace phpc::bench {
namespace {

enum Option {
  base,  ///< as in Cas-OFFinder: one work item of a group copies the guide, everything else is read again where it is used
  opt1,  ///< pointers that do not alias
  opt2,  ///< and what a work item reads more than once from global memory kept in registers
  opt3,  ///< and the guide copied by all work items of the group
  opt4,  ///< and the guide's letter read once from local memory into a register
};

constexpr int group_items = 256;
constexpr int longest = 64;
enum Flag : char { both, plus_only, minus_only };

/// Both strands' guide letters, and the places of those that are not N, ended by -1.
struct GuideText {
  char letters[2 * longest];
  int places[2 * longest];
};

/// Whether a letter of the guide and one of the genome differ, for the guides of these benchmarks: A, C, G, T.
[[gnu::always_inline]] inline bool differs(char guide, char letter) {
  return (guide == 'A' && letter != 'A') || (guide == 'C' && letter != 'C') || (guide == 'G' && letter != 'G') ||
         (guide == 'T' && letter != 'T');
}

// Aliasing is what opt1 is about: the same pointers, with and without the qualifier.
template <bool Restricted, class T>
struct PointerOf {
  using type = T*;
};
template <class T>
struct PointerOf<true, T> {
  using type = T* __restrict;
};

template <Option Opt>
struct PaperComparer {
  static constexpr int team_size = group_items;
  struct Scratch {
    char letters[2 * longest];
    int places[2 * longest];
  };

  const char* genome;
  const std::uint32_t* sites;
  const char* flags;
  const GuideText* guide;
  const std::uint16_t* threshold;
  std::uint32_t* found_sites;
  char* directions;
  std::uint16_t* mismatches;
  std::uint32_t* count;
  std::uint32_t site_count;
  int length;

  [[gnu::always_inline]] void operator()(const exec::Team& team, Scratch& scratch) const {
    fetch(team, scratch);
    team.barrier();
    for (int item = team.rank(); item < group_items; item += team.size()) {
      const index_t site = team.league_rank() * group_items + item;
      if (site < site_count) {
        compare(scratch, site);
      }
    }
  }

 private:
  template <class T>
  using Pointer = typename PointerOf<(Opt >= opt1), T>::type;

  [[gnu::always_inline]] void fetch(const exec::Team& team, Scratch& scratch) const {
    const int first = Opt >= opt3 ? team.rank() : 0;
    const int step = Opt >= opt3 ? team.size() : 1;
    if (Opt >= opt3 || team.rank() == 0) {
      for (int i = first; i < 2 * length; i += step) {
        scratch.letters[i] = guide->letters[i];
        scratch.places[i] = guide->places[i];
      }
    }
  }

  [[gnu::always_inline]] void compare(const Scratch& scratch, index_t item) const {
    const Pointer<const std::uint32_t> at = sites;
    const Pointer<const char> flag = flags;
    const char own_flag = flag[item];
    for (int strand = 0; strand < 2; ++strand) {
      const char other = strand == 0 ? minus_only : plus_only;
      if ((Opt >= opt2 ? own_flag : flag[item]) != other) {
        compare_strand(scratch, at, item, strand);
      }
    }
  }

  [[gnu::always_inline]] void compare_strand(const Scratch& scratch, Pointer<const std::uint32_t> at, index_t item,
                                             int strand) const {
    const Pointer<const char> text = genome;
    const Pointer<const std::uint16_t> limit = threshold;
    const Pointer<std::uint32_t> to_site = found_sites;
    const Pointer<char> to_direction = directions;
    const Pointer<std::uint16_t> to_mismatches = mismatches;
    const std::uint32_t own_site = at[item];
    const std::uint16_t own_limit = *limit;
    std::uint16_t differing = 0;
    for (int i = 0; i < length; ++i) {
      const int place = scratch.places[strand * length + i];
      if (place < 0) {
        break;
      }
      bool unlike = false;
      if constexpr (Opt >= opt4) {
        const char letter = scratch.letters[strand * length + place];
        unlike = differs(letter, text[own_site + static_cast<std::uint32_t>(place)]);
      } else {
        // Read for every comparison, as the original's macro does.
        const volatile char* const letter = &scratch.letters[strand * length + place];
        const std::uint32_t site = Opt >= opt2 ? own_site : at[item];
        const char base_letter = text[site + static_cast<std::uint32_t>(place)];
        unlike = (*letter == 'A' && base_letter != 'A') || (*letter == 'C' && base_letter != 'C') ||
                 (*letter == 'G' && base_letter != 'G') || (*letter == 'T' && base_letter != 'T');
      }
      differing = static_cast<std::uint16_t>(differing + (unlike ? 1 : 0));
      if (differing > (Opt >= opt2 ? own_limit : *limit)) {
        return;
      }
    }
    const std::uint32_t slot = __atomic_fetch_add(count, 1U, __ATOMIC_RELAXED);
    to_site[slot] = Opt >= opt2 ? own_site : at[item];
    to_direction[slot] = strand == 0 ? '+' : '-';
    to_mismatches[slot] = differing;
  }
};

/// A random genome and its NRG sites, as Cas-OFFinder's finder leaves them.
struct Sites {
  std::string genome;
  std::vector<std::uint32_t> places;
  std::vector<char> flags;
};

constexpr int guide_length = 23;

const Sites& sites() {
  static const Sites made = [] {
    Sites all;
    const std::size_t bases = std::size_t{device().is_gpu() ? 256U : 16U} << 20;
    std::mt19937_64 random(1);
    all.genome.resize(bases);
    for (char& letter : all.genome) {
      letter = "ACGT"[random() >> 62];
    }
    for (std::size_t i = 0; i + guide_length <= bases; ++i) {
      const char* const window = all.genome.data() + i;
      const bool plus = window[22] == 'G' && (window[21] == 'A' || window[21] == 'G');
      const bool minus = window[0] == 'C' && (window[1] == 'C' || window[1] == 'T');
      if (plus || minus) {
        all.places.push_back(static_cast<std::uint32_t>(i));
        all.flags.push_back(plus && minus ? both : plus ? plus_only : minus_only);
      }
    }
    return all;
  }();
  return made;
}

GuideText guide_text() {
  GuideText guide{};
  std::mt19937_64 random(100);
  int count = 0;
  for (int i = 0; i < 20; ++i) {
    const auto code = random() >> 62;
    guide.letters[i] = "ACGT"[code];
    guide.letters[guide_length + guide_length - 1 - i] = "TGCA"[code];
    guide.places[count] = i;
    guide.places[guide_length + count] = guide_length - 1 - i;
    ++count;
  }
  guide.places[count] = guide.places[guide_length + count] = -1;
  return guide;
}

/// How many sites differ from the guide in at most `limit` letters, counted plainly.
std::uint32_t plain_count(const Sites& all, const GuideText& guide, int limit) {
  std::uint32_t count = 0;
  for (std::size_t i = 0; i < all.places.size(); ++i) {
    for (int strand = 0; strand < 2; ++strand) {
      const char* const letters = guide.letters + strand * guide_length;
      int differing = 0;
      for (int place = 0; place < guide_length; ++place) {
        differing +=
            letters[place] != '\0' && letters[place] != all.genome[all.places[i] + static_cast<std::size_t>(place)] ? 1 : 0;
      }
      count += all.flags[i] != (strand == 0 ? minus_only : plus_only) && differing <= limit ? 1 : 0;
    }
  }
  return count;
}

template <Option Opt>
void paper_comparer(benchmark::State& state) {
  const Sites& all = sites();
  const exec::Device on = device();
  const exec::Buffer<char> genome(on, std::span<const char>(all.genome));
  const exec::Buffer<std::uint32_t> places(on, std::span<const std::uint32_t>(all.places));
  const exec::Buffer<char> flags(on, std::span<const char>(all.flags));
  const GuideText text = guide_text();
  const exec::Buffer<GuideText> guide(on, std::span(&text, 1));
  const auto limit = static_cast<std::uint16_t>(state.range(0));
  const exec::Buffer<std::uint16_t> threshold(on, std::span(&limit, 1));
  const auto capacity = static_cast<index_t>(2 * all.places.size());
  exec::Buffer<std::uint32_t> found(on, capacity);
  exec::Buffer<char> directions(on, capacity);
  exec::Buffer<std::uint16_t> mismatches(on, capacity);
  exec::Buffer<std::uint32_t> count(on, 1);
  std::uint32_t hits = 0;
  for (auto _ : state) {
    hits = 0;
    count.copy_from(std::span(&hits, 1));
    exec::launch(on, {.groups = ceil_div(static_cast<index_t>(all.places.size()), index_t{group_items})},
                 PaperComparer<Opt>{genome.data(), places.data(), flags.data(), guide.data(), threshold.data(), found.data(),
                                    directions.data(), mismatches.data(), count.data(),
                                    static_cast<std::uint32_t>(all.places.size()), guide_length});
    count.copy_to(std::span(&hits, 1));
  }
  if (hits != plain_count(all, text, limit)) {
    state.SkipWithError("the kernel's count of sites is wrong");
  }
  state.counters["sites"] = hits;
  state.counters["bases/s"] = benchmark::Counter(static_cast<double>(all.genome.size()) * static_cast<double>(state.iterations()),
                                                 benchmark::Counter::kIsRate);
}
BENCHMARK(paper_comparer<base>)->Arg(5)->ArgName("mm")->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(paper_comparer<opt1>)->Arg(5)->ArgName("mm")->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(paper_comparer<opt2>)->Arg(5)->ArgName("mm")->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(paper_comparer<opt3>)->Arg(5)->ArgName("mm")->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(paper_comparer<opt4>)->Arg(5)->ArgName("mm")->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace phpc::bench
