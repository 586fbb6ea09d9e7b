// SPDX-License-Identifier: Apache-2.0
// The table of a study, for the terminal.
#include <fmt/format.h>

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

}  // namespace stc::sim
