#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "phpc/core/types.hpp"
#include "phpc/io/input_file.hpp"
#include "phpc/io/output_file.hpp"

/// Parts of a result that several runs of the program computed, each a share of one job. A part is
///
///     phpc-part 2 {"version", "command", "job", "shard", "shards", "unit", "region", "total", "prologue", "device"}\n
///     the bytes of the region
///     \nphpc-part-end {"bytes", "records", "until", "head", "crc32"}\n
///
/// with the two objects as JSON on one line each; the sums are CRC-32 of the first line and of all before the last. A run that
/// had to stop leaves the same, with `until` short of the region's end: a checkpoint, from which the next one goes on.
namespace phpc::io {

/// Says which part of which job a file holds.
struct PartHeader {
  std::string version;  ///< of the program
  std::string command;  ///< its subcommand
  std::string job;      ///< what was asked for and of which inputs, as JSON: equal in all parts of one job. Names
                        ///< "modified" are times of files
  index_t shard = 0;    ///< 0-based
  index_t shards = 1;
  std::string unit;          ///< what region and total count: "transforms", "bases", "systems"
  index_t region_begin = 0;  ///< the part's share of [0, total)
  index_t region_end = 0;
  index_t total = 0;
  /// Bytes that the whole result begins with, before the regions: of the first shard. Not compared: they follow from the job, but
  /// for what they may tell of the command line.
  std::string prologue;
  std::string device;  ///< what computed it; told, not compared
};

/// Whether two headers are equal in all but their devices and prologues.
bool is_same_part(const PartHeader& a, const PartHeader& b);

/// "OUT.part-00002-of-00016".
std::string part_path(const std::string& output, index_t shard, index_t shards);

class PartFile;

/// Writes a part: it appears whole or not at all, as OutputFile has it.
class PartWriter {
 public:
  /// Throws Error(io) when the file cannot be made.
  PartWriter(const std::string& path, const PartHeader& header);
  void write(std::span<const std::byte> bytes);
  /// Goes on where a checkpoint ended.
  void write_all_of(const PartFile& checkpoint);
  /// The part stands on disk. `records`: how many rows, transforms or systems its bytes are.
  void commit(index_t records);
  /// A checkpoint stands on disk instead, under a name of its own: the bytes cover the region to `until`.
  void commit_checkpoint(const std::string& path, index_t records, index_t until);

 private:
  void write_end(index_t records, index_t until);

  index_t region_end_;
  OutputFile file_;
  std::uint64_t bytes_ = 0;
  std::uint32_t head_sum_ = 0;
  std::uint32_t sum_ = 0;
};

/// A part on disk.
class PartFile {
 public:
  /// Reads both ends. Throws Error(io) when it cannot be read, Error(input) when it is no part, or one that was cut short.
  explicit PartFile(const std::string& path);

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] const PartHeader& header() const { return header_; }
  [[nodiscard]] index_t records() const { return records_; }
  /// How far it got in the region.
  [[nodiscard]] index_t until() const { return until_; }
  [[nodiscard]] bool is_whole() const { return until_ == header_.region_end; }
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
  /// Hands on the bytes of the region, block by block. Throws Error(io), and Error(input) after the last block when the bytes are
  /// not those that were written.
  void read(const std::function<void(std::span<const std::byte>)>& sink) const;

 private:
  std::string path_;
  PartHeader header_;
  index_t records_ = 0;
  index_t until_ = 0;
  std::uint64_t begin_ = 0;     ///< of the bytes, in the file
  std::uint32_t head_sum_ = 0;  ///< of what stands before them
  std::uint64_t bytes_ = 0;
  std::uint32_t sum_ = 0;
};

/// The part or checkpoint at `path` when it has this header and its bytes are those that were written; else nothing, whatever
/// lies there.
std::optional<PartFile> find_part(const std::string& path, const PartHeader& header);

/// Whether the part at `path` is whole, its bytes are those that were written, and it is this shard of this job. The region is
/// not compared: of some jobs it takes long to find out how many units they have.
bool is_done(const std::string& path, const PartHeader& header);

/// CRC-32 of bytes.
std::uint32_t sum_of(std::string_view bytes);
/// CRC-32 of all bytes of a regular file, as if after others whose CRC-32 is `before` (0: none).
std::uint32_t sum_of_all(const InputFile& file, std::uint32_t before);
/// CRC-32 of a regular file's first and last mebibyte.
std::uint32_t sum_of_ends(const InputFile& file);

/// The parts of one job in the order of their regions. Throws Error(input), naming what is missing or foreign, unless they are
/// exactly its shards, each once, of one version and with the regions tiling the whole.
std::vector<PartFile> ordered_parts(const std::vector<std::string>& paths);

}  // namespace phpc::io
