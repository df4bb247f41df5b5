#include "phpc/core/error.hpp"

#include <gtest/gtest.h>

#include <cerrno>

#include "phpc/core/output_unread.hpp"

namespace phpc {
namespace {

TEST(Error, CarriesKindAndText) {
  try {
    fail(ErrorKind::input, "cannot read 'x' (it is empty); give a file with content");
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    EXPECT_STREQ(error.what(), "cannot read 'x' (it is empty); give a file with content");
    return;
  }
  FAIL() << "nothing was thrown";
}

TEST(Error, ErrnoBecomesText) {
  try {
    fail_errno("cannot open 'x'", ENOENT);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::io);
    EXPECT_STREQ(error.what(), "cannot open 'x' (No such file or directory)");
    return;
  }
  FAIL() << "nothing was thrown";
}

TEST(Error, AZeroByteDoesNotEndTheText) {
  const std::string name("a\0b\0\0", 5);
  try {
    fail(ErrorKind::input, "'" + name + "' is no name; give another");
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "'a\\x00b\\x00\\x00' is no name; give another");
    return;
  }
  FAIL() << "nothing was thrown";
}

TEST(Error, AClosedPipeIsOneOfItsOwn) {
  try {
    fail_errno("cannot write '-'", EPIPE);
  } catch (const OutputUnread& error) {
    EXPECT_STREQ(error.what(), "cannot write '-' (Broken pipe)");
    return;
  }
  FAIL() << "nothing was thrown";
}

TEST(Validate, EvaluatesItsMessageOnFailureOnly) {
  int evaluated = 0;
  const auto message = [&evaluated] {
    ++evaluated;
    return std::string("why");
  };
  PHPC_VALIDATE(true, ErrorKind::usage, message());
  EXPECT_EQ(evaluated, 0);
  EXPECT_THROW(PHPC_VALIDATE(1 + 1 == 3, ErrorKind::usage, message()), Error);
  EXPECT_EQ(evaluated, 1);
}

}  // namespace
}  // namespace phpc
