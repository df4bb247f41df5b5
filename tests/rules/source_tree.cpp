#include "rules/source_tree.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <stdexcept>

namespace phpc::test {

std::string SourceFile::room() const {
  const std::size_t start = is_public() ? std::string("include/phpc/").size() : path.find('/') + 1;
  return path.substr(start, path.find('/', start) - start);
}

std::string SourceFile::folder() const {
  const std::size_t start = path.find('/') + 1;
  const std::size_t end = path.rfind('/');
  return end < start ? "" : path.substr(start, end - start);
}

std::vector<std::string> SourceFile::includes() const {
  static const std::regex directive(R"(^\s*#\s*include\s*["<]([^">]+)[">])");
  std::vector<std::string> names;
  for (const std::string& line : lines) {
    if (std::smatch match; std::regex_search(line, match, directive)) {
      names.push_back(match[1]);
    }
  }
  return names;
}

std::string source_root() {
  const char* const root = std::getenv("PHPC_SOURCE");
  if (root == nullptr) {
    throw std::runtime_error("PHPC_SOURCE is not set: it names the folder of the sources; ctest sets it");
  }
  return root;
}

std::vector<std::string> files_below(const std::vector<std::string>& folders) {
  const std::filesystem::path root = source_root();
  std::vector<std::string> paths;
  for (const std::string& folder : folders) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root / folder)) {
      if (entry.is_regular_file()) {
        paths.push_back(std::filesystem::relative(entry.path(), root).string());
      }
    }
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::vector<SourceFile> source_files(const std::vector<std::string>& folders) {
  std::vector<SourceFile> files;
  for (const std::string& path : files_below(folders)) {
    if (!path.ends_with(".hpp") && !path.ends_with(".cpp") && !path.ends_with(".inc")) {
      continue;
    }
    SourceFile file{path, {}};
    std::ifstream stream(source_root() + "/" + path);
    for (std::string line; std::getline(stream, line);) {
      file.lines.push_back(line);
    }
    files.push_back(std::move(file));
  }
  return files;
}

}  // namespace phpc::test
