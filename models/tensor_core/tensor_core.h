// SPDX-License-Identifier: Apache-2.0
// Models:   one tensor core, computing matrix instructions step by step: operand buffers, metadata unit, operand
//           selector, dot-product array, accumulators, and the control that walks through each instruction's schedule.
// Evidence: unit counts, passes and latencies: configs/gpus/*.yaml; values: models/arith.
// Abstracts: register banks, power gating, everything below a cycle.
// Timing:   an instruction whose request is valid at a rising edge at which `ready` is high enters at that edge: one
//           every interval. D is on `result` at the edge that comes the latency of mma_timing.h later, for one cycle.
//           Several instructions are on their way at once. The clock may rest while none is and `ready` is high.
#pragma once

#include <array>
#include <memory>
#include <systemc>
#include <vector>

#include "models/arith/numerics.h"
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
  /// Throws std::invalid_argument unless the dot-product units form a tile (step_schedule.h).
  TensorCore(sc_core::sc_module_name name, const TensorCoreParams& params, const arith::Numerics& numerics);

  sc_core::sc_in<bool> clock;  ///< a rising edge is a cycle
  sc_core::sc_in<MmaRequest> request;
  sc_core::sc_out<bool> ready;  ///< a valid request enters at the next rising edge
  sc_core::sc_out<MmaResults> result;

  /// Adds ports and inside to a waveform that will show instructions of kind `op`. Before the simulation starts.
  void trace_inside(sc_core::sc_trace_file* file, const isa::MmaOp& op);

 private:
  /// A matrix instruction inside the unit.
  struct Job {
    Operation of;
    MmaRequest request;
    const StepSchedule* schedule = nullptr;
    Cycle issued = 0;
    Cycle first_step = 0;
    bool done = false;
  };

  void on_edge();
  void publish() { result.write(results_); }
  void end(MmaResult ended);
  const StepSchedule& schedule_of(const isa::MmaOp& op);
  /// Why the instruction cannot be computed; empty: it can.
  std::string refusal(const StepSchedule& schedule) const;
  void take(const MmaRequest& request);
  int collecting() const;  ///< pass of the youngest instruction; -1: none
  Arrival arriving() const;
  Step stepping() const;
  Additions adding() const;
  void show();
  void complete(const Operation& of, const std::vector<std::uint32_t>& d);
  OutputTile tile(const StepSchedule& schedule, int number) const;

  const TensorCoreParams params_;
  const arith::Numerics numerics_;
  std::vector<std::unique_ptr<const StepSchedule>> schedules_;
  std::array<Job, kJobs> jobs_;
  std::uint64_t oldest_ = 0;  ///< sequence numbers [oldest_, next_) are under way
  std::uint64_t next_ = 0;
  Cycle now_ = 0;
  Cycle door_opens_ = 0;
  Cycle array_free_ = 0;
  MmaResults results_;
  sc_core::sc_event results_changed_;

  sc_core::sc_signal<Cycle> cycle_;
  sc_core::sc_signal<Arrival> arrival_;
  sc_core::sc_signal<Step> step_;
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
