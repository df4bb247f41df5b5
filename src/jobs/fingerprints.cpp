#include "jobs/fingerprints.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>

#include "phpc/core/error.hpp"
#include "phpc/core/types.hpp"
#include "phpc/io/input_file.hpp"
#include "phpc/io/part_file.hpp"

namespace phpc::jobs {

namespace {

constexpr std::int64_t second = 1'000'000'000;

/// "2026-11-23T03:31:33.000000001Z".
std::string time_text(std::int64_t nanoseconds) {
  const std::int64_t below = ((nanoseconds % second) + second) % second;
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:09}Z", fmt::gmtime(static_cast<std::time_t>((nanoseconds - below) / second)), below);
}

void expect_regular(const std::string& path, bool is_regular) {
  PHPC_VALIDATE(is_regular, ErrorKind::usage,
                fmt::format("--shard reads a part of '{}', which is no regular file; give a file", path));
}

}  // namespace

std::vector<Fingerprints::Taken> Fingerprints::look_at(const std::vector<std::string>& paths) {
  struct Status {
    int error = 0;
    struct stat of{};
  };
  std::vector<Status> found(paths.size());
  const auto count = static_cast<index_t>(paths.size());
  // On a network file system each takes a round trip to the server.
#pragma omp parallel for schedule(dynamic, 64) if (count > 64)
  for (index_t i = 0; i < count; ++i) {
    Status& status = found[static_cast<std::size_t>(i)];
    const std::string& path = paths[static_cast<std::size_t>(i)];
    status.error = stat(path == "-" ? "/dev/stdin" : path.c_str(), &status.of) == 0 ? 0 : errno;
  }
  std::vector<Taken> taken;
  taken.reserve(paths.size());
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const auto& [error, status] = found[i];
    if (error != 0) {
      fail_errno(fmt::format("cannot read '{}'", paths[i]), error);
    }
    expect_regular(paths[i], S_ISREG(status.st_mode));
    taken.push_back({paths[i], static_cast<std::uint64_t>(status.st_size),
                     static_cast<std::int64_t>(status.st_mtim.tv_sec) * second + status.st_mtim.tv_nsec});
  }
  return taken;
}

nlohmann::ordered_json Fingerprints::of(const std::string& path) {
  const io::InputFile file(path);
  expect_regular(file.name(), file.size().has_value());
  taken_.push_back(look_at({path}).front());
  if (kind_ == Kind::whole) {
    return {{"bytes", *file.size()}, {"whole sum", io::sum_of_all(file, 0)}};
  }
  return {{"bytes", *file.size()}, {"sum", io::sum_of_ends(file)}, {"modified", time_text(taken_.back().modified)}};
}

nlohmann::ordered_json Fingerprints::of_all(const std::vector<std::string>& paths) {
  const std::vector<Taken> files = look_at(paths);
  std::string sizes;
  std::string times;
  std::uint64_t bytes = 0;
  std::int64_t latest = 0;
  for (const Taken& file : files) {
    bytes += file.bytes;
    latest = std::max(latest, file.modified);
    sizes += fmt::format("{}\n", file.bytes);
    times += fmt::format("{}\n", file.modified);
  }
  std::uint32_t sum = io::sum_of(sizes);
  nlohmann::ordered_json json{{"files", paths.size()}, {"bytes", bytes}};
  if (kind_ == Kind::whole) {
    for (const std::string& path : paths) {
      sum = io::sum_of_all(io::InputFile(path), sum);
    }
    json["whole sum"] = sum;
  } else {
    json["sum"] = sum;
    json["modified"] = fmt::format("{} at the latest, sum of all {}", time_text(latest), io::sum_of(times));
  }
  taken_.insert(taken_.end(), files.begin(), files.end());
  return json;
}

void Fingerprints::expect_unchanged() const {
  std::vector<std::string> paths;
  paths.reserve(taken_.size());
  for (const Taken& file : taken_) {
    paths.push_back(file.path);
  }
  const std::vector<Taken> files = look_at(paths);
  for (std::size_t i = 0; i < files.size(); ++i) {
    PHPC_VALIDATE(files[i].bytes == taken_[i].bytes && files[i].modified == taken_[i].modified, ErrorKind::input,
                  fmt::format("'{}' changed while it was read (last at {}); run again when nobody writes to it", files[i].path,
                              time_text(files[i].modified)));
  }
}

}  // namespace phpc::jobs
