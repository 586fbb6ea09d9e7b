// SPDX-License-Identifier: Apache-2.0
#include "validation/unit/golden/silicon_cases.h"

#include <fstream>
#include <stdexcept>

#include "models/isa/mma/mma_op.h"
#include "models/isa/products/execute_mma.h"

namespace stc::golden {
namespace {

constexpr const char* kFolder = "validation/measured/h200/";
constexpr std::size_t kLanes = 32;

/// [lane][register] to the model's [register][lane].
void to_model(const std::uint32_t* from, std::size_t registers, std::uint32_t* to) {
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    for (std::size_t r = 0; r < registers; ++r) to[r * kLanes + lane] = from[lane * registers + r];
  }
}

std::ifstream open(const std::string& file) {
  std::ifstream stream(kFolder + file, std::ios::binary);
  if (!stream) throw std::runtime_error(std::string("cannot read ") + kFolder + file);
  return stream;
}

Row split(const std::string& line) {
  Row fields(1);
  bool quoted = false;
  for (const char letter : line) {
    if (letter == '"') {
      quoted = !quoted;
    } else if (letter == ',' && !quoted) {
      fields.emplace_back();
    } else {
      fields.back() += letter;
    }
  }
  return fields;
}

}  // namespace

std::vector<std::uint32_t> model_results(const gpu_probe::ProbeOp& op, const gpu_probe::Images& cases,
                                         const arith::Numerics& numerics) {
  const isa::MmaOp mma = isa::parse_mma_name(op.name);
  const auto na = static_cast<std::size_t>(op.a_registers), nb = static_cast<std::size_t>(op.b_registers);
  const auto nc = static_cast<std::size_t>(op.c_registers);
  std::vector<std::uint32_t> a(na * kLanes), b(nb * kLanes), c(nc * kLanes), d(nc * kLanes), out(cases.c.size());
  for (std::size_t n = 0; n < cases.cases(); ++n) {
    to_model(cases.a.data() + n * a.size(), na, a.data());
    to_model(cases.b.data() + n * b.size(), nb, b.data());
    to_model(cases.c.data() + n * c.size(), nc, c.data());
    isa::mma_registers(mma, numerics, a.data(), b.data(), c.data(), cases.e.data() + n * kLanes, op.selector, d.data());
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      for (std::size_t r = 0; r < nc; ++r) out[n * d.size() + lane * nc + r] = d[r * kLanes + lane];
    }
  }
  return out;
}

gpu_probe::Images golden_cases(const gpu_probe::ProbeOp& op) {
  gpu_probe::Images images;
  images.resize(op, gpu_probe::kGoldenCases);
  for (std::size_t n = 0; n < gpu_probe::kGoldenCases; ++n) gpu_probe::make_case(op, n * gpu_probe::kChunk, images, n);
  return images;
}

std::vector<std::uint32_t> measured_golden(const gpu_probe::ProbeOp& op) {
  std::size_t skip = 0;
  for (const gpu_probe::ProbeOp& other : gpu_probe::probe_ops()) {
    if (other.kernel == op.kernel) break;
    skip += gpu_probe::kGoldenCases * kLanes * static_cast<std::size_t>(other.c_registers);
  }
  std::vector<std::uint32_t> words(gpu_probe::kGoldenCases * kLanes * static_cast<std::size_t>(op.c_registers));
  std::ifstream file = open("mma_golden.bin");
  file.seekg(static_cast<std::streamoff>(4 * skip));
  file.read(reinterpret_cast<char*>(words.data()), static_cast<std::streamsize>(4 * words.size()));
  if (!file) throw std::runtime_error("mma_golden.bin ends before " + op.kernel);
  return words;
}

std::vector<Row> measured_rows(const std::string& file, const gpu_probe::ProbeOp& op, std::size_t op_column) {
  std::ifstream stream = open(file);
  std::vector<Row> rows;
  for (std::string line; std::getline(stream, line);) {
    if (line.empty() || line[0] == '#') continue;
    Row row = split(line);
    if (row.size() <= op_column + 1) throw std::runtime_error(file + ": too few fields in: " + line);
    if (row[op_column] == op.name && row[op_column + 1] == std::to_string(op.selector)) rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<std::uint64_t> measured_hashes(const gpu_probe::ProbeOp& op) {
  const std::vector<Row> rows = measured_rows("mma_hashes.csv", op, 0);
  if (rows.size() != 1) throw std::runtime_error("mma_hashes.csv has not exactly one row of " + op.kernel);
  std::vector<std::uint64_t> hashes;
  for (std::size_t i = 2; i < rows[0].size(); ++i) hashes.push_back(std::stoull(rows[0][i], nullptr, 16));
  return hashes;
}

}  // namespace stc::golden
