#include "jobs/casoff/output.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "jobs/casoff/annotation.hpp"
#include "jobs/casoff/row_queue.hpp"
#include "jobs/casoff/summary.hpp"
#include "jobs/output_format.hpp"
#include "phpc/casoff/score.hpp"
#include "phpc/casoff/site_letters.hpp"
#include "phpc/casoff/variant.hpp"
#include "phpc/core/error.hpp"

namespace phpc::jobs {

namespace {

/// Text that a block of rows may hold: thousands of rows with thousands of features each are made a part at a time.
constexpr std::size_t most_text = std::size_t{4} << 20;

std::string format_name(const std::string& format, CasOffinderVersion version) {
  if (format != rows_by_input) {
    return format;
  }
  return version == CasOffinderVersion::two ? "cas-offinder2" : "cas-offinder3";
}

io::Bulge bulge_of(const casoff::Variant& variant) {
  if (variant.dna_bulge > 0) {
    return variant.rna_bulge > 0 ? io::Bulge::mixed : io::Bulge::dna;
  }
  return variant.rna_bulge > 0 ? io::Bulge::rna : io::Bulge::none;
}

}  // namespace

std::vector<std::string> row_formats() {
  std::vector<std::string> names{rows_by_input};
  for (const io::SiteFormatEntry& entry : io::site_formats()) {
    names.emplace_back(entry.name);
  }
  return names;
}

void settle_formats(CasoffOutputOptions& options, const std::string& output) {
  options.format = output_format(output, options.format,
                                 {.what = "rows of sites", .place = "-o", .format_option = "--format", .formats = row_formats()});
  PHPC_VALIDATE(options.summary_format.empty() || !options.summary.empty(), ErrorKind::usage,
                "--summary-format without --summary; give both");
  options.summary_format = output_format(
      options.summary, options.summary_format,
      {.what = "summaries", .place = "--summary", .format_option = "--summary-format", .formats = summary_format_names()});
}

struct SiteWriter::State {
  State(const SiteRowSource& source, std::unique_ptr<io::SiteRowWriter> writer)
      : caller(source.caller),
        search(source.search),
        rows(std::move(writer)),
        annotation(source.options.features.empty()
                       ? nullptr
                       : std::make_unique<SiteAnnotation>(source.options.features, source.options.feature_types, source.name_of)),
        scores(source.options.scores && casoff::is_spcas9(search.pattern())),
        is_cas_offinder(source.options.format.starts_with(rows_by_input)),
        name_of(source.name_of),
        letters(search.variants(), search.options().ambiguity),
        queue(source.threads, {[this](RowBlock& block) { begin_rows(block); },
                               [this](RowBlock& block, const casoff::GenomeChunk& chunk) { make_rows(block, chunk); },
                               [this](RowBlock& block) { put_rows(block); }}) {}

  const Caller& caller;
  const casoff::Search& search;
  std::unique_ptr<io::SiteRowWriter> rows;
  std::unique_ptr<SiteAnnotation> annotation;
  bool scores;  ///< the search is one whose sites have scores, and they are wanted
  std::unique_ptr<SiteSummary> summary;
  std::unique_ptr<io::OutputFile> summary_file;
  SummaryFormat summary_form = SummaryFormat::text;
  std::unique_ptr<io::OutputFile> plot_file;
  bool is_cas_offinder;  ///< the rows are, and tabs within a sequence's name stay
  io::SiteRowWriter::NameOf name_of;
  casoff::SiteLetters letters;
  index_t sites = 0;
  RowQueue queue;  ///< last: its threads use all of the above

  static io::SiteColumns columns(const CasoffOutputOptions& options) {
    return {.scores = options.scores, .features = !options.features.empty()};
  }
  static io::SiteFileHeader file_header(const SiteRowSource& source) {
    return {.version = source.caller.version(), .command_line = source.command_line};
  }

  void warn_of_tabs(index_t contigs) const {
    for (index_t contig = 0; is_cas_offinder && contig < contigs; ++contig) {
      if (const std::string_view name = name_of(contig); name.find('\t') != std::string_view::npos) {
        caller.warning(
            fmt::format("the sequence name '{}' holds a tab, which adds a column to its rows (as in Cas-OFFinder)", name));
        return;
      }
    }
  }

  /// A site's row but for its letters and scores.
  [[nodiscard]] io::SiteRow row_of(const casoff::Site& site) const {
    const casoff::Guide& guide = search.guides()[static_cast<std::size_t>(site.guide)];
    const casoff::Variant& variant = search.variants()[static_cast<std::size_t>(site.variant)];
    io::SiteRow row;
    row.guide_number = site.guide;
    row.id = guide.id;
    row.guide = guide.sequence.text();
    row.guide_row = variant.guide_row;
    row.site_gaps = variant.site_gaps;
    row.contig = site.contig;
    row.position = site.position;
    row.site_length = variant.site_length();
    row.strand = casoff::to_char(site.strand);
    row.mismatches = site.mismatches;
    row.bulge = bulge_of(variant);
    row.bulge_size = variant.dna_bulge + variant.rna_bulge;
    return row;
  }

  void begin_rows(RowBlock& block) {
    block.repeats_name.clear();
    for (const casoff::Site& site : block.sites) {
      const casoff::Guide& guide = search.guides()[static_cast<std::size_t>(site.guide)];
      io::SiteRow row;
      row.guide_number = site.guide;
      row.id = guide.id;
      row.guide = guide.sequence.text();
      block.repeats_name.push_back(static_cast<char>(rows->repeats_name(row)));
    }
  }

  void make_rows(RowBlock& block, const casoff::GenomeChunk& chunk) const {
    casoff::SiteLetters::Row site_row;
    std::vector<std::string_view> features;
    io::ContigName name;
    std::string_view name_of_features;
    index_t contig = -1;
    block.text.clear();
    block.scores.clear();
    for (; block.made < block.sites.size(); ++block.made) {
      if (block.text.size() > most_text) {
        block.is_partial = true;
        return;
      }
      const casoff::Site& site = block.sites[block.made];
      if (site.contig != contig) {
        contig = site.contig;
        name = rows->contig_name(contig);
        name_of_features = annotation == nullptr ? name.full : annotation->known_name(name.full);
      }
      io::SiteRow row = row_of(site);
      row.site_row = letters.marked_row(chunk, site, site_row);
      row.repeats_name = block.repeats_name[block.made] != 0;
      if (scores && row.bulge == io::Bulge::none) {
        row.cfd = casoff::cfd_score(row.guide_row, row.site_row);
        row.mit = casoff::mit_score(row.guide_row, row.site_row);
      }
      if (annotation != nullptr) {
        annotation->find(name_of_features, row.position, row.position + row.site_length, features);
        row.features = features;
      }
      if (summary != nullptr) {
        block.scores.push_back({row.cfd, row.mit});
      }
      rows->append(block.text, row, name);
    }
  }

  void put_rows(const RowBlock& block) {
    const std::size_t first = block.made - block.scores.size();
    for (std::size_t i = 0; i < block.scores.size(); ++i) {  // none without a summary
      io::SiteRow row = row_of(block.sites[first + i]);
      row.cfd = block.scores[i].cfd;
      row.mit = block.scores[i].mit;
      summary->add(row);
    }
    rows->put(block.text);
  }

  void open_summary(const CasoffOutputOptions& options) {
    if (!options.summary.empty()) {
      summary_form = parse_summary_format(options.summary_format);
      summary_file = std::make_unique<io::OutputFile>(options.summary);
    }
    if (!options.plot.empty()) {
      plot_file = std::make_unique<io::OutputFile>(options.plot);
    }
    if (summary_file != nullptr || plot_file != nullptr) {
      summary = std::make_unique<SiteSummary>(search.pattern(), search.guides(),
                                              options.scores ? SiteSummary::Scores::of_guides : SiteSummary::Scores::none);
    }
  }
};

SiteWriter::SiteWriter(io::OutputFile& out, const SiteRowSource& source)
    : state_(new State(source, std::make_unique<io::SiteRowWriter>(out, format_name(source.options.format, source.version),
                                                                   State::columns(source.options), State::file_header(source),
                                                                   source.name_of))) {
  state_->open_summary(source.options);
  check(source);
}

SiteWriter::SiteWriter(std::function<void(std::string_view)> put, const SiteRowSource& source)
    : state_(new State(source, std::make_unique<io::SiteRowWriter>(
                                   std::move(put), format_name(source.options.format, source.version),
                                   State::columns(source.options), State::file_header(source), source.name_of))) {
  check(source);
}

void SiteWriter::check(const SiteRowSource& source) {
  const CasoffOutputOptions& options = source.options;
  if (state_->is_cas_offinder && (!options.features.empty() || (options.scores && state_->summary == nullptr))) {
    source.caller.warning("Cas-OFFinder's rows have no columns for scores and features; give another format (--format tsv)");
  }
  PHPC_VALIDATE(options.feature_types.empty() || !options.features.empty(), ErrorKind::usage,
                "--annotate-types without --annotate; give both");
  if (options.scores && !state_->scores) {
    source.caller.warning(fmt::format("no site has a score: '{}' is no pattern of SpCas9 (20 Ns and a PAM that NGG fits)",
                                      source.search.pattern().text()));
  }
}

SiteWriter::~SiteWriter() = default;

void SiteWriter::write(std::span<const casoff::Site> sites, const GenomeReader::Chunk& chunk) {
  State& state = *state_;
  if (!sites.empty()) {
    state.rows->learn_names(sites.back().contig);
    state.queue.push(sites, chunk);
  }
  state.sites += static_cast<index_t>(sites.size());
}

void SiteWriter::flush() {
  state_->queue.flush();
}

void SiteWriter::finish(std::span<const index_t> contig_lengths) {
  State& state = *state_;
  const auto contigs = static_cast<index_t>(contig_lengths.size());
  flush();
  state.rows->finish(contig_lengths);
  state.warn_of_tabs(contigs);
  if (state.annotation != nullptr) {
    if (contigs > 0 && !state.annotation->knows_any(contigs)) {
      state.caller.warning(fmt::format("no feature of '{}' lies on a sequence of the genome; they must have its names, as '{}'",
                                       state.annotation->path(), state.annotation->first_name()));
    }
  }
  if (state.summary_file != nullptr) {
    state.summary->write(*state.summary_file, state.summary_form, state.caller.meta({}));
    state.summary_file->commit();
  }
  if (state.plot_file != nullptr) {
    state.plot_file->write(state.summary->plot());
    state.plot_file->commit();
  }
}

std::string SiteWriter::header(std::span<const index_t> contig_lengths) {
  return state_->rows->header(contig_lengths);
}

index_t SiteWriter::sites() const {
  return state_->sites;
}

}  // namespace phpc::jobs
