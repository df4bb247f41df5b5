// Small jobs of every subcommand, in which one call of the operating system or of the allocator fails: each call in turn, or a
// sample of those of which there are thousands.
#include "failpoints/failpoints.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <map>
#include <numeric>
#include <random>
#include <regex>

#include "failpoints/jobs.hpp"
#include "support/process.hpp"

namespace phpc::test {
namespace {

constexpr std::chrono::seconds time_limit{10};
constexpr std::size_t most_reported = 8;

/// A way in which calls of a kind fail.
struct Failure {
  CallKind kind;
  std::string how;       ///< "28", "short", "interrupted"
  bool later_too;        ///< the call and all after it
  bool must_not_matter;  ///< the job is done all the same
  std::size_t most;      ///< of that many calls each is tried, of more a sample
};

std::string error(int number) {
  return std::to_string(number);
}

const std::vector<Failure>& failures() {
  static const std::vector<Failure> all = {{call_open, error(EMFILE), false, false, 30},
                                           {call_open, error(EACCES), false, false, 8},
                                           {call_read, error(EIO), false, false, 30},
                                           {call_read, "interrupted", false, true, 12},
                                           {call_read, "short", false, true, 12},
                                           {call_pread, error(EIO), false, false, 30},
                                           {call_pread, "interrupted", false, true, 12},
                                           {call_pread, "short", false, true, 12},
                                           {call_write, error(ENOSPC), false, false, 30},
                                           {call_write, "interrupted", false, true, 12},
                                           {call_write, "short", false, true, 12},
                                           {call_pwrite, error(EIO), false, false, 30},
                                           {call_close, error(EIO), false, false, 12},
                                           {call_close, "interrupted", false, false, 6},
                                           {call_sync, error(EIO), false, false, 12},
                                           {call_sync, "interrupted", false, true, 12},
                                           {call_range, error(EIO), false, true, 12},
                                           {call_rename, error(EACCES), false, false, 12},
                                           {call_unlink, error(EACCES), false, false, 8},
                                           {call_stat, error(EACCES), false, false, 20},
                                           {call_truncate, error(EIO), false, false, 12},
                                           {call_seek, error(EIO), false, false, 8},
                                           {call_dup, error(EMFILE), false, false, 12},
                                           {call_folder, error(EIO), false, false, 12},
                                           {call_temporary, error(EROFS), false, false, 12},
                                           {call_map, error(ENOMEM), false, false, 12},
                                           {call_memory, error(ENOMEM), false, false, 60},
                                           {call_memory, error(ENOMEM), true, false, 30},
                                           {call_thread, error(EAGAIN), false, false, 30},
                                           {call_thread, error(EAGAIN), true, false, 12}};
  return all;
}

/// Without what a part says of the device, whose name is read from a file, and the sums that cover it.
std::string without_device(const std::string& content) {
  static const std::regex varying(R"rx("device":"[^"]*"|"(crc32|head)":[0-9]+)rx");
  return content.starts_with("phpc-part") ? std::regex_replace(content, varying, "") : content;
}

/// A run of a job with one failure.
struct Ending {
  ProgramResult result;
  bool ended;
};

class Failpoints : public testing::TestWithParam<Job> {
 protected:
  static std::string library() {
    const char* const path = std::getenv("PHPC_FAILPOINTS");
    return path == nullptr ? "" : path;
  }

  /// The folder as it is before a run: the job's inputs, and an older file under the name of each output.
  void prepare(const Job& job) {
    for (const std::string& name : directory_.entries()) {
      if (!job.inputs.contains(name) && name != "calls") {
        std::filesystem::remove_all(directory_ / name);
      }
    }
    for (const std::string& output : job.outputs) {
      write_file(directory_ / output, older);
    }
  }

  Ending run(const Job& job, const std::map<std::string, std::string>& environment) {
    prepare(job);
    ProgramSetting setting{.input = job.standard_input, .environment = environment, .directory = directory_.path().string()};
    setting.environment["LD_PRELOAD"] = library();
    setting.environment["OMP_NUM_THREADS"] = "2";
    Process process(job.arguments, setting);
    const bool ended = process.ends_within(time_limit);
    if (!ended) {
      process.send_signal(SIGKILL);
    }
    return {process.wait(), ended};
  }

  /// What every output holds, by name.
  std::map<std::string, std::string> results(const Job& job, const ProgramResult& result) {
    std::map<std::string, std::string> all{{"standard output", job.output_varies ? "" : result.out}};
    for (const std::string& output : job.outputs) {
      all[output] = std::filesystem::exists(directory_ / output) ? without_device(read_file(directory_ / output)) : "no file";
    }
    return all;
  }

  /// What is wrong with the end of a run; empty when nothing is.
  std::string problem_of(const Job& job, const Failure& failure, const Ending& run) {
    const ProgramResult& result = run.result;
    if (!run.ended) {
      return "still running after " + std::to_string(time_limit.count()) + " s";
    }
    if (failure.kind == call_memory && (result.err.starts_with("OMP: Error") || result.err.starts_with("libgomp: "))) {
      return "";  // the OpenMP run-time library could not start a thread, and says so in its own words
    }
    if (result.exit_code >= 126) {
      return "ended by signal " + std::to_string(result.exit_code - 128);
    }
    if (failure.must_not_matter && result.exit_code != 0) {
      return "exit code " + std::to_string(result.exit_code);
    }
    const auto lines = std::count(result.err.begin(), result.err.end(), '\n');
    if (result.exit_code != 0 && (lines != 1 || !result.err.starts_with("portable-hpc") || result.err.size() < 20)) {
      return "exit code " + std::to_string(result.exit_code) + " and not one line of its own on standard error";
    }
    for (const auto& [name, content] : results(job, result)) {
      const bool is_right = content == right_.at(name);
      if (result.exit_code == 0 ? !is_right : !is_right && content != older && name != "standard output") {
        return "wrong bytes in " + name + ": '" + content.substr(0, 200) + "'";
      }
    }
    for (const std::string& name : directory_.entries()) {
      const bool is_known = job.inputs.contains(name) || job.outputs.contains(name) || name == "calls";
      if (!is_known && failure.kind != call_unlink) {
        return "left behind " + name;
      }
    }
    return "";
  }

  /// The calls to try of `count`: all, or a sample.
  static std::vector<std::uint64_t> calls_to_try(std::uint64_t count, std::size_t most, std::mt19937_64& random) {
    std::vector<std::uint64_t> calls(count);
    std::iota(calls.begin(), calls.end(), 1);
    std::vector<std::uint64_t> sample;
    std::sample(calls.begin(), calls.end(), std::back_inserter(sample), most, random);
    return sample;
  }

  static constexpr const char* older = "an older result\n";
  TemporaryDirectory directory_;
  std::map<std::string, std::string> right_;
};

std::uint64_t seed() {
  const char* const given = std::getenv("PHPC_TEST_SEED");
  return given == nullptr ? 15 : std::strtoull(given, nullptr, 10);
}

TEST_P(Failpoints, EveryCallMayFail) {
  const Job& job = GetParam();
  std::cout << "PHPC_TEST_SEED=" << seed() << '\n';
  job.make_inputs(directory_);
  write_file(directory_ / "calls", std::string(sizeof(CallCounts), '\0'));
  const Ending whole = run(job, {{"PHPC_FAIL_CALLS", directory_ / "calls"}});
  ASSERT_EQ(whole.result.exit_code, 0) << whole.result.err;
  right_ = results(job, whole.result);
  CallCounts counts;
  std::memcpy(counts.data(), read_file(directory_ / "calls").data(), sizeof counts);
  for (const std::string& output : job.outputs) {
    ASSERT_NE(right_[output], older) << output;
  }

  std::mt19937_64 random(seed());
  std::vector<std::string> problems;
  std::size_t runs = 0;
  for (const Failure& failure : failures()) {
    for (const std::uint64_t call : calls_to_try(counts[failure.kind], failure.most, random)) {
      const std::string choice =
          std::string(call_names[failure.kind]) + ":" + std::to_string(call) + (failure.later_too ? "+:" : ":") + failure.how;
      const Ending one = run(job, {{"PHPC_FAIL", choice}});
      ++runs;
      if (const std::string problem = problem_of(job, failure, one); !problem.empty()) {
        problems.push_back("PHPC_FAIL=" + choice + " of " + std::to_string(counts[failure.kind]) + ": " + problem + "\n    " +
                           one.result.err);
      }
    }
  }
  std::cout << runs << " runs\n";
  for (std::size_t i = 0; i < std::min(problems.size(), most_reported); ++i) {
    ADD_FAILURE() << problems[i];
  }
  EXPECT_EQ(problems.size(), 0u) << testing::PrintToString(job.arguments);
}

INSTANTIATE_TEST_SUITE_P(Jobs, Failpoints, testing::ValuesIn(jobs()),
                         [](const testing::TestParamInfo<Job>& job) { return job.param.name; });

}  // namespace
}  // namespace phpc::test
