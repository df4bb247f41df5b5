#include "exec/host_memory.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include "support/temporary_directory.hpp"

namespace phpc::exec {
namespace {

constexpr std::uint64_t mib = std::uint64_t{1} << 20;

/// A folder that stands for "/" of a machine with 1000 MiB, 800 of them available.
class HostMemoryTest : public testing::Test {
 protected:
  HostMemoryTest() { put("proc/meminfo", "MemTotal:  1024000 kB\nMemFree:  1000 kB\nMemAvailable:  819200 kB\n"); }

  void put(const std::string& path, const std::string& text) { test::write_file(root_ / path, text); }
  void put_group_2(const std::string& group, const std::string& max, const std::string& high, std::uint64_t used,
                   std::uint64_t pages_of_files) {
    const std::string folder = "sys/fs/cgroup/" + group;
    put(folder + "/memory.max", max + "\n");
    put(folder + "/memory.high", high + "\n");
    put(folder + "/memory.current", std::to_string(used) + "\n");
    put(folder + "/memory.stat", "anon 5\nfile 99999999999\ninactive_file " + std::to_string(pages_of_files / 2) +
                                     "\nactive_file " + std::to_string(pages_of_files / 2) + "\n");
  }
  void put_group_1(const std::string& group, std::uint64_t limit, std::uint64_t used) {
    const std::string folder = "sys/fs/cgroup/memory/" + group;
    put(folder + "/memory.limit_in_bytes", std::to_string(limit) + "\n");
    put(folder + "/memory.usage_in_bytes", std::to_string(used) + "\n");
    put(folder + "/memory.stat", "cache 1\ntotal_inactive_file 0\ntotal_active_file 0\n");
  }
  void expect(std::uint64_t total, std::uint64_t free) {
    const HostMemory memory = host_memory(root_.path());
    EXPECT_EQ(memory.total, total * mib);
    EXPECT_EQ(memory.free, free * mib);
  }
  static bool is_limited() {
    struct rlimit space{};
    struct rlimit data{};
    getrlimit(RLIMIT_AS, &space);
    getrlimit(RLIMIT_DATA, &data);
    return space.rlim_cur != RLIM_INFINITY || data.rlim_cur != RLIM_INFINITY;
  }
  void SetUp() override {
    if (is_limited()) {
      GTEST_SKIP() << "there is a ulimit";
    }
  }

  const std::string version_2_ = "30 23 0:28 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw\n";
  const std::string version_1_ =
      "31 23 0:28 / /sys/fs/cgroup rw - tmpfs tmpfs rw,mode=755\n"
      "33 31 0:30 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n"
      "35 31 0:32 / /sys/fs/cgroup/memory rw shared:7 - cgroup cgroup rw,memory\n"
      "41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n";
  test::TemporaryDirectory root_;
};

TEST_F(HostMemoryTest, OfAMachineWithoutGroups) {
  expect(1000, 800);
}

TEST_F(HostMemoryTest, WhatIsNotKnownIsZero) {
  put("proc/meminfo", "nothing of the kind\n");
  expect(0, 0);
  test::TemporaryDirectory empty;
  EXPECT_EQ(host_memory(empty.path()).free, 0U);
}

TEST_F(HostMemoryTest, GroupsAndAllAboveThem) {
  put("proc/self/mountinfo", version_2_);
  put("proc/self/cgroup", "0::/slurm/job_1/step_0\n");
  put_group_2("slurm/job_1/step_0", "max", "max", 90 * mib, 0);
  expect(1000, 800);
  put_group_2("slurm/job_1", std::to_string(400 * mib), "max", 100 * mib, 0);
  expect(400, 300);
  put_group_2("slurm/job_1/step_0", "max", std::to_string(200 * mib), 90 * mib, 0);
  expect(200, 110);
  // Pages of files give way.
  put_group_2("slurm/job_1/step_0", "max", std::to_string(200 * mib), 190 * mib, 150 * mib);
  expect(200, 160);
  put_group_2("slurm", std::to_string(500 * mib), "max", 480 * mib, 0);
  expect(200, 20);
  // Nothing left is something known.
  put_group_2("slurm", std::to_string(500 * mib), "max", 600 * mib, 0);
  expect(200, 1);
}

TEST_F(HostMemoryTest, GroupsOfVersion1) {
  put("proc/self/mountinfo", version_1_);
  put("proc/self/cgroup", "12:cpu,cpuacct:/other\n9:memory:/slurm/uid_0/job_1\n0::/unified\n");
  put_group_1("slurm/uid_0/job_1", 0x7ffffffffffff000, 10 * mib);
  expect(1000, 800);
  put_group_1("slurm/uid_0", 300 * mib, 100 * mib);
  expect(300, 200);
  put_group_1("other", 10 * mib, 0);  // of the processors' hierarchy
  expect(300, 200);
}

/// Mount points that show a group below the top, as containers have them.
TEST_F(HostMemoryTest, GroupsInContainers) {
  put("proc/self/mountinfo", "30 23 0:28 /docker/abc /sys/fs/cgroup ro - cgroup2 cgroup2 rw\n");
  put("proc/self/cgroup", "0::/docker/abc/inner\n");
  put_group_2("", std::to_string(500 * mib), "max", 0, 0);
  put_group_2("inner", std::to_string(100 * mib), "max", 0, 0);
  expect(100, 100);
  put("proc/self/cgroup", "0::/../outside\n");
  expect(500, 500);
}

TEST_F(HostMemoryTest, OfThisMachineIsKnown) {
  const HostMemory memory = host_memory();
  EXPECT_GT(memory.total, 0U);
  EXPECT_GT(memory.free, 0U);
  EXPECT_LE(memory.free, memory.total);
}

}  // namespace
}  // namespace phpc::exec
