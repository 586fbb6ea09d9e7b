// SPDX-License-Identifier: Apache-2.0
// Tables of a study: for the terminal and as CSV.
#include <fmt/format.h>

#include "sim/base/csv_table.h"
#include "sim/base/text.h"
#include "sim/crossover/crossover_report.h"

namespace stc::sim {
namespace {

/// Zeros in percent; what has none to choose from (dense, 2:4) shows its name's own.
std::string sparsity_text(const CrossoverReport& report, const Answer& answer) {
  switch (report.contender(answer).kind) {
    case ContenderKind::kDense: return "any";
    case ContenderKind::kStructured: return ">=50";
    case ContenderKind::kUnstructured: break;
  }
  return fmt::format("{:.4g}", 100 * (1 - report.question(answer).density));
}

std::string rate_text(double value) { return value > 0 ? fmt::format("{:.3f}", value) : "-"; }

std::string row_of(const CrossoverReport& report, const Answer& answer) {
  const std::string head = fmt::format("  {:<12} {:>9} ", report.contender(answer).name, sparsity_text(report, answer));
  const StudyResult& result = report.result(answer);
  if (!answer.ok) {
    const std::string& why = result.wrong.empty() ? result.run.failure : result.wrong;
    return head + (result.wrong.empty() ? "failed: " : "wrong: ") + why + "\n";
  }
  const double dram = static_cast<double>(total_bytes(result.run.bytes.back().read)) +
                      static_cast<double>(total_bytes(result.run.bytes.back().write));
  return head + fmt::format("{:>10.1f} {:>8.1f} {:>8} {:>10} {:>10}\n", answer.time_us, answer.tflops,
                            rate_text(answer.speedup),
                            human_bytes(static_cast<double>(result.storage.values + result.storage.indices)),
                            human_bytes(dram));
}

std::string medians_table(const CrossoverReport& report) {
  const Study& study = report.plan->study;
  std::string out;
  for (const Median& median : report.medians) {
    out += fmt::format("{}, {}, median over {} shape{}:", study.gpus[median.gpu].name,
                       study.contenders[median.contender].name, median.shapes, median.shapes == 1 ? "" : "s");
    for (const auto& [sparsity, speedup] : median.speedups) {
      const std::string item = fmt::format(" {:.2f}x at {:.4g} %", speedup, 100 * sparsity);
      const std::size_t line = out.size() - (out.rfind('\n') == std::string::npos ? 0 : out.rfind('\n') + 1);
      out += line + item.size() > 79 ? "\n " + item : item;
    }
    out += fmt::format("\n  faster than dense from {}\n", median.dense.text());
  }
  return out;
}

}  // namespace

std::string crossover_table(const CrossoverReport& report) {
  const Study& study = report.plan->study;
  std::string out;
  for (const Contest& contest : report.contests) {
    const StudyShape& shape = study.shapes[contest.shape];
    out += fmt::format("{}, {} ({}), {}\n", study.gpus[contest.gpu].name, shape.name, shape.sizes(), contest.element);
    out += fmt::format("  {:<12} {:>9} {:>10} {:>8} {:>8} {:>10} {:>10}\n", "kernel", "zeros, %", "time, us", "TFLOPS",
                       "speedup", "storage", "DRAM");
    for (const Answer& answer : contest.answers) out += row_of(report, answer);
    for (const Contest::Overtakes& overtakes : contest.overtakes) {
      if (!contest.dense && !contest.structured) break;
      out += fmt::format("  {} is faster than dense from {}", study.contenders[overtakes.contender].name,
                         overtakes.dense.text());
      if (contest.structured) out += fmt::format(", than 2:4 from {}", overtakes.structured.text());
      out += "\n";
    }
    out += "\n";
  }
  return out + medians_table(report);
}

std::string crossover_csv(const CrossoverReport& report) {
  const Study& study = report.plan->study;
  std::string out =
      "gpu,shape,m,n,k,contender,sparsity,kernel,cycles_elapsed,time_us,tflops_dense_equivalent,speedup_vs_dense,"
      "speedup_vs_24,warp_instructions,storage_values_bytes,storage_index_bytes,l2_bytes,dram_bytes,bound,checked\n";
  for (const Contest& contest : report.contests) {
    for (const Answer& answer : contest.answers) {
      const StudyShape& shape = study.shapes[contest.shape];
      const StudyResult& result = report.result(answer);
      const bool unstructured = report.contender(answer).kind == ContenderKind::kUnstructured;
      const auto level = [&](std::size_t i) {
        return total_bytes(result.run.bytes[i].read) + total_bytes(result.run.bytes[i].write);
      };
      const std::string checked = !result.wrong.empty() ? "wrong" : study.full_values ? "passed" : "";
      out += fmt::format("{},{},{},{},{},{},{},{},", csv_field(study.gpus[contest.gpu].name), csv_field(shape.name),
                         shape.m, shape.n, shape.k, report.contender(answer).name,
                         unstructured ? fmt::format("{:.6g}", 1 - report.question(answer).density) : "",
                         report.point(answer).kernel());
      out += fmt::format("{},{:.3f},{:.4f},{:.4f},{:.4f},{},{},{},{},{},{},{}\n", result.run.cycles_elapsed,
                         answer.time_us, answer.tflops, answer.speedup, answer.against_24, result.run.warp_instructions,
                         result.storage.values, result.storage.indices, level(2), level(3), result.run.bound,
                         answer.ok || !result.wrong.empty() ? checked : "failed");
    }
  }
  return out;
}

}  // namespace stc::sim
