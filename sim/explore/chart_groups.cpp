// SPDX-License-Identifier: Apache-2.0
#include "sim/explore/chart_groups.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace stc::sim {
namespace {

ChartGroup& group_named(std::vector<ChartGroup>& groups, const std::string& name) {
  for (ChartGroup& group : groups) {
    if (group.name == name) return group;
  }
  groups.push_back({name, {}});
  return groups.back();
}

bool several_types(const Sweep& sweep) {
  return std::any_of(sweep.cases.begin(), sweep.cases.end(),
                     [&](const SweepCase& one) { return one.type != sweep.cases.front().type; });
}

std::vector<ChartGroup> groups(const ExploreReport& report, bool by_shape) {
  const Sweep& sweep = report.plan->sweep;
  std::vector<ChartGroup> result;
  for (const CaseReport& one : report.cases) {
    const SweepCase& question = report.question(one);
    std::string name = sweep.gpus[question.gpu].name;
    if (several_types(sweep)) name += fmt::format(", {}", isa::name_of(question.type));
    if (by_shape) {
      const SweepShape& shape = sweep.shapes[question.shape];
      name += fmt::format(", {} ({} x {} x {})", shape.name, shape.m, shape.n, shape.k);
    }
    group_named(result, name).cases.push_back(&one);
  }
  for (ChartGroup& group : result) {
    std::stable_partition(group.cases.begin(), group.cases.end(),
                          [&](const CaseReport* one) { return report.question(*one).pattern.dense(); });
  }
  return result;
}

}  // namespace

std::vector<MarkName> joined_names(const std::vector<MarkName>& names, double near_x, double near_y) {
  std::vector<MarkName> joined;
  for (const MarkName& name : names) {
    const auto found = std::find_if(joined.begin(), joined.end(), [&](const MarkName& other) {
      return std::fabs(other.x - name.x) < near_x && std::fabs(other.y - name.y) < near_y;
    });
    if (found == joined.end()) {
      joined.push_back(name);
    } else {
      found->name += ", " + name.name;
    }
  }
  return joined;
}

std::vector<ChartGroup> groups_by_shape(const ExploreReport& report) { return groups(report, true); }
std::vector<ChartGroup> groups_by_gpu(const ExploreReport& report) { return groups(report, false); }

std::vector<std::string> limits() {
  return {"multipliers", "operand feed", "shared memory", "L2", "DRAM", "issue", "latency", "launch"};
}

std::string colour_of_limit(const std::string& limit) {
  const std::vector<std::string> all = limits();
  const auto found = std::find(all.begin(), all.end(), limit);
  return found == all.end() ? "sx" : fmt::format("s{}", found - all.begin());
}

const CaseReport* dense_of(const ExploreReport& report, const CaseReport& one) {
  SweepCase wanted = report.question(one);
  wanted.pattern = {};
  for (const CaseReport& other : report.cases) {
    if (report.question(other).same_question(wanted)) return other.ok ? &other : nullptr;
  }
  return nullptr;
}

}  // namespace stc::sim
