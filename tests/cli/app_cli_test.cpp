// What every subcommand shares: exit codes, streams, version and help. `devices` stands for all of them.
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <thread>

#include "support/address_space.hpp"
#include "support/process.hpp"

namespace phpc::test {
namespace {

/// One line on standard error that starts with the program's name: what every failure must say.
void expect_one_error_line(const ProgramResult& result, const std::string& part) {
  EXPECT_EQ(lines(result.err).size(), 1u) << result.err;
  EXPECT_TRUE(result.err.starts_with("portable-hpc")) << result.err;
  EXPECT_NE(result.err.find(part), std::string::npos) << result.err;
}

TEST(App, VersionIsOneLine) {
  const auto result = run_program({"--version"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(lines(result.out).size(), 1u);
  EXPECT_TRUE(result.out.starts_with("portable-hpc ")) << result.out;
  EXPECT_EQ(result.err, "");
}

TEST(App, VersionInDetailNamesBuildAndRunTime) {
  const auto result = run_program({"--version", "-v"});
  EXPECT_EQ(result.exit_code, 0);
  const auto said = lines(result.out);
  ASSERT_EQ(said.size(), 5u) << result.out;
  EXPECT_TRUE(said[0].starts_with("portable-hpc "));
  EXPECT_TRUE(said[1].starts_with("commit "));
  EXPECT_TRUE(said[2].starts_with("compiler "));
  EXPECT_TRUE(said[3].starts_with("OpenMP "));
  EXPECT_TRUE(said[4].starts_with("offload "));
}

TEST(App, HelpGoesToStandardOutput) {
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"--help"}, {"fft", "--help"}, {"casoff", "-h"}, {"batch", "--help"}, {"devices", "--help"}}) {
    const auto result = run_program(command);
    EXPECT_EQ(result.exit_code, 0) << command.front();
    EXPECT_NE(result.out.find("--help"), std::string::npos) << result.out;
    EXPECT_EQ(result.err, "");
  }
}

TEST(App, VersionAndHelpOnAFullDiskAreFailures) {
  for (const char* const option : {"--version", "--help"}) {
    const auto result = run_program({option}, {.output_path = "/dev/full"});
    EXPECT_EQ(result.exit_code, 1) << option;
    expect_one_error_line(result, "No space left");
  }
}

TEST(App, NoSubcommandShowsTheHelpAsAUsageError) {
  const auto result = run_program({});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.out, "");
  EXPECT_NE(result.err.find("devices"), std::string::npos) << result.err;
}

// What the reader of a pipe that is closed wants is no more, not a complaint: `portable-hpc devices | head -1`.
TEST(Output, AClosedPipeEndsTheRunWithoutAWord) {
  const std::vector<std::vector<std::string>> commands = {
      {"devices"},
      {"devices", "--format", "json"},
      {"--help"},
      {"--version"},
      {"help", "fft"},
      {"--generate", "man"},
      {"casoff", "--explain", "GGCCGACCTGTCGCTGACGCNNN", "GcCCGACCgGTCGCTGcCGCAGG"}};
  for (const auto& command : commands) {
    const auto result = run_program(command, {.output_closed = true});
    EXPECT_EQ(result.exit_code, 141) << testing::PrintToString(command);
    EXPECT_EQ(result.err, "") << testing::PrintToString(command);
  }
}

/// A .npy file of `count` complex64 zeros, which `fft` takes.
std::string signal_file(std::size_t count) {
  std::string header = "{'descr': '<c8', 'fortran_order': False, 'shape': (" + std::to_string(count) + ",), }";
  header.resize(118, ' ');
  header[117] = '\n';
  return std::string("\x93NUMPY\x01\x00\x76\x00", 10) + header + std::string(8 * count, '\0');
}

TEST(Device, AnAbsentDeviceIsAFailureAndNoRunOnTheHost) {
  const TemporaryDirectory dir;
  write_file(dir / "in.npy", signal_file(16));
  for (const char* const device : {"99", "no-such-device", "0,99"}) {
    const auto result = run_program({"fft", dir / "in.npy", "-o", dir / "out.npy", "--device", device});
    EXPECT_EQ(result.exit_code, 1) << device;
    expect_one_error_line(result, "portable-hpc devices");
  }
  EXPECT_EQ(dir.entries(), std::vector<std::string>{"in.npy"});
}

TEST(Device, MandatoryOffloadRefusesTheHost) {
  const TemporaryDirectory dir;
  write_file(dir / "in.npy", signal_file(16));
  const ProgramSetting mandatory{.environment = {{"OMP_TARGET_OFFLOAD", "MANDATORY"}}};
  const auto result = run_program({"fft", dir / "in.npy", "-o", dir / "out.npy", "--device", "host"}, mandatory);
  EXPECT_EQ(result.exit_code, 1);
  expect_one_error_line(result, "OMP_TARGET_OFFLOAD=MANDATORY");
  EXPECT_EQ(dir.entries(), std::vector<std::string>{"in.npy"});
  // By itself it would take the host where it sees no GPU.
  const ProgramSetting without_gpu{
      .environment = {{"OMP_TARGET_OFFLOAD", "MANDATORY"}, {"CUDA_VISIBLE_DEVICES", "-1"}, {"ROCR_VISIBLE_DEVICES", "-1"}}};
  const auto by_itself = run_program({"fft", dir / "in.npy", "-o", dir / "out.npy", "--device", "auto"}, without_gpu);
  EXPECT_EQ(by_itself.exit_code, 1);
  EXPECT_NE(by_itself.err.find("OMP_TARGET_OFFLOAD=MANDATORY"), std::string::npos) << by_itself.err;
}

TEST(Slurm, MoreThreadsThanProcessorsAreToldOnce) {
  const std::string warning =
      "4 threads, and SLURM gave this task 2 processors (SLURM_CPUS_PER_TASK); set OMP_NUM_THREADS to that";
  const auto warned = run_program({"devices"}, {.environment = {{"OMP_NUM_THREADS", "4"}, {"SLURM_CPUS_PER_TASK", "2"}}});
  EXPECT_EQ(warned.exit_code, 0);
  expect_one_error_line(warned, warning);
  for (const std::string processors : {"4", "5", "many", ""}) {
    const auto fitting = run_program({"devices", "--threads", "4"}, {.environment = {{"SLURM_CPUS_PER_TASK", processors}}});
    EXPECT_EQ(fitting.err, "") << processors;
  }
}

TEST(Slurm, WhatWasReadOfTheEnvironmentIsShownAndRecorded) {
  const ProgramSetting task{.environment = {{"SLURM_JOB_ID", "17"}, {"SLURM_RESTART_COUNT", "2"}, {"CUDA_VISIBLE_DEVICES", "1"}}};
  const auto shown = run_program({"devices", "-v", "--format", "json"}, task);
  expect_one_error_line(shown, "environment: ");
  for (const char* const variable : {"SLURM_JOB_ID=17", "SLURM_RESTART_COUNT=2", "CUDA_VISIBLE_DEVICES=1"}) {
    EXPECT_NE(shown.err.find(variable), std::string::npos) << shown.err;
  }
  EXPECT_EQ(nlohmann::json::parse(shown.out)["meta"]["environment"]["SLURM_JOB_ID"], "17");
}

TEST(Device, AutoSaysWhatItTookAndQuietDoesNot) {
  const TemporaryDirectory dir;
  write_file(dir / "in.npy", signal_file(16));
  const auto told = run_program({"fft", dir / "in.npy", "-o", dir / "out.npy"});
  EXPECT_EQ(told.exit_code, 0) << told.err;
  EXPECT_NE(told.err.find("running on"), std::string::npos) << told.err;
  const auto quiet = run_program({"fft", dir / "in.npy", "-o", dir / "out.npy", "--quiet"});
  EXPECT_EQ(quiet.exit_code, 0);
  EXPECT_EQ(quiet.err, "");
}

TEST(Output, WhatCannotBeWrittenIsRefusedBeforeTheRun) {
  const TemporaryDirectory dir;
  write_file(dir / "in.npy", signal_file(16));
  for (const std::string& target : {dir / "missing/out.npy", dir.path().string(), dir / "in.npy/out.npy", std::string()}) {
    const auto result = run_program({"fft", dir / "in.npy", "-o", target, "--quiet"});
    EXPECT_TRUE(result.exit_code == 1 || (target.empty() && result.exit_code == 2)) << target;
    expect_one_error_line(result, target);
  }
  EXPECT_EQ(dir.entries(), std::vector<std::string>{"in.npy"});
}

TEST(Output, AFullDiskIsAFailure) {
  const TemporaryDirectory dir;
  write_file(dir / "in.npy", signal_file(16));
  const auto named = run_program({"fft", dir / "in.npy", "-o", "/dev/full", "--quiet"});
  EXPECT_EQ(named.exit_code, 1);
  expect_one_error_line(named, "No space left");
  const auto standard = run_program({"fft", dir / "in.npy", "-o", "-", "--quiet"}, {.output_path = "/dev/full"});
  EXPECT_EQ(standard.exit_code, 1);
  expect_one_error_line(standard, "No space left");
}

TEST(Output, AMessageThatNobodyReadsEndsNothing) {
  const TemporaryDirectory dir;
  // Both streams go to a pipe whose reader is gone.
  const std::string script = R"({ sleep 0.3; "$PHPC_BINARY" fft nothing.npy 2>&1; echo $? > code; } | true; sleep 0.1)";
  run_program({"-c", script}, {.directory = dir.path().string(), .program = "/bin/bash"});
  EXPECT_EQ(test::read_file(dir / "code"), "1\n");
}

TEST(Output, ATerminatedRunLeavesNothingBehind) {
  const TemporaryDirectory dir;
  write_file(dir / "in.npy", signal_file(std::size_t{1} << 23));
  Process process({"fft", dir / "in.npy", "-o", dir / "out.npy", "--device", "host", "--threads", "1", "--quiet"});
  // Half-way: the temporary beside the target is there, its final name is not.
  while (process.running() && dir.entries().size() < 2) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  process.send_signal(SIGTERM);
  const auto result = process.wait();
  EXPECT_EQ(result.exit_code, 128 + SIGTERM) << result.err;
  EXPECT_EQ(dir.entries(), std::vector<std::string>{"in.npy"});
}

// A cancelled SLURM job gets two: its script's trap passes on what slurmd already sent to all processes.
TEST(Output, ASecondSignalDoesNotStopTheCleaningUp) {
  const TemporaryDirectory dir;
  write_file(dir / "in.npy", signal_file(std::size_t{1} << 20));
  for (int run = 0; run < 20; ++run) {
    Process process({"fft", dir / "in.npy", "-o", dir / "out.npy", "--device", "host", "--quiet"});
    while (process.running() && dir.entries().size() < 2) {
      std::this_thread::sleep_for(std::chrono::microseconds(100));
    }
    for (int i = 0; i < 200; ++i) {
      process.send_signal(SIGTERM);
    }
    process.wait();
    std::filesystem::remove(dir / "out.npy");  // where the run was faster
    ASSERT_EQ(dir.entries(), std::vector<std::string>{"in.npy"}) << "run " << run;
  }
}

/// What is free is what the process may have, not the machine.
TEST(Devices, KnowOfLimitsOnTheAddressSpace) {
  if (!can_limit_address_space) {
    GTEST_SKIP() << "sanitizers";
  }
  const ProgramResult result = run_in_address_space(3000, {"devices", "--format", "json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto host = nlohmann::json::parse(result.out)["rows"][0];
  EXPECT_LE(host["memory_bytes"].get<std::uint64_t>(), std::uint64_t{3000} << 20);
  EXPECT_LT(host["free_bytes"].get<std::uint64_t>(), host["memory_bytes"].get<std::uint64_t>());
  EXPECT_GT(host["free_bytes"].get<std::uint64_t>(), 0U);
}

TEST(Trace, VerboseRunsNameTheirKernel) {
  const auto shown =
      run_program({"batch", "-v", "--device", "host", "--problem", "stencil3:8", "--systems", "40", "--solver", "cg"});
  EXPECT_NE(shown.err.find("host: cg with jacobi in f64, a system in each lane"), std::string::npos) << shown.err;
  const auto transform =
      run_program({"fft", "-v", "--device", "host", std::string(std::getenv("PHPC_DATA")) + "/fft/chord.wav", "-o", "-"});
  EXPECT_NE(transform.err.find("host: f32, length 4000: "), std::string::npos) << transform.err;
}

TEST(Trace, TellsOfEachLaunch) {
  const std::vector<std::string> solve = {"batch",      "-q",        "--device", "host",     "--problem",
                                          "stencil3:8", "--systems", "40",       "--solver", "cg"};
  EXPECT_EQ(run_program(solve, {.environment = {{"PHPC_TRACE", "0"}}}).err, "");
  const auto traced = run_program(solve, {.environment = {{"PHPC_TRACE", "1"}}});
  EXPECT_EQ(traced.exit_code, 0);
  EXPECT_TRUE(traced.err.starts_with("trace: host: phpc::batch::HostKernel<double, phpc::batch::ConjugateGradients"))
      << traced.err;
  EXPECT_NE(traced.err.find(" of scratch, "), std::string::npos) << traced.err;
  EXPECT_EQ(std::count(traced.err.begin(), traced.err.end(), '\n'), 1) << traced.err;
}

}  // namespace
}  // namespace phpc::test
