// SPDX-License-Identifier: Apache-2.0
#include "sim/compare/html_charts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>

#include "sim/compare/report_table.h"
#include "sim/report/html_page.h"
#include "sim/report/svg_plot.h"

namespace stc::sim {
namespace {

using Kind = ComparePoint::Kind;

std::vector<const ComparedPoint*> points_of(const CompareReport& report, Kind kind) {
  std::vector<const ComparedPoint*> points;
  for (const ComparedPoint& point : report.points) {
    if (point.point.kind == kind && point.failure.empty() && !point.headline().empty()) points.push_back(&point);
  }
  return points;
}

struct KindText {
  Kind kind;
  const char* title;
  const char* axis;
};
constexpr KindText kKinds[] = {{Kind::kGemm, "GEMMs of the library", "cycles"},
                               {Kind::kMicro, "Microbenchmarks", "cycles"},
                               {Kind::kPublishedMma, "Published matrix instructions", "value"},
                               {Kind::kLibraryGemm, "Published library GEMMs", "speedup"},
                               {Kind::kForeign, "Foreign programs", "cycles"},
                               {Kind::kConvolution, "Convolutions of the library", "cycles"},
                               {Kind::kSpmm, "Products with unstructured matrices", "cycles"},
                               {Kind::kEnergy, "Energy of GEMMs", "joules"}};

struct Family {
  const char* name;
  const char* colour;
};

/// Which of a few families a point belongs to: the colours of the scatter plots.
Family family_of(const ComparedPoint& point) {
  const std::string& group = point.point.group;
  const auto begins = [&](const char* word) { return group.rfind(word, 0) == 0; };
  if (point.point.kind != Kind::kMicro) {
    const std::string* pattern = point.point.field("pattern");
    const bool sparse = pattern != nullptr ? *pattern != "dense" : point.point.id.find(".sp.") != std::string::npos;
    if (point.point.kind == Kind::kLibraryGemm) return {"speedup", "s0"};
    if (point.point.kind == Kind::kSpmm) {
      if (begins("spmm_sgemm")) return {"dense", "s0"};
      return begins("spmm_bitmap") ? Family{"bitmap", "s1"} : Family{"CSR, ELL, COO, CSC", "s2"};
    }
    if (point.point.kind == Kind::kForeign)
      return begins("foreign, races") ? Family{"races", "s1"} : Family{"programs", "s0"};
    return sparse ? Family{"sparse", "s1"} : Family{"dense", "s0"};
  }
  if (begins("mma") || begins("mixed")) return {"matrix instructions", "s0"};
  if (begins("lds") || begins("barrier")) return {"shared memory", "s1"};
  if (begins("ldgsts")) return {"asynchronous copies", "s2"};
  if (begins("pipes") || begins("issue")) return {"pipes and issue", "s3"};
  return {"global memory", "s6"};
}

std::string tooltip_of(const ComparedPoint& point, const std::string& metric) {
  return fmt::format("{}\n{}: {:.6g} simulated, {:.6g} measured, {}", point.point.id, metric,
                     point.simulated.at(metric), point.point.measured.at(metric), percent(point.error(metric), true));
}

std::string scatter(const std::vector<const ComparedPoint*>& points, const KindText& kind) {
  std::vector<double> values;
  std::vector<LegendEntry> legend;
  for (const ComparedPoint* point : points) {
    const std::string metric = point->headline();
    values.push_back(point->simulated.at(metric));
    values.push_back(point->point.measured.at(metric));
    const Family family = family_of(*point);
    if (std::none_of(legend.begin(), legend.end(), [&](const LegendEntry& e) { return e.name == family.name; })) {
      legend.push_back({family.colour, family.name});
    }
  }
  const PlotAxis x = PlotAxis::around(fmt::format("measured {}", kind.axis), Scale::kLog, values);
  const PlotAxis y = PlotAxis::around(fmt::format("simulated {}", kind.axis), Scale::kLog, values);
  SvgPlot plot(
      {fmt::format("{}: simulated against measured {}, {} points", kind.title, kind.axis, points.size()), 460, 430}, x,
      y);
  plot.rule({x.low, y.low}, {x.high, y.high});
  for (const ComparedPoint* point : points) {
    const std::string metric = point->headline();
    plot.dot(family_of(*point).colour, point->point.measured.at(metric), point->simulated.at(metric),
             tooltip_of(*point, metric));
  }
  return html_figure(kind.title, html_legend(legend) + plot.svg());
}

double gflop_of(const ComparedPoint& point) { return point.point.field_number("gflop"); }

/// Products of the same proportions: their sizes alone differ, so that a line may join them. Empty: not known.
std::string proportions_of(const ComparedPoint& point) {
  const auto side = [&](const char* name) { return static_cast<std::int64_t>(point.point.field_number(name)); };
  const std::int64_t m = side("m"), n = side("n"), k = side("k");
  const std::int64_t common = std::gcd(std::gcd(m, n), k);
  return common == 0 ? "" : fmt::format("{}:{}:{}", m / common, n / common, k / common);
}

/// Simulated values: a ring each, those of the same proportions joined.
using Simulated = std::function<double(const ComparedPoint&)>;
void draw_simulated(SvgPlot& plot, const char* colour, const std::vector<const ComparedPoint*>& points,
                    const Simulated& value) {
  std::map<std::string, std::vector<SvgPlot::Place>> joined;
  for (const ComparedPoint* point : points) {
    const SvgPlot::Place place(gflop_of(*point), value(*point));
    plot.ring(colour, place.first, place.second, fmt::format("{}: {:.4g} simulated", point->point.id, place.second));
    const std::string proportions = proportions_of(*point);
    if (!proportions.empty()) joined[proportions].push_back(place);
  }
  for (const auto& [proportions, places] : joined) {
    if (places.size() > 1) plot.line(colour, places);
  }
}

/// "f16_sp24_128x128x64_w64x32_s3": a drawing each, keyed by the sparse kernel.
struct TwinPoint {
  const ComparedPoint* sparse;
  const ComparedPoint* dense;
  const SpeedupPair* pair;
};
std::map<std::string, std::vector<TwinPoint>> twins_of(const CompareReport& report) {
  std::map<std::string, const ComparedPoint*> by_id;
  for (const ComparedPoint& point : report.points) by_id[point.point.id] = &point;
  std::map<std::string, std::vector<TwinPoint>> twins;
  for (const SpeedupPair& pair : report.speedups) {
    const ComparedPoint* sparse = by_id.at(pair.name);
    const std::string key =
        sparse->point.tasks.front().kernel + (sparse->point.tasks.front().warm_l2 ? " (warm L2)" : " (cold L2)");
    twins[key].push_back({sparse, by_id.at(pair.dense), &pair});
  }
  for (auto& [key, list] : twins) {
    std::sort(list.begin(), list.end(),
              [](const TwinPoint& a, const TwinPoint& b) { return gflop_of(*a.sparse) < gflop_of(*b.sparse); });
  }
  return twins;
}

std::string twin_charts(const CompareReport& report, const std::string& axis_label, double low, bool from_zero,
                        const std::function<void(SvgPlot&, const TwinPoint&)>& dots,
                        const std::function<void(SvgPlot&, const std::vector<TwinPoint>&)>& lines,
                        const std::function<void(const TwinPoint&, std::vector<double>&)>& collect) {
  std::string figures;
  std::vector<double> sizes, values = {low};
  const auto twins = twins_of(report);
  for (const auto& [key, list] : twins) {
    for (const TwinPoint& twin : list) {
      sizes.push_back(gflop_of(*twin.sparse));
      collect(twin, values);
    }
  }
  for (const auto& [key, list] : twins) {
    SvgPlot plot({fmt::format("{} of {} over the size of the product", axis_label, key), 300, 220},
                 PlotAxis::around("GFLOP (2mnk)", Scale::kLog, sizes),
                 PlotAxis::around(axis_label, Scale::kLinear, values, from_zero));
    lines(plot, list);
    for (const TwinPoint& twin : list) dots(plot, twin);
    figures += html_figure(key, plot.svg());
  }
  return figures;
}

double tflops(const ComparedPoint& point, double cycles, double clock_mhz) {
  return gflop_of(point) * 1e9 / (cycles / (clock_mhz * 1e6)) * 1e-12;
}

}  // namespace

std::string scatter_charts(const CompareReport& report) {
  std::string figures;
  for (const KindText& kind : kKinds) {
    const auto points = points_of(report, kind.kind);
    if (!points.empty()) figures += scatter(points, kind);
  }
  return figures.empty() ? "" : fmt::format("<div class=\"grid-of wide\">\n{}</div>\n", figures);
}

std::string error_histograms(const CompareReport& report) {
  constexpr double kBin = 0.02, kEdge = 0.30;
  constexpr int kBins = 30;
  std::string figures;
  for (const KindText& kind : kKinds) {
    const auto points = points_of(report, kind.kind);
    if (points.empty()) continue;
    std::vector<double> counts(kBins, 0.0);
    for (const ComparedPoint* point : points) {
      const double error = std::clamp(point->error(point->headline()), -kEdge, kEdge);
      counts[static_cast<std::size_t>(
          std::clamp(static_cast<int>(std::floor((error + kEdge) / kBin)), 0, kBins - 1))] += 1;
    }
    PlotAxis x{"error, % (the outermost bars hold everything beyond)",
               Scale::kLinear,
               -100 * kEdge,
               100 * kEdge,
               {-30, -20, -10, 0, 10, 20, 30}};
    SvgPlot plot({fmt::format("{}: number of points by error", kind.title), 460, 270}, x,
                 PlotAxis::around("points", Scale::kLinear, counts, true));
    for (int i = 0; i < kBins; ++i) {
      const double from = 100 * (-kEdge + i * kBin), count = counts[static_cast<std::size_t>(i)];
      if (count > 0)
        plot.bar("s0", from, from + 100 * kBin, count,
                 fmt::format("{:.0f} % to {:.0f} %: {:.0f} points", from, from + 100 * kBin, count));
    }
    plot.rule({0, 0}, {0, 1e300});
    figures += html_figure(kind.title, plot.svg());
  }
  return figures.empty() ? "" : fmt::format("<div class=\"grid-of wide\">\n{}</div>\n", figures);
}

std::string speedup_charts(const CompareReport& report) {
  if (report.speedups.empty()) return "";
  const std::string figures = twin_charts(
      report, "speedup", 1.0, false,
      [](SvgPlot& plot, const TwinPoint& twin) {
        plot.dot("s1", gflop_of(*twin.sparse), twin.pair->measured,
                 fmt::format("{}: {:.3f} measured, {:.3f} simulated", twin.pair->name, twin.pair->measured,
                             twin.pair->simulated),
                 4);
      },
      [](SvgPlot& plot, const std::vector<TwinPoint>& list) {
        std::vector<const ComparedPoint*> points;
        std::map<const ComparedPoint*, double> speedups;
        for (const TwinPoint& twin : list) {
          points.push_back(twin.sparse);
          speedups[twin.sparse] = twin.pair->simulated;
        }
        plot.rule({1e-9, 1.0}, {1e300, 1.0});
        draw_simulated(plot, "s0", points, [&](const ComparedPoint& point) { return speedups.at(&point); });
      },
      [](const TwinPoint& twin, std::vector<double>& values) {
        values.push_back(twin.pair->measured);
        values.push_back(twin.pair->simulated);
      });
  return html_legend({{"s1", "measured"}, {"s0", "simulated", LegendEntry::Mark::kRing}}) + html_grid(figures);
}

std::string rate_charts(const CompareReport& report) {
  if (report.speedups.empty() || report.speedups.front().metric.rfind("cycles", 0) != 0) return "";
  const auto rate = [&](const ComparedPoint& point, bool simulated) {
    const std::string metric = point.headline();
    return tflops(point, simulated ? point.simulated.at(metric) : point.point.measured.at(metric), report.clock_mhz);
  };
  const std::string figures = twin_charts(
      report, "TFLOPS", 0.0, true,
      [&](SvgPlot& plot, const TwinPoint& twin) {
        for (const auto& [point, colour] : {std::pair{twin.dense, "s0"}, std::pair{twin.sparse, "s1"}}) {
          plot.dot(colour, gflop_of(*point), rate(*point, false), tooltip_of(*point, point->headline()), 4);
        }
      },
      [&](SvgPlot& plot, const std::vector<TwinPoint>& list) {
        std::vector<const ComparedPoint*> dense, sparse;
        for (const TwinPoint& twin : list) {
          dense.push_back(twin.dense);
          sparse.push_back(twin.sparse);
        }
        const auto simulated = [&](const ComparedPoint& point) { return rate(point, true); };
        draw_simulated(plot, "s0", dense, simulated);
        draw_simulated(plot, "s1", sparse, simulated);
      },
      [&](const TwinPoint& twin, std::vector<double>& values) {
        for (const bool simulated : {false, true}) {
          values.push_back(rate(*twin.dense, simulated));
          values.push_back(rate(*twin.sparse, simulated));
        }
      });
  return html_legend({{"s0", "dense, measured"},
                      {"s0", "dense, simulated", LegendEntry::Mark::kRing},
                      {"s1", "sparse, measured"},
                      {"s1", "sparse, simulated", LegendEntry::Mark::kRing}}) +
         html_grid(figures);
}

}  // namespace stc::sim
