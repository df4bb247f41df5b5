#include "phpc/casoff/search.hpp"

#include <algorithm>
#include <limits>

#include "casoff/device_search.hpp"
#include "phpc/core/error.hpp"
#include "phpc/exec/split.hpp"

namespace phpc::casoff {

namespace {

/// The starts of all windows of `length` bases that lie within a piece.
std::vector<Tile> tiles_of(const GenomeChunk& chunk, int length) {
  constexpr index_t tile_starts = tile_words * bases_per_word;
  std::vector<Tile> tiles;
  for (const Piece& piece : chunk.pieces()) {
    const index_t starts = piece.length - length + 1;
    for (index_t first = 0; first < starts; first += tile_starts) {
      tiles.push_back({static_cast<std::uint32_t>((piece.offset + first) / bases_per_word),
                       static_cast<std::uint32_t>(std::min(tile_starts, starts - first))});
    }
  }
  return tiles;
}

/// Appends sites for hits in ascending order.
void append_sites(std::span<const Hit> hits, std::span<const Piece> pieces, std::vector<Site>& sites) {
  if (hits.empty()) {
    return;
  }
  auto piece = std::upper_bound(pieces.begin(), pieces.end(), index_t{hits.front().offset},
                                [](index_t offset, const Piece& candidate) { return offset < candidate.offset; });
  --piece;
  for (const Hit& hit : hits) {
    const index_t offset = hit.offset;
    while (offset >= piece->offset + piece->length) {
      ++piece;
    }
    sites.push_back({piece->contig, piece->first + (offset - piece->offset), offset,
                     hit.strand == 0 ? Strand::plus : Strand::minus, static_cast<std::int32_t>(hit.guide),
                     static_cast<std::int32_t>(hit.mismatches)});
  }
}

}  // namespace

struct Search::State {
  Pattern pattern;
  std::vector<Guide> guides;
  std::vector<exec::Device> devices;
  SearchOptions options;
  Progress* progress;
  std::vector<DeviceSearch> searches;  ///< one a device
  std::vector<std::vector<Hit>> hits;  ///< one a device
  std::vector<std::uint64_t> hit_counts;
  std::vector<Site> sites;

  /// Searches tiles [first, last) on all devices; false when some device has more hits than it may hold.
  bool collect(const GenomeChunk& chunk, std::span<const Tile> tiles, std::uint64_t limit);
};

Search::Search(Pattern pattern, std::vector<Guide> guides, std::vector<exec::Device> devices, SearchOptions options,
               Progress& progress)
    : state_(new State{std::move(pattern), std::move(guides), std::move(devices), options, &progress, {}, {}, {}, {}}) {
  State& state = *state_;
  PHPC_VALIDATE(!state.guides.empty(), ErrorKind::usage, "there is no guide to search for; give at least one");
  PHPC_VALIDATE(!state.devices.empty(), ErrorKind::usage, "there is no device to search on; give at least one");
  PHPC_VALIDATE(options.batch_sites > 0, ErrorKind::usage, "batch_sites must be positive");
  for (const Guide& guide : state.guides) {
    PHPC_VALIDATE(guide.sequence.size() == state.pattern.size(), ErrorKind::input,
                  "guide '" + guide.sequence.text() + "' has " + std::to_string(guide.sequence.size()) +
                      " letters where the pattern has " + std::to_string(state.pattern.size()) +
                      "; write the guide with N for the PAM's letters");
    PHPC_VALIDATE(guide.threshold >= 0, ErrorKind::input,
                  "the threshold of guide '" + guide.sequence.text() + "' is negative; give 0 or more mismatches");
  }
  for (const exec::Device device : state.devices) {
    state.searches.emplace_back(device, state.pattern, state.guides, options.ambiguity);
  }
  state.hits.resize(state.devices.size());
  state.hit_counts.resize(state.devices.size());
}

Search::~Search() = default;
Search::Search(Search&&) noexcept = default;
Search& Search::operator=(Search&&) noexcept = default;

int Search::overlap() const {
  return state_->pattern.size() - 1;
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
    hit_counts[own] = searches[own].run(chunk.words(), part, limit, hits[own]);
  });
  return std::all_of(hit_counts.begin(), hit_counts.end(), [&](std::uint64_t count) { return count <= limit; });
}

void Search::run(const GenomeChunk& chunk, const SiteSink& sink) {
  State& state = *state_;
  const std::vector<Tile> tiles = tiles_of(chunk, state.pattern.size());
  const auto limit = static_cast<std::uint64_t>(state.options.batch_sites);
  std::size_t step = tiles.size();
  for (std::size_t first = 0; first < tiles.size();) {
    const auto part = std::span(tiles).subspan(first, std::min(step, tiles.size() - first));
    // A single tile is searched whole, whatever it holds.
    const bool whole = part.size() == 1;
    if (!state.collect(chunk, part, whole ? std::numeric_limits<std::uint64_t>::max() : limit)) {
      step = std::max<std::size_t>(1, part.size() / 4);
      continue;
    }
    state.sites.clear();
    for (const std::vector<Hit>& hits : state.hits) {
      append_sites(hits, chunk.pieces(), state.sites);
    }
    if (!state.sites.empty()) {
      sink(state.sites, chunk);
    }
    first += part.size();
  }
  state.progress->advance(static_cast<std::uint64_t>(chunk.new_bases()));
}

std::vector<FoundSite> search_contigs(std::span<const Contig> contigs, Search& search) {
  std::vector<FoundSite> found;
  const SiteSink sink = [&](std::span<const Site> sites, const GenomeChunk& chunk) {
    for (const Site& site : sites) {
      found.push_back({site, site_letters(chunk, site, search.pattern().size())});
      mark_mismatches(found.back().letters, search.guides()[static_cast<std::size_t>(site.guide)].sequence,
                      search.options().ambiguity);
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
