#include "phpc/io/site_rows.hpp"

#include <gtest/gtest.h>

namespace phpc::io {
namespace {

TEST(SiteRows, AreCasOffinder2s) {
  std::string text = "before\n";
  append_cas_offinder2(text, {"ACGNN", "chr1 of x", 5'000'000'000, "ACtGG", '-', 1, ""});
  append_cas_offinder2(text, {"ACGNN", "a\tb", 0, "ACGGG", '+', 0, "g1"});
  EXPECT_EQ(text, "before\nACGNN\tchr1 of x\t5000000000\tACtGG\t-\t1\nACGNN\ta\tb\t0\tACGGG\t+\t0\tg1\n");
}

}  // namespace
}  // namespace phpc::io
