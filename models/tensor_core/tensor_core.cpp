// SPDX-License-Identifier: Apache-2.0
#include "models/tensor_core/tensor_core.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "models/isa/mma/element_format.h"
#include "models/isa/products/execute_mma.h"
#include "models/tensor_core/trace_names.h"

namespace stc::tensor_core {

TensorCore::TensorCore(sc_core::sc_module_name name, const TensorCoreParams& params, const arith::Numerics& numerics)
    : sc_module(name),
      clock("clock"),
      request("request"),
      ready("ready"),
      result("result"),
      params_(params),
      numerics_(numerics),
      operand_buffers_("operand_buffers"),
      metadata_unit_("metadata_unit"),
      operand_selector_("operand_selector"),
      dot_product_array_("dot_product_array", numerics_),
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
  accumulator_.on_complete = [this](const Operation& of, const std::vector<std::uint32_t>& d) { complete(of, d); };
  ready.initialize(true);
  SC_METHOD(on_edge);
  sensitive << clock.pos();
  dont_initialize();
  SC_METHOD(publish);
  sensitive << results_changed_;
  dont_initialize();
}

const StepSchedule& TensorCore::schedule_of(const isa::MmaOp& op) {
  for (const auto& schedule : schedules_) {
    if (schedule->op == op) return *schedule;
  }
  schedules_.push_back(std::make_unique<const StepSchedule>(step_schedule(op, params_)));
  return *schedules_.back();
}

void TensorCore::on_edge() {
  ++now_;
  while (oldest_ < next_ && jobs_[oldest_ % kJobs].done) ++oldest_;
  if (results_.any()) {
    results_ = {};
    results_changed_.notify(sc_core::SC_ZERO_TIME);
  }
  if (request.read().valid && now_ >= door_opens_) take(request.read());
  cycle_.write(now_);
  arrival_.write(arriving());
  step_.write(stepping());
  additions_.write(adding());
  ready.write(now_ + 1 >= door_opens_);
  show();
}

std::string TensorCore::refusal(const StepSchedule& schedule) const {
  if (isa::is_fp8(schedule.op.a)) {
    return fmt::format("{}: {}: this GPU emulates it with other instructions", name(), schedule.op.name());
  }
  if (next_ - oldest_ >= kJobs) return fmt::format("{}: too many instructions are under way", name());
  if (array_free_ > now_ + static_cast<Cycle>(schedule.latest_first_step)) {
    return fmt::format(
        "{}: {} finds the multipliers busy for {} cycles, too long for its latency; fill_cycles is too "
        "short for this mix of instructions",
        name(), schedule.op.name(), array_free_ - now_);
  }
  return "";
}

void TensorCore::take(const MmaRequest& in) {
  const StepSchedule& schedule = schedule_of(in.op);
  const std::string why = refusal(schedule);
  if (!why.empty()) return end({true, in.tag, {}, why});
  Job& job = jobs_[next_ % kJobs];
  job.of = {true, next_++, in.op, in.selector};
  job.request = in;
  job.schedule = &schedule;
  job.issued = now_;
  job.first_step = std::max(now_ + static_cast<Cycle>(schedule.first_step), array_free_);
  job.done = false;
  array_free_ = job.first_step + static_cast<Cycle>(schedule.step_cycles());
  door_opens_ = now_ + static_cast<Cycle>(std::max(schedule.collect_cycles(), schedule.step_cycles()));
}

int TensorCore::collecting() const {
  if (oldest_ == next_) return -1;
  const Job& job = jobs_[(next_ - 1) % kJobs];  // the door opens only when the one before has been collected
  const int pass = static_cast<int>(now_ - job.issued) / params_.cycles_per_pass;
  return pass < static_cast<int>(job.schedule->passes.size()) ? pass : -1;
}

Arrival TensorCore::arriving() const {
  const int pass = collecting();
  if (pass < 0) return {};
  const Job& job = jobs_[(next_ - 1) % kJobs];
  if (static_cast<int>(now_ - job.issued + 1) % params_.cycles_per_pass != 0) return {};
  Arrival out{job.of, pass, job.schedule->passes[static_cast<std::size_t>(pass)], {}};
  for (const OperandRegister& reg : out.registers) {
    const std::vector<std::uint32_t>& image = reg.operand == OperandKind::kA   ? job.request.a
                                              : reg.operand == OperandKind::kB ? job.request.b
                                              : reg.operand == OperandKind::kC ? job.request.c
                                                                               : job.request.e;
    const auto first = image.begin() + std::ptrdiff_t{reg.index} * 32;
    out.words.insert(out.words.end(), first, first + 32);
  }
  return out;
}

OutputTile TensorCore::tile(const StepSchedule& schedule, int number) const {
  const TileStep& first = schedule.steps[static_cast<std::size_t>(number)];
  return {number, first.row, first.column, schedule.tile_rows, schedule.tile_columns};
}

Step TensorCore::stepping() const {
  for (std::uint64_t i = oldest_; i < next_; ++i) {
    const Job& job = jobs_[i % kJobs];
    if (now_ < job.first_step) break;
    const auto number = static_cast<std::size_t>(now_ - job.first_step) / static_cast<Cycle>(params_.cycles_per_step);
    if (number >= job.schedule->steps.size()) continue;
    const TileStep& step = job.schedule->steps[number];
    return {job.of, static_cast<int>(number), tile(*job.schedule, step.tile), step.stored, step.count};
  }
  return {};
}

Additions TensorCore::adding() const {
  Additions begin;
  for (std::uint64_t i = oldest_; i < next_; ++i) {
    const Job& job = jobs_[i % kJobs];
    const auto& additions = job.schedule->additions;
    for (std::size_t n = 0; n < additions.size(); ++n) {
      const TileAddition& a = additions[n];
      if (job.issued + static_cast<Cycle>(a.enters) != now_) continue;
      begin.commands.push_back({job.of, static_cast<int>(n), tile(*job.schedule, a.tile), a.block, a.end,
                                job.issued + static_cast<Cycle>(a.leaves), n + 1 == additions.size()});
    }
  }
  return begin;
}

void TensorCore::end(MmaResult ended) {
  const auto free = std::find_if(results_.ended.begin(), results_.ended.end(), [](const auto& r) { return !r.valid; });
  if (free == results_.ended.end()) {
    throw std::logic_error(fmt::format("{}: more instructions end in one cycle than `result` can carry", name()));
  }
  *free = std::move(ended);
  results_changed_.notify(sc_core::SC_ZERO_TIME);
}

void TensorCore::complete(const Operation& of, const std::vector<std::uint32_t>& d) {
  Job& job = jobs_[of.slot()];
  MmaResult ended{true, job.request.tag, {}, ""};
  isa::pack_registers(isa::mma_tables(of.op).c, isa::bits_of(of.op.c), d.data(), of.op.c_registers(), ended.d.data());
  end(std::move(ended));
  job.done = true;
  shown_.complete = true;
}

void TensorCore::show() {
  const Step step = stepping();
  shown_ = {collecting(), step.number, -1, -1, -1, std::move(shown_.adder_tile), false};
  if (step.of.valid) {
    const StepSchedule& schedule = *jobs_[step.of.slot()].schedule;
    shown_.row_tile = step.tile.row / step.tile.rows;
    shown_.column_tile = step.tile.column / step.tile.columns;
    shown_.k_slice = step.stored / schedule.multipliers;
  }
  std::fill(shown_.adder_tile.begin(), shown_.adder_tile.end(), -1);
  if (shown_.adder_tile.empty()) return;
  for (const Addition& addition : adding().commands) {
    shown_.adder_tile[static_cast<std::size_t>(addition.block)] = addition.tile.number;
  }
}

void TensorCore::trace_inside(sc_core::sc_trace_file* file, const isa::MmaOp& op) {
  const auto signal = [&](const auto& channel, const char* path) {
    sc_core::sc_trace(file, channel, fmt::format("{}.{}", name(), path));
  };
  signal(request, "request");
  signal(ready, "ready");
  signal(result, "result");
  signal(arrival_, "arrival");
  signal(step_, "step");
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
