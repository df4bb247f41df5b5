#include <algorithm>
#include <utility>

#include "casoff/letterwise/letter_comparer.hpp"
#include "casoff/letterwise/letter_finder.hpp"
#include "casoff/letterwise/letter_maker.hpp"
#include "casoff/search/chunk_search.hpp"
#include "phpc/core/phase_timer.hpp"
#include "phpc/exec/launch.hpp"

namespace phpc::casoff {

namespace {

QueryLetters letters_of(const Pattern& sequence) {
  QueryLetters query{};
  const int length = sequence.size();
  int count[2] = {};
  for (int i = 0; i < length; ++i) {
    const Code plus = sequence.codes()[static_cast<std::size_t>(i)];
    const Code minus = complement(sequence.codes()[static_cast<std::size_t>(length - 1 - i)]);
    query.letters[i] = iupac_letter(plus);
    query.letters[length + i] = iupac_letter(minus);
    if (plus != any_base) {
      query.places[count[0]++] = i;
    }
    if (minus != any_base) {
      query.places[length + count[1]++] = i;
    }
  }
  for (const int strand : {0, 1}) {
    if (count[strand] < length) {
      query.places[strand * length + count[strand]] = -1;
    }
  }
  return query;
}

exec::Buffer<QueryLetters> letters_of(exec::Device device, std::span<const Guide> guides) {
  std::vector<QueryLetters> queries;
  queries.reserve(guides.size());
  for (const Guide& guide : guides) {
    queries.push_back(letters_of(guide.sequence));
  }
  return {device, std::span<const QueryLetters>(queries)};
}

class LetterwiseSearch final : public ChunkSearch {
 public:
  LetterwiseSearch(exec::Device device, Comparer comparer, const LetterwiseQuery& query)
      : device_(device),
        launch_(launch_of(comparer)),
        length_(query.pattern.size()),
        fitting_fraction_(query.fitting_fraction),
        guides_(letters_of(device, query.guides)),
        words_(device, 0),
        letters_(device, 0),
        tiles_(device, 0),
        places_(device, 0),
        flags_(device, 0),
        hit_places_(device, 0),
        directions_(device, 0),
        mismatches_(device, 0),
        count_(device, 1) {
    const QueryLetters pattern = letters_of(query.pattern);
    pattern_ = exec::Buffer<QueryLetters>(device, std::span(&pattern, 1));
    for (const Guide& guide : query.guides) {
      thresholds_.push_back(static_cast<std::uint16_t>(std::min<index_t>(guide.threshold, max_pattern_length)));
    }
  }

  std::uint64_t run(std::span<const BaseWord> words, std::span<const Tile> tiles, std::uint64_t limit,
                    std::vector<Hit>& hits) override {
    hits.clear();
    upload(words, tiles);
    const auto candidates = static_cast<index_t>(find_candidates(static_cast<index_t>(tiles.size())));
    ensure_size(hit_places_, 2 * candidates);
    ensure_size(directions_, 2 * candidates);
    ensure_size(mismatches_, 2 * candidates);
    std::uint64_t found = 0;
    for (std::uint32_t guide = 0; guide < thresholds_.size() && candidates > 0; ++guide) {
      const std::uint64_t of_guide = compare(guide, candidates);
      found += of_guide;
      if (found <= limit) {
        fetch(guide, of_guide, hits);
      }
    }
    if (found > limit) {
      hits.clear();
    }
    return found;
  }

 private:
  using Launch = void (LetterwiseSearch::*)(std::uint32_t guide, index_t candidates);

  static Launch launch_of(Comparer comparer) {
    PHPC_EXPECT(comparer != Comparer::ours);
    static constexpr Launch launches[] = {&LetterwiseSearch::launch<Comparer::base>, &LetterwiseSearch::launch<Comparer::opt1>,
                                          &LetterwiseSearch::launch<Comparer::opt2>, &LetterwiseSearch::launch<Comparer::opt3>,
                                          &LetterwiseSearch::launch<Comparer::opt4>};
    return launches[static_cast<int>(comparer) - static_cast<int>(Comparer::base)];
  }

  /// Makes the letters that windows of the tiles may cover, on the device.
  void upload(std::span<const BaseWord> words, std::span<const Tile> tiles) {
    const PhaseTimer timer(times_.upload);
    const index_t first = tiles.front().first_word;
    // A window ends up to 63 letters after its slot.
    const index_t end = std::min<index_t>(static_cast<index_t>(words.size()),
                                          tiles.back().first_word + ceil_div(tiles.back().slots, bases_per_word) + 1);
    const auto used = words.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(end - first));
    first_slot_ = static_cast<std::uint32_t>(first * bases_per_word);
    const BaseWord* on_device = used.data();
    device_tiles_ = tiles.data();
    if (!device_.is_host()) {
      ensure_size(words_, static_cast<index_t>(used.size()));
      words_.copy_from(used);
      on_device = words_.data();
      ensure_size(tiles_, static_cast<index_t>(tiles.size()));
      tiles_.copy_from(tiles);
      device_tiles_ = tiles_.data();
    }
    ensure_size(letters_, (end - first) * bases_per_word);
    exec::launch(device_, {.groups = ceil_div(end - first, index_t{LetterMaker::group_words})},
                 LetterMaker{on_device, letters_.data(), end - first});
  }

  /// Lists the candidates, and returns how many there are.
  std::uint64_t find_candidates(index_t tiles) {
    // Twice what a random genome has, and a second launch where that is not enough.
    const auto slots = static_cast<double>(tiles * tile_words * bases_per_word);
    auto expected = static_cast<index_t>(std::min(1.0, 2 * fitting_fraction_) * slots) + 1024;
    std::uint64_t found = 0;
    do {
      ensure_size(places_, expected);
      ensure_size(flags_, expected);
      const PhaseTimer timer(times_.finder);
      found = 0;
      count_.copy_from(std::span(&found, 1));
      const LetterCandidates list{places_.data(), flags_.data(), count_.data(), static_cast<std::uint64_t>(expected)};
      exec::launch(device_, {.groups = tiles * LetterFinder::tile_groups},
                   LetterFinder{letters_.data(), first_slot_, device_tiles_, pattern_.data(), length_, list});
      count_.copy_to(std::span(&found, 1));
    } while (found > static_cast<std::uint64_t>(std::exchange(expected, static_cast<index_t>(found))));
    return found;
  }

  std::uint64_t compare(std::uint32_t guide, index_t candidates) {
    const PhaseTimer timer(times_.comparer);
    std::uint64_t found = 0;
    count_.copy_from(std::span(&found, 1));
    (this->*launch_)(guide, candidates);
    count_.copy_to(std::span(&found, 1));
    return found;
  }

  template <Comparer Which>
  void launch(std::uint32_t guide, index_t candidates) {
    exec::launch(device_, {.groups = ceil_div(candidates, index_t{group_items})},
                 LetterComparer<Which>{letters_.data(),
                                       places_.data(),
                                       flags_.data(),
                                       candidates,
                                       guides_.data() + guide,
                                       length_,
                                       thresholds_[guide],
                                       {hit_places_.data(), directions_.data(), mismatches_.data(), count_.data()}});
  }

  /// Appends what was found of a guide.
  void fetch(std::uint32_t guide, std::uint64_t found, std::vector<Hit>& hits) {
    const PhaseTimer timer(times_.download);
    own_places_.resize(found);
    own_directions_.resize(found);
    own_mismatches_.resize(found);
    hit_places_.copy_to(own_places_);
    directions_.copy_to(own_directions_);
    mismatches_.copy_to(own_mismatches_);
    for (std::size_t i = 0; i < found; ++i) {
      hits.push_back({first_slot_ + own_places_[i], guide, static_cast<std::uint16_t>(own_directions_[i] == '-' ? 1 : 0),
                      own_mismatches_[i]});
    }
  }

  exec::Device device_;
  Launch launch_;
  int length_;  ///< of pattern and guides
  double fitting_fraction_;
  std::vector<std::uint16_t> thresholds_;  ///< by guide
  exec::Buffer<QueryLetters> pattern_;
  exec::Buffer<QueryLetters> guides_;
  std::uint32_t first_slot_ = 0;  ///< in the chunk, of the first letter
  const Tile* device_tiles_ = nullptr;
  exec::Buffer<BaseWord> words_;
  exec::Buffer<char> letters_;
  exec::Buffer<Tile> tiles_;
  exec::Buffer<std::uint32_t> places_;  ///< of the candidates
  exec::Buffer<char> flags_;
  exec::Buffer<std::uint32_t> hit_places_;
  exec::Buffer<char> directions_;
  exec::Buffer<std::uint16_t> mismatches_;
  exec::Buffer<std::uint64_t> count_;
  std::vector<std::uint32_t> own_places_;
  std::vector<char> own_directions_;
  std::vector<std::uint16_t> own_mismatches_;
};

}  // namespace

std::unique_ptr<ChunkSearch> make_letterwise_search(exec::Device device, Comparer comparer, const LetterwiseQuery& query) {
  return std::make_unique<LetterwiseSearch>(device, comparer, query);
}

}  // namespace phpc::casoff
