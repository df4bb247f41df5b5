#include "jobs/casoff/shard.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "jobs/casoff/searched_genome.hpp"
#include "phpc/core/error.hpp"

namespace phpc::jobs {

namespace {

/// All that rows depend on. Genome and features by what they hold, guides by their sum: there may be very many.
nlohmann::ordered_json parameters_of(const CasoffJob& job, const io::GenomeSource& source, Fingerprints& inputs) {
  nlohmann::ordered_json genome = nlohmann::ordered_json::array();
  for (const io::GenomeSource::File& file : source.files()) {
    genome.push_back(inputs.of(file.path));
  }
  std::string guides;
  for (const io::SearchInput::Query& query : job.input.queries) {
    guides += fmt::format("{} {} {}\n", query.sequence, query.mismatches, query.id);
  }
  const CasoffInputOptions& search = job.input_options;
  const CasoffOutputOptions& rows = job.row_options;
  nlohmann::ordered_json parameters{{"genome", genome},
                                    {"pattern", job.input.pattern},
                                    {"guides", {{"count", job.input.queries.size()}, {"sum", io::sum_of(guides)}}},
                                    {"dna-bulge", job.how.dna_bulge},
                                    {"rna-bulge", job.how.rna_bulge},
                                    {"bulge-mode", search.bulge_mode},
                                    {"best-per-locus", search.best_per_locus},
                                    {"ambiguity", search.ambiguity},
                                    {"region", search.regions},
                                    {"chrom-name", search.sequence_names},
                                    {"format", rows.format},
                                    {"bulge-fields", job.input.has_bulge_fields},
                                    {"score", rows.scores},
                                    {"annotate", nullptr},
                                    {"annotate-types", rows.feature_types}};
  if (!rows.features.empty()) {
    parameters["annotate"] = inputs.of(rows.features);
  }
  return parameters;
}

/// Bases of a chunk, and so between two checkpoints: fewer where many alignments are looked for, so that a chunk takes seconds,
/// not minutes.
index_t chunk_bases(const casoff::SearchOptions& how, const CasoffJob& job) {
  constexpr index_t least = index_t{1} << 20;
  constexpr index_t comparisons = index_t{1} << 36;
  // Alignments of a guide: about as many as there are places for bulges of each size.
  const index_t alignments = (1 + 16 * (how.dna_bulge + how.rna_bulge)) * static_cast<index_t>(job.input.queries.size());
  return std::clamp(comparisons / std::max<index_t>(1, alignments), least, how.chunk_bases);
}

/// Sites whose rows may wait in memory: some 10 MB.
constexpr index_t held_sites = index_t{1} << 16;

/// The number of the base at which the next chunk goes on: all windows that begin before it are in this chunk or an earlier one.
index_t end_of(const casoff::GenomeChunk& chunk, const SearchedGenome& genome) {
  const casoff::Piece& last = chunk.pieces().back();
  return genome.bases_before(last.contig, last.first + last.length - last.next_chunks);
}

/// Refuses what a share cannot have: files about all sites, and a genome that can be read but once.
void check_share(const CasoffJob& job) {
  PHPC_VALIDATE(job.row_options.summary.empty() && job.row_options.plot.empty(), ErrorKind::usage,
                "--summary and --plot are of all sites, and --shard finds a share of them; leave them out");
  PHPC_VALIDATE(!can_be_read_but_once(job.input.genome_path), ErrorKind::usage,
                "--shard reads a part of the genome, and standard input or a pipe gives all of it once; give a file");
}

/// Searches the chunks of a share, keeps the sites whose leftmost base is in what is left of it, and writes their rows to the
/// part, with a checkpoint after each chunk.
class ShareSearch {
 public:
  /// `rows` puts what it writes into `text`.
  ShareSearch(casoff::Search& search, const SearchedGenome& genome, SiteWriter& rows, std::string& text, ShardOutput& part)
      : search_(search), genome_(genome), rows_(rows), text_(text), part_(part), left_(part.left()), done_(left_.begin) {}

  void run(const GenomeReader::Chunk& chunk) {
    search_.run(*chunk, [&](std::span<const casoff::Site> sites, const casoff::GenomeChunk&) {
      keep_own(sites);
      rows_.write(own_, chunk);
      if (rows_.sites() - sites_before_ >= held_sites) {
        take_rows([&](std::span<const std::byte> bytes, index_t count) { part_.write_within(bytes, count); });
      }
    });
    done_ = std::clamp(end_of(*chunk, genome_), done_, left_.end);
    take_rows([&](std::span<const std::byte> bytes, index_t count) { part_.write(bytes, done_, count); });
  }

 private:
  void keep_own(std::span<const casoff::Site> sites) {
    own_.clear();
    std::copy_if(sites.begin(), sites.end(), std::back_inserter(own_), [&](const casoff::Site& site) {
      const index_t number = genome_.bases_before(site.contig, site.position);
      return number >= left_.begin && number < left_.end;
    });
  }

  /// Has the rows of all sites until now written.
  template <class Write>
  void take_rows(const Write& write) {
    rows_.flush();
    write(std::as_bytes(std::span(text_)), rows_.sites() - sites_before_);
    sites_before_ = rows_.sites();
    text_.clear();
  }

  casoff::Search& search_;
  const SearchedGenome& genome_;
  SiteWriter& rows_;
  std::string& text_;
  ShardOutput& part_;
  exec::Range left_;          ///< of the searched bases
  index_t done_;              ///< the first of them that is not searched yet
  index_t sites_before_ = 0;  ///< sites whose rows are written
  std::vector<casoff::Site> own_;
};

}  // namespace

void search_share(Caller& caller, const CasoffJob& job, const Shard& shard, const ShardOptions& options) {
  check_share(job);
  casoff::Pattern pattern = pattern_of(job.input, caller);
  std::vector<casoff::Guide> guides = guides_of(job.input, caller);
  const io::GenomeSource source(job.input.genome_path, [&](const std::string& warning) { caller.warning(warning); });
  Fingerprints inputs = fingerprints(options);
  nlohmann::ordered_json parameters = parameters_of(job, source, inputs);
  ShardOutput::Job part_job{"casoff", std::move(parameters), "bases", 0, "", std::move(inputs), ""};
  validate_places(shard_places(shard, job.output, "-o"), input_places(job.input_options, source, job.row_options.features));
  if (ShardOutput::is_done(shard, options, caller, job.output, part_job)) {
    return;
  }
  caller.apply_threads();
  const SequenceNames names = names_of_sequences(job.input_options);
  const SearchedGenome genome(source, names, job.input_options.regions, reading_threads());
  part_job.units = genome.bases();
  const std::vector<exec::Device> devices = job.devices();
  const std::string device = devices.front().properties().name;

  casoff::SearchOptions how = job.how;
  how.chunk_bases = chunk_bases(how, job);
  const int reach = reach_of(pattern, job.input);
  casoff::Search search(std::move(pattern), std::move(guides), devices, how, caller.progress());
  std::string rows_of_chunk;
  SiteWriter rows(
      [&](std::string_view text) { rows_of_chunk += text; },
      {job.row_options, search, version_of_rows(job.input), caller, job.command_line,
       [&](index_t contig) { return std::string_view(genome.names()[static_cast<std::size_t>(contig)]); }, reading_threads()});
  part_job.prologue = rows.header(genome.lengths());
  ShardOutput part(shard, options, caller, job.output, std::move(part_job), device);
  const exec::Range left = part.left();
  if (left.size() > 0) {
    GenomeReader reader(source, {.chunk_bases = how.chunk_bases,
                                 .overlap = reach,
                                 .threads = reading_threads(),
                                 .names = names,
                                 .regions = {},
                                 .stretches = genome.stretches(left.begin, left.end, reach)});
    caller.progress().begin("bases", static_cast<std::uint64_t>(left.size() + 2 * reach));
    ShareSearch share(search, genome, rows, rows_of_chunk, part);
    reader.for_each_chunk([&](const GenomeReader::Chunk& chunk) { share.run(chunk); });
    caller.progress().end();
  }
  rows.finish(genome.lengths());
  part.commit();
}

}  // namespace phpc::jobs
