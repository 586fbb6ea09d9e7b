// SPDX-License-Identifier: Apache-2.0
#include "sim/page/exec_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "models/isa/text/kernel_name.h"
#include "sim/base/provenance.h"
#include "sim/base/text.h"
#include "sim/base/version.h"
#include "sim/page/run_page.h"
#include "sim/report/html_page.h"
#include "sim/report/svg_plot.h"
#include "sim/report/svg_rows.h"

namespace stc::sim {
namespace {

constexpr std::size_t kMostKernels = 20, kMostLaunches = 500, kMostFailures = 50, kNameLetters = 28;

bool was_timed(const LaunchRecord& launch) { return launch.timed && launch.failure.empty(); }

struct KernelTime {
  std::string name;
  std::uint64_t launches = 0;
  double time_us = 0;
};

/// Kernels by their time, the longest first.
std::vector<KernelTime> kernels_of(const LaunchLog& log) {
  std::map<std::string, KernelTime> by_name;
  for (const LaunchRecord& launch : log.launches) {
    if (!was_timed(launch)) continue;
    KernelTime& kernel = by_name[launch.result.name];
    kernel.name = isa::readable_name(launch.result.name);
    ++kernel.launches;
    kernel.time_us += launch.result.time_us();
  }
  std::vector<KernelTime> kernels;
  kernels.reserve(by_name.size());
  for (auto& [symbol, kernel] : by_name) kernels.push_back(kernel);
  std::stable_sort(kernels.begin(), kernels.end(),
                   [](const KernelTime& a, const KernelTime& b) { return a.time_us > b.time_us; });
  return kernels;
}

std::string kernels_section(const std::vector<KernelTime>& kernels, double all_us) {
  SvgRows rows({"Time of each kernel", 640}, {0, kernels.front().time_us, "us, all launches together"});
  for (std::size_t i = 0; i < std::min(kernels.size(), kMostKernels); ++i) {
    const KernelTime& kernel = kernels[i];
    const bool fits = kernel.name.size() <= kNameLetters;
    rows.add({fits ? kernel.name : kernel.name.substr(0, kNameLetters - 3) + "...",
              {{"s0", 0, kernel.time_us, fmt::format("{}: {} launches", kernel.name, kernel.launches)}},
              fmt::format("{:.2f} us, {:.0f} %", kernel.time_us, 100 * kernel.time_us / all_us)});
  }
  return html_section(
      "kernels", "Which kernels take the time?",
      kernels.size() > kMostKernels ? fmt::format("The first {} of {}.", kMostKernels, kernels.size()) : "",
      html_figure("", rows.svg()));
}

std::string launches_section(const ExecResult& result) {
  HtmlTable table({{"launch", true},
                   {"kernel"},
                   {"CTAs", true},
                   {"threads", true},
                   {"cycles", true},
                   {"time [us]", true},
                   {"bound by", HtmlTable::Style::kName},
                   {"tensor %", true},
                   {"L2 read", true},
                   {"DRAM", true},
                   {"energy [mJ]", true}});
  const auto& launches = result.log.launches;
  for (std::size_t i = 0; i < std::min(launches.size(), kMostLaunches); ++i) {
    const LaunchResult& launch = launches[i].result;
    std::vector<std::string> cells = {std::to_string(launches[i].number), isa::readable_name(launch.name),
                                      grouped(launch.grid.count()), grouped(launch.block.count())};
    if (was_timed(launches[i])) {
      const gpu::RunStatistics& run = launch.run;
      const auto bytes = [](std::uint64_t count) { return human_bytes(static_cast<double>(count)); };
      const std::vector<std::string> more = {
          grouped(run.cycles_elapsed),
          fmt::format("{:.2f}", launch.time_us()),
          launch.bound.by,
          fmt::format("{:.1f}", 100 * tensor_busy_fraction(run, result.gpu.params)),
          bytes(total_bytes(run.total.l2.read)),
          bytes(total_bytes(run.memory.dram.read) + total_bytes(run.memory.dram.write)),
          run.energy.known ? fmt::format("{:.4g}", run.energy.total() * 1e3) : "-"};
      cells.insert(cells.end(), more.begin(), more.end());
    } else {
      cells.insert(cells.end(), {"", "", launches[i].failure.empty() ? "not timed" : "failed", "", "", "", ""});
    }
    table.row(cells);
  }
  const std::string rest = launches.size() > kMostLaunches
                               ? fmt::format("The first {} of {}; --json has all.", kMostLaunches, launches.size())
                               : "";
  return html_section("launches", "Launch by launch", rest, table.html());
}

/// Why launches failed, and what the program asked for in vain.
std::string failures_section(const LaunchLog& log) {
  std::string items;
  std::size_t failed = 0;
  for (const LaunchRecord& launch : log.launches) {
    if (launch.failure.empty() || ++failed > kMostFailures) continue;
    items +=
        fmt::format("<li>launch {}, {}: {} (error {})</li>\n", launch.number,
                    escape_html(isa::readable_name(launch.result.name)), escape_html(launch.failure), launch.error);
  }
  for (const std::string& name : log.unsupported) {
    items += fmt::format("<li>{} was called, which is not there: it returned cudaErrorNotSupported</li>\n",
                         escape_html(name));
  }
  if (items.empty()) return "";
  const std::string rest =
      failed > kMostFailures ? fmt::format("The first {} of {}; --json has all.", kMostFailures, failed) : "";
  return html_section("failures", "What failed?", rest, "<ul class=\"notes\">\n" + items + "</ul>\n");
}

/// How the longest launch is looked into.
std::string look_section(const ExecResult& result) {
  const LaunchRecord* longest = nullptr;
  for (const LaunchRecord& launch : result.log.launches) {
    if (was_timed(launch) && (longest == nullptr || launch.result.time_us() > longest->result.time_us())) {
      longest = &launch;
    }
  }
  if (longest == nullptr) return "";
  std::string words;
  for (const std::string& word : result.program) words += " " + shell_word(word);
  const std::string keep = fmt::format("stcsim exec --gpu {} --launch {} --capture kept --{}",
                                       shell_word(result.gpu_file), longest->number, words);
  const std::string explain = fmt::format("stcsim run kept/{:03}/run.yaml --why --html launch.html", longest->number);
  const auto& evidence = result.gpu.evidence;
  const bool changed =
      std::any_of(evidence.begin(), evidence.end(), [](const auto& one) { return one.second == "command line"; });
  return html_section(
      "look", "What happens inside a launch?",
      fmt::format("Launch {} takes the longest. These commands keep it and explain it.{}", longest->number,
                  changed ? " Keys that --set changed must stand in a GPU file for it." : ""),
      fmt::format("<p><code>{}</code></p>\n<p><code>{}</code></p>\n", escape_html(keep), explain));
}

}  // namespace

std::string exec_page(const ExecResult& result) {
  const LaunchLog& log = result.log;
  double time_us = 0;
  std::uint64_t timed = 0;
  for (const LaunchRecord& launch : log.launches) {
    if (!was_timed(launch)) continue;
    ++timed;
    time_us += launch.result.time_us();
  }
  const std::vector<KernelTime> kernels = kernels_of(log);
  std::string body = fmt::format("<h1>{}</h1>\n<p class=\"soft\">on {}, caches {}, simulated by stcsim {} ({}).</p>\n",
                                 escape_html(join(result.program, " ")), escape_html(result.gpu.params.name),
                                 result.cold ? "cold before each launch" : "as the launch before left them", version(),
                                 git_revision());
  body += html_warning(caveat_of_revision(git_revision()));
  body += html_tiles({{"launches", grouped(log.launches.size()), fmt::format("{} timed", timed)},
                      {"time on the GPU", fmt::format("{:.2f} us", time_us), "of the timed launches together"},
                      {"kernels", grouped(kernels.size()), ""},
                      {"exit code", std::to_string(result.exit_code()), "of the program"}});
  if (!kernels.empty()) body += kernels_section(kernels, time_us);
  body += launches_section(result) + failures_section(log) + look_section(result);
  return html_page(result.program.front(), body);
}

}  // namespace stc::sim
