#include "jobs/output_format.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string_view>

#include "phpc/core/error.hpp"
#include "phpc/core/parse.hpp"

namespace phpc::jobs {

namespace {

struct Suffix {
  std::string_view text;
  std::string_view format;
};

/// Every suffix that says what a file holds: of the formats that some output has, and of others that users may expect.
constexpr Suffix suffixes[] = {
    {".tsv", "tsv"},       {".json", "json"},   {".jsonl", "jsonl"},
    {".ndjson", "jsonl"},  {".bed", "bed"},     {".sam", "sam"},
    {".vcf", "vcf"},       {".npy", "npy"},     {".mtx", "mtx"},
    {".raw", "raw"},       {".bin", "raw"},     {".dat", "raw"},
    {".iq", "raw"},        {".f32", "raw"},     {".f64", "raw"},
    {".c64", "raw"},       {".c128", "raw"},    {".cf32", "raw"},
    {".cf64", "raw"},      {".txt", "text"},    {".svg", "svg"},
    {".phg", "phg"},       {".png", "PNG"},     {".pdf", "PDF"},
    {".jpg", "JPEG"},      {".jpeg", "JPEG"},   {".csv", "CSV"},
    {".xls", "Excel"},     {".xlsx", "Excel"},  {".parquet", "Parquet"},
    {".feather", "Arrow"}, {".arrow", "Arrow"}, {".npz", "NumPy's archive"},
    {".mat", "MATLAB"},    {".h5", "HDF5"},     {".hdf5", "HDF5"},
    {".wav", "WAV"},       {".flac", "FLAC"},   {".mp3", "MP3"},
    {".html", "HTML"},     {".md", "Markdown"}, {".xml", "XML"},
    {".yaml", "YAML"},     {".yml", "YAML"},    {".bam", "BAM"},
    {".cram", "CRAM"},     {".bcf", "BCF"},     {".bb", "bigBed"},
    {".gff", "GFF"},       {".gff3", "GFF"},    {".gtf", "GTF"},
    {".fa", "FASTA"},      {".fasta", "FASTA"}, {".fna", "FASTA"},
    {".2bit", "2bit"},     {".gz", "gzip"},     {".bgz", "bgzip"},
    {".bz2", "bzip2"},     {".xz", "xz"},       {".zst", "Zstandard"},
    {".zip", "zip"},
};

/// Of the last part of a path; empty where the table has none.
std::string_view format_named_by(const std::string& path) {
  const std::string suffix = lower_case(std::filesystem::path(path).extension().string());
  const auto* const found =
      std::find_if(std::begin(suffixes), std::end(suffixes), [&](const Suffix& one) { return one.text == suffix; });
  return found == std::end(suffixes) ? std::string_view() : found->format;
}

/// ".tsv, .bed or .sam": one suffix of each format that has one.
std::string suffixes_that_fit(const OutputKind& kind) {
  std::vector<std::string> fitting;
  for (const std::string& format : kind.formats) {
    if (const std::vector<std::string> own = suffixes_of(format); !own.empty()) {
      fitting.push_back(own.front());
    }
  }
  std::string text;
  for (std::size_t i = 0; i < fitting.size(); ++i) {
    text += (i == 0 ? "" : i + 1 == fitting.size() ? " or " : ", ") + fitting[i];
  }
  return text;
}

}  // namespace

std::vector<std::string> suffixes_of(const std::string& format) {
  std::vector<std::string> all;
  for (const Suffix& suffix : suffixes) {
    if (suffix.format == format) {
      all.emplace_back(suffix.text);
    }
  }
  return all;
}

std::string output_format(const std::string& path, const std::string& given, const OutputKind& kind) {
  if (!given.empty()) {
    return given;
  }
  std::string named(format_named_by(path));
  if (named.empty()) {
    return kind.formats.front();
  }
  if (std::find(kind.formats.begin(), kind.formats.end(), named) != kind.formats.end()) {
    return named;
  }
  const bool is_any_text = named == "text" || lower_case(path).ends_with(".dat");
  if (kind.is_text && is_any_text) {
    return kind.formats.front();
  }
  const std::string fitting = suffixes_that_fit(kind);
  fail(ErrorKind::usage, fmt::format("{} '{}' names a file of {}, which {} are not written as; give a name that ends {}{}",
                                     kind.place, path, named, kind.what, fitting.empty() ? "otherwise" : "in " + fitting,
                                     kind.format_option.empty() ? "" : ", or say the format with " + kind.format_option));
}

io::TableFormat table_format(const std::string& path, const std::string& given, const std::string& place) {
  return io::parse_table_format(
      output_format(path, given, {.what = "tables", .place = place, .format_option = "--format", .formats = {"tsv", "json"}}));
}

}  // namespace phpc::jobs
