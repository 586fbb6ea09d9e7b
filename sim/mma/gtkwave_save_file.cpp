// SPDX-License-Identifier: Apache-2.0
// The save file of GTKWave: one line per signal, a line of display flags before it where they change, groups as pairs
// of lines. Open: what one person can follow, row 0 and its first unit. Everything else is there, folded.
#include <fmt/format.h>

#include <algorithm>

#include "models/tensor_core/signals.h"
#include "models/tensor_core/trace_names.h"
#include "sim/mma/waveform.h"

namespace stc::sim {
namespace {

using namespace tensor_core;

int bits_for(int values) {
  int bits = 1;
  while (1 << bits < values) ++bits;
  return bits;
}

/// Display flags of GTKWave.
enum Flags : unsigned {
  kHex = 0x22,
  kUnsigned = 0x24,
  kBinary = 0x28,
  kSigned = 0x420,
  kReal = 0x20,
  kGroupOpen = 0x800200,
  kGroupFolded = 0xc00200,
  kGroupEnd = 0x1000200,
  kFoldedEnd = 0x1401200
};

class SaveFile {
 public:
  explicit SaveFile(const std::string& vcd) {
    text_ = fmt::format(
        "[*] written by stcsim\n[dumpfile] \"{}\"\n[timestart] 0\n[size] 1500 950\n[pos] -1 -1\n"
        "*-12.0 0\n[treeopen] SystemC.\n[sst_width] 200\n[signals_width] 260\n[sst_expanded] 0\n",
        vcd);
  }

  void group(const std::string& name, bool open) {
    line(fmt::format("@{:x}\n-{}\n", static_cast<unsigned>(open ? kGroupOpen : kGroupFolded), name));
    open_.push_back({name, open});
  }
  void end() {
    line(fmt::format("@{:x}\n-{}\n", static_cast<unsigned>(open_.back().open ? kGroupEnd : kFoldedEnd),
                     open_.back().name));
    open_.pop_back();
  }
  /// `bits` 1 for a single wire, 0 for a number that has no bits.
  void signal(const std::string& path, Flags flags, int bits) {
    if (flags_ != flags) text_ += fmt::format("@{:x}\n", static_cast<unsigned>(flags));
    flags_ = flags;
    text_ += bits > 1 ? fmt::format("SystemC.{}[{}:0]\n", path, bits - 1) : fmt::format("SystemC.{}\n", path);
  }
  void number(const std::string& path) { signal(path, kReal, 0); }
  std::string text() const { return text_; }

 private:
  struct Open {
    std::string name;
    bool open;
  };
  void line(const std::string& text) {
    text_ += text;
    flags_ = 0;
  }
  std::string text_;
  unsigned flags_ = 0;
  std::vector<Open> open_;
};

void control(SaveFile& save, const StepSchedule& schedule) {
  save.signal("clock", kBinary, 1);
  save.signal("cycle", kSigned, 32);
  for (const char* port : {"request.valid", "ready", "result0.valid"}) {
    save.signal(fmt::format("tensor_core.{}", port), kBinary, 1);
  }
  save.group("control", true);
  for (const char* name : {"pass", "step", "k_slice", "row_tile", "column_tile"}) {
    save.signal(fmt::format("tensor_core.control.{}", name), kSigned, 32);
  }
  for (int adder = 0; adder <= schedule.additions.back().block; ++adder) {
    save.signal(fmt::format("tensor_core.control.{}", adder_name(adder, "tile")), kSigned, 32);
  }
  save.signal("tensor_core.control.complete", kBinary, 1);
  save.end();
}

void operand_buffers(SaveFile& save, const StepSchedule& schedule) {
  const isa::MmaOp& op = schedule.op;
  const std::string module = "tensor_core.operand_buffers.";
  save.group("operand buffers", false);
  for (int row = 0; row < op.m; ++row) {
    save.group(fmt::format("A row {}", row), false);
    for (int p = 0; p < op.stored_k(); ++p) save.signal(module + weight_name(row, p), kHex, isa::bits_of(op.a));
    save.end();
  }
  for (int column = 0; column < op.n; ++column) {
    save.group(fmt::format("B column {}", column), false);
    for (int k = 0; k < op.k; ++k) save.signal(module + activation_name(k, column), kHex, isa::bits_of(op.b));
    save.end();
  }
  save.end();
}

void metadata_unit(SaveFile& save, const StepSchedule& schedule) {
  const isa::MmaOp& op = schedule.op;
  if (!op.sparse) return;
  const int selects = schedule.steps.front().count * multiplexers_of(op), bits = select_bits(op);
  const std::string module = "tensor_core.metadata_unit.";
  const auto row_signals = [&](int row) {
    save.signal(module + index_bits_name(row), kHex, std::min(64, selects * bits));
    for (int i = 0; i < selects; ++i) save.signal(module + select_name(row, i), kUnsigned, bits);
  };
  save.group("metadata, row 0 of the tile", true);
  row_signals(0);
  save.end();
  save.group("metadata, other rows", false);
  for (int row = 1; row < schedule.tile_rows; ++row) {
    save.group(fmt::format("row {}", row), false);
    row_signals(row);
    save.end();
  }
  save.end();
}

void operand_selector(SaveFile& save, const StepSchedule& schedule) {
  const isa::MmaOp& op = schedule.op;
  const int count = schedule.steps.front().count, inputs = op.sparse ? op.pattern.mux_inputs() : 1;
  const std::string module = "tensor_core.operand_selector.";
  save.group("selector: inputs, by column", false);
  for (int column = 0; column < schedule.tile_columns; ++column) {
    for (int i = 0; i < count; ++i) {
      for (int input = 0; input < inputs; ++input) {
        save.signal(module + candidate_name(column, i, input), kHex, isa::bits_of(op.b));
      }
    }
  }
  save.end();
  save.group("selector: outputs, by unit", false);
  for (int row = 0; row < schedule.tile_rows; ++row) {
    for (int column = 0; column < schedule.tile_columns; ++column) {
      for (int i = 0; i < count; ++i) save.signal(module + selected_name(row, column, i), kHex, isa::bits_of(op.b));
    }
  }
  save.end();
}

void dot_product_array(SaveFile& save, const StepSchedule& schedule) {
  const int count = schedule.steps.front().count;
  const std::string module = "tensor_core.dot_product_array.";
  const auto unit = [&](int row, int column, bool open) {
    save.group(fmt::format("unit of row {}, column {}", row, column), open);
    // What is shown open leaves the weights out: less to scroll.
    for (int i = 0; i < count && !open; ++i) save.number(module + multiplier_weight_name(row, column, i));
    for (int i = 0; i < count; ++i) save.number(module + multiplier_activation_name(row, column, i));
    for (int i = 0; i < count; ++i) save.number(module + product_name(row, column, i));
    save.number(module + dot_product_name(row, column));
    save.end();
  };
  unit(0, 0, true);
  save.group("all units", false);
  for (int row = 0; row < schedule.tile_rows; ++row) {
    for (int column = 0; column < schedule.tile_columns; ++column) unit(row, column, false);
  }
  save.end();
  save.group("dot products, row 0", true);
  for (int column = 0; column < schedule.tile_columns; ++column) save.number(module + dot_product_name(0, column));
  save.end();
}

void accumulators(SaveFile& save, const StepSchedule& schedule) {
  const isa::MmaOp& op = schedule.op;
  const auto row_signals = [&](int row) {
    for (int column = 0; column < op.n; ++column) save.number("tensor_core.accumulator." + output_name(row, column));
  };
  save.group("accumulators, row 0: C, then D", true);
  row_signals(0);
  save.end();
  save.group("accumulators, other rows", false);
  for (int row = 1; row < op.m; ++row) {
    save.group(fmt::format("row {}", row), false);
    row_signals(row);
    save.end();
  }
  save.end();
}

}  // namespace

std::string gtkwave_save_file(const WarpgroupSchedule& schedule, const std::string& vcd_file) {
  const isa::MmaOp& op = schedule.op;
  const int rows = op.m / WarpgroupCores::kCores, stored = op.stored_k(), width = schedule.columns_per_cycle;
  SaveFile save(vcd_file);
  save.signal("clock", kBinary, 1);
  save.signal("cycle", kSigned, 32);
  for (const char* port : {"request", "result"}) save.signal(fmt::format("warpgroup.{}", port), kBinary, 1);
  save.group("control", true);
  for (const char* name :
       {"reading_a_row", "reading_b_column", "operand_bytes", "multiplied_column", "accumulated_column"})
    save.signal(fmt::format("warpgroup.control.{}", name), kSigned, 32);
  save.end();
  const auto unit = [&](int row, int column, bool open) {
    save.group(fmt::format("core 0, row {}, column {} of those multiplied", row, column), open);
    for (int p = 0; op.sparse && p < stored; ++p)
      save.signal("warpgroup.metadata_unit." + select_name(row, p), kUnsigned, bits_for(op.k));
    for (int p = 0; p < stored; ++p)
      save.signal("warpgroup.operand_selector." + selected_name(row, column, p), kHex, isa::bits_of(op.b));
    for (int p = 0; p < stored; ++p) save.number("warpgroup.dot_product_array." + product_name(row, column, p));
    save.end();
  };
  unit(0, 0, true);
  save.group("sums that reach the accumulators", true);
  for (int core = 0; core < WarpgroupCores::kCores; ++core) {
    for (int column = 0; column < width; ++column) save.number("warpgroup.sums." + output_name(core * rows, column));
  }
  save.end();
  save.group("accumulators, row 0: C, then D", true);
  for (int column = 0; column < std::min<int>(op.n, 16); ++column)
    save.number("warpgroup.accumulator." + output_name(0, column));
  save.end();
  save.group("operand buffers of core 0", false);
  for (int row = 0; row < rows; ++row) {
    for (int p = 0; p < stored; ++p)
      save.signal("warpgroup.operand_buffers." + weight_name(row, p), kHex, isa::bits_of(op.a));
  }
  for (int column = 0; column < width; ++column) {
    for (int k = 0; k < op.k; ++k)
      save.signal("warpgroup.operand_buffers." + activation_name(k, column), kHex, isa::bits_of(op.b));
  }
  save.end();
  save.group("all units of core 0", false);
  for (int row = 0; row < rows; ++row) {
    for (int column = 0; column < width; ++column) unit(row, column, false);
  }
  save.end();
  return save.text();
}

std::string gtkwave_save_file(const StepSchedule& schedule, const std::string& vcd_file) {
  SaveFile save(vcd_file);
  control(save, schedule);
  metadata_unit(save, schedule);
  dot_product_array(save, schedule);
  accumulators(save, schedule);
  operand_buffers(save, schedule);
  operand_selector(save, schedule);
  return save.text();
}

}  // namespace stc::sim
