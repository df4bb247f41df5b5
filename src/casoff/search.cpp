#include "phpc/casoff/search.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <tuple>

#include "casoff/device_search.hpp"
#include "phpc/core/error.hpp"
#include "phpc/exec/split.hpp"

namespace phpc::casoff {

namespace {

/// The slots of all windows that lie within a piece.
std::vector<Tile> tiles_of(const GenomeChunk& chunk, int shortest) {
  constexpr index_t tile_slots = tile_words * bases_per_word;
  std::vector<Tile> tiles;
  for (const Piece& piece : chunk.pieces()) {
    const index_t slots = piece.length - shortest + 1;
    for (index_t first = 0; first < slots; first += tile_slots) {
      tiles.push_back({static_cast<std::uint32_t>((piece.offset + first) / bases_per_word),
                       static_cast<std::uint32_t>(std::min(tile_slots, slots - first))});
    }
  }
  return tiles;
}

std::vector<Pattern> sequences_of(std::span<const Guide> guides) {
  std::vector<Pattern> sequences;
  sequences.reserve(guides.size());
  for (const Guide& guide : guides) {
    sequences.push_back(guide.sequence);
  }
  return sequences;
}

void check(const Pattern& pattern, std::span<const Guide> guides, const SearchOptions& options) {
  PHPC_VALIDATE(!guides.empty(), ErrorKind::usage, "there is no guide to search for; give at least one");
  PHPC_VALIDATE(options.batch_sites > 0, ErrorKind::usage, "batch_sites must be positive");
  for (const Guide& guide : guides) {
    PHPC_VALIDATE(guide.sequence.size() == pattern.size(), ErrorKind::input,
                  "guide '" + guide.sequence.text() + "' has " + std::to_string(guide.sequence.size()) +
                      " letters where the pattern has " + std::to_string(pattern.size()) +
                      "; write the guide with N for the PAM's letters");
    PHPC_VALIDATE(guide.threshold >= 0, ErrorKind::input,
                  "the threshold of guide '" + guide.sequence.text() + "' is negative; give 0 or more mismatches");
  }
}

bool is_before(const Site& a, const Site& b) {
  return std::tie(a.offset, a.strand, a.guide, a.variant) < std::tie(b.offset, b.strand, b.guide, b.variant);
}

}  // namespace

struct Search::State {
  Pattern pattern;
  std::vector<Guide> guides;
  std::vector<exec::Device> devices;
  SearchOptions options;
  Progress* progress;
  std::vector<Variant> variants;
  int shortest;  ///< bases of the shortest and the longest window
  int longest;
  std::vector<std::unique_ptr<DeviceSearch>> searches;  ///< one a device
  std::vector<std::vector<Hit>> hits;                   ///< one a device
  std::vector<std::uint64_t> hit_counts;
  std::vector<Site> sites;  ///< found and not yet handed on
  /// Best of their locus, found in the last chunk, but with a place in the order among the next one's sites; that chunk holds
  /// their window too.
  std::vector<Site> held;
  /// The contig and position where the last chunk left off, when it had loci of its own there; else -1.
  index_t continued_contig = -1;
  index_t continued_first = -1;

  /// Searches tiles [first, last) on all devices; false when some device has more hits than it may hold.
  bool collect(const GenomeChunk& chunk, std::span<const Tile> tiles, std::uint64_t limit);
  /// Of hits, those that stand for the alignments of their locus.
  void keep_best(std::vector<Hit>& some, std::span<const Piece> pieces) const;
  /// The sites that were held, as sites of the next chunk.
  void take_held(std::span<const Piece> pieces);
  void remember_end(std::span<const Piece> pieces);
  /// Appends the sites of hits whose window lies within its piece.
  void append_sites(std::span<const Hit> some, std::span<const Piece> pieces);
  [[nodiscard]] std::optional<Site> site_of(const Hit& hit, std::span<const Piece> pieces) const;
  /// Hands on the sites before an offset, in order.
  void hand_on(index_t end, const GenomeChunk& chunk, const SiteSink& sink);
};

Search::Search(Pattern pattern, std::vector<Guide> guides, std::vector<exec::Device> devices, SearchOptions options,
               Progress& progress)
    : state_(new State{
          std::move(pattern), std::move(guides), std::move(devices), options, &progress, {}, 0, 0, {}, {}, {}, {}, {}}) {
  State& state = *state_;
  check(state.pattern, state.guides, options);
  PHPC_VALIDATE(!state.devices.empty(), ErrorKind::usage, "there is no device to search on; give at least one");
  state.variants = make_variants(state.pattern, sequences_of(state.guides),
                                 {.dna = options.dna_bulge, .rna = options.rna_bulge, .mode = options.bulge_mode});
  const QueryProgram program = make_program(state.pattern, state.guides, state.variants, options.ambiguity);
  state.shortest = program.shortest;
  state.longest = program.longest;
  for (const exec::Device device : state.devices) {
    state.searches.push_back(DeviceSearch::make(device, program));
  }
  state.hits.resize(state.devices.size());
  state.hit_counts.resize(state.devices.size());
}

Search::~Search() = default;
Search::Search(Search&&) noexcept = default;
Search& Search::operator=(Search&&) noexcept = default;

int Search::overlap() const {
  return state_->longest - 1;
}
const std::vector<Variant>& Search::variants() const {
  return state_->variants;
}
const Pattern& Search::pattern() const {
  return state_->pattern;
}
const std::vector<Guide>& Search::guides() const {
  return state_->guides;
}
const SearchOptions& Search::options() const {
  return state_->options;
}

bool Search::State::collect(const GenomeChunk& chunk, std::span<const Tile> tiles, std::uint64_t limit) {
  std::fill(hit_counts.begin(), hit_counts.end(), 0);
  for (std::vector<Hit>& some : hits) {
    some.clear();
  }
  exec::for_each_device(devices, static_cast<index_t>(tiles.size()), [&](exec::Device device, exec::Range range) {
    const auto own = static_cast<std::size_t>(std::find(devices.begin(), devices.end(), device) - devices.begin());
    const auto part = tiles.subspan(static_cast<std::size_t>(range.begin), static_cast<std::size_t>(range.size()));
    hit_counts[own] = searches[own]->run(chunk.words(), part, limit, hits[own]);
  });
  return std::all_of(hit_counts.begin(), hit_counts.end(), [&](std::uint64_t count) { return count <= limit; });
}

std::optional<Site> Search::State::site_of(const Hit& hit, std::span<const Piece> pieces) const {
  const auto after = std::upper_bound(pieces.begin(), pieces.end(), index_t{hit.slot},
                                      [](index_t slot, const Piece& piece) { return slot < piece.offset; });
  const Piece& piece = *std::prev(after);
  const Variant& variant = variants[hit.variant];
  const int length = variant.site_length();
  const index_t slot = hit.slot - piece.offset;
  const index_t first = slot + first_shift(pattern, hit.strand, shortest, length);
  if (first < 0 || first + length > piece.length) {
    return std::nullopt;
  }
  if (options.best_per_locus) {
    // All alignments of a locus are one chunk's: the one that has the longest, were it to lie within the contig.
    const index_t longest_first = slot + first_shift(pattern, hit.strand, shortest, longest);
    const bool is_earlier = longest_first < 0 && piece.contig == continued_contig && piece.first == continued_first;
    const bool is_later =
        piece.next_chunks > 0 && (longest_first >= piece.length - piece.next_chunks || piece.next_chunks == piece.length);
    if (is_earlier || is_later) {
      return std::nullopt;
    }
  } else if (first >= piece.length - piece.next_chunks) {
    return std::nullopt;
  }
  return Site{.contig = piece.contig,
              .position = piece.first + first,
              .offset = piece.offset + first,
              .strand = hit.strand == 0 ? Strand::plus : Strand::minus,
              .guide = variant.guide,
              .mismatches = hit.mismatches,
              .variant = static_cast<std::int32_t>(hit.variant)};
}

void Search::State::append_sites(std::span<const Hit> some, std::span<const Piece> pieces) {
  const Piece& last = pieces.back();
  const index_t next_chunk = last.offset + last.length - last.next_chunks;
  for (const Hit& hit : some) {
    if (const std::optional<Site> site = site_of(hit, pieces)) {
      (site->offset < next_chunk ? sites : held).push_back(*site);
    }
  }
}

void Search::State::take_held(std::span<const Piece> pieces) {
  for (Site& site : held) {
    if (!pieces.empty() && pieces.front().contig == site.contig && pieces.front().first <= site.position) {
      site.offset = pieces.front().offset + site.position - pieces.front().first;
      sites.push_back(site);
    }
  }
  held.clear();
}

void Search::State::remember_end(std::span<const Piece> pieces) {
  continued_contig = continued_first = -1;
  if (!pieces.empty() && pieces.back().next_chunks > 0 && pieces.back().next_chunks < pieces.back().length) {
    continued_contig = pieces.back().contig;
    continued_first = pieces.back().first + pieces.back().length - pieces.back().next_chunks;
  }
}

void Search::State::keep_best(std::vector<Hit>& some, std::span<const Piece> pieces) const {
  some.erase(std::remove_if(some.begin(), some.end(), [&](const Hit& hit) { return !site_of(hit, pieces); }), some.end());
  const auto locus = [this](const Hit& hit) { return std::tuple(hit.slot, hit.strand, variants[hit.variant].guide); };
  const auto rank = [this](const Hit& hit) {
    const int gaps = variants[hit.variant].dna_bulge + variants[hit.variant].rna_bulge;
    return std::tuple(hit.mismatches + gaps, gaps, hit.variant);
  };
  std::sort(some.begin(), some.end(),
            [&](const Hit& a, const Hit& b) { return locus(a) != locus(b) ? locus(a) < locus(b) : rank(a) < rank(b); });
  some.erase(std::unique(some.begin(), some.end(), [&](const Hit& a, const Hit& b) { return locus(a) == locus(b); }), some.end());
}

void Search::State::hand_on(index_t end, const GenomeChunk& chunk, const SiteSink& sink) {
  std::sort(sites.begin(), sites.end(), is_before);
  const auto last = std::partition_point(sites.begin(), sites.end(), [end](const Site& site) { return site.offset < end; });
  if (last != sites.begin()) {
    sink(std::span(sites.begin(), last), chunk);
    sites.erase(sites.begin(), last);
  }
}

void Search::run(const GenomeChunk& chunk, const SiteSink& sink) {
  State& state = *state_;
  const std::vector<Tile> tiles = tiles_of(chunk, state.shortest);
  const auto limit = static_cast<std::uint64_t>(state.options.batch_sites);
  std::size_t step = tiles.size();
  state.sites.clear();
  state.take_held(chunk.pieces());
  for (std::size_t first = 0; first < tiles.size();) {
    const auto part = std::span(tiles).subspan(first, std::min(step, tiles.size() - first));
    // A single tile is searched whole, whatever it holds.
    const bool whole = part.size() == 1;
    if (!state.collect(chunk, part, whole ? std::numeric_limits<std::uint64_t>::max() : limit)) {
      step = std::max<std::size_t>(1, part.size() / 4);
      continue;
    }
    for (std::vector<Hit>& hits : state.hits) {
      if (state.options.best_per_locus) {
        state.keep_best(hits, chunk.pieces());
      }
      state.append_sites(hits, chunk.pieces());
    }
    first += part.size();
    // Windows of later slots begin up to longest - shortest bases before these.
    const index_t end = first < tiles.size()
                            ? index_t{tiles[first].first_word} * bases_per_word - (state.longest - state.shortest)
                            : std::numeric_limits<index_t>::max();
    state.hand_on(end, chunk, sink);
  }
  state.remember_end(chunk.pieces());
  state.progress->advance(static_cast<std::uint64_t>(chunk.new_bases()));
}

std::vector<FoundSite> search_contigs(std::span<const Contig> contigs, Search& search) {
  std::vector<FoundSite> found;
  const SiteSink sink = [&](std::span<const Site> sites, const GenomeChunk& chunk) {
    for (const Site& site : sites) {
      const Variant& variant = search.variants()[static_cast<std::size_t>(site.variant)];
      found.push_back({site, aligned_letters(chunk, site, variant)});
      mark_mismatches(found.back().letters, variant, search.options().ambiguity);
    }
  };
  GenomePacker packer(search.options().chunk_bases, search.overlap(), [&](const GenomeChunk& chunk) { search.run(chunk, sink); });
  for (const Contig& contig : contigs) {
    packer.begin_contig();
    packer.append(contig.letters);
  }
  packer.finish();
  return found;
}

}  // namespace phpc::casoff
