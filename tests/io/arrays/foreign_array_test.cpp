#include "io/arrays/foreign_array.hpp"

#include <gtest/gtest.h>

#include "phpc/core/error.hpp"
#include "phpc/io/array_reader.hpp"
#include "support/array_files.hpp"
#include "support/temporary_directory.hpp"

namespace phpc::io {
namespace {

class ForeignArray : public testing::Test {
 protected:
  /// What open_array says of a file of that name and content.
  std::string message(const std::string& name, const std::string& content) {
    const std::string path = directory_ / name;
    test::write_file(path, content);
    try {
      open_array(path, std::nullopt);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::input);
      EXPECT_TRUE(std::string(error.what()).starts_with("'" + path + "' ")) << error.what();
      return error.what();
    }
    ADD_FAILURE() << name << " was accepted";
    return "";
  }

  void expect_advice(const std::string& name, const std::string& content, const std::string& advice) {
    const std::string text = message(name, content);
    EXPECT_NE(text.find(advice), std::string::npos) << name << ": " << text;
    EXPECT_EQ(text.find('\n'), std::string::npos) << text;
  }

  test::TemporaryDirectory directory_;
};

TEST_F(ForeignArray, IsKnownByItsFirstBytes) {
  const std::string rest(100, '\x07');
  expect_advice("a.npz", "PK\x03\x04" + rest, "numpy.save('x.npy', numpy.load('" + (directory_ / "a.npz") + "')['NAME'])");
  expect_advice("a.npy.gz", "\x1f\x8b\x08" + rest, "gzip -dc");
  expect_advice("a.npy.bz2", "BZh9" + rest, "bzip2 -dc");
  expect_advice("a.npy.xz", std::string("\xfd") + "7zXZ" + rest, "xz -dc");
  expect_advice("a.npy.zst", "\x28\xb5\x2f\xfd" + rest, "zstd -dc");
  expect_advice("a.h5", "\x89HDF\r\n\x1a\n" + rest, "h5py.File");
  expect_advice("a.mat", "\x89HDF\r\n\x1a\n" + rest, "h5py.File");
  expect_advice("a.mat", "MATLAB 5.0 MAT-file, Platform: GLNXA64" + rest, "scipy.io.loadmat");
  expect_advice("a.mtx", "%%MatrixMarket matrix array real general\n1 1\n1\n", "portable-hpc batch");
  expect_advice("a.flac", "fLaC" + rest, "ffmpeg -i");
  expect_advice("a.part", "phpc-part 1 " + rest, "portable-hpc merge");
  expect_advice("without-suffix", "\x1f\x8b\x08" + rest, "gzip -dc");
}

TEST_F(ForeignArray, IsKnownByItsNameWhereBytesSayNothing) {
  const std::string noise("\x01\x80\xff\x00\x03\x04\x05\x06", 8);
  expect_advice("radio.iq", noise, "--dtype ci16");
  expect_advice("radio.cf32", noise, "--dtype c64");
  expect_advice("radio.F64", noise, "--dtype f64");
  expect_advice("radio.raw", noise, "--dtype f32");
  expect_advice("radio.xyz", noise, "no .npy file (it does not begin with \\x93NUMPY)");
  expect_advice("radio.xyz", noise, "--dtype");
}

TEST_F(ForeignArray, OfTextIsATable) {
  expect_advice("a.csv", "time,volt\n0,1\n", "delimiter=','");
  expect_advice("a.csv", "0;1\n2;3\n", "delimiter=';'");
  expect_advice("a.txt", "0.5 1e-3\n-2 3\n", "numpy.loadtxt('" + (directory_ / "a.txt") + "', delimiter=None)");
  expect_advice("a", "1\t2\n3\t4\n", "delimiter='\\t'");
  EXPECT_EQ(message("a.xyz", "hello, world").find("loadtxt"), std::string::npos);
}

TEST_F(ForeignArray, AnEmptyFileIsEmpty) {
  EXPECT_NE(message("a.iq", "").find("is empty"), std::string::npos);
}

}  // namespace
}  // namespace phpc::io
