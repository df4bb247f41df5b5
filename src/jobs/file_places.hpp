#pragma once
#include <string>
#include <vector>

namespace phpc::jobs {

/// A path of the command line, and what it is there for: "-o", "the genome".
struct FilePlace {
  std::string path;  ///< empty: there is none
  std::string role;
};

/// A place for each of these paths, all of one role.
std::vector<FilePlace> places_of(const std::vector<std::string>& paths, const std::string& role);

/// Refuses a run one of whose results would replace an input or another result, under whatever names: what counts is which file a
/// path leads to, not how it is spelled. Every subcommand calls it with all files that it reads and writes. Throws Error(usage).
void validate_places(const std::vector<FilePlace>& outputs, const std::vector<FilePlace>& inputs);

/// Whether an output would replace this input, once all of it is read.
bool replaces(const std::string& output, const std::string& input);

}  // namespace phpc::jobs
