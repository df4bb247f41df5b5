#include "jobs/casoff/search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "jobs/file_places.hpp"
#include "phpc/core/parse.hpp"
#include "phpc/core/phase_timer.hpp"

namespace phpc::jobs {

namespace {

double elapsed_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

int reach_of(const casoff::Pattern& pattern, const io::SearchInput& input) {
  return static_cast<int>(std::min<index_t>(pattern.size() + input.dna_bulge, casoff::max_pattern_length)) - 1;
}

SequenceNames names_of_sequences(const CasoffInputOptions& options) {
  return options.sequence_names == "full" ? SequenceNames::whole_header : SequenceNames::first_word;
}

CasOffinderVersion version_of_rows(const io::SearchInput& input) {
  return input.has_bulge_fields ? CasOffinderVersion::three : CasOffinderVersion::two;
}

SearchRun::SearchRun(Caller& caller, const CasoffJob& job, const io::GenomeSource& source, Request request,
                     const MakeRows& make_rows)
    : caller_(caller),
      // The genome is read while the devices are made ready.
      genome_(source, {.chunk_bases = job.how.chunk_bases,
                       .overlap = reach_of(request.pattern, job.input),
                       .threads = reading_threads(),
                       .names = names_of_sequences(job.input_options),
                       .regions = job.input_options.regions}),
      devices_(job.devices()),
      search_(std::move(request.pattern), std::move(request.guides), devices_, job.how, caller.progress()),
      rows_(make_rows({job.row_options, search_, version_of_rows(job.input), caller, job.command_line,
                       [this](index_t contig) { return std::string_view(genome_.names()[static_cast<std::size_t>(contig)]); },
                       reading_threads()})) {
  times_.set_up = elapsed_since(start_);
  caller_.progress().begin("bases", source.estimated_letters());
}

void SearchRun::run() {
  genome_.for_each_chunk([&](const GenomeReader::Chunk& chunk) {
    search_.run(*chunk, [&](std::span<const casoff::Site> sites, const casoff::GenomeChunk&) {
      const PhaseTimer timer(times_.rows);
      rows_->write(sites, chunk);
    });
  });
  caller_.progress().end();
  const PhaseTimer timer(times_.rows);
  rows_->flush();
}

SearchPhases SearchRun::phases() const {
  SearchPhases phases = times_;
  phases.elapsed = elapsed_since(start_);
  phases.reading = genome_.reading_seconds();
  phases.waiting = genome_.waiting_seconds();
  phases.search = search_.times();
  return phases;
}

SearchRun::Request request_of(const io::SearchInput& input, const Caller& caller) {
  casoff::Pattern pattern = pattern_of(input, caller);
  return {std::move(pattern), guides_of(input, caller)};
}

std::string to_string(const SearchPhases& phases) {
  const casoff::KernelTimes& kernels = phases.search.kernels;
  return fmt::format(
      "{:.3f} s: set-up {:.3f}, waiting for the genome {:.3f} (read and packed in {:.3f} beside the search), to the devices "
      "{:.3f}, "
      "finder {:.3f}, comparer {:.3f}, from the devices {:.3f}, sites {:.3f}, waiting for rows {:.3f}",
      phases.elapsed, phases.set_up, phases.waiting, phases.reading, kernels.upload, kernels.finder, kernels.comparer,
      kernels.download, phases.search.sites, phases.rows);
}

void search_whole(Caller& caller, const CasoffJob& job) {
  const io::SearchInput& input = job.input;
  SearchRun::Request request = request_of(input, caller);
  const io::GenomeSource source(input.genome_path, [&](const std::string& warning) { caller.warning(warning); });
  validate_places({{job.output, "the output"}, {job.row_options.summary, "--summary"}, {job.row_options.plot, "--plot"}},
                  input_places(job.input_options, source, job.row_options.features));
  io::OutputFile out(job.output);
  caller.apply_threads();
  SearchRun search(caller, job, source, std::move(request),
                   [&](const SiteRowSource& rows) { return std::make_unique<SiteWriter>(out, rows); });
  search.run();
  search.rows().finish(search.genome().lengths());
  out.commit();
  const double seconds = elapsed_since(job.start);
  caller.info(fmt::format("{} of {} in {} of {}, {:.2f} s", counted(search.rows().sites(), "site"),
                          counted(static_cast<index_t>(input.queries.size()), "query", "queries"),
                          counted(search.genome().bases(), "base"), counted(search.genome().searched_sequences(), "sequence"),
                          seconds));
  if (caller.wants_debug()) {
    caller.debug(search.devices().front(), "the search took " + to_string(search.phases()));
  }
}

}  // namespace phpc::jobs
