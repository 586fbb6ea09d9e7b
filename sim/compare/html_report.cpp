// SPDX-License-Identifier: Apache-2.0
#include "sim/compare/html_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/base/provenance.h"
#include "sim/compare/html_charts.h"
#include "sim/compare/report_table.h"
#include "sim/report/html_page.h"
#include "sim/report/svg_plot.h"

namespace stc::sim {
namespace {

constexpr std::size_t kShownOnPage = 20;

std::string header(const CompareReport& report) {
  std::string out = fmt::format("<h1>Simulated against measured: {}</h1>\n", escape_html(report.gpu));
  std::string files;
  for (const std::string& file : report.measured_files) files += (files.empty() ? "" : ", ") + file;
  out +=
      fmt::format("<p class=\"soft\">{} points of {}{}. stcsim {} ({}), configuration {}.</p>\n", report.points.size(),
                  escape_html(files), report.filter.empty() ? "" : escape_html(fmt::format(" where {}", report.filter)),
                  report.version, report.git, report.config_hash);
  return out + html_warning(caveat_of_revision(report.git));
}

/// The largest group of each kind, by its headline metric.
std::string tiles(const CompareReport& report) {
  std::vector<HtmlTile> tiles;
  const auto add = [&](const char* title, const char* group, const char* metric) {
    const MetricSummary* summary = report.find(group, metric);
    if (summary == nullptr) return;
    const ErrorStatistics& s = summary->statistics;
    tiles.push_back(
        {title, percent(s.mape),
         fmt::format("mean error of {} points; worst {}, Pearson {:.4f}", s.points, percent(s.worst), s.pearson)});
  };
  const auto any = [&](const char* title, const char* total, ComparePoint::Kind kind, const char* metric) {
    if (report.find(total, metric) != nullptr) return add(title, total, metric);
    for (const ComparedPoint& point : report.points) {
      if (point.point.kind == kind && point.failure.empty()) return add(title, point.point.group.c_str(), metric);
    }
  };
  any("GEMM elapsed cycles", "all GEMMs", ComparePoint::Kind::kGemm, "cycles_elapsed");
  any("GEMM cycles", "all GEMMs", ComparePoint::Kind::kGemm, "cycles");
  if (!report.speedups.empty()) {
    const ErrorStatistics& s = report.speedup_statistics;
    tiles.push_back(
        {"Sparse-to-dense speedup", percent(s.mape),
         fmt::format("mean error of {} pairs; worst {}, bias {}", s.points, percent(s.worst), percent(s.bias, true))});
  }
  any("Microbenchmark cycles", "all microbenchmarks", ComparePoint::Kind::kMicro, "cycles");
  any("Published throughput", "all published matrix instructions", ComparePoint::Kind::kPublishedMma, "throughput");
  any("Published latency", "all published matrix instructions", ComparePoint::Kind::kPublishedMma, "latency");
  any("Library GEMM speedup", "all library GEMMs", ComparePoint::Kind::kLibraryGemm, "speedup");
  any("Convolutions, elapsed cycles", "all convolutions", ComparePoint::Kind::kConvolution, "cycles_elapsed");
  any("Unstructured products, elapsed cycles", "all unstructured products", ComparePoint::Kind::kSpmm,
      "cycles_elapsed");
  any("Mean power", "all energies", ComparePoint::Kind::kEnergy, "watts");
  any("Joules a launch", "all energies", ComparePoint::Kind::kEnergy, "joules");
  any("Foreign programs, elapsed cycles", "foreign", ComparePoint::Kind::kForeign, "cycles_elapsed");
  if (report.failures != 0) {
    tiles.push_back({"Without a result", fmt::format("{}", report.failures), "points that could not be simulated"});
  }
  return html_tiles(tiles);
}

std::string summary_section(const CompareReport& report) {
  HtmlTable table({{"group", HtmlTable::Style::kName},
                   {"metric", HtmlTable::Style::kName},
                   {"points", true},
                   {"mean", true},
                   {"median", true},
                   {"worst", true},
                   {"bias", true},
                   {"Pearson", true},
                   {"worst point"}});
  std::string previous;
  for (const MetricSummary& summary : report.summaries) {
    const ErrorStatistics& s = summary.statistics;
    table.row({summary.group == previous ? "" : summary.group, metric_of(summary.metric).title,
               fmt::format("{}", s.points), percent(s.mape), percent(s.median), percent(s.worst), percent(s.bias, true),
               fmt::format("{:.4f}", s.pearson), s.worst_name},
              summary.group.rfind("all ", 0) == 0 ? "total" : "");
    previous = summary.group;
  }
  return table.html();
}

std::string worst_section(const CompareReport& report) {
  HtmlTable table({{"point"},
                   {"metric", HtmlTable::Style::kName},
                   {"simulated", true},
                   {"measured", true},
                   {"error", true},
                   {"limited by"},
                   {"remark"}});
  for (const ComparedPoint* point : worst_points(report, kShownOnPage)) {
    const std::string metric = point->headline();
    table.row({point->point.id, metric_of(metric).title, fmt::format("{:.6g}", point->simulated.at(metric)),
               fmt::format("{:.6g}", point->point.measured.at(metric)), percent(point->error(metric), true),
               point->bound, point->remark});
  }
  return table.html();
}

std::string failure_table(const CompareReport& report) {
  HtmlTable table({{"point"}, {"row"}, {"why"}});
  for (const ComparedPoint& point : report.points) {
    if (!point.failure.empty()) table.row({point.point.id, point.point.place, point.failure.substr(0, 600)});
  }
  return table.html();
}

std::string baseline_section(const BaselineComparison& baseline) {
  HtmlTable summaries({{"group"}, {"metric", HtmlTable::Style::kName}, {"mean error before", true}, {"now", true}});
  for (const BaselineComparison::Summary& s : baseline.summaries) {
    summaries.row({s.group, metric_of(s.metric).title, percent(s.before), percent(s.now)});
  }
  std::string body = summaries.html();
  for (const bool better : {false, true}) {
    const std::vector<BaselineChange>& list = better ? baseline.better : baseline.worse;
    if (list.empty()) continue;
    HtmlTable table(
        {{better ? "better" : "worse"}, {"metric", HtmlTable::Style::kName}, {"error before", true}, {"now", true}});
    for (std::size_t i = 0; i < std::min(list.size(), kShownOnPage); ++i) {
      table.row(
          {list[i].id, metric_of(list[i].metric).title, percent(list[i].before, true), percent(list[i].now, true)});
    }
    body += table.html();
  }
  return html_section("baseline", "Against an earlier report",
                      fmt::format("{} ({}): {} points better, {} worse, {} the same within 0.1 points of percent, {} "
                                  "new, {} no longer there, {} fail now.",
                                  baseline.file, baseline.git, baseline.better.size(), baseline.worse.size(),
                                  baseline.same, baseline.added, baseline.removed, baseline.failing_now.size()),
                      body);
}

std::string notes(const CompareReport& report) {
  std::string list = "<ul class=\"notes\">\n";
  for (const std::string& note : report.notes) list += fmt::format("<li>{}</li>\n", escape_html(note));
  return list + "</ul>\n";
}

}  // namespace

std::string compare_html(const CompareReport& report, const std::optional<BaselineComparison>& baseline) {
  std::string sections, nav;
  const auto add = [&](const char* id, const char* title, const char* intro, const std::string& body) {
    if (body.empty()) return;
    sections += html_section(id, title, intro, body);
    nav += fmt::format("<a href=\"#{}\">{}</a>\n", id, escape_html(title));
  };
  add("summary", "Errors by group",
      "Error is simulated / measured - 1; mean, median and worst are of its size, bias keeps the sign.",
      summary_section(report));
  add("scatter", "Simulated against measured", "Logarithmic axes; on the dashed diagonal the simulator is exact.",
      scatter_charts(report));
  add("histogram", "How the errors spread", "", error_histograms(report));
  add("speedup", "Speedup of sparse kernels over their dense twins", "Same tile, shape and state of L2.",
      speedup_charts(report));
  add("rate", "Rate of dense and sparse kernels",
      "Dense-equivalent: 2mnk over the elapsed time at the configured clock.", rate_charts(report));
  add("throughput", "Matrix instructions over warps and chains",
      "One CTA on one SM; a chain is a sequence of dependent instructions of a warp.", throughput_charts(report));
  add("worst", "Worst points", "", worst_section(report));
  add("stalls", "Where the warps of the worst points spend their time",
      "Share of warp-cycles in the simulator, by what each warp waited for.", stall_chart(report));
  if (report.failures != 0) add("failures", "Points without a result", "", failure_table(report));
  if (baseline) {
    sections += baseline_section(*baseline);
    nav += "<a href=\"#baseline\">Against an earlier report</a>\n";
  }
  if (!report.notes.empty()) add("notes", "About the data", "", notes(report));
  return html_page(
      fmt::format("stcsim compare: {}", report.gpu),
      header(report) + fmt::format("<nav aria-label=\"Sections\">{}</nav>\n", nav) + tiles(report) + sections);
}

}  // namespace stc::sim
