// --shard, --resume and portable-hpc merge.
#include <chrono>
#include <csignal>
#include <filesystem>

#include "cli/commands/fft_cli_fixture.hpp"
#include "phpc/io/part_file.hpp"

namespace phpc {
namespace {

using test::Process;
using test::ProgramResult;
using test::run_program;

class Shards : public test::FftCommand {
 protected:
  std::string shard_of(const std::string& output, int index, int count) const {
    char suffix[40];
    std::snprintf(suffix, sizeof suffix, ".part-%05d-of-%05d", index, count);
    return output + suffix;
  }

  /// The paths of all parts.
  std::vector<std::string> parts_of(const std::string& output, int count) const {
    std::vector<std::string> parts;
    for (int i = 0; i < count; ++i) {
      parts.push_back(shard_of(output, i, count));
    }
    return parts;
  }

  static ProgramResult merge(std::vector<std::string> parts, const std::string& output) {
    parts.insert(parts.begin(), "merge");
    parts.insert(parts.end(), {"-o", output});
    return run_program(parts);
  }

  std::string random_array(index_t rows, index_t length) {
    return array<Complex<float>>("x.npy", {rows, length}, test::random_signal<float>(rows * length, 5));
  }

  std::string result_ = directory_ / "y.npy";
};

TEST_F(Shards, OfAnyNumberMakeTheWhole) {
  const std::string in = random_array(11, 60);
  const std::string whole = directory_ / "whole.npy";
  ASSERT_EQ(fft({in, "-o", whole, "--norm", "ortho"}).exit_code, 0);
  for (const int count : {1, 2, 3, 7, 11, 30}) {
    for (int i = 0; i < count; ++i) {
      const ProgramResult result =
          fft({in, "-o", result_, "--norm", "ortho", "--shard", std::to_string(i) + "/" + std::to_string(count)});
      ASSERT_EQ(result.exit_code, 0) << result.err;
    }
    std::vector<std::string> parts = parts_of(result_, count);
    std::reverse(parts.begin(), parts.end());
    const ProgramResult merged = merge(parts, result_);
    ASSERT_EQ(merged.exit_code, 0) << merged.err;
    EXPECT_NE(merged.err.find("11 records in 11 blocks, from " + std::to_string(count) + (count == 1 ? " part" : " parts")),
              std::string::npos)
        << merged.err;
    EXPECT_EQ(test::read_file(result_), test::read_file(whole)) << count;
  }
}

TEST_F(Shards, ResumeLeavesOutWhatIsThere) {
  const std::string in = random_array(6, 16);
  ASSERT_EQ(fft({in, "-o", result_, "--shard", "1/2"}).exit_code, 0);
  const ProgramResult again = fft({in, "-o", result_, "--shard", "1/2", "--resume"});
  EXPECT_EQ(again.exit_code, 0);
  EXPECT_NE(again.err.find("nothing to do"), std::string::npos) << again.err;
  // What was made of something else is made again.
  const ProgramResult other = fft({in, "-o", result_, "--shard", "1/2", "--resume", "--inverse"});
  EXPECT_EQ(other.err.find("nothing to do"), std::string::npos);
  const std::string part = shard_of(result_, 1, 2);
  std::filesystem::resize_file(part, std::filesystem::file_size(part) - 1);
  EXPECT_EQ(fft({in, "-o", result_, "--shard", "1/2", "--resume"}).err.find("nothing to do"), std::string::npos);
  EXPECT_EQ(directory_.entries(), (std::vector<std::string>{"x.npy", "y.npy.part-00001-of-00002"}));
}

TEST_F(Shards, MergeRefusesWhatIsMissingOrForeign) {
  const std::string in = random_array(6, 16);
  for (const char* const shard : {"0/3", "1/3", "2/3"}) {
    ASSERT_EQ(fft({in, "-o", result_, "--shard", shard}).exit_code, 0);
  }
  std::vector<std::string> parts = parts_of(result_, 3);
  const ProgramResult missing = merge({parts[0], parts[2]}, result_);
  EXPECT_EQ(missing.exit_code, 1);
  EXPECT_NE(missing.err.find("missing: shard 1 of 3"), std::string::npos) << missing.err;
  ASSERT_EQ(fft({in, "-o", directory_ / "z.npy", "--shard", "1/3", "--inverse"}).exit_code, 0);
  const ProgramResult foreign = merge({parts[0], directory_ / "z.npy.part-00001-of-00003", parts[2]}, result_);
  EXPECT_EQ(foreign.exit_code, 1);
  EXPECT_NE(foreign.err.find("inverse: false and true"), std::string::npos) << foreign.err;
  const ProgramResult raw = fft({in, "-o", result_, "--shard", "1/3", "--output-format", "raw", "--resume"});
  EXPECT_EQ(raw.err.find("nothing to do"), std::string::npos) << raw.err;
  const ProgramResult mixed = merge(parts, result_);
  EXPECT_EQ(mixed.exit_code, 1);
  EXPECT_NE(mixed.err.find("output-format: \"npy\" and \"raw\""), std::string::npos) << mixed.err;
  ASSERT_EQ(fft({in, "-o", result_, "--shard", "1/3"}).exit_code, 0);
  EXPECT_FALSE(std::filesystem::exists(result_));
  std::string bytes = test::read_file(parts[1]);
  bytes[bytes.size() / 2 + 100] ^= 1;
  test::write_file(parts[1], bytes);
  const ProgramResult damaged = merge(parts, result_);
  EXPECT_EQ(damaged.exit_code, 1);
  EXPECT_NE(damaged.err.find("is no whole part"), std::string::npos) << damaged.err;
  EXPECT_FALSE(std::filesystem::exists(result_));
}

/// SIGUSR1 between two parts of the array in memory.
TEST_F(Shards, AreStoppedAndGoOn) {
  constexpr index_t rows = 1 << 14;
  constexpr index_t length = 1 << 10;
  const std::string in = directory_ / "zeros.bin";  // sparse: 128 MiB that take no place
  test::write_file(in, "");
  std::filesystem::resize_file(in, rows * length * 8);
  const std::vector<std::string> arguments{in,         "--dtype",  "c64",       "--shape", std::to_string(rows) + ",1024",
                                           "--memory", "128KB",    "-o",        result_,   "--shard",
                                           "0/1",      "--resume", "--threads", "1"};
  std::vector<std::string> all{"fft", "--device", "host"};
  all.insert(all.end(), arguments.begin(), arguments.end());
  Process run(all);
  // A temporary is there once the signal is caught.
  while (run.running() && directory_.entries().size() < 2) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  run.send_signal(SIGUSR1);
  const ProgramResult stopped = run.wait();
  ASSERT_EQ(stopped.exit_code, 75) << stopped.err;
  EXPECT_NE(stopped.err.find("go on with --resume"), std::string::npos) << stopped.err;
  EXPECT_EQ(directory_.entries(), (std::vector<std::string>{"y.npy.part-00000-of-00001.checkpoint", "zeros.bin"}));
  EXPECT_EQ(merge({shard_of(result_, 0, 1) + ".checkpoint"}, result_).exit_code, 1);
  const ProgramResult resumed = fft(arguments);
  EXPECT_EQ(resumed.exit_code, 0);
  EXPECT_NE(resumed.err.find("goes on at blocks "), std::string::npos) << resumed.err;
  ASSERT_EQ(merge({shard_of(result_, 0, 1)}, result_).exit_code, 0);
  EXPECT_EQ(std::filesystem::file_size(result_), 128U + rows * length * 8);
}

/// What a killed run left is in nobody's way, and the next run takes it away.
TEST_F(Shards, AreMergedByTheirNamesAfterAKill) {
  constexpr index_t rows = 1 << 13;
  const std::string in = directory_ / "zeros.bin";
  test::write_file(in, "");
  std::filesystem::resize_file(in, rows * 1024 * 8);
  const std::vector<std::string> arguments{in,   "--dtype", "c64", "--shape",   std::to_string(rows) + ",1024",
                                           "-o", result_,   "-q",  "--threads", "1"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), arguments.begin(), arguments.end());
    return more;
  };
  std::vector<std::string> slow = with({"--shard", "0/2", "--memory", "32KB"});
  slow.insert(slow.begin(), {"fft", "--device", "host"});
  Process run(slow);
  while (run.running() && directory_.entries().size() < 2) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  run.send_signal(SIGKILL);
  ASSERT_EQ(run.wait().exit_code, 128 + SIGKILL);
  ASSERT_EQ(directory_.entries().size(), 2U) << "the temporary that was left";
  ASSERT_EQ(fft(with({"--shard", "1/2"})).exit_code, 0);
  ASSERT_EQ(fft(with({"--shard", "0/2", "--resume"})).exit_code, 0);
  EXPECT_EQ(directory_.entries(),
            (std::vector<std::string>{"y.npy.part-00000-of-00002", "y.npy.part-00001-of-00002", "zeros.bin"}));
  const ProgramResult merged = run_program({"-c", "exec \"$PHPC_BINARY\" merge y.npy.part-* -o y.npy"},
                                           {.directory = directory_.path().string(), .program = "/bin/sh"});
  EXPECT_EQ(merged.exit_code, 0) << merged.err;
  EXPECT_EQ(std::filesystem::file_size(result_), 128U + rows * 1024 * 8);
}

class ShardInputs : public Shards {
 protected:
  /// 3 MiB, so that there is a middle beside the first and the last one.
  std::string in_ = random_array(384, 1024);

  ProgramResult shard(const char* share, const std::vector<std::string>& more = {}) {
    std::vector<std::string> arguments{in_, "-o", result_, "--shard", share};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return fft(arguments);
  }
  void change_the_middle() const {
    std::string bytes = test::read_file(in_);
    bytes[bytes.size() / 2] ^= 1;
    test::write_file(in_, bytes);
  }
  void set_time(int seconds_later) const {
    std::filesystem::last_write_time(in_, std::filesystem::last_write_time(in_) + std::chrono::seconds(seconds_later));
  }
};

TEST_F(ShardInputs, ThatChangedBetweenShardsAreRefused) {
  ASSERT_EQ(shard("0/2").exit_code, 0);
  change_the_middle();
  set_time(1);
  const ProgramResult resumed = shard("0/2", {"--resume"});
  EXPECT_EQ(resumed.err.find("nothing to do"), std::string::npos) << "it would be a mixture";
  set_time(1);
  ASSERT_EQ(shard("1/2").exit_code, 0);
  const ProgramResult merged = merge(parts_of(result_, 2), result_);
  EXPECT_EQ(merged.exit_code, 1);
  EXPECT_NE(merged.err.find("input was changed between them, or is another copy"), std::string::npos) << merged.err;
  EXPECT_NE(merged.err.find("--fingerprint whole"), std::string::npos) << merged.err;
  EXPECT_FALSE(std::filesystem::exists(result_));
}

TEST_F(ShardInputs, WholeSumsLookAtContentsAndNotAtTimes) {
  const std::vector<std::string> whole{"--fingerprint", "whole"};
  ASSERT_EQ(fft({in_, "-o", directory_ / "expected.npy"}).exit_code, 0);
  ASSERT_EQ(shard("0/2", whole).exit_code, 0);
  set_time(3600);  // as a copy on another machine has it
  ASSERT_EQ(shard("1/2", {"--fingerprint=whole"}).exit_code, 0);
  EXPECT_NE(shard("1/2", {"--fingerprint", "whole", "--resume"}).err.find("nothing to do"), std::string::npos);
  const ProgramResult merged = merge(parts_of(result_, 2), result_);
  EXPECT_EQ(merged.exit_code, 0) << merged.err;
  EXPECT_EQ(test::read_file(result_), test::read_file(directory_ / "expected.npy"));
  // A change that keeps the time.
  const auto time = std::filesystem::last_write_time(in_);
  change_the_middle();
  std::filesystem::last_write_time(in_, time);
  ASSERT_EQ(shard("1/2", whole).exit_code, 0);
  const ProgramResult mixed = merge(parts_of(result_, 2), directory_ / "mixed.npy");
  EXPECT_EQ(mixed.exit_code, 1);
  EXPECT_NE(mixed.err.find("no parts of one job (input: "), std::string::npos) << mixed.err;
  EXPECT_EQ(fft({in_, "-o", result_, "--fingerprint", "whole"}).exit_code, 2) << "without --shard";
  EXPECT_EQ(shard("0/2", {"--fingerprint", "none"}).exit_code, 2);
}

TEST_F(ShardInputs, ThatChangeWhileTheyAreReadAreRefused) {
  const std::string in = directory_ / "zeros.bin";
  test::write_file(in, "");
  std::filesystem::resize_file(in, 8192 * 1024 * 8);
  const std::size_t before = directory_.entries().size();
  Process run({"fft", "--device", "host", in, "--dtype", "c64", "--shape", "8192,1024", "--memory", "32KB", "-o", result_, "-q",
               "--threads", "1", "--shard", "0/1"});
  while (run.running() && directory_.entries().size() == before) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  std::filesystem::last_write_time(in, std::filesystem::last_write_time(in) + std::chrono::seconds(5));
  const ProgramResult result = run.wait();
  EXPECT_EQ(result.exit_code, 1) << result.err;
  EXPECT_NE(result.err.find("'" + in + "' changed while it was read"), std::string::npos) << result.err;
  EXPECT_EQ(directory_.entries().size(), before);
}

TEST_F(Shards, CraftedPartsAreRefusedInALine) {
  const std::string in = random_array(6, 16);
  ASSERT_EQ(fft({in, "-o", result_, "--shard", "0/1"}).exit_code, 0);
  const std::string part = shard_of(result_, 0, 1);
  const std::string bytes = test::read_file(part);
  const std::size_t end = bytes.find('\n');
  const std::string head = "phpc-part 2 {\"job\":" + std::string(200000, '[') + std::string(200000, ']') + "}\n";
  const std::string region = head + "abc";
  test::write_file(part, region + "\nphpc-part-end {\"bytes\":3,\"records\":0,\"until\":0,\"head\":" +
                             std::to_string(io::sum_of(head)) + ",\"crc32\":" + std::to_string(io::sum_of(region)) + "}\n");
  const ProgramResult merged = merge({part}, result_);
  EXPECT_EQ(merged.exit_code, 1) << merged.err;
  EXPECT_NE(merged.err.find("is no whole part"), std::string::npos) << merged.err;
  const ProgramResult resumed = fft({in, "-o", result_, "--shard", "0/1", "--resume"});
  EXPECT_EQ(resumed.exit_code, 0) << resumed.err;
  EXPECT_EQ(test::read_file(part).substr(0, end), bytes.substr(0, end));
}

TEST_F(Shards, OfAListOfFiles) {
  std::vector<std::string> arguments;
  for (int i = 0; i < 5; ++i) {
    arguments.push_back(array<float>("in" + std::to_string(i) + ".npy", {8}, std::vector<float>(8, static_cast<float>(i))));
  }
  const std::string out = directory_ / "out";
  arguments.insert(arguments.end(), {"-o", out, "--resume", "--shard", "1/2"});
  ASSERT_EQ(fft(arguments).exit_code, 0);
  EXPECT_FALSE(std::filesystem::exists(out + "/in1.npy"));
  const auto written = std::filesystem::last_write_time(out + "/in4.npy");
  ASSERT_EQ(fft(arguments).exit_code, 0);
  EXPECT_EQ(std::filesystem::last_write_time(out + "/in4.npy"), written);
  arguments.back() = "0/2";
  ASSERT_EQ(fft(arguments).exit_code, 0);
  for (int i = 0; i < 5; ++i) {
    EXPECT_TRUE(std::filesystem::exists(out + "/in" + std::to_string(i) + ".npy")) << i;
  }
}

TEST_F(Shards, OfOneTransformAreRefused) {
  const std::string in = random_array(4, 8);
  const std::string line = array<float>("line.npy", {8}, std::vector<float>(8, 1));
  for (const char* const share : {"0/4", "3/4"}) {
    for (const std::vector<std::string>& named : {std::vector<std::string>{in, "--axes", "0"}, {in, "--axes", "all"}, {line}}) {
      std::vector<std::string> arguments = named;
      arguments.insert(arguments.end(), {"-o", result_, "--shard", share, "-q"});
      const ProgramResult result = fft(arguments);
      EXPECT_EQ(result.exit_code, 2) << named.back();
      EXPECT_NE(result.err.find("one share would do all"), std::string::npos) << result.err;
      EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
    }
  }
  EXPECT_EQ(directory_.entries(), (std::vector<std::string>{"line.npy", "x.npy"}));
  EXPECT_EQ(fft({in, "--axes", "0", "-o", result_, "--shard", "0/1"}).exit_code, 0);
  const ProgramResult more = fft({in, "-o", result_, "--shard", "0/6"});
  EXPECT_EQ(more.exit_code, 0);
  EXPECT_NE(more.err.find("4 blocks for 6 shares: 2 of the shares have nothing to do"), std::string::npos) << more.err;
  const ProgramResult batch = run_program(
      {"batch", "--problem", "stencil3:4", "--systems", "1", "-o", result_, "--shard", "0/2", "--device", "host", "-q"});
  EXPECT_EQ(batch.exit_code, 2);
  EXPECT_NE(batch.err.find("shares out systems, and here is one"), std::string::npos) << batch.err;
}

TEST_F(Shards, AreNeverGuessed) {
  const std::string in = random_array(4, 8);
  for (const char* const shard : {"4/4", "-1/4", "1", "1/", "/3", "a/b", "0/0", "1/2/3", "srun"}) {
    EXPECT_EQ(fft({in, "-o", result_, "--shard", shard}).exit_code, 2) << shard;
  }
  // As in the batch script of a job of four tasks, outside of srun.
  const std::map<std::string, std::string> job{{"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "4"}};
  EXPECT_EQ(fft({in, "-o", result_, "--shard", "srun"}, {.environment = job}).exit_code, 2);
  ASSERT_EQ(fft({in, "-o", result_}, {.environment = job}).exit_code, 0);
  EXPECT_TRUE(std::filesystem::exists(result_));
  const std::map<std::string, std::string> task{{"SLURM_PROCID", "2"}, {"SLURM_STEP_ID", "0"}, {"SLURM_STEP_NUM_TASKS", "4"}};
  ASSERT_EQ(fft({in, "-o", result_, "--shard", "srun"}, {.environment = task}).exit_code, 0);
  EXPECT_TRUE(std::filesystem::exists(shard_of(result_, 2, 4)));
  EXPECT_EQ(fft({in, "--shard", "0/2"}).exit_code, 2);
  EXPECT_EQ(fft({in, "-o", result_, "--resume"}).exit_code, 2);
  EXPECT_EQ(fft({in, "-o", result_, "--spectrum", "--shard", "0/2"}).exit_code, 2);
}

}  // namespace
}  // namespace phpc
