// Inputs and outputs of portable-hpc fft: formats, pipes, several files, arrays in parts.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "cli/commands/fft_cli_fixture.hpp"
#include "support/address_space.hpp"
#include "support/array_files.hpp"

namespace phpc {
namespace {

using test::bytes_of;
using test::FftCommand;
using test::ProgramResult;
using test::read_file;
using test::write_file;

class FftFiles : public FftCommand {
 protected:
  std::string result_of(const std::vector<std::string>& arguments, const test::ProgramSetting& setting = {}) {
    std::vector<std::string> all = arguments;
    all.insert(all.end(), {"-q", "-o", "-"});
    const ProgramResult result = fft(all, setting);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(result.err, "");
    return result.out;
  }

  /// The elements of a .npy file of complex64.
  std::vector<test::Wide> complex_numbers(const std::string& npy) {
    write_file(directory_ / "numbers.npy", npy);
    const io::NpyArray array = io::read_npy(directory_ / "numbers.npy");
    std::vector<test::Wide> numbers;
    for (const Complex<float> value : array.values<Complex<float>>()) {
      numbers.push_back({value.re, value.im});
    }
    return numbers;
  }
};

TEST_F(FftFiles, BareElementsAreAsNpy) {
  const auto x = test::random_signal<float>(6 * 16, 2);
  const std::string npy = array("x.npy", {6, 16}, x);
  const std::string raw = directory_ / "x.iq";
  write_file(raw, bytes_of(x));
  const std::string expected = result_of({npy});
  EXPECT_TRUE(result_of({raw, "--dtype", "c64", "--shape", "-1,16"}) == expected);
  EXPECT_TRUE(result_of({"-", "--dtype", "c64", "--shape", "6,16"}, {.input = bytes_of(x)}) == expected);
  EXPECT_TRUE(result_of({"-", "--dtype", "c64", "--shape", "-1,16"}, {.input = bytes_of(x)}) == expected);
  const std::string elements = expected.substr(expected.size() - 6 * 16 * 8);
  EXPECT_TRUE(result_of({npy, "--output-format", "raw"}) == elements);
  const std::string out = directory_ / "y.c64";
  EXPECT_EQ(fft({npy, "-o", out}).exit_code, 0);
  EXPECT_TRUE(read_file(out) == elements) << "by its name";
  EXPECT_EQ(fft({npy, "-o", out, "--output-format", "npy"}).exit_code, 0);
  EXPECT_TRUE(read_file(out) == expected);
}

TEST_F(FftFiles, FortranAndBigEndianOrderGiveTheSame) {
  // Element (i, j) is 10 i + j.
  std::vector<double> c_order;
  std::vector<double> fortran_order;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 4; ++j) {
      c_order.push_back(10 * i + j);
    }
  }
  for (int j = 0; j < 4; ++j) {
    for (int i = 0; i < 3; ++i) {
      fortran_order.push_back(10 * i + j);
    }
  }
  const std::string expected = result_of({array("c.npy", {3, 4}, c_order)});
  const std::string fortran =
      test::npy_bytes("{'descr': '>f8', 'fortran_order': True, 'shape': (3, 4)}", bytes_of(fortran_order, std::endian::big));
  write_file(directory_ / "f.npy", fortran);
  EXPECT_TRUE(result_of({directory_ / "f.npy"}) == expected);
  EXPECT_TRUE(result_of({"-"}, {.input = fortran}) == expected);
  EXPECT_TRUE(result_of({directory_ / "f.npy", "--memory", "128"}) == expected) << "a line at a time";
  const ProgramResult piped = fft({"-", "--memory", "128"}, {.input = fortran});
  EXPECT_EQ(piped.exit_code, 1);
  EXPECT_NE(piped.err.find("Fortran order"), std::string::npos) << piped.err;
}

TEST_F(FftFiles, SoundIsChannelsBySamples) {
  const std::string wav = test::wav_bytes({.channels = 2, .samples = bytes_of<std::int16_t>({16384, 0, 0, 8192, 0, 0})});
  write_file(directory_ / "sound.wav", wav);
  const std::string expected = result_of({array<float>("x.npy", {2, 3}, {0.5F, 0, 0, 0, 0.25F, 0})});
  EXPECT_TRUE(result_of({directory_ / "sound.wav"}) == expected);
  EXPECT_TRUE(result_of({"-"}, {.input = wav}) == expected);
}

TEST_F(FftFiles, PartsGiveWhatTheWholeGives) {
  const index_t n = 100;
  std::vector<float> x;
  for (const Complex<float> value : test::random_signal<float>(60 * n, 3)) {
    x.push_back(value.re);
  }
  const std::string in = array("x.npy", {60, n}, x);
  for (const std::vector<std::string>& options :
       std::vector<std::vector<std::string>>{{}, {"--real"}, {"--shape-out", "128"}, {"--inverse", "--norm", "ortho"}}) {
    std::vector<std::string> arguments{in};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const std::string expected = result_of(arguments);
    const std::vector<test::Wide> whole = complex_numbers(expected);
    for (const std::string memory : {"1100", "5kB", "100 kB", "1GiB"}) {
      std::vector<std::string> limited = arguments;
      limited.insert(limited.end(), {"--memory", memory});
      const std::string result = result_of(limited);
      EXPECT_EQ(result.substr(0, 128), expected.substr(0, 128)) << "the header";
      const std::vector<test::Wide> numbers = complex_numbers(result);
      ASSERT_EQ(numbers.size(), whole.size());
      test::RelativeError error;  // a batch of another size may take other ways to round
      for (std::size_t i = 0; i < whole.size(); ++i) {
        error.add(Complex<float>{static_cast<float>(numbers[i].re), static_cast<float>(numbers[i].im)}, whole[i]);
      }
      EXPECT_LE(error.value(), 2 * test::tolerance<float>(n)) << memory;
      limited.front() = "-";
      EXPECT_TRUE(result_of(limited, {.input = read_file(in)}) == result) << memory << " from a pipe";
    }
  }
  const ProgramResult result = fft({in, "--memory", "700"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_NE(result.err.find("800 B at a time, 700 B allowed"), std::string::npos) << result.err;
  EXPECT_EQ(fft({in, "--axes", "0", "--memory", "40kB", "-o", directory_ / "y.npy"}).exit_code, 1)
      << "the first axis is in no parts";
}

/// Some 200 bytes that claim terabytes: refused before memory is taken or a disk is filled.
TEST_F(FftFiles, ClaimsAreBelievedAsFarAsBytesOrMemorySupportThem) {
  const auto refusal = [&](std::vector<std::string> arguments, const std::string& input = "") {
    arguments.insert(arguments.begin(), {"fft", "--device", "host"});
    const ProgramResult result = test::run_in_address_space(4096, arguments, {.input = input});
    EXPECT_EQ(result.exit_code, 1) << result.err;
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
    EXPECT_EQ(result.out.find_first_not_of('\n'), std::string::npos);
    return result.err;
  };
  const auto npy = [](const std::string& shape, const std::string& order = "False") {
    return test::npy_bytes("{'descr': '<f8', 'fortran_order': " + order + ", 'shape': (" + shape + ")}", "");
  };
  for (const std::vector<std::string>& options : std::vector<std::vector<std::string>>{
           {"--spectrum", "--window", "hann"}, {"--plot", directory_ / "x.svg"}, {"--inverse"}, {"--axes", "all"}}) {
    std::vector<std::string> arguments{"-", "--memory", "1MB"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    EXPECT_NE(refusal(arguments, npy("1099511627776,")).find("976.6 KiB allowed by --memory"), std::string::npos) << options[0];
  }
  EXPECT_NE(refusal({"-", "--axes", "0", "--shape-out", "8", "--memory", "1MB"}, npy("1099511627776, 2", "True"))
                .find("allowed by --memory"),
            std::string::npos);
  // Cropped, of a window only the weights of what is left are needed: the input ends too early, and that is said.
  EXPECT_NE(refusal({"-", "--spectrum", "--window", "hann", "--shape-out", "8", "--memory", "1MB"}, npy("1099511627776,"))
                .find("cut short"),
            std::string::npos);
  // Of shapes with a zero in them no byte is needed.
  write_file(directory_ / "none.npy", npy("1000000000000, 0"));
  EXPECT_NE(refusal({directory_ / "none.npy", "--shape-out", "8"}).find("holds no elements"), std::string::npos);
  EXPECT_NE(refusal({directory_ / "none.npy", "--shape-out", "8", "--shard", "0/2", "-o", directory_ / "y"}).find("no elements"),
            std::string::npos);
  EXPECT_NE(refusal({directory_ / "none.npy", "--shape-out", "8", "--spectrum"}).find("holds no elements"), std::string::npos);
  write_file(directory_ / "none.raw", "");
  EXPECT_NE(refusal({directory_ / "none.raw", "--dtype", "f32", "--shape", "1000000000000,0", "--shape-out", "8"})
                .find("holds no elements"),
            std::string::npos);
  write_file(directory_ / "wide.npy", npy("9000000000000000000, 9000000000000000000, 0"));
  EXPECT_EQ(fft({directory_ / "wide.npy", "--axes", "0,1,2", "--shape-out", "1,1,1"}).exit_code, 2);
  EXPECT_EQ(result_of({array<double>("few.npy", {3, 0}, {}), "--shape-out", "2"}).size(), 128U + 3 * 2 * 16);
  EXPECT_EQ(directory_.entries(), (std::vector<std::string>{"few.npy", "none.npy", "none.raw", "wide.npy"}));
}

/// Memory is by default what the process may have, not what the machine has: 768 MiB at a time were too much here.
TEST_F(FftFiles, ArraysBeyondTheAddressSpaceGoThroughInParts) {
  if (!test::can_limit_address_space) {
    GTEST_SKIP() << "sanitizers";
  }
  const std::string in = directory_ / "zeros.npy";  // sparse
  const std::string header = test::npy_bytes("{'descr': '<f4', 'fortran_order': True, 'shape': (8192, 8192)}", "");
  write_file(in, header);
  std::filesystem::resize_file(in, header.size() + 8192 * 8192 * 4);
  const std::vector<std::string> arguments{"fft", in, "--device", "host", "-o", "/dev/null"};
  const ProgramResult result = test::run_in_address_space(600, arguments);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.err.find("8192 forward transforms"), std::string::npos) << result.err;
  std::vector<std::string> told = arguments;
  told.insert(told.end(), {"--memory", "2GB"});
  EXPECT_EQ(test::run_in_address_space(600, told).exit_code, 1);
}

TEST_F(FftFiles, TruncatedPipesLeaveNothing) {
  const std::string in = read_file(array("x.npy", {1000, 64}, test::random_signal<float>(64000, 1)));
  const std::string out = directory_ / "y.npy";
  const ProgramResult result = fft({"-", "-o", out, "--memory", "16kB"}, {.input = in.substr(0, in.size() - 1)});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_NE(result.err.find("cut short"), std::string::npos) << result.err;
  EXPECT_EQ(directory_.entries(), std::vector<std::string>{"x.npy"});
  const ProgramResult longer = fft({"-", "-o", out}, {.input = in + "x"});
  EXPECT_EQ(longer.exit_code, 1);
  EXPECT_EQ(directory_.entries(), std::vector<std::string>{"x.npy"});
}

TEST_F(FftFiles, SeveralFilesGoToAFolderOrAPattern) {
  std::filesystem::create_directory(directory_ / "in");
  const std::string a = array("in/a.npy", {4}, test::random_signal<float>(4, 1));
  const std::string b = array("in/b.npy", {4}, test::random_signal<float>(4, 2));
  ASSERT_EQ(fft({a, b, "-o", directory_ / "out"}).exit_code, 0);
  EXPECT_TRUE(read_file(directory_ / "out/a.npy") == result_of({a}));
  EXPECT_TRUE(read_file(directory_ / "out/b.npy") == result_of({b}));
  ASSERT_EQ(fft({"--files-from", "-", "-o", directory_ / "out/{stem}.c64"}, {.input = a + "\r\n\n" + b}).exit_code, 0);
  EXPECT_EQ(read_file(directory_ / "out/b.c64").size(), 32U);
  write_file(directory_ / "list", b + "\n");
  ASSERT_EQ(fft({a, "--files-from", directory_ / "list", "-o", directory_ / "more"}).exit_code, 0);
  EXPECT_TRUE(read_file(directory_ / "more/b.npy") == result_of({b}));
}

TEST_F(FftFiles, ABadFileDoesNotStopTheOthers) {
  const std::string good = array("good.npy", {4}, test::random_signal<float>(4, 1));
  const std::string last = array("last.npy", {4}, test::random_signal<float>(4, 1));
  write_file(directory_ / "bad.npy", "no array");
  const ProgramResult result =
      fft({good, directory_ / "bad.npy", directory_ / "absent.npy", last, "-o", directory_ / "out", "-q"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 2) << result.err;
  EXPECT_NE(result.err.find("bad.npy"), std::string::npos);
  EXPECT_NE(result.err.find("absent.npy"), std::string::npos);
  std::vector<std::string> made;
  for (const auto& entry : std::filesystem::directory_iterator(directory_ / "out")) {
    made.push_back(entry.path().filename());
  }
  std::sort(made.begin(), made.end());
  EXPECT_EQ(made, (std::vector<std::string>{"good.npy", "last.npy"}));
}

TEST_F(FftFiles, ResultsThatWouldMeetAreRefused) {
  const std::string a = array("a.npy", {4}, test::random_signal<float>(4, 1));
  const std::string b = array("b.npy", {4}, test::random_signal<float>(4, 1));
  const std::string before = read_file(a);
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{a, b},
                                             {a, b, "-o", "-"},
                                             {a, b, "-o", directory_ / "out.npy"},
                                             {a, b, "-o", directory_.path().string()},
                                             {a, a, "-o", directory_ / "out"},
                                             {a, b, "--spectrum", "-o", directory_ / "out.tsv"},
                                             {a, b, "--plot", directory_ / "out.svg"},
                                             {a, "--spectrum", "-o", directory_ / "x", "--plot", directory_ / "x"},
                                             {a, "-o", directory_ / "x", "--plot", directory_ / "x"},
                                             {"-", "-"},
                                             {"-", "--files-from", "-"},
                                             {"-", "-o", directory_ / "x.npy", "--plot", directory_ / "x.svg"},
                                             {"--files-from", "/dev/null"},
                                             {a, "-o", ""},
                                             {a, "--plot", ""},
                                             {}}) {
    const ProgramResult result = fft(arguments);
    EXPECT_EQ(result.exit_code, 2) << result.err;
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
  }
  EXPECT_TRUE(read_file(a) == before);
}

}  // namespace
}  // namespace phpc
