// The program in surroundings that are not as it would like them: the rows of a table, and signals at random moments.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <random>
#include <string_view>

#include "support/npz_files.hpp"
#include "support/process.hpp"
#include "surroundings/rows.hpp"

namespace phpc::test {
namespace {

constexpr std::chrono::seconds time_limit{60};
constexpr const char* older = "an older result\n";

/// Functions of the scripts. Standard error of the program is kept apart from bash's, which tells of ended processes.
constexpr const char* prelude = R"(
exec 8>&2 9>&2 2>/dev/null
give_up() { echo 'cannot set the surroundings up' >&9; exit 99; }
p() { "$P" "$@" 2>&9 8>&- 9>&-; }
only() { exec "$P" "$@" 2>&9 8>&- 9>&-; }
transform() { p fft -q --device host x.npy -o y.npy "$@"; }
start() {
  mkfifo extra/in || give_up
  "$P" fft -q --device host - -o y.npy <extra/in 2>&9 8>&- 9>&- & id=$!
  exec 3>extra/in
  for i in $(seq 500); do [ $(ls -A | wc -l) -gt 6 ] && return; sleep 0.01; done
  give_up
}
)";

/// 64 rows of 64 complex numbers.
std::string array(index_t rows) {
  std::mt19937_64 random(4);
  std::vector<float> values(static_cast<std::size_t>(2 * rows * 64));
  for (float& value : values) {
    value = static_cast<float>(random() % 1000) / 500 - 1;
  }
  return npy_text({.name = "x", .descr = "<c8", .shape = {rows, 64}, .bytes = bytes_of(values)});
}

/// The command before `bash` that gives a script what it needs; nothing where it cannot be had, and why.
struct Way {
  std::vector<std::string> words;
  std::string missing;
};

bool works(std::vector<std::string> words, const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
  const std::string program = words.front();
  words.erase(words.begin());
  try {
    return run_program(words, {.program = program}).exit_code == 0;
  } catch (const std::exception&) {
    return false;
  }
}

Way way_to(Needs needs) {
  if (needs == Needs::another_tmp && std::string_view(std::getenv("PHPC_BINARY")).starts_with("/tmp/")) {
    return {{}, "the program lies below /tmp: no other /tmp"};
  }
  if (needs == Needs::mounts || needs == Needs::another_tmp) {
    for (const std::vector<std::string>& words : {std::vector<std::string>{"unshare", "-m"}, {"unshare", "-Urm"}}) {
      if (works(words, {"mount", "-t", "tmpfs", "none", "/mnt"})) {
        return {words, ""};
      }
    }
    return {{}, "neither root nor user namespaces: no mounts"};
  }
  if (needs == Needs::other_user) {
    const std::vector<std::string> words{"setpriv", "--reuid=54321", "--regid=54321", "--clear-groups"};
    if (!works(words, {std::getenv("PHPC_BINARY"), "--version"})) {
      return {{}, "not root, or the program is not for everybody to run: no other user"};
    }
    if (!works(words, {"test", "-w", "/dev/null"})) {  // where the scripts send what bash says
      return {{}, "another user may not write to /dev/null"};
    }
    return {words, ""};
  }
  return {};
}

class Surroundings : public testing::TestWithParam<Row> {
 protected:
  Surroundings() {
    write_file(directory_ / "x.npy", array(64));
    write_file(directory_ / "y.npy", older);
    write_file(directory_ / "input.txt", "g.fa\nNNNNNNRG\nACGTACNN 3\n");
    write_file(directory_ / "g.fa", ">one\nTTGACATAGGACGTACAGGTTTTTACGTACCGG\n");
    write_file(directory_ / "genes.bed", "one\t1\t9\n");
    std::filesystem::create_directory(directory_ / "extra");
    names_ = directory_.entries();
  }

  TemporaryDirectory directory_;
  std::vector<std::string> names_;
};

TEST_P(Surroundings, EndAsTheTableSays) {
  const Row& row = GetParam();
  const Way way = way_to(row.needs);
  if (!way.missing.empty()) {
    GTEST_SKIP() << row.name << ": " << way.missing;
  }
  ASSERT_EQ(
      run_program({"fft", "-q", "--device", "host", "x.npy", "-o", "extra/right"}, {.directory = directory_.path().string()})
          .exit_code,
      0);
  const std::string right = read_file(directory_ / "extra/right");
  std::filesystem::remove(directory_ / "extra/right");
  std::vector<std::string> words = way.words;
  words.insert(words.end(), {"bash", "-c", prelude + row.script});
  if (row.needs == Needs::other_user) {
    run_program({"-R", "54321:54321", directory_.path().string()}, {.program = "chown"});
  }
  ProgramSetting setting{.environment = {{"P", std::getenv("PHPC_BINARY")}}, .directory = directory_.path().string()};
  setting.program = words.front();
  words.erase(words.begin());
  Process process(words, setting);
  if (!process.ends_within(time_limit)) {
    process.send_signal(SIGKILL);
    ADD_FAILURE() << "still running after " << time_limit.count() << " s";
  }
  const ProgramResult result = process.wait();
  EXPECT_TRUE(row.exits.contains(result.exit_code)) << "exit code " << result.exit_code << "\n" << result.err;
  EXPECT_NE(result.err.find(row.says), std::string::npos) << result.err;
  const auto lines = std::count(result.err.begin(), result.err.end(), '\n');
  const bool tells = result.exit_code == 1 || result.exit_code == 2;
  EXPECT_TRUE(lines == (tells ? 1 : 0) || (tells && row.may_be_silent && lines == 0) || result.exit_code == 127) << result.err;
  const std::string y = read_file(directory_ / "y.npy");
  const bool is_whole = y == right;
  EXPECT_TRUE(row.result == Result::whole ? is_whole : y == older || (is_whole && row.result == Result::whole_or_older))
      << "wrong bytes in y.npy";
  EXPECT_EQ(directory_.entries(), names_) << "left behind";
}

INSTANTIATE_TEST_SUITE_P(Rows, Surroundings, testing::ValuesIn(rows()),
                         [](const testing::TestParamInfo<Row>& row) { return row.param.name; });

/// Runs a job, sends it a signal at a random moment of its first 30 ms and looks what is left.
void send_at_random_moments(const std::vector<std::string>& job, int times) {
  const char* const given = std::getenv("PHPC_TEST_SEED");
  const std::uint64_t seed = given == nullptr ? 15 : std::strtoull(given, nullptr, 10);
  std::cout << "PHPC_TEST_SEED=" << seed << '\n';
  std::mt19937_64 random(seed);
  const TemporaryDirectory folder;
  write_file(folder / "x.npy", array(4096));
  write_file(folder / "y", older);
  write_file(folder / "g.fa", ">one\nTTGACATAGGACGTACAGGTTTTTACGTACCGG\n");
  run_program(job, {.directory = folder.path().string()});
  const std::string whole = read_file(folder / "y");  // the older one where the job writes a part
  for (const int signal : {SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGALRM, SIGXCPU, SIGXFSZ, SIGPIPE}) {
    for (int time = 0; time < times; ++time) {
      write_file(folder / "y", older);
      Process process(job, {.directory = folder.path().string()});
      usleep(static_cast<useconds_t>(random() % 30000));
      process.send_signal(signal);
      if (!process.ends_within(time_limit)) {
        process.send_signal(SIGKILL);
        ADD_FAILURE() << "still running after " << strsignal(signal);
      }
      const ProgramResult result = process.wait();
      const bool is_told = result.exit_code == 0 || result.exit_code == 128 + signal || result.exit_code == 75;
      EXPECT_TRUE(is_told) << strsignal(signal) << ": exit code " << result.exit_code << "\n" << result.err;
      std::vector<std::string> left = folder.entries();
      std::erase_if(left, [](const std::string& name) {
        return name == "x.npy" || name == "g.fa" || name == "y" || name == "y.part-00000-of-00002" ||
               name == "y.part-00000-of-00002.checkpoint";
      });
      EXPECT_EQ(left, std::vector<std::string>{}) << strsignal(signal);
      for (const std::string& name : left) {
        std::filesystem::remove(folder / name);
      }
      const std::string y = read_file(folder / "y");  // whole where the signal came after it had been renamed
      EXPECT_TRUE(y == whole || (y == older && result.exit_code != 0)) << strsignal(signal) << ": wrong bytes in y";
    }
  }
}

TEST(Signals, AtRandomMomentsLeaveNothingOfATransform) {
  send_at_random_moments({"fft", "-q", "--device", "host", "x.npy", "-o", "y"}, 5);
}

TEST(Signals, AtRandomMomentsLeaveNothingOfAShard) {
  send_at_random_moments({"fft", "-q", "--device", "host", "x.npy", "-o", "y", "--shard", "0/2", "--memory", "100K"}, 5);
}

TEST(Signals, AtRandomMomentsLeaveNothingOfASearch) {
  send_at_random_moments(
      {"casoff", "-q", "--device", "host", "--genome", "g.fa", "--pattern", "NNNNNNRG", "--guide", "ACGTAC:3:g", "-o", "y"}, 3);
}

}  // namespace
}  // namespace phpc::test
