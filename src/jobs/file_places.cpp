#include "jobs/file_places.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>

#include "phpc/core/error.hpp"
#include "phpc/io/output_target.hpp"

namespace phpc::jobs {

namespace {

/// `stream` is what "-" stands for.
std::string described(const FilePlace& place, const char* stream) {
  return fmt::format("{} ({})", place.path == "-" ? stream : "'" + place.path + "'", place.role);
}

constexpr const char* output_stream = "standard output";
constexpr const char* input_stream = "standard input";

/// Remembers the first output at each place. Throws Error(usage) for a second one.
template <class Key>
void take(std::map<Key, const FilePlace*>& taken, const Key& key, const FilePlace& output) {
  const auto [first, is_new] = taken.emplace(key, &output);
  PHPC_VALIDATE(is_new, ErrorKind::usage,
                fmt::format("{} and {} would both go to one place; give each a file of its own",
                            described(*first->second, output_stream), described(output, output_stream)));
}

}  // namespace

std::vector<FilePlace> places_of(const std::vector<std::string>& paths, const std::string& role) {
  std::vector<FilePlace> places;
  places.reserve(paths.size());
  std::transform(paths.begin(), paths.end(), std::back_inserter(places),
                 [&](const std::string& path) { return FilePlace{path, role}; });
  return places;
}

void validate_places(const std::vector<FilePlace>& outputs, const std::vector<FilePlace>& inputs) {
  std::map<io::FileIdentity, const FilePlace*> files;
  std::map<int, const FilePlace*> descriptors;  // of this process; two outputs to one are mixed, whatever it leads to
  bool one_exists = false;
  for (const FilePlace& output : outputs) {
    if (output.path.empty()) {
      continue;
    }
    if (const int descriptor = io::output_target(output.path).descriptor; descriptor >= 0) {
      take(descriptors, descriptor, output);
    }
    if (const auto file = io::identity_of_output(output.path)) {
      take(files, *file, output);
      one_exists = one_exists || file->name.empty();
    }
  }
  if (!one_exists) {
    return;  // no input can be one of them
  }
  for (const FilePlace& input : inputs) {
    const auto file = input.path.empty() ? std::nullopt : io::identity_of_input(input.path);
    if (const auto found = file ? files.find(*file) : files.end(); found != files.end()) {
      fail(ErrorKind::usage, fmt::format("{} would replace the input {}; give another place",
                                         described(*found->second, output_stream), described(input, input_stream)));
    }
  }
}

bool replaces(const std::string& output, const std::string& input) {
  const auto file = io::identity_of_input(input);
  const io::OutputTarget target = io::output_target(output);
  return file && !target.is_open_file && std::filesystem::is_regular_file(target.path) && io::identity_of_output(output) == file;
}

}  // namespace phpc::jobs
