// SPDX-License-Identifier: Apache-2.0
// What was seen of launches: use of the GPU over time, the instructions at which warps spend most of it.
#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "sim/base/text.h"
#include "sim/page/run_page.h"
#include "sim/report/html_page.h"
#include "sim/report/svg_plot.h"

namespace stc::sim {
namespace {

constexpr std::size_t kHottest = 12;
constexpr std::size_t kMostPlaces = 64;  ///< of a line: more are a thicket

struct ResourceStyle {
  Resource resource;
  const char* name;
  const char* colour;
};
constexpr ResourceStyle kResources[] = {
    {Resource::kTensor, "tensor cores", "s0"}, {Resource::kShared, "shared memory", "s1"},
    {Resource::kL2Read, "L2, read", "s2"},     {Resource::kL2Write, "L2, written", "s5"},
    {Resource::kDram, "DRAM", "s3"},           {Resource::kIssue, "issue", "s6"}};

bool looked_at(const std::vector<PageLaunch>& launches) {
  return std::all_of(launches.begin(), launches.end(), [](const PageLaunch& one) { return one.profile != nullptr; });
}

/// Per cent of what the GPU offers, bucket by bucket.
std::string over_time(const PageLaunch& one, double most_cycles) {
  const UtilisationSeries& series = one.profile->series;
  const std::size_t together = (series.buckets() + kMostPlaces - 1) / kMostPlaces;
  SvgPlot plot({"Use over time of " + one.name, 460, 260},
               PlotAxis::around("SM cycles from the first CTA on", Scale::kLinear, {most_cycles}, true),
               PlotAxis{"% of what the GPU offers", Scale::kLinear, 0, 100, {0, 20, 40, 60, 80, 100}});
  for (const ResourceStyle& style : kResources) {
    if (series.total(style.resource) == 0) continue;
    std::vector<SvgPlot::Place> places;
    for (std::size_t first = 0; first < series.buckets(); first += together) {
      const std::size_t end = std::min(first + together, series.buckets());
      double sum = 0;
      for (std::size_t bucket = first; bucket < end; ++bucket) sum += series.fraction(style.resource, bucket);
      const double middle = static_cast<double>(first + end) / 2 * static_cast<double>(series.bucket_cycles);
      places.emplace_back(std::min(middle, most_cycles), std::min(100.0, 100 * sum / static_cast<double>(end - first)));
    }
    plot.line(style.colour, places);
  }
  return html_figure(one.name, plot.svg());
}

/// Where warps wait most at an instruction; "-" where they only issue it.
std::string waits_for(const InstructionCounts& counts) {
  Stall most = Stall::kIssued;
  std::uint64_t cycles = 0;
  for (int i = 0; i < kStalls; ++i) {
    const auto stall = static_cast<Stall>(i);
    if (stall == Stall::kIssued || counts.stalls[static_cast<std::size_t>(i)] <= cycles) continue;
    most = stall;
    cycles = counts.stalls[static_cast<std::size_t>(i)];
  }
  return most == Stall::kIssued ? "-" : name_of(most);
}

/// "gemm.cu:120: the line", as far as it is known and can be read.
std::string source_of(const cubin::SourceLine& source) {
  if (source.file.empty()) return "";
  std::string text = fmt::format("{}:{}", source.file.substr(source.file.rfind('/') + 1), source.line);
  std::ifstream stream(source.file);
  std::string line;
  for (std::uint32_t number = 0; number < source.line; ++number) {
    if (!std::getline(stream, line)) return text;
  }
  const std::size_t first = line.find_first_not_of(" \t");
  return first == std::string::npos ? text : text + ": " + line.substr(first);
}

std::string hottest(const PageLaunch& one) {
  std::vector<const ProfiledInstruction*> all;
  for (const ProfiledInstruction& instruction : one.profile->instructions) all.push_back(&instruction);
  const std::size_t shown = std::min(kHottest, all.size());
  const auto hotter = [](const ProfiledInstruction* a, const ProfiledInstruction* b) {
    const std::uint64_t of_a = a->counts.warp_cycles(), of_b = b->counts.warp_cycles();
    return of_a != of_b ? of_a > of_b : a->address < b->address;
  };
  std::partial_sort(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(shown), all.end(), hotter);
  all.resize(shown);
  const bool has_source =
      std::any_of(all.begin(), all.end(), [](const auto* each) { return !each->source.file.empty(); });
  std::vector<HtmlTable::Column> columns = {{"time %", true},
                                            {"executed", true},
                                            {"waits for", HtmlTable::Style::kName},
                                            {"address", HtmlTable::Style::kName},
                                            {"instruction", HtmlTable::Style::kName}};
  if (has_source) columns.emplace_back("source");
  HtmlTable table(columns);
  const auto whole = static_cast<double>(std::max<std::uint64_t>(1, one.profile->totals().warp_cycles()));
  for (const ProfiledInstruction* each : all) {
    std::vector<std::string> cells = {
        fmt::format("{:.1f}", 100 * static_cast<double>(each->counts.warp_cycles()) / whole),
        grouped(each->counts.warp_executions), waits_for(each->counts), fmt::format("0x{:04x}", each->address),
        each->text};
    if (has_source) cells.push_back(source_of(each->source));
    table.row(cells);
  }
  return fmt::format("<h3>{}</h3>\n", escape_html(one.name)) + table.html();
}

}  // namespace

std::string over_time_section(const std::vector<PageLaunch>& launches) {
  if (!looked_at(launches)) return "";
  double most = 0;
  for (const PageLaunch& one : launches) most = std::max(most, static_cast<double>(one.profile->cycles));
  std::string figures;
  for (const PageLaunch& one : launches) figures += over_time(one, most);
  std::vector<LegendEntry> legend;
  for (const ResourceStyle& style : kResources) legend.push_back({style.colour, style.name, LegendEntry::Mark::kLine});
  return html_section("time", "What is used when?", "Of the whole GPU, SMs without a CTA included.",
                      html_legend(legend) + html_wide_grid(figures));
}

std::string hottest_section(const std::vector<PageLaunch>& launches) {
  if (!looked_at(launches)) return "";
  std::string body;
  for (const PageLaunch& one : launches) body += hottest(one);
  return html_section("hottest", "At which instructions do warps spend their time?",
                      "Warp-cycles spent before and in the issue of each instruction, of all of the kernel; "
                      "source lines where it was compiled with -lineinfo.",
                      body);
}

}  // namespace stc::sim
