// SPDX-License-Identifier: Apache-2.0
#include "models/tensor_core/tensor_core.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "models/core/time_base.h"
#include "models/isa/element_format.h"
#include "models/isa/execute.h"
#include "models/tensor_core/trace_names.h"

namespace stc::tensor_core {

TensorCore::TensorCore(sc_core::sc_module_name name, const TensorCoreParams& params)
    : sc_module(name),
      params_(params),
      operand_buffers_("operand_buffers"),
      metadata_unit_("metadata_unit"),
      operand_selector_("operand_selector"),
      dot_product_array_("dot_product_array"),
      accumulator_("accumulator") {
  tile_of(params);  // refuses unit counts that no step can use
  operand_buffers_.arrival(arrival_);
  operand_buffers_.step(step_);
  operand_buffers_.operands(step_operands_);
  operand_buffers_.accumulator_load(accumulator_load_);
  metadata_unit_.operands(step_operands_);
  metadata_unit_.selects(mux_selects_);
  operand_selector_.operands(step_operands_);
  operand_selector_.selects(mux_selects_);
  operand_selector_.inputs(multiplier_inputs_);
  dot_product_array_.inputs(multiplier_inputs_);
  dot_product_array_.accumulators(adder_inputs_);
  dot_product_array_.sums(sums_);
  accumulator_.cycle(cycle_);
  accumulator_.load(accumulator_load_);
  accumulator_.additions(additions_);
  accumulator_.accumulators(adder_inputs_);
  accumulator_.sums(sums_);
  accumulator_.on_complete = [this](const Job& job, const std::vector<std::uint32_t>& d) { complete(job, d); };
  SC_METHOD(run);
  sensitive << wake_;
  dont_initialize();
}

Cycle TensorCore::now() { return to_ticks(sc_core::sc_time_stamp()) / kTicksPerCycle; }

const StepSchedule& TensorCore::schedule_of(const isa::MmaOp& op) {
  for (const auto& schedule : schedules_) {
    if (schedule->op == op) return *schedule;
  }
  schedules_.push_back(std::make_unique<const StepSchedule>(step_schedule(op, params_)));
  return *schedules_.back();
}

void TensorCore::issue(MmaRequest request) {
  const Cycle cycle = now();
  const StepSchedule& schedule = schedule_of(request.op);
  const auto refuse = [&](const std::string& why) {
    throw std::logic_error(fmt::format("{}: {} in cycle {}: {}", name(), request.op.name(), cycle, why));
  };
  if (!ready(cycle)) refuse(fmt::format("the unit takes the next instruction in cycle {}", door_opens_));
  if (isa::is_fp8(request.op.a) && !request.numerics->fp8_native)
    refuse("this GPU emulates it with other instructions");
  while (oldest_ < next_ && jobs_[oldest_ % kJobs].done) ++oldest_;
  if (next_ - oldest_ >= kJobs) refuse("too many instructions are under way");

  Job& job = jobs_[next_ % kJobs];
  job.sequence = next_++;
  job.tables = &isa::mma_tables(request.op);
  job.schedule = &schedule;
  job.request = std::move(request);
  job.issued = cycle;
  job.first_step = std::max(cycle + static_cast<Cycle>(schedule.first_step), array_free_);
  job.done = false;
  if (job.first_step > cycle + static_cast<Cycle>(schedule.latest_first_step)) {
    throw isa::SimulatedFault(
        fmt::format("{}: {} issued in cycle {} finds the multipliers busy until {}, too late for its "
                    "latency; fill_cycles is too short for this mix of instructions",
                    name(), job.request.op.name(), cycle, array_free_));
  }
  array_free_ = job.first_step + static_cast<Cycle>(schedule.step_cycles());
  door_opens_ = cycle + static_cast<Cycle>(std::max(schedule.collect_cycles(), schedule.step_cycles()));
  wake_.notify(sc_core::SC_ZERO_TIME);
}

void TensorCore::reset() {
  oldest_ = next_;
  door_opens_ = array_free_ = 0;
  accumulator_.reset();
  wake_.cancel();
}

void TensorCore::run() {
  const Cycle cycle = now();
  while (oldest_ < next_ && jobs_[oldest_ % kJobs].done) ++oldest_;
  drive(cycle);
  show(cycle);
  if (oldest_ < next_) wake_.notify(to_time(kTicksPerCycle));
}

void TensorCore::drive(Cycle cycle) {
  cycle_.write(cycle);
  arrival_.write(arriving(cycle));
  step_.write(stepping(cycle));
  additions_.write(adding(cycle));
}

Command TensorCore::collecting(Cycle cycle) const {
  if (oldest_ == next_) return {};
  const Job& job = jobs_[(next_ - 1) % kJobs];  // the door opens only when the one before has been collected
  const int pass = static_cast<int>(cycle - job.issued) / params_.cycles_per_pass;
  if (pass >= static_cast<int>(job.schedule->passes.size())) return {};
  return {&job, job.sequence, pass};
}

Command TensorCore::arriving(Cycle cycle) const {
  const Command pass = collecting(cycle);
  const bool last_cycle =
      pass.job != nullptr && static_cast<int>(cycle - pass.job->issued + 1) % params_.cycles_per_pass == 0;
  return last_cycle ? pass : Command{};
}

Command TensorCore::stepping(Cycle cycle) const {
  for (std::uint64_t i = oldest_; i < next_; ++i) {
    const Job& job = jobs_[i % kJobs];
    if (cycle < job.first_step) break;
    const auto step = static_cast<int>(cycle - job.first_step) / params_.cycles_per_step;
    if (step < static_cast<int>(job.schedule->steps.size())) return {&job, job.sequence, step};
  }
  return {};
}

Additions TensorCore::adding(Cycle cycle) const {
  Additions begin;
  for (std::uint64_t i = oldest_; i < next_; ++i) {
    const Job& job = jobs_[i % kJobs];
    const auto& additions = job.schedule->additions;
    for (std::size_t n = 0; n < additions.size(); ++n) {
      if (job.issued + static_cast<Cycle>(additions[n].enters) == cycle) {
        begin.commands.push_back({&job, job.sequence, static_cast<int>(n)});
      }
    }
  }
  return begin;
}

void TensorCore::complete(const Job& job, const std::vector<std::uint32_t>& d) {
  const isa::MmaOp& op = job.request.op;
  std::vector<std::uint32_t> image(static_cast<std::size_t>(op.c_registers()) * 32);
  isa::pack_registers(job.tables->c, isa::bits_of(op.c), d.data(), op.c_registers(), image.data());
  jobs_[slot_of(job)].done = true;
  shown_.complete = true;
  if (on_result) on_result(job.request.tag, image);
}

void TensorCore::show(Cycle cycle) {
  const Command pass = collecting(cycle), step = stepping(cycle);
  shown_.pass = pass.number;
  shown_.step = step.number;
  shown_.row_tile = shown_.column_tile = shown_.k_slice = -1;
  if (step.job != nullptr) {
    shown_.row_tile = step.step().row / step.job->schedule->tile_rows;
    shown_.column_tile = step.step().column / step.job->schedule->tile_columns;
    shown_.k_slice = step.step().stored / step.job->schedule->multipliers;
  }
  shown_.complete = false;
  std::fill(shown_.adder_tile.begin(), shown_.adder_tile.end(), -1);
  if (shown_.adder_tile.empty()) return;
  for (const Command& addition : adding(cycle).commands) {
    shown_.adder_tile[static_cast<std::size_t>(addition.addition().block)] = addition.addition().tile;
  }
}

void TensorCore::trace_inside(sc_core::sc_trace_file* file, const isa::MmaOp& op) {
  const StepSchedule& schedule = schedule_of(op);
  const auto trace = [&](const auto& value, const std::string& path) {
    sc_core::sc_trace(file, value, fmt::format("{}.control.{}", name(), path));
  };
  trace(shown_.pass, "pass");
  trace(shown_.step, "step");
  trace(shown_.row_tile, "row_tile");
  trace(shown_.column_tile, "column_tile");
  trace(shown_.k_slice, "k_slice");
  trace(shown_.complete, "complete");
  shown_.adder_tile.assign(static_cast<std::size_t>(schedule.additions.back().block) + 1, -1);
  for (std::size_t i = 0; i < shown_.adder_tile.size(); ++i) {
    trace(shown_.adder_tile[i], adder_name(static_cast<int>(i), "tile"));
  }
  operand_buffers_.trace_elements(file, op);
  metadata_unit_.trace_selects(file, schedule);
  operand_selector_.trace_multiplexers(file, schedule);
  dot_product_array_.trace_units(file, schedule);
  accumulator_.trace_values(file, op);
}

}  // namespace stc::tensor_core
