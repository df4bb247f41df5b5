#include "phpc/io/array_reader.hpp"

#include <gtest/gtest.h>

#include "phpc/core/error.hpp"
#include "support/array_files.hpp"
#include "support/temporary_directory.hpp"

namespace phpc::io {
namespace {

using test::bytes_of;
using test::npy_bytes;
using test::read_all;

class ArrayReading : public testing::Test {
 protected:
  std::string file(const std::string& content) {
    const std::string path = directory_ / "array";
    test::write_file(path, content);
    return path;
  }
  test::TemporaryDirectory directory_;
};

/// 0, 1, 2, ...
std::vector<double> counting(std::size_t count) {
  std::vector<double> values(count);
  for (std::size_t i = 0; i < count; ++i) {
    values[i] = static_cast<double>(i);
  }
  return values;
}

TEST_F(ArrayReading, PartsOfAnySizeAreTheWhole) {
  const std::vector<double> values = counting(2 * 3 * 35);
  const std::string path =
      file(npy_bytes("{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3, 35)}", bytes_of(values, std::endian::little)));
  for (const std::size_t part : {0U, 1U, 7U, 35U, 209U, 1000U}) {
    EXPECT_EQ(read_all<double>(open_npy(path), part), values) << part;
  }
  EXPECT_TRUE(open_npy(path).is_sequential());
  EXPECT_EQ(open_npy(path).rate(), std::nullopt);
}

TEST_F(ArrayReading, IntegersAndSwappedElementsComeInParts) {
  // More elements than a block of the reader holds.
  const std::size_t count = 300001;
  std::vector<std::int32_t> stored(count);
  for (std::size_t i = 0; i < count; ++i) {
    stored[i] = static_cast<std::int32_t>(i);
  }
  const std::string path =
      file(npy_bytes("{'descr': '>i4', 'fortran_order': False, 'shape': (300001,)}", bytes_of(stored, std::endian::big)));
  EXPECT_EQ(read_all<double>(open_npy(path), 0), counting(count));
  EXPECT_EQ(read_all<double>(open_npy(path), 299999), counting(count));
}

TEST_F(ArrayReading, HalfPrecisionBecomesSingle) {
  for (const auto& [descr, order] : {std::pair{"<f2", std::endian::little}, std::pair{">f2", std::endian::big}}) {
    const std::string head = "{'descr': '" + std::string(descr) + "', 'fortran_order': False, 'shape': (2, 2)}";
    const ArrayReader reader = open_npy(file(npy_bytes(head, bytes_of<std::uint16_t>({0x3c00, 0xc000, 0x3800, 0}, order))));
    EXPECT_EQ(reader.type(), NpyType::float32);
    EXPECT_EQ(read_all<float>(open_npy(directory_ / "array"), 3), (std::vector<float>{1, -2, 0.5F, 0}));
  }
}

TEST_F(ArrayReading, FortranOrderComesInParts) {
  std::vector<double> stored;
  for (int k = 0; k < 5; ++k) {
    for (int j = 0; j < 3; ++j) {
      for (int i = 0; i < 4; ++i) {
        stored.push_back(i * 15 + j * 5 + k);
      }
    }
  }
  const std::string bytes =
      npy_bytes("{'descr': '<f8', 'fortran_order': True, 'shape': (4, 3, 5)}", bytes_of(stored, std::endian::little));
  const std::string path = file(bytes);
  EXPECT_FALSE(open_npy(path).is_sequential());
  for (const std::size_t part : {0U, 1U, 7U, 15U, 59U}) {
    EXPECT_EQ(read_all<double>(open_npy(path), part), counting(60)) << part;
  }
  {
    const test::FeedingPipe pipe(directory_ / "pipe", bytes);
    EXPECT_EQ(read_all<double>(open_npy(directory_ / "pipe")), counting(60)) << "a pipe that is read once";
  }
  const test::FeedingPipe pipe(directory_ / "pipe", bytes);
  EXPECT_THROW(read_all<double>(open_npy(directory_ / "pipe"), 15), Error) << "a pipe that would be read twice";
}

TEST_F(ArrayReading, FortranOrderOfOneLongAxisIsSequential) {
  const std::string path =
      file(npy_bytes("{'descr': '<f8', 'fortran_order': True, 'shape': (1, 4)}", bytes_of(counting(4), std::endian::little)));
  EXPECT_TRUE(open_npy(path).is_sequential());
  EXPECT_EQ(read_all<double>(open_npy(path), 3), counting(4));
}

TEST_F(ArrayReading, PipesComeInParts) {
  const std::vector<double> values = counting(100000);
  const test::FeedingPipe pipe(directory_ / "pipe", npy_bytes("{'descr': '<f8', 'fortran_order': False, 'shape': (100000,)}",
                                                              bytes_of(values, std::endian::little)));
  EXPECT_EQ(read_all<double>(open_array(directory_ / "pipe", {}), 999), values);
}

TEST_F(ArrayReading, PipesThatAreCutShortAreErrors) {
  const test::FeedingPipe pipe(directory_ / "pipe", npy_bytes("{'descr': '<f8', 'fortran_order': False, 'shape': (11,)}",
                                                              bytes_of(counting(10), std::endian::little)));
  try {
    read_all<double>(open_npy(directory_ / "pipe"), 4);
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    EXPECT_NE(std::string(error.what()).find("cut short"), std::string::npos) << error.what();
  }
}

TEST_F(ArrayReading, TellsFormatsApartByTheirFirstBytes) {
  EXPECT_EQ(open_array(file(test::wav_bytes({.samples = "abcd"})), {}).rate(), 8000);
  EXPECT_EQ(read_all<double>(open_array(file("NUMPY!"), RawFormat{.dtype = "u8"})).size(), 6U);
  EXPECT_THROW(open_array(file("text"), {}), Error);
  EXPECT_THROW(open_array(file(""), {}), Error);
}

TEST_F(ArrayReading, EmptyArraysAreFine) {
  const std::string path = file(npy_bytes("{'descr': '<f8', 'fortran_order': True, 'shape': (3, 0, 5)}", ""));
  EXPECT_EQ(open_npy(path).size(), 0);
  EXPECT_TRUE(read_all<double>(open_npy(path)).empty());
}

}  // namespace
}  // namespace phpc::io
