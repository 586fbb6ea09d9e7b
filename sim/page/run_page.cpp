// SPDX-License-Identifier: Apache-2.0
#include "sim/page/run_page.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/isa/text/kernel_name.h"
#include "sim/base/provenance.h"
#include "sim/base/text.h"
#include "sim/base/version.h"
#include "sim/report/html_page.h"
#include "sim/report/svg_plot.h"

namespace stc::sim {
namespace {

const LaunchProfile* profile_of(const std::vector<LaunchProfile>& profiles, const std::string& role) {
  const auto has_role = [&](const LaunchProfile& one) { return one.role == role; };
  const auto found = std::find_if(profiles.begin(), profiles.end(), has_role);
  return found == profiles.end() ? nullptr : &*found;
}

std::vector<PageLaunch> launches_of(const RunResult& result, const std::vector<LaunchProfile>& profiles) {
  const LaunchProfile* const own = profile_of(profiles, "launch");
  if (!result.dense) return {{"launch", "s0", &result.launch, own}};
  std::vector<PageLaunch> all = {{"sparse", "s0", &result.launch, own},
                                 {"dense", "s1", &*result.dense, profile_of(profiles, "dense")}};
  if (result.same_tile) {
    all.push_back({"dense, same tile", "s2", &*result.same_tile, profile_of(profiles, "same_tile")});
  }
  return all;
}

double speedup(const LaunchResult& dense, const LaunchResult& sparse) {
  return static_cast<double>(dense.run.cycles_elapsed) / static_cast<double>(sparse.run.cycles_elapsed);
}

/// Names of the library are themselves.
std::string kernel_name(const LaunchResult& launch) { return isa::readable_name(launch.name); }

std::string tiles(const RunResult& result) {
  const LaunchResult& launch = result.launch;
  std::vector<HtmlTile> all;
  if (result.dense) {
    all.push_back({"speedup", fmt::format("{:.2f}x", speedup(*result.dense, launch)),
                   fmt::format("against {}, launch overhead included", kernel_name(*result.dense))});
  }
  all.push_back({"time", fmt::format("{:.2f} us", launch.time_us()),
                 fmt::format("{} SM cycles at {:.0f} MHz", grouped(launch.run.cycles_elapsed), launch.run.clock_mhz)});
  if (launch.gemm) {
    all.push_back({"rate", fmt::format("{:.0f} TFLOPS", launch.tflops()), "dense-equivalent, 2mnk over time"});
  }
  all.push_back({"bound by", launch.bound.by, result.dense ? "dense kernel: " + result.dense->bound.by : ""});
  if (launch.run.total.tensor_instructions != 0) {
    all.push_back({"tensor cores", fmt::format("{:.1f} %", 100 * tensor_busy_fraction(launch.run, result.gpu)),
                   "busy, from first CTA to last"});
  }
  return html_tiles(all);
}

std::string bound_section(const std::vector<PageLaunch>& launches) {
  std::string body;
  HtmlTable table({{"", HtmlTable::Style::kName},
                   {"bound by", HtmlTable::Style::kName},
                   {"tensor %", true},
                   {"issue %", true},
                   {"shared %", true},
                   {"L2 %", true},
                   {"DRAM %", true},
                   {"no CTA %", true}});
  for (const PageLaunch& one : launches) {
    const Bound& bound = one.launch->bound;
    body += fmt::format("<p><strong>{}</strong>: {}: {}.</p>\n", escape_html(one.name), escape_html(bound.by),
                        escape_html(bound.explanation));
    std::vector<std::string> cells = {one.name, bound.by};
    for (const double used : bound.utilisation) cells.push_back(fmt::format("{:.1f}", 100 * used));
    cells.push_back(fmt::format("{:.1f}", 100 * bound.launch));
    table.row(cells);
  }
  return html_section("bound", "What bounds it?",
                      "L2 and DRAM over the run, others while SMs hold CTAs; no CTA: share of the elapsed SM-time.",
                      body + table.html());
}

std::string launches_section(const RunResult& result, const std::vector<PageLaunch>& launches) {
  HtmlTable table({{"", HtmlTable::Style::kName},
                   {"kernel"},
                   {"CTAs", true},
                   {"threads", true},
                   {"on an SM", true},
                   {"registers", true},
                   {"shared [KiB]", true},
                   {"cycles", true},
                   {"elapsed", true},
                   {"warp instructions", true}});
  const auto row = [&](const std::string& name, const LaunchResult& launch) {
    table.row({name, kernel_name(launch), grouped(launch.grid.count()), grouped(launch.block.count()),
               fmt::format("{} of {}", launch.run.ctas_per_sm, launch.run.occupancy), std::to_string(launch.registers),
               fmt::format("{:.1f}", (launch.static_shared_bytes + launch.dynamic_shared_bytes) / 1024.0),
               grouped(launch.run.cycles), grouped(launch.run.cycles_elapsed),
               grouped(launch.run.total.warp_instructions)});
  };
  for (std::size_t i = 0; i < result.before.size(); ++i) row(fmt::format("before, {}", i + 1), result.before[i]);
  for (const PageLaunch& one : launches) row(one.name, *one.launch);
  return html_section("launches", "What ran?", "", table.html());
}

std::string provenance_section(const RunResult& result) {
  HtmlTable table({{"", HtmlTable::Style::kName}, {""}});
  table.row({"run file", result.run_file});
  for (const auto& [key, value] : result.options) {
    if (!value.empty()) table.row({key == "set" ? "--set" : "options." + key, value});
  }
  table.row({"GPU", fmt::format("{} ({}), all parameters {}", result.gpu.name, result.gpu_file, result.config_hash)});
  table.row({"kernel", fmt::format("{} {}", result.launch.module, result.launch.kernel_hash)});
  table.row({"stcsim", fmt::format("{} ({})", version(), git_revision())});
  return html_section("again", "How to get this again", "", table.html());
}

std::string heading(const RunResult& result) {
  const LaunchResult& launch = result.launch;
  std::string problem;
  if (launch.gemm) {
    problem = fmt::format("D[{0}x{1}] = A[{0}x{2}] x B[{2}x{1}], ", launch.gemm->m, launch.gemm->n, launch.gemm->k);
  }
  return fmt::format("<h1>{}</h1>\n<p class=\"soft\">{}on {}, simulated by stcsim {} ({}).</p>\n",
                     escape_html(kernel_name(launch)), problem, escape_html(result.gpu.name), version(),
                     git_revision()) +
         html_warning(caveat_of_revision(git_revision()));
}

}  // namespace

std::string run_page(const RunResult& result, const std::vector<LaunchProfile>& profiles) {
  const std::vector<PageLaunch> launches = launches_of(result, profiles);
  std::string body = heading(result) + tiles(result);
  if (result.waterfall) body += waterfall_section(*result.waterfall);
  body += bound_section(launches) + stalls_section(launches) + over_time_section(launches) + hottest_section(launches) +
          levels_section(launches, result.gpu) + bytes_section(launches) + energy_section(launches) +
          launches_section(result, launches) + provenance_section(result);
  return html_page(kernel_name(result.launch), body);
}

}  // namespace stc::sim
