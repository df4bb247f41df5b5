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
  ASSERT_EQ(caller.debugs.size(), 1U);
  EXPECT_NE(caller.debugs.front().find("comparer 0."), std::string::npos) << caller.debugs.front();
}

TEST(SearchRun, TellsItsPhases) {
  const test::TemporaryDirectory directory;
  std::string genome = ">one\n";
  for (int line = 0; line < 3000; ++line) {
    genome += "ACGTAAGGTTTACCTTACGTACGTAAGGGGGTTTCCCA\n";
  }
  test::write_file(directory / "g.fa", genome);
  test::RecordingCaller caller;
  CasoffInputOptions options;
  options.genome = directory / "g.fa";
  options.pattern = "NNNNNNGG";
  options.guides = {"ACGTAA:2"};
  CasoffOutputOptions row_options;
  row_options.format = rows_by_input;
  const io::SearchInput input = casoff_input(options);
  casoff::SearchOptions how = search_options(input, options);
  how.chunk_bases = 10000;
  const io::GenomeSource source(options.genome, [](const std::string&) {});
  std::string rows_of_ours;
  for (const casoff::Comparer comparer : {casoff::Comparer::ours, casoff::Comparer::base}) {
    how.comparer = comparer;
    const CasoffJob job{.input_options = options,
                        .row_options = row_options,
                        .input = input,
                        .how = how,
                        .devices = test::RecordingCaller::choose_host,
                        .output = "",
                        .command_line = "a test",
                        .start = std::chrono::steady_clock::now()};
    std::string rows;
    SearchRun search(caller, job, source, request_of(input, caller), [&](const SiteRowSource& of) {
      return std::make_unique<SiteWriter>([&](std::string_view text) { rows += text; }, of);
    });
    search.run();
    EXPECT_GE(search.rows().sites(), 6000);
    EXPECT_EQ(search.genome().bases(), 3000 * 38);
    const SearchPhases phases = search.phases();
    EXPECT_GT(phases.reading, 0);
    EXPECT_GT(phases.waiting, 0);
    EXPECT_GT(phases.set_up, 0);
    EXPECT_GT(phases.rows, 0);
    EXPECT_GT(phases.search.sites, 0);
    EXPECT_GT(phases.search.kernels.comparer, 0);
    EXPECT_EQ(phases.search.kernels.finder > 0, comparer == casoff::Comparer::base);
    const casoff::KernelTimes& kernels = phases.search.kernels;
    EXPECT_LE(phases.set_up + phases.waiting + kernels.upload + kernels.finder + kernels.comparer + kernels.download +
                  phases.search.sites + phases.rows,
              phases.elapsed)
        << to_string(phases);
    if (comparer == casoff::Comparer::ours) {
      rows_of_ours = rows;
    }
    EXPECT_EQ(rows, rows_of_ours);
  }
}

}  // namespace
}  // namespace phpc::jobs
