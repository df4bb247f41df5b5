#include "jobs/casoff/search.hpp"

#include <gtest/gtest.h>

#include <chrono>

#include "support/recording_caller.hpp"
#include "support/temporary_directory.hpp"

namespace phpc::jobs {
namespace {

TEST(SearchWhole, WritesRowsAndTellsItsCaller) {
  const test::TemporaryDirectory directory;
  test::write_file(directory / "g.fa", ">one\nTTTACGTAAGGTTT\n");
  test::RecordingCaller caller;
  CasoffInputOptions input;
  input.genome = directory / "g.fa";
  input.pattern = "NNNNNNGG";
  input.guides = {"ACGTAA:0"};
  CasoffOutputOptions rows;
  const std::string output = directory / "sites.tsv";
  settle_formats(rows, output);
  const io::SearchInput search = casoff_input(input);
  search_whole(caller, {.input_options = input,
                        .row_options = rows,
                        .input = search,
                        .how = search_options(search, input),
                        .devices = test::RecordingCaller::choose_host,
                        .output = output,
                        .command_line = "a test",
                        .start = std::chrono::steady_clock::now()});
  const std::string text = test::read_file(output);
  EXPECT_NE(text.find("ACGTAAGG"), std::string::npos) << text;
  ASSERT_EQ(caller.infos.size(), 1U);
  EXPECT_EQ(caller.infos.front().find("1 site of 1 query in 14 bases of 1 sequence, "), 0U) << caller.infos.front();
}

}  // namespace
}  // namespace phpc::jobs
