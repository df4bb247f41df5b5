#include "jobs/casoff/search.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "jobs/file_places.hpp"
#include "phpc/core/parse.hpp"

namespace phpc::jobs {

int reach_of(const casoff::Pattern& pattern, const io::SearchInput& input) {
  return static_cast<int>(std::min<index_t>(pattern.size() + input.dna_bulge, casoff::max_pattern_length)) - 1;
}

SequenceNames names_of_sequences(const CasoffInputOptions& options) {
  return options.sequence_names == "full" ? SequenceNames::whole_header : SequenceNames::first_word;
}

CasOffinderVersion version_of_rows(const io::SearchInput& input) {
  return input.has_bulge_fields ? CasOffinderVersion::three : CasOffinderVersion::two;
}

void search_whole(Caller& caller, const CasoffJob& job) {
  const io::SearchInput& input = job.input;
  casoff::Pattern pattern = pattern_of(input, caller);
  std::vector<casoff::Guide> guides = guides_of(input, caller);
  const io::GenomeSource source(input.genome_path, [&](const std::string& warning) { caller.warning(warning); });
  validate_places({{job.output, "the output"}, {job.row_options.summary, "--summary"}, {job.row_options.plot, "--plot"}},
                  input_places(job.input_options, source, job.row_options.features));
  io::OutputFile out(job.output);
  caller.apply_threads();
  // The genome is read while the devices are made ready.
  GenomeReader genome(source, {.chunk_bases = job.how.chunk_bases,
                               .overlap = reach_of(pattern, input),
                               .threads = reading_threads(),
                               .names = names_of_sequences(job.input_options),
                               .regions = job.input_options.regions});
  const std::vector<exec::Device> devices = job.devices();
  casoff::Search search(std::move(pattern), std::move(guides), devices, job.how, caller.progress());
  SiteWriter rows(out, {job.row_options, search, version_of_rows(input), caller, job.command_line,
                        [&](index_t contig) { return std::string_view(genome.names()[static_cast<std::size_t>(contig)]); },
                        reading_threads()});
  caller.progress().begin("bases", source.estimated_letters());
  genome.for_each_chunk([&](const GenomeReader::Chunk& chunk) {
    search.run(*chunk, [&](std::span<const casoff::Site> sites, const casoff::GenomeChunk&) { rows.write(sites, chunk); });
  });
  caller.progress().end();
  rows.finish(genome.lengths());
  out.commit();
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - job.start).count();
  caller.info(fmt::format("{} of {} in {} of {}, {:.2f} s", counted(rows.sites(), "site"),
                          counted(static_cast<index_t>(input.queries.size()), "query", "queries"),
                          counted(genome.bases(), "base"), counted(genome.searched_sequences(), "sequence"), seconds));
}

}  // namespace phpc::jobs
