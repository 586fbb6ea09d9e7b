// SPDX-License-Identifier: Apache-2.0
// No key of a GPU file is dead: each, given another legal value, changes a statistic or a value of some launch, or is
// refused with a message. trials.h says which launch shows which keys.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <map>
#include <set>

#include "models/gpu/gpu.h"
#include "sim/base/error.h"
#include "sim/base/text.h"
#include "validation/timing/parameters/probes.h"
#include "validation/timing/parameters/trials.h"

namespace stc::timing {
namespace {

using Sets = std::vector<sim::Override>;

/// A part of the H200, so that a launch takes a tenth of a second and its L2 can be filled; every launch exceeds its
/// power limit.
const Sets kMachine = {{"sms", "24"},
                       {"memory.l2.capacity_mib", "2"},
                       {"energy.constant_watts", "100"},
                       {"energy.limit_watts", "101"},
                       {"clock_spread.load_watts", "10"}};

/// Everything counted, as bytes.
std::string print_of(const ProbeOutcome& outcome) {
  const gpu::RunStatistics& run = outcome.run;
  std::string all = run.occupancy_limit;
  all.append(outcome.values.begin(), outcome.values.end());
  const auto add = [&all](const auto& value) { all.append(reinterpret_cast<const char*>(&value), sizeof value); };
  add(run.cycles), add(run.cycles_elapsed), add(run.clock_mhz), add(run.ctas_per_sm), add(run.memory);
  for (const double joules : run.energy.joules) add(joules);
  for (const double joules : run.energy.of_zeros) add(joules);
  add(run.energy.limited_joules), add(run.energy.limited_mhz);
  for (const SmStatistics& sm : run.per_sm) add(sm);
  for (const CtaRecord& cta : run.ctas) add(cta.linear_index), add(cta.start), add(cta.end);
  return sim::content_hash(all.data(), all.size());
}

std::string outcome_here(const Sets& sets, const std::string& probe) {
  try {
    return print_of(run_probe(probe, sim::read_gpu_config("configs/gpus/h200.yaml", sets)));
  } catch (const sim::UserError& error) {
    return std::string("refused: ") + error.what();
  } catch (const gpu::LaunchError& error) {
    return std::string("refused: ") + error.what();
  } catch (const std::exception& error) {
    return std::string("failed: ") + error.what();
  }
}

/// In a process of its own: its GPU is built after others have run.
std::string outcome(const Sets& sets, const std::string& probe) {
  int ends[2];
  if (::pipe(ends) != 0) return "failed: no pipe";
  const pid_t child = ::fork();
  if (child == 0) {
    const std::string text = outcome_here(sets, probe);
    const bool written = ::write(ends[1], text.data(), text.size()) == static_cast<ssize_t>(text.size());
    ::_exit(written ? 0 : 1);
  }
  ::close(ends[1]);
  std::string text;
  char chunk[4096];
  for (ssize_t count = 0; (count = ::read(ends[0], chunk, sizeof chunk)) > 0;) {
    text.append(chunk, static_cast<std::size_t>(count));
  }
  ::close(ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  return status == 0 ? text : "failed: process ended with status " + std::to_string(status);
}

const Trial& trial_of(const std::string& path) {
  const Trial* best = kTrials;
  for (const Trial& trial : kTrials) {
    const bool applies = path.rfind(trial.path, 0) == 0;
    if (applies && std::string_view(trial.path).size() > std::string_view(best->path).size()) best = &trial;
  }
  return *best;
}

std::string other_value(const Parameter& parameter) {
  return std::visit(
      [&](auto* target) -> std::string {
        using T = std::remove_pointer_t<decltype(target)>;
        if constexpr (std::is_same_v<T, std::string>) {
          return "";
        } else if constexpr (std::is_same_v<T, bool>) {
          return *target ? "false" : "true";
        } else {
          const T twice = *target == 0 ? static_cast<T>(4) : static_cast<T>(2 * *target);
          return fmt::format("{}", static_cast<double>(twice) <= parameter.high ? twice : static_cast<T>(*target / 2));
        }
      },
      parameter.target);
}

class EveryKey : public testing::TestWithParam<std::string> {};

TEST_P(EveryKey, HasAnEffectOrIsRefused) {
  sim::GpuConfig gpu = sim::read_gpu_config("configs/gpus/h200.yaml", kMachine);
  std::map<std::string, std::string> usual;  // by probe
  int tried = 0;
  const ParameterLister lister = parameters_of(gpu.params);
  for (const Parameter& parameter : lister.parameters()) {
    if (parameter.path.rfind(GetParam(), 0) != 0) continue;
    ++tried;
    const Trial& trial = trial_of(parameter.path);
    if (usual.count(trial.probe) == 0) usual[trial.probe] = outcome(kMachine, trial.probe);
    const std::string& before = usual[trial.probe];
    ASSERT_EQ(before.find(": "), std::string::npos) << trial.probe << " " << before;
    Sets sets = kMachine;
    sets.push_back({parameter.path, trial.value != nullptr ? trial.value : other_value(parameter)});
    const double value = sim::parse_number(sets.back().value).value_or(parameter.low);
    EXPECT_TRUE(parameter.low == parameter.high || (value >= parameter.low && value <= parameter.high))
        << parameter.path << " = " << value << " is refused whatever the key does";
    const std::string after = outcome(sets, trial.probe);
    EXPECT_NE(after, before) << parameter.path << " = " << sets.back().value << " does nothing to " << trial.probe;
    EXPECT_NE(after.rfind("failed", 0), 0u) << parameter.path << " = " << sets.back().value << " " << after;
  }
  EXPECT_GT(tried, 0);
}

TEST(MatrixClock, OnlyKernelsWithMatrixInstructionsRunAtIt) {
  Sets full = kMachine;
  full.push_back({"matrix_clock_ratio", "1"});
  EXPECT_EQ(outcome(full, "transpose"), outcome(kMachine, "transpose"));
  EXPECT_NE(outcome(full, "gemm"), outcome(kMachine, "gemm"));
}

TEST(WarpgroupClocks, OnlyKernelsOfWarpgroupsHaveTheirSpread) {
  Sets apart = kMachine;
  apart.push_back({"clock_spread.warpgroups", "1.5"});
  EXPECT_EQ(outcome(apart, "gemm"), outcome(kMachine, "gemm"));
  EXPECT_NE(outcome(apart, "warpgroup_values_c2x1"), outcome(kMachine, "warpgroup_values_c2x1"));
}

/// The first two words of every path: sm.lsu, memory.l2, ...
std::vector<std::string> groups() {
  gpu::GpuParams params;  // its keys
  std::set<std::string> names;
  const ParameterLister lister = parameters_of(params);
  for (const Parameter& parameter : lister.parameters()) {
    const std::vector<std::string> words = sim::split(parameter.path, '.');
    if (std::holds_alternative<std::string*>(parameter.target)) continue;  // a title
    names.insert(words.size() > 2 ? words[0] + "." + words[1] + "." : parameter.path);
  }
  return {names.begin(), names.end()};
}

INSTANTIATE_TEST_SUITE_P(Gpu, EveryKey, testing::ValuesIn(groups()), [](const auto& group) {
  std::string name = group.param;
  for (char& c : name) c = c == '.' ? '_' : c;
  return name;
});

}  // namespace
}  // namespace stc::timing
