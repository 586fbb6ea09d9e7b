// SPDX-License-Identifier: Apache-2.0
#include "sim/base/csv_table.h"

#include "validation/unit/sim/sim_test_support.h"

namespace stc::sim {
namespace {

TEST(CsvTable, ReadsCommentsHeaderAndQuotedFields) {
  const CsvTable table("t.csv", "# made here\nname,value\n\"a, \"\"b\"\"\",2.5\r\n\nplain,-3\n");
  ASSERT_EQ(table.rows().size(), 2U);
  EXPECT_EQ(table.comments(), std::vector<std::string>{"made here"});
  EXPECT_EQ(table.rows()[0].text("name"), "a, \"b\"");
  EXPECT_EQ(table.rows()[0].number("value"), 2.5);
  EXPECT_EQ(table.rows()[1].integer("value", -5, 5), -3);
  EXPECT_EQ(table.rows()[1].place(), "t.csv:5");
}

TEST(CsvTable, FieldsSurviveAWriteAndARead) {
  const std::string awkward = "say \"a,b\"\nnever";
  EXPECT_EQ(csv_field("plain"), "plain");
  const CsvTable table("t.csv", "x,y\n" + csv_field("a,\"b\"") + ",1\n");
  EXPECT_EQ(table.rows()[0].text("x"), "a,\"b\"");
  EXPECT_EQ(csv_field(awkward), "\"say \"\"a,b\"\"\nnever\"");
}

TEST(CsvTable, ComplaintsNameFileAndLine) {
  const CsvTable table("t.csv", "# c\nname,value\nx,1\ny,two\nz,1e999\n");
  EXPECT_EQ(user_error([&] { table.rows()[0].text("size"); }),
            "t.csv:2: column 'size' is missing (needed by line 3); the columns are name, value");
  EXPECT_EQ(user_error([&] { table.rows()[1].number("value"); }),
            "t.csv:4: column 'value' must be a number, but is 'two'");
  EXPECT_THAT(user_error([&] { table.rows()[2].number("value"); }), testing::HasSubstr("t.csv:5"));
  EXPECT_EQ(user_error([&] { table.rows()[0].integer("value", 2, 9); }),
            "t.csv:3: column 'value' must be a whole number from 2 to 9, but is '1'");
  EXPECT_EQ(user_error([&] {
              table.rows()[0].one_of("name", {"cold", "warm"});
            }),
            "t.csv:3: column 'name' must be one of cold, warm, but is 'x'");
}

TEST(CsvTable, RefusesRaggedRowsOpenQuotesAndEmptyFiles) {
  EXPECT_EQ(user_error([] { CsvTable("t.csv", "a,b\n1,2\n3\n"); }),
            "t.csv:3: has 1 fields, but line 1 names 2 columns");
  EXPECT_EQ(user_error([] { CsvTable("t.csv", "a\n\"x\n"); }), "t.csv:2: a quotation mark is not closed");
  EXPECT_EQ(user_error([] { CsvTable("t.csv", "# nothing\n"); }),
            "t.csv: is empty, a line with column names is needed");
}

TEST(CsvTable, ByteOrderMarkIsSkipped) {
  const CsvTable marked("m.csv",
                        "\xef\xbb\xbf"
                        "a,b\n1,2\n");
  EXPECT_EQ(marked.columns(), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(CsvTable("m.csv", "\xef\xbb\xbf# note\na\n1\n").comments(), std::vector<std::string>{"note"});
  EXPECT_THAT(user_error([] { CsvTable("m.csv", "\xef\xbb\xbf"); }), testing::HasSubstr("is empty"));
}

TEST(CsvTable, MeasuredFiguresAreNotNegative) {
  const CsvTable table("m.csv", "a\n0\n-1\n5\n1e300\n");
  const auto error = [&](std::size_t row, bool can_be_zero) {
    return user_error([&] { table.rows()[row].measured("a", can_be_zero); });
  };
  EXPECT_EQ(error(0, false), "m.csv:2: column 'a' must be greater than 0 and at most 1e+13, but is '0'");
  EXPECT_EQ(table.rows()[0].measured("a", true), 0);
  EXPECT_EQ(error(1, true), "m.csv:3: column 'a' must be 0 or more and at most 1e+13, but is '-1'");
  EXPECT_EQ(table.rows()[2].measured("a"), 5);
  EXPECT_THAT(error(3, true), testing::HasSubstr("m.csv:5"));
}

}  // namespace
}  // namespace stc::sim
