// SPDX-License-Identifier: Apache-2.0
#include "sim/report/svg_plot.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/report/html_page.h"
#include "sim/report/svg_rows.h"

namespace stc::sim {
namespace {

using testing::HasSubstr;

SvgPlot plot(Scale scale) {
  // Without labels the drawing area is 40 to 306 wide and 12 to 176 high.
  return SvgPlot({"a <picture>", 320, 200}, {"", scale, 1, 100, {}}, {"", scale, 1, 100, {}});
}

TEST(SvgPlot, PutsMarksWhereTheirValuesAre) {
  SvgPlot linear = plot(Scale::kLinear);
  linear.dot("s0", 1, 100, "");
  linear.dot("s0", 100, 1, "");
  EXPECT_THAT(linear.svg(), HasSubstr("cx=\"40.0\" cy=\"12.0\""));
  EXPECT_THAT(linear.svg(), HasSubstr("cx=\"306.0\" cy=\"176.0\""));
  SvgPlot log = plot(Scale::kLog);
  log.dot("s0", 10, 10, "");  // the middle of two decades
  EXPECT_THAT(log.svg(), HasSubstr("cx=\"173.0\" cy=\"94.0\""));
}

TEST(SvgPlot, NamesAvoidMarksAndEachOther) {
  // On linear axes a value is 2.687 wide and 1.657 high.
  SvgPlot crowded = plot(Scale::kLinear);
  crowded.dot("s0", 50.5, 50.5, "");  // at 173, 94
  crowded.dot("s0", 55, 50.5, "");    // 12 to its right
  crowded.text(50.5, 50.5, "left");
  crowded.text(55, 50.5, "right");
  EXPECT_THAT(crowded.svg(), HasSubstr("x=\"141.2\" y=\"97.5\">left<"));  // 173 - 7 - 4 letters of 6.2
  EXPECT_THAT(crowded.svg(), HasSubstr("x=\"192.1\" y=\"97.5\">right<"));
  SvgPlot alone = plot(Scale::kLinear);
  alone.dot("s0", 50.5, 50.5, "");
  alone.text(50.5, 50.5, "left");
  EXPECT_THAT(alone.svg(), HasSubstr("x=\"180.0\" y=\"97.5\">left<"));
  alone.rule({54, 1}, {54, 100});  // goes through the name
  EXPECT_THAT(alone.svg(), HasSubstr("x=\"141.2\" y=\"97.5\">left<"));
}

TEST(SvgPlot, SaysWhatItShowsAndEscapesText) {
  SvgPlot made = plot(Scale::kLinear);
  made.dot("s1", 2, 2, "a < b & c");
  EXPECT_THAT(made.svg(), HasSubstr("aria-label=\"a &lt;picture&gt;\""));
  EXPECT_THAT(made.svg(), HasSubstr("<title>a &lt; b &amp; c</title>"));
}

TEST(SvgPlot, AxesRoundOutwards) {
  const PlotAxis axis = PlotAxis::around("", Scale::kLinear, {3, 47}, true);
  EXPECT_EQ(axis.low, 0);
  EXPECT_EQ(axis.high, 50);
}

TEST(SvgPlot, NumbersAreShort) {
  EXPECT_EQ(short_number(950), "950");
  EXPECT_EQ(short_number(1500), "1.5k");
  EXPECT_EQ(short_number(2e6), "2M");
  EXPECT_EQ(short_number(-0.0), "0");
}

TEST(SvgRows, PiecesLieWhereTheirValuesAre) {
  SvgRows rows({"a <waterfall>", 200}, {0, 10, ""});
  rows.add({"", {{"s1", 10, 5, "5 & down"}}, "", false, true});
  rows.add({"", {{"s0", 0, 5, ""}}, ""});
  // Without names and values bars lie between 8 and 196.
  EXPECT_THAT(rows.svg(), HasSubstr("x=\"102.0\" y=\"7.5\" width=\"94.0\""));
  EXPECT_THAT(rows.svg(), HasSubstr("<title>5 &amp; down</title>"));
  EXPECT_THAT(rows.svg(), HasSubstr("<line class=\"axis\" x1=\"102.0\""));  // to the row below
  EXPECT_THAT(rows.svg(), HasSubstr("aria-label=\"a &lt;waterfall&gt;\""));
}

TEST(HtmlTable, LongTextHasRoom) {
  HtmlTable table({{"limited by"}, {"because"}});
  table.row({"latency", "no resource is busy for 60 % of the time, and warps wait"});
  EXPECT_THAT(table.html(), HasSubstr("<th scope=\"col\">limited by</th><th scope=\"col\" style=\"min-width:36ch\">"));
}

}  // namespace
}  // namespace stc::sim
