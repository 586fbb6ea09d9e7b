// SPDX-License-Identifier: Apache-2.0
#include "validation/silicon/known_gaps.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <ostream>

#include "sim/config/config_node.h"

namespace stc::silicon {
namespace {

constexpr double kMostBetween = 0.5;  ///< percent, between the limits of a gap

KnownGap read_gap(const sim::ConfigNode& node) {
  node.allow_keys({"table", "filter", "metric", "every", "low", "high", "explained"});
  KnownGap gap;
  gap.table = node.at("table").text();
  gap.filter = node.at("filter").text();
  gap.metric = node.at("metric").text();
  gap.low = node.at("low").number();
  gap.high = node.at("high").number();
  if (const auto every = node.find("every")) gap.every = static_cast<int>(every->integer(1, 1000));
  if (const auto entry = node.find("explained")) gap.explained = entry->text();
  if (gap.low < 0 || gap.high < gap.low) node.fail("needs 0 <= low <= high");
  // Wider limits would let a gap close, or one half as large grow, unseen.
  if (gap.high - gap.low > kMostBetween) node.fail("needs limits at most half a percent apart");
  return gap;
}

}  // namespace

void PrintTo(const KnownGap& gap, std::ostream* out) { *out << gap.metric << " of " << gap.table << " " << gap.filter; }

std::vector<KnownGap> known_gaps(const std::string& kind) {
  std::vector<KnownGap> gaps;
  for (const sim::ConfigNode& node : sim::ConfigNode::load(STC_KNOWN_GAPS).at("gaps").elements()) {
    KnownGap gap = read_gap(node);
    const bool named =
        gap.table == "gemm" || gap.table == "convolution" || gap.table == "energy" || gap.table == "spmm";
    if ((named ? gap.table : "micro") == kind) gaps.push_back(std::move(gap));
  }
  return gaps;
}

void expect_gap(const KnownGap& gap, double percent) {
  if (const char* file = std::getenv("STC_KNOWN_GAPS_OUT"); file != nullptr && *file != '\0') {
    std::ofstream(file, std::ios::app) << gap.table << '\t' << gap.filter << '\t' << gap.metric << '\t' << percent
                                       << '\n';
    return;
  }
  const char* const advice = "; scripts/update_known_gaps writes the new limits, validation/DEVIATIONS.md may need it";
  EXPECT_LE(percent, gap.high) << "the gap has grown " << gap.explained << advice;
  EXPECT_GE(percent, gap.low) << "the gap has closed " << gap.explained << advice;
}

}  // namespace stc::silicon
