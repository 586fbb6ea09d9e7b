// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <vector>

#include "models/isa/fragment_layout.h"
#include "sim/mma/op_list.h"

namespace stc::sim {
namespace {

constexpr int kLanes = 32;

/// Elements of one lane's register, low bits first.
using RegisterContents = std::vector<std::pair<int, int>>;

/// "row 3, k 8-9" or "column 3, k 8-9"; a run along the second coordinate is one range.
std::string contents_text(const RegisterContents& elements, const char* first_name, const char* second_name) {
  const auto [first, begin] = elements.front();
  const int end = elements.back().second;
  const std::string range = begin == end ? std::to_string(begin) : fmt::format("{}-{}", begin, end);
  return fmt::format("{} {:>2}, {} {}", first_name, first, second_name, range);
}

template <class PlaceOf>
std::string operand_text(const char* name, int registers, int first_count, int second_count, PlaceOf place_of,
                         const char* first_name, const char* second_name) {
  std::vector<RegisterContents> contents(static_cast<std::size_t>(registers) * kLanes);
  for (int i = 0; i < first_count; ++i) {
    for (int j = 0; j < second_count; ++j) {
      const isa::ElementPlace place = place_of(i, j);
      contents[static_cast<std::size_t>(place.lane * registers + place.reg)].emplace_back(i, j);
    }
  }
  std::string out =
      fmt::format("{}: {} register{} per lane, low bits first\n", name, registers, registers == 1 ? "" : "s");
  for (int lane = 0; lane < kLanes; ++lane) {
    out += fmt::format("  lane {:>2}", lane);
    for (int r = 0; r < registers; ++r) {
      out +=
          fmt::format("{} {}", r == 0 ? " " : " |",
                      contents_text(contents[static_cast<std::size_t>(lane * registers + r)], first_name, second_name));
    }
    out += '\n';
  }
  return out;
}

/// Fields of one lane for one selector: the first and last index of each run of one row.
std::string metadata_text(const isa::MmaOp& op, int selector) {
  const sparsity::MetadataLayout layout = isa::metadata_layout(op);
  struct Run {
    int row, first, last, low, high;
  };
  std::vector<std::vector<Run>> lanes(static_cast<std::size_t>(layout.registers()) * kLanes);
  for (int row = 0; row < op.m; ++row) {
    for (int i = 0; i < layout.indices_per_row(); ++i) {
      const auto place = layout.place(row, i, selector);
      auto& runs = lanes[static_cast<std::size_t>(place.lane * layout.registers() + place.reg)];
      const int high = place.bit + layout.stored_bits() - 1;
      if (!runs.empty() && runs.back().row == row) {
        runs.back().last = i;
        runs.back().high = high;
      } else {
        runs.push_back({row, i, i, place.bit, high});
      }
    }
  }
  const int group = op.pattern.group_elements(), n = op.pattern.n;
  std::string out =
      fmt::format("Metadata, selector {}: {} bits per index, {} per group of {} along k; first group lowest\n",
                  selector, layout.stored_bits(), n, group);
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    if (lanes[i].empty()) continue;
    out += fmt::format("  lane {:>2}", i / static_cast<std::size_t>(layout.registers()));
    for (const Run& run : lanes[i]) {
      out += fmt::format("   bits {:>2}-{:<2} row {:>2}, k {}-{}", run.low, run.high, run.row, run.first / n * group,
                         (run.last / n + 1) * group - 1);
    }
    out += '\n';
  }
  return out;
}

}  // namespace

std::string lane_map_text(const isa::MmaOp& op) {
  std::string out = op.name() + "\n";
  for (int selector = 0; op.sparse && selector < isa::metadata_layout(op).selectors(); ++selector) {
    out += metadata_text(op, selector);
  }
  out += operand_text(
      op.sparse ? "A (stored elements)" : "A", op.a_registers(), op.m, op.stored_k(),
      [&](int row, int p) { return isa::place_in_a(op, row, p); }, "row", op.sparse ? "stored" : "k");
  out += operand_text(
      "B", op.b_registers(), op.n, op.k, [&](int column, int k) { return isa::place_in_b(op, k, column); }, "column",
      "k");
  out += operand_text(
      "C and D", op.c_registers(), op.m, op.n, [&](int row, int column) { return isa::place_in_c(op, row, column); },
      "row", "column");
  return out;
}

}  // namespace stc::sim
