// SPDX-License-Identifier: Apache-2.0
#include "sim/base/text.h"

#include <gtest/gtest.h>

namespace stc::sim {
namespace {

TEST(EditDistance, CountsInsertionsDeletionsReplacementsAndSwaps) {
  EXPECT_EQ(edit_distance("banks", "banks"), 0);
  EXPECT_EQ(edit_distance("bank", "banks"), 1);
  EXPECT_EQ(edit_distance("banxs", "banks"), 1);
  EXPECT_EQ(edit_distance("bnaks", "banks"), 1);
  EXPECT_EQ(edit_distance("", "abc"), 3);
}

TEST(Nearest, FindsTheMeantWordAndNothingWhenAllAreFar) {
  EXPECT_EQ(nearest("kernal", {"grid", "kernel", "block"}), "kernel");
  EXPECT_EQ(nearest("xyzzy", {"grid", "kernel", "block"}), std::nullopt);
  EXPECT_EQ(nearest("sp24_128x128x64", {"f16_dense_64x64x64", "f16_sp24_128x128x64"}), "f16_sp24_128x128x64");
}

TEST(ShellWord, IsReadBackAsItWas) {
  EXPECT_EQ(shell_word("workload.gemm.m=512"), "workload.gemm.m=512");
  EXPECT_EQ(shell_word("grid=[2:4, 2:8]"), "'grid=[2:4, 2:8]'");
  EXPECT_EQ(shell_word("it's"), "'it'\\''s'");
  EXPECT_EQ(shell_word("$(rm)"), "'$(rm)'");
  EXPECT_EQ(shell_word(""), "''");
}

TEST(ParseInteger, TakesTheWholeTextOrNothing) {
  EXPECT_EQ(parse_integer("-42"), -42);
  EXPECT_EQ(parse_integer("0x10"), 16);
  EXPECT_EQ(parse_integer("12k"), std::nullopt);
  EXPECT_EQ(parse_integer("0"), 0);
  EXPECT_EQ(parse_integer("-0"), 0);
  EXPECT_EQ(parse_integer("010"), std::nullopt);
  EXPECT_EQ(parse_integer("-010"), std::nullopt);
  EXPECT_EQ(parse_integer("1.5"), std::nullopt);
  EXPECT_EQ(parse_integer(""), std::nullopt);
  EXPECT_EQ(parse_integer("--1"), std::nullopt);
  EXPECT_EQ(parse_integer("9223372036854775808"), std::nullopt);
}

TEST(ParseNumber, TakesTheWholeTextOrNothing) {
  EXPECT_EQ(parse_number("1e3"), 1000.0);
  EXPECT_EQ(parse_number("0.5e-3"), 0.0005);
  EXPECT_EQ(parse_number("010"), std::nullopt);
  EXPECT_EQ(parse_number("-010.5"), std::nullopt);
  EXPECT_EQ(parse_number("-0.5"), -0.5);
  EXPECT_EQ(parse_number("1.5 GHz"), std::nullopt);
}

TEST(ShortenedTo, KeepsCharactersWhole) {
  EXPECT_EQ(shortened_to("abcdef", 6), "abcdef");
  EXPECT_EQ(shortened_to("abcdefg", 6), "abcd..");
  EXPECT_EQ(shortened_to("\u00e4\u00f6\u00fc\u00e4\u00f6\u00fc", 6), "\u00e4\u00f6\u00fc\u00e4\u00f6\u00fc");
  EXPECT_EQ(shortened_to("\u00e4\u00f6\u00fc\u00e4\u00f6\u00fc!", 6), "\u00e4\u00f6\u00fc\u00e4..");
  EXPECT_EQ(whole_characters("a\u00e4b", 2), "a");
  EXPECT_EQ(whole_characters("a\u00e4b", 3), "a\u00e4");
}

TEST(Grouped, SetsCommasEveryThreeDigits) {
  EXPECT_EQ(grouped(7), "7");
  EXPECT_EQ(grouped(1000), "1,000");
  EXPECT_EQ(grouped(12345678), "12,345,678");
}

TEST(ContentHash, IsFnv1a64) {
  EXPECT_EQ(content_hash("", 0), "cbf29ce484222325");
  EXPECT_EQ(content_hash("a", 1), "af63dc4c8601ec8c");  // test vector of the algorithm's authors
}

}  // namespace
}  // namespace stc::sim
