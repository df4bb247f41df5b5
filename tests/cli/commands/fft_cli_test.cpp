#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <limits>

#include "cli/commands/fft_cli_fixture.hpp"

namespace phpc {
namespace {

using test::FftCommand;
using test::ProgramResult;
using test::run_program;

TEST_F(FftCommand, TransformsTheLastAxisAsNumPyDoes) {
  const auto x = test::random_signal<float>(3 * 4 * 30, 1);
  const std::string in = array("in.npy", {3, 4, 30}, x);
  const std::string out = directory_ / "out.npy";
  struct Case {
    std::vector<std::string> options;
    fft::Direction direction;
    long double scale;
  };
  const long double root = std::sqrt(30.0L);
  for (const Case& c : std::vector<Case>{{{}, fft::Direction::forward, 1},
                                         {{"--inverse"}, fft::Direction::inverse, 1 / 30.0L},
                                         {{"--norm", "ortho"}, fft::Direction::forward, 1 / root},
                                         {{"--inverse", "--norm", "ortho"}, fft::Direction::inverse, 1 / root},
                                         {{"--norm", "forward"}, fft::Direction::forward, 1 / 30.0L},
                                         {{"--inverse", "--norm", "forward"}, fft::Direction::inverse, 1}}) {
    std::vector<std::string> arguments{in, "-o", out};
    arguments.insert(arguments.end(), c.options.begin(), c.options.end());
    const ProgramResult result = fft(arguments);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(result.out, "");
    const io::NpyArray array = io::read_npy(out);
    EXPECT_EQ(array.type(), io::NpyType::complex64);
    EXPECT_EQ(array.shape(), (std::vector<index_t>{3, 4, 30}));
    expect_near<float>(array, expected(x, 30, c.direction, c.scale), 30);
  }
}

TEST_F(FftCommand, TransformsAnyAxesPaddedOrCropped) {
  const std::vector<index_t> shape{3, 4, 5};
  const auto x = test::random_signal<double>(60, 7);
  const std::string in = array("in.npy", shape, x);
  const std::string out = directory_ / "out.npy";
  struct Case {
    std::vector<std::string> options;
    std::vector<std::size_t> axes;
    std::vector<index_t> lengths;  // of the whole array
  };
  for (const Case& c : std::vector<Case>{{{"--axes", "0"}, {0}, {3, 4, 5}},
                                         {{"--axes", "-2"}, {1}, {3, 4, 5}},
                                         {{"--axes", "2,0"}, {0, 2}, {3, 4, 5}},
                                         {{"--axes", "all"}, {0, 1, 2}, {3, 4, 5}},
                                         {{"--shape-out", "8"}, {2}, {3, 4, 8}},
                                         {{"--shape-out", "2,-1"}, {1, 2}, {3, 2, 5}},
                                         {{"--axes", "0,1", "--shape-out", "5,3"}, {0, 1}, {5, 3, 5}}}) {
    std::vector<std::string> arguments{in, "-o", out, "-q"};
    arguments.insert(arguments.end(), c.options.begin(), c.options.end());
    const ProgramResult result = fft(arguments);
    ASSERT_EQ(result.exit_code, 0) << result.err;
    const auto expected =
        transform_axes(resized(test::widened(x, 0, 60), shape, c.lengths), c.lengths, c.axes, fft::Direction::forward);
    const io::NpyArray array = io::read_npy(out);
    EXPECT_EQ(array.shape(), c.lengths) << c.options.back();
    expect_near<double>(array, expected, 60);
  }
}

TEST_F(FftCommand, RealThereAndBack) {
  for (const index_t n : {9, 10}) {
    std::vector<float> x;
    std::vector<test::Wide> wide;
    for (const Complex<float> value : test::random_signal<float>(2 * 3 * n, 5)) {
      x.push_back(value.re);
      wide.push_back({value.re, 0});
    }
    const std::string in = array("in.npy", {2, 3, n}, x);
    const std::string half = directory_ / "half.npy";
    const std::string back = directory_ / "back.npy";
    ASSERT_EQ(fft({in, "--real", "--axes", "0,2", "-o", half}).exit_code, 0);
    const io::NpyArray spectrum = io::read_npy(half);
    EXPECT_EQ(spectrum.shape(), (std::vector<index_t>{2, 3, n / 2 + 1}));
    EXPECT_EQ(spectrum.type(), io::NpyType::complex64);
    expect_near<float>(
        spectrum, resized(transform_axes(wide, {2, 3, n}, {0, 2}, fft::Direction::forward), {2, 3, n}, {2, 3, n / 2 + 1}), 2 * n);
    // An even length is taken where none is named.
    ASSERT_EQ(fft({half, "--real", "--inverse", "--axes", "0,2", "-o", back}).exit_code, 0);
    EXPECT_EQ(io::read_npy(back).shape(), (std::vector<index_t>{2, 3, n / 2 * 2}));
    ASSERT_EQ(fft({half, "--real", "--inverse", "--axes", "0,2", "--shape-out", "-1," + std::to_string(n), "-o", back}).exit_code,
              0);
    const io::NpyArray again = io::read_npy(back);
    EXPECT_EQ(again.type(), io::NpyType::float32);
    EXPECT_EQ(again.shape(), (std::vector<index_t>{2, 3, n}));
    for (std::size_t i = 0; i < x.size(); ++i) {
      EXPECT_NEAR(again.values<float>()[i], x[i], 1e-6);
    }
  }
}

TEST_F(FftCommand, RealTransformsRefuseTheOtherType) {
  const std::string real = array<float>("real.npy", {4}, {1, 2, 3, 4});
  const std::string complex = array("complex.npy", {4}, test::random_signal<float>(4, 1));
  const std::string one = array("one.npy", {1}, test::random_signal<float>(1, 1));
  const std::string out = directory_ / "out.npy";
  const ProgramResult forward = fft({complex, "--real", "-o", out});
  EXPECT_EQ(forward.exit_code, 1);
  EXPECT_NE(forward.err.find("complex64"), std::string::npos) << forward.err;
  const ProgramResult inverse = fft({real, "--real", "--inverse", "-o", out});
  EXPECT_EQ(inverse.exit_code, 1);
  EXPECT_NE(inverse.err.find("float32"), std::string::npos) << inverse.err;
  EXPECT_EQ(fft({one, "--real", "--inverse", "-o", out}).exit_code, 1) << "a length of 2 (1 - 1)";
  EXPECT_FALSE(std::filesystem::exists(out));
}

TEST_F(FftCommand, ScaleMultiplies) {
  const std::string out = directory_ / "out.npy";
  ASSERT_EQ(fft({array<double>("in.npy", {2}, {1, 2}), "--scale", "-0.5", "--norm", "forward", "-o", out}).exit_code, 0);
  EXPECT_EQ(io::read_npy(out).values<Complex<double>>()[0], (Complex<double>{-0.75, 0}));
}

TEST_F(FftCommand, KeepsThePrecisionAndMakesRealInputComplex) {
  const std::string out = directory_ / "out.npy";
  const auto type_of = [&](const std::string& in) {
    EXPECT_EQ(fft({in, "-o", out, "-q"}).exit_code, 0);
    return io::read_npy(out).type();
  };
  EXPECT_EQ(type_of(array<float>("f4.npy", {4}, {1, 2, 3, 4})), io::NpyType::complex64);
  EXPECT_EQ(type_of(array<double>("f8.npy", {4}, {1, 2, 3, 4})), io::NpyType::complex128);
  const io::NpyArray result = io::read_npy(out);
  EXPECT_EQ(result.values<Complex<double>>()[0], (Complex<double>{10, 0}));
  EXPECT_EQ(result.values<Complex<double>>()[1], (Complex<double>{-2, 2}));
  EXPECT_EQ(type_of(array("c16.npy", {5}, test::random_signal<double>(5, 2))), io::NpyType::complex128);
}

TEST_F(FftCommand, ThereAndBackThroughPipes) {
  const auto x = test::random_signal<double>(2 * 37, 3);
  const std::string in = array("in.npy", {2, 37}, x);
  const ProgramResult there = fft({"-"}, {.input = test::read_file(in)});
  ASSERT_EQ(there.exit_code, 0) << there.err;
  const ProgramResult back = fft({"-", "-o", "-", "--inverse"}, {.input = there.out});
  ASSERT_EQ(back.exit_code, 0) << back.err;
  test::write_file(directory_ / "back.npy", back.out);
  expect_near<double>(io::read_npy(directory_ / "back.npy"), test::widened(x, 0, 74), 37);
}

TEST_F(FftCommand, SaysWhatItDidUnlessQuiet) {
  const std::string in = array("in.npy", {2, 8}, test::random_signal<float>(16, 1));
  const std::string out = directory_ / "out.npy";
  EXPECT_NE(fft({in, "-o", out}).err.find("2 forward transforms of length 8, complex64, in "), std::string::npos);
  EXPECT_EQ(fft({in, "-o", out, "-q"}).err, "");
}

TEST_F(FftCommand, AllDevicesGiveTheSameBytes) {
  const std::string in = array("in.npy", {7, 100}, test::random_signal<float>(700, 1));
  const std::string one = directory_ / "one.npy";
  const std::string all = directory_ / "all.npy";
  EXPECT_EQ(run_program({"fft", in, "-o", one, "-q"}).exit_code, 0);
  EXPECT_EQ(run_program({"fft", in, "-o", all, "-q", "--device", "all"}).exit_code, 0);
  EXPECT_EQ(test::read_file(one), test::read_file(all));
}

TEST_F(FftCommand, EmptyBatchesAreFine) {
  const std::string in = array<Complex<float>>("in.npy", {0, 8}, {});
  const std::string out = directory_ / "out.npy";
  EXPECT_EQ(fft({in, "-o", out}).exit_code, 0);
  EXPECT_EQ(io::read_npy(out).shape(), (std::vector<index_t>{0, 8}));
}

TEST_F(FftCommand, NotANumberPassesThrough) {
  std::vector<float> values(16, 1);
  values[3] = std::numeric_limits<float>::quiet_NaN();
  const std::string out = directory_ / "out.npy";
  EXPECT_EQ(fft({array<float>("in.npy", {2, 8}, values), "-o", out}).exit_code, 0);
  const io::NpyArray result = io::read_npy(out);
  EXPECT_TRUE(std::isnan(result.values<Complex<float>>()[5].re));
  EXPECT_EQ(result.values<Complex<float>>()[8], (Complex<float>{8, 0}));
}

TEST_F(FftCommand, BadInputIsOneLineAndExit1WithNothingWritten) {
  const std::string good = array("good.npy", {2, 8}, test::random_signal<float>(16, 1));
  const std::string bytes = test::read_file(good);
  test::write_file(directory_ / "empty.npy", "");
  test::write_file(directory_ / "text.npy", "frequency\tpower\n");
  test::write_file(directory_ / "short.npy", bytes.substr(0, bytes.size() - 5));
  test::write_file(directory_ / "long.npy", bytes + "tail");
  array<double>("number.npy", {}, {1});
  array<double>("no_length.npy", {3, 0}, {});
  const std::string out = directory_ / "out.npy";
  for (const std::string name :
       {"absent.npy", "empty.npy", "text.npy", "short.npy", "long.npy", "number.npy", "no_length.npy", ""}) {
    const std::string in = directory_ / name;
    const ProgramResult result = fft({in, "-o", out});
    EXPECT_EQ(result.exit_code, 1) << name;
    EXPECT_TRUE(result.err.starts_with("portable-hpc fft: ")) << result.err;
    EXPECT_NE(result.err.find(in), std::string::npos) << result.err;
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
  }
  const auto entries = directory_.entries();
  EXPECT_EQ(std::count(entries.begin(), entries.end(), "out.npy"), 0);
  EXPECT_TRUE(std::none_of(entries.begin(), entries.end(), [](const std::string& entry) { return entry.ends_with(".tmp"); }));
}

TEST_F(FftCommand, OutputThatCannotBeWrittenIsExit1) {
  const std::string in = array("in.npy", {2, 8}, test::random_signal<float>(16, 1));
  EXPECT_EQ(fft({in, "-o", directory_ / "absent/out.npy"}).exit_code, 1);
  EXPECT_EQ(fft({in, "-o", directory_.path().string()}).exit_code, 1);
  EXPECT_EQ(fft({in, "-o", "/dev/full"}).exit_code, 1);
  EXPECT_EQ(fft({in}, {.output_path = "/dev/full"}).exit_code, 1);
  EXPECT_EQ(fft({in}, {.output_closed = true}).exit_code, 141);
}

TEST_F(FftCommand, BadUsageIsExit2) {
  const std::string in = array("in.npy", {2, 8}, test::random_signal<float>(16, 1));
  EXPECT_EQ(fft({}).exit_code, 2);
  EXPECT_EQ(fft({in, "--norm", "other"}).exit_code, 2);
  EXPECT_EQ(fft({in, "--sideways"}).exit_code, 2);
  EXPECT_EQ(fft({in, in}).exit_code, 2) << "several inputs without a place for each";
  for (const std::vector<std::string>& options : std::vector<std::vector<std::string>>{{"--axes", "2"},
                                                                                       {"--axes", "-3"},
                                                                                       {"--axes", "1,-1"},
                                                                                       {"--axes", "one"},
                                                                                       {"--axes", ""},
                                                                                       {"--axes", "99999999999999999999"},
                                                                                       {"--shape-out", "0"},
                                                                                       {"--shape-out", "-2"},
                                                                                       {"--shape-out", "4,4,4"},
                                                                                       {"--shape-out", "4", "--axes", "0,1"},
                                                                                       {"--shape-out", "9223372036854775807"},
                                                                                       {"--scale", "inf"},
                                                                                       {"--shape", "16"},
                                                                                       {"--dtype", "f31"},
                                                                                       {"--window", "hann"},
                                                                                       {"--rate", "8"},
                                                                                       {"--amplitude"},
                                                                                       {"--output-format", "mat"},
                                                                                       {"--memory", "much"},
                                                                                       {"--memory", "-1"},
                                                                                       {"--memory", "1e23"},
                                                                                       {"--memory", "99999999999999999999"},
                                                                                       {"--memory", "17EiB"},
                                                                                       {"--memory", "0"},
                                                                                       {"--memory", ""},
                                                                                       {"--histogram"},
                                                                                       {"--lengths", "8"}}) {
    std::vector<std::string> arguments{in, "-o", directory_ / "out.npy"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const ProgramResult result = fft(arguments);
    EXPECT_EQ(result.exit_code, 2) << options.front() << " " << result.err;
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
  }
  EXPECT_EQ(directory_.entries(), std::vector<std::string>{"in.npy"});
  EXPECT_EQ(run_program({"fft", in, "--device", ""}).exit_code, 2);
}

TEST_F(FftCommand, HelpShowsDefaultsAndAnExample) {
  const ProgramResult result = fft({"--help"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_NE(result.out.find("default: backward"), std::string::npos);
  EXPECT_NE(result.out.find("Example: portable-hpc fft"), std::string::npos);
}

}  // namespace
}  // namespace phpc
