#include "cli/casoff_output.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "cli/session.hpp"
#include "cli/version.hpp"
#include "phpc/casoff/variant.hpp"

namespace phpc::cli {

namespace {

// The format whose name in the table of formats depends on the input's version.
constexpr const char* by_input = "cas-offinder";

std::string format_name(const std::string& format, CasOffinderVersion version) {
  if (format != by_input) {
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

std::vector<casoff::Variant> variants_of(const casoff::Search& search) {
  std::vector<casoff::Variant> variants;
  for (const casoff::Guide& guide : search.guides()) {
    const std::string& text = guide.sequence.text();
    variants.push_back({static_cast<std::int32_t>(variants.size()), text, std::string(text.size(), '.'), 0, 0});
  }
  return variants;
}

}  // namespace

void add_casoff_output_options(CLI::App& command, CasoffOutputOptions& options) {
  std::string description =
      "Format of the rows: cas-offinder = Cas-OFFinder's, of the version that the input file is written for";
  std::vector<std::string> names{by_input};
  for (const io::SiteFormatEntry& entry : io::site_formats()) {
    names.emplace_back(entry.name);
    description += fmt::format("; {} = {}", entry.name, entry.description);
  }
  command.add_option("--format", options.format, description)
      ->capture_default_str()
      ->check(CLI::IsMember(names))
      ->group("Output");
}

struct SiteWriter::State {
  const casoff::Search& search;
  std::vector<casoff::Variant> variants;
  io::SiteRowWriter rows;
  index_t sites = 0;
};

SiteWriter::SiteWriter(io::OutputFile& out, const CasoffOutputOptions& options, const casoff::Search& search,
                       CasOffinderVersion version, const Session& session, io::SiteRowWriter::NameOf name_of)
    : state_(new State{
          search, variants_of(search),
          io::SiteRowWriter(out, format_name(options.format, version), {},
                            {.version = cli::version(), .command_line = session.command_line()}, std::move(name_of))}) {}

SiteWriter::~SiteWriter() = default;

void SiteWriter::write(std::span<const casoff::Site> sites, const casoff::GenomeChunk& chunk) {
  State& state = *state_;
  for (const casoff::Site& site : sites) {
    const casoff::Guide& guide = state.search.guides()[static_cast<std::size_t>(site.guide)];
    const casoff::Variant& variant = state.variants[static_cast<std::size_t>(site.guide)];
    std::string letters = casoff::site_letters(chunk, site, variant.site_length());
    casoff::mark_mismatches(letters, guide.sequence, state.search.options().ambiguity);
    state.rows.write({.guide_number = site.guide,
                      .id = guide.id,
                      .guide = guide.sequence.text(),
                      .guide_row = variant.guide_row,
                      .site_row = letters,
                      .site_gaps = variant.site_gaps,
                      .contig = site.contig,
                      .position = site.position,
                      .site_length = variant.site_length(),
                      .strand = casoff::to_char(site.strand),
                      .mismatches = site.mismatches,
                      .bulge = bulge_of(variant),
                      .bulge_size = variant.dna_bulge + variant.rna_bulge});
  }
  state.sites += static_cast<index_t>(sites.size());
}

void SiteWriter::finish(std::span<const index_t> contig_lengths) {
  state_->rows.finish(contig_lengths);
}

index_t SiteWriter::sites() const {
  return state_->sites;
}

}  // namespace phpc::cli
