#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "phpc/io/npy.hpp"
#include "support/dft_oracle.hpp"
#include "support/process.hpp"

namespace phpc {
namespace {

using test::ProgramResult;
using test::run_program;

class FftCommand : public testing::Test {
 protected:
  /// Writes an array; returns its path.
  template <class T>
  std::string array(const std::string& name, const std::vector<index_t>& shape, const std::vector<T>& values) {
    const std::string path = directory_ / name;
    io::OutputFile out(path);
    io::write_npy(out, io::npy_type_of<T>, shape, std::as_bytes(std::span(values)));
    out.commit();
    return path;
  }

  ProgramResult fft(std::vector<std::string> arguments, const test::ProgramSetting& setting = {}) {
    arguments.insert(arguments.begin(), {"fft", "--device", "host"});
    return run_program(arguments, setting);
  }

  /// The transform of the last axis by the definition, times `scale`.
  template <class Real>
  static std::vector<test::Wide> expected(const std::vector<Complex<Real>>& values, index_t length, fft::Direction direction,
                                          long double scale) {
    std::vector<test::Wide> all;
    for (index_t first = 0; first < static_cast<index_t>(values.size()); first += length) {
      for (const test::Wide value : test::dft(test::widened(values, first, length), direction)) {
        all.push_back(scaled(value, scale));
      }
    }
    return all;
  }

  template <class Real>
  static void expect_near(const io::NpyArray& array, const std::vector<test::Wide>& expected) {
    test::RelativeError error;
    ASSERT_EQ(static_cast<std::size_t>(array.size()), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
      error.add(array.values<Complex<Real>>()[i], expected[i]);
    }
    EXPECT_LE(error.value(), 2 * test::tolerance<Real>(array.shape().back()));
  }

  test::TemporaryDirectory directory_;
};

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
    expect_near<float>(array, expected(x, 30, c.direction, c.scale));
  }
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
  expect_near<double>(io::read_npy(directory_ / "back.npy"), test::widened(x, 0, 74));
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
  EXPECT_TRUE(
      std::none_of(entries.begin(), entries.end(), [](const std::string& entry) { return entry.find(".part") != entry.npos; }));
}

TEST_F(FftCommand, OutputThatCannotBeWrittenIsExit1) {
  const std::string in = array("in.npy", {2, 8}, test::random_signal<float>(16, 1));
  EXPECT_EQ(fft({in, "-o", directory_ / "absent/out.npy"}).exit_code, 1);
  EXPECT_EQ(fft({in, "-o", directory_.path().string()}).exit_code, 1);
  EXPECT_EQ(fft({in, "-o", "/dev/full"}).exit_code, 1);
  EXPECT_EQ(fft({in}, {.output_path = "/dev/full"}).exit_code, 1);
  EXPECT_EQ(fft({in}, {.output_closed = true}).exit_code, 1);
}

TEST_F(FftCommand, BadUsageIsExit2) {
  const std::string in = array("in.npy", {2, 8}, test::random_signal<float>(16, 1));
  EXPECT_EQ(fft({}).exit_code, 2);
  EXPECT_EQ(fft({in, "--norm", "other"}).exit_code, 2);
  EXPECT_EQ(fft({in, "--sideways"}).exit_code, 2);
  EXPECT_EQ(fft({in, in}).exit_code, 2);
  EXPECT_EQ(run_program({"fft", in, "--device", ""}).exit_code, 2);
}

TEST_F(FftCommand, HelpShowsDefaultsAndAnExample) {
  const ProgramResult result = fft({"--help"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_NE(result.out.find("=backward"), std::string::npos);
  EXPECT_NE(result.out.find("Example: portable-hpc fft"), std::string::npos);
}

}  // namespace
}  // namespace phpc
