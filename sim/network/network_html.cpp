// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "sim/base/provenance.h"
#include "sim/base/text.h"
#include "sim/base/version.h"
#include "sim/network/network_describe.h"
#include "sim/report/html_page.h"
#include "sim/report/svg_plot.h"

namespace stc::sim {
namespace {

using Weights = NetworkOutcome::Weights;

/// Parts of a bar: products whose weights may be 2:4, other products, attention, all else.
struct Part {
  const char* name;
  const char* colour;
  bool (*has)(const LayerWork&);
};
bool is_other_product(const LayerWork& work) { return work.product && !work.prunable; }
const Part kBarParts[] = {
    {"products whose weights may be 2:4", "s0", [](const LayerWork& work) { return work.prunable; }},
    {"other products", "s1", is_other_product},
    {"attention", "s2", [](const LayerWork& work) { return work.kind == "attention"; }},
    {"everything else", "s3",
     [](const LayerWork& work) { return !work.prunable && !is_other_product(work) && work.kind != "attention"; }}};

double part_us(const NetworkPlan& plan, const NetworkOutcome& outcome, const Part& part, bool sparse) {
  double sum = 0;
  for (std::size_t i = 0; i < plan.layers.size(); ++i) {
    const NetworkCost& cost = sparse ? outcome.layers[i].faster() : outcome.layers[i].dense;
    if (part.has(plan.layers[i])) sum += plan.layers[i].count * cost.time_us;
  }
  return sum;
}

/// Two bars a batch, dense and with 2:4 where it is faster, for one GPU; the height is microseconds a sequence or
/// image.
std::string time_chart(const NetworkFile& network, const NetworkResult& result, std::size_t gpu) {
  std::vector<const NetworkOutcome*> outcomes;
  double most = 0;
  for (const NetworkOutcome& one : result.outcomes) {
    if (one.gpu != gpu) continue;
    outcomes.push_back(&one);
    const NetworkPlan& plan = network.plans[one.plan];
    most = std::max(most, one.total(plan, Weights::kDense).time_us / plan.input.batch);
  }
  PlotAxis across{"batch (left dense, right 2:4 where it is faster)", Scale::kLinear, 0,
                  static_cast<double>(outcomes.size())};
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    across.ticks.push_back(static_cast<double>(i) + 0.5);
    across.names.push_back(std::to_string(network.plans[outcomes[i]->plan].input.batch));
  }
  SvgPlot plot({"Time of the network by its parts", 640, 320}, across,
               PlotAxis::around("us for each sequence or image", Scale::kLinear, {most}, true));
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    const NetworkPlan& plan = network.plans[outcomes[i]->plan];
    for (const bool sparse : {false, true}) {
      double top = outcomes[i]->total(plan, sparse ? Weights::kFaster : Weights::kDense).time_us / plan.input.batch;
      const double left = static_cast<double>(i) + (sparse ? 0.52 : 0.15);
      if (sparse) plot.text(left, top + 0.04 * most, fmt::format("{:.2f}x", outcomes[i]->speedup(plan)));
      // Bars begin at zero, so the sum of all parts is drawn first and the first part last.
      for (std::size_t part = std::size(kBarParts); part-- > 0;) {
        const double us = part_us(plan, *outcomes[i], kBarParts[part], sparse) / plan.input.batch;
        if (us <= 0) continue;
        plot.bar(kBarParts[part].colour, left, left + 0.33, top,
                 fmt::format("batch {}, {}: {} {:.2f} us", plan.input.batch, sparse ? "2:4" : "dense",
                             kBarParts[part].name, us));
        top -= us;
      }
    }
  }
  std::vector<LegendEntry> legend;
  for (const Part& part : kBarParts) legend.push_back({part.colour, part.name});
  return html_figure("", plot.svg()) + html_legend(legend);
}

std::string network_tiles(const NetworkFile& network, const NetworkOutcome& outcome) {
  const NetworkPlan& plan = network.plans[outcome.plan];
  const NetworkTotal dense = outcome.total(plan, Weights::kDense), sparse = outcome.total(plan, Weights::kFaster);
  std::vector<HtmlTile> tiles = {
      {"end to end", fmt::format("{:.2f}x", outcome.speedup(plan)),
       fmt::format("{:.0f} us dense, {:.0f} us with 2:4", dense.time_us, sparse.time_us)},
      {"products with 2:4",
       fmt::format("{:.2f}x", sparse.prunable_us > 0 ? dense.prunable_us / sparse.prunable_us : 1.0),
       fmt::format("{:.0f} % of the dense time", 100 * dense.prunable_us / dense.time_us)},
      {"weights", fmt::format("{:.1f} MiB", sparse.weight_bytes / (1 << 20)),
       fmt::format("{:.1f} MiB dense", dense.weight_bytes / (1 << 20))}};
  if (dense.joules > 0 && sparse.joules > 0) {
    tiles.push_back({"per watt", fmt::format("{:.2f}x", dense.joules / sparse.joules),
                     fmt::format("{:.3f} J dense, {:.3f} J with 2:4", dense.joules, sparse.joules)});
  }
  return html_tiles(tiles);
}

std::string layer_table(const NetworkPlan& plan, const NetworkOutcome& outcome) {
  HtmlTable table({{"layer", HtmlTable::Style::kName},
                   {"work", HtmlTable::Style::kName},
                   {"times", true},
                   {"dense us", true},
                   {"2:4 us", true},
                   {"speedup", true},
                   {"share %", true},
                   {"bound by", false},
                   {"dense kernel", HtmlTable::Style::kName},
                   {"2:4 kernel", HtmlTable::Style::kName}});
  const double all = outcome.total(plan, Weights::kDense).time_us;
  for (std::size_t i = 0; i < plan.layers.size(); ++i) {
    const LayerWork& work = plan.layers[i];
    const LayerCost& cost = outcome.layers[i];
    table.row({work.name, work.text, std::to_string(work.count), fmt::format("{:.2f}", cost.dense.time_us),
               cost.sparse ? fmt::format("{:.2f}", cost.sparse->time_us) : "-",
               cost.sparse ? fmt::format("{:.2f}", cost.speedup()) : "",
               fmt::format("{:.1f}", 100 * work.count * cost.dense.time_us / all), cost.dense.bound, cost.dense.kernel,
               cost.sparse ? cost.sparse->kernel : ""});
  }
  return table.html();
}

}  // namespace

std::string network_html(const NetworkFile& network, const NetworkResult& result) {
  std::string body = fmt::format(
      "<h1>{}: what does 2:4 bring end to end?</h1>\n<p class=\"soft\">Inference in f16, L2 {}, launch after launch. "
      "Each "
      "product with the fastest of the library's most promising dense and 2:4 kernels, as stcsim {} ({}) simulates "
      "them.</p>\n",
      escape_html(network.title), network.warm_l2 ? "warm" : "cold", version(), git_revision());
  body += html_warning(caveat_of_revision(git_revision()));
  for (std::size_t gpu = 0; gpu < network.gpus.size(); ++gpu) {
    body += html_section(fmt::format("gpu{}", gpu), network.gpus[gpu].name, "", time_chart(network, result, gpu));
    for (const NetworkOutcome& outcome : result.outcomes) {
      if (outcome.gpu != gpu) continue;
      const NetworkPlan& plan = network.plans[outcome.plan];
      const std::string rest = untouched(plan, outcome);
      body += html_section(fmt::format("gpu{}-batch{}", gpu, plan.input.batch),
                           fmt::format("{}, {}", network.gpus[gpu].name, text_of(plan.input, has_tokens(plan))),
                           why_not_twice(plan, outcome) + (rest.empty() ? "" : " What 2:4 leaves alone: " + rest + "."),
                           network_tiles(network, outcome) + layer_table(plan, outcome));
    }
  }
  return html_page(network.title, body);
}

}  // namespace stc::sim
