#include "jobs/merge.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "jobs/file_places.hpp"
#include "jobs/output_format.hpp"
#include "phpc/core/parse.hpp"
#include "phpc/io/part_file.hpp"
#include "phpc/io/sam_primaries.hpp"

namespace phpc::jobs {

namespace {

/// Throws Error(usage) for a name of another format than the parts have, unless it is the one that the parts were made for.
void validate_name(const std::vector<std::string>& parts, const std::string& output, const io::PartHeader& header) {
  const auto job = nlohmann::json::parse(header.job);
  std::string format;
  for (const char* const key : {"format", "output-format", "output"}) {  // of casoff, fft and batch
    format = format.empty() ? job.value(key, "") : format;
  }
  const std::string own = std::filesystem::path(output).filename().string() + ".part-";
  if (format.empty() || std::filesystem::path(parts.front()).filename().string().starts_with(own)) {
    return;
  }
  const bool is_text = format != "npy" && format != "raw";
  output_format(output, "", {.what = "these parts", .place = "-o", .format_option = "", .formats = {format}, .is_text = is_text});
}

}  // namespace

void merge(const Caller& caller, const std::vector<std::string>& paths, const std::string& output) {
  const std::vector<io::PartFile> parts = io::ordered_parts(paths);
  validate_places({{output, "-o"}}, places_of(paths, "a part"));
  validate_name(paths, output, parts.front().header());
  io::OutputFile out(output);
  const io::PartHeader& first = parts.front().header();
  out.write(first.prologue);
  // Rows of SAM alone depend on other rows.
  const auto job = nlohmann::json::parse(first.job);
  const bool is_sam = job.contains("format") && job["format"] == "sam";
  io::SamPrimaries primaries;
  index_t records = 0;
  for (const io::PartFile& part : parts) {
    part.read([&](std::span<const std::byte> bytes) {
      if (is_sam) {
        out.write(primaries.pass({reinterpret_cast<const char*>(bytes.data()), bytes.size()}));
      } else {
        out.write(bytes);
      }
    });
    records += part.records();
  }
  out.commit();
  caller.info(fmt::format("{} in {} {}, from {}", counted(records, "record"), first.total, first.unit,
                          counted(static_cast<index_t>(parts.size()), "part")));
}

}  // namespace phpc::jobs
