// SPDX-License-Identifier: Apache-2.0
// The simulated H200 is as far from the measured one as validation/known_gaps.yaml says, group by group of the
// microbenchmarks: whoever makes it worse notices, and whoever makes it better.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string>

#include "sim/base/csv_table.h"
#include "validation/silicon/known_gaps.h"

namespace stc::silicon {
namespace {

double mean_error(const std::string& csv) {
  const sim::CsvTable table(csv);
  double sum = 0;
  int count = 0;
  for (const sim::CsvRow& row : table.rows()) {
    if (!row.has("error_percent")) continue;
    sum += std::fabs(row.number("error_percent"));
    ++count;
  }
  return count == 0 ? HUGE_VAL : sum / count;
}

class MicroAccuracy : public testing::TestWithParam<KnownGap> {};

TEST_P(MicroAccuracy, IsWhatTheKnownGapsSay) {
  const KnownGap& gap = GetParam();
  const std::string csv = testing::TempDir() + "micro_accuracy_" + std::to_string(getpid()) + ".csv";
  std::ostringstream command;
  command << STC_MICRO_RUNNER << " --jobs 1 --gpu " << STC_CONFIGS << "/gpus/h200.yaml --measured " << STC_MEASURED
          << "/" << gap.table << ".csv --filter '" << gap.filter << "' --every " << gap.every << " --out " << csv
          << " > /dev/null 2>&1";
  ASSERT_EQ(std::system(command.str().c_str()), 0) << command.str();
  expect_gap(gap, mean_error(csv));
  std::remove(csv.c_str());
}

INSTANTIATE_TEST_SUITE_P(H200, MicroAccuracy, testing::ValuesIn(known_gaps("micro")));

}  // namespace
}  // namespace stc::silicon
