#include "jobs/fft/transform_all.hpp"

#include <gtest/gtest.h>

#include "jobs/merge.hpp"
#include "phpc/core/error.hpp"
#include "phpc/io/npy.hpp"
#include "support/recording_caller.hpp"
#include "support/temporary_directory.hpp"

namespace phpc::jobs {
namespace {

class TransformAll : public testing::Test {
 protected:
  /// Eight blocks of 16 numbers.
  TransformAll() {
    std::vector<Complex<float>> numbers(8 * 16);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      numbers[i] = {static_cast<float>(i % 7), static_cast<float>(i % 5)};
    }
    io::OutputFile out(directory_ / "x.npy");
    const std::vector<index_t> shape{8, 16};
    io::write_npy(out, io::NpyType::complex64, shape, std::as_bytes(std::span(numbers)));
    out.commit();
    options_.inputs = {directory_ / "x.npy"};
    options_.output = directory_ / "y.npy";
  }

  bool run() { return transform_all(caller_, options_, test::RecordingCaller::choose_host); }

  test::TemporaryDirectory directory_;
  test::RecordingCaller caller_;
  FftOptions options_;
};

TEST_F(TransformAll, TellsItsCallerWhatWasDone) {
  EXPECT_TRUE(run());
  ASSERT_EQ(caller_.infos.size(), 1U);
  EXPECT_EQ(caller_.infos.front().find("8 forward transforms of length 16, complex64, in "), 0U) << caller_.infos.front();
  EXPECT_EQ(caller_.debugs.size(), 1U);
  EXPECT_EQ(directory_.entries(), (std::vector<std::string>{"x.npy", "y.npy"}));
}

TEST_F(TransformAll, TellsOfInputsThatFailAndGoesOn) {
  options_.inputs.insert(options_.inputs.begin(), directory_ / "none.npy");
  options_.output = directory_ / "out";
  EXPECT_FALSE(run());
  ASSERT_EQ(caller_.errors.size(), 1U);
  EXPECT_NE(caller_.errors.front().find("none.npy"), std::string::npos) << caller_.errors.front();
  ASSERT_EQ(caller_.warnings.size(), 1U);
  EXPECT_EQ(caller_.warnings.front(), "1 of 2 inputs failed");
}

/// A part that stopped at a checkpoint goes on from there, and merged is what the whole is.
TEST_F(TransformAll, StopsWhereItsCallerAsksAndGoesOn) {
  EXPECT_TRUE(run());
  const std::string whole = test::read_file(options_.output);
  options_.output = directory_ / "z.npy";
  options_.memory = 1024;  // of two blocks at a time
  options_.sharding.shard = "0/1";
  caller_.stops = true;
  EXPECT_THROW(run(), Stopped);
  caller_.stops = false;
  caller_.infos.clear();
  options_.sharding.resume = true;
  EXPECT_TRUE(run());
  EXPECT_EQ(caller_.infos.front(), "goes on at blocks 2 of 0 to 8");
  merge(caller_, {directory_ / "z.npy.part-00000-of-00001"}, options_.output);
  EXPECT_TRUE(test::read_file(options_.output) == whole);
}

TEST_F(TransformAll, WritesNoArrayToATerminal) {
  options_.output = "-";
  options_.standard_output_is_terminal = true;
  EXPECT_THROW(run(), Error);
}

}  // namespace
}  // namespace phpc::jobs
