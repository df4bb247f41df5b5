#include "phpc/batch/matrix.hpp"

#include <gtest/gtest.h>

#include "phpc/core/error.hpp"

namespace phpc::batch {
namespace {

std::string message_of(const CsrPattern& pattern) {
  try {
    pattern.validate();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    return error.what();
  }
  return "";
}

TEST(CsrPattern, WellFormedOnesPass) {
  EXPECT_EQ(message_of({{0, 1}, {0}}), "");
  EXPECT_EQ(message_of({{0, 2, 2, 3}, {0, 2, 1}}), "") << "an empty row is a pattern";
  EXPECT_EQ(message_of({{0, 0}, {}}), "");
}

TEST(CsrPattern, MalformedOnesAreNamed) {
  EXPECT_NE(message_of({{}, {}}), "");
  EXPECT_NE(message_of({{0}, {}}), "");
  EXPECT_NE(message_of({{0, 1}, {0, 0}}), "");
  EXPECT_NE(message_of({{1, 1}, {0}}), "");
  EXPECT_NE(message_of({{0, 2, 1, 2}, {0, 1}}).find("descend"), std::string::npos);
  EXPECT_NE(message_of({{0, 9, 2}, {0, 1}}), "");
  EXPECT_NE(message_of({{0, 1}, {1}}).find("column 1 in row 0"), std::string::npos);
  EXPECT_NE(message_of({{0, 1}, {-1}}), "");
  EXPECT_NE(message_of({{0, 2, 2}, {1, 0}}), "") << "columns must ascend";
  EXPECT_NE(message_of({{0, 2, 2}, {1, 1}}), "") << "no duplicates";
}

TEST(CsrBatch, OneSetASystem) {
  const CsrBatch<double> batch({{0, 1, 2}, {0, 1}}, {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(batch.systems(), 3);
  EXPECT_EQ(batch.value_sets(), 3);
  EXPECT_EQ(batch.rows(), 2);
  EXPECT_EQ(batch.entries(), 2);
}

TEST(CsrBatch, FewSetsMakeManySystems) {
  const CsrBatch<double> batch({{0, 1, 2}, {0, 1}}, {1, 2, 3, 4}, 7);
  EXPECT_EQ(batch.systems(), 7);
  EXPECT_EQ(batch.value_sets(), 2);
  EXPECT_EQ(batch.view(5, 2).first_set, 1);
  EXPECT_EQ(batch.view(5, 2).systems, 2);
}

TEST(CsrBatch, NoSystemsAndNoEntries) {
  EXPECT_EQ(CsrBatch<double>({{0, 1}, {0}}, {}).systems(), 0);
  EXPECT_EQ(CsrBatch<double>({{0, 0}, {}}, {}, 5).systems(), 5) << "five matrices of zeros";
}

TEST(CsrBatch, WrongSizesAreErrors) {
  EXPECT_THROW(CsrBatch<double>({{0, 1, 2}, {0, 1}}, {1, 2, 3}), Error);
  EXPECT_THROW(CsrBatch<double>({{0, 1, 2}, {0, 1}}, {}, 3), Error);
  EXPECT_THROW(CsrBatch<double>({{0, 1, 2}, {0, 1}}, {1, 2}, -1), Error);
  EXPECT_THROW(CsrBatch<double>({{0, 0}, {}}, {1}, 1), Error);
}

}  // namespace
}  // namespace phpc::batch
