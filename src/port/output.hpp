#pragma once
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "port/translation/preprocessing.hpp"

namespace phpc::port {

/// A file that a run writes.
struct OutputFile {
  std::string path;
  std::string text;
};

struct OutputPlan {
  std::string file;    ///< -o: the one source's, "-" for standard output; empty otherwise
  std::string folder;  ///< --out-dir
  bool with_cmake = false;
};

/// The options that each source was parsed with, by its name in the command line, in pairs; paths are absolute.
using ParserOptions = std::map<std::string, std::vector<std::string>>;

/// A path as headers are known by: absolute, without . and .. in it.
std::filesystem::path whole_path(const std::filesystem::path& path);

/// The files that a translation makes of the sources and of those of their headers that go along. Throws Error(usage) where one
/// would replace a file that was read.
std::vector<OutputFile> make_outputs(const std::vector<std::string>& sources, const OutputPlan& plan, Translation& translation,
                                     const Includes& includes, const ParserOptions& options);

/// Writes all of them or none. Throws Error(io).
void write_outputs(const std::vector<OutputFile>& files, const OutputPlan& plan);

}  // namespace phpc::port
