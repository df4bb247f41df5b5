#include "jobs/shard.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>

#include "phpc/core/error.hpp"
#include "phpc/core/parse.hpp"

namespace phpc::jobs {

namespace {

/// More files than that no folder holds with ease.
constexpr index_t most_shards = 1000000;

std::optional<index_t> environment_number(const char* name) {
  const char* const text = std::getenv(name);
  return text == nullptr ? std::nullopt : parse_integer(text);
}

Shard shard_of_srun() {
  // Outside a step SLURM_PROCID is 0 and SLURM_NTASKS that of the job, which would make one share of the whole.
  const auto step = environment_number("SLURM_STEP_ID");
  const auto index = environment_number("SLURM_PROCID");
  const auto count = environment_number("SLURM_STEP_NUM_TASKS");
  PHPC_VALIDATE(step && index && count && *count > 0 && *index >= 0 && *index < *count, ErrorKind::usage,
                "--shard srun, and this is no task of an srun step; start it by srun, or give --shard I/N");
  return {*index, *count};
}

/// Names that are no UTF-8 (of regions, say) are told apart as far as their readable letters go.
std::string text_of(const nlohmann::ordered_json& parameters) {
  return parameters.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

std::string checkpoint_path(const std::string& part) {
  return part + ".checkpoint";
}

std::string part_path(const Shard& shard, const std::string& output) {
  PHPC_VALIDATE(!output.empty() && output != "-", ErrorKind::usage, "--shard writes a part of a file; give -o FILE");
  const std::string part = io::part_path(output, shard.index, shard.count);
  // The longest name of all is needed last.
  struct stat ignored{};
  if (lstat(checkpoint_path(part).c_str(), &ignored) != 0 && errno == ENAMETOOLONG) {
    fail_errno(fmt::format("cannot write '{}'", checkpoint_path(part)), ENAMETOOLONG);
  }
  return part;
}

}  // namespace

std::optional<Shard> parse_shard(const ShardOptions& options) {
  if (options.shard.empty()) {
    return std::nullopt;
  }
  if (options.shard == "srun") {
    return shard_of_srun();
  }
  const std::size_t slash = options.shard.find('/');
  const index_t index = parse_integer(options.shard.substr(0, slash)).value_or(-1);
  const index_t count = slash == std::string::npos ? 0 : parse_integer(options.shard.substr(slash + 1)).value_or(0);
  PHPC_VALIDATE(index >= 0 && index < count, ErrorKind::usage,
                fmt::format("--shard {} is no share; give I/N with 0 <= I < N, as in 0/16", options.shard));
  PHPC_VALIDATE(count <= most_shards, ErrorKind::usage,
                fmt::format("--shard {} asks for {} shares; give {} at most", options.shard, count, most_shards));
  return Shard{index, count};
}

Fingerprints fingerprints(const ShardOptions& options) {
  return Fingerprints(options.fingerprint == "whole" ? Fingerprints::Kind::whole : Fingerprints::Kind::ends);
}

std::vector<FilePlace> shard_places(const Shard& shard, const std::string& output, const std::string& role) {
  if (output.empty()) {
    return {};
  }
  const std::string part = part_path(shard, output);
  return {{output, role}, {part, role + ", a part"}, {checkpoint_path(part), role + ", a checkpoint"}};
}

void validate_shares(const Shard& shard, index_t units, const std::string& unit, const std::string& way_out,
                     const Caller& caller) {
  PHPC_VALIDATE(
      units != 1 || shard.count == 1, ErrorKind::usage,
      fmt::format("--shard {}/{} shares out {}, and here is one, so that one share would do all and the others nothing; "
                  "leave --shard out{}",
                  shard.index, shard.count, unit, way_out));
  if (units < shard.count) {
    caller.warning(
        fmt::format("{} {} for {} shares: {} of the shares have nothing to do", units, unit, shard.count, shard.count - units));
  }
}

void stop_if_asked(const Caller& caller, const std::string& message) {
  if (caller.stop_was_requested()) {
    throw Stopped{message};
  }
}

bool ShardOutput::is_done(const Shard& shard, const ShardOptions& options, const Caller& caller, const std::string& output,
                          const Job& job) {
  const std::string path = part_path(shard, output);
  io::PartHeader wanted;
  wanted.version = caller.version();
  wanted.command = job.command;
  wanted.job = text_of(job.parameters);
  wanted.shard = shard.index;
  wanted.shards = shard.count;
  if (!options.resume) {
    return false;
  }
  io::remove_stale_temporaries(path);
  const bool done = io::is_done(path, wanted);
  if (done) {
    caller.info(fmt::format("'{}' is there and whole: nothing to do", path));
  }
  return done;
}

ShardOutput::ShardOutput(const Shard& shard, const ShardOptions& options, const Caller& caller, const std::string& output,
                         Job job, const std::string& device)
    : caller_(caller), path_(part_path(shard, output)), inputs_(std::move(job.inputs)) {
  validate_shares(shard, job.units, job.unit, job.way_out, caller);
  const exec::Range region = shard.of(job.units);
  header_ = {.version = caller.version(),
             .command = std::move(job.command),
             .job = text_of(job.parameters),
             .shard = shard.index,
             .shards = shard.count,
             .unit = std::move(job.unit),
             .region_begin = region.begin,
             .region_end = region.end,
             .total = job.units,
             .prologue = std::move(job.prologue),
             .device = device};
  next_ = region.begin;
  if (options.resume) {
    io::remove_stale_temporaries(path_);  // of an earlier run that was killed
  }
  if (options.resume && io::find_part(path_, header_)) {
    next_ = region.end;
    caller_.info(fmt::format("'{}' is there and whole: nothing to do", path_));
    return;
  }
  part_.emplace(path_, header_);
  const std::optional<io::PartFile> checkpoint = options.resume ? io::find_part(checkpoint_path(path_), header_) : std::nullopt;
  if (checkpoint) {
    part_->write_all_of(*checkpoint);
    next_ = checkpoint->until();
    records_ = checkpoint->records();
    caller_.info(fmt::format("goes on at {} {} of {} to {}", header_.unit, next_, region.begin, region.end));
  }
}

void ShardOutput::write_within(std::span<const std::byte> bytes, index_t records) {
  part_->write(bytes);
  records_ += records;
}

void ShardOutput::write(std::span<const std::byte> bytes, index_t until, index_t records) {
  write_within(bytes, records);
  next_ = until;
  if (until < header_.region_end && caller_.stop_was_requested()) {
    // Beside the part, which another copy of this run may have finished by now.
    part_->commit_checkpoint(checkpoint_path(path_), records_, until);
    stop_if_asked(caller_, fmt::format("stopped at {} {} of {} to {}; go on with --resume", header_.unit, until,
                                       header_.region_begin, header_.region_end));
  }
}

void ShardOutput::commit() {
  if (part_) {
    inputs_.expect_unchanged();
    part_->commit(records_);
    std::error_code ignored;
    std::filesystem::remove(checkpoint_path(path_), ignored);
    caller_.info(fmt::format("shard {} of {}: {} of {} {} to {} of {}", header_.shard, header_.shards,
                             counted(records_, "record"), header_.unit, header_.region_begin, header_.region_end, header_.total));
  }
}

}  // namespace phpc::jobs
