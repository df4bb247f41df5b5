// Folders of src: which know which, and how large they are.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "rules/source_tree.hpp"

namespace phpc::test {
namespace {

/// The folders that each folder's files include files of, itself left out.
using Graph = std::map<std::string, std::set<std::string>>;

/// Folders that hold more than the rule allows today.
const std::set<std::string> known_large = {};
constexpr std::size_t most_files = 25;

Graph graph_of_includes() {
  const std::vector<SourceFile> files = source_files({"src"});
  std::map<std::string, std::string> folders;  // of files, by what an include says
  for (const SourceFile& file : files) {
    folders[file.path.substr(std::string("src/").size())] = file.folder();
  }
  Graph graph;
  for (const SourceFile& file : files) {
    for (const std::string& name : file.includes()) {
      const auto found = folders.find(name);
      if (found != folders.end() && found->second != file.folder()) {
        graph[file.folder()].insert(found->second);
      }
    }
  }
  return graph;
}

/// Looks for the way from one folder to another, each including files of the next; empty where there is none.
std::vector<std::string> way(const Graph& graph, const std::string& from, const std::string& to, std::set<std::string>& seen) {
  if (from == to) {
    return {from};
  }
  seen.insert(from);
  if (const auto next = graph.find(from); next != graph.end()) {
    for (const std::string& folder : next->second) {
      if (seen.contains(folder)) {
        continue;
      }
      if (std::vector<std::string> rest = way(graph, folder, to, seen); !rest.empty()) {
        rest.insert(rest.begin(), from);
        return rest;
      }
    }
  }
  return {};
}

std::vector<std::string> way(const Graph& graph, const std::string& from, const std::string& to) {
  std::set<std::string> seen;
  return way(graph, from, to, seen);
}

TEST(Folders, IncludeOneAnotherWithoutCycles) {
  const Graph graph = graph_of_includes();
  EXPECT_GT(graph.size(), 10u) << "the search for includes finds none";
  for (const auto& [from, folders] : graph) {
    for (const std::string& to : folders) {
      std::string text;
      for (const std::string& folder : way(graph, to, from)) {
        text += " -> " + folder;
      }
      EXPECT_EQ(text, "") << "a cycle: " << from << text;
    }
  }
}

TEST(Folders, HoldFewFiles) {
  std::map<std::string, std::size_t> counts;
  for (const SourceFile& file : source_files({"src"})) {
    ++counts[file.folder()];
  }
  for (const auto& [folder, count] : counts) {
    EXPECT_TRUE(count <= most_files) << "src/" << folder << " holds " << count << " files";
  }
}

}  // namespace
}  // namespace phpc::test
