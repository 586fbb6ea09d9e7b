// SPDX-License-Identifier: Apache-2.0
#include "models/gpu/sampling/sampler.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include "models/gpu/sampling/repeats.h"
#include "models/gpu/sampling/sampling_refused.h"
#include "models/sm/warp_context.h"

namespace stc::gpu {
namespace {

constexpr std::uint32_t kLeastStretch = 4;  // passes
constexpr std::uint64_t kFirstSkip = 2;     // waves that are simulated before any is left out
constexpr double kEnough = 0.75;            // of a wave's CTAs, whose pace is known
constexpr double kEnoughBehind = 0.25;      // where it is that behind their jumps, which few have come to by then

/// CTAs to be looked at: the first, the last, and two between.
std::vector<std::uint64_t> some_of(std::uint64_t ctas) {
  const std::set<std::uint64_t> chosen{0, ctas / 3, 2 * ctas / 3, ctas - 1};
  return {chosen.begin(), chosen.end()};
}

bool settled(double now, double before) { return std::abs(now - before) <= Sampler::kSettled * now; }

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

}  // namespace

void LoopCount::add(const SmStatistics& statistics, double times) {
  std::size_t at = 0;
  each_count(statistics, [&](std::uint64_t value) {
    if (at == counts.size()) counts.push_back(0);
    counts[at++] += times * static_cast<double>(value);
  });
}

Sampler::Sampler(const Launch& launch, const sm::LaunchContext& context, const Sms& sms,
                 std::vector<int> partition_of_sm, memory::MemorySystem& memory, int threads)
    : context_(context),
      sms_(sms),
      partition_of_sm_(std::move(partition_of_sm)),
      outer_(launch.options.watch),
      ctas_(launch.grid.count()),
      lines_(context, loop_, memory, threads),
      on_sm_(sms.size()) {
  require_no_exchange(launch, context);
  loop_ = find_loop(context, some_of(ctas_));
  plan_.wave = static_cast<std::uint64_t>(context.ctas_per_sm) * sms.size();
  partition_of_place_.resize(plan_.wave);
  for (OnSm& on : on_sm_) on.places.resize(static_cast<std::size_t>(context.ctas_per_sm));
  if (loop_) {
    plan_.stretch = (kLeastStretch + loop_->period - 1) / loop_->period * loop_->period;
    looks_for_jump_ = loop_->last > loop_->first + 4 * plan_.stretch;
  }
  if (!looks_for_jump_ && ctas_ < (kFirstSkip + 2) * plan_.wave) {
    throw SamplingRefused(fmt::format(
        "too little of it repeats: its {} CTAs are {:.1f} waves of the {} that the GPU holds at once, and {}", ctas_,
        static_cast<double>(ctas_) / static_cast<double>(plan_.wave), plan_.wave,
        loop_ ? fmt::format("warps go round its loop {} times", loop_->passes) : "it has no loop"));
  }
}

void Sampler::passed(int sm, sm::WarpContext& warp, sm::Cycle now) {
  OnSm& on = on_sm_[static_cast<std::size_t>(sm)];
  ++on.passes;
  on.furthest = std::max(on.furthest, ++warp.passes);
  const Jump& jump = plan_.jump_of(warp.state.cta->linear_index);
  const bool jumps = jump.at != 0 && warp.passes == jump.at;
  if (warp.state.index_in_cta == 0) {
    CtaTrace& trace = on.places[static_cast<std::size_t>(warp.cta_slot)];
    if (warp.passes == 1) {
      if (!trace.before.empty()) on.left.push_back(std::move(trace));
      trace = {};
      trace.cta = warp.state.cta->linear_index;
      trace.sm = sm;
    }
    (trace.jumped ? trace.after : trace.before).push_back(now);
    if (jumps) trace.jumped = trace.lines_left = true;
    count_loop(on, warp);
  }
  if (!jumps) return;
  loop_->advance(warp.state, jump.periods);
  const std::uint32_t passes = static_cast<std::uint32_t>(jump.periods) * loop_->period;
  warp.passes += passes;
  on.left_out += passes;
}

template <class Each>
void Sampler::each_trace(const Each& each) {
  for (OnSm& on : on_sm_) {
    for (CtaTrace& trace : on.left) each(trace);
    for (CtaTrace& trace : on.places) {
      if (!trace.before.empty()) each(trace);
    }
  }
}

/// Of the first CTA on its SM, where it begins to go evenly and where it jumps.
void Sampler::count_loop(OnSm& on, const sm::WarpContext& warp) {
  if (on.to.passes != 0 || warp.generation != 0) return;
  const std::size_t sm = static_cast<std::size_t>(&on - on_sm_.data());
  if (warp.passes == loop_->first) on.from = {sms_[sm]->statistics(), on.passes};
  if (warp.passes == plan_.first.at) on.to = {sms_[sm]->statistics(), on.passes};
}

LoopCount Sampler::loop_count() const {
  LoopCount all;
  for (const OnSm& on : on_sm_) {
    if (on.to.passes == 0) continue;
    all.passes += on.to.passes - on.from.passes;
    all.add(on.to.counted, 1.0);
    all.add(on.from.counted, -1.0);
  }
  return all;
}

bool Sampler::go_on(std::uint64_t cycles, std::uint64_t ctas_ended) {
  cycles_ = cycles;
  if (looks_for_jump_) look_for_jump();
  pass_lines(false);
  return outer_ == nullptr || outer_->go_on(cycles, ctas_ended);
}

/// Pace of the first wave between two passes, of all its CTAs together; none: not all have come so far.
std::optional<double> Sampler::mean_pace(std::uint32_t from, std::uint32_t to) {
  double sum = 0;
  std::uint64_t traces = 0;
  each_trace([&](const CtaTrace& trace) {
    if (trace.before.size() < to) return;
    sum += 1 / trace.pace(from, to);
    ++traces;
  });
  if (traces < std::min(plan_.wave, ctas_)) return std::nullopt;
  return static_cast<double>(traces) / sum;
}

void Sampler::look_for_jump() {
  const std::uint32_t first = loop_->first, stretch = plan_.stretch;
  std::uint32_t furthest = 0;
  for (const OnSm& on : on_sm_) furthest = std::max(furthest, on.furthest);
  bool steady = false;
  for (std::uint32_t to = first + 2 * stretch; to <= furthest && !steady; to += stretch) {
    const std::uint32_t part = std::max(stretch, (to - first) / 4 / stretch * stretch);
    const auto before = mean_pace(to - 2 * part, to - part), now = mean_pace(to - part, to);
    if (!now) return;
    steady = settled(*now, *before);
  }
  if (!steady) return;
  const std::uint32_t at = first + (furthest + 2 - first + loop_->period - 1) / loop_->period * loop_->period;
  looks_for_jump_ = false;
  if (at + even_after_least() + loop_->period > loop_->last) return;
  plan_.first = jump(at, std::max(first, at / 2));
  plan_.later = jump(first + stretch, 0);
}

/// All behind a pass but what is needed to see the pace after it; whole periods.
Jump Sampler::jump(std::uint32_t at, std::uint32_t pace_from) const {
  const std::uint64_t periods = (loop_->last - even_after_least() - at) / loop_->period;
  return {at, pace_from, periods, loop_->last - at - static_cast<std::uint32_t>(periods) * loop_->period};
}

/// Once all CTAs on the GPU have jumped, or one of them is a period further, L2 sees what they jumped over.
void Sampler::pass_lines(bool all) {
  if (plan_.first.at == 0) return;
  std::vector<Resident> first, later;
  std::size_t to_come = 0;
  each_trace([&](const CtaTrace& trace) {
    to_come += trace.jumped ? 0 : 1;
    if (!trace.lines_left) return;
    auto& together = trace.cta < plan_.wave ? first : later;
    together.push_back({trace.cta, partition_of_sm_[static_cast<std::size_t>(trace.sm)]});
    all = all || trace.after.size() > loop_->period;
  });
  if ((first.empty() && later.empty()) || (to_come != 0 && !all)) return;
  for (const auto& [together, jump] : {std::tie(first, plan_.first), std::tie(later, plan_.later)}) {
    const std::uint64_t begins = (jump.at - loop_->first) / loop_->period;
    if (!together.empty()) lines_.pass_periods(together, begins, begins + jump.periods);
  }
  each_trace([](CtaTrace& trace) { trace.lines_left = false; });
}

void Sampler::ended(const CtaRecord& cta) {
  const std::uint64_t wave = plan_.order_of(cta.linear_index) / plan_.wave;
  if (durations_.size() <= wave) durations_.resize(wave + 1);
  durations_[wave].push_back(static_cast<double>(cta.end - cta.start));
  if (cta.linear_index < plan_.wave)
    partition_of_place_[cta.linear_index] = partition_of_sm_[static_cast<std::size_t>(cta.sm)];
}

/// Pace of a wave before its jumps, or behind them; none: not known of enough CTAs, or nobody jumps.
std::optional<double> Sampler::pace_of_wave(std::uint64_t wave) {
  if (plan_.first.at == 0) return std::nullopt;
  std::vector<double> rates;
  each_trace([&](const CtaTrace& trace) {
    if (plan_.order_of(trace.cta) / plan_.wave != wave || !trace.jumped) return;
    const Jump& jump = plan_.jump_of(trace.cta);
    if (jump.pace_from != 0) {
      rates.push_back(1 / trace.pace(jump.pace_from, jump.at));
    } else if (trace.after.size() >= jump.even_after) {
      rates.push_back(1 / trace.pace_after(jump.even_after - plan_.stretch, jump.even_after));
    }
  });
  const double enough = wave == 0 ? kEnough : kEnoughBehind;
  if (static_cast<double>(rates.size()) < enough * static_cast<double>(plan_.wave)) return std::nullopt;
  return 1 / mean(rates);
}

/// Mean time of the CTAs of a wave, with what they left out; none: not all have ended, or their pace is not known.
std::optional<double> Sampler::time_of_wave(std::uint64_t wave) {
  if (wave >= durations_.size() || durations_[wave].size() < plan_.wave) return std::nullopt;
  if (plan_.first.at == 0) return mean(durations_[wave]);
  const auto pace = pace_of_wave(wave);
  if (!pace) return std::nullopt;
  const double left_out = static_cast<double>(plan_.jump_of(wave * plan_.wave).periods) * loop_->period;
  return mean(durations_[wave]) + left_out * *pace;
}

bool Sampler::waves_settled(std::uint64_t next) {
  const auto first = time_of_wave(0), pace = pace_of_wave(next - 2), pace_now = pace_of_wave(next - 1);
  const double outside = next > kFirstSkip ? kOutsideLater : kOutside;
  const bool mostly_loop = first && pace && *first - *pace * loop_->passes <= outside * *first;
  if (mostly_loop && pace_now && settled(*pace_now, *pace)) return true;
  if (next < 3) return false;
  const auto before = time_of_wave(next - 3), now = time_of_wave(next - 2);
  return before && now && settled(*now, *before);
}

std::uint64_t Sampler::leave_out(std::uint64_t cta) {
  if (!looks_for_skip_ || cta % plan_.wave != 0 || cta < kFirstSkip * plan_.wave) return cta;
  if (!waves_settled(cta / plan_.wave)) return cta;
  looks_for_skip_ = false;
  return skip(cta);
}

std::uint64_t Sampler::skip(std::uint64_t cta) {
  // Simulated in the end: what follows the last whole wave, with that wave unless it is half of one.
  const std::uint64_t wave = plan_.wave, rest = ctas_ % wave, end = 2 * rest >= wave ? rest : wave + rest;
  if (cta + end >= ctas_) return cta;
  plan_.skip_from = cta;
  plan_.skipped = ctas_ - end - cta;
  pass_lines(true);
  // They would be on the SMs on which those of the first wave were.
  std::vector<Resident> together;
  for (std::uint64_t next = cta; next < cta + plan_.skipped; ++next) {
    together.push_back({next, partition_of_place_[next % wave]});
    if (together.size() < wave) continue;
    lines_.pass_ctas(together, cta + plan_.skipped - next - 1);
    together.clear();
    if (outer_ != nullptr && !outer_->go_on(cycles_, next)) throw LaunchStopped();
  }
  return cta + plan_.skipped;
}

std::vector<CtaTrace> Sampler::traces() {
  std::vector<CtaTrace> all;
  std::uint64_t passes = 0;
  each_trace([&](const CtaTrace& trace) { all.push_back(trace); });
  for (const OnSm& on : on_sm_) {
    passes += on.passes + on.left_out;
  }
  if (!loop_) return all;
  const std::uint64_t expected = (ctas_ - plan_.skipped) * loop_->steps.size() * loop_->passes;
  if (passes == expected) return all;
  throw SamplingRefused(
      fmt::format("warps do not all go round the loop at {:#06x} {} times", loop_->branch, loop_->passes));
}

}  // namespace stc::gpu
