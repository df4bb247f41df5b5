// portable-hpc batch --shard, --resume, and the parts put together.
#include <chrono>
#include <csignal>

#include "cli/commands/batch_cli_fixture.hpp"

namespace phpc::test {
namespace {

class BatchShards : public BatchCommand {
 protected:
  static std::string part_of(const std::string& output, int index, int count) {
    char suffix[40];
    std::snprintf(suffix, sizeof suffix, ".part-%05d-of-%05d", index, count);
    return output + suffix;
  }

  static ProgramResult merge(const std::string& output, int count) {
    std::vector<std::string> arguments{"merge", "-o", output};
    for (int i = count; i-- > 0;) {
      arguments.push_back(part_of(output, i, count));
    }
    return run_program(arguments);
  }

  static ProgramResult run_on_host(std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"--device", "host"});
    return run(arguments);
  }

  /// All shards of a run that writes to `outputs`, merged, are what one run writes.
  void expect_same(const std::vector<std::string>& arguments, const std::vector<std::pair<std::string, std::string>>& outputs) {
    std::vector<std::string> all = arguments;
    for (const auto& [option, path] : outputs) {
      all.insert(all.end(), {option, path});
    }
    ASSERT_EQ(run_on_host(all).exit_code, 0);
    std::vector<std::string> whole;
    for (const auto& [option, path] : outputs) {
      whole.push_back(read_file(path));
    }
    for (const int count : {1, 2, 3, 7, 13, 20}) {
      SCOPED_TRACE(count);
      for (int i = 0; i < count; ++i) {
        std::vector<std::string> share = all;
        share.insert(share.end(), {"--shard", std::to_string(i) + "/" + std::to_string(count)});
        const ProgramResult result = run_on_host(share);
        ASSERT_EQ(result.exit_code, 0) << result.err;
      }
      for (std::size_t i = 0; i < outputs.size(); ++i) {
        const ProgramResult merged = merge(outputs[i].second, count);
        ASSERT_EQ(merged.exit_code, 0) << merged.err;
        EXPECT_NE(merged.err.find("13 records in 13 systems"), std::string::npos) << merged.err;
        EXPECT_EQ(read_file(outputs[i].second), whole[i]);
      }
    }
  }
};

TEST_F(BatchShards, OfAnyNumberMakeTheWhole) {
  write_systems(13);
  expect_same({in_}, {{"-o", x_}, {"--report", report_}});
  expect_same({in_, "--solver", "auto", "--rhs", "random", "--memory", "100B"}, {{"-o", directory_ / "x.mtx"}});
}

TEST_F(BatchShards, OfProblemsAndRepeatedSystems) {
  expect_same({"--problem", "chemistry:20", "--systems", "13"}, {{"-o", x_}});
  write_systems(5);
  expect_same({in_, "--systems", "13"}, {{"--report", report_}});
}

/// Any system of a folder, not only the first and the last.
TEST_F(BatchShards, OfSystemsThatChangedBetweenThemAreRefused) {
  for (const std::string file : {"/2/A.mtx", "/2/b.mtx"}) {
    SCOPED_TRACE(file);
    write_systems(5);
    ASSERT_EQ(run_on_host({in_, "-o", x_, "--shard", "0/2"}).exit_code, 0);
    write_systems(5);  // other times
    std::filesystem::last_write_time(in_ + file, std::filesystem::last_write_time(in_ + file) + std::chrono::seconds(2));
    ASSERT_EQ(run_on_host({in_, "-o", x_, "--shard", "1/2"}).exit_code, 0);
    const ProgramResult times = merge(x_, 2);
    EXPECT_EQ(times.exit_code, 1);
    EXPECT_NE(times.err.find("--fingerprint whole"), std::string::npos) << times.err;
    ASSERT_EQ(run_on_host({in_, "-o", x_, "--shard", "0/2", "--fingerprint", "whole"}).exit_code, 0);
    std::filesystem::last_write_time(in_ + file, std::filesystem::last_write_time(in_ + file) + std::chrono::seconds(2));
    ASSERT_EQ(run_on_host({in_, "-o", x_, "--shard", "1/2", "--fingerprint", "whole"}).exit_code, 0);
    EXPECT_EQ(merge(x_, 2).exit_code, 0) << "the same bytes";
    std::string text = read_file(in_ + file);
    text[text.rfind('\n') - 1] = '9';
    write_file(in_ + file, text);
    ASSERT_EQ(run_on_host({in_, "-o", x_, "--shard", "1/2", "--fingerprint", "whole"}).exit_code, 0);
    EXPECT_EQ(merge(x_, 2).exit_code, 1);
  }
}

TEST_F(BatchShards, ReadOnlyTheirOwnSystems) {
  write_systems(9);
  write_file(in_ + "/4/A.mtx", "not read");
  EXPECT_EQ(run_on_host({in_, "-o", x_, "--shard", "0/3"}).exit_code, 0);
  EXPECT_EQ(run_on_host({in_, "-o", x_, "--shard", "2/3"}).exit_code, 0);
  EXPECT_EQ(run_on_host({in_, "-o", x_, "--shard", "1/3"}).exit_code, 1);
}

TEST_F(BatchShards, ResumeLeavesOutWhatIsThere) {
  const std::vector<std::string> arguments{"--problem", "stencil3:8", "--systems", "10", "-o", x_, "--shard", "1/2", "--resume"};
  ASSERT_EQ(run_on_host(arguments).exit_code, 0);
  const auto again_with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), arguments.begin(), arguments.end());
    const ProgramResult result = run_on_host(more);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result.err.find("nothing to do") != std::string::npos;
  };
  EXPECT_TRUE(again_with({}));
  // Another job is done again, even if only one of two files is missing.
  EXPECT_FALSE(again_with({"--tol", "1e-9"}));
  EXPECT_FALSE(again_with({"--tol", "1e-9", "--seed", "2"}));
  EXPECT_TRUE(again_with({"--tol", "1e-9", "--seed", "2", "--report", report_}));
  ASSERT_TRUE(std::filesystem::exists(part_of(report_, 1, 2)));
  const std::string report = read_file(part_of(report_, 1, 2));
  EXPECT_NE(report.find("\n9\t"), std::string::npos) << report;
}

/// SIGUSR1 between two pieces.
TEST_F(BatchShards, AreStoppedAndGoOn) {
  const std::vector<std::string> arguments{
      "batch",    "--problem", "chemistry:40", "--systems", "30000",    "--memory", "1MB",  "-o",        x_,
      "--report", report_,     "--shard",      "1/2",       "--resume", "--device", "host", "--threads", "1"};
  Process process(arguments);
  // Both temporaries are there once the signal is caught.
  while (process.running() && directory_.entries().size() < 2) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  process.send_signal(SIGUSR1);
  const ProgramResult stopped = process.wait();
  ASSERT_EQ(stopped.exit_code, 75) << stopped.err;
  EXPECT_EQ(directory_.entries(),
            (std::vector<std::string>{"report.tsv.part-00001-of-00002.checkpoint", "x.npy.part-00001-of-00002.checkpoint"}));
  // With one checkpoint lost, and with both.
  const std::string kept = read_file(part_of(x_, 1, 2) + ".checkpoint");
  std::filesystem::remove(part_of(x_, 1, 2) + ".checkpoint");
  const ProgramResult half = run_program(arguments);
  ASSERT_EQ(half.exit_code, 0) << half.err;
  const std::string x = read_file(part_of(x_, 1, 2));
  const std::string report = read_file(part_of(report_, 1, 2));
  EXPECT_EQ(directory_.entries().size(), 2U);
  std::filesystem::remove(part_of(x_, 1, 2));
  write_file(part_of(x_, 1, 2) + ".checkpoint", kept);
  const ProgramResult resumed = run_program(arguments);
  ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
  EXPECT_NE(resumed.err.find("goes on at systems "), std::string::npos) << resumed.err;
  EXPECT_EQ(read_file(part_of(x_, 1, 2)), x);
  EXPECT_EQ(read_file(part_of(report_, 1, 2)), report);
}

TEST_F(BatchShards, AreRefusedWhereTheyMakeNoSense) {
  write_systems(3);
  const auto expect = [&](const std::vector<std::string>& arguments, const std::string& part) {
    expect_failure(arguments, 2, part, {"in"});
  };
  expect({in_, "--shard", "0/2"}, "give -o FILE, --report FILE or both");
  expect({in_, "--shard", "2/2", "-o", x_}, "0 <= I < N");
  expect({in_, "--shard", "0/2", "--device", "host", "--report", report_, "--format", "json"}, "--format tsv");
  expect({in_, "--resume", "-o", x_}, "--shard");
  expect({in_, "--shard", "0/2", "-o", "-", "--device", "host"}, "give -o FILE");
}

}  // namespace
}  // namespace phpc::test
