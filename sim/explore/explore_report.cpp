// SPDX-License-Identifier: Apache-2.0
#include "sim/explore/explore_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/sm/issue_info.h"
#include "sim/formats/storage_formats.h"

namespace stc::sim {
namespace {

Limit limit_of(const PointResult& result, const tensor_core::MmaTiming& timing, bool warpgroup) {
  if (result.bound == "tensor") {
    const std::string counts = fmt::format(
        "tensor cores are busy {:.0f} % of the time; a matrix instruction keeps the multipliers for {} cycles and {}",
        100 * result.tensor_busy, timing.step_cycles,
        warpgroup
            ? fmt::format("reads operands from shared memory for {}", timing.collect_cycles)
            : fmt::format("operand collection for {} ({} registers)", timing.collect_cycles, timing.operand_registers));
    return {timing.feed_bound ? "operand feed" : "multipliers", counts};
  }
  std::string by = result.bound == "l2" ? "L2" : result.bound == "dram" ? "DRAM" : result.bound;
  std::replace(by.begin(), by.end(), '_', ' ');
  std::string reason = result.explanation;
  if (reason.rfind(result.bound + " ", 0) == 0) reason.replace(0, result.bound.size(), by);
  if (by != "latency") return {by, reason};
  const auto highest = std::max_element(result.utilisation.begin(), result.utilisation.end());
  const auto resource = static_cast<Bound::Resource>(highest - result.utilisation.begin());
  return {by, fmt::format("{}; the busiest resource is {}, {:.0f} %", result.explanation, name_of(resource),
                          100 * *highest)};
}

/// Cycles of an SM for each product that matrix instructions stand for, if they issue back to back.
double cycles_per_product(const CaseReport& report) {
  const int at_once = report.op.warpgroup ? 1 : 4;  // tensor cores, each with instructions of its own or all with one
  return static_cast<double>(report.timing.interval) / report.op.logical_macs() / at_once;
}

/// Of a kernel whose warpgroups multiply: what the tensor cores do together, fed from shared memory.
void use_warpgroups(CaseReport& report, const LibraryKernel& kernel, const sm::WarpgroupParams& params) {
  isa::MmaOp& op = report.op;
  const int stored = 32 * 8 / isa::bits_of(op.a);  // 32 bytes of a row
  op.m = 64, op.n = static_cast<std::uint16_t>(kernel.warp_n), op.warpgroup = true;
  op.k = static_cast<std::uint16_t>(stored * op.pattern.m / op.pattern.n);
  const sm::WarpgroupTiming timing = sm::warpgroup_timing(op, true, params);
  report.timing.interval = timing.interval;
  report.timing.step_cycles = (op.n + params.columns_per_cycle - 1) / params.columns_per_cycle;
  report.timing.collect_cycles = timing.reads;
  report.timing.feed_bound = timing.reads > report.timing.step_cycles;
  report.timing.operand_registers = 0;
}

class ReportMaker {
 public:
  ReportMaker(const SweepPlan& plan, const SweepResults& results, const QualityTable& quality) : quality_(quality) {
    report_.plan = &plan;
    report_.results = &results;
  }

  ExploreReport run(const std::string& weights) {
    report_.weights = weights;
    report_.cases.resize(report_.plan->sweep.cases.size());
    for (std::size_t i = 0; i < report_.cases.size(); ++i) describe(report_.cases[i], i);
    gather_points();
    for (CaseReport& one : report_.cases) measure(one);
    for (CaseReport& one : report_.cases) compare(one);
    for (CaseReport& one : report_.cases) one.pareto = one.ok && !dominated(one);
    return std::move(report_);
  }

 private:
  void describe(CaseReport& one, std::size_t index) {
    one.of_case = index;
    const SweepCase& question = report_.question(one);
    const tensor_core::TensorCoreParams& params = report_.plan->sweep.gpus[question.gpu].config.params.sm.tensor_core;
    one.op = instruction_of(question);
    one.timing = tensor_core::mma_timing(one.op, params);
    one.selector = tensor_core::selector_cost(one.op, params);
    one.area = tensor_core::selector_area(one.op);
    one.relative_size = relative_size(one, params);
    one.ideal = static_cast<double>(question.pattern.m) / question.pattern.n;
    one.metadata_overhead = index_overhead(question.pattern, isa::bits_of(question.type));
    one.kept = quality_.at(question.pattern.name());
  }

  static double relative_size(const CaseReport& one, const tensor_core::TensorCoreParams& params) {
    isa::MmaOp reference = one.op;
    reference.pattern = sparsity::Pattern{2, 4, 1, sparsity::IndexEncoding::per_element};
    const auto of_2_4 = tensor_core::selector_area(reference);
    if (one.area && of_2_4) return one.area->area / of_2_4->area;
    return tensor_core::selector_gates_relative_to_2_4(one.op, params);
  }

  void gather_points() {
    for (std::size_t i = 0; i < report_.plan->points.size(); ++i) {
      CaseReport& one = report_.cases[report_.plan->points[i].of_case];
      one.points.push_back(i);
      const PointResult& result = report_.results->points[i];
      const bool better = !one.ok || result.cycles < report_.result(one).cycles;
      if (result.ok() && better) {
        one.best = i;
        one.ok = true;
      }
    }
  }

  void measure(CaseReport& one) {
    if (!one.ok) {
      one.best = one.points.front();
      one.limit = {"failed", report_.result(one).failure};
      return;
    }
    const SweepCase& question = report_.question(one);
    const SweepShape& shape = report_.plan->sweep.shapes[question.shape];
    const LibraryKernel& kernel = report_.point(one).problem.kernel;
    if (kernel.cluster != 0)
      use_warpgroups(one, kernel, report_.plan->sweep.gpus[question.gpu].config.params.sm.warpgroup);
    one.time_us = report_.result(one).time_us;
    one.tflops = 2.0 * shape.m * shape.n * shape.k / one.time_us * 1e-6;
    one.limit = limit_of(report_.result(one), one.timing, one.op.warpgroup);
  }

  void compare(CaseReport& one) {
    const SweepCase& question = report_.question(one);
    for (const CaseReport& dense : report_.cases) {
      SweepCase wanted = question;
      wanted.pattern = {};
      if (!report_.question(dense).same_question(wanted)) continue;
      one.tensor_ceiling = cycles_per_product(dense) / cycles_per_product(one);
      if (!one.ok || !dense.ok) continue;
      one.speedup = static_cast<double>(report_.result(dense).cycles) / static_cast<double>(report_.result(one).cycles);
    }
  }

  bool dominated(const CaseReport& one) const {
    const SweepCase& question = report_.question(one);
    return std::any_of(report_.cases.begin(), report_.cases.end(), [&](const CaseReport& other) {
      const SweepCase& rival = report_.question(other);
      if (!other.ok || rival.gpu != question.gpu || rival.shape != question.shape || rival.type != question.type) {
        return false;
      }
      const bool as_good = other.speedup >= one.speedup && other.kept.magnitude >= one.kept.magnitude &&
                           other.relative_size <= one.relative_size;
      const bool better = other.speedup > one.speedup || other.kept.magnitude > one.kept.magnitude ||
                          other.relative_size < one.relative_size;
      return as_good && better;
    });
  }

  const QualityTable& quality_;
  ExploreReport report_;
};

}  // namespace

std::size_t ExploreReport::failures() const {
  return static_cast<std::size_t>(
      std::count_if(results->points.begin(), results->points.end(), [](const PointResult& p) { return !p.ok(); }));
}

ExploreReport make_explore_report(const SweepPlan& plan, const SweepResults& results, const QualityTable& quality,
                                  const std::string& weights) {
  return ReportMaker(plan, results, quality).run(weights);
}

}  // namespace stc::sim
