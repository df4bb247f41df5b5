// --plot of fft, casoff and batch: which names it takes, and that its pictures are well-formed whatever their names.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "support/process.hpp"
#include "support/xml.hpp"

namespace phpc::test {
namespace {

/// Bytes that are no UTF-8, or that XML does not have.
const std::string bad_name = "a\xff\xed\xa0\x80\x01\x1b[2J<&\">";
const std::string bad_id = "a\xff\xed\xa0\x80[2J<&\">";  // ids hold no control characters

class PlotOption : public ::testing::Test {
 protected:
  PlotOption() {
    write_file(directory_ / "x.f32", std::string("\0\0\x80\x3f\0\0\0\0\0\0\0\0\0\0\0\0", 16));
    write_file(directory_ / "g.fa", ">s\nTTTGACCTGATTACAGATTACATGGTTT\n");
  }

  /// Each command that draws, without --plot.
  [[nodiscard]] static std::vector<std::vector<std::string>> commands() {
    return {{"fft", "x.f32", "--dtype", "f32"},
            {"fft", "--bench", "--lengths", "8,16", "--iterations", "2", "-o", "t.tsv"},
            {"casoff", "--genome", "g.fa", "--pattern", "NNNNNNNNNNNNNNNNNNNNNRG", "--guide", "GACCTGATTACAGATTACAT:2:" + bad_id,
             "-o", "sites"},
            {"batch", "--problem", "stencil3:8", "--systems", "4", "-o", "x.npy"},
            {"batch", "--bench", "--values", "8,16", "--systems", "10", "--repeats", "1", "--report", "r.tsv"}};
  }

  ProgramResult run(std::vector<std::string> arguments, const std::string& plot) {
    arguments.insert(arguments.end(), {"-q", "--device", "host", "--plot", plot});
    return run_program(arguments, {.directory = directory_.path().string()});
  }

  TemporaryDirectory directory_;
};

TEST_F(PlotOption, AnotherEndingIsRefusedBeforeTheWork) {
  const std::vector<std::string> before = directory_.entries();
  for (const std::vector<std::string>& command : commands()) {
    for (const std::string name : {"p.png", "p.PDF", "p.jpg", "p.json", "p.svg.gz", "out/p.html", ""}) {
      const ProgramResult result = run(command, name);
      EXPECT_EQ(result.exit_code, 2) << command[0] << " " << name;
      EXPECT_EQ(result.out, "");
      EXPECT_NE(result.err.find(name.empty() ? "--plot" : "'" + name + "'"), std::string::npos) << result.err;
      EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
    }
    EXPECT_NE(run(command, "p.png").err.find("rsvg-convert -f png 'p.svg' -o 'p.png'"), std::string::npos);
    EXPECT_NE(run(command, "p.pdf").err.find("rsvg-convert -f pdf 'p.svg' -o 'p.pdf'"), std::string::npos);
  }
  EXPECT_EQ(directory_.entries(), before);
}

TEST_F(PlotOption, PicturesAreWellFormedWhateverTheirNames) {
  for (const std::vector<std::string>& command : commands()) {
    for (const std::string name : {"p.svg", "p.SVG", "p"}) {
      const ProgramResult result = run(command, name);
      ASSERT_EQ(result.exit_code, 0) << command[0] << ": " << result.err;
      EXPECT_EQ(xml_complaint(read_file(directory_ / name)), "");
      std::filesystem::remove(directory_ / name);
    }
  }
  write_file(directory_ / bad_name, read_file(directory_ / "x.f32"));
  ASSERT_EQ(run({"fft", bad_name, "--dtype", "f32"}, "p.svg").exit_code, 0);
  EXPECT_EQ(xml_complaint(read_file(directory_ / "p.svg")), "");
  const char* const data = std::getenv("PHPC_DATA");
  ASSERT_NE(data, nullptr) << "PHPC_DATA is not set: it names the data folder; ctest sets it";
  std::filesystem::copy(std::string(data) + "/batch", directory_ / (bad_name + "2"), std::filesystem::copy_options::recursive);
  const ProgramResult result = run({"batch", bad_name + "2", "-o", "x.npy"}, "p.svg");
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(xml_complaint(read_file(directory_ / "p.svg")), "");
}

TEST_F(PlotOption, TheSameInputIsTheSamePicture) {
  for (const std::size_t number : {0, 2, 3}) {  // the others measure times
    const std::vector<std::string> command = commands()[number];
    ASSERT_EQ(run(command, "first.svg").exit_code, 0);
    ASSERT_EQ(run(command, "second.svg").exit_code, 0);
    EXPECT_EQ(read_file(directory_ / "first.svg"), read_file(directory_ / "second.svg")) << command[0];
  }
}

}  // namespace
}  // namespace phpc::test
