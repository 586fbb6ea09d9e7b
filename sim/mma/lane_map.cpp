// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <vector>

#include "models/isa/mma/fragment_layout.h"
#include "models/isa/products/warpgroup_mma.h"
#include "sim/mma/op_list.h"

namespace stc::sim {
namespace {

constexpr int kWarpLanes = 32;

/// Elements of one lane's register, low bits first.
using RegisterContents = std::vector<std::pair<int, int>>;

/// "row 3, k 8-9" or "column 3, k 8-9"; a run along the second coordinate is one range.
std::string contents_text(const RegisterContents& elements, const char* first_name, const char* second_name) {
  const auto [first, begin] = elements.front();
  const int end = elements.back().second;
  const std::string range = begin == end ? std::to_string(begin) : fmt::format("{}-{}", begin, end);
  return fmt::format("{} {:>2}, {} {}", first_name, first, second_name, range);
}

/// One operand: what its elements are called and which of them each register holds, [lane * registers + register].
struct OperandMap {
  const char *key, *title;
  const char *first_name, *second_name;
  int registers;
  std::vector<RegisterContents> contents;
};

template <class PlaceOf>
OperandMap operand_map(OperandMap map, int first_count, int second_count, PlaceOf place_of) {
  map.contents.resize(static_cast<std::size_t>(map.registers) * kWarpLanes);
  for (int i = 0; i < first_count; ++i) {
    for (int j = 0; j < second_count; ++j) {
      const isa::ElementPlace place = place_of(i, j);
      map.contents[static_cast<std::size_t>(place.lane * map.registers + place.reg)].emplace_back(i, j);
    }
  }
  return map;
}

/// What a warp of a warpgroup does with eight columns; an operation of a warp is that itself.
isa::MmaOp of_warp(const isa::MmaOp& op) { return op.warpgroup ? isa::part_of_warpgroup(op) : op; }

std::vector<OperandMap> operand_maps(const isa::MmaOp& whole) {
  const isa::MmaOp op = of_warp(whole);
  const char* const along = op.sparse ? "stored" : "k";
  std::vector<OperandMap> maps{
      operand_map({"a", op.sparse ? "A (stored elements)" : "A", "row", along, op.a_registers(), {}}, op.m,
                  op.stored_k(), [&](int row, int p) { return isa::place_in_a(op, row, p); }),
      operand_map({"b", "B", "column", "k", op.b_registers(), {}}, op.n, op.k,
                  [&](int column, int k) { return isa::place_in_b(op, k, column); }),
      operand_map({"c_and_d", "C and D", "row", "column", op.c_registers(), {}}, op.m, op.n,
                  [&](int row, int column) { return isa::place_in_c(op, row, column); })};
  if (op.warpgroup) maps.erase(maps.begin() + 1);
  return maps;
}

std::string operand_text(const OperandMap& map) {
  std::string out = fmt::format("{}: {} register{} per lane, low bits first\n", map.title, map.registers,
                                map.registers == 1 ? "" : "s");
  for (int lane = 0; lane < kWarpLanes; ++lane) {
    out += fmt::format("  lane {:>2}", lane);
    for (int r = 0; r < map.registers; ++r) {
      const RegisterContents& contents = map.contents[static_cast<std::size_t>(lane * map.registers + r)];
      out += fmt::format("{} {}", r == 0 ? " " : " |", contents_text(contents, map.first_name, map.second_name));
    }
    out += '\n';
  }
  return out;
}

nlohmann::ordered_json operand_json(const OperandMap& map) {
  auto lanes = nlohmann::ordered_json::array();
  for (int lane = 0; lane < kWarpLanes; ++lane) {
    auto registers = nlohmann::ordered_json::array();
    for (int r = 0; r < map.registers; ++r) {
      registers.push_back(map.contents[static_cast<std::size_t>(lane * map.registers + r)]);
    }
    lanes.push_back(registers);
  }
  return {{"registers_per_lane", map.registers}, {"element", {map.first_name, map.second_name}}, {"lanes", lanes}};
}

/// Neighbouring bits of a lane's metadata registers: the indices of consecutive groups of one row.
struct MetadataRun {
  int lane, reg, low_bit, high_bit, row, first_index, last_index;
};

std::vector<MetadataRun> metadata_runs(const isa::MmaOp& op, int selector) {
  const sparsity::MetadataLayout layout = isa::metadata_layout(op);
  std::vector<std::vector<MetadataRun>> of_register(static_cast<std::size_t>(layout.registers()) * kWarpLanes);
  for (int row = 0; row < op.m; ++row) {
    for (int i = 0; i < layout.indices_per_row(); ++i) {
      const auto place = layout.place(row, i, selector);
      auto& runs = of_register[static_cast<std::size_t>(place.lane * layout.registers() + place.reg)];
      const int high = place.bit + layout.stored_bits() - 1;
      if (!runs.empty() && runs.back().row == row) {
        runs.back().last_index = i;
        runs.back().high_bit = high;
      } else {
        runs.push_back({place.lane, place.reg, place.bit, high, row, i, i});
      }
    }
  }
  std::vector<MetadataRun> all;
  for (const auto& runs : of_register) all.insert(all.end(), runs.begin(), runs.end());
  return all;
}

int first_k(const isa::MmaOp& op, const MetadataRun& run) {
  return run.first_index / op.pattern.n * op.pattern.group_elements();
}
int last_k(const isa::MmaOp& op, const MetadataRun& run) {
  return (run.last_index / op.pattern.n + 1) * op.pattern.group_elements() - 1;
}

/// Fields of each lane for one selector.
std::string metadata_text(const isa::MmaOp& op, int selector) {
  std::string out =
      fmt::format("Metadata, selector {}: {} bits per index, {} per group of {} along k; first group lowest\n",
                  selector, isa::metadata_layout(op).stored_bits(), op.pattern.n, op.pattern.group_elements());
  const MetadataRun* before = nullptr;
  const std::vector<MetadataRun> runs = metadata_runs(op, selector);
  for (const MetadataRun& run : runs) {
    if (before == nullptr || before->lane != run.lane || before->reg != run.reg) {
      out += fmt::format("{}  lane {:>2}", before == nullptr ? "" : "\n", run.lane);
    }
    out += fmt::format("   bits {:>2}-{:<2} row {:>2}, k {}-{}", run.low_bit, run.high_bit, run.row, first_k(op, run),
                       last_k(op, run));
    before = &run;
  }
  return out + '\n';
}

nlohmann::ordered_json metadata_json(const isa::MmaOp& op, int selector) {
  auto fields = nlohmann::ordered_json::array();
  for (const MetadataRun& run : metadata_runs(op, selector)) {
    fields.push_back({{"lane", run.lane},
                      {"register", run.reg},
                      {"low_bit", run.low_bit},
                      {"high_bit", run.high_bit},
                      {"row", run.row},
                      {"first_k", first_k(op, run)},
                      {"last_k", last_k(op, run)}});
  }
  return {{"selector", selector}, {"bits_per_index", isa::metadata_layout(op).stored_bits()}, {"fields", fields}};
}

}  // namespace

std::string lane_map_text(const isa::MmaOp& whole) {
  const isa::MmaOp op = of_warp(whole);
  std::string out = whole.name() + "\n";
  if (op.warpgroup) {
    out += fmt::format(
        "Of warp 0; the rows of warp w are 16 w further. Registers of C and D are those of columns 0-7; each 8 "
        "columns\n"
        "further have the next {}. B lies in shared memory, and A unless registers hold it.\n",
        op.c_registers());
  }
  for (int selector = 0; op.sparse && selector < isa::metadata_layout(op).selectors(); ++selector) {
    out += metadata_text(op, selector);
  }
  for (const OperandMap& map : operand_maps(whole)) out += operand_text(map);
  return out;
}

nlohmann::ordered_json lane_map_json(const isa::MmaOp& whole) {
  const isa::MmaOp op = of_warp(whole);
  nlohmann::ordered_json out = {{"op", whole.name()}};
  if (op.sparse) {
    auto metadata = nlohmann::ordered_json::array();
    for (int selector = 0; selector < isa::metadata_layout(op).selectors(); ++selector) {
      metadata.push_back(metadata_json(op, selector));
    }
    out["metadata"] = metadata;
  }
  for (const OperandMap& map : operand_maps(whole)) out[map.key] = operand_json(map);
  return out;
}

}  // namespace stc::sim
