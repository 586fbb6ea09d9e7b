// SPDX-License-Identifier: Apache-2.0
#include "sim/result/waterfall.h"

#include <fmt/format.h>

#include <cmath>

#include "sim/base/text.h"

namespace stc::sim {
namespace {

constexpr const char* kOwnMeaning =
    "stall counts, dependences, barriers and instructions beside matrix ones: what no limit of the GPU explains";

double elapsed(const WaterfallRun& run) { return static_cast<double>(run.cycles_elapsed); }

std::string cycles_cell(double cycles) {
  return grouped(static_cast<std::uint64_t>(std::llround(std::max(0.0, cycles))));
}

}  // namespace

double Waterfall::least_cycles(bool dense) const {
  const WaterfallRun& run = dense ? *steps.back().dense : steps.back().sparse;
  return static_cast<double>(run.tensor_busy_cycles) / tensor_cores;
}

double Waterfall::ideal() const { return least_cycles(true) / least_cycles(false); }

double Waterfall::speedup(std::size_t step) const { return elapsed(*steps[step].dense) / elapsed(steps[step].sparse); }

std::vector<Waterfall::Part> Waterfall::parts() const {
  std::vector<Part> all;
  const std::size_t last = steps.size() - 1;
  Part own{"kernel", "the kernel itself", kOwnMeaning, steps[last].command, 0, 0, 0};
  own.cycles = elapsed(steps[last].sparse) - least_cycles(false);
  if (compares()) {
    own.dense_cycles = elapsed(*steps[last].dense) - least_cycles(true);
    own.speedup = ideal() - speedup(last);
  }
  all.push_back(own);
  for (std::size_t i = last; i > 0; --i) {
    const WaterfallStep& without = steps[i];
    const WaterfallStep& under = steps[i - 1];
    Part part{without.lifted, without.title, without.meaning, under.command, 0, 0, 0};
    part.cycles = elapsed(under.sparse) - elapsed(without.sparse);
    if (compares()) {
      part.dense_cycles = elapsed(*under.dense) - elapsed(*without.dense);
      part.speedup = speedup(i) - speedup(i - 1);
    }
    all.push_back(part);
  }
  return all;
}

std::string waterfall_table(const Waterfall& waterfall) {
  const bool compares = waterfall.compares();
  std::string out;
  const auto row = [&](const std::string& title, const std::string& part, const std::string& speedup,
                       const std::string& sparse, const std::string& dense, const std::string& meaning) {
    out += compares ? fmt::format("  {:<19}{:>9}{:>9}{:>13}{:>13}  {}\n", title, part, speedup, sparse, dense, meaning)
                    : fmt::format("  {:<19}{:>13}{:>13}  {}\n", title, part, sparse, meaning);
  };
  if (compares) {
    out += fmt::format("\nWhy not {:.3g}x: from the ideal to the simulated speedup, launch overhead included\n",
                       waterfall.ideal());
    row("", "part", "speedup", "cycles", "dense", "");
    row("ideal", "", fmt::format("{:.3f}", waterfall.ideal()), cycles_cell(waterfall.least_cycles(false)),
        cycles_cell(waterfall.least_cycles(true)), "tensor cores do nothing but multiply");
  } else {
    out += "\nWhere the time goes: from the tensor cores' to the simulated cycles, launch overhead included\n";
    row("", "part", "", "cycles", "", "");
    row("ideal", "", "", cycles_cell(waterfall.least_cycles(false)), "", "tensor cores do nothing but multiply");
  }
  std::size_t step = waterfall.steps.size() - 1;
  for (const Waterfall::Part& part : waterfall.parts()) {
    const WaterfallStep& under = waterfall.steps[step--];
    row(part.title, compares ? fmt::format("{:+.3f}", -part.speedup) : fmt::format("{:+.0f}", part.cycles),
        compares ? fmt::format("{:.3f}", elapsed(*under.dense) / elapsed(under.sparse)) : "",
        grouped(under.sparse.cycles_elapsed), compares ? grouped(under.dense->cycles_elapsed) : "", part.meaning);
  }
  out += "  A row's cycles are those of a run with the limits of the rows below it lifted. All of them lifted:\n";
  return out + fmt::format("  {}\n", waterfall.steps.back().command);
}

}  // namespace stc::sim
