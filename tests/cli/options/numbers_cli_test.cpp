// Numbers on the command line: what is no number, out of range, too large for an integer, or not finite is refused in one line.
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <sstream>

#include "support/address_space.hpp"
#include "support/process.hpp"

namespace phpc::test {
namespace {

std::vector<std::string> split(const std::string& words) {
  std::vector<std::string> arguments;
  std::istringstream stream(words);
  for (std::string word; stream >> word;) {
    arguments.push_back(word == "''" ? "" : word);
  }
  return arguments;
}

void expect_refused(const ProgramResult& result, const std::string& words, const std::string& part, int exit_code) {
  EXPECT_EQ(result.exit_code, exit_code) << words << "\n" << result.err;
  EXPECT_EQ(result.out, "") << words;
  EXPECT_NE(result.err.find(part), std::string::npos) << words << "\n" << result.err;
  EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << words << "\n" << result.err;
  EXPECT_LT(result.err.size(), 400U) << words;
}

void expect_refusal(const std::string& words, const std::string& part, int exit_code = 2) {
  expect_refused(run_program(split(words)), words, part, exit_code);
}

const std::string batch = "batch --problem stencil3:4 -q ";
const std::string fft = "fft nothing.npy -q ";
const std::string casoff = "casoff --genome nothing.fa --pattern NGG --guide NNN:0 -q ";

TEST(Numbers, WholeOnesAreDecimalAndInRange) {
  for (const std::string option : {"--systems", "--block-size", "--team-size", "--max-iterations", "--threads"}) {
    for (const std::string value : {"-1", "99999999999999999999", "9223372036854775807"}) {
      expect_refusal(batch + option + " " + value, option + ": '" + value + "' is out of range; give ");
    }
    for (const std::string value : {"abc", "1.5", "1e3", "0x10", "1,000", "nan", "''", "--"}) {
      expect_refusal(batch + option + "=" + (value == "''" ? "" : value), option);
    }
  }
  expect_refusal(batch + "--systems 1.5", "--systems: '1.5' is no whole number; give 0 to 1099511627776");
  expect_refusal("fft --bench -q --iterations 0", "--iterations: '0' is out of range; give 1 to 100000000");
  expect_refusal("fft --bench -q --batch -5", "--batch: '-5' is out of range");
  expect_refusal("batch --bench -q --repeats 0", "--repeats: '0' is out of range");
  expect_refusal("batch --bench -q --values 4,99999999999999999999", "no list of integers");
  expect_refusal("batch --bench -q --sweep systems --values 9223372036854775807", "--values");
  for (const std::string option : {"--mismatches", "--dna-bulge", "--rna-bulge"}) {
    expect_refusal(casoff + option + " -1", option + ": '-1' is out of range; give 0 or more");
    expect_refusal(casoff + option + " 1.5", option + ": '1.5' is no whole number");
  }
  expect_refusal("fft nothing.npy -o x.npy -q --shard 0/9000000000000000000", "1000000 at most");
}

TEST(Numbers, OfDevicesFitTheirType) {
  const TemporaryDirectory directory;
  write_file(directory / "input.txt", (directory / "genome.fa") + "\nNNNNRG\nACGTNN 1\n");
  write_file(directory / "genome.fa", ">a\nACGTACGT\n");
  expect_refusal("casoff " + (directory / "input.txt") + " G9223372036854775807", "is no device argument");
  expect_refusal("casoff " + (directory / "input.txt") + " -q --device 9223372036854775807", "portable-hpc devices", 1);
}

TEST(Numbers, LeadingZerosAreNotOctal) {
  const ProgramResult result = run_program({"batch", "--problem", "stencil3:4", "--systems", "010", "-q"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(std::count(result.out.begin(), result.out.end(), '\n'), 11) << "a header and ten rows";
}

TEST(Numbers, RealOnesAreFinite) {
  expect_refusal(batch + "--tol -1", "--tol: '-1' is out of range; give a number of 0 or more");
  for (const std::string value : {"nan", "inf", "-inf", "1e400"}) {
    expect_refusal(batch + "--tol=" + value, "--tol: '" + value + "'");
    expect_refusal(fft + "-o x.npy --scale=" + value, "--scale: '" + value + "'");
    expect_refusal(fft + "--spectrum --rate=" + value, "--rate: '" + value + "'");
  }
  for (const std::string value : {"1,5", "abc", "1e", "0x"}) {
    expect_refusal(fft + "-o x.npy --scale " + value, "'" + value + "' is no number");
  }
  expect_refusal(fft + "--spectrum --rate 1e308", "--rate 1e+308 is not above 0");
  expect_refusal(fft + "--spectrum --rate 0", "--rate");
  expect_refusal(fft + "--spectrum --rate -8", "--rate");
}

TEST(Numbers, ProblemsSayWhatIsWrongWithThem) {
  expect_refusal("batch -q --problem foo:3", "there is no problem 'foo'; give one of stencil3:N");
  expect_refusal("batch -q --problem stencil3", "'stencil3' is not of the form stencil3:N");
  expect_refusal("batch -q --problem random-spd:8", "is not of the form random-spd:N,NNZ");
  expect_refusal("batch -q --problem lesp:x", "is not of the form lesp:N");
  expect_refusal("batch -q --problem lesp:-4", "give 1 ... ");
}

TEST(Numbers, ScalesFitThePrecision) {
  const TemporaryDirectory directory;
  write_file(directory / "x", std::string(64, '\0'));
  const std::string base = "fft " + (directory / "x") + " -q --device host -o " + (directory / "y.npy") + " --scale ";
  expect_refusal(base + "1e300 --dtype f32", "which single precision does not hold");
  expect_refusal(base + "1e-300 --dtype f32", "which single precision does not hold");
  for (const char* const scale : {"1e300 --dtype f64", "0 --dtype f32", "-2.5 --dtype f32"}) {
    std::istringstream stream(base + scale);
    const std::vector<std::string> words(std::istream_iterator<std::string>(stream), {});
    EXPECT_EQ(run_program(words).exit_code, 0) << scale;
  }
}

TEST(Numbers, PrecisionsHaveOtherNames) {
  for (const std::string name : {"float64", "double", "float32", "single"}) {
    const ProgramResult result =
        run_program({"batch", "--problem", "stencil3:4", "--systems", "2", "-q", "--tol", "1e-4", "--precision", name});
    EXPECT_EQ(result.exit_code, 0) << name << ": " << result.err;
  }
}

/// What no machine has is refused before it is asked for.
TEST(Numbers, MemoryIsComparedWithWhatIsFree) {
  expect_refusal("batch -q --device host --bench --problem chemistry:54 --systems 100000000000", "give fewer --systems", 1);
  expect_refusal("batch -q --device host --bench --problem chemistry:54 --sweep rows --systems 100000000000", "give fewer", 1);
  expect_refusal("batch -q --problem stencil3:8 --systems 100000 --plot nothing.svg --max-iterations 2147483647",
                 "lower --max-iterations", 1);
  expect_refusal("fft -q --device host --bench --lengths 1099511627776", "give shorter --lengths or a smaller --batch", 1);
  expect_refusal("fft -q --device host --bench --lengths 1024 --batch 1099511627776", "smaller --batch", 1);
  if (can_limit_address_space) {  // some machines have room for one system of any size
    const std::string large = "batch -q --device host --problem stencil3:700000000 --memory 1MB";
    expect_refused(run_in_address_space(8192, split(large)), large, "one system of --problem stencil3:700000000 would take", 1);
  }
}

}  // namespace
}  // namespace phpc::test
