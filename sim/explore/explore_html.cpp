// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "sim/base/provenance.h"
#include "sim/base/text.h"
#include "sim/base/version.h"
#include "sim/explore/explore_charts.h"
#include "sim/explore/explore_report.h"
#include "sim/report/html_page.h"
#include "sim/report/svg_plot.h"

namespace stc::sim {
namespace {

std::string changes_text(const GpuVariant& gpu) {
  std::string out = gpu.config.params.name;
  for (const Override& change : gpu.changes) out += fmt::format(", {} = {}", change.path, change.value);
  return out;
}

std::string intro(const ExploreReport& report) {
  const Sweep& sweep = report.plan->sweep;
  const CaseReport* fastest = nullptr;
  std::size_t sparse = 0;
  std::set<std::string> patterns;
  for (const CaseReport& one : report.cases) {
    if (report.question(one).pattern.dense()) continue;
    ++sparse;
    patterns.insert(report.question(one).pattern.name());
    if (one.ok && (fastest == nullptr || one.speedup > fastest->speedup)) fastest = &one;
  }
  std::string out = fmt::format("<h1>{}</h1>\n", escape_html(sweep.title.empty() ? sweep.file : sweep.title));
  out += fmt::format(
      "<p class=\"soft\">D[m,n] = A[m,k] x B[k,n] with weights A pruned N:M, {} kernels, L2 {}, stcsim {} ({}). "
      "Speedup is "
      "cycles of the dense kernel over cycles of the sparse one on the same GPU, each with the best of its "
      "tiles.</p>\n",
      sweep.compiled ? "compiled" : "built", sweep.warm_l2 ? "warm" : "cold", version(), git_revision());
  out += html_warning(caveat_of_revision(git_revision()));
  std::vector<HtmlTile> tiles = {
      {"questions", std::to_string(report.cases.size()), fmt::format("{} of them sparse", sparse)},
      {"simulations", std::to_string(report.plan->points.size()),
       fmt::format("{} failed; for {} the tile does not fit", report.failures(), report.plan->unfit.size())},
      {"patterns", std::to_string(patterns.size()), fmt::format("quality on weights {}", report.weights)}};
  if (fastest != nullptr) {
    const SweepCase& question = report.question(*fastest);
    tiles.push_back({"largest speedup", fmt::format("{:.2f}x", fastest->speedup),
                     fmt::format("{} on {}, {}; ideal {:.2f}x", question.pattern.name(), sweep.gpus[question.gpu].name,
                                 sweep.shapes[question.shape].name, fastest->ideal)});
  }
  out += html_tiles(tiles);
  // A page of many shapes is long.
  out +=
      "<nav><a href=\"#speedup\">speedup</a><a href=\"#heat\">over N and M</a><a href=\"#bytes\">bytes</a>"
      "<a href=\"#metadata\">metadata and selectors</a><a href=\"#pareto\">accuracy and cost</a>"
      "<a href=\"#cases\">all results</a></nav>\n";
  HtmlTable gpus({{"GPU variant", false}, {"what it is", false}});
  for (const GpuVariant& gpu : sweep.gpus) gpus.row({gpu.name, changes_text(gpu)});
  return out + html_section("gpus", "GPUs", "", gpus.html());
}

std::string case_table(const ExploreReport& report) {
  const Sweep& sweep = report.plan->sweep;
  HtmlTable table({{"GPU", false},
                   {"shape", HtmlTable::Style::kName},
                   {"type", false},
                   {"pattern", false},
                   {"best tile", HtmlTable::Style::kName},
                   {"cycles", true},
                   {"TFLOPS", true},
                   {"speedup", true},
                   {"ceiling", true},
                   {"ideal", true},
                   {"limited by", false},
                   {"because", false}});
  for (const CaseReport& one : report.cases) {
    const SweepCase& question = report.question(one);
    const LibraryKernel& kernel = report.point(one).problem.kernel;
    table.row(
        {sweep.gpus[question.gpu].name, sweep.shapes[question.shape].name, isa::name_of(question.type),
         question.pattern.name(),
         fmt::format("{}x{}x{} w{}x{} s{}", kernel.tile_m, kernel.tile_n, kernel.tile_k, kernel.warp_m, kernel.warp_n,
                     kernel.stages),
         grouped(report.result(one).cycles), fmt::format("{:.1f}", one.tflops), fmt::format("{:.3f}", one.speedup),
         fmt::format("{:.2f}", one.tensor_ceiling), fmt::format("{:.2f}", one.ideal), one.limit.by, one.limit.reason},
        question.pattern.dense() ? "total" : "");
  }
  return table.html();
}

std::string unfit_section(const ExploreReport& report) {
  if (report.plan->unfit.empty()) return "";
  HtmlTable table({{"GPUs", false}, {"patterns", false}, {"questions", true}, {"why", false}});
  for (const UnfitReason& why : unfit_reasons(*report.plan)) {
    table.row({join(why.gpus, ", "), join(why.patterns, ", "), std::to_string(why.questions), why.reason});
  }
  return html_section("unfit", "Tiles that do not fit", "", table.html());
}

}  // namespace

std::string explore_html(const ExploreReport& report) {
  std::string body = intro(report);
  body +=
      html_section("speedup", "Speedup against kept weights",
                   "The dashed curve is the ideal, M/N. A grey dot is the ceiling of the tensor core: the speedup if "
                   "matrix instructions issued back to back. Colour says what limits a point.",
                   speedup_charts(report));
  body +=
      html_section("heat", "Speedup over N and M",
                   "Geometric mean over the shapes. Hover over a cell for the share of the ideal.", heat_maps(report));
  body += html_section("bytes", "Bytes of each level, relative to dense",
                       "All bytes that cross a level, read and written, by what they are.", byte_charts(report));
  body += html_section(
      "metadata", "Metadata and selection network",
      "Index bits are those of the pattern without padding; the next column is the metadata's share of all bytes "
      "read from L2. Per tensor core: size of the selection network (2:4 is 1) and its area against that of the "
      "dot-product units behind it, by synthesis of rtl/ with open cells where there is a number, else by counting "
      "gates; wires that bring selects, wires that bring activations.",
      metadata_table(report));
  body += html_section("pareto", "Speedup, kept weight magnitude and selector cost",
                       "Points that no other point of the same GPU and shape beats in all three are labelled; the "
                       "others are grey. A disc's area grows with the size of the selection network.",
                       pareto_charts(report));
  body += html_section("cases", "All results", "", case_table(report));
  body += unfit_section(report);
  return html_page(report.plan->sweep.title.empty() ? "stcsim explore" : report.plan->sweep.title, body);
}

}  // namespace stc::sim
