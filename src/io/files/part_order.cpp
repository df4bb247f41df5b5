// Which parts make a whole.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "phpc/core/error.hpp"
#include "phpc/io/part_file.hpp"

namespace phpc::io {

namespace {

using Json = nlohmann::json;

/// "0, 2, 5 to 900": the shards of none of the parts, which are in order; empty when there are none. `count` is how many.
std::string missing_shards(const std::vector<PartFile>& parts, index_t& count) {
  constexpr std::size_t most_shown = 16;
  std::vector<std::string> words;
  count = 0;
  index_t next = 0;
  const auto skip_to = [&](index_t shard) {
    if (shard - next > 2) {
      words.push_back(fmt::format("{} to {}", next, shard - 1));
    } else {
      for (index_t missing = next; missing < shard; ++missing) {
        words.push_back(std::to_string(missing));
      }
    }
    count += shard - next;
    next = shard + 1;
  };
  for (const PartFile& part : parts) {
    skip_to(part.header().shard);
  }
  skip_to(parts.front().header().shards);
  if (words.size() > most_shown) {
    words.resize(most_shown);
    words.emplace_back("...");
  }
  return fmt::format("{}", fmt::join(words, ", "));
}

Json without_times(Json json) {
  if (json.is_object()) {
    json.erase("modified");
  }
  if (json.is_structured()) {
    for (Json& value : json) {
      value = without_times(std::move(value));
    }
  }
  return json;
}

/// The name of the first parameter in which two jobs differ.
std::string difference(const std::string& a, const std::string& b) {
  const Json first = Json::parse(a);
  const Json second = Json::parse(b);
  for (const auto& [name, value] : first.items()) {
    if (second.contains(name) && second[name] != value && without_times(second[name]) == without_times(value)) {
      return fmt::format(
          "{} was changed between them, or is another copy: {} and {}; for equal copies make all parts with "
          "--fingerprint whole",
          name, value.dump(), second[name].dump());
    }
    if (!second.contains(name) || second[name] != value) {
      return fmt::format("{}: {} and {}", name, value.dump(), second.contains(name) ? second[name].dump() : "nothing");
    }
  }
  return "what was asked for";
}

}  // namespace

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
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const index_t shard = parts[i].header().shard;
    PHPC_VALIDATE(shard > parts[i - 1].header().shard, ErrorKind::input,
                  fmt::format("'{}' is a second part of shard {}; name each part once", parts[i].path(), shard));
  }
  index_t missing = 0;
  const std::string named = missing_shards(parts, missing);
  PHPC_VALIDATE(missing == 0, ErrorKind::input,
                fmt::format("missing: shard{} {} of {}; run {} again and merge once more", missing == 1 ? "" : "s", named,
                            parts.front().header().shards, missing == 1 ? "it" : "them"));
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
