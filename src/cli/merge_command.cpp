#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/app.hpp"
#include "jobs/file_places.hpp"
#include "jobs/output_format.hpp"
#include "phpc/core/parse.hpp"
#include "phpc/io/part_file.hpp"
#include "phpc/io/sam_primaries.hpp"

namespace phpc::cli {

namespace {

struct MergeOptions {
  std::vector<std::string> parts;
  std::string output = "-";
};

/// Throws Error(usage) for a name of another format than the parts have, unless it is the one that the parts were made for.
void validate_name(const MergeOptions& options, const io::PartHeader& header) {
  const auto job = nlohmann::json::parse(header.job);
  std::string format;
  for (const char* const key : {"format", "output-format", "output"}) {  // of casoff, fft and batch
    format = format.empty() ? job.value(key, "") : format;
  }
  const std::string own = std::filesystem::path(options.output).filename().string() + ".part-";
  if (format.empty() || std::filesystem::path(options.parts.front()).filename().string().starts_with(own)) {
    return;
  }
  const bool is_text = format != "npy" && format != "raw";
  output_format(options.output, "",
                {.what = "these parts", .place = "-o", .format_option = "", .formats = {format}, .is_text = is_text});
}

int merge(const MergeOptions& options, const Session& session) {
  const std::vector<io::PartFile> parts = io::ordered_parts(options.parts);
  validate_places({{options.output, "-o"}}, places_of(options.parts, "a part"));
  validate_name(options, parts.front().header());
  io::OutputFile out(options.output);
  const io::PartHeader& first = parts.front().header();
  out.write(first.prologue);
  // The one kind of rows that tell of each other.
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
  session.note(fmt::format("{} in {} {}, from {}", counted(records, "record"), first.total, first.unit,
                           counted(static_cast<index_t>(parts.size()), "part")));
  return exit_success;
}

}  // namespace

void add_merge_command(CLI::App& app, Session& session) {
  CLI::App* const command =
      app.add_subcommand("merge", "Put the parts that --shard wrote together: byte for byte what one run would have written");
  const auto options = std::make_shared<MergeOptions>();
  command->add_option("parts", options->parts, "All parts of one job, in any order")->required()->type_name("PART");
  command->add_option("-o,--output", options->output, "The whole result; - is standard output")
      ->capture_default_str()
      ->type_name("OUTPUT");
  session.add_quiet_options(*command);
  command->footer("Example: portable-hpc merge spectrum.npy.part-* -o spectrum.npy");
  command->callback([options, &session] { session.action = [options, &session] { return merge(*options, session); }; });
}

}  // namespace phpc::cli
