#pragma once
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>

#include "jobs/caller.hpp"
#include "jobs/file_places.hpp"
#include "jobs/fingerprints.hpp"
#include "phpc/exec/split.hpp"
#include "phpc/io/part_file.hpp"

namespace phpc::jobs {

/// One of `count` shares of a job, 0-based.
struct Shard {
  index_t index = 0;
  index_t count = 1;

  /// Its share of [0, units): adjoining ranges whose sizes differ by at most one, some empty where there are more shards.
  [[nodiscard]] exec::Range of(index_t units) const { return exec::split_evenly(units, count, index); }
};

/// What a user says of shards.
struct ShardOptions {
  std::string shard;  ///< as typed; empty = all of the job
  bool resume = false;
  std::string fingerprint = "ends";  ///< or whole
};

/// "2/16", or "srun": the task's place in its step of SLURM's srun. Nothing where no share was asked for. Throws Error(usage).
std::optional<Shard> parse_shard(const ShardOptions& options);

/// Fingerprints of the kind that --fingerprint names.
Fingerprints fingerprints(const ShardOptions& options);

/// Throws Error(usage) where several shares were asked for of a single unit, which cannot be split: one of them would do all of
/// the work. Warns of empty shares where there are fewer units than shares. `way_out`: what else the user may do.
void validate_shares(const Shard& shard, index_t units, const std::string& unit, const std::string& way_out,
                     const Caller& caller);

/// All files that a shard of a result may write, and the whole that merge makes; `role` is the option that names the result.
std::vector<FilePlace> shard_places(const Shard& shard, const std::string& output, const std::string& role);

/// Thrown when a checkpoint was written and the job ends: the same job once more with `resume` goes on from there.
struct Stopped {
  std::string message;
};

/// Throws Stopped when the caller asks for a stop.
void stop_if_asked(const Caller& caller, const std::string& message);

/// A shard's part of a result on its way to `OUTPUT.part-IIIII-of-NNNNN`.
class ShardOutput {
 public:
  struct Job {
    std::string command;
    nlohmann::ordered_json parameters;  ///< all that the result depends on
    std::string unit;
    index_t units = 0;
    std::string prologue;
    Fingerprints inputs;  ///< those that `parameters` has
    std::string way_out;  ///< what else the user may do where there is one unit for several shares, for messages
  };

  /// Whether --resume was given and the part is there already, whatever job.units and job.prologue are; logs it.
  static bool is_done(const Shard& shard, const ShardOptions& options, const Caller& caller, const std::string& output,
                      const Job& job);

  /// With --resume, looks for the part or a checkpoint of it first.
  ShardOutput(const Shard& shard, const ShardOptions& options, const Caller& caller, const std::string& output, Job job,
              const std::string& device);

  /// The units that are left to do; empty when the part is there already.
  [[nodiscard]] exec::Range left() const { return {next_, header_.region_end}; }
  /// The next bytes of the result, which bring it to unit `until` and hold `records` more records. Writes a checkpoint and throws
  /// Stopped when one was asked for.
  void write(std::span<const std::byte> bytes, index_t until, index_t records);
  /// More of the result, of units after those done, which are not complete: no checkpoint.
  void write_within(std::span<const std::byte> bytes, index_t records);
  /// To be called when all units are done, which it logs. Throws Error(input) when an input changed meanwhile.
  void commit();

 private:
  const Caller& caller_;
  std::string path_;
  io::PartHeader header_;
  Fingerprints inputs_;
  std::optional<io::PartWriter> part_;  ///< none when there is nothing to do
  index_t next_ = 0;
  index_t records_ = 0;
};

}  // namespace phpc::jobs
