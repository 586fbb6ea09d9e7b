// SPDX-License-Identifier: Apache-2.0
// Models:   one tensor core, computing matrix instructions step by step: operand buffers, metadata unit, operand
//           selector, dot-product array, accumulators, and the control that walks through each instruction's schedule.
// Evidence: unit counts, passes and latencies: configs/gpus/*.yaml; values: models/arith.
// Abstracts: register banks, power gating, everything below a cycle.
// Timing:   takes an instruction every interval, gives D after the latency of mma_timing.h; several are on their way at
//           once. Nothing runs while it is empty.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <systemc>
#include <vector>

#include "models/tensor_core/accumulator.h"
#include "models/tensor_core/dot_product_array.h"
#include "models/tensor_core/metadata_unit.h"
#include "models/tensor_core/operand_buffers.h"
#include "models/tensor_core/operand_selector.h"
#include "models/tensor_core/signals.h"

namespace stc::tensor_core {

class TensorCore : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(TensorCore);
  TensorCore(sc_core::sc_module_name name, const TensorCoreParams& params);

  /// D as a register image [registers][32]. Called in the last cycle of the instruction, after all that is computed in
  /// it: D may be read from the next cycle on.
  std::function<void(std::uint64_t tag, const std::vector<std::uint32_t>& d)> on_result;

  /// True when an instruction may enter in cycle `now`.
  bool ready(Cycle now) const { return now >= door_opens_; }
  /// Starts an instruction in the current cycle; ready() must hold.
  void issue(MmaRequest request);
  /// Forgets everything that is under way.
  void reset();

  /// Adds the unit's inside to a waveform that will show instructions of kind `op`. Before the simulation starts.
  void trace_inside(sc_core::sc_trace_file* file, const isa::MmaOp& op);

 private:
  void run();
  const StepSchedule& schedule_of(const isa::MmaOp& op);
  Command collecting(Cycle now) const;
  Command arriving(Cycle now) const;
  Command stepping(Cycle now) const;
  Additions adding(Cycle now) const;
  void drive(Cycle now);
  void show(Cycle now);
  void complete(const Job& job, const std::vector<std::uint32_t>& d);
  static Cycle now();

  const TensorCoreParams params_;
  std::vector<std::unique_ptr<const StepSchedule>> schedules_;
  std::array<Job, kJobs> jobs_;
  std::uint64_t oldest_ = 0;  ///< sequence numbers [oldest_, next_) are under way
  std::uint64_t next_ = 0;
  Cycle door_opens_ = 0;
  Cycle array_free_ = 0;
  sc_core::sc_event wake_;

  sc_core::sc_signal<std::uint64_t> cycle_;
  sc_core::sc_signal<Command> arrival_, step_;
  sc_core::sc_signal<Additions> additions_;
  sc_core::sc_signal<AccumulatorLoad> accumulator_load_;
  sc_core::sc_signal<StepOperands> step_operands_;
  sc_core::sc_signal<MuxSelects> mux_selects_;
  sc_core::sc_signal<MultiplierInputs> multiplier_inputs_;
  sc_core::sc_signal<Additions> adder_inputs_, sums_;

  OperandBuffers operand_buffers_;
  MetadataUnit metadata_unit_;
  OperandSelector operand_selector_;
  DotProductArray dot_product_array_;
  Accumulator accumulator_;

  /// The control's state for a waveform; -1 is idle.
  struct Shown {
    int pass = -1, step = -1, row_tile = -1, column_tile = -1, k_slice = -1;
    std::vector<int> adder_tile;  ///< by adder; empty unless traced
    bool complete = false;
  };
  Shown shown_;
};

}  // namespace stc::tensor_core
