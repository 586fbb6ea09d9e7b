// SPDX-License-Identifier: Apache-2.0
// How far the simulated H200 may be from the measured one, group by group of the microbenchmarks. The limits are the
// errors that the model has, rounded up to the next half of a percent: whoever makes it worse notices.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

namespace stc::silicon {
namespace {

struct Group {
  const char* table;    ///< of validation/measured/h200
  const char* filter;   ///< part of "group,kernel,ctas,warps,args"
  int every;            ///< only each so many-th point
  double mean_percent;  ///< largest mean absolute error
};
void PrintTo(const Group& group, std::ostream* out) { *out << group.filter; }

double mean_error(const std::string& csv) {
  std::ifstream file(csv);
  double sum = 0;
  int count = 0, column = -1;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream stream(line);
    int index = 0;
    for (std::string cell; std::getline(stream, cell, ','); ++index) {
      if (column < 0 && cell == "error_percent") {
        column = index;
        break;
      }
      if (index == column && line.rfind("group,", 0) != 0) {
        sum += std::fabs(std::stod(cell));
        ++count;
      }
    }
  }
  return count == 0 ? HUGE_VAL : sum / count;
}

class MicroAccuracy : public testing::TestWithParam<Group> {};

TEST_P(MicroAccuracy, StaysWithinItsLimit) {
  const Group& group = GetParam();
  const std::string csv = testing::TempDir() + "micro_accuracy_" + std::to_string(getpid()) + ".csv";
  std::ostringstream command;
  command << STC_MICRO_RUNNER << " --jobs 1 --gpu " << STC_CONFIGS << "/gpus/h200.yaml --measured " << STC_MEASURED
          << "/" << group.table << ".csv --filter '" << group.filter << "' --every " << group.every << " --out " << csv
          << " > /dev/null 2>&1";
  ASSERT_EQ(std::system(command.str().c_str()), 0) << command.str();
  EXPECT_LE(mean_error(csv), group.mean_percent);
  std::remove(csv.c_str());
}

INSTANTIATE_TEST_SUITE_P(
    H200, MicroAccuracy,
    testing::Values(Group{"intervals", "mma,micro_mma_", 7, 1.0}, Group{"intervals", "ldsm_latency", 3, 0.5},
                    Group{"intervals", "lds_latency", 3, 1.5}, Group{"intervals", "ldsm_rate", 7, 2.0},
                    Group{"intervals", "lds_rate", 7, 2.5}, Group{"intervals", "barrier,micro_barrier", 3, 3.0},
                    Group{"intervals", "mbarrier,micro_mbarrier", 1, 7.0},
                    Group{"intervals", "cluster_barrier,micro_cluster", 1, 2.5},
                    Group{"intervals", "cluster_latency,micro_cluster", 1, 2.5},
                    Group{"intervals", "cluster_rate,micro_cluster", 3, 9.0},
                    Group{"intervals", "cluster_arrive,micro_cluster_arrive_relaxed", 1, 3.0},
                    Group{"intervals", "mixed,micro_mixed", 3, 2.5}, Group{"intervals", "copies,micro_copies", 3, 3.0},
                    Group{"clocks", "behind,micro_behind", 1, 5.5}, Group{"clocks", "burst,micro_burst", 1, 3.5},
                    Group{"intervals", "ports,micro_ports", 3, 3.0}, Group{"intervals", "ldgsts_latency", 3, 6.0},
                    Group{"intervals", "ldgsts_rate_rows", 3, 4.0},
                    Group{"intervals", "tiles,micro_ldgsts_tiles,1,", 3, 7.0},
                    Group{"intervals", "ldg_rate_one_sm,micro_stg_128", 3, 1.0},
                    Group{"intervals", "code,micro_code_pass,1,4,out 1 ", 1, 5.5},
                    Group{"intervals", "l1_latency,micro_chase_ca,1,8,out data 512 ", 1, 0.5},
                    Group{"intervals", "atomics,micro_atomic_chain_global_add", 3, 3.0},
                    Group{"intervals", "atomics,micro_atomic_chain_global_cas", 3, 3.0},
                    Group{"clocks", "naps,micro_nanosleep", 6, 2.0}));

}  // namespace
}  // namespace stc::silicon
