#include "phpc/io/matrix_market.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "phpc/core/error.hpp"
#include "support/temporary_directory.hpp"

namespace phpc::io {
namespace {

class MatrixMarket : public testing::Test {
 protected:
  CsrMatrix read(const std::string& text) {
    test::write_file(path_, text);
    return read_matrix_market(path_);
  }
  std::vector<double> read_vector(const std::string& text) {
    test::write_file(path_, text);
    return read_matrix_market_vectors(path_, 3).values;
  }
  /// The message, from which the path is taken away: ":3: ...".
  std::string refusal(const std::string& text) {
    try {
      read(text);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::input);
      const std::string message = error.what();
      EXPECT_EQ(message.find(path_), 0U) << message;
      EXPECT_EQ(message.find('\n'), std::string::npos);
      return message.substr(path_.size());
    }
    return "no error";
  }
  void expect_refusal(const std::string& text, const std::string& start) {
    const std::string message = refusal(text);
    EXPECT_EQ(message.substr(0, start.size()), start) << "for:\n" << text << "\nmessage: " << message;
  }

  test::TemporaryDirectory directory_;
  std::string path_ = directory_ / "a.mtx";
};

using Offsets = std::vector<std::int32_t>;
using Values = std::vector<double>;

TEST_F(MatrixMarket, CoordinateRealGeneral) {
  const CsrMatrix matrix =
      read("%%MatrixMarket matrix coordinate real general\n% a comment\n3 4 4\n3 1 1.5\n1 4 -2\n1 2 3e-7\n2 2 0\n");
  EXPECT_EQ(matrix.rows, 3);
  EXPECT_EQ(matrix.columns, 4);
  EXPECT_EQ(matrix.row_offsets, (Offsets{0, 2, 3, 4}));
  EXPECT_EQ(matrix.column_indices, (Offsets{1, 3, 1, 0})) << "a zero in the file is an entry";
  EXPECT_EQ(matrix.values, (Values{3e-7, -2, 0, 1.5}));
}

TEST_F(MatrixMarket, AnyCaseCrLfBlankLinesTabsPlusAndNoLastNewline) {
  const CsrMatrix matrix =
      read("%%matrixmarket MATRIX Coordinate Integer GENERAL\r\n%\r\n\r\n  2\t2 2\r\n\r\n1 1  +4\r\n% late comment\r\n 2 2 -5");
  EXPECT_EQ(matrix.values, (Values{4, -5}));
}

TEST_F(MatrixMarket, PatternEntriesAreOne) {
  const CsrMatrix matrix = read("%%MatrixMarket matrix coordinate pattern symmetric\n3 3 3\n1 1\n2 1\n3 2\n");
  EXPECT_EQ(matrix.row_offsets, (Offsets{0, 2, 4, 5}));
  EXPECT_EQ(matrix.column_indices, (Offsets{0, 1, 0, 2, 1}));
  EXPECT_EQ(matrix.values, (Values{1, 1, 1, 1, 1}));
}

TEST_F(MatrixMarket, SymmetricAndSkew) {
  EXPECT_EQ(read("%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 3\n2 1 4\n").values, (Values{3, 4, 4}));
  const CsrMatrix skew = read("%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 1 4\n");
  EXPECT_EQ(skew.values, (Values{-4, 4}));
  EXPECT_EQ(skew.column_indices, (Offsets{1, 0}));
}

TEST_F(MatrixMarket, Arrays) {
  const CsrMatrix general = read("%%MatrixMarket matrix array real general\n2 3\n1\n2\n3\n4\n5\n6\n");
  EXPECT_EQ(general.values, (Values{1, 3, 5, 2, 4, 6})) << "the file goes by columns";
  EXPECT_EQ(general.row_offsets, (Offsets{0, 3, 6}));
  EXPECT_EQ(read("%%MatrixMarket matrix array integer symmetric\n2 2\n1\n2\n3\n").values, (Values{1, 2, 2, 3}));
  EXPECT_EQ(read("%%MatrixMarket matrix array real skew-symmetric\n3 3\n1\n2\n3\n").values, (Values{-1, -2, 1, -3, 2, 3}));
}

TEST_F(MatrixMarket, DuplicatesAreSummedWhateverTheirOrder) {
  const std::string head = "%%MatrixMarket matrix coordinate real general\n2 2 5\n";
  const CsrMatrix one = read(head + "1 1 1\n1 1 1e16\n1 1 1\n2 2 1\n1 1 -1e16\n");
  const CsrMatrix other = read(head + "1 1 -1e16\n2 2 1\n1 1 1\n1 1 1e16\n1 1 1\n");
  EXPECT_EQ(one.column_indices, (Offsets{0, 1}));
  EXPECT_EQ(one.values, other.values);
  EXPECT_EQ(read("%%MatrixMarket matrix coordinate pattern general\n1 1 2\n1 1\n1 1\n").values, (Values{2}));
  expect_refusal("%%MatrixMarket matrix coordinate real general\n1 1 2\n1 1 1e308\n1 1 1e308\n", ": the sum");
}

TEST_F(MatrixMarket, NumbersAtTheEdges) {
  const CsrMatrix matrix = read(
      "%%MatrixMarket matrix coordinate real general\n1 4 4\n1 1 1e-400\n1 2 4.9406564584124654e-324\n1 3 "
      "1.7976931348623157e308\n1 4 -0\n");
  EXPECT_EQ(matrix.values[0], 0);
  EXPECT_EQ(matrix.values[1], std::numeric_limits<double>::denorm_min());
  EXPECT_EQ(matrix.values[2], std::numeric_limits<double>::max());
  EXPECT_TRUE(std::signbit(matrix.values[3]));
}

TEST_F(MatrixMarket, MalformedHeaders) {
  expect_refusal("", ":1: the file is empty");
  expect_refusal("\n", ":1: no MatrixMarket header");
  expect_refusal("3 3 1\n1 1 1\n", ":1: no MatrixMarket header");
  expect_refusal("%%MatrixMarket matrix coordinate real\n1 1 0\n", ":1: the header is not");
  expect_refusal("%%MatrixMarket vector coordinate real general\n1 1 0\n", ":1: the header is not");
  expect_refusal("%%MatrixMarket matrix sparse real general\n1 1 0\n", ":1: 'sparse'");
  expect_refusal("%%MatrixMarket matrix coordinate quaternion general\n1 1 0\n", ":1: field 'quaternion'");
  expect_refusal("%%MatrixMarket matrix array pattern general\n1 1\n", ":1: field 'pattern'");
  expect_refusal("%%MatrixMarket matrix coordinate real hermitian\n1 1 0\n", ":1: symmetry 'hermitian'");
  expect_refusal("%%MatrixMarket matrix coordinate pattern skew-symmetric\n1 1 0\n", ":1: symmetry");
}

TEST_F(MatrixMarket, MalformedSizes) {
  const std::string head = "%%MatrixMarket matrix coordinate real general\n";
  expect_refusal(head, ":1: the file ends before its size line");
  expect_refusal(head + "% only\n\n", ":3: the file ends before its size line");
  expect_refusal(head + "2 2\n", ":2: no number of entries");
  expect_refusal(head + "2 2 1 1\n", ":2: '1' follows");
  expect_refusal(head + "2 x 1\n", ":2: 'x' is no number of columns");
  expect_refusal(head + "2 2.5 1\n", ":2: '2.5' is no");
  expect_refusal(head + "-2 2 1\n", ":2: number of rows -2 is outside");
  expect_refusal(head + "2 2147483648 1\n", ":2: number of columns 2147483648 is outside");
  expect_refusal(head + "2 99999999999999999999 1\n", ":2: '99999999999999999999' is no");
  expect_refusal(head + "2147483647 2147483647 0\n", ":2: 2147483647 rows and 0 entries: rows without any");
  expect_refusal(head + "300000000 1 1\n1 1 1\n", ":2: 300000000 rows and 1 entries");
  expect_refusal(head + "1025 1025 1\n1 1 1\n", ":2: 1025 rows and 1 entries");
  expect_refusal("%%MatrixMarket matrix array real general\n2147483647 0\n", ":2: 2147483647 rows and 0 entries");
  EXPECT_EQ(read(head + "1024 1024 1\n1 1 1\n").row_offsets.size(), 1025U) << "few rows may be empty";
  expect_refusal(head + "2 2 2000000000\n1 1 1\n", ":2: 2000000000 entries declared, more than a file of");
  expect_refusal("%%MatrixMarket matrix array real general\n2000000000 2000000000\n1\n", ":2: 4000000000000000000 entries");
  expect_refusal("%%MatrixMarket matrix coordinate real symmetric\n2 3 1\n1 1 1\n", ":2: a symmetric matrix of 2 x 3");
}

TEST_F(MatrixMarket, MalformedEntries) {
  const std::string head = "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1\n";
  expect_refusal(head, ":3: the file ends after 1 of the 2 entries");
  expect_refusal(head + "2 2 1\n1 2 1\n", ":5: more entries than the 2 declared");
  expect_refusal(head + "2 2 1 1\n", ":4: '1' follows");
  expect_refusal(head + "2 2\n", ":4: no value");
  expect_refusal(head + "2\n", ":4: no column");
  expect_refusal(head + "2 two 1\n", ":4: 'two' is no column");
  expect_refusal(head + "2 2 1.0x\n", ":4: '1.0x' is no number");
  expect_refusal(head + "2 2 1,5\n", ":4: '1,5' is no number");
  expect_refusal(head + "2 2 +-1\n", ":4: '+-1' is no number");
  expect_refusal(head + "2 2 nan\n", ":4: 'nan' is not finite");
  expect_refusal(head + "2 2 -inf\n", ":4: '-inf' is not finite");
  expect_refusal(head + "2 2 1e400\n", ":4: '1e400' is beyond the range");
  expect_refusal(head + "0 2 1\n", ":4: entry (0, 2) is outside");
  expect_refusal(head + "2 3 1\n", ":4: entry (2, 3) is outside");
  expect_refusal(head + "2 -1 1\n", ":4: entry (2, -1) is outside");
  expect_refusal(head + std::string("2 2 1\0\n", 7), ":4: ");
  expect_refusal("%%MatrixMarket matrix coordinate integer general\n1 1 1\n1 1 1.5\n", ":3: '1.5' is no integer");
  expect_refusal("%%MatrixMarket matrix coordinate pattern general\n1 1 1\n1 1 1\n", ":3: '1' follows");
  expect_refusal("%%MatrixMarket matrix coordinate real symmetric\n2 2 1\n1 2 1\n", ":3: entry (1, 2) is above the diagonal");
  expect_refusal("%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n1 1 1\n", ":3: entry (1, 1) is on the diagonal");
  expect_refusal("%%MatrixMarket matrix array real general\n2 1\n1\n", ":3: the file ends after 1 of the 2 values");
  expect_refusal("%%MatrixMarket matrix array real general\n1 1\n1 2\n", ":3: '2' follows");
}

// Whatever is cut out of or changed in a good file: a matrix or one clear error.
TEST_F(MatrixMarket, NoDamageCrashes) {
  const std::string good = "%%MatrixMarket matrix coordinate real symmetric\n% c\n3 3 4\n1 1 1.5\n2 2 2e3\n3 1 -1\n3 3 4\n";
  constexpr unsigned seed = 7;
  std::mt19937_64 random(seed);
  for (int turn = 0; turn < 1000; ++turn) {
    std::string text = good;
    const std::size_t place = random() % text.size();
    switch (random() % 3) {
      case 0:
        text.resize(place);
        break;
      case 1:
        text.erase(place, 1 + random() % 5);
        break;
      default:
        text[place] = static_cast<char>(random());
    }
    static_cast<void>(refusal(text));
  }
}

TEST_F(MatrixMarket, WhatCannotBeReadIsAnIoError) {
  for (const std::string& path : {directory_ / "absent.mtx", directory_.path().string()}) {
    try {
      read_matrix_market(path);
      ADD_FAILURE() << path;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::io);
      EXPECT_NE(std::string(error.what()).find(path), std::string::npos);
    }
  }
}

TEST_F(MatrixMarket, Vectors) {
  EXPECT_EQ(read_vector("%%MatrixMarket matrix array real general\n3 1\n1\n2\n3\n"), (Values{1, 2, 3}));
  EXPECT_EQ(read_vector("%%MatrixMarket matrix coordinate real general\n3 1 1\n2 1 5\n"), (Values{0, 5, 0}));
  EXPECT_EQ(read_vector("%%MatrixMarket matrix array real general\n3 2\n1\n2\n3\n4\n5\n6\n"), (Values{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(read_vector("%%MatrixMarket matrix coordinate real general\n3 2 3\n2 1 5\n1 2 7\n1 2 1\n"),
            (Values{0, 5, 0, 8, 0, 0}));
  EXPECT_THROW(read_vector("%%MatrixMarket matrix array real general\n3 0\n"), Error);
  EXPECT_THROW(read_vector("%%MatrixMarket matrix coordinate real general\n3 2147483647 1\n1 1 1\n"), Error);
  EXPECT_THROW(read_vector("%%MatrixMarket matrix array real general\n1 2\n1\n2\n"), Error);
  EXPECT_THROW(read_vector("%%MatrixMarket matrix array real general\n2 1\n1\n2\n"), Error);
  EXPECT_THROW(read_vector("%%MatrixMarket matrix coordinate real general\n2147483647 1 0\n"), Error);
}

TEST_F(MatrixMarket, ComplexNumbers) {
  const CsrMatrix general =
      read("%%MatrixMarket matrix coordinate complex general\n2 2 4\n2 1 3 4\n1 1 1 -2\n2 2 0 0\n2 1 1 1\n");
  EXPECT_TRUE(general.is_complex);
  EXPECT_EQ(general.row_offsets, (std::vector<std::int32_t>{0, 1, 3}));
  EXPECT_EQ(general.values, (Values{1, -2, 4, 5, 0, 0})) << "entries given twice are summed";
  const CsrMatrix hermitian = read("%%MatrixMarket matrix coordinate complex hermitian\n2 2 2\n1 1 7 0\n2 1 3 4\n");
  EXPECT_EQ(hermitian.values, (Values{7, 0, 3, -4, 3, 4}));
  EXPECT_EQ(read("%%MatrixMarket matrix array complex hermitian\n2 2\n7 0\n3 4\n8 0\n").values,
            (Values{7, 0, 3, -4, 3, 4, 8, 0}));
  EXPECT_EQ(read("%%MatrixMarket matrix coordinate complex symmetric\n2 2 1\n2 1 3 4\n").values, (Values{3, 4, 3, 4}));
  EXPECT_EQ(read("%%MatrixMarket matrix coordinate complex skew-symmetric\n2 2 1\n2 1 3 4\n").values, (Values{-3, -4, 3, 4}));
  EXPECT_EQ(read_vector("%%MatrixMarket matrix coordinate complex general\n3 1 1\n2 1 5 6\n"), (Values{0, 0, 5, 6, 0, 0}));
  expect_refusal("%%MatrixMarket matrix coordinate complex general\n1 1 1\n1 1 3\n", ":3: no value");
  expect_refusal("%%MatrixMarket matrix coordinate complex general\n1 1 1\n1 1 3 inf\n", ":3: 'inf' is not finite");
  expect_refusal("%%MatrixMarket matrix coordinate complex hermitian\n1 1 1\n1 1 3 4\n", ":3: a diagonal element");
  expect_refusal("%%MatrixMarket matrix coordinate complex hermitian\n2 2 1\n1 2 3 4\n", ":3: entry (1, 2) is above");
  EXPECT_EQ(
      matrix_market_array_header(2, 1, MarketField::complex) + matrix_market_lines(Values{1, -2, 0.5, 0}, MarketField::complex),
      "%%MatrixMarket matrix array complex general\n2 1\n1 -2\n0.5 0\n");
}

TEST_F(MatrixMarket, WrittenArraysReadBackExactly) {
  const Values values{1.0 / 3, -0.0, 5e-324, 1.7976931348623157e308, 42, -1e-7};
  {
    OutputFile out(path_);
    write_matrix_market_array(out, 3, 2, values);
    out.commit();
  }
  const CsrMatrix matrix = read_matrix_market(path_);
  EXPECT_EQ(matrix.rows, 3);
  EXPECT_EQ(matrix.columns, 2);
  EXPECT_EQ(matrix.values, (Values{values[0], values[3], values[1], values[4], values[2], values[5]}));
}

}  // namespace
}  // namespace phpc::io
