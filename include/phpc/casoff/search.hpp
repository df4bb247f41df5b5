#pragma once
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "phpc/casoff/genome.hpp"
#include "phpc/casoff/pattern.hpp"
#include "phpc/casoff/site.hpp"
#include "phpc/core/progress.hpp"
#include "phpc/exec/device.hpp"

namespace phpc::casoff {

struct SearchOptions {
  Ambiguity ambiguity = Ambiguity::cas_offinder;
  /// Bases searched at once: half a byte each on the host, three quarters on a device.
  index_t chunk_bases = index_t{1} << 26;
  /// Sites held at once per device, about 64 bytes each. Not a limit on what is found: a part of the genome with more is searched
  /// in smaller parts.
  index_t batch_sites = index_t{1} << 22;
};

/// Sites in order of contig, position, strand (+ first) and guide, with the chunk that holds their letters. Called several times
/// a chunk where there are many; all calls together are in order as well. Both arguments are gone when it returns.
using SiteSink = std::function<void(std::span<const Site>, const GenomeChunk&)>;

/// Finds every window of a genome that fits a pattern on either strand and differs from a guide in at most the guide's threshold
/// of letters; mismatches only, no bulges. The pattern's letters, where not N, must all match; a guide's are counted, its PAM
/// letters too. A window lies within one contig.
///
/// Two kernels: `finder` marks the starts that fit the pattern; `comparer` counts the mismatches of every guide at these.
/// The result is the same for every device, number of devices and chunk size.
class Search {
 public:
  /// Throws Error(usage) without guides or devices, Error(input) for a guide that is not as long as the pattern or has a negative
  /// threshold.
  Search(Pattern pattern, std::vector<Guide> guides, std::vector<exec::Device> devices, SearchOptions options = {},
         Progress& progress = no_progress());
  ~Search();
  Search(Search&&) noexcept;
  Search& operator=(Search&&) noexcept;

  /// Searches one chunk, its windows divided among the devices. The chunk must come from a GenomePacker with overlap().
  void run(const GenomeChunk& chunk, const SiteSink& sink);

  [[nodiscard]] int overlap() const;
  [[nodiscard]] const Pattern& pattern() const;
  [[nodiscard]] const std::vector<Guide>& guides() const;
  [[nodiscard]] const SearchOptions& options() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// A contig in memory: letters in either case.
struct Contig {
  std::string name;
  std::string letters;
};

/// A hit and its letters, oriented like the guide, mismatches in lower case.
struct FoundSite {
  Site site;
  std::string letters;
};

/// All sites of a genome that is in memory, in order.
std::vector<FoundSite> search_contigs(std::span<const Contig> contigs, Search& search);

}  // namespace phpc::casoff
