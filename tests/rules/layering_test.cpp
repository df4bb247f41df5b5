// The direction of knowledge: cli -> jobs -> fft|casoff|batch -> exec -> core, jobs -> io -> core; cuda -> exec; port -> io.
#include <gtest/gtest.h>

#include <map>
#include <regex>
#include <set>

#include "rules/source_tree.hpp"

namespace phpc::test {
namespace {

using Rooms = std::set<std::string>;

/// What each room may include beside itself.
const std::map<std::string, Rooms> allowed = {
    {"core", {}},
    {"exec", {"core"}},
    {"io", {"core"}},
    {"fft", {"exec", "core"}},
    {"casoff", {"exec", "core"}},
    {"batch", {"exec", "core"}},
    {"cuda", {"exec", "core"}},
    {"port", {"io", "core"}},
    {"jobs", {"fft", "casoff", "batch", "exec", "io", "core"}},
    {"cli", {"jobs", "fft", "casoff", "batch", "exec", "io", "core"}},
};

/// Rooms without public headers: who may know them includes their own.
const Rooms without_public_headers = {"jobs"};

TEST(Layering, EveryRoomIncludesOnlyWhatItMayKnow) {
  int checked = 0;
  for (const SourceFile& file : source_files({"include", "src"})) {
    const auto entry = allowed.find(file.room());
    ASSERT_NE(entry, allowed.end()) << file.path << " stands in no room of the house";
    for (std::string name : file.includes()) {
      const bool is_public = name.starts_with("phpc/");
      name = is_public ? name.substr(5) : name;
      const std::string room = name.substr(0, name.find('/'));
      if (!allowed.contains(room) || name.find('/') == std::string::npos) {
        continue;  // not the project's
      }
      ++checked;
      EXPECT_TRUE(room == entry->first || entry->second.contains(room)) << file.path << " includes " << name;
      if (file.is_public()) {
        EXPECT_TRUE(is_public) << file.path << " is public and includes the private " << name;
      }
      EXPECT_TRUE(is_public || room == entry->first || without_public_headers.contains(room))
          << file.path << " includes " << name << ", private to another room";
    }
  }
  EXPECT_GT(checked, 50);
}

TEST(Layering, MeasurementsOfTheBenchKnowOnlyCoreAndAreKnownToPrograms) {
  int checked = 0;
  for (const SourceFile& file : source_files({"include", "src", "bench/measure"})) {
    const bool is_measure = file.path.starts_with("bench/measure/");
    for (const std::string& name : file.includes()) {
      if (name.starts_with("measure/")) {
        ++checked;
        EXPECT_TRUE(is_measure || file.room() == "cli") << file.path << " includes " << name;
      } else if (is_measure && name.find('/') != std::string::npos) {
        EXPECT_TRUE(name.starts_with("phpc/core/") || name.starts_with("fmt/")) << file.path << " includes " << name;
      }
    }
  }
  EXPECT_GT(checked, 5);
}

TEST(Layering, OnlyProgramsKnowCli11) {
  const Rooms programs = {"cli", "port"};
  for (const SourceFile& file : source_files({"include", "src"})) {
    for (const std::string& name : file.includes()) {
      EXPECT_TRUE(!name.starts_with("CLI/") || programs.contains(file.room())) << file.path << " includes " << name;
    }
  }
}

TEST(Layering, OnlyTheLauncherHoldsTargetRegions) {
  static const std::regex region(R"(^\s*#\s*pragma\s+omp\s+(begin\s+)?(target|declare\s+target))");
  std::set<std::string> holders;
  for (const SourceFile& file : source_files({"include", "src", "tests", "bench"})) {
    for (const std::string& line : file.lines) {
      if (std::regex_search(line, region)) {
        holders.insert(file.path);
      }
    }
  }
  EXPECT_EQ(holders, std::set<std::string>{"include/phpc/exec/target_regions.inc"});
}

}  // namespace
}  // namespace phpc::test
