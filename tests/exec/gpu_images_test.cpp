// Which GPUs the program's images run on.
#include "exec/gpu_images.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "support/temporary_directory.hpp"

namespace phpc::exec {
namespace {

TEST(GpuImages, NvidiaCodeRunsOnLaterGpusOfTheSameMajorNumber) {
  constexpr const char* targets = "x86_64, nvptx64 (sm_80,sm_90)";
  EXPECT_EQ(nvidia_image(targets, 8, 0), 0);
  EXPECT_EQ(nvidia_image(targets, 8, 6), 0);
  EXPECT_EQ(nvidia_image(targets, 9, 0), 1);
  EXPECT_EQ(nvidia_image(targets, 7, 5), std::nullopt);
  EXPECT_EQ(nvidia_image(targets, 10, 0), std::nullopt);
  EXPECT_EQ(nvidia_image("x86_64, nvptx64 (sm_86)", 8, 0), std::nullopt);
  EXPECT_EQ(nvidia_image("nvptx64 (sm_120)", 12, 1), 0);
  EXPECT_EQ(nvidia_image("nvptx64 (sm_90a)", 9, 0), 0);
  EXPECT_EQ(nvidia_image("nvptx64 (sm_100a)", 10, 3), std::nullopt);
  EXPECT_EQ(nvidia_image("x86_64", 9, 0), std::nullopt);
  EXPECT_EQ(nvidia_image("", 9, 0), std::nullopt);
}

TEST(GpuImages, AmdCodeRunsOnItsOwnArchitecture) {
  constexpr const char* targets = "x86_64, amdgcn (gfx90a,gfx1100)";
  EXPECT_TRUE(has_amd_image(targets, "gfx90a"));
  EXPECT_TRUE(has_amd_image(targets, "gfx1100"));
  EXPECT_FALSE(has_amd_image(targets, "gfx90"));
  EXPECT_FALSE(has_amd_image(targets, "gfx942"));
  EXPECT_TRUE(has_amd_image("amdgcn (gfx90a:xnack+)", "gfx90a"));
}

TEST(GpuImages, AmdArchitecturesAreThoseOfItsDriver) {
  const test::TemporaryDirectory folder;
  EXPECT_TRUE(amd_architectures(folder / "absent").empty());
  int node = 0;
  for (const char* const version : {"0", "90010", "90402", "100300"}) {
    const std::string path = folder / std::to_string(node++);
    std::filesystem::create_directory(path);
    test::write_file(path + "/properties",
                     std::string("cpu_cores_count 8\ngfx_target_version ") + version + "\nvendor_id 4098\n");
  }
  std::vector<std::string> found = amd_architectures(folder / "");
  std::sort(found.begin(), found.end());
  EXPECT_EQ(found, (std::vector<std::string>{"gfx1030", "gfx90a", "gfx942"}));
}

}  // namespace
}  // namespace phpc::exec
