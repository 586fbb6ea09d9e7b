// SPDX-License-Identifier: Apache-2.0
#include "sim/mma/op_list.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "models/isa/mma/element_format.h"
#include "models/isa/mma/mma_catalogue.h"
#include "models/sm/issue_info.h"
#include "models/tensor_core/mma_timing.h"

namespace stc::sim {
namespace {

/// "2 x 8": fused blocks times products; integer sums have no blocks.
std::string block_text(const isa::MmaOp& op, const arith::Numerics& numerics) {
  if (isa::is_integer(op.a)) return "exact";
  const int parts = isa::is_fp8(op.a) && !op.warpgroup ? 2 : 1;
  const int depth = op.stored_k() / parts;
  const int length = std::min(depth, isa::rules_of(op, numerics).block_length);
  return fmt::format("{} x {}", parts * (depth / length), length);
}

/// "128, 144": with A in registers, with A in shared memory.
std::string both(int registers, int memory) { return fmt::format("{}, {}", registers, memory); }

std::string warpgroup_text(const gpu::GpuParams& gpu) {
  const auto entries = isa::warpgroup_catalogue(gpu.sm_version);
  if (entries.empty()) return "";
  std::string out = fmt::format("\nOf warpgroups\n{:<44} {:>9}  {:>9} {:>9} {:>14} {:>14}\n", "", "A C E", "selectors",
                                "blocks", "interval", "latency");
  for (const isa::MmaCatalogueEntry& entry : entries) {
    const isa::MmaOp& op = entry.op;
    const auto registers = sm::warpgroup_timing(op, false, gpu.sm.warpgroup),
               memory = sm::warpgroup_timing(op, true, gpu.sm.warpgroup);
    out += fmt::format("{:<44} {:>9}  {:>9} {:>9} {:>14} {:>14}\n", op.name(),
                       fmt::format("{} {} {}", op.a_registers(), op.c_registers(), op.sparse ? 1 : 0),
                       op.sparse ? std::to_string(entry.selectors) : "-", block_text(op, gpu.numerics),
                       both(registers.interval, memory.interval), both(registers.latency, memory.latency));
  }
  return out +
         "N may be any multiple of 8 up to 256, of integers above 32 of 16. B comes from shared memory, A too or from\n"
         "registers: interval and latency of the latter first.\n";
}

nlohmann::ordered_json warpgroup_json(const gpu::GpuParams& gpu) {
  auto ops = nlohmann::ordered_json::array();
  for (const isa::MmaCatalogueEntry& entry : isa::warpgroup_catalogue(gpu.sm_version)) {
    const isa::MmaOp& op = entry.op;
    const auto timing = [&](bool memory) {
      const auto found = sm::warpgroup_timing(op, memory, gpu.sm.warpgroup);
      return nlohmann::ordered_json{{"interval_cycles", found.interval}, {"latency_cycles", found.latency}};
    };
    ops.push_back({{"op", op.name()},
                   {"pattern", op.pattern.name()},
                   {"registers_a", op.a_registers()},
                   {"registers_c", op.c_registers()},
                   {"selectors", entry.selectors},
                   {"stored_macs", op.stored_macs()},
                   {"blocks", block_text(op, gpu.numerics)},
                   {"a_in_registers", timing(false)},
                   {"a_in_memory", timing(true)}});
  }
  return ops;
}

}  // namespace

std::string op_list_text(const gpu::GpuParams& gpu) {
  std::string out = fmt::format("Matrix instructions of {} (sm_{})\n", gpu.name, gpu.sm_version);
  out += fmt::format("{:<44} {:>7}  {:>9} {:>9} {:>7} {:>8} {:>8}\n", "", "A B C E", "selectors", "blocks", "steps",
                     "interval", "latency");
  for (const isa::MmaCatalogueEntry& entry : isa::mma_catalogue(gpu.sm_version)) {
    const isa::MmaOp& op = entry.op;
    out += fmt::format("{:<44} {} {} {} {}  {:>9} {:>9} ", op.name(), op.a_registers(), op.b_registers(),
                       op.c_registers(), tensor_core::metadata_registers(op),
                       op.sparse ? std::to_string(entry.selectors) : "-", block_text(op, gpu.numerics));
    if (entry.emulated) {
      out += fmt::format("{:>7} {:>8} {:>8}\n", "-", "emulated", "-");
    } else {
      const auto timing = tensor_core::mma_timing(op, gpu.sm.tensor_core);
      out += fmt::format("{:>7} {:>8} {:>8}\n", timing.steps, timing.interval, timing.latency);
    }
  }
  return out +
         "Registers per lane of A, B, C/D and metadata. Blocks: fused sums x products. Steps, interval between\n"
         "independent instructions and latency in SM cycles; emulated operations are several instructions.\n" +
         warpgroup_text(gpu);
}

nlohmann::ordered_json op_list_json(const gpu::GpuParams& gpu) {
  auto ops = nlohmann::ordered_json::array();
  for (const isa::MmaCatalogueEntry& entry : isa::mma_catalogue(gpu.sm_version)) {
    const isa::MmaOp& op = entry.op;
    nlohmann::ordered_json item = {{"op", op.name()},
                                   {"emulated", entry.emulated},
                                   {"pattern", op.pattern.name()},
                                   {"registers_a", op.a_registers()},
                                   {"registers_b", op.b_registers()},
                                   {"registers_c", op.c_registers()},
                                   {"registers_metadata", tensor_core::metadata_registers(op)},
                                   {"selectors", entry.selectors},
                                   {"stored_macs", op.stored_macs()}};
    item["blocks"] = block_text(op, gpu.numerics);
    if (!entry.emulated) {
      const auto timing = tensor_core::mma_timing(op, gpu.sm.tensor_core);
      item["steps"] = timing.steps;
      item["interval_cycles"] = timing.interval;
      item["latency_cycles"] = timing.latency;
    }
    ops.push_back(item);
  }
  return {{"gpu", gpu.name}, {"sm_version", gpu.sm_version}, {"ops", ops}, {"warpgroup_ops", warpgroup_json(gpu)}};
}

}  // namespace stc::sim
