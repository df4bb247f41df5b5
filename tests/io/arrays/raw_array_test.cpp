#include <gtest/gtest.h>

#include "phpc/core/error.hpp"
#include "phpc/io/array_reader.hpp"
#include "support/array_files.hpp"
#include "support/temporary_directory.hpp"

namespace phpc::io {
namespace {

using test::bytes_of;
using test::read_all;

class RawArray : public testing::Test {
 protected:
  ArrayReader open(const std::string& content, const RawFormat& format) {
    test::write_file(directory_ / "raw", content);
    return open_raw(directory_ / "raw", format);
  }
  /// The kind of the error that opening gives, and its message.
  std::pair<ErrorKind, std::string> error_of(const std::string& content, const RawFormat& format) {
    try {
      open(content, format);
    } catch (const Error& error) {
      return {error.kind(), error.what()};
    }
    ADD_FAILURE() << "no error";
    return {};
  }
  test::TemporaryDirectory directory_;
};

TEST_F(RawArray, EachTypeBecomesWhatItShould) {
  EXPECT_EQ(read_all<float>(open(bytes_of<float>({1, 2}), {.dtype = "f32"})), (std::vector<float>{1, 2}));
  EXPECT_EQ(read_all<double>(open(bytes_of<double>({1, 2}), {.dtype = "f64"})), (std::vector<double>{1, 2}));
  EXPECT_EQ(read_all<Complex<float>>(open(bytes_of<float>({1, 2}), {.dtype = "c64"})), (std::vector<Complex<float>>{{1, 2}}));
  EXPECT_EQ(read_all<Complex<double>>(open(bytes_of<double>({1, 2}), {.dtype = "c128"})), (std::vector<Complex<double>>{{1, 2}}));
  EXPECT_EQ(read_all<double>(open(bytes_of<std::int16_t>({-1, 2}), {.dtype = "i16"})), (std::vector<double>{-1, 2}));
  EXPECT_EQ(read_all<Complex<double>>(open(bytes_of<std::int16_t>({-1, 2}), {.dtype = "ci16"})),
            (std::vector<Complex<double>>{{-1, 2}}));
  EXPECT_EQ(read_all<double>(open(bytes_of<std::int16_t>({-300, 2}, std::endian::big), {.dtype = ">i16"})),
            (std::vector<double>{-300, 2}));
  for (const std::string& dtype : raw_dtypes()) {
    EXPECT_EQ(open("", {.dtype = dtype}).shape(), std::vector<index_t>{0}) << dtype;
  }
}

TEST_F(RawArray, NamesOfOtherProgramsAreUnderstood) {
  const auto type_of = [&](const std::string& dtype) { return open("", {.dtype = dtype}).type(); };
  for (const std::string name : {"complex64", "cf32", "fc32", "Complex64", "<complex64", ">c64"}) {
    EXPECT_EQ(type_of(name), NpyType::complex64) << name;
  }
  for (const std::string name : {"complex128", "cf64", "int8", "cs8"}) {
    EXPECT_EQ(type_of(name), name == "int8" ? NpyType::float64 : NpyType::complex128) << name;
  }
  for (const std::string name : {"float32", "float", "single", "float16", "half", "f16"}) {
    EXPECT_EQ(type_of(name), NpyType::float32) << name;
  }
  for (const std::string name :
       {"float64", "double", "int16", "int24", "int32", "int64", "uint8", "uint16", "uint32", "uint64"}) {
    EXPECT_EQ(type_of(name), NpyType::float64) << name;
  }
  EXPECT_EQ(read_all<double>(open(bytes_of<std::int64_t>({-7, 8}), {.dtype = "int64"})), (std::vector<double>{-7, 8}));
  EXPECT_EQ(read_all<double>(open(bytes_of<std::uint16_t>({65535}, std::endian::big), {.dtype = ">uint16"})),
            (std::vector<double>{65535}));
  EXPECT_EQ(read_all<Complex<double>>(open(bytes_of<std::int16_t>({-1, 2}), {.dtype = "sc16"})),
            (std::vector<Complex<double>>{{-1, 2}}));
  EXPECT_EQ(read_all<float>(open(bytes_of<std::uint16_t>({0x3c00, 0xc000}), {.dtype = "float16"})), (std::vector<float>{1, -2}));
  EXPECT_EQ(error_of("", {.dtype = "quad"}).first, ErrorKind::usage);
}

TEST_F(RawArray, ShapesAreCompleted) {
  const std::string six = bytes_of<float>({0, 1, 2, 3, 4, 5});
  EXPECT_EQ(open(six, {.dtype = "f32"}).shape(), (std::vector<index_t>{6}));
  EXPECT_EQ(open(six, {.dtype = "f32", .shape = {-1, 2}}).shape(), (std::vector<index_t>{3, 2}));
  EXPECT_EQ(open(six, {.dtype = "f32", .shape = {3, -1}}).shape(), (std::vector<index_t>{3, 2}));
  EXPECT_EQ(open(six, {.dtype = "f32", .shape = {2, 3}}).shape(), (std::vector<index_t>{2, 3}));
}

TEST_F(RawArray, PipesOfUnknownLengthAreHeld) {
  const test::FeedingPipe pipe(directory_ / "pipe", bytes_of<float>({0, 1, 2, 3}));
  ArrayReader reader = open_raw(directory_ / "pipe", {.dtype = "f32", .shape = {-1, 2}});
  EXPECT_EQ(reader.shape(), (std::vector<index_t>{2, 2}));
  EXPECT_EQ(read_all<float>(std::move(reader), 3), (std::vector<float>{0, 1, 2, 3}));
}

TEST_F(RawArray, FilesOfOtherFormatsAreRefused) {
  EXPECT_EQ(error_of("\x93NUMPY\x01 and more", {.dtype = "f32"}).first, ErrorKind::input);
  EXPECT_EQ(error_of("RIFF and more of it", {.dtype = "i16"}).first, ErrorKind::input);
}

TEST_F(RawArray, WhatDoesNotFitIsAnError) {
  EXPECT_EQ(error_of("", {.dtype = "f24"}).first, ErrorKind::usage);
  EXPECT_NE(error_of("", {.dtype = ""}).second.find("f32, f64, c64"), std::string::npos);
  EXPECT_EQ(error_of("", {.dtype = "f32", .shape = {-1, -1}}).first, ErrorKind::usage);
  EXPECT_EQ(error_of("", {.dtype = "f32", .shape = {-2}}).first, ErrorKind::usage);
  EXPECT_NE(error_of("12345", {.dtype = "f32"}).second.find("5 bytes"), std::string::npos);
  EXPECT_NE(error_of("12345678", {.dtype = "f32", .shape = {-1, 3}}).second.find("does not divide"), std::string::npos);
  EXPECT_NE(error_of("12345678", {.dtype = "f32", .shape = {-1, 0}}).second.find("does not divide"), std::string::npos);
  EXPECT_NE(error_of("12345678", {.dtype = "f32", .shape = {3}}).second.find("8 of 12 bytes"), std::string::npos);
  EXPECT_NE(error_of("", {.dtype = "c128", .shape = {1LL << 31, 1LL << 31}}).second.find("too large"), std::string::npos);
  EXPECT_NE(error_of("", {.dtype = "c128", .shape = {-1, 1LL << 31, 1LL << 31}}).second.find("too large"), std::string::npos);
  EXPECT_THROW(read_all<float>(open("12345678", {.dtype = "f32", .shape = {1}})), Error) << "a file that goes on";
}

}  // namespace
}  // namespace phpc::io
