#include "phpc/io/part_file.hpp"

#include <fmt/format.h>
#include <libdeflate.h>

#include <algorithm>
#include <charconv>
#include <exception>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>

#include "phpc/core/error.hpp"
#include "phpc/core/parse.hpp"

namespace phpc::io {

namespace {

/// What is read: unlike ordered_json it takes objects of any size in reasonable time.
using Json = nlohmann::json;

constexpr std::string_view head_mark = "phpc-part 2 ";
constexpr std::string_view end_mark = "\nphpc-part-end ";
constexpr std::size_t longest_head = std::size_t{256} << 20;
constexpr std::size_t longest_end = 256;
/// Objects and arrays within one another. The JSON library compares and writes values by functions that call themselves: 200 000
/// levels were a stack overflow.
constexpr int deepest = 32;

std::string hexadecimal(std::string_view bytes) {
  std::string text;
  text.reserve(2 * bytes.size());
  for (const char byte : bytes) {
    text += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  }
  return text;
}

/// The JSON library's exceptions, and this one, come from text that no PartWriter wrote.
struct Malformed : std::exception {};

void expect(bool is_sound) {
  if (!is_sound) {
    throw Malformed();
  }
}

std::string bytes_of(const std::string& hexadecimal) {
  expect(hexadecimal.size() % 2 == 0);
  std::string bytes;
  bytes.reserve(hexadecimal.size() / 2);
  for (std::size_t i = 0; i < hexadecimal.size(); i += 2) {
    unsigned char byte = 0;
    const char* const end = hexadecimal.data() + i + 2;
    expect(std::from_chars(end - 2, end, byte, 16).ptr == end);
    bytes += static_cast<char>(byte);
  }
  return bytes;
}

std::string head_line(const PartHeader& header) {
  const nlohmann::ordered_json json{{"version", header.version},
                                    {"command", header.command},
                                    {"job", nlohmann::ordered_json::parse(header.job)},
                                    {"shard", header.shard},
                                    {"shards", header.shards},
                                    {"unit", header.unit},
                                    {"region", {header.region_begin, header.region_end}},
                                    {"total", header.total},
                                    {"prologue", hexadecimal(header.prologue)},
                                    {"device", header.device}};
  // Only the device's name is any text.
  return std::string(head_mark) + json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

Json parsed(std::string_view text) {
  return Json::parse(text, [](int depth, Json::parse_event_t /*event*/, Json& /*value*/) {
    expect(depth <= deepest);
    return true;
  });
}

/// An integer of 0 ... 2^63 - 1.
index_t count_in(const Json& json) {
  expect(json.is_number_unsigned() &&
         json.get<std::uint64_t>() <= static_cast<std::uint64_t>(std::numeric_limits<index_t>::max()));
  return json.get<index_t>();
}

PartHeader parsed_head(std::string_view line) {
  const Json json = parsed(line.substr(head_mark.size()));
  expect(json.at("job").is_object());
  PartHeader header;
  header.version = json.at("version");
  header.command = json.at("command");
  header.job = json.at("job").dump();
  header.shard = count_in(json.at("shard"));
  header.shards = count_in(json.at("shards"));
  header.unit = json.at("unit");
  header.region_begin = count_in(json.at("region").at(0));
  header.region_end = count_in(json.at("region").at(1));
  header.total = count_in(json.at("total"));
  header.prologue = bytes_of(json.at("prologue"));
  header.device = json.at("device");
  expect(header.shard < header.shards && header.region_begin <= header.region_end && header.region_end <= header.total);
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
  PHPC_VALIDATE(head.size() <= longest_head, ErrorKind::io,
                fmt::format("cannot write '{}' (what a part begins with would take {}, {} at most); do the whole in one run",
                            path, format_bytes(head.size()), format_bytes(longest_head)));
  head_sum_ = extended_sum(0, std::as_bytes(std::span(head)));
  sum_ = head_sum_;
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
  const nlohmann::ordered_json json{
      {"bytes", bytes_}, {"records", records}, {"until", until}, {"head", head_sum_}, {"crc32", sum_}};
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
    head.resize(std::min<std::uint64_t>({length, longest_head, size}));
    file.read_at(0, head);
    if (const std::size_t end = head.find('\n'); end != std::string::npos) {
      head.resize(end + 1);
      break;
    }
    if (head.size() == size || length >= longest_head) {
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
    const Json end = parsed(std::string_view(tail).substr(mark + end_mark.size()));
    bytes_ = static_cast<std::uint64_t>(count_in(end.at("bytes")));
    records_ = count_in(end.at("records"));
    until_ = count_in(end.at("until"));
    sum_ = static_cast<std::uint32_t>(count_in(end.at("crc32")));
    expect(count_in(end.at("head")) == head_sum_);  // before anything is made of it
    header_ = parsed_head(head);
    expect(header_.region_begin <= until_ && until_ <= header_.region_end);
  } catch (const Malformed&) {
    fail_cut(path);
  } catch (const Json::exception&) {
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

std::uint32_t sum_of_all(const InputFile& file, std::uint32_t before) {
  std::vector<char> block(std::size_t{1} << 20);
  std::uint32_t sum = before;
  std::uint64_t at = 0;
  std::size_t read = 0;
  do {
    read = file.read_at(at, block);
    sum = extended_sum(sum, std::as_bytes(std::span<const char>(block).first(read)));
    at += read;
  } while (read == block.size());
  return sum;
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

}  // namespace phpc::io
