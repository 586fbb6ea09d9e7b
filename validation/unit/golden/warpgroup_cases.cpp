// SPDX-License-Identifier: Apache-2.0
#include "validation/unit/golden/warpgroup_cases.h"

#include <fstream>
#include <sstream>
#include <stdexcept>

#include "models/isa/products/execute_mma.h"
#include "models/isa/products/warpgroup_mma.h"
#include "validation/gpus.h"

namespace stc::golden {
namespace {

using gpu_probe::ProbeOp;

constexpr const char* kMeasured = "validation/measured/h200/";
constexpr std::size_t kWarp = 32;

/// Case `n` of an image [case][lane][register] as [register][lane].
std::vector<std::uint32_t> registers_of(const std::vector<std::uint32_t>& images, std::size_t n, int registers) {
  const auto count = static_cast<std::size_t>(registers);
  std::vector<std::uint32_t> image(count * kWarp);
  for (std::size_t lane = 0; lane < kWarp; ++lane) {
    for (std::size_t r = 0; r < count; ++r) image[r * kWarp + lane] = images[(n * kWarp + lane) * count + r];
  }
  return image;
}

}  // namespace

isa::MmaOp warpgroup_op(const ProbeOp& op) {
  const bool saturates = op.name.find("satfinite") != std::string::npos;
  isa::MmaOp part = isa::parse_mma_name(std::string(op.sparse ? "mma.sp.m16n8k" : "mma.m16n8k") + std::to_string(op.k) +
                                        "." + op.c + "." + op.a + "." + op.b + "." + op.c);
  part.saturate = saturates;
  part.warpgroup = true;
  return part;
}

std::vector<std::uint32_t> warpgroup_results(const ProbeOp& op, const isa::MmaOp& as, const gpu_probe::Images& cases,
                                             std::size_t sharing) {
  std::vector<std::uint32_t> out(cases.c.size());
  const auto results = static_cast<std::size_t>(op.c_registers);
  const isa::MmaTables& tables = isa::mma_tables(as);
  for (std::size_t n = 0; n < cases.cases(); ++n) {
    const std::vector<std::uint32_t> a = registers_of(cases.a, n, op.a_registers);
    const std::vector<std::uint32_t> b = registers_of(cases.b, n / sharing * sharing, op.b_registers);
    std::vector<std::uint32_t> d = registers_of(cases.c, n, op.c_registers);
    isa::mma_registers(tables, validation::h200().numerics, a.data(), b.data(), d.data(), cases.e.data() + n * kWarp,
                       op.selector, d.data());
    for (std::size_t lane = 0; lane < kWarp; ++lane) {
      for (std::size_t r = 0; r < results; ++r) out[(n * kWarp + lane) * results + r] = d[r * kWarp + lane];
    }
  }
  return out;
}

std::vector<std::uint32_t> measured_warpgroup_golden(const ProbeOp& op) {
  std::size_t skip = 0;
  for (const ProbeOp& other : gpu_probe::wgmma_probe_ops()) {
    if (other.kernel == op.kernel) break;
    skip += gpu_probe::kGoldenCases * kWarp * static_cast<std::size_t>(other.c_registers);
  }
  std::vector<std::uint32_t> words(gpu_probe::kGoldenCases * kWarp * static_cast<std::size_t>(op.c_registers));
  std::ifstream file(std::string(kMeasured) + "wgmma_golden.bin", std::ios::binary);
  file.seekg(static_cast<std::streamoff>(4 * skip));
  file.read(reinterpret_cast<char*>(words.data()), static_cast<std::streamsize>(4 * words.size()));
  if (!file) throw std::runtime_error("wgmma_golden.bin ends before " + op.kernel);
  return words;
}

std::vector<std::uint64_t> measured_warpgroup_hashes(const ProbeOp& op) {
  const std::vector<Row> rows = measured_rows("wgmma_hashes.csv", op, 0);
  if (rows.size() != 1) throw std::runtime_error("wgmma_hashes.csv has not exactly one row of " + op.kernel);
  std::vector<std::uint64_t> hashes;
  for (std::size_t i = 3; i < rows[0].size(); ++i) hashes.push_back(std::stoull(rows[0][i], nullptr, 16));
  return hashes;
}

std::vector<LayoutRow> measured_layouts() {
  std::ifstream file(std::string(kMeasured) + "wgmma_layout.csv");
  std::vector<LayoutRow> rows;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#' || line.rfind("operand,", 0) == 0) continue;
    std::vector<std::string> cells;
    std::istringstream in(line);
    for (std::string cell; std::getline(in, cell, ',');) cells.push_back(cell);
    if (cells.size() != 8) throw std::runtime_error("wgmma_layout.csv: not eight fields in: " + line);
    LayoutRow row;
    row.operand = cells[0];
    row.element_bytes = std::stoi(cells[1]);
    row.lines = std::stoi(cells[2]);
    row.mn_major = cells[3] == "1";
    row.descriptor = std::stoull(cells[4], nullptr, 16);
    row.first = static_cast<std::uint32_t>(std::stoul(cells[5]));
    row.last = static_cast<std::uint32_t>(std::stoul(cells[6]));
    row.hash = std::stoull(cells[7], nullptr, 16);
    rows.push_back(row);
  }
  return rows;
}

}  // namespace stc::golden
