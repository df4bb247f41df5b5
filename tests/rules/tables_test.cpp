// Tables of what a user can name have a row for all that there is.
#include <gtest/gtest.h>

#include <regex>
#include <set>

#include "rules/source_tree.hpp"
#include "support/process.hpp"

namespace phpc::test {
namespace {

/// All text of a room.
std::string text_of_room(const std::string& room) {
  std::string text;
  for (const SourceFile& file : source_files({"src/" + room})) {
    for (const std::string& line : file.lines) {
      text += line + "\n";
    }
  }
  return text;
}

/// The first group of every match.
std::set<std::string> found_in(const std::string& text, const std::string& pattern) {
  const std::regex regex(pattern);
  std::set<std::string> found;
  for (std::sregex_iterator match(text.begin(), text.end(), regex), end; match != end; ++match) {
    found.insert((*match)[1]);
  }
  return found;
}

TEST(Tables, EveryMethodHasARow) {
  const std::string batch = text_of_room("batch");
  const std::set<std::string> methods = found_in(read_file(source_root() + "/src/batch/CMakeLists.txt"), R"(\w=([A-Z][a-z]\w+))");
  EXPECT_GE(methods.size(), 10U) << "the search for methods finds none";
  const std::set<std::string> rows = found_in(batch, R"(_row<T, (\w+)>\()");
  for (const std::string& method : methods) {
    EXPECT_TRUE(rows.contains(method)) << method << " has kernels and no row in the table of methods";
  }
}

TEST(Tables, EveryPreconditionerHasARow) {
  const std::string batch = text_of_room("batch");
  const std::set<std::string> tables = found_in(batch, R"(\nPatternTable (\w+_table)\(const CsrPattern)");
  EXPECT_GE(tables.size(), 6U) << "the search for tables finds none";
  const std::set<std::string> rows = found_in(batch, R"rx(PreconditionerRow<\w+>\{"[a-z0-9-]+", (\w+)\})rx");
  for (const std::string& table : tables) {
    EXPECT_TRUE(rows.contains(table)) << table << " is made of a pattern and no row of the table of preconditioners has it";
  }
}

}  // namespace
}  // namespace phpc::test
