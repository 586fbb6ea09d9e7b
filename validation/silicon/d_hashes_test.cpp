// SPDX-License-Identifier: Apache-2.0
// The bits of D: GEMMs run through `stcsim run` with full values give the D that the same cubin gave on an H200.
// Measured: validation/measured/h200/d_hashes.csv (FNV-1a 64 of the buffers; scripts/measure gemm).
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "sim/base/csv_table.h"
#include "validation/unit/sim/program.h"

namespace stc::silicon {
namespace {

struct Row {
  std::string kernel, m, n, k, seed, d_hash;
};
void PrintTo(const Row& row, std::ostream* out) { *out << row.kernel << ' ' << row.m << 'x' << row.n << 'x' << row.k; }

std::vector<Row> measured() {
  const sim::CsvTable table(STC_MEASURED "/d_hashes.csv");
  std::vector<Row> rows;
  for (const sim::CsvRow& row : table.rows()) {
    rows.push_back(
        {row.text("kernel"), row.text("m"), row.text("n"), row.text("k"), row.text("seed"), row.text("d_hash")});
  }
  return rows;
}

class BitsOfD : public testing::TestWithParam<Row> {};

TEST_P(BitsOfD, EqualThoseOfAnH200) {
  const Row& row = GetParam();
  const std::string json = testing::TempDir() + row.kernel + row.m + ".json";
  std::vector<std::string> arguments = {"run", STC_CONFIGS "/workloads/gemm_h200_sparse.yaml", "--json", json};
  for (const std::string& set :
       {"workload.gemm.kernel=" + row.kernel, "workload.gemm.m=" + row.m, "workload.gemm.n=" + row.n,
        "workload.gemm.k=" + row.k, "workload.gemm.seed=" + row.seed, std::string("options.values=full"),
        std::string("options.compare_dense=false")}) {
    arguments.push_back("--set");
    arguments.push_back(set);
  }
  const sim::ProgramResult result = sim::run_stcsim(arguments);
  ASSERT_EQ(result.exit_code, 0) << result.error;
  std::ifstream file(json);
  EXPECT_EQ(nlohmann::json::parse(file).at("buffers").at("D").at("hash"), row.d_hash);
}

TEST(BitsOfDTable, HasRows) { EXPECT_GE(measured().size(), 60u); }

INSTANTIATE_TEST_SUITE_P(Measured, BitsOfD, testing::ValuesIn(measured()), [](const auto& row) {
  return row.param.kernel + "_" + row.param.m + "x" + row.param.n + "x" + row.param.k;
});

}  // namespace
}  // namespace stc::silicon
