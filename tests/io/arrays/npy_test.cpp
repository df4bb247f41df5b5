#include "phpc/io/npy.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <limits>
#include <tuple>

#include "phpc/core/error.hpp"
#include "support/array_files.hpp"
#include "support/temporary_directory.hpp"

namespace phpc::io {
namespace {

using test::bytes_of;
using test::TemporaryDirectory;
using test::write_file;

/// A .npy file put together by hand: magic, version, header text as given, elements.
std::string npy_file(int version, const std::string& header, const std::string& elements) {
  std::string file = "\x93NUMPY";
  file += static_cast<char>(version);
  file += '\0';
  for (int byte = 0; byte < (version == 1 ? 2 : 4); ++byte) {
    file += static_cast<char>(header.size() >> (8 * byte) & 0xff);
  }
  return file + header + elements;
}

template <class T>
std::vector<T> to_vector(const NpyArray& array) {
  const auto values = array.values<T>();
  return {values.begin(), values.end()};
}

class Npy : public testing::Test {
 protected:
  NpyArray read(const std::string& content) {
    const std::string path = directory_ / "array.npy";
    write_file(path, content);
    return read_npy(path);
  }

  /// The message of the error that reading gives; it must be of kind input.
  std::string error_of(const std::string& content) {
    try {
      read(content);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::input) << error.what();
      return error.what();
    }
    ADD_FAILURE() << "no error";
    return "";
  }

  TemporaryDirectory directory_;
};

TEST_F(Npy, ReadsWhatNumPyWrites) {
  const std::string header = "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }";
  for (const int version : {1, 2, 3}) {
    const NpyArray array = read(npy_file(version, header + std::string(20, ' ') + "\n", bytes_of<double>({1, 2, 3, 4, 5, 6})));
    EXPECT_EQ(array.type(), NpyType::float64);
    EXPECT_EQ(array.shape(), (std::vector<index_t>{2, 3}));
    EXPECT_EQ(to_vector<double>(array), (std::vector<double>{1, 2, 3, 4, 5, 6}));
  }
}

TEST_F(Npy, ReadsBothByteOrders) {
  const std::vector<float> values{1.5F, -2, 3e-20F, std::numeric_limits<float>::infinity()};
  const std::string rest = "'fortran_order': False, 'shape': (2,)}";
  const NpyArray big = read(npy_file(1, "{'descr': '>c8', " + rest, bytes_of(values, std::endian::big)));
  const NpyArray little = read(npy_file(1, "{'descr': '<c8', " + rest, bytes_of(values, std::endian::little)));
  for (const NpyArray* const array : {&big, &little}) {
    EXPECT_EQ(array->type(), NpyType::complex64);
    EXPECT_EQ(array->values<Complex<float>>()[0], (Complex<float>{1.5F, -2}));
    EXPECT_EQ(array->values<Complex<float>>()[1], (Complex<float>{3e-20F, std::numeric_limits<float>::infinity()}));
  }
}

TEST_F(Npy, ReadsFortranOrder) {
  // Element (i, j, k) has the value 100 i + 10 j + k; the first axis runs fastest in the file.
  std::vector<double> stored;
  for (int k = 0; k < 4; ++k) {
    for (int j = 0; j < 3; ++j) {
      for (int i = 0; i < 2; ++i) {
        stored.push_back(100 * i + 10 * j + k);
      }
    }
  }
  const NpyArray array = read(npy_file(1, "{'descr': '<f8', 'fortran_order': True, 'shape': (2, 3, 4)}", bytes_of(stored)));
  std::size_t at = 0;
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 3; ++j) {
      for (int k = 0; k < 4; ++k) {
        EXPECT_EQ(array.values<double>()[at++], 100 * i + 10 * j + k);
      }
    }
  }
}

TEST_F(Npy, IntegersAndBooleansBecomeDoubles) {
  const std::string rest = ", 'fortran_order': False, 'shape': (2,)}";
  EXPECT_EQ(to_vector<double>(read(npy_file(1, "{'descr': '|b1'" + rest, std::string("\1\0", 2)))), (std::vector<double>{1, 0}));
  EXPECT_EQ(to_vector<double>(read(npy_file(1, "{'descr': '|i1'" + rest, "\xff\x02"))), (std::vector<double>{-1, 2}));
  EXPECT_EQ(to_vector<double>(read(npy_file(1, "{'descr': '|u1'" + rest, "\xff\x02"))), (std::vector<double>{255, 2}));
  EXPECT_EQ(to_vector<double>(read(npy_file(1, "{'descr': '>i2'" + rest, bytes_of<std::int16_t>({-300, 7}, std::endian::big)))),
            (std::vector<double>{-300, 7}));
  EXPECT_EQ(to_vector<double>(read(npy_file(1, "{'descr': '<u4'" + rest, bytes_of<std::uint32_t>({4000000000U, 1})))),
            (std::vector<double>{4e9, 1}));
  EXPECT_EQ(to_vector<double>(read(npy_file(1, "{'descr': '<i8'" + rest, bytes_of<std::int64_t>({-(1LL << 40), 1})))),
            (std::vector<double>{-1099511627776.0, 1}));
}

TEST_F(Npy, ReadsHeadersThatOthersWrite) {
  // Any order of keys, either quote, no trailing commas, the L of Python 2.
  const NpyArray array =
      read(npy_file(1, "{\"shape\":(2L,1),\"fortran_order\":False,\"descr\":\"<f4\"}\n", bytes_of<float>({1, 2})));
  EXPECT_EQ(array.shape(), (std::vector<index_t>{2, 1}));
  EXPECT_EQ(array.type(), NpyType::float32);
}

TEST_F(Npy, ReadsEmptyAndZeroDimensionalArrays) {
  const NpyArray empty = read(npy_file(1, "{'descr': '<f8', 'fortran_order': True, 'shape': (0, 5)}", ""));
  EXPECT_EQ(empty.size(), 0);
  EXPECT_EQ(empty.shape(), (std::vector<index_t>{0, 5}));
  const NpyArray number = read(npy_file(1, "{'descr': '<f8', 'fortran_order': False, 'shape': ()}", bytes_of<double>({7})));
  EXPECT_EQ(number.size(), 1);
  EXPECT_TRUE(number.shape().empty());
}

TEST_F(Npy, BadFilesAreErrors) {
  const std::string good = "{'descr': '<f8', 'fortran_order': False, 'shape': (2,)}";
  const std::string elements = bytes_of<double>({1, 2});
  EXPECT_NE(error_of("").find("is empty"), std::string::npos);
  EXPECT_NE(error_of("hello, world").find("no .npy file"), std::string::npos);
  EXPECT_NE(error_of("\x93NUM").find("no .npy file"), std::string::npos);
  EXPECT_NE(error_of(npy_file(9, good, elements)).find("version 9"), std::string::npos);
  EXPECT_NE(error_of(npy_file(1, good, elements).substr(0, 30)).find("cut short"), std::string::npos);
  EXPECT_NE(error_of(npy_file(1, good, elements.substr(1))).find("15 of 16 bytes"), std::string::npos);
  EXPECT_NE(error_of(npy_file(1, good, elements + "x")).find("goes on"), std::string::npos);
  for (const std::string descr : {"<f3", "<f16", "<U3", "|O", "<M8", "f8", "", "<c4", "<i3", "|b8"}) {
    const std::string header = "{'descr': '" + descr + "', 'fortran_order': False, 'shape': (2,)}";
    EXPECT_NE(error_of(npy_file(1, header, elements)).find("elements of type"), std::string::npos) << descr;
  }
  EXPECT_NE(error_of(npy_file(1, "{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (2,)}", elements)).find("records"),
            std::string::npos);
}

TEST_F(Npy, MalformedHeadersAreErrors) {
  for (const std::string header :
       {"", "{", "{}", "{'descr': '<f8'}", "{'descr': '<f8', 'fortran_order': False, 'shape': 2}",
        "{'descr': '<f8', 'fortran_order': 0, 'shape': (2,)}", "{'descr': '<f8', 'fortran_order': False, 'shape': (-2,)}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (2.5,)}", "{'descr': '<f8', 'fortran_order': False, 'shape': (2",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999999999999,)}",
        "{'descr': '<f8, 'fortran_order': False, 'shape': (2,)}", "{'descr': '<f8', 'fortran_order': False, 'shape': (2,)} x",
        "{'descr': '<f8' 'fortran_order': False, 'shape': (2,)}", "{'descr': '<f8', 'fortran_order': False, 'shape': (2 3)}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (2,), 'more': 1}"}) {
    EXPECT_NE(error_of(npy_file(1, header, bytes_of<double>({1, 2}))).find("malformed"), std::string::npos) << header;
  }
}

TEST_F(Npy, HugeShapesAreErrorsBeforeMemoryIsTaken) {
  const auto header = [](const std::string& shape) {
    return "{'descr': '<f8', 'fortran_order': False, 'shape': (" + shape + ",)}";
  };
  EXPECT_NE(error_of(npy_file(1, header("4611686018427387904, 4"), "")).find("too large"), std::string::npos);
  EXPECT_NE(error_of(npy_file(1, header("1152921504606846975"), "12345678")).find("cut short"), std::string::npos);
  EXPECT_EQ(read(npy_file(1, header("4611686018427387904, 4611686018427387904, 0"), "")).size(), 0);
  const auto ones = [](int axes) {
    std::string lengths = "1";
    for (int axis = 1; axis < axes; ++axis) {
      lengths += ", 1";
    }
    return lengths;
  };
  EXPECT_EQ(read(npy_file(1, header(ones(64)), std::string(8, 0))).size(), 1);
  EXPECT_NE(error_of(npy_file(1, header(ones(65)), std::string(8, 0))).find("a shape of 65 axes"), std::string::npos);
}

TEST_F(Npy, MissingFilesAndDirectoriesAreErrorsOfTheSystem) {
  for (const std::string& path : {directory_.path().string(), directory_ / "absent.npy"}) {
    try {
      read_npy(path);
      ADD_FAILURE() << path;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::io);
      EXPECT_NE(std::string(error.what()).find(path), std::string::npos);
    }
  }
}

TEST_F(Npy, WritesTheHeaderOfNumPy) {
  const std::vector<index_t> shape{3, 5, 360};
  const std::string header = npy_header(NpyType::complex64, shape);
  const std::string text = "{'descr': '<c8', 'fortran_order': False, 'shape': (3, 5, 360), }";
  EXPECT_EQ(header, std::string("\x93NUMPY\x01\x00\x76\x00", 10) + text + std::string(117 - text.size(), ' ') + "\n");
  EXPECT_NE(npy_header(NpyType::float32, std::vector<index_t>{7}).find("'shape': (7,), }"), std::string::npos);
  EXPECT_NE(npy_header(NpyType::float64, {}).find("'shape': (), }"), std::string::npos);
  // Any rank keeps the elements aligned; beyond 64 KiB of header the version is 2.
  for (const std::size_t rank : {1U, 20U, 40U, 30000U}) {
    const std::string long_header = npy_header(NpyType::complex128, std::vector<index_t>(rank, 1));
    EXPECT_EQ(long_header.size() % 64, 0U);
    EXPECT_EQ(long_header.back(), '\n');
    EXPECT_EQ(long_header[6], rank < 1000 ? 1 : 2);
  }
}

TEST_F(Npy, WhatIsWrittenReadsBackTheSame) {
  for (const NpyType type : {NpyType::float32, NpyType::float64, NpyType::complex64, NpyType::complex128}) {
    NpyArray array(type, {3, 0x20});
    for (std::size_t i = 0; i < array.bytes().size(); ++i) {
      array.bytes()[i] = static_cast<std::byte>(i * 37);
    }
    const std::string path = directory_ / "written.npy";
    OutputFile out(path);
    write_npy(out, array);
    out.commit();
    const NpyArray back = read_npy(path);
    EXPECT_EQ(back.type(), type);
    EXPECT_EQ(back.shape(), array.shape());
    EXPECT_EQ(std::memcmp(back.bytes().data(), array.bytes().data(), array.bytes().size()), 0) << to_string(type);
  }
}

}  // namespace
}  // namespace phpc::io
