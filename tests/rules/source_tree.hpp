#pragma once
#include <string>
#include <vector>

namespace phpc::test {

/// A text file of the project.
struct SourceFile {
  std::string path;  ///< from the project's root
  std::vector<std::string> lines;

  /// "exec" of include/phpc/exec/launch.hpp and of src/exec/device.cpp.
  [[nodiscard]] std::string room() const;
  [[nodiscard]] bool is_public() const { return path.starts_with("include/"); }
  /// "fft/host" of src/fft/host/lines.cpp: the folder that it lies in, without the first one of the path.
  [[nodiscard]] std::string folder() const;
  /// What it includes, as it says it.
  [[nodiscard]] std::vector<std::string> includes() const;
};

/// The root of the project's sources ($PHPC_SOURCE, set by ctest).
std::string source_root();

/// Paths of all files below the folders, from the root, sorted.
std::vector<std::string> files_below(const std::vector<std::string>& folders);

/// The C++ files below the folders, sorted by path.
std::vector<SourceFile> source_files(const std::vector<std::string>& folders);

}  // namespace phpc::test
