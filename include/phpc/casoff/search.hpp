#pragma once
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "phpc/casoff/comparer.hpp"
#include "phpc/casoff/genome.hpp"
#include "phpc/casoff/pattern.hpp"
#include "phpc/casoff/site.hpp"
#include "phpc/casoff/variant.hpp"
#include "phpc/core/progress.hpp"
#include "phpc/exec/device.hpp"

namespace phpc::casoff {

struct SearchOptions {
  Ambiguity ambiguity = Ambiguity::cas_offinder;
  int dna_bulge = 0;  ///< the most bases of the genome that an alignment leaves out; the longest site has 64 bases
  int rna_bulge = 0;  ///< the most letters of the guide that it leaves out
  BulgeMode bulge_mode = BulgeMode::single;
  /// Of the alignments of a guide that have the PAM in the same place and strand, only the best: fewest edits (mismatches and
  /// gaps), of these fewest gaps, of these the first variant.
  bool best_per_locus = false;
  /// Bases searched at once: half a byte each on the host, three quarters on a device.
  index_t chunk_bases = index_t{1} << 26;
  /// Sites held at once per device, about 44 bytes each. Not a limit on what is found: a part of the genome with more is searched
  /// in smaller parts, down to a single place, whose sites are no more than twice the variants.
  index_t batch_sites = index_t{1} << 22;
  /// What counts mismatches. All but `ours` take no bulges and no ambiguity but Cas-OFFinder's.
  Comparer comparer = Comparer::ours;
};

/// Throws Error(usage) where the comparer of the options does not know what these ask for.
void validate_comparer(const SearchOptions& options);

/// Seconds that devices worked for a search, by the host's clock: kernels from their launch until they are waited for. Those of
/// several devices, which work at the same time, are added up.
struct KernelTimes {
  double upload = 0;    ///< the genome to the device and, for the letterwise comparers, its letters made there
  double finder = 0;    ///< kernels that list candidates
  double comparer = 0;  ///< kernels that count mismatches
  double download = 0;  ///< hits to the host
  KernelTimes& operator+=(const KernelTimes& other);
};

/// Where the time of a search went, in seconds.
struct SearchTimes {
  KernelTimes kernels;
  double sites = 0;  ///< sites made of hits, and sorted
};

/// Sites in order of contig, position, strand (+ first), guide and variant, with the chunk that holds their letters. Called
/// several times a chunk where there are many; all calls together are in order as well. Both arguments are gone when it returns.
using SiteSink = std::function<void(std::span<const Site>, const GenomeChunk&)>;

/// Finds every window of a genome that fits a pattern on either strand and differs from a guide in at most the guide's threshold
/// of letters, in one of the alignments that make_variants() allows. The pattern's letters, where not N, must all match; a
/// guide's are counted, its PAM letters too. A window lies within one contig.
///
/// Kernels count mismatches for 64 slots in one word of bits (src/casoff/query/query_program.hpp), either of all slots or of the
/// candidates, those that fit the pattern, which another kernel lists first. The result is the same for every device, number of
/// devices and chunk size.
class Search {
 public:
  /// Throws Error(usage) without guides or devices, or for a comparer that does not know what the options ask for, Error(input)
  /// for a guide that is not as long as the pattern or has a negative threshold, and what make_variants() throws.
  Search(Pattern pattern, std::vector<Guide> guides, std::vector<exec::Device> devices, SearchOptions options = {},
         Progress& progress = no_progress());
  ~Search();
  Search(Search&&) noexcept;
  Search& operator=(Search&&) noexcept;

  /// Searches one chunk, its windows divided among the devices. The chunk must come from a GenomePacker with overlap().
  void run(const GenomeChunk& chunk, const SiteSink& sink);

  /// How many bases the chunks of a genome must overlap: those of the longest window less one.
  [[nodiscard]] int overlap() const;
  /// The alignments that sites have, in order of guide.
  [[nodiscard]] const std::vector<Variant>& variants() const;
  [[nodiscard]] const Pattern& pattern() const;
  [[nodiscard]] const std::vector<Guide>& guides() const;
  [[nodiscard]] const SearchOptions& options() const;
  /// Of all calls of run(), without what the sinks took.
  [[nodiscard]] SearchTimes times() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// A contig in memory: letters in either case.
struct Contig {
  std::string name;
  std::string letters;
};

/// A hit and its row of the alignment: letters oriented like the guide, mismatches in lower case, '-' at RNA bulges.
struct FoundSite {
  Site site;
  std::string letters;
};

/// All sites of a genome that is in memory, in order.
std::vector<FoundSite> search_contigs(std::span<const Contig> contigs, Search& search);

}  // namespace phpc::casoff
