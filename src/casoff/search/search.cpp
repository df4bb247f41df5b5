#include "phpc/casoff/search.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <tuple>

#include "casoff/search/device_search.hpp"
#include "casoff/search/site_keys.hpp"
#include "phpc/casoff/site_letters.hpp"
#include "phpc/core/error.hpp"
#include "phpc/core/parse.hpp"
#include "phpc/core/phase_timer.hpp"
#include "phpc/exec/split.hpp"

namespace phpc::casoff {

namespace {

/// Cuts the slots of all windows that lie within a piece into tiles.
std::vector<Tile> tiles_of(const GenomeChunk& chunk, int shortest) {
  constexpr index_t tile_slots = tile_words * bases_per_word;
  std::vector<Tile> tiles;
  for (const Piece& piece : chunk.pieces()) {
    const index_t slots = piece.length - shortest + 1;
    for (index_t first = 0; first < slots; first += tile_slots) {
      tiles.push_back({static_cast<std::uint32_t>((piece.offset + first) / bases_per_word),
                       static_cast<std::uint16_t>(std::min(tile_slots, slots - first))});
    }
  }
  return tiles;
}

index_t first_slot(const Tile& tile) {
  return index_t{tile.first_word} * bases_per_word + tile.left_out;
}

/// Cuts a tile into `count` tiles, or into one for each slot where there are fewer slots.
std::vector<Tile> split(const Tile& tile, index_t count) {
  const index_t slots = tile.slots - tile.left_out;
  const index_t parts = std::min(count, slots);
  std::vector<Tile> tiles;
  for (index_t part = 0; part < parts; ++part) {
    const exec::Range range = exec::split_evenly(slots, parts, part);
    const index_t word = (first_slot(tile) + range.begin) / bases_per_word;
    const index_t before = word * bases_per_word;
    tiles.push_back({static_cast<std::uint32_t>(word), static_cast<std::uint16_t>(first_slot(tile) + range.end - before),
                     static_cast<std::uint16_t>(first_slot(tile) + range.begin - before)});
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
  validate_comparer(options);
  for (const Guide& guide : guides) {
    PHPC_VALIDATE(guide.sequence.size() == pattern.size(), ErrorKind::input,
                  "guide '" + guide.sequence.text() + "' has " + counted(guide.sequence.size(), "letter") +
                      " where the pattern has " + std::to_string(pattern.size()) +
                      "; write the guide with N for the PAM's letters");
    PHPC_VALIDATE(guide.threshold >= 0, ErrorKind::input,
                  "the threshold of guide '" + guide.sequence.text() + "' is negative; give 0 or more mismatches");
  }
}

/// How many sites are made of their keys at once: they stay in the second cache.
constexpr std::size_t sites_at_once = std::size_t{1} << 14;

/// Finds the pieces of offsets, most of which lie in that of the one before.
class PieceFinder {
 public:
  explicit PieceFinder(std::span<const Piece> pieces) : pieces_(pieces) {}

  const Piece& at(index_t offset) {
    const auto begins_after = [](index_t place, const Piece& piece) { return place < piece.offset; };
    if (begins_after(offset, pieces_[piece_]) || (piece_ + 1 < pieces_.size() && !begins_after(offset, pieces_[piece_ + 1]))) {
      const auto after = std::upper_bound(pieces_.begin(), pieces_.end(), offset, begins_after);
      piece_ = static_cast<std::size_t>(after - pieces_.begin()) - 1;
    }
    return pieces_[piece_];
  }

 private:
  std::span<const Piece> pieces_;
  std::size_t piece_ = 0;
};

}  // namespace

void validate_comparer(const SearchOptions& options) {
  if (options.comparer == Comparer::ours) {
    return;
  }
  const std::string name(to_string(options.comparer));
  PHPC_VALIDATE(options.dna_bulge == 0 && options.rna_bulge == 0, ErrorKind::usage,
                "the comparer '" + name + "' knows no bulges; search without them, or by 'ours'");
  PHPC_VALIDATE(options.ambiguity == Ambiguity::cas_offinder, ErrorKind::usage,
                "the comparer '" + name +
                    "' takes ambiguous letters as Cas-OFFinder does alone; give that policy, cas-offinder, or search by 'ours'");
}

struct Search::State {
  Pattern pattern;
  std::vector<Guide> guides;
  std::vector<exec::Device> devices;
  SearchOptions options;
  Progress* progress;
  std::vector<Variant> variants;
  int shortest;  ///< bases of the shortest window
  int longest;   ///< and of the longest
  /// Where windows begin, from their slot: by strand and length.
  std::array<std::array<int, max_pattern_length + 1>, 2> shifts{};
  std::vector<std::uint8_t> site_lengths;              ///< by variant
  std::vector<std::unique_ptr<ChunkSearch>> searches;  ///< one a device
  std::vector<std::vector<Hit>> hits;                  ///< one a device
  std::vector<std::uint64_t> hit_counts;
  SiteKeys found;           ///< and not yet handed on
  std::vector<Site> sites;  ///< being handed on
  /// Best of their locus, found in the last chunk, but with a place in the order among the next one's sites; that chunk holds
  /// their window too.
  std::vector<Site> held;
  /// The contig and position where the last chunk left off, when it had loci of its own there; else -1.
  index_t continued_contig = -1;
  index_t continued_first = -1;
  double sites_seconds = 0;

  /// Searches tiles [first, last) on all devices; false when some device has more hits than it may hold.
  bool collect(const GenomeChunk& chunk, std::span<const Tile> tiles, std::uint64_t limit);
  /// Drops all hits but the best of each locus, which stands for the alignments there.
  void keep_best(std::vector<Hit>& some, std::span<const Piece> pieces) const;
  /// Adds the sites that the last chunk held to those found, as sites of this chunk.
  void take_held(std::span<const Piece> pieces);
  /// Notes where the chunk leaves off within a contig.
  void remember_end(std::span<const Piece> pieces);
  /// Adds the sites of hits to those found.
  void take_hits(std::span<const Hit> some, std::span<const Piece> pieces);
  /// The site of a hit; none where its window does not lie within its piece, or belongs to another chunk.
  [[nodiscard]] std::optional<SiteKeys::Fields> site_of(const Hit& hit, PieceFinder& pieces) const;
  [[nodiscard]] Site whole_site(const SiteKeys::Fields& fields, const Piece& piece) const;
  /// Hands on those found before an offset, in order.
  void hand_on(index_t end, const GenomeChunk& chunk, const SiteSink& sink);
};

Search::Search(Pattern pattern, std::vector<Guide> guides, std::vector<exec::Device> devices, SearchOptions options,
               Progress& progress)
    : state_(new State{.pattern = std::move(pattern),
                       .guides = std::move(guides),
                       .devices = std::move(devices),
                       .options = options,
                       .progress = &progress,
                       .variants = {},
                       .shortest = 0,
                       .longest = 0,
                       .site_lengths = {},
                       .searches = {},
                       .hits = {},
                       .hit_counts = {},
                       .found = SiteKeys(1),
                       .sites = {},
                       .held = {}}) {
  State& state = *state_;
  check(state.pattern, state.guides, options);
  PHPC_VALIDATE(!state.devices.empty(), ErrorKind::usage, "there is no device to search on; give at least one");
  state.variants = make_variants(state.pattern, sequences_of(state.guides),
                                 {.dna = options.dna_bulge, .rna = options.rna_bulge, .mode = options.bulge_mode});
  const QueryProgram program = make_program(state.pattern, state.guides, state.variants, options.ambiguity);
  state.shortest = program.shortest;
  state.longest = program.longest;
  for (int strand = 0; strand < 2; ++strand) {
    for (int length = state.shortest; length <= state.longest; ++length) {
      state.shifts[static_cast<std::size_t>(strand)][static_cast<std::size_t>(length)] =
          first_shift(state.pattern, strand, state.shortest, length);
    }
  }
  for (const Variant& variant : state.variants) {
    state.site_lengths.push_back(static_cast<std::uint8_t>(variant.site_length()));
  }
  state.found = SiteKeys(state.variants.size());
  for (const exec::Device device : state.devices) {
    if (options.comparer == Comparer::ours) {
      state.searches.push_back(DeviceSearch::make(device, program));
    } else {
      state.searches.push_back(
          make_letterwise_search(device, options.comparer, {state.pattern, state.guides, program.fitting_fraction()}));
    }
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

SearchTimes Search::times() const {
  SearchTimes times{.kernels = {}, .sites = state_->sites_seconds};
  for (const std::unique_ptr<ChunkSearch>& search : state_->searches) {
    times.kernels += search->times();
  }
  return times;
}

KernelTimes& KernelTimes::operator+=(const KernelTimes& other) {
  upload += other.upload;
  finder += other.finder;
  comparer += other.comparer;
  download += other.download;
  return *this;
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

std::optional<SiteKeys::Fields> Search::State::site_of(const Hit& hit, PieceFinder& pieces) const {
  const Piece& piece = pieces.at(index_t{hit.slot});
  const index_t length = site_lengths[hit.variant];
  const std::array<int, max_pattern_length + 1>& shift = shifts[hit.strand];
  const index_t slot = hit.slot - piece.offset;
  const index_t first = slot + shift[static_cast<std::size_t>(length)];
  if (first < 0 || first + length > piece.length) {
    return std::nullopt;
  }
  if (options.best_per_locus) {
    // All alignments of a locus are one chunk's: the one that has the longest, were it to lie within the contig.
    const index_t longest_first = slot + shift[static_cast<std::size_t>(longest)];
    const bool is_earlier = longest_first < 0 && piece.contig == continued_contig && piece.first == continued_first;
    const bool is_later =
        piece.next_chunks > 0 && (longest_first >= piece.length - piece.next_chunks || piece.next_chunks == piece.length);
    if (is_earlier || is_later) {
      return std::nullopt;
    }
  } else if (first >= piece.length - piece.next_chunks) {
    return std::nullopt;
  }
  return SiteKeys::Fields{piece.offset + first, hit.strand, hit.variant, hit.mismatches};
}

Site Search::State::whole_site(const SiteKeys::Fields& fields, const Piece& piece) const {
  return {.contig = piece.contig,
          .position = piece.first + fields.offset - piece.offset,
          .offset = fields.offset,
          .strand = fields.strand == 0 ? Strand::plus : Strand::minus,
          .guide = variants[fields.variant].guide,
          .mismatches = fields.mismatches,
          .variant = static_cast<std::int32_t>(fields.variant)};
}

void Search::State::take_hits(std::span<const Hit> some, std::span<const Piece> pieces) {
  const Piece& last = pieces.back();
  const index_t next_chunk = last.offset + last.length - last.next_chunks;
  PieceFinder finder(pieces);
  for (const Hit& hit : some) {
    if (const std::optional<SiteKeys::Fields> site = site_of(hit, finder)) {
      if (site->offset < next_chunk) {
        found.add(*site);
      } else {
        held.push_back(whole_site(*site, finder.at(site->offset)));
      }
    }
  }
}

void Search::State::take_held(std::span<const Piece> pieces) {
  for (const Site& site : held) {
    if (!pieces.empty() && pieces.front().contig == site.contig && pieces.front().first <= site.position) {
      found.add({pieces.front().offset + site.position - pieces.front().first, site.strand == Strand::plus ? 0 : 1,
                 static_cast<std::uint32_t>(site.variant), site.mismatches});
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
  PieceFinder finder(pieces);
  some.erase(std::remove_if(some.begin(), some.end(), [&](const Hit& hit) { return !site_of(hit, finder); }), some.end());
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
  {
    const PhaseTimer timer(sites_seconds);
    found.sort();
  }
  const std::size_t count = found.count_before(end);
  PieceFinder finder(chunk.pieces());
  for (std::size_t first = 0; first < count; first += sites.size()) {
    {
      const PhaseTimer timer(sites_seconds);
      sites.clear();
      for (std::size_t i = first; i < std::min(first + sites_at_once, count); ++i) {
        const SiteKeys::Fields fields = found[i];
        sites.push_back(whole_site(fields, finder.at(fields.offset)));
      }
    }
    sink(sites, chunk);
  }
  found.drop(count);
}

void Search::run(const GenomeChunk& chunk, const SiteSink& sink) {
  State& state = *state_;
  std::vector<Tile> tiles = tiles_of(chunk, state.shortest);
  const auto limit = static_cast<std::uint64_t>(state.options.batch_sites);
  std::size_t step = tiles.size();
  state.found.clear();
  state.take_held(chunk.pieces());
  for (std::size_t first = 0; first < tiles.size();) {
    const auto part = std::span(tiles).subspan(first, std::min(step, tiles.size() - first));
    const Tile tile = part.front();
    // A single slot is searched whole: it has no more hits than there are variants on two strands.
    const bool whole = part.size() == 1 && tile.slots - tile.left_out == 1;
    if (!state.collect(chunk, part, whole ? std::numeric_limits<std::uint64_t>::max() : limit)) {
      // So many parts that each holds what is allowed, if hits are spread evenly, with some room.
      const std::uint64_t most = *std::max_element(state.hit_counts.begin(), state.hit_counts.end());
      const auto parts = static_cast<index_t>(std::max<std::uint64_t>(4, most / limit + most / limit / 4 + 1));
      if (part.size() > 1) {
        step = static_cast<std::size_t>(std::max<index_t>(1, static_cast<index_t>(part.size()) / parts));
      } else {
        const std::vector<Tile> smaller = split(tile, parts);
        tiles[first] = smaller.front();
        tiles.insert(tiles.begin() + static_cast<std::ptrdiff_t>(first) + 1, smaller.begin() + 1, smaller.end());
      }
      continue;
    }
    for (std::vector<Hit>& hits : state.hits) {
      const PhaseTimer timer(state.sites_seconds);
      if (state.options.best_per_locus) {
        state.keep_best(hits, chunk.pieces());
      }
      state.take_hits(hits, chunk.pieces());
    }
    first += part.size();
    // Windows of later slots begin up to longest - shortest bases before these.
    const index_t end =
        first < tiles.size() ? first_slot(tiles[first]) - (state.longest - state.shortest) : std::numeric_limits<index_t>::max();
    state.hand_on(end, chunk, sink);
  }
  state.remember_end(chunk.pieces());
  state.progress->advance(static_cast<std::uint64_t>(chunk.new_bases()));
}

std::vector<FoundSite> search_contigs(std::span<const Contig> contigs, Search& search) {
  std::vector<FoundSite> found;
  const SiteLetters letters(search.variants(), search.options().ambiguity);
  const SiteSink sink = [&](std::span<const Site> sites, const GenomeChunk& chunk) {
    SiteLetters::Row row;
    for (const Site& site : sites) {
      found.push_back({site, std::string(letters.marked_row(chunk, site, row))});
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
