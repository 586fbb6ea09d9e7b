// SPDX-License-Identifier: Apache-2.0
#include "sim/compare/regular_expression.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace stc::sim {
namespace {

bool found(const std::string& expression, const std::string& text) {
  return RegularExpression(expression).found_in(text);
}

std::string refusal(const std::string& expression) {
  try {
    const RegularExpression read(expression);
  } catch (const BadRegularExpression& error) {
    return error.what();
  }
  return "";
}

std::string times(int count, const std::string& text) {
  std::string all;
  for (int i = 0; i < count; ++i) all += text;
  return all;
}

TEST(RegularExpression, SearchesAnywhere) {
  EXPECT_TRUE(found("", "anything"));
  EXPECT_TRUE(found("sp24", "f16_sp24_128"));
  EXPECT_FALSE(found("sp24", "f16_sp2_4"));
  EXPECT_TRUE(found("a.c", "xxabcxx"));
  EXPECT_FALSE(found("a.c", "ac"));
}

TEST(RegularExpression, Anchors) {
  EXPECT_TRUE(found("^ab$", "ab"));
  EXPECT_FALSE(found("^b", "ab"));
  EXPECT_FALSE(found("a$", "ab"));
  EXPECT_TRUE(found("x|^$", ""));
  EXPECT_FALSE(found("^$", "a"));
}

TEST(RegularExpression, Repetitions) {
  EXPECT_TRUE(found("^ab*c$", "ac"));
  EXPECT_TRUE(found("^ab*c$", "abbbc"));
  EXPECT_FALSE(found("^ab+c$", "ac"));
  EXPECT_TRUE(found("^ab+?c$", "abbc"));
  EXPECT_TRUE(found("^ab?c$", "abc"));
  EXPECT_FALSE(found("^ab?c$", "abbc"));
  for (int count = 0; count < 8; ++count) {
    const std::string text = times(count, "ab");
    EXPECT_EQ(found("^(ab){3}$", text), count == 3);
    EXPECT_EQ(found("^(ab){3,}$", text), count >= 3);
    EXPECT_EQ(found("^(ab){2,5}$", text), count >= 2 && count <= 5);
    EXPECT_EQ(found("^(ab){0}$", text), count == 0);
  }
}

TEST(RegularExpression, Alternatives) {
  for (const char* text : {"m16n8k8", "m16n8k16", "m8n8k4"}) EXPECT_TRUE(found("^m(16n8k(8|16)|8n8k4)$", text));
  EXPECT_FALSE(found("^m(16n8k(8|16)|8n8k4)$", "m16n8k4"));
  EXPECT_TRUE(found("^(?:a|b|)c$", "c"));
}

TEST(RegularExpression, Classes) {
  EXPECT_TRUE(found("^[a-c_]+$", "ab_c"));
  EXPECT_FALSE(found("^[a-c_]+$", "abd"));
  EXPECT_TRUE(found("^[^0-9]$", "x"));
  EXPECT_FALSE(found("^[^0-9]$", "7"));
  EXPECT_TRUE(found("^[]-]+$", "]-"));
  EXPECT_TRUE(found("^\\d\\w\\s\\D\\W\\S$", "1_ a-b"));
  EXPECT_FALSE(found("^[\\d]$", "a"));
  EXPECT_TRUE(found("^\\.\\[\\\\$", ".[\\"));
  EXPECT_TRUE(found("\xff.", "\xff\x80"));  // bytes, whatever they encode
}

TEST(RegularExpression, RefusalsNameThePlace) {
  EXPECT_EQ(refusal("a)"), "character 2: ')' closes no group");
  EXPECT_EQ(refusal("(a"), "character 3: ')' is missing");
  EXPECT_EQ(refusal("[a"), "character 3: ']' is missing");
  EXPECT_EQ(refusal("*"), "character 2: nothing stands before '*' to be repeated");
  EXPECT_EQ(refusal("a**"), "character 3: a repetition cannot be repeated; put it in parentheses");
  EXPECT_EQ(refusal("a{3,2}"), "character 7: the second number of a repetition is less than the first");
  EXPECT_EQ(refusal("a{,2}"), "character 3: a number is missing");
  EXPECT_EQ(refusal("[z-a]"), "character 5: a range ends before it begins");
  EXPECT_EQ(refusal("(a)\\1"), "character 5: '\\1' is not supported");
  EXPECT_EQ(refusal("(?=a)"), "character 2: '(?' is not supported except as '(?:'");
  EXPECT_EQ(refusal("a\\"), "character 3: nothing follows the last '\\'");
  EXPECT_EQ(refusal("[[:digit:]]"), "character 2: named classes are not supported");
}

TEST(RegularExpression, DepthAndSizeAreLimited) {
  EXPECT_THAT(refusal(times(20000, "(")), testing::HasSubstr("more than 100 deep"));
  EXPECT_THAT(refusal(times(20000, "[")), testing::HasSubstr("']' is missing"));
  EXPECT_THAT(refusal("((a{1000}){1000}){1000}"), testing::HasSubstr("too large"));
  EXPECT_THAT(refusal(times(20000, "a|")), testing::HasSubstr("too large"));
  EXPECT_TRUE(found(times(99, "(") + "a" + times(99, ")"), "a"));
}

TEST(RegularExpression, NoTextTakesLong) {
  const std::string text = times(20000, "a");
  EXPECT_FALSE(found("(a*)*b", text));  // exponential for whoever tries one way after the other
  EXPECT_FALSE(found("(a|a|aa)+$b", text));
  EXPECT_TRUE(found("(a|b)*a(a|b){12}$", text));
}

}  // namespace
}  // namespace stc::sim
