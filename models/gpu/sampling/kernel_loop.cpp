// SPDX-License-Identifier: Apache-2.0
#include "models/gpu/sampling/kernel_loop.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/gpu/sampling/loop_trace.h"
#include "models/gpu/sampling/sampling_refused.h"

namespace stc::gpu {
namespace {

constexpr std::uint64_t kLeastPasses = 8;  // of a loop that is worth looking at
constexpr std::uint32_t kLatestFirst = 4;  // passes before it goes evenly
constexpr std::uint32_t kLongestPeriod = 16;

/// The branch back that spans the most instructions.
std::optional<std::uint32_t> main_branch(CtaWalk& walk, const DataFlow& flow, std::uint64_t cta) {
  walk.begin(cta);
  std::optional<std::uint32_t> chosen;
  std::uint64_t longest = 0;
  for (const auto& [address, branch] : back_branches(walk, 0, flow)) {
    const std::uint64_t span = branch.last_at - branch.first_at;
    if (branch.passes < kLeastPasses || span <= longest) continue;
    longest = span;
    chosen = address;
  }
  return chosen;
}

/// Fills in period and even part as the first warp has them.
void measure(const LoopTrace& trace, KernelLoop& loop) {
  for (std::uint32_t period = 1; period <= kLongestPeriod; ++period) {
    for (std::uint32_t first = 1; first <= kLatestFirst; ++first) {
      const auto even = trace.even_part(first, period);
      if (!even) continue;
      loop.period = period;
      loop.first = first;
      loop.last = even->last;
      return;
    }
  }
  throw SamplingRefused(
      fmt::format("its loop at {:#06x} does not repeat within {} passes", loop.branch, kLongestPeriod));
}

/// Looks at one warp of one CTA; the first CTA says what the others are compared with.
void compare(const LoopTrace& trace, std::size_t warp, std::uint64_t cta, KernelLoop& loop) {
  const auto differs = [&](const char* how) {
    throw SamplingRefused(
        fmt::format("warp {} of CTA {} goes round the loop at {:#06x} {}", warp, cta, loop.branch, how));
  };
  if (trace.passes() != loop.passes) {
    differs(fmt::format("{} times, others {} times", trace.passes(), loop.passes).c_str());
  }
  const auto even = trace.even_part(loop.first, loop.period);
  if (!even) return differs("in another way than the first warp");
  loop.last = std::min(loop.last, even->last);
  if (warp == loop.steps.size()) loop.steps.push_back(even->step);
  if (!(even->step == loop.steps[warp])) differs("by other steps than that of the first CTA");
  const std::uint64_t periods = (even->last - loop.first) / loop.period;
  if (!trace.arrives(loop.first, loop.period, periods, even->step)) differs("unevenly");
}

}  // namespace

void KernelLoop::advance(isa::WarpState& warp, std::uint64_t periods) const {
  const WarpStep& step = steps[static_cast<std::size_t>(warp.index_in_cta)];
  const auto times = static_cast<std::uint32_t>(periods);
  for (const WarpStep::Register& change : step.general) {
    isa::Vector& value = warp.r[change.index];
    for (std::size_t lane = 0; lane < isa::kWarpSize; ++lane) value[lane] += times * change.by[lane];
  }
  for (std::size_t r = 0; r < step.uniform.size(); ++r) warp.ur[r] += times * step.uniform[r];
}

std::optional<KernelLoop> find_loop(const sm::LaunchContext& launch, const std::vector<std::uint64_t>& ctas) {
  const DataFlow flow(*launch.kernel);
  CtaWalk walk(launch);
  const auto branch = main_branch(walk, flow, ctas.front());
  KernelLoop loop;
  for (const std::uint64_t cta : ctas) {
    walk.begin(cta);
    std::uint64_t instructions = 0, passes = 0;
    for (int warp = 0; warp < walk.warps(); ++warp) {
      if (!branch) {
        back_branches(walk, warp, flow);  // refuses what data steer
        continue;
      }
      loop.branch = *branch;
      const LoopTrace trace(walk, warp, flow, loop.branch);
      if (loop.period == 0) {
        loop.passes = trace.passes();
        measure(trace, loop);
      }
      compare(trace, static_cast<std::size_t>(warp), cta, loop);
      instructions += trace.instructions(loop.first, loop.last);
      passes += loop.last - loop.first;
    }
    if (passes != 0) loop.instructions_per_pass = static_cast<double>(instructions) / static_cast<double>(passes);
    ++loop.ctas_walked;
  }
  if (!branch) return std::nullopt;
  return loop;
}

}  // namespace stc::gpu
