#include "phpc/io/part_file.hpp"

#include <fmt/format.h>
#include <libdeflate.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "phpc/core/error.hpp"

namespace phpc::io {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view head_mark = "phpc-part 1 ";
constexpr std::string_view end_mark = "\nphpc-part-end ";
constexpr std::size_t longest_head = std::size_t{16} << 20;
constexpr std::size_t longest_end = 256;

std::string hexadecimal(std::string_view bytes) {
  std::string text;
  text.reserve(2 * bytes.size());
  for (const char byte : bytes) {
    text += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  }
  return text;
}

std::string bytes_of(const std::string& hexadecimal) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < hexadecimal.size(); i += 2) {
    bytes += static_cast<char>(std::stoi(hexadecimal.substr(i, 2), nullptr, 16));
  }
  return bytes;
}

std::string head_line(const PartHeader& header) {
  const Json json{{"version", header.version},
                  {"command", header.command},
                  {"job", Json::parse(header.job)},
                  {"shard", header.shard},
                  {"shards", header.shards},
                  {"unit", header.unit},
                  {"region", {header.region_begin, header.region_end}},
                  {"total", header.total},
                  {"prologue", hexadecimal(header.prologue)},
                  {"device", header.device}};
  return std::string(head_mark) + json.dump() + "\n";
}

PartHeader parsed_head(std::string_view line) {
  const Json json = Json::parse(line.substr(head_mark.size()));
  PartHeader header;
  header.version = json.at("version");
  header.command = json.at("command");
  header.job = json.at("job").dump();
  header.shard = json.at("shard");
  header.shards = json.at("shards");
  header.unit = json.at("unit");
  header.region_begin = json.at("region").at(0);
  header.region_end = json.at("region").at(1);
  header.total = json.at("total");
  header.prologue = bytes_of(json.at("prologue"));
  header.device = json.at("device");
  return header;
}

std::uint32_t extended_sum(std::uint32_t sum, std::span<const std::byte> bytes) {
  return libdeflate_crc32(sum, bytes.data(), bytes.size());
}

[[noreturn]] void fail_no_part(const std::string& path) {
  fail(ErrorKind::input, fmt::format("'{}' is no part of a sharded run; name the files that --shard wrote", path));
}

[[noreturn]] void fail_cut(const std::string& path) {
  fail(ErrorKind::input, fmt::format("'{}' is no whole part (it was cut short or changed); run its shard again", path));
}

bool is_same_shard(const PartHeader& a, const PartHeader& b) {
  return a.version == b.version && a.command == b.command && Json::parse(a.job) == Json::parse(b.job) && a.shard == b.shard &&
         a.shards == b.shards;
}

/// The part at `path` if its bytes are those that were written.
std::optional<PartFile> sound_part(const std::string& path) {
  if (!std::filesystem::exists(path)) {
    return std::nullopt;
  }
  try {
    PartFile part(path);
    part.read([](std::span<const std::byte>) {});
    return part;
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::input) {
      return std::nullopt;
    }
    throw;
  }
}

/// The name of the first parameter in which two jobs differ.
std::string difference(const std::string& a, const std::string& b) {
  const Json first = Json::parse(a);
  const Json second = Json::parse(b);
  for (const auto& [name, value] : first.items()) {
    if (!second.contains(name) || second[name] != value) {
      return fmt::format("{}: {} and {}", name, value.dump(), second.contains(name) ? second[name].dump() : "nothing");
    }
  }
  return "what was asked for";
}

}  // namespace

bool is_same_part(const PartHeader& a, const PartHeader& b) {
  return is_same_shard(a, b) && a.unit == b.unit && a.region_begin == b.region_begin && a.region_end == b.region_end &&
         a.total == b.total;
}

std::string part_path(const std::string& output, index_t shard, index_t shards) {
  return fmt::format("{}.part-{:05}-of-{:05}", output, shard, shards);
}

PartWriter::PartWriter(const std::string& path, const PartHeader& header) : region_end_(header.region_end), file_(path) {
  const std::string head = head_line(header);
  sum_ = extended_sum(0, std::as_bytes(std::span(head)));
  file_.write(head);
}

void PartWriter::write(std::span<const std::byte> bytes) {
  file_.write(bytes);
  sum_ = extended_sum(sum_, bytes);
  bytes_ += bytes.size();
}

void PartWriter::write_all_of(const PartFile& checkpoint) {
  checkpoint.read([this](std::span<const std::byte> bytes) { write(bytes); });
}

void PartWriter::commit(index_t records) {
  write_end(records, region_end_);
  file_.commit();
}

void PartWriter::commit_checkpoint(const std::string& path, index_t records, index_t until) {
  write_end(records, until);
  file_.commit_as(path);
}

void PartWriter::write_end(index_t records, index_t until) {
  const Json json{{"bytes", bytes_}, {"records", records}, {"until", until}, {"crc32", sum_}};
  file_.write(std::string(end_mark) + json.dump() + "\n");
}

PartFile::PartFile(const std::string& path) : path_(path) {
  InputFile file(path);
  if (!file.size()) {
    fail_no_part(path);
  }
  const std::uint64_t size = *file.size();
  std::string head(head_mark.size(), ' ');
  if (file.read_at(0, head) != head.size() || head != head_mark) {
    fail_no_part(path);
  }
  for (std::size_t length = 4096;; length *= 4) {
    head.resize(std::min<std::uint64_t>(length, size));
    file.read_at(0, head);
    if (const std::size_t end = head.find('\n'); end != std::string::npos) {
      head.resize(end + 1);
      break;
    }
    if (head.size() == size || length > longest_head) {
      fail_cut(path);
    }
  }
  std::string tail(std::min<std::uint64_t>(longest_end, size), ' ');
  file.read_at(size - tail.size(), tail);
  const std::size_t mark = tail.rfind(end_mark);
  if (mark == std::string::npos || tail.back() != '\n') {
    fail_cut(path);
  }
  begin_ = head.size();
  head_sum_ = extended_sum(0, std::as_bytes(std::span(head)));
  try {
    header_ = parsed_head(head);
    const Json end = Json::parse(tail.substr(mark + end_mark.size()));
    bytes_ = end.at("bytes");
    records_ = end.at("records");
    until_ = end.at("until");
    sum_ = end.at("crc32");
  } catch (const std::exception&) {  // of the JSON library, or a number's that is none
    fail_cut(path);
  }
  if (begin_ + bytes_ != size - tail.size() + mark) {
    fail_cut(path);
  }
}

void PartFile::read(const std::function<void(std::span<const std::byte>)>& sink) const {
  InputFile file(path_);
  std::vector<char> block(std::size_t{1} << 20);
  std::uint32_t sum = head_sum_;
  for (std::uint64_t done = 0; done < bytes_;) {
    const std::size_t wanted = std::min<std::uint64_t>(block.size(), bytes_ - done);
    if (file.read_at(begin_ + done, std::span(block).first(wanted)) != wanted) {
      fail_cut(path_);
    }
    const auto bytes = std::as_bytes(std::span<const char>(block).first(wanted));
    sum = extended_sum(sum, bytes);
    done += wanted;
    sink(bytes);
  }
  if (sum != sum_) {
    fail_cut(path_);
  }
}

std::optional<PartFile> find_part(const std::string& path, const PartHeader& header) {
  std::optional<PartFile> part = sound_part(path);
  return part && is_same_part(part->header(), header) ? part : std::nullopt;
}

bool is_done(const std::string& path, const PartHeader& header) {
  const std::optional<PartFile> part = sound_part(path);
  return part && part->is_whole() && is_same_shard(part->header(), header);
}

std::uint32_t sum_of(std::string_view bytes) {
  return extended_sum(0, std::as_bytes(std::span(bytes)));
}

std::uint32_t sum_of_ends(const InputFile& file) {
  std::vector<char> end(std::size_t{1} << 20);
  std::uint32_t sum = 0;
  for (const std::uint64_t at : {std::uint64_t{0}, *file.size() - std::min<std::uint64_t>(*file.size(), end.size())}) {
    const std::size_t read = file.read_at(at, end);
    sum = extended_sum(sum, std::as_bytes(std::span<const char>(end).first(read)));
  }
  return sum;
}

std::vector<PartFile> ordered_parts(const std::vector<std::string>& paths) {
  std::vector<PartFile> parts;
  parts.reserve(paths.size());
  for (const std::string& path : paths) {
    parts.emplace_back(path);
  }
  PHPC_VALIDATE(!parts.empty(), ErrorKind::usage, "there is no part to merge; name the files that --shard wrote");
  // Left by a copy of a shard that another copy has finished.
  std::erase_if(parts, [all = parts](const PartFile& part) {
    return !part.is_whole() && std::any_of(all.begin(), all.end(), [&part](const PartFile& other) {
      return other.is_whole() && is_same_part(other.header(), part.header());
    });
  });
  const PartHeader& first = parts.front().header();
  for (const PartFile& part : parts) {
    const PartHeader& header = part.header();
    PHPC_VALIDATE(part.is_whole(), ErrorKind::input,
                  fmt::format("'{}' is a checkpoint (of shard {}, which is not done); run the shard with --resume", part.path(),
                              header.shard));
    const auto refuse = [&](const std::string& why) {
      fail(ErrorKind::input, fmt::format("'{}' and '{}' are no parts of one job ({}); merge the parts of one run",
                                         parts.front().path(), part.path(), why));
    };
    if (header.command != first.command || header.version != first.version) {
      refuse(fmt::format("{} {} and {} {}", first.command, first.version, header.command, header.version));
    }
    if (Json::parse(header.job) != Json::parse(first.job)) {
      refuse(difference(first.job, header.job));
    }
    if (header.shards != first.shards) {
      refuse(fmt::format("of {} and of {} shards", first.shards, header.shards));
    }
    if (header.total != first.total || header.unit != first.unit) {
      refuse(fmt::format("of {} and of {} {}", first.total, header.total, header.unit));
    }
  }
  std::sort(parts.begin(), parts.end(), [](const PartFile& a, const PartFile& b) { return a.header().shard < b.header().shard; });
  std::vector<index_t> missing;
  index_t next = 0;
  for (const PartFile& part : parts) {
    const index_t shard = part.header().shard;
    PHPC_VALIDATE(shard >= next, ErrorKind::input,
                  fmt::format("'{}' is a second part of shard {}; name each part once", part.path(), shard));
    for (; next < shard; ++next) {
      missing.push_back(next);
    }
    next = shard + 1;
  }
  const index_t shards = parts.front().header().shards;
  for (; next < shards; ++next) {
    missing.push_back(next);
  }
  PHPC_VALIDATE(missing.empty(), ErrorKind::input,
                fmt::format("missing: shard{} {} of {}; run {} again and merge once more", missing.size() == 1 ? "" : "s",
                            fmt::join(missing, ", "), shards, missing.size() == 1 ? "it" : "them"));
  index_t at = 0;
  for (const PartFile& part : parts) {
    PHPC_VALIDATE(part.header().region_begin == at && part.header().region_end >= at, ErrorKind::input,
                  fmt::format("'{}' begins at {} {} where {} was due; it is of another run", part.path(),
                              part.header().region_begin, part.header().unit, at));
    at = part.header().region_end;
  }
  const index_t total = parts.front().header().total;
  PHPC_VALIDATE(at == total, ErrorKind::input,
                fmt::format("the parts end at {} of {} {}; they are of another run", at, total, parts.front().header().unit));
  return parts;
}

}  // namespace phpc::io
