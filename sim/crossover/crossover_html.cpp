// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "sim/base/provenance.h"
#include "sim/base/text.h"
#include "sim/base/version.h"
#include "sim/crossover/crossover_charts.h"
#include "sim/crossover/crossover_report.h"
#include "sim/report/html_page.h"
#include "sim/report/svg_plot.h"

namespace stc::sim {
namespace {

std::string intro(const CrossoverReport& report) {
  const Study& study = report.plan->study;
  std::string out = fmt::format("<h1>{}</h1>\n", escape_html(study.title.empty() ? study.file : study.title));
  out += fmt::format(
      "<p class=\"soft\">D[m,n] = A[m,k] x B[k,n] with a sparse A, L2 {}, {}, stcsim {} ({}). Speedup is elapsed "
      "cycles "
      "of the dense kernel over those of the other on the same GPU, each the best of its tiles. 2:4 holds a matrix "
      "only "
      "from 50 % zeros on.</p>\n",
      study.warm_l2 ? "warm" : "cold",
      study.full_values ? "every result compared with a reference" : "addresses exact, results not compared", version(),
      git_revision());
  out += html_warning(caveat_of_revision(git_revision()));
  if (report.wrong() > 0) out += html_warning(fmt::format("{} results are wrong", report.wrong()));
  std::vector<HtmlTile> tiles = {
      {"simulations", std::to_string(report.plan->points.size()), fmt::format("{} failed", report.failures())}};
  for (const Median& median : report.medians) {
    tiles.push_back({fmt::format("{} beats dense from", study.contenders[median.contender].name), median.dense.text(),
                     fmt::format("{}, median over {} shapes", study.gpus[median.gpu].name, median.shapes)});
  }
  return out + html_tiles(tiles);
}

std::string bytes_text(std::uint64_t bytes) { return human_bytes(static_cast<double>(bytes)); }

std::string answers_table(const CrossoverReport& report) {
  const Study& study = report.plan->study;
  HtmlTable table({{"GPU", HtmlTable::Style::kName},
                   {"shape", HtmlTable::Style::kName},
                   {"contender", HtmlTable::Style::kName},
                   {"zeros, %", true},
                   {"kernel", HtmlTable::Style::kName},
                   {"time, us", true},
                   {"TFLOPS, dense-equivalent", true},
                   {"over dense", true},
                   {"values", true},
                   {"indices", true},
                   {"L2", true},
                   {"DRAM", true},
                   {"bound by", false}});
  for (const Contest& contest : report.contests) {
    for (const Answer& answer : contest.answers) {
      const StudyResult& result = report.result(answer);
      const auto level = [&](std::size_t i) {
        return bytes_text(total_bytes(result.run.bytes[i].read) + total_bytes(result.run.bytes[i].write));
      };
      const bool unstructured = report.contender(answer).kind == ContenderKind::kUnstructured;
      const std::string why = !result.wrong.empty() ? "wrong: " + result.wrong : result.run.failure;
      table.row(
          {study.gpus[contest.gpu].name, study.shapes[contest.shape].name, report.contender(answer).name,
           unstructured ? fmt::format("{:.4g}", 100 * (1 - report.question(answer).density)) : "",
           report.point(answer).kernel(), fmt::format("{:.1f}", answer.time_us), fmt::format("{:.1f}", answer.tflops),
           fmt::format("{:.3f}", answer.speedup), bytes_text(result.storage.values), bytes_text(result.storage.indices),
           level(2), level(3), answer.ok ? result.run.bound : why},
          unstructured ? "" : "total");
    }
  }
  return table.html();
}

std::string break_even_table(const CrossoverReport& report) {
  const Study& study = report.plan->study;
  HtmlTable table({{"GPU", HtmlTable::Style::kName},
                   {"shape", HtmlTable::Style::kName},
                   {"contender", HtmlTable::Style::kName},
                   {"faster than dense from", true},
                   {"than 2:4 from", true}});
  for (const Contest& contest : report.contests) {
    for (const Contest::Overtakes& one : contest.overtakes) {
      table.row({study.gpus[contest.gpu].name, study.shapes[contest.shape].name, study.contenders[one.contender].name,
                 one.dense.text(), one.structured.text()});
    }
  }
  return table.html();
}

}  // namespace

std::string crossover_html(const CrossoverReport& report) {
  std::string body = intro(report);
  body += html_section("regions", "Who is fastest",
                       "Colour: the fastest contender of all that ran. Lines: where the best unstructured kernel is as "
                       "fast as dense and as 2:4.",
                       region_charts(report));
  body += html_section("speedup", "Speedup over dense", "", speedup_curves(report));
  body += html_section("bytes", "Bytes", "", byte_curves(report));
  body += html_section("even", "Break-even", "Share of zeros, between two that were run.", break_even_table(report));
  body += html_section("answers", "All results", "", answers_table(report));
  return html_page(report.plan->study.title.empty() ? "stcsim crossover" : report.plan->study.title, body);
}

}  // namespace stc::sim
