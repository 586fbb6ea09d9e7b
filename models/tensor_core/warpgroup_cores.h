// SPDX-License-Identifier: Apache-2.0
// Models:   the four tensor cores of an SM at one matrix instruction of a warpgroup: operands that come from shared
//           memory, 16 rows for each core, metadata from registers, selection, products of some columns a cycle, sums
//           that reach the accumulators.
// Evidence: configs/gpus/h200.yaml, sm.warpgroup: chains of 8 to 256 columns (measured/h200/wgmma_times.csv); values:
//           models/arith, all bits of an H200's.
// Abstracts: in which order bytes of A come; what happens between products and accumulators, of which only the whole
//           time is known; the instruction behind this one, which would begin meanwhile.
// Timing:   A comes first, row after row, then B, column after column, so many bytes a cycle; what comes in a cycle can be
//           multiplied in it. A pair of columns follows another once both have come; its sums are in the accumulators
//           `latency` cycles later. The last are there when a wait for the instruction ends (sm/issue_info,
//           WarpgroupTiming).
#pragma once

#include <cstdint>
#include <systemc>
#include <vector>

#include "models/arith/numerics.h"
#include "models/isa/products/execute_mma.h"

namespace stc::tensor_core {

/// When an instruction, A in shared memory, does what; cycles count from its begin.
struct WarpgroupSchedule {
  isa::MmaOp op;
  int bytes_per_cycle = 0;    ///< of operands from shared memory
  int columns_per_cycle = 0;  ///< that are multiplied
  int latency = 0;            ///< from products until their sums are in the accumulators

  int row_bytes() const { return op.stored_k() * isa::bits_of(op.a) / 8; }
  int column_bytes() const { return op.k * isa::bits_of(op.b) / 8; }
  int cycles_of(int bytes) const { return (bytes + bytes_per_cycle - 1) / bytes_per_cycle; }
  int reading_a() const { return cycles_of(op.m * row_bytes()); }
  int reading() const { return reading_a() + cycles_of(op.n * column_bytes()); }
  int steps() const { return (op.n + columns_per_cycle - 1) / columns_per_cycle; }
  int row_here(int row) const { return cycles_of((row + 1) * row_bytes()) - 1; }
  int column_here(int column) const { return reading_a() + cycles_of((column + 1) * column_bytes()) - 1; }
  /// In which its columns are multiplied.
  int step_cycle(int step) const;
  int complete() const { return step_cycle(steps() - 1) + latency; }
};

class WarpgroupCores : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(WarpgroupCores);
  WarpgroupCores(sc_core::sc_module_name name, const WarpgroupSchedule& schedule, const arith::Numerics& numerics,
                 isa::MmaMatrices operands);

  sc_core::sc_in<bool> clock;    ///< a rising edge is a cycle
  sc_core::sc_in<bool> request;  ///< the instruction begins at the next rising edge
  sc_core::sc_out<bool> result;  ///< all of D is in the accumulators

  /// Adds the inside to a waveform: all of the first core, sums and accumulators of all. Before the simulation starts.
  void trace_inside(sc_core::sc_trace_file* file);
  /// D [m][n] as far as it has come.
  const std::vector<std::uint32_t>& d() const { return d_; }

  static constexpr int kCores = 4;

 private:
  struct Sums {
    int cycle = 0;  ///< in which they reach the accumulators
    int step = 0;
    std::vector<std::uint32_t> d;  ///< [m][columns of the step]
  };
  void on_edge();
  void read();
  void multiply(int step);
  void accumulate();
  int rows() const { return schedule_.op.m / kCores; }
  int width() const { return schedule_.columns_per_cycle; }
  std::size_t at(int row, int column) const { return static_cast<std::size_t>(row * schedule_.op.n + column); }

  const WarpgroupSchedule schedule_;
  const arith::Numerics numerics_;
  const isa::MmaMatrices in_;
  int cycle_ = -1;  ///< of the instruction; -1: none
  std::vector<Sums> under_way_;
  std::vector<std::uint32_t> d_;

  // What a waveform shows; -1 is idle. Of the first core unless it says otherwise.
  int reading_row_ = -1, reading_column_ = -1, column_ = -1, arriving_ = -1, bytes_ = 0;
  std::vector<std::uint32_t> weights_;      ///< [rows][stored k], as they come
  std::vector<std::uint32_t> activations_;  ///< [k][width] of the columns that are multiplied
  std::vector<std::uint32_t> selects_;      ///< [rows][stored k]: row of B
  std::vector<std::uint32_t> selected_;     ///< [rows][width][stored k]
  std::vector<double> products_;            ///< [rows][width][stored k]
  std::vector<double> sums_;                ///< [m][width] of all cores: what reaches the accumulators in this cycle
  std::vector<double> accumulators_;        ///< [m][n] of all cores: C, then D
};

}  // namespace stc::tensor_core
