// SPDX-License-Identifier: Apache-2.0
// The waveform of one instruction: steps, selects and results in it are those of the instruction, and the save file
// names only signals that exist.
#include "sim/mma/waveform.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <sstream>

#include "models/isa/products/mma_trace.h"
#include "models/sm/issue_info.h"
#include "models/tensor_core/mma_timing.h"
#include "models/tensor_core/trace_names.h"
#include "sim/config/gpu_config.h"
#include "validation/unit/tensor_core/operations.h"

namespace stc::sim {
namespace {

/// Signals of a VCD by full name ("SystemC.clock", "SystemC.x[7:0]"), each with its changes (time in 100 ps, value).
class Vcd {
 public:
  explicit Vcd(const std::vector<std::uint8_t>& bytes) {
    std::istringstream in(std::string(bytes.begin(), bytes.end()));
    std::string word, scope;
    std::vector<std::string> scopes;
    long time = 0;
    while (in >> word) {
      if (word == "$scope") {
        std::string kind, name;
        in >> kind >> name;
        scopes.push_back(name);
      } else if (word == "$upscope") {
        scopes.pop_back();
      } else if (word == "$var") {
        std::string type, size, id, name, range, path;
        in >> type >> size >> id >> name >> range;
        for (const std::string& s : scopes) path += s + ".";
        names_[path + name + (range == "$end" ? "" : range)] = id;
      } else if (word[0] == '#') {
        time = std::stol(word.substr(1));
      } else if (word[0] == 'b' || word[0] == 'r') {
        std::string id;
        in >> id;
        changes_[id].push_back({time, word.substr(1)});
      } else if (word[0] == '0' || word[0] == '1') {
        changes_[word.substr(1)].push_back({time, word.substr(0, 1)});
      }
    }
  }

  bool has(const std::string& name) const { return names_.count(name) != 0; }
  std::size_t size() const { return names_.size(); }

  /// The value in the middle of a cycle (time zero is cycle 0).
  std::string at(const std::string& name, long cycle) const {
    EXPECT_TRUE(has(name)) << name;
    std::string value;
    if (!has(name)) return value;
    for (const auto& [time, text] : changes_.at(names_.at(name))) {
      if (time <= cycle * 10 + 5) value = text;
    }
    return value;
  }
  long number(const std::string& name, long cycle) const {
    const std::string text = at(name + "[31:0]", cycle);
    return text.empty() ? -2 : static_cast<std::int32_t>(std::stoul(text, nullptr, 2));
  }

 private:
  std::map<std::string, std::string> names_;
  std::map<std::string, std::vector<std::pair<long, std::string>>> changes_;
};

constexpr long kIssued = 2;  // cycle of the waveform in which the instruction enters

class Wave : public testing::TestWithParam<const char*> {};

TEST_P(Wave, ShowsTheInstruction) {
  const tensor_core::TestGpu gpu = tensor_core::test_gpu("a100");
  MmaCase mma = random_case(isa::parse_mma_name(GetParam()), 0, 1);
  compute(mma, gpu.numerics);
  const Waveform wave = record_waveform({&mma, &gpu.numerics, gpu.params, "wave.vcd"});
  EXPECT_EQ(wave.d, mma.d);
  EXPECT_EQ(wave.latency, tensor_core::mma_timing(mma.op, gpu.params).latency);

  const Vcd vcd(wave.vcd);
  const auto plan = tensor_core::step_schedule(mma.op, gpu.params);
  const std::string control = "SystemC.tensor_core.control.";
  for (std::size_t i = 0; i < plan.steps.size(); ++i) {
    EXPECT_EQ(vcd.number(control + "step", kIssued + plan.first_step + static_cast<long>(i)), static_cast<long>(i));
  }
  EXPECT_EQ(vcd.number(control + "step", kIssued + plan.first_step - 1), -1);
  EXPECT_EQ(vcd.number(control + "step", kIssued + plan.first_step + static_cast<long>(plan.steps.size())), -1);
  EXPECT_EQ(vcd.at(control + "complete", kIssued + wave.latency - 2), "0");
  EXPECT_EQ(vcd.at(control + "complete", kIssued + wave.latency - 1), "1");

  const int bits = isa::bits_of(mma.op.b);
  int selected = 0;
  for (std::size_t i = 0; mma.op.sparse && i < plan.steps.size(); ++i) {
    const long cycle = kIssued + plan.first_step + static_cast<long>(i);
    for (int p = 0; p < plan.steps[i].count; ++p, ++selected) {
      const int row = plan.steps[i].row + 3, stored = plan.steps[i].stored + p;
      const std::uint32_t b =
          mma.in.b[static_cast<std::size_t>(selected_row(mma, row, stored) * 8 + plan.steps[i].column)];
      const std::uint32_t mask = 0xffffffffu >> (32 - bits);
      const std::string name =
          fmt::format("SystemC.tensor_core.operand_selector.{}[{}:0]", tensor_core::selected_name(3, 0, p), bits - 1);
      EXPECT_EQ(std::stoul(vcd.at(name, cycle), nullptr, 2), b & mask) << name << " in cycle " << cycle;
    }
  }
  EXPECT_EQ(selected, mma.op.sparse ? mma.op.stored_k() * plan.tiles() : 0);

  for (int row = 0; row < 16; ++row) {
    for (int column = 0; column < 8; ++column) {
      const std::string name = "SystemC.tensor_core.accumulator." + tensor_core::output_name(row, column);
      const std::uint32_t d = mma.out[static_cast<std::size_t>(row * 8 + column)];
      const double number = isa::element_value(mma.op.c, d);
      EXPECT_NEAR(std::stod(vcd.at(name, kIssued + wave.latency)), number, 0.006 * std::abs(number)) << name;
      const std::string exact = fmt::format("{}_bits[{}:0]", name, isa::bits_of(mma.op.c) - 1);
      EXPECT_EQ(std::stoul(vcd.at(exact, kIssued + wave.latency), nullptr, 2), d) << name;
    }
  }
}

class WarpgroupWave : public testing::TestWithParam<const char*> {
 protected:
  static MmaCase computed(const gpu::GpuParams& gpu) {
    MmaCase mma = random_case(isa::parse_mma_name(GetParam()), 0, 1);
    compute(mma, gpu.numerics);
    return mma;
  }
  const gpu::GpuParams gpu = read_gpu_config("configs/gpus/h200.yaml").params;
};

TEST_P(WarpgroupWave, ShowsTheInstruction) {
  const MmaCase mma = computed(gpu);
  const Waveform wave = record_waveform({&mma, &gpu.numerics, gpu.sm.tensor_core, "wave.vcd", gpu.sm.warpgroup});
  EXPECT_EQ(wave.d, mma.out);
  EXPECT_EQ(wave.latency, sm::warpgroup_timing(mma.op, true, gpu.sm.warpgroup).latency);

  const Vcd vcd(wave.vcd);
  const auto plan = warpgroup_schedule(mma.op, gpu.sm.warpgroup);
  const std::string own = "SystemC.warpgroup.";
  int bytes = 0;
  for (int cycle = 0; cycle < plan.complete(); ++cycle) {
    const long rows_read = vcd.number(own + "control.reading_a_row", kIssued + cycle);
    EXPECT_EQ(rows_read >= 0, cycle < plan.reading_a()) << cycle;
    bytes += static_cast<int>(vcd.number(own + "control.operand_bytes", kIssued + cycle));
  }
  EXPECT_EQ(bytes, mma.op.m * plan.row_bytes() + mma.op.n * plan.column_bytes());
  const int bits = isa::bits_of(mma.op.b);
  for (int step = 0; step < plan.steps(); ++step) {
    const long cycle = kIssued + plan.step_cycle(step);
    EXPECT_EQ(vcd.number(own + "control.multiplied_column", cycle), 2 * step);
    EXPECT_EQ(vcd.number(own + "control.accumulated_column", cycle + plan.latency), 2 * step);
    for (int p = 0; p < mma.op.stored_k(); ++p) {
      const int row = 3, column = 2 * step + 1;
      const std::uint32_t b = mma.in.b[static_cast<std::size_t>(selected_row(mma, row, p) * mma.op.n + column)];
      const std::string name =
          fmt::format("{}operand_selector.{}[{}:0]", own, tensor_core::selected_name(row, 1, p), bits - 1);
      EXPECT_EQ(std::stoul(vcd.at(name, cycle), nullptr, 2), b & (0xffffffffu >> (32 - bits))) << name << ", " << step;
    }
  }
  for (int row = 0; row < 64; row += 7) {
    for (int column = 0; column < mma.op.n; ++column) {
      const std::string name = own + "accumulator." + tensor_core::output_name(row, column) + "_bits";
      const auto at = static_cast<std::size_t>(row * mma.op.n + column);
      const std::string exact = fmt::format("{}[{}:0]", name, isa::bits_of(mma.op.c) - 1);
      const long sum = kIssued + plan.step_cycle(column / 2) + plan.latency;
      EXPECT_EQ(std::stoul(vcd.at(exact, sum - 1), nullptr, 2), mma.in.c[at]) << name;
      EXPECT_EQ(std::stoul(vcd.at(exact, sum), nullptr, 2), mma.out[at]) << name;
    }
  }
}

void expect_signals_exist(const std::string& save_file, const Vcd& vcd) {
  std::istringstream save(save_file);
  std::size_t signals = 0;
  for (std::string line; std::getline(save, line);) {
    if (line.rfind("SystemC.", 0) != 0) continue;
    ++signals;
    EXPECT_TRUE(vcd.has(line)) << line;
  }
  EXPECT_GT(signals, 600u);
}

TEST_P(WarpgroupWave, SaveFileNamesSignalsThatExist) {
  const MmaCase mma = computed(gpu);
  const Vcd vcd(record_waveform({&mma, &gpu.numerics, gpu.sm.tensor_core, "wave.vcd", gpu.sm.warpgroup}).vcd);
  expect_signals_exist(gtkwave_save_file(warpgroup_schedule(mma.op, gpu.sm.warpgroup), "wave.vcd"), vcd);
}

INSTANTIATE_TEST_SUITE_P(Operations, WarpgroupWave,
                         testing::Values("wgmma.m64n16k16.f32.f16.f16", "wgmma.sp.m64n16k32.f32.f16.f16",
                                         "wgmma.sp.m64n8k64.f32.e4m3.e4m3", "wgmma.m64n8k32.s32.s8.s8"));

TEST_P(Wave, SaveFileNamesSignalsThatExist) {
  const tensor_core::TestGpu gpu = tensor_core::test_gpu("a100");
  MmaCase mma = random_case(isa::parse_mma_name(GetParam()), 0, 1);
  const Vcd vcd(record_waveform({&mma, &gpu.numerics, gpu.params, "wave.vcd"}).vcd);
  expect_signals_exist(gtkwave_save_file(tensor_core::step_schedule(mma.op, gpu.params), "wave.vcd"), vcd);
}

INSTANTIATE_TEST_SUITE_P(A100, Wave,
                         testing::Values("mma.sp.m16n8k32.f32.f16.f16.f32", "mma.m16n8k16.f32.f16.f16.f32",
                                         "mma.sp.m16n8k16.f32.tf32.tf32.f32", "mma.sp.m16n8k64.s32.s8.s8.s32",
                                         "mma.sp.m16n8k128.satfinite.s32.u4.s4.s32", "mma.m16n8k8.f16.f16.f16.f16"));

}  // namespace
}  // namespace stc::sim
