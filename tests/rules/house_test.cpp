// Sizes and names of the house.
#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "rules/source_tree.hpp"
#include "support/process.hpp"

namespace phpc::test {
namespace {

TEST(House, NoFileIsLongerThan500Lines) {
  for (const SourceFile& file : source_files({"include", "src", "tests", "bench"})) {
    EXPECT_LE(file.lines.size(), 500u) << file.path;
  }
}

TEST(House, NoPlaceIsNamedForNothing) {
  static const std::set<std::string> empty_names = {"util", "utils", "common", "helper", "helpers", "misc"};
  for (const std::string& path : files_below({"include", "src", "tests", "bench", "data"})) {
    for (const std::filesystem::path& part : std::filesystem::path(path)) {
      EXPECT_FALSE(empty_names.contains(part.stem().string())) << path;
    }
  }
}

TEST(House, TheDataReadmeNamesEveryFile) {
  const std::string readme = read_file(source_root() + "/data/README.md");
  for (const std::string& path : files_below({"data"})) {
    // A file is named itself or by its folder ("batch/pele/"), where a folder holds many of a kind.
    std::string name = path.substr(5);
    bool named = readme.find("`" + name + "`") != std::string::npos;
    while (!named && name.find('/') != std::string::npos) {
      name = name.substr(0, name.rfind('/'));
      named = readme.find("`" + name + "/`") != std::string::npos;
    }
    EXPECT_TRUE(named || path == "data/README.md") << path;
  }
}

}  // namespace
}  // namespace phpc::test
